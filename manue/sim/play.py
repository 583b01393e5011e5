"""A round from the deal to its end, as compiled code: whose turn it is, who may answer, who pays.

The order of things, the indicators revealed after kans and the abortive draws are those of the referee
(`manue.table.referee`). Nothing here chooses: `manue.sim.players` does.
"""

from typing import Any

import numpy as np

from manue.compiled import compiled, inlined
from manue.game.view import LIVE_WALL
from manue.sim.codes import (
    ACCEPTED_EVENT,
    ANKAN,
    CALL_EVENT,
    CHI,
    DAIMINKAN,
    DISCARD_EVENT,
    DORA_EVENT,
    DRAW_EVENT,
    DRAWN,
    END_EVENT,
    EXHAUSTIVE,
    FOUR_KANS,
    FOUR_RIICHI,
    FOUR_WINDS,
    GROUP,
    KAKAN,
    MEMBER,
    NAGASHI,
    NINE,
    NINE_TERMINALS,
    PASS,
    PON,
    RIICHI,
    RIICHI_EVENT,
    RON,
    TRIPLE_RON,
    TSUMO,
    WIN_EVENT,
)
from manue.sim.hands import (
    FAR,
    OUTSIDE,
    add_tile,
    find_waits,
    first_turn,
    kind_of,
    rate_discards,
    red_of_kind,
    take_tile,
)
from manue.sim.legal import could_answer, list_answers, list_discards, list_own_turn, ready_kinds, swapped
from manue.sim.moments import ANSWER, CALL_DISCARD, OWN_TURN, RIICHI_DISCARD
from manue.sim.players import SCRIPTED, choose, wants_list
from manue.sim.policy import note_lessons
from manue.sim.scoring import DORA_OF_KIND, dealer_of, pay, score_of
from manue.sim.table import (
    ANKAN_MELD,
    CALLED_AWAY,
    CHI_MELD,
    DAIMINKAN_MELD,
    FROM_DRAW,
    KAKAN_MELD,
    MAX_RIVER,
    PON_MELD,
    RIICHI_TILE,
)
from manue.sim.wall import fill_wall

NOBODY = -1
MANGAN_SHARE = 2000
NOTEN_POINTS = 3000
MOST_INDICATORS = 5


# ---- notes


@compiled
def _note(t: Any, kit: Any, event: int, actor: int, source: int, tile: int, choice: int) -> None:
    """Write an event with the ``deltas`` of the table, if there is room."""
    at = int(t["log_len"])
    if kit["writes_log"] and at < len(kit["log"]):
        row = kit["log"][at]
        row[0], row[1], row[2], row[3], row[4] = event, actor, source, tile, choice
        for seat in range(4):
            row[5 + seat] = t["deltas"][seat]
        t["log_len"] = at + 1


@compiled
def _ask(t: Any, seat: int, moment: int, n: int, lowest: int, kit: Any) -> int:
    """Let a seat choose, and note the choice and its options."""
    chosen = choose(t, seat, moment, n, lowest, kit)
    if kit["writes_lessons"] and t["player"][seat] == SCRIPTED and _is_known(t, chosen, kit):
        note_lessons(t, seat, moment, n, lowest, chosen, kit)
    at = int(t["judged_len"])
    if kit["writes_judged"] and at < len(kit["judged"]):
        row = kit["judged"][at]
        row[0], row[1], row[2], row[3] = seat, t["log_len"], chosen, n
        for place in range(n):
            row[4 + place] = t["options"][place]
        t["judged_len"] = at + 1
    return chosen


@inlined
def _is_known(t: Any, chosen: int, kit: Any) -> bool:
    """Return whether a scripted choice is known: not where the script has a call that went first."""
    if chosen == PASS:
        at = int(t["script_at"])
        return at >= kit["script_len"] or not (kit["script"][at, 1] == RON or kit["script"][at, 1] >= PON)
    return True


