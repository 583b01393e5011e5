"""An index over the reviews of many games: a table of the same measures for each, and their course over time.

The page holds its text in one language or in all, of which a few lines of script show the reader's. Script
and style sheet are allowed by digest, and nothing is loaded.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from html import escape
from itertools import groupby
from typing import NamedTuple

from manue.as_text import known
from manue.charts import Area
from manue.foreign import printable
from manue.language.messages import Messages, messages, page_languages
from manue.review.frames import Json
from manue.review.page import bundle, policy_for
from manue.review.summary import costliest, judged, round_of, turn_label
from manue.tiles import Wind

_STYLE = """
:root { color-scheme: light dark; --ink: #1b2428; --paper: #f5f3ee; --line: #d9d4c7; --one: #6b7684;
  --mean: #0d7a64; --link: #1d4f9c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9ece8; --paper: #12181a; --line: #344044; --one: #8d99a6; --mean: #37c8a4;
    --link: #8db9ff; }
}
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 76rem; padding: 0 1rem;
  color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
h1 { font-size: 1.3rem; } h2 { font-size: 1rem; } a { color: var(--link); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
table { overflow-wrap: normal; } td { white-space: nowrap; } thead th { min-width: 2.5rem; }
tbody th a { display: inline-block; min-width: 7rem; overflow-wrap: anywhere; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right; font-weight: 400;
  font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; } thead th { font-size: .85rem; vertical-align: bottom; }
tfoot td, tfoot th { border-top: 2px solid var(--ink); }
.trends { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); gap: 1rem; }
figure { margin: 0; } figcaption { font-size: .85rem; } svg { width: 100%; height: auto; }
svg text { font-size: 12px; fill: var(--ink); }
.one { fill: var(--one); } .mean { fill: none; stroke: var(--mean); stroke-width: 2; }
.axis { stroke: var(--line); }
@media print { body { padding: 0; } .scroll { overflow: visible; }
  th, td, thead th { padding: .15rem .3rem; font-size: .7rem; }
  tbody th a { min-width: 5rem; } tr { break-inside: avoid; } }
