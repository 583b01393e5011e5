"""A record in, the same record with an agent's opinion of every decision out.

The agent sits in the seat of the person reviewed and is shown what that person saw: the others' hands and
draws are taken out of the events before they reach it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from manue.agents.base import Agent
from manue.errors import EventError, LogError, UsageError
from manue.game.events import seen_by
from manue.player import Player
from manue.protocol.annotation import annotation_of
from manue.records.archive import LogEntry
from manue.review.frames import open_seats
from manue.rules import TENHOU, Rules
from manue.tiles import Seat


def annotate(
    game: Sequence[LogEntry],
    agent: Agent,
    seats: Sequence[Seat] | None = None,
    *,
    source: str = "log",
    rules: Rules = TENHOU,
    progress: Callable[[int, int], None] | None = None,
) -> list[LogEntry]:
    """Let an agent judge every decision of some seats.

    Parameters
    ----------
    game : sequence of LogEntry
        One game.
    agent : Agent
    seats : sequence of int, optional
        By default every seat whose hand is open.
    source : str
        Named in errors.
    rules : Rules
    progress : callable, optional
        Called with the number of entries done and in all.

    Returns
    -------
    list of LogEntry
        The same entries, whose messages carry ``logs`` and ``meta`` where a decision was made; what seats
        that are not judged had of their own stays.

    Raises
    ------
    UsageError
        If the hand of one of the seats is hidden.
    LogError
        If an event cannot follow the ones before.
    """
    known = open_seats(game, source)
    chosen = [seat for seat in range(4) if known[seat]] if seats is None else list(seats)
    for seat in chosen:
        if not known[seat]:
            raise UsageError(f"{source} hides the hand of seat {seat}")
    players = {seat: Player(seat, agent, rules) for seat in chosen}
    result = []
    for number, entry in enumerate(game):
        result.append(_judged(entry, players, source))
        if progress is not None:
            progress(number + 1, len(game))
    return result


def _judged(entry: LogEntry, players: dict[Seat, Player], source: str) -> LogEntry:
    if entry.event is None:
        return entry
    decisions = {}
    for seat, player in players.items():
        try:
            decision = player.receive(seen_by(entry.event, seat))
        except EventError as error:
            raise LogError(f"{source}, line {entry.line}: {error}") from None
        if decision is not None:
            decisions[seat] = decision
    logs, meta = annotation_of(decisions)
    old_logs, old_meta = _four(entry.message.logs), _four(entry.message.meta)
    for seat in range(4):
        if seat not in players:
            logs[seat], meta[seat] = old_logs[seat], old_meta[seat]
    message = entry.message.model_copy(
        update={"logs": logs if any(logs) else None, "meta": meta if any(meta) else None}
    )
    return replace(entry, message=message)


def _four(values: Any) -> Sequence[Any]:
    return values if isinstance(values, list) and len(values) == 4 else (None,) * 4