@inlined
def _listed(t: Any, seat: int, kit: Any) -> bool:
    return bool(kit["writes_judged"]) or wants_list(t, seat)


# ---- the deal


@compiled
def shuffle(t: Any) -> None:
    """Fill the wall of the round from the seed of the game."""
    fill_wall(t["seed"], int(t["rounds"]), t["wall"])


@compiled
def deal(t: Any, kit: Any) -> None:
    """Clear the table, and deal the wall from the dealer on."""
    _clear(t)
    wall = t["wall"]
    dealer = dealer_of(t)
    at = 0
    for block in range(4):
        for step in range(4):
            for _ in range(4 if block < 3 else 1):
                add_tile(t, (dealer + step) % 4, int(wall[at]))
                at += 1
    t["next"] = at
    for seat in range(4):
        find_waits(t, seat, kit["tables"])
    _reveal(t)


@compiled
def _clear(t: Any) -> None:
    t["tiles_left"] = LIVE_WALL
    t["kans"] = t["shown"] = t["owed"] = 0
    t["dora"][:] = 0
    t["hand"][:] = 0
    t["reds"][:] = 0
    t["code"][:] = 0
    t["meld_type"][:] = 0
    t["meld_kind"][:] = 0
    t["meld_reds"][:] = 0
    t["meld_len"][:] = 0
    t["open"][:] = 0
    t["river"][:] = 0
    t["river_flag"][:] = 0
    t["river_len"][:] = 0
    t["discarded"][:] = 0
    t["safe"][:] = 0
    t["passed"][:] = 0
    t["waits"][:] = 0
    t["riichi"][:] = 0
    t["riichi_at"][:] = -1
    t["ippatsu"][:] = 0
    t["missed"][:] = 0
    t["missed_riichi"][:] = 0
    t["liable_dragons"][:] = NOBODY
    t["liable_winds"][:] = NOBODY
    t["after_kan"] = t["robbing"] = 0
    t["drawn"] = t["offered"] = t["source"] = -1
    t["undisturbed"] = 1
    t["forbidden"] = 0
    t["public"][:] = 0
    t["ending"] = -1
    t["winners"] = 0
    t["deltas"][:] = 0


@compiled
def _reveal(t: Any) -> int:
    """Turn the next dora indicator over and return its tile."""
    tile = int(t["wall"][len(t["wall"]) - 5 - 2 * t["shown"]])
    kind = kind_of(tile)
    t["shown"] += 1
    t["public"][kind] += 1
    t["dora"][DORA_OF_KIND[kind]] += 1
    return tile


@compiled
def _reveal_owed(t: Any, kit: Any) -> None:
    """Reveal the indicators of earlier open and added kans."""
    while t["owed"] > 0:
        t["owed"] -= 1
        _reveal_next(t, kit)


@compiled
def _reveal_next(t: Any, kit: Any) -> None:
    if t["shown"] < MOST_INDICATORS:
        _note(t, kit, DORA_EVENT, NOBODY, NOBODY, _reveal(t), 0)


@compiled
def _draw(t: Any, seat: int, replacement: bool, kit: Any) -> None:  # noqa: FBT001
    """Let a seat draw from the wall, or its replacement tile for a kan."""
    if replacement:
        tile = int(t["wall"][len(t["wall"]) - t["kans"]])
    else:
        tile = int(t["wall"][t["next"]])
        t["next"] += 1
    t["tiles_left"] -= 1
    add_tile(t, seat, tile)
    t["drawn"] = tile
    t["after_kan"] = replacement
    t["turn"] = seat
    _note(t, kit, DRAW_EVENT, seat, NOBODY, tile, 0)


# ---- a turn


@compiled
def play_round(t: Any, kit: Any) -> None:
    """Play a round whose wall is in place; afterwards ``deltas`` hold what its end pays.

    Scores include the payments and ``deposits`` the sticks that are left. The round is not yet followed by
    another: see `manue.sim.games.finish_round`.
    """
    deal(t, kit)
    dealer = dealer_of(t)
    _draw(t, dealer, False, kit)  # noqa: FBT003
    play_on(t, dealer, OWN_TURN, kit)


