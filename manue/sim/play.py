"""A round from the deal to its end, as compiled code: whose turn it is, and who may answer.

The order of things, the indicators revealed after kans and the abortive draws are those of the referee
(`manue.table.referee`). Nothing here chooses: `manue.sim.players` does.
"""

from typing import Any

from manue.compiled import compiled, inlined
from manue.features.scene import DAIMINKAN_MELD, FROM_DRAW, MAX_RIVER, RIICHI_TILE
from manue.hand.shanten import UNAVAILABLE
from manue.sim.choices import ask, is_listed
from manue.sim.codes import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD_DRAWN,
    DISCARD_EVENT,
    FOUR_KANS,
    FOUR_RIICHI,
    FOUR_WINDS,
    GROUP,
    KAKAN,
    MEMBER,
    NINE,
    NINE_TERMINALS,
    PASS,
    RIICHI,
    RIICHI_EVENT,
    RON,
    TSUMO,
)
from manue.sim.deal import deal, draw, reveal_owed
from manue.sim.events import NOBODY, note
from manue.sim.hands import find_waits, first_turn, kind_of, rate_discards, take_tile
from manue.sim.legal import could_answer, list_answers, list_discards, list_own_turn, ready_kinds
from manue.sim.melds import add_kan, close_kan, draw_replacement, take_call
from manue.sim.occasions import ANSWER, CALL_DISCARD, OWN_TURN, RIICHI_DISCARD
from manue.sim.payments import accept_riichi, end_drawn, exhaust, pay_rons, pay_tsumo
from manue.sim.players import SCRIPTED
from manue.sim.scoring import dealer_of


@compiled
def play_round(t: Any, kit: Any) -> None:
    """Play a round whose wall is in place; afterwards ``deltas`` hold what its end pays.

    Scores include the payments and ``deposits`` the sticks that are left. The round is not yet followed by
    another: see `manue.sim.games.finish_round`.
    """
    deal(t, kit)
    dealer = dealer_of(t)
    draw(t, dealer, False, kit)  # noqa: FBT003
    play_on(t, dealer, OWN_TURN, kit)


@compiled
def play_on(t: Any, seat: int, occasion: int, kit: Any) -> None:
    """Play a round to its end from the choice of a seat.

    Parameters
    ----------
    t : TABLE
    seat : int
        Whose turn it is; who discarded, if the others are to answer.
    occasion : {OWN_TURN, CALL_DISCARD, ANSWER}
    kit : KIT
    """
    called, offered = occasion == CALL_DISCARD, occasion == ANSWER
    while True:
        if not offered:
            chosen = _called_discard(t, seat, kit) if called else _own_turn(t, seat, kit)
            if chosen < 0:
                return
            _discard(t, seat, chosen, kit)
        offered = False
        ending = _abortion(t)
        caller, call = _answer(t, ending < 0, kit)
        if call == RON:
            return
        accept_riichi(t, seat, kit)
        if ending >= 0:
            end_drawn(t, ending, kit)
            return
        if caller < 0:
            if t["tiles_left"] == 0:
                exhaust(t, kit)
                return
            seat = (seat + 1) % 4
            draw(t, seat, False, kit)  # noqa: FBT003
            called = False
        else:
            seat = caller
            take_call(t, caller, call, kit)
            called = call & GROUP != DAIMINKAN
            if not called:
                draw_replacement(t, caller, 1, kit)


@compiled
def _called_discard(t: Any, seat: int, kit: Any) -> int:
    """Return the discard of a seat that has called."""
    n = list_discards(t, seat, 0, ~int(t["forbidden"])) if is_listed(t, seat, kit) else 0
    return ask(t, seat, CALL_DISCARD, n, rate_discards(t, seat, kit["tables"]), kit)


@compiled
def _own_turn(t: Any, seat: int, kit: Any) -> int:
    """Let a seat act after its draw, and again after a kan; return its discard, -1 if the round ended."""
    while True:
        lowest = rate_discards(t, seat, kit["tables"]) if t["riichi"][seat] == 0 else UNAVAILABLE
        n = 0
        if is_listed(t, seat, kit):
            n = list_own_turn(t, seat, lowest, kit)
        chosen = ask(t, seat, OWN_TURN, n, lowest, kit)
        group = chosen & GROUP
        if chosen == TSUMO:
            pay_tsumo(t, seat, kit)
            return -1
        if chosen == NINE_TERMINALS:
            end_drawn(t, NINE, kit)
            return -1
        if chosen == RIICHI:
            t["riichi"][seat] = 2 if first_turn(t, seat) else 1
            note(t, kit, RIICHI_EVENT, seat, NOBODY, 0, 0)
            n = list_discards(t, seat, 0, ready_kinds(t)) if is_listed(t, seat, kit) else 0
            return ask(t, seat, RIICHI_DISCARD, n, lowest, kit)
        if group == ANKAN:
            close_kan(t, seat, chosen & MEMBER, kit)
            draw_replacement(t, seat, 0, kit)
        elif group == KAKAN:
            add_kan(t, seat, chosen, kit)
            if _answer(t, True, kit)[1] == RON:  # noqa: FBT003
                return -1
            t["robbing"] = 0
            draw_replacement(t, seat, 1, kit)
        else:
            return chosen