"""
_WIDTH, _HEIGHT, _LEFT, _PAD = 360, 120, 44, 10
_SPAN = 5
"""Games of a moving mean."""
_COSTLIEST = 20
"""Choices of all games that are listed."""


@dataclass(frozen=True, slots=True)
class IndexedChoice:
    """A choice by which points were lost: its moment on the page, its turn in its round, the points."""

    at: int
    wind: Wind
    number: int
    honba: int
    turn: int
    lost: float


@dataclass(frozen=True, slots=True)
class ReviewedGame:
    """The measures of one seat in one game.

    Parameters
    ----------
    page : str
        File name of its page.
    seat : int
    title : str
    date : str or None
        ``2009-03-07``.
    name : str
        Of the player.
    place, score : int or None
        ``None`` where the record breaks off before the end of the game.
    lost : float or None
        Points lost per decision.
    better : float or None
        Share of strong players' games in which more was lost.
    agreement : float or None
    mistakes, blunders : int or None
        ``None`` if nothing measures them, as ``lost``.
    wins, deal_ins : int
        Rounds won, and rounds in which somebody won off the seat.
    costliest : tuple of IndexedChoice
        At most 20, the worst first.
    nameless : bool
        Whether the log does not name the seat.
    """

    page: str
    seat: int
    title: str
    date: str | None
    name: str
    place: int | None
    score: int | None
    lost: float | None
    better: float | None
    agreement: float | None
    mistakes: int | None
    blunders: int | None
    wins: int
    deal_ins: int
    costliest: tuple[IndexedChoice, ...] = ()
    nameless: bool = False

    def in_language(self, words: Messages) -> "ReviewedGame":
        """Return the measures with a name in a language for a seat that the log does not name."""
        return replace(self, name=words.text("seat.unnamed", n=self.seat)) if self.nameless else self


def reviewed_game(data: Json, seat: int, page: str) -> ReviewedGame:
    """Return the measures of a seat from the data of its page, review included."""
    found = next(one for one in data["review"]["seats"] if one["seat"] == seat)
    runs = [list(run) for won, run in groupby(data["events"], lambda event: event["type"] == "win") if won]
    measured = found["perDecision"] is not None
    places = data["game"]["places"]
    return ReviewedGame(
        page=page,
        seat=seat,
        title=data["title"],
        date=data["game"]["date"],
        name=data["names"][seat],
        place=None if places is None else places[seat],
        score=None if places is None else data["game"]["scores"][seat],
        lost=found["perDecision"],
        better=found["better"],
        agreement=found["agreement"],
        mistakes=found["weights"]["mistake"] if measured else None,
        blunders=found["weights"]["blunder"] if measured else None,
        wins=sum(event["actor"] == seat for run in runs for event in run),
        deal_ins=sum(any(event["source"] == seat != event["actor"] for event in run) for run in runs),
        costliest=tuple(
            _costly(data, lost, decision)
            for lost, decision in costliest(judged(data["decisions"][seat]), _COSTLIEST)
        ),
        nameless=seat in data["nameless"],
    )


def _costly(data: Json, lost: float, decision: Json) -> IndexedChoice:
    entry = data["rounds"][round_of(data, decision)]
    place = {name: entry[name] for name in ("wind", "number", "honba")}
    return IndexedChoice(at=decision["at"], **place, turn=decision["turn"], lost=round(lost, 1))


def common_name(games: Sequence[Sequence[str]]) -> str | None:
    """Return the one name that occurs in most of several games; ``None`` if none occurs in more than half."""
    counts = Counter(name for names in games for name in set(names))
    if not counts:
        return None
    ((name, count), *others) = counts.most_common(2)
    alone = not others or others[0][1] < count
    return name if alone and 2 * count > len(games) else None


def count_games(reviewed: Sequence[ReviewedGame]) -> int:
    """Return the number of different games; each may have been judged for several seats."""
    return len({game.page for game in reviewed})


def index_html(
    games: Sequence[ReviewedGame],
    agent: str,
    partly: Sequence[str],
    skipped: Sequence[str],
    language: str | None = None,
) -> str:
    """Return the index over the games in their order, and a line for each record not read or only in part.

    Parameters
    ----------
    games : sequence of ReviewedGame
        At least one.
    agent : str
        What judged them.
    partly, skipped : sequence of str
    language : str, optional
        One of `manue.language.messages.LANGUAGES`; by default the page holds all of them and follows the
        browser.
    """
    languages = page_languages(language)
    script = bundle(("language.js", "index.js"))
    parts = [
        _part(games, agent, partly, skipped, messages(name), first=name == languages[0]) for name in languages
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="{languages[0]}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy_for(script, _STYLE)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(_title(games, messages(languages[0])))}</title><style>{_STYLE}</style></head><body>"
        f'{"".join(parts)}<script type="module">{script}</script></body></html>\n'
    )


def _part(
    games: Sequence[ReviewedGame],
    agent: str,
    partly: Sequence[str],
    skipped: Sequence[str],
    words: Messages,
    *,
    first: bool,
) -> str:
    """Return the page's text in one language; only the first is seen where no script runs."""
    games = [game.in_language(words) for game in games]
    names = ", ".join(dict.fromkeys(printable(game.name) for game in games))
    seen = "" if first else " hidden"
    return (
        f'<main lang="{words.language}" data-title="{escape(_title(games, words))}"{seen}>'
        f"<h1>{escape(words.text('index.title', n=count_games(games)))}</h1>"
        f"<p>{escape(words.text('index.of', name=names, agent=agent))}</p>"
        f"{_trends(games, words)}{_table(games, words)}{_costliest(games, words)}"
        f"{_notes(partly, words.text('index.partly'))}{_notes(skipped, words.text('index.skipped'))}</main>"
    )


def _title(games: Sequence[ReviewedGame], words: Messages) -> str:
    return f"{words.text('index.title', n=count_games(games))} - manue"


def _notes(lines: Sequence[str], title: str) -> str:
    """Return lines under their title; nothing without lines."""
    items = "".join(f"<li>{escape(printable(line))}</li>" for line in lines)
    return f"<h2>{escape(title)}</h2><ul>{items}</ul>" if items else ""


def _table(games: Sequence[ReviewedGame], words: Messages) -> str:
    titles = ("game", "date", "place", "score", "lost", "better", "agreement", "blunders", "mistakes", "wins")
    head = "".join(
        f'<th scope="col">{escape(words.text(f"index.{name}"))}</th>' for name in (*titles, "dealins")
    )
    named = len({game.name for game in games}) > 1
    rows = "".join(f"<tr>{_cells(game, words, named=named)}</tr>" for game in games)
    count = len(games)
    means = [
        "",
        known(_mean([game.place for game in games]), ".2f"),
        known(_mean([game.score for game in games]), ",.0f"),
        known(_mean([game.lost for game in games]), ".1f"),
        words.percent(_mean([game.better for game in games])),
        words.percent(_mean([game.agreement for game in games])),
        known(_mean([game.blunders for game in games]), ".1f"),
        known(_mean([game.mistakes for game in games]), ".1f"),
        f"{sum(game.wins for game in games) / count:.1f}",
        f"{sum(game.deal_ins for game in games) / count:.1f}",
    ]
    foot = f'<th scope="row">{escape(words.text("index.mean"))}</th>' + "".join(
        f"<td>{x}</td>" for x in means
    )
    return (
        f'<div class="scroll" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody>'
        f"<tfoot><tr>{foot}</tr></tfoot></table></div>"
    )


