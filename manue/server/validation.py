"""A validation game, as RiichiLab asks for before a bot may play: one client, East rounds, a verdict."""

import logging

from manue.errors import AbandonedError
from manue.foreign import printable
from manue.rules import Rules
from manue.server.lobby import Client
from manue.table.referee import Referee
from manue.table.seat_factory import make_seat_player
from manue.table.table import Table
from manue.table.thinking_time import Limits

LOG = logging.getLogger(__name__)
OTHER_SEATS = "tsumogiri"


def validate(candidate: Client, seed: int, rules: Rules, limits: Limits) -> dict[str, object]:
    """Let a client play in seat 0 against three that discard what they draw; return the verdict to send.

    Parameters
    ----------
    candidate : Client
    seed : int
        Of the walls.
    rules : Rules
    limits : Limits
    """
    names = (candidate.name, *[OTHER_SEATS] * 3)
    referee = Referee(seed, length="east", rules=rules, names=names)
    others = [make_seat_player(OTHER_SEATS, seat, rules, limits) for seat in (1, 2, 3)]
    try:
        record = Table(
            referee, [candidate.take_seat(0, referee), *others], client_seats=frozenset({0})
        ).play()
        faults = [f"{fault.kind}: {fault.reason}" for fault in record.faults if fault.seat == 0]
    except AbandonedError as error:
        faults = [str(error)]
    reason = printable(faults[0]) if faults else None
    verdict = "was validated" if reason is None else f"was not validated ({reason})"
    LOG.info("%s %s", printable(candidate.name), verdict)
    return {"type": "validation_result", "passed": not faults, "reason": reason}
