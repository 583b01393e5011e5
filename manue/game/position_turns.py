"""The turns of a position described by hand, in the order in which they were played."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from manue.errors import PositionError
from manue.game.actions import Call
from manue.game.position_text import WrittenMeld, WrittenTile
from manue.tiles import WINDS, Seat, Tile, seat_wind


@dataclass(slots=True)
class Turn:
    """What a seat does between the discard of another and its own.

    Attributes
    ----------
    seat : int
    call : Call or None
        With what it came to turn instead of a draw.
    discard : WrittenTile or None
        ``None`` on the turn in which the decision is made.
    kans : list of Call
        The closed and added kans that it declares, each after a draw.
    """

    seat: Seat
    call: Call | None
    discard: WrittenTile | None
    kans: list[Call] = field(default_factory=list)

    @property
    def draws(self) -> bool:
        """Whether the seat draws a tile before its discard, as it does not after chi and pon."""
        return self.call is None or self.call.is_kan


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """Rivers and melds by absolute seat; ``own`` decides, and has drawn a tile or not."""

    dealer: Seat
    own: Seat
    drawn: bool
    rivers: Mapping[Seat, Sequence[WrittenTile]]
    melds: Mapping[Seat, Sequence[WrittenMeld]]

    def name(self, seat: Seat) -> str:
        """Return the wind of a seat, by which errors name it."""
        return seat_wind(seat, self.dealer)


def turns_of(table: WrittenTable) -> list[Turn]:
    """Put the discards of the four rivers in the order in which they fell; the kans are not among them yet.

    The last turn is that of the decision, if a tile was drawn.

    Raises
    ------
    PositionError
        If rivers and melds do not fit together.
    """
    left = {seat: iter(table.rivers.get(seat, ())) for seat in range(4)}
    called = {
        seat: iter([meld for meld in table.melds.get(seat, ()) if meld.taken is not None])
        for seat in range(4)
    }
    turns: list[Turn] = []
    seat, call = table.dealer, None
    while (item := next(left[seat], None)) is not None:
        turns.append(Turn(seat, call, item))
        if item.called_by is None:
            seat, call = (seat + 1) % 4, None
        else:
            caller = (table.dealer + WINDS.index(item.called_by)) % 4
            seat, call = caller, _call(next(called[caller], None), seat, item.tile)
    last = Turn(seat, call, None)
    _check_all_used(table, last, left, called)
    if table.drawn:
        turns.append(last)
    elif not turns or turns[-1].seat == table.own:
        raise PositionError("nothing was drawn, and the last discard is not another seat's")
    return turns


def _call(meld: WrittenMeld | None, source: Seat, tile: Tile) -> Call:
    if meld is None or meld.taken != tile:
        text = None if meld is None else meld.text
        raise PositionError(f"{tile} was called, but the next meld of the caller is {text!r}")
    return meld.taking(source)


def _check_all_used(
    table: WrittenTable,
    last: Turn,
    left: Mapping[Seat, Iterator[WrittenTile]],
    called: Mapping[Seat, Iterator[WrittenMeld]],
) -> None:
    """Demand that rivers and melds are used up when the decision is made."""
    if last.call is not None and not (table.drawn and last.draws):
        raise PositionError(f"{table.name(last.seat)} does not discard after its call")
    for seat in range(4):
        if next(left[seat], None) is not None:
            raise PositionError(
                f"the river of {table.name(last.seat)} ends before that of {table.name(seat)}"
            )
        if (meld := next(called[seat], None)) is not None:
            raise PositionError(f"no discard is marked as called for {meld.text!r} of {table.name(seat)}")
    if table.drawn and last.seat != table.own:
        raise PositionError(f"{table.name(table.own)} draws a tile on the turn of {table.name(last.seat)}")


def own_draws(hand: Sequence[Tile], turns: Sequence[Turn]) -> tuple[list[Tile], list[Tile]]:
    """Return the tiles dealt to the own seat and what it draws, so that this hand is left.

    Parameters
    ----------
    hand : sequence of str
        The concealed tiles, without the one drawn for the decision.
    turns : sequence of Turn
        Those of the own seat.

    Returns
    -------
    dealt, draws : list of str
        Draws that the position does not name are tiles of the hand, in its order, and when these are used
        up such as are discarded later. The fourth tile of a closed or added kan was drawn before it.
    """
    unnamed = sum(_draws_unnamed(turn) for turn in turns)
    held = [*reversed(hand[:unnamed]), *hand[unnamed:]]  # the turns are undone, the last one first
    draws: list[Tile] = []
    for turn in reversed(turns):
        if turn.discard is not None:
            if turn.discard.from_draw:
                draws.append(turn.discard.tile)
            else:
                if turn.draws:
                    draws.append(held.pop(0))
                held.append(turn.discard.tile)
        for kan in reversed(turn.kans):
            fourth = _fourth_tile(kan)
            draws.append(fourth)
            held += kan.consumed[:3] if kan.kind == "ankan" else ()
        held += () if turn.call is None else turn.call.consumed
    return held, draws[::-1]


def _draws_unnamed(turn: Turn) -> bool:
    return turn.draws and turn.discard is not None and not turn.discard.from_draw


def _fourth_tile(kan: Call) -> Tile:
    """Return the tile with which a closed or added kan was complete."""
    return kan.consumed[3] if kan.tile is None else kan.tile