def _title_parts(game: ReviewedGame, *, named: bool) -> list[str]:
    return [printable(game.title), *([printable(game.name)] if named else [])]


def _cells(game: ReviewedGame, words: Messages, *, named: bool) -> str:
    parts = _title_parts(game, named=named)
    parts += [words.text("game.unfinished")] if game.place is None else []
    text = escape(" · ".join(parts))
    link = f'<th scope="row"><a href="{escape(game.page)}#seat={game.seat}">{text}</a></th>'
    cells = (
        game.date or "",
        known(game.place, "d"),
        known(game.score, ",d"),
        known(game.lost, ".1f"),
        words.percent(game.better),
        words.percent(game.agreement),
        *(known(number, "d") for number in (game.blunders, game.mistakes)),
        str(game.wins),
        str(game.deal_ins),
    )
    return link + "".join(f"<td>{cell}</td>" for cell in cells)


def _costliest(games: Sequence[ReviewedGame], words: Messages) -> str:
    """Return links to the costliest choices of all games, whose pages ask again before they show a number."""
    choices = [(game, choice) for game in games for choice in game.costliest]
    choices.sort(key=lambda pair: -pair[1].lost)
    if not choices:
        return ""
    named = len({game.name for game in games}) > 1
    items = "".join(_asked_again(game, choice, words, named=named) for game, choice in choices[:_COSTLIEST])
    return f"<h2>{escape(words.text('index.costliest'))}</h2><ol>{items}</ol>"


def _asked_again(game: ReviewedGame, choice: IndexedChoice, words: Messages, *, named: bool) -> str:
    text = " · ".join([*_title_parts(game, named=named), turn_label(asdict(choice), choice.turn, words)])
    lost = words.text("index.lost.points", n=f"{choice.lost:,.0f}")
    link = f"{game.page}#at={choice.at}&seat={game.seat}&ask=1&hide=1"
    return f'<li><a href="{escape(link)}">{escape(text)}</a> {escape(lost)}</li>'


def _trends(games: Sequence[ReviewedGame], words: Messages) -> str:
    """Return the measures over time, which only those of one player have."""
    if len(games) < 2 or len({game.name for game in games}) > 1:
        return ""
    lost = [game.lost for game in games]
    agreement = [None if game.agreement is None else 100 * game.agreement for game in games]
    place = [game.place for game in games]
    most = max((value for value in lost if value is not None), default=0.0)
    least = min((value for value in agreement if value is not None), default=0.0)
    bottom = min(10.0 * math.floor(least / 10), 90.0)
    charts = (
        ("lost", lost, _Axis(0.0, max(most, 1.0), "{:.1f}")),
        ("agreement", agreement, _Axis(bottom, 100.0, words.text("percent", n="{:.0f}"))),
        ("place", place, _Axis(4.0, 1.0, "{:.0f}")),
    )
    drawn = "".join(
        f"<figure><figcaption>{escape(words.text(f'index.{name}'))}</figcaption>"
        f"{_chart(values, axis, words.text(f'index.{name}'))}</figure>"
        for name, values, axis in charts
        if any(value is not None for value in values)
    )
    return f'<h2>{escape(words.text("index.trend"))}</h2><div class="trends">{drawn}</div>'


class _Axis(NamedTuple):
    """The values at the bottom and the top of a chart, and how they are written."""

    bottom: float
    top: float
    form: str


def _chart(values: Sequence[float | None], axis: _Axis, label: str) -> str:
    last = max(len(values) - 1, 1)
    area = Area(_LEFT, _WIDTH - _PAD, _PAD, _HEIGHT - _PAD, 0, last, axis.bottom, axis.top)
    dots = [(area.x(at), area.y(value)) for at, value in enumerate(values) if value is not None]
    means = [
        (at, mean)
        for at in range(len(values))
        if (mean := _mean(values[max(0, at - _SPAN + 1) : at + 1])) is not None
    ]
    marks = "".join(
        f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _PAD}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text x="{_LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{axis.form.format(value)}</text>'
        for value in (axis.bottom, axis.top)
        for y in [area.y(value)]
    )
    circles = "".join(f'<circle class="one" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in dots)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(label)}">'
        f'{marks}{circles}<polyline class="mean" points="{area.points(means)}"/></svg>'
    )


def _mean(values: Sequence[float | None]) -> float | None:
    found = [value for value in values if value is not None]
    return sum(found) / len(found) if found else None
