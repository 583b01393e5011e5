"""Charts written as SVG: where in the picture a value lies."""

from collections.abc import Iterable
from typing import NamedTuple


class Area(NamedTuple):
    """The part of a picture in which curves are drawn, and the values at its edges.

    Parameters
    ----------
    left, right, top, bottom : float
        Its edges in the picture.
    first, last : float
        The values at the left and at the right edge; they differ.
    low, high : float
        Those at the bottom and at the top; they differ, and either may be the higher.
    """

    left: float
    right: float
    top: float
    bottom: float
    first: float
    last: float
    low: float
    high: float

    def x(self, value: float) -> float:
        """Return how far to the right a value lies."""
        return self.left + (self.right - self.left) * (value - self.first) / (self.last - self.first)

    def y(self, value: float) -> float:
        """Return how far down a value lies."""
        return self.bottom - (self.bottom - self.top) * (value - self.low) / (self.high - self.low)

    def points(self, curve: Iterable[tuple[float, float]]) -> str:
        """Return a curve as the ``points`` of a polyline."""
        return " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in curve)