@compiled
def play_on(t: Any, seat: int, moment: int, kit: Any) -> None:
    """Play a round to its end from the choice of a seat.

    Parameters
    ----------
    t : TABLE
    seat : int
        Whose turn it is; who discarded, if the others are to answer.
    moment : {OWN_TURN, CALL_DISCARD, ANSWER}
    kit : KIT
    """
    called, offered = moment == CALL_DISCARD, moment == ANSWER
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
        _accept_riichi(t, seat, kit)
        if ending >= 0:
            _end(t, ending, kit)
            return
        if caller < 0:
            if t["tiles_left"] == 0:
                _exhaust(t, kit)
                return
            seat = (seat + 1) % 4
            _draw(t, seat, False, kit)  # noqa: FBT003
            called = False
        else:
            seat = caller
            _take(t, caller, call, kit)
            called = call & GROUP != DAIMINKAN
            if not called:
                _replace(t, caller, 1, kit)


@compiled
def _called_discard(t: Any, seat: int, kit: Any) -> int:
    """Return the discard of a seat that has called."""
    n = list_discards(t, seat, 0, ~int(t["forbidden"])) if _listed(t, seat, kit) else 0
    return _ask(t, seat, CALL_DISCARD, n, rate_discards(t, seat, kit["tables"]), kit)


@compiled
def _own_turn(t: Any, seat: int, kit: Any) -> int:
    """Let a seat act after its draw, and again after a kan; return its discard, -1 if the round ended."""
    while True:
        lowest = rate_discards(t, seat, kit["tables"]) if t["riichi"][seat] == 0 else FAR
        n = 0
        if _listed(t, seat, kit):
            n = list_own_turn(t, seat, lowest, kit)
        chosen = _ask(t, seat, OWN_TURN, n, lowest, kit)
        group = chosen & GROUP
        if chosen == TSUMO:
            _win(t, seat, seat, int(t["drawn"]), int(t["honba"]), kit)
            _settle(t)
            return -1
        if chosen == NINE_TERMINALS:
            _end(t, NINE, kit)
            return -1
        if chosen == RIICHI:
            t["riichi"][seat] = 2 if first_turn(t, seat) else 1
            _note(t, kit, RIICHI_EVENT, seat, NOBODY, 0, 0)
            n = list_discards(t, seat, 0, ready_kinds(t)) if _listed(t, seat, kit) else 0
            return _ask(t, seat, RIICHI_DISCARD, n, lowest, kit)
        if group == ANKAN:
            _close_kan(t, seat, chosen & MEMBER, kit)
            _replace(t, seat, 0, kit)
        elif group == KAKAN:
            _add_kan(t, seat, chosen, kit)
            if _answer(t, True, kit)[1] == RON:  # noqa: FBT003
                return -1
            t["robbing"] = 0
            _replace(t, seat, 1, kit)
        else:
            return chosen


@compiled
def _discard(t: Any, seat: int, chosen: int, kit: Any) -> None:
    """Put a tile into the river and offer it."""
    tile, drawn = chosen & MEMBER, int(chosen & GROUP == DRAWN)
    kind = kind_of(tile)
    _reveal_owed(t, kit)
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
    _note(t, kit, DISCARD_EVENT, seat, NOBODY, tile, drawn)


@compiled
def _accept_riichi(t: Any, seat: int, kit: Any) -> None:
    """Pay the stick of a riichi that has just been declared."""
    if t["riichi"][seat] and t["riichi_at"][seat] == t["river_len"][seat] - 1:
        t["scores"][seat] -= 1000
        t["deposits"] += 1
        _note(t, kit, ACCEPTED_EVENT, seat, NOBODY, 0, 0)


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
            kans += int(t["meld_type"][seat, place] >= DAIMINKAN_MELD)
        if kans == 4:
            return True
    return False


