"""The curve of a course as a picture: what each generation gains, with one standard error either way."""

import math
from collections.abc import Iterator, Sequence
from html import escape

from manue.charts import Area
from manue.selfplay.generations import Generation
from manue.selfplay.rating import LINEUPS

_WIDTH, _HEIGHT = 740, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 40, 40, 50
_COLORS = ("#1b6ca8", "#c2571a", "#3a7d44")
_MAX_TICKS = 6


def curve_svg(generations: Sequence[Generation]) -> str:
    """Return the picture: points a round gained over the start by rounds learned from, in each line-up."""
    most = max(generation.rounds for generation in generations)
    ends = [
        gain.points + side * gain.error
        for generation in generations
        for gain in generation.rating.values()
        for side in (-1, 1)
    ]
    low, high = min(0.0, *ends), max(1.0, *ends)
    area = Area(_LEFT, _WIDTH - _RIGHT, _TOP, _HEIGHT - _BOTTOM, 0, most, low, high)
    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="sans-serif" font-size="12">',
        "<title>Points a round gained over the start, by rounds learned from</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        *_axes(area),
    ]
    for color, (at, lineup) in zip(_COLORS, enumerate(LINEUPS), strict=True):
        lines += _line(generations, lineup, color, at, area)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _axes(area: Area) -> Iterator[str]:
    for points in _ticks(area.low, area.high):
        y, color = area.y(points), "#888" if points == 0 else "#ddd"
        yield f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="{color}"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{points:g}</text>'
    for rounds in _ticks(0, area.last):
        x = area.x(rounds)
        yield f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{rounds:,.0f}</text>'
    x = (_LEFT + _WIDTH - _RIGHT) / 2
    yield f'<text x="{x}" y="{_HEIGHT - 12}" text-anchor="middle">rounds learned from</text>'
    yield f'<text x="{_LEFT}" y="16">points a round gained over the start, ± 1 s.e.</text>'


def _ticks(low: float, high: float) -> Iterator[float]:
    """Yield round numbers of a range, at most `_MAX_TICKS` or one more."""
    step = 10.0 ** max(0, len(str(int(high - low))) - 1)
    while (high - low) / step > _MAX_TICKS:
        step *= 2
    while (high - low) / step < _MAX_TICKS / 3:
        step /= 2
    place = math.ceil(low / step)
    while place * step <= high:
        yield place * step
        place += 1


def _line(generations: Sequence[Generation], lineup: str, color: str, at: int, area: Area) -> Iterator[str]:
    """Yield the line of a line-up with its errors and its name."""
    gains = [(area.x(one.rounds), one.rating[lineup]) for one in generations]
    curve = [(0.0, 0.0), *((one.rounds, one.rating[lineup].points) for one in generations)]
    yield f'<polyline points="{area.points(curve)}" fill="none" stroke="{color}" stroke-width="1.8"/>'
    for x, gain in gains:
        top, bottom = area.y(gain.points + gain.error), area.y(gain.points - gain.error)
        yield f'<path d="M{x:.1f} {top:.1f}V{bottom:.1f}" stroke="{color}" stroke-opacity="0.5"/>'
        yield f'<circle cx="{x:.1f}" cy="{area.y(gain.points):.1f}" r="2.6" fill="{color}"/>'
    x = _LEFT + 10 + 210 * at
    yield f'<path d="M{x} 29h18" stroke="{color}" stroke-width="3"/>'
    yield f'<text x="{x + 24}" y="33">against {escape(lineup)}</text>'
