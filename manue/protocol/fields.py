"""The types of values on the wire: tiles, seats, points and lists of fixed length."""

from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field, GetCoreSchemaHandler
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, core_schema

from manue.game.position import MAX_POINTS, MAX_STICKS
from manue.tiles import TILES, WINDS

HIDDEN = "?"


class OneOf:
    """An annotation: a string has to be one of a fixed set. The compiled validator checks it."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.literal_schema(self.names)


def _only_one(value: Any) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _whole_points(points: Any) -> Any:
    """Return `None` for an empty list; of four points those that are whole, such as 25000.0, as integers."""
    if points == []:
        return None
    if not isinstance(points, list) or len(points) != 4:
        return points
    return [int(one) if isinstance(one, float) and one.is_integer() else one for one in points]


def _shown_or_none(hands: Any) -> Any:
    """Return four hands of known or hidden tiles, or `None` for anything else, which says nothing."""
    four = isinstance(hands, list) and len(hands) == 4
    return hands if four and all(_is_shown(hand) for hand in hands) else None


def _hidden_if_null(tile: Any) -> Any:
    return HIDDEN if tile is None else tile


def _hidden_if_left_out(hands: Any) -> Any:
    """Return four hands of which one is there, with hidden tiles for the others; anything else as it is."""
    if not isinstance(hands, list) or len(hands) != 4 or sum(map(bool, hands)) != 1:
        return hands
    return [hand or [HIDDEN] * 13 for hand in hands]


def _is_shown(hand: Any) -> bool:
    return isinstance(hand, list) and len(hand) <= 14 and all(tile in (*TILES, HIDDEN) for tile in hand)


def length(most: int, least: int = 0) -> FieldInfo:
    """Return bounds for the length of a list.

    The check of a list ends at its first bad element, or a million bad ones would be a million errors.
    """
    bounds: FieldInfo = Field(min_length=least, max_length=most, fail_fast=True)
    return bounds


TileName: TypeAlias = Annotated[str, OneOf(TILES)]
SeenTile: TypeAlias = Annotated[str, OneOf((*TILES, HIDDEN))]
DrawnTile: TypeAlias = Annotated[SeenTile, BeforeValidator(_hidden_if_null)]
Indicator: TypeAlias = Annotated[TileName, BeforeValidator(_only_one)]
SeatNumber: TypeAlias = Annotated[int, Field(ge=0, le=3)]
Points: TypeAlias = Annotated[int, Field(ge=-MAX_POINTS, le=MAX_POINTS)]
FourPoints: TypeAlias = Annotated[
    Annotated[list[Points], length(4, 4)] | None, BeforeValidator(_whole_points)
]
"""Points by seat where a host gives them; some write an empty list where they do not, some 25000.0."""
Two: TypeAlias = Annotated[list[TileName], length(2, 2)]
Three: TypeAlias = Annotated[list[TileName], length(3, 3)]
Four: TypeAlias = Annotated[list[TileName], length(4, 4)]
Hand: TypeAlias = Annotated[list[SeenTile], length(13, 13)]
DealtHands: TypeAlias = Annotated[list[Hand], length(4, 4), BeforeValidator(_hidden_if_left_out)]
"""Hands by seat; hosts may leave out, as empty or null, the three that a seat does not see."""
ShownHands: TypeAlias = Annotated[list[list[str]] | None, BeforeValidator(_shown_or_none)]
"""Hands by seat at the end of a round, hidden where they are not shown; nothing depends on them."""
Sticks: TypeAlias = Annotated[int, Field(ge=0, le=MAX_STICKS)]
SmallCount: TypeAlias = Annotated[int, Field(ge=0, le=1_000)]
RequestId: TypeAlias = Annotated[int, Field(ge=-(1 << 62), le=1 << 62)]
Milliseconds: TypeAlias = Annotated[float, Field(ge=0, le=1e9, strict=False)]
Wind: TypeAlias = Annotated[str, OneOf(WINDS)]
TileNames: TypeAlias = Annotated[list[TileName], length(40)]
Indicators: TypeAlias = Annotated[list[TileName], length(10)]
UraIndicators: TypeAlias = Annotated[Indicators | None, BeforeValidator(_as_list)]
