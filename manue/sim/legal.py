"""What a seat may choose, as compiled code; the same sets as `manue.game.legal`.

Each function fills ``options`` of the table with codes and returns their number.
"""

from typing import Any

from manue.arrays import U8
from manue.compiled import compiled, inlined
from manue.features.scene import PON_MELD
from manue.game.checks import MAX_KANS
from manue.hand.shape import OUTSIDE_MASK
from manue.sim.codes import (
    ALL_KINDS,
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DISCARD_DRAWN,
    KAKAN,
    NINE_TERMINALS,
    PASS,
    PON,
    RIICHI,
    RON,
    TSUMO,
)
from manue.sim.hands import (
    POWER,
    first_turn,
    is_furiten,
    kind_of,
    red_of_kind,
    red_tile,
    tile_given_up,
    useful_mask,
)
from manue.sim.scoring import POINTS_FOR_RIICHI, TILES_FOR_RIICHI, score_of


@compiled
def may_tsumo(t: Any, seat: int, kit: Any) -> bool:
    """Return whether the tile just drawn completes a hand with a yaku."""
    drawn = int(t["drawn"])
    if t["waits"][seat] >> kind_of(drawn) & 1 == 0:
        return False
    best = score_of(t, seat, drawn, True, kit["no_ura"], kit)  # noqa: FBT003
    return best.han > 0 or best.yakuman > 0


@compiled
def may_ron(t: Any, seat: int, kit: Any) -> bool:
    """Return whether a seat may win on the tile offered."""
    tile = int(t["offered"])
    if t["waits"][seat] >> kind_of(tile) & 1 == 0 or is_furiten(t, seat):
        return False
    best = score_of(t, seat, tile, False, kit["no_ura"], kit)  # noqa: FBT003
    return best.han > 0 or best.yakuman > 0


@inlined
def may_riichi(t: Any, seat: int, lowest: int, kit: Any) -> bool:
    """Return whether riichi may be declared, given the lowest shanten that a discard leaves."""
    return bool(
        lowest <= 0
        and t["open"][seat] == 0
        and t["riichi"][seat] == 0
        and t["tiles_left"] >= kit["switches"][TILES_FOR_RIICHI]
        and t["scores"][seat] >= kit["switches"][POINTS_FOR_RIICHI]
    )


@inlined
def may_abort(t: Any, seat: int) -> bool:
    """Return whether a seat may declare nine terminals."""
    if not first_turn(t, seat):
        return False
    kinds = 0
    for kind in range(34):
        kinds += int(t["hand"][seat, kind] > 0 and OUTSIDE_MASK >> kind & 1)
    return kinds >= 9


