"""Melds laid down: calls of the tile offered, kans on one's own turn, and the tile that replaces a kan's."""

from typing import Any

from manue.compiled import compiled
from manue.features.scene import ANKAN_MELD, CALLED_AWAY, CHI_MELD, DAIMINKAN_MELD, KAKAN_MELD, PON_MELD
from manue.sim.codes import ANKAN, CALL_EVENT, CHI, GROUP, KAKAN, MEMBER, PON, REDS_AT
from manue.sim.deal import draw, reveal_next, reveal_owed
from manue.sim.events import NOBODY, note
from manue.sim.hands import find_waits, kind_of, red_of_kind, red_tile, take_tile
from manue.sim.legal import swapped


@compiled
def take_call(t: Any, seat: int, call: int, kit: Any) -> None:
    """Call the tile offered: ``call`` is the code of a chi, pon or open kan."""
    source, tile = int(t["source"]), int(t["offered"])
    kind = kind_of(tile)
    reds = int(tile >= 34)
    group, member = call & GROUP, call & MEMBER
    t["river_flag"][source, t["river_len"][source] - 1] |= CALLED_AWAY
    note(t, kit, CALL_EVENT, seat, source, tile, call | red_of_kind(t, seat, kind) << REDS_AT)
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
def close_kan(t: Any, seat: int, kind: int, kit: Any) -> None:
    """Declare a closed kan of a kind; its indicator is revealed at once."""
    red = red_of_kind(t, seat, kind)
    _show(t, seat, kind, 4, red)
    _lay(t, seat, ANKAN_MELD, kind, red)
    note(t, kit, CALL_EVENT, seat, NOBODY, kind, ANKAN)
    reveal_owed(t, kit)
    reveal_next(t, kit)


@compiled
def add_kan(t: Any, seat: int, chosen: int, kit: Any) -> None:
    """Add a tile to a pon, and offer it to those who could rob the kan: ``chosen`` is the code of the kan."""
    tile = chosen & MEMBER
    kind = kind_of(tile)
    red = 0
    for place in range(t["meld_len"][seat]):
        if t["meld_first"][seat, place] == kind and t["meld_kind"][seat, place] == PON_MELD:
            red = int(t["meld_reds"][seat, place])
            t["meld_kind"][seat, place] = KAKAN_MELD
            t["meld_reds"][seat, place] += int(tile >= 34)
    take_tile(t, seat, tile)
    t["public"][kind] += 1
    t["passed"][seat] = 0
    t["undisturbed"] = 0
    t["drawn"] = -1
    t["offered"], t["source"], t["robbing"] = tile, seat, 1
    note(t, kit, CALL_EVENT, seat, NOBODY, tile, KAKAN | red << REDS_AT)
    reveal_owed(t, kit)


@compiled
def draw_replacement(t: Any, seat: int, owed: int, kit: Any) -> None:
    """Let a seat draw the replacement tile for its kan, whose indicator is owed unless it was closed."""
    _break_ippatsu(t)
    reveal_owed(t, kit)
    t["owed"] += owed
    t["kans"] += 1
    find_waits(t, seat, kit["tables"])
    draw(t, seat, True, kit)  # noqa: FBT003


@compiled
def _lay(t: Any, seat: int, form: int, kind: int, reds: int) -> None:
    """Lay down a meld whose tiles have left the hand."""
    place = t["meld_len"][seat]
    t["meld_kind"][seat, place] = form
    t["meld_first"][seat, place] = kind
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
        take_tile(t, seat, red_tile(kind))
    t["public"][kind] += count


@compiled
def _break_ippatsu(t: Any) -> None:
    for seat in range(4):
        t["ippatsu"][seat] = 0


@compiled
def _note_liability(t: Any, seat: int, kind: int, source: int) -> None:
    """Note who feeds the last set of a big yakuman."""
    dragons = winds = 0
    for place in range(t["meld_len"][seat]):
        dragons += int(t["meld_first"][seat, place] >= 31)
        winds += int(27 <= t["meld_first"][seat, place] < 31)
    if kind >= 31 and dragons == 3:
        t["liable_dragons"][seat] = source
    if kind < 31 and winds == 4:
        t["liable_winds"][seat] = source