# ---- answers


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
        chosen = _ask(t, seat, ANSWER, n, FAR, kit)
        if chosen == RON:
            winners |= 1 << seat
        elif chosen != PASS and (caller < 0 or chosen & GROUP != CHI):
            caller, call = seat, chosen
    _follow_script(t, winners, caller)
    if winners:
        _ron(t, winners, kit)
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


@compiled
def _ron(t: Any, winners: int, kit: Any) -> None:
    """Let the winners be paid, from the discarder's right on; three of them abort the round."""
    source = int(t["source"])
    if winners | 1 << source == 15:
        _accept_riichi(t, source, kit)
        _end(t, TRIPLE_RON, kit)
        return
    honba = int(t["honba"])
    for step in range(1, 4):
        seat = (source + step) % 4
        if winners >> seat & 1:
            _win(t, seat, source, int(t["offered"]), honba, kit)
            honba = 0
    _settle(t)


@compiled
def _win(t: Any, seat: int, source: int, tile: int, honba: int, kit: Any) -> None:
    """Add a win to the ``deltas``, with the sticks on the table for the first winner."""
    ura = np.zeros(34, np.int8)
    if t["riichi"][seat]:
        for place in range(t["shown"]):
            indicator = kind_of(t["wall"][len(t["wall"]) - 6 - 2 * place])
            ura[DORA_OF_KIND[indicator]] += 1
    best = score_of(t, seat, tile, seat == source, ura, kit)
    paid = t["deltas"].copy()
    t["deltas"][:] = 0
    pay(t, seat, source, best, honba, kit)
    if t["winners"] == 0:
        t["deltas"][seat] += 1000 * t["deposits"]
        t["deposits"] = 0
    t["winners"] |= 1 << seat
    _note(t, kit, WIN_EVENT, seat, source, tile, int(t["riichi"][seat]))
    t["deltas"][:] += paid


@compiled
def _settle(t: Any) -> None:
    for seat in range(4):
        t["scores"][seat] += t["deltas"][seat]


# ---- melds


@compiled
def _lay(t: Any, seat: int, form: int, kind: int, reds: int) -> None:
    """Lay down a meld whose tiles have left the hand."""
    place = t["meld_len"][seat]
    t["meld_type"][seat, place] = form
    t["meld_kind"][seat, place] = kind
    t["meld_reds"][seat, place] = reds
    t["meld_len"][seat] = place + 1
    t["passed"][seat] = 0
    t["undisturbed"] = 0
    if form != ANKAN_MELD:
        t["open"][seat] = 1