@compiled
def closed_kans(t: Any, seat: int, tables: U8) -> int:
    """Return the mask of the kinds of which a seat may make a closed kan."""
    if t["tiles_left"] == 0 or t["kans"] >= MAX_KANS:
        return 0
    hand = t["hand"]
    if t["riichi"][seat] == 0:
        mask = 0
        for kind in range(34):
            mask |= int(hand[seat, kind] == 4) << kind
        return mask
    kind = kind_of(t["drawn"])
    if hand[seat, kind] < 4 or t["waits"][seat] >> kind & 1:
        return 0
    # in riichi the waits must remain the same
    hand[seat, kind] = 0
    t["code"][seat, kind // 9] -= 4 * POWER[kind]
    t["meld_len"][seat] += 1
    same = useful_mask(t, seat, 0, tables) == t["waits"][seat]
    t["meld_len"][seat] -= 1
    t["code"][seat, kind // 9] += 4 * POWER[kind]
    hand[seat, kind] = 4
    return 1 << kind if same else 0


@compiled
def added_kans(t: Any, seat: int) -> int:
    """Return the mask of the kinds that a seat may add to a pon."""
    if t["tiles_left"] == 0 or t["kans"] >= MAX_KANS:
        return 0
    mask = 0
    for place in range(t["meld_len"][seat]):
        kind = int(t["meld_first"][seat, place])
        if t["meld_kind"][seat, place] == PON_MELD and t["hand"][seat, kind] > 0:
            mask |= 1 << kind
    return mask


@inlined
def _put(t: Any, n: int, code: int) -> int:
    t["options"][n] = code
    return n + 1


@compiled
def list_own_turn(t: Any, seat: int, lowest: int, kit: Any) -> int:
    """List what a seat may do after its draw, given the lowest shanten that a discard leaves."""
    n = 0
    drawn = int(t["drawn"])
    if may_tsumo(t, seat, kit):
        n = _put(t, n, TSUMO)
    kans = closed_kans(t, seat, kit["tables"])
    for kind in range(34):
        if kans >> kind & 1:
            n = _put(t, n, ANKAN + kind)
    if t["riichi"][seat]:
        return _put(t, n, DISCARD_DRAWN + drawn)
    if may_riichi(t, seat, lowest, kit):
        n = _put(t, n, RIICHI)
    added = added_kans(t, seat)
    for kind in range(34):
        if added >> kind & 1:
            n = _put(t, n, KAKAN + tile_given_up(t, seat, kind))
    if may_abort(t, seat):
        n = _put(t, n, NINE_TERMINALS)
    return list_discards(t, seat, n, ALL_KINDS)


@compiled
def list_discards(t: Any, seat: int, n: int, kinds: int) -> int:
    """Add the discards of some kinds: each tile of the hand once, and the drawn one apart."""
    drawn = int(t["drawn"])
    for kind in range(34):
        held = int(t["hand"][seat, kind])
        if held == 0 or kinds >> kind & 1 == 0:
            continue
        red = red_of_kind(t, seat, kind)
        if held - red - int(drawn == kind) > 0:
            n = _put(t, n, DISCARD + kind)
        if red and drawn != red_tile(kind):
            n = _put(t, n, DISCARD + red_tile(kind))
    if drawn >= 0 and kinds >> kind_of(drawn) & 1:
        n = _put(t, n, DISCARD_DRAWN + drawn)
    return n


@compiled
def ready_kinds(t: Any) -> int:
    """Return the mask of the discards that leave tenpai, by ``after``."""
    mask = 0
    for kind in range(34):
        mask |= int(t["after"][kind] == 0) << kind
    return mask


@compiled
def could_answer(t: Any, seat: int) -> bool:
    """Return quickly whether a seat could win on or call the tile offered; without doing more it may not."""
    kind = kind_of(t["offered"])
    if t["waits"][seat] >> kind & 1:
        return True
    if t["riichi"][seat] or t["robbing"] or t["tiles_left"] == 0:
        return False
    hand = t["hand"]
    if hand[seat, kind] >= 2:
        return True
    if kind >= 27 or (t["source"] + 1) % 4 != seat:
        return False
    number = kind % 9
    below = number >= 1 and hand[seat, kind - 1] > 0
    above = number <= 7 and hand[seat, kind + 1] > 0
    return bool(
        (below and above)
        or (below and number >= 2 and hand[seat, kind - 2] > 0)
        or (above and number <= 6 and hand[seat, kind + 2] > 0)
    )


@compiled
def list_answers(t: Any, seat: int, calls: bool, kit: Any) -> int:  # noqa: FBT001
    """List the answers to the tile offered; if there are any, the last is `PASS`.

    Parameters
    ----------
    calls : bool
        Whether the tile may be called at all; it may not if the round is going to be aborted.
    """
    n = 0
    if may_ron(t, seat, kit):
        n = _put(t, n, RON)
    if calls and t["tiles_left"] > 0 and t["riichi"][seat] == 0 and t["robbing"] == 0:
        n = _list_same(t, seat, n)
        if (t["source"] + 1) % 4 == seat:
            n = _list_runs(t, seat, n)
    return _put(t, n, PASS) if n else 0


@inlined
def _list_same(t: Any, seat: int, n: int) -> int:
    kind = kind_of(t["offered"])
    held = int(t["hand"][seat, kind])
    if held < 2:
        return n
    if held == 3 and t["kans"] < MAX_KANS:
        n = _put(t, n, DAIMINKAN)
    if not _discard_remains(t, seat, 1 << kind, kind, kind):
        return n
    red = red_of_kind(t, seat, kind)
    if held - red >= 2:
        n = _put(t, n, PON)
    if red:
        n = _put(t, n, PON + 1)
    return n


@inlined
def _list_runs(t: Any, seat: int, n: int) -> int:
    kind = kind_of(t["offered"])
    hand = t["hand"]
    if kind >= 27:
        return n
    for place in range(3):
        low = kind - place
        if low < 0 or low % 9 > 6 or low // 9 != kind // 9:
            continue
        first = low if place != 0 else low + 1
        second = low + 2 if place != 2 else low + 1
        if hand[seat, first] == 0 or hand[seat, second] == 0:
            continue
        if not _discard_remains(t, seat, swapped(kind, place), first, second):
            continue
        five = first if first % 9 == 4 else second
        red = red_of_kind(t, seat, five)
        if hand[seat, five] - red > 0:
            n = _put(t, n, CHI + 2 * place)
        if red:
            n = _put(t, n, CHI + 2 * place + 1)
    return n


@inlined
def swapped(kind: int, place: int) -> int:
    """Return the mask of the kinds forbidden as a discard after a chi: swap calling."""
    mask = 1 << kind
    if place == 0 and kind % 9 <= 5:
        mask |= 1 << (kind + 3)
    if place == 2 and kind % 9 >= 3:
        mask |= 1 << (kind - 3)
    return mask


@inlined
def _discard_remains(t: Any, seat: int, forbidden: int, first: int, second: int) -> bool:
    """Return whether a tile that may be discarded is left when two tiles have been laid down."""
    for kind in range(34):
        held = int(t["hand"][seat, kind]) - int(kind == first) - int(kind == second)
        if held > 0 and forbidden >> kind & 1 == 0:
            return True
    return False
