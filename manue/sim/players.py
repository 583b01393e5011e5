"""Players that are kernels: from a table, a seat and the occasion to a choice.

`RANDOM` chooses evenly among the legal choices. `EAGER` wins, declares and calls nearly whenever it may, and
discards like `GREEDY`. Games of these two contain the rare events that the checks against other
implementations of the rules need. `SCRIPTED` takes what a script says. `TSUMOGIRI` and `GREEDY` choose as the
agents of these names do, `POLICY` by a net. `PLANNED` begins with the choices of a script, a call or riichi
with its discard, and goes on as `POLICY`.
"""

from typing import Any

import numpy as np

from manue.arrays import I64, U8
from manue.compiled import compiled, inlined
from manue.hand.shanten import UNAVAILABLE
from manue.sim.codes import DISCARD, DISCARD_DRAWN, GROUP, PASS, PON, RIICHI, RON, TSUMO
from manue.sim.hands import rate_discards, rate_useful, red_of_kind, red_tile
from manue.sim.legal import list_discards, may_riichi, may_tsumo, ready_kinds
from manue.sim.occasions import ANSWER, CALL_DISCARD, OWN_TURN, RIICHI_DISCARD
from manue.sim.policy import policy_choice
from manue.sim.randomness import random_below
from manue.tiles import EDGE_DISTANCE

RANDOM, EAGER, SCRIPTED, TSUMOGIRI, GREEDY, POLICY, PLANNED = range(7)
_EDGE: I64 = np.array(EDGE_DISTANCE, np.int64)
_WORST = 1 << 40


@inlined
def wants_list(t: Any, seat: int) -> bool:
    """Return whether a player chooses from a list of what is legal, or is held to it."""
    return bool(t["player"][seat] <= SCRIPTED)


@compiled
def choose(t: Any, seat: int, occasion: int, n: int, lowest: int, kit: Any) -> int:
    """Return the choice of a seat.

    Parameters
    ----------
    t : TABLE
        With the ``options`` if ``n`` is not 0, and ``after`` on one's own turn outside riichi.
    seat, occasion : int
    n : int
        Number of options listed; answers are always listed.
    lowest : int
        The lowest shanten that a discard leaves, on one's own turn outside riichi.
    """
    player = t["player"][seat]
    if player == SCRIPTED:
        return _scripted(t, seat, occasion, n, kit)
    if player == RANDOM:
        return int(np.int64(t["options"][random_below(t, n)]))
    if player == EAGER and random_below(t, 8):
        declared = _declared(t, n)
        if declared != PASS:
            return declared
    if player == TSUMOGIRI:
        return _tsumogiri(t, seat, occasion)
    if player == PLANNED:
        planned = _planned(t, occasion, kit)
        if planned >= 0:
            return planned
    if player in (POLICY, PLANNED):
        return policy_choice(t, seat, occasion, n, lowest, kit)
    return _greedy(t, seat, occasion, n, lowest, kit)


@compiled
def _declared(t: Any, n: int) -> int:
    """Return any of the options that are neither discards nor `PASS`; `PASS` if there are none."""
    found, chosen = 0, PASS
    for place in range(n):
        code = int(np.int64(t["options"][place]))
        if code & GROUP not in (DISCARD, DISCARD_DRAWN) and code != PASS:
            found += 1
            if random_below(t, found) == 0:
                chosen = code
    return chosen


@compiled
def _scripted(t: Any, seat: int, occasion: int, n: int, kit: Any) -> int:
    """Return the next choice of the script, `PASS` for an answer that it does not have.

    If that is not legal, ``fault`` is set and the last option, a pass or a discard, is taken.
    """
    script, length = kit["script"], int(kit["script_len"])
    at = int(t["script_at"])
    if occasion != ANSWER:
        t["script_at"] = at + 1
        return _legal(t, int(np.int64(script[at, 1])) if at < length and script[at, 0] == seat else PASS, n)
    # several seats may win on one tile; they answer in the order of the seats, the script has any
    while at < length and (script[at, 1] == RON or script[at, 1] >= PON):
        if script[at, 0] == seat:
            return _legal(t, int(np.int64(script[at, 1])), n)
        at += 1
        if script[at - 1, 1] != RON:
            break
    return PASS


@inlined
def _legal(t: Any, code: int, n: int) -> int:
    """Return a choice if it is among the options; else note the fault and return the last of them."""
    for place in range(n):
        if t["options"][place] == code:
            return code
    t["fault"] = 1
    return int(np.int64(t["options"][n - 1]))


@inlined
def _planned(t: Any, occasion: int, kit: Any) -> int:
    """Return the next choice of a plan; -1 once it is over, or if another seat took the tile to be called."""
    at, length = int(t["script_at"]), int(kit["script_len"])
    if at >= length:
        return -1
    if at > 0 and occasion not in (RIICHI_DISCARD, CALL_DISCARD):
        t["script_at"] = length
        return -1
    t["script_at"] = at + 1
    return int(np.int64(kit["script"][at, 1]))


@compiled
def _tsumogiri(t: Any, seat: int, occasion: int) -> int:
    if occasion == ANSWER:
        return PASS
    if t["drawn"] >= 0:
        return DISCARD_DRAWN + int(t["drawn"])
    n = list_discards(t, seat, 0, ~int(t["forbidden"]))
    return int(np.int64(t["options"][n - 1]))


@compiled
def decide(t: Any, seat: int, occasion: int, n: int, kit: Any) -> int:
    """Return the choice of a seat at a table that is in place for it alone; see `choose`."""
    lowest = UNAVAILABLE
    if occasion != ANSWER and (occasion != OWN_TURN or t["riichi"][seat] == 0):
        lowest = rate_discards(t, seat, kit["tables"])
    return choose(t, seat, occasion, n, lowest, kit)


# ---- the greedy player


@compiled
def _greedy(t: Any, seat: int, occasion: int, n: int, lowest: int, kit: Any) -> int:
    if occasion == ANSWER:
        return RON if n and t["options"][0] == RON else PASS
    if occasion == OWN_TURN:
        if may_tsumo(t, seat, kit):
            return TSUMO
        if t["riichi"][seat]:
            return DISCARD_DRAWN + int(t["drawn"])
        if may_riichi(t, seat, lowest, kit):
            return RIICHI
    return _widest(
        t, seat, ready_kinds(t) if occasion == RIICHI_DISCARD else ~int(t["forbidden"]), kit["tables"]
    )


@compiled
def _widest(t: Any, seat: int, kinds: int, tables: U8) -> int:
    """Return the discard that leaves the lowest shanten and most useful tiles, from the honors inwards."""
    after = t["after"]
    lowest = UNAVAILABLE
    for kind in range(34):
        if kinds >> kind & 1:
            lowest = min(lowest, int(after[kind]))
    rate_useful(t, seat, lowest, tables)
    drawn = int(t["drawn"])
    best, least = -1, _WORST
    for kind in range(34):
        if kinds >> kind & 1 == 0 or after[kind] > lowest:
            continue
        useful = int(t["useful_tiles"][kind])
        held, red = int(t["hand"][seat, kind]), red_of_kind(t, seat, kind)
        for is_red in range(2):
            copies = red if is_red else held - red
            tile = red_tile(kind) if is_red else kind
            if copies == 0:
                continue
            from_draw = int(drawn == tile)
            cost = (-useful * 8 + int(_EDGE[kind])) * 4 + 2 * is_red + 1 - from_draw
            if cost < least:
                best, least = (DISCARD_DRAWN if from_draw else DISCARD) + tile, cost
    return best
