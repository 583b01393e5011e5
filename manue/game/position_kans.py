"""The kans of a position described by hand: whether there can be such, and when they were declared."""

from collections.abc import Sequence

from manue.as_text import counted
from manue.errors import PositionError
from manue.game.checks import MAX_KANS
from manue.game.position_text import WrittenMeld
from manue.game.position_turns import Turn, WrittenTable
from manue.tiles import KIND_OF, RED_OF, Kind, Seat, Tile

_WHY_NO_TURN = ": melds are given in the order in which they were made, and no kan follows chi or pon at once"


def check_kans(table: WrittenTable, hand: Sequence[Tile], indicators: Sequence[Tile]) -> None:
    """Demand kans that have all four tiles of their kinds to themselves, and no more indicators than may be.

    Parameters
    ----------
    table : WrittenTable
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
            (f"in the hand of {table.name(table.own)}", hand),
            ("among the dora indicators", indicators),
            *_in_rivers(table),
            *((f"in {meld.text!r} of {other}", meld.tiles) for other, meld in melds if meld is not kan),
        ]
        place = next((place for place, tiles in places if _has_kind(tiles, kan.first_kind)), None)
        if place is not None:
            raise PositionError(f"{kan.text!r} of {wind} has all four of its kind, but one is {place}")


def check_red_fives(table: WrittenTable) -> None:
    """Demand that each kan of fives has the red one; raises PositionError."""
    for seat, melds in table.melds.items():
        for meld in melds:
            red = RED_OF.get(meld.first_kind)
            if meld.is_kan and red is not None and red not in meld.tiles:
                raise PositionError(
                    f"{meld.text!r} of {table.name(seat)} is without the red five: one is {red}"
                )


def _has_kind(tiles: Sequence[Tile], kind: Kind) -> bool:
    return any(KIND_OF[tile] == kind for tile in tiles)


def _in_rivers(table: WrittenTable) -> list[tuple[str, Sequence[Tile]]]:
    """Return what lies in each river; the called tiles are in the melds."""
    return [
        (f"in the river of {table.name(seat)}", [one.tile for one in river if one.called_by is None])
        for seat, river in table.rivers.items()
    ]


def declare_kans(table: WrittenTable, turns: Sequence[Turn]) -> None:
    """Put the closed and added kans into turns of their seats.

    Nothing says when they were declared. They disturb least before all riichi (which would lose ippatsu) and
    before the last discard of the seat that decides (which would be furiten for having let an added tile
    pass); there on the last turn with a discard from the hand, after which nothing is known of what the seat
    cannot win on, or else on the last. Where the kan can only come later, it is declared as soon as possible.
    The fourth kan of several seats ends the round with the next discard, so that it comes on the last turn.

    Raises
    ------
    PositionError
        If a seat had no turn for a kan.
    """
    owners = [seat for seat in range(4) for meld in table.melds.get(seat, ()) if meld.is_kan]
    early = _turns_that_disturb_nothing(turns, table.own)
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
                (possible[-1] if latest else _likely(early, possible)).kans.append(kan)


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


def _turns_that_disturb_nothing(turns: Sequence[Turn], own: Seat) -> Sequence[Turn]:
    """Return the turns up to the first riichi and up to the last discard of the seat that decides."""
    riichi = [at for at, turn in enumerate(turns) if turn.discard is not None and turn.discard.riichi]
    discards = [at for at, turn in enumerate(turns) if turn.discard is not None and turn.seat == own]
    return turns[: 1 + min([len(turns), *riichi[:1], *discards[-1:]])]


def _likely(early: Sequence[Turn], possible: Sequence[Turn]) -> Turn:
    good = [turn for turn in early if turn.discard is not None and any(turn is one for one in possible)]
    from_hand = [turn for turn in good if turn.discard is not None and not turn.discard.from_draw]
    return (from_hand or good or possible[:1])[-1]
