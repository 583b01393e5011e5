"""The kans of a position described by hand: whether there can be such, and when they were declared."""

from collections.abc import Sequence

from manue.as_text import counted
from manue.errors import PositionError
from manue.game.checks import MAX_KANS
from manue.game.position_text import WrittenMeld
from manue.game.position_turns import Table, Turn
from manue.tiles import KIND_OF, Seat, Tile

_WHY_NO_TURN = ": melds are given in the order in which they were made, and no kan follows chi or pon at once"


def check_kans(table: Table, hand: Sequence[Tile], indicators: Sequence[Tile]) -> None:
    """Demand kans that have all four tiles of their kinds to themselves, and no more indicators than may be.

    Parameters
    ----------
    table : Table
    hand : sequence of str
        The concealed tiles, with the drawn one.
    indicators : sequence of str

    Raises
    ------
    PositionError
        If there cannot be such kans.
    """
    melds = [(table.name(seat), meld) for seat in range(4) for meld in table.melds.get(seat, ())]
    kans = [(wind, meld) for wind, meld in melds if meld.is_kan]
    if len(kans) > MAX_KANS:
        raise PositionError(f"{len(kans)} kans; a round has at most {MAX_KANS}")
    if len(indicators) > 1 + len(kans):
        found = counted(len(indicators), "dora indicator")
        raise PositionError(f"{found} with {counted(len(kans), 'kan')}: one, and one more for each kan")
    for wind, kan in kans:
        places = [
            (f"the hand of {table.name(table.own)}", hand),
            ("the dora indicators", indicators),
            *_in_rivers(table),
            *((f"{meld.text!r} of {other}", meld.tiles) for other, meld in melds if meld is not kan),
        ]
        for place, tiles in places:
            if any(KIND_OF[tile] == kan.first_kind for tile in tiles):
                raise PositionError(f"{kan.text!r} of {wind} has all four of its kind, but {place} has one")


def _in_rivers(table: Table) -> list[tuple[str, Sequence[Tile]]]:
    """Return what lies in each river; the called tiles are in the melds."""
    return [
        (f"the river of {table.name(seat)}", [one.tile for one in river if one.called_by is None])
        for seat, river in table.rivers.items()
    ]


def declare_kans(table: Table, turns: Sequence[Turn]) -> None:
    """Put the closed and added kans into turns of their seats.

    Nothing says when they were declared. They disturb least, for instance no ippatsu, before the last
    discard of the seat that comes before all riichi, or else before its first; and only if it has none on the
    turn of the decision. The fourth kan of several seats ends the round with the next discard, so that it
    must have been declared on the last turn.

    Raises
    ------
    PositionError
        If a seat had no turn for a kan.
    """
    owners = [seat for seat in range(4) for meld in table.melds.get(seat, ()) if meld.is_kan]
    ending = len(owners) == MAX_KANS and len(set(owners)) > 1
    for seat in range(4):
        latest = ending and turns[-1].seat == seat
        calls = 0
        for meld in table.melds.get(seat, ()):
            calls += meld.taken is not None
            if (kan := meld.declared()) is not None:
                possible = _possible_turns(turns, seat, calls, meld)
                if not possible:
                    raise PositionError(f"{table.name(seat)} had no turn for {meld.text!r}{_WHY_NO_TURN}")
                (possible[-1] if latest else _likely(turns, possible)).kans.append(kan)


def _possible_turns(turns: Sequence[Turn], seat: Seat, calls: int, kan: WrittenMeld) -> list[Turn]:
    """Return the turns of a seat on which it could declare a kan that comes after so many of its calls."""
    possible = []
    made = 0
    for turn in turns:
        if turn.seat != seat:
            continue
        made += turn.call is not None
        in_order = made == calls if kan.kind == "ankan" else made >= calls
        if in_order and turn.draws:
            possible.append(turn)
    return possible


def _likely(turns: Sequence[Turn], possible: Sequence[Turn]) -> Turn:
    before_riichi = []
    for turn in turns:
        if turn.discard is not None and any(turn is one for one in possible):
            before_riichi.append(turn)
        if turn.discard is not None and turn.discard.riichi:
            break
    return before_riichi[-1] if before_riichi else possible[0]
