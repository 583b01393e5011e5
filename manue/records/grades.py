"""Grades of players at Tenhou: the dan, a number in its XML and a name in its JSON, and the rate."""

from manue.protocol.codec import Fields

DAN_NAMES = (
    "新人",
    *(f"{number}級" for number in range(9, 0, -1)),
    *(f"{number}段" for number in "初二三四五六七八九十"),
    "天鳳位",
)
"""By number."""
_MOST = 100_000


def dans_of(event: Fields) -> list[int] | None:
    """Return the number of each dan, recorded as a number or by its name; ``None`` if one is neither."""
    found = event.get("dan")
    if not isinstance(found, list) or len(found) != 4:
        return None
    numbers = [DAN_NAMES.index(one) if one in DAN_NAMES else one for one in found]
    return [int(one) for one in numbers] if all(map(_is_number, numbers)) else None


def rates_of(event: Fields) -> list[float] | None:
    """Return each player's rate; ``None`` if it is not recorded of all four."""
    found = event.get("rate")
    recorded = isinstance(found, list) and len(found) == 4 and all(map(_is_number, found))
    return found if recorded else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value < _MOST
