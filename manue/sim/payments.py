"""Points that change hands: riichi sticks, wins, and rounds that end without one."""

from typing import Any

import numpy as np

from manue.compiled import compiled
from manue.features.scene import CALLED_AWAY
from manue.hand.points import MANGAN
from manue.hand.shape import OUTSIDE_MASK
from manue.rules import NOTEN_POINTS, STICK
from manue.sim.codes import ACCEPTED_EVENT, END_EVENT, EXHAUSTIVE, NAGASHI, TRIPLE_RON, WIN_EVENT
from manue.sim.events import NOBODY, note
from manue.sim.hands import kind_of
from manue.sim.scoring import DORA_OF_KIND, dealer_of, pay, score_of
from manue.sim.wall import URA_AT


@compiled
def accept_riichi(t: Any, seat: int, kit: Any) -> None:
    """Pay the stick of a riichi that has just been declared."""
    if t["riichi"][seat] and t["riichi_at"][seat] == t["river_len"][seat] - 1:
        t["scores"][seat] -= STICK
        t["deposits"] += 1
        note(t, kit, ACCEPTED_EVENT, seat, NOBODY, 0, 0)


@compiled
def pay_tsumo(t: Any, seat: int, kit: Any) -> None:
    """Let a seat be paid for a win by the tile it has drawn."""
    _pay_win(t, seat, seat, int(t["drawn"]), int(t["honba"]), kit)
    _settle(t)


@compiled
def pay_rons(t: Any, winners: int, kit: Any) -> None:
    """Let the winners be paid, from the discarder's right on; three of them abort the round.

    A riichi that is declared with the tile won on is not paid for, whoever wins.
    """
    source = int(t["source"])
    if winners | 1 << source == 15:
        end_drawn(t, TRIPLE_RON, kit)
        return
    honba = int(t["honba"])
    for step in range(1, 4):
        seat = (source + step) % 4
        if winners >> seat & 1:
            _pay_win(t, seat, source, int(t["offered"]), honba, kit)
            honba = 0
    _settle(t)


@compiled
def _pay_win(t: Any, seat: int, source: int, tile: int, honba: int, kit: Any) -> None:
    """Add a win to the ``deltas``, with the sticks on the table for the first winner."""
    ura = np.zeros(34, np.int8)
    if t["riichi"][seat]:
        for place in range(t["shown"]):
            indicator = kind_of(t["wall"][URA_AT - 2 * place])
            ura[DORA_OF_KIND[indicator]] += 1
    best = score_of(t, seat, tile, seat == source, ura, kit)
    paid = t["deltas"].copy()
    t["deltas"][:] = 0
    pay(t, seat, source, best, honba, kit)
    if t["winners"] == 0:
        t["deltas"][seat] += STICK * t["deposits"]
        t["deposits"] = 0
    t["winners"] |= 1 << seat
    note(t, kit, WIN_EVENT, seat, source, tile, int(t["riichi"][seat]))
    t["deltas"][:] += paid


@compiled
def end_drawn(t: Any, ending: int, kit: Any) -> None:
    """End the round without a win; ``deltas`` hold what is paid."""
    t["ending"] = ending
    _settle(t)
    note(t, kit, END_EVENT, NOBODY, NOBODY, 0, ending)


@compiled
def exhaust(t: Any, kit: Any) -> None:
    """End the round with the wall: nagashi mangan, or payments to the seats in tenpai."""
    deltas = t["deltas"]
    dealer = dealer_of(t)
    ending = EXHAUSTIVE
    for seat in range(4):
        if not _is_nagashi(t, seat):
            continue
        ending = NAGASHI
        for other in range(4):
            if other != seat:
                paid = 2 * MANGAN if dealer in (seat, other) else MANGAN
                deltas[other] -= paid
                deltas[seat] += paid
    ready = 0
    for seat in range(4):
        ready += int(t["waits"][seat] != 0)
    if ending == EXHAUSTIVE and 0 < ready < 4:
        for seat in range(4):
            tenpai = t["waits"][seat] != 0
            deltas[seat] += NOTEN_POINTS // ready if tenpai else -(NOTEN_POINTS // (4 - ready))
    end_drawn(t, ending, kit)


@compiled
def _is_nagashi(t: Any, seat: int) -> bool:
    """Return whether a seat has discarded only terminals and honors, and none was called."""
    for place in range(t["river_len"][seat]):
        if t["river_flag"][seat, place] & CALLED_AWAY:
            return False
    return bool(t["discarded"][seat] & ~OUTSIDE_MASK == 0)


@compiled
def _settle(t: Any) -> None:
    for seat in range(4):
        t["scores"][seat] += t["deltas"][seat]