@compiled
def _show(t: Any, seat: int, kind: int, count: int, red: int) -> None:
    """Move copies of a kind from a hand into a meld, the red five among them if asked."""
    for _ in range(count - red):
        take_tile(t, seat, kind)
    if red:
        take_tile(t, seat, 34 + kind // 9)
    t["public"][kind] += count


@compiled
def _break_ippatsu(t: Any) -> None:
    for seat in range(4):
        t["ippatsu"][seat] = 0


@compiled
def _take(t: Any, seat: int, call: int, kit: Any) -> None:
    """Call the tile offered."""
    source, tile = int(t["source"]), int(t["offered"])
    kind = kind_of(tile)
    reds = int(tile >= 34)
    group, member = call & GROUP, call & MEMBER
    t["river_flag"][source, t["river_len"][source] - 1] |= CALLED_AWAY
    t["turn"] = seat
    _note(t, kit, CALL_EVENT, seat, source, tile, call | int(t["reds"][seat, kind // 9 % 3]) << 12)
    if group == CHI:
        place, red = member // 2, member & 1
        low = kind - place
        for other in range(low, low + 3):
            if other != kind:
                _show(t, seat, other, 1, int(red and other % 9 == 4))
        _lay(t, seat, CHI_MELD, low, reds + red)
        t["forbidden"] = swapped(kind, place)
    elif group == PON:
        _show(t, seat, kind, 2, member)
        _lay(t, seat, PON_MELD, kind, reds + member)
        t["forbidden"] = 1 << kind
    else:
        red = red_of_kind(t, seat, kind)
        _show(t, seat, kind, 3, red)
        _lay(t, seat, DAIMINKAN_MELD, kind, reds + red)
    _break_ippatsu(t)
    if group != CHI and kind >= 27:
        _note_liability(t, seat, kind, source)


@compiled
def _note_liability(t: Any, seat: int, kind: int, source: int) -> None:
    """Note who feeds the last set of a big yakuman."""
    dragons = winds = 0
    for place in range(t["meld_len"][seat]):
        dragons += int(t["meld_kind"][seat, place] >= 31)
        winds += int(27 <= t["meld_kind"][seat, place] < 31)
    if kind >= 31 and dragons == 3:
        t["liable_dragons"][seat] = source
    if kind < 31 and winds == 4:
        t["liable_winds"][seat] = source


@compiled
def _close_kan(t: Any, seat: int, kind: int, kit: Any) -> None:
    red = red_of_kind(t, seat, kind)
    _show(t, seat, kind, 4, red)
    _lay(t, seat, ANKAN_MELD, kind, red)
    _note(t, kit, CALL_EVENT, seat, NOBODY, kind, ANKAN)
    _reveal_owed(t, kit)
    _reveal_next(t, kit)


@compiled
def _add_kan(t: Any, seat: int, chosen: int, kit: Any) -> None:
    """Add a tile to a pon, and offer it."""
    tile = chosen & MEMBER
    kind = kind_of(tile)
    red = 0
    for place in range(t["meld_len"][seat]):
        if t["meld_kind"][seat, place] == kind and t["meld_type"][seat, place] == PON_MELD:
            red = int(t["meld_reds"][seat, place])
            t["meld_type"][seat, place] = KAKAN_MELD
            t["meld_reds"][seat, place] += int(tile >= 34)
    take_tile(t, seat, tile)
    t["public"][kind] += 1
    t["passed"][seat] = 0
    t["undisturbed"] = 0
    t["drawn"] = -1
    t["offered"], t["source"], t["robbing"] = tile, seat, 1
    _note(t, kit, CALL_EVENT, seat, NOBODY, tile, KAKAN | red << 12)
    _reveal_owed(t, kit)


@compiled
def _replace(t: Any, seat: int, owed: int, kit: Any) -> None:
    """Let a seat draw the replacement tile for its kan, whose indicator is owed unless it was closed."""
    _break_ippatsu(t)
    _reveal_owed(t, kit)
    t["owed"] += owed
    t["kans"] += 1
    find_waits(t, seat, kit["tables"])
    _draw(t, seat, True, kit)  # noqa: FBT003


# ---- draws


@compiled
def _end(t: Any, ending: int, kit: Any) -> None:
    """End the round without a win; ``deltas`` hold what is paid."""
    t["ending"] = ending
    _settle(t)
    _note(t, kit, END_EVENT, NOBODY, NOBODY, 0, ending)


@compiled
def _exhaust(t: Any, kit: Any) -> None:
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
                paid = 2 * MANGAN_SHARE if dealer in (seat, other) else MANGAN_SHARE
                deltas[other] -= paid
                deltas[seat] += paid
    ready = 0
    for seat in range(4):
        ready += int(t["waits"][seat] != 0)
    if ending == EXHAUSTIVE and 0 < ready < 4:
        for seat in range(4):
            tenpai = t["waits"][seat] != 0
            deltas[seat] += NOTEN_POINTS // ready if tenpai else -(NOTEN_POINTS // (4 - ready))
    _end(t, ending, kit)


@compiled
def _is_nagashi(t: Any, seat: int) -> bool:
    """Return whether a seat has discarded only terminals and honors, and none was called."""
    for place in range(t["river_len"][seat]):
        if t["river_flag"][seat, place] & CALLED_AWAY:
            return False
    return bool(t["discarded"][seat] & ~OUTSIDE == 0)