@compiled
def _discard(t: Any, seat: int, chosen: int, kit: Any) -> None:
    """Put a tile into the river and offer it."""
    tile, drawn = chosen & MEMBER, int(chosen & GROUP == DISCARD_DRAWN)
    kind = kind_of(tile)
    reveal_owed(t, kit)
    take_tile(t, seat, tile)
    place = min(int(t["river_len"][seat]), MAX_RIVER - 1)
    declares = t["riichi"][seat] > 0 and t["riichi_at"][seat] < 0
    t["river"][seat, place] = tile
    t["river_flag"][seat, place] = (FROM_DRAW if drawn else 0) | (RIICHI_TILE if declares else 0)
    t["river_len"][seat] = place + 1
    if declares:
        t["riichi_at"][seat] = place
    t["ippatsu"][seat] = declares
    t["discarded"][seat] |= 1 << kind
    t["safe"][seat] |= 1 << kind
    t["public"][kind] += 1
    t["missed"][seat] = 0
    t["drawn"] = -1
    t["after_kan"] = 0
    t["forbidden"] = 0
    if not drawn:
        t["passed"][seat] = 0
        find_waits(t, seat, kit["tables"])
    t["offered"], t["source"] = tile, seat
    note(t, kit, DISCARD_EVENT, seat, NOBODY, tile, drawn)


@compiled
def _abortion(t: Any) -> int:
    """Return the abortive draw that follows the last discard if nobody wins on it, -1 if none does."""
    lengths, melds = t["river_len"], t["meld_len"]
    riichi = 0
    winds = True
    for seat in range(4):
        winds = winds and lengths[seat] == 1 and melds[seat] == 0 and t["river"][seat, 0] == t["river"][0, 0]
        riichi += int(t["riichi"][seat] > 0)
    if winds and 27 <= t["river"][0, 0] < 31:
        return FOUR_WINDS
    if t["kans"] == 4 and not _one_seat_has_all_kans(t):
        return FOUR_KANS
    return FOUR_RIICHI if riichi == 4 else -1


@inlined
def _one_seat_has_all_kans(t: Any) -> bool:
    for seat in range(4):
        kans = 0
        for place in range(t["meld_len"][seat]):
            kans += int(t["meld_kind"][seat, place] >= DAIMINKAN_MELD)
        if kans == 4:
            return True
    return False


@compiled
def _answer(t: Any, calls: bool, kit: Any) -> tuple[int, int]:  # noqa: FBT001
    """Let the others answer the tile offered, and settle wins.

    Returns
    -------
    caller, call : int
        Who calls the tile, and how; -1 and `PASS` if nobody does, -1 and `RON` if the round has ended.
    """
    source = int(t["source"])
    winners, caller, call = 0, NOBODY, PASS
    for seat in range(4):
        if seat == source or not could_answer(t, seat):
            continue
        n = list_answers(t, seat, calls, kit)
        if n == 0:
            continue
        chosen = ask(t, seat, ANSWER, n, UNAVAILABLE, kit)
        if chosen == RON:
            winners |= 1 << seat
        elif chosen != PASS and (caller < 0 or chosen & GROUP != CHI):
            caller, call = seat, chosen
    _follow_script(t, winners, caller)
    if winners:
        pay_rons(t, winners, kit)
        return NOBODY, RON
    _let_pass(t)
    return caller, call


@inlined
def _follow_script(t: Any, winners: int, caller: int) -> None:
    """Go past the answers of a script that were given."""
    if t["player"][0] == SCRIPTED:
        given = (winners & 1) + (winners >> 1 & 1) + (winners >> 2 & 1) + (winners >> 3 & 1)
        t["script_at"] += given if winners else int(caller >= 0)


@compiled
def _let_pass(t: Any) -> None:
    """Note that nobody has won on the tile offered."""
    bit = 1 << kind_of(t["offered"])
    for seat in range(4):
        if seat == t["source"]:
            continue
        t["passed"][seat] |= bit
        missed = t["waits"][seat] & bit != 0
        if missed:
            t["missed"][seat] = 1
        if t["riichi"][seat]:
            t["safe"][seat] |= bit
            if missed:
                t["missed_riichi"][seat] = 1
