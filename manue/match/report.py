"""``report.html`` of a match: one page without scripts, made from the results on disk."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TextIO

from manue.as_text import known
from manue.charts import Area
from manue.intervals import with_spread
from manue.language.messages import ENGLISH, Messages
from manue.match.situation_sums import difference_text, total_change
from manue.match.summary import fault_line, stand_in_lines
from manue.table.faults import fault_in_words
from manue.table.situations import DIVISIONS
from manue.table.table import seats_by_place
from manue.whole_files import whole_file

_WIDTH, _HEIGHT, _LEFT, _MARGIN = 720, 220, 84, 36
_POINTS = 200
"""A long curve has between this many points and twice as many."""
_COLORS = ("#1769aa", "#c2410c", "#2e7d32", "#7b1fa2", "#a16207", "#0f766e", "#be123c", "#475569")
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem;
       color: #1b1b1b; background: #fff; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; }
th, td { padding: .2rem .7rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; }
.fault { color: #c62828; }
.bar { display: inline-block; height: .8rem; }
.scroll { overflow-x: auto; max-width: 100%; }
.beside { display: flex; flex-wrap: wrap; gap: 0 2rem; } .beside > * { min-width: 0; }
body { overflow-wrap: anywhere; } th { word-break: keep-all; overflow-wrap: normal; }
th { white-space: normal; vertical-align: bottom; }
th.over { text-align: center; }
.tight th, .tight td { padding: .2rem .4rem; }
.part td, .part th { border-top: 2px solid #999; }
.names { text-align: left; }
td.names { white-space: normal; overflow-wrap: anywhere; min-width: 9rem; }
svg text { font-size: 11px; fill: currentColor; } .axis { stroke: #ddd; }
small { color: #555; }
@media (max-width: 40rem) { th, td { padding: .2rem .35rem; } svg text { font-size: 20px; } }
@media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #161616; }
  th, td { border-color: #333; } .axis { stroke: #333; }
  small { color: #aaa; } a { color: #8ab4f8; } .fault { color: #ff8a80; } }
@media print { * { print-color-adjust: exact; } body { padding: 0; } .scroll { overflow: visible; }
  td.names { min-width: 5rem; } th, td { padding: .15rem .3rem; font-size: .7rem; }
  tr { break-inside: avoid; } }
"""
_POLICY = (  # no script at all; the bars of the tables have their widths in style attributes
    "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; base-uri 'none'; "
    "form-action 'none'; style-src 'unsafe-inline'\">"
)
_PLACE_COLORS = ("#2e7d32", "#7cb342", "#f9a825", "#c62828")
_GAIN_COLOR, _LOSS_COLOR = _PLACE_COLORS[0], _PLACE_COLORS[3]
_PLACES_PIXELS, _CHANGE_PIXELS = 120, 40
"""Width of the bars of all places of an agent together, and of the widest bar of a situation."""


class Curves:
    """Mean points per game so far, by agent, in bounded memory: when points get many, half are dropped."""

    def __init__(self) -> None:
        self._sums: dict[str, tuple[int, int]] = {}
        self._step = 1
        self._games = 0
        self.curves: dict[str, list[tuple[int, float]]] = {}

    def add(self, line: Mapping[str, Any]) -> None:
        """Add the next game."""
        self._games += 1
        for name, score in zip(line["agents"], line["scores"], strict=True):
            total, count = self._sums.get(name, (0, 0))
            self._sums[name] = (total + score, count + 1)
        if self._games % self._step == 0:
            for name, (total, count) in self._sums.items():
                self.curves.setdefault(name, []).append((self._games, total / count))
        if self._games // self._step > 2 * _POINTS:
            self._step *= 2
            self.curves = {
                name: [point for point in curve if point[0] % self._step == 0]
                for name, curve in self.curves.items()
            }


def write_report(
    folder: Path,
    lines: Iterable[Mapping[str, Any]],
    summary: Mapping[str, Any],
    words: Messages = ENGLISH,
) -> Path:
    """Write ``report.html`` and return its path.

    Parameters
    ----------
    folder : Path
        The folder of the match. Links lead to ``pages/NNNNNN.html`` where that exists, else to the log.
    lines : iterable of dict
        Lines of results. All are listed; the curves show the first ``summary["games"]``.
    summary : dict
        As in summary.json.
    words : Messages
        The texts of a language. What is said of a fault stays as it is in the results.

    Raises
    ------
    OSError
        If it cannot be written; it names the file, also on a full disk, and nothing is left of it.
    """
    target = folder / "report.html"
    with (
        whole_file(target) as written,
        written.open("w", encoding="utf-8") as file,
        TemporaryFile("w+", encoding="utf-8", dir=folder) as rows,
    ):
        _write_page(file, rows, folder, lines, summary, words)
    return target


def _write_page(
    file: TextIO,
    rows: TextIO,
    folder: Path,
    lines: Iterable[Mapping[str, Any]],
    summary: Mapping[str, Any],
    words: Messages,
) -> None:
    """Write the report; the rows of its last table are kept in a file of their own until it comes to them."""
    curves = Curves()
    for line in _in_order(lines):
        if line["game"] < summary["games"]:
            curves.add(line)
        rows.write(_game_row(folder, line))
    file.write(_head(summary, words))
    file.write(_faults(summary, words))
    file.write(_agents(summary["agents"], words) + _pairs(summary["paired"], words))
    file.write(_situations(summary["agents"], summary["paired"], words))
    file.write(_chart(curves.curves, words) + _times(summary["agents"], words))
    file.write(_games_heading(words))
    rows.seek(0)
    file.writelines(rows)
    file.write("</table></div></main></body></html>\n")


def _in_order(lines: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield games by number; only those that finished before an earlier one are kept in memory."""
    early: dict[int, Mapping[str, Any]] = {}
    following = 0
    for line in lines:
        early[line["game"]] = line
        while following in early:
            yield early.pop(following)
            following += 1
    for game in sorted(early):
        yield early[game]


def _written(figures: str) -> str:
    """Return figures as all pages write them: ``25,733``, with a real minus, and 0 without a sign."""
    grouped = re.sub(r"(?<=\d)(?=(?:\d{3})+(?!\d))", ",", figures)
    unsigned = re.sub(r"^[+-](?=0(?:\.0+)?(?: |$))", "", grouped)
    return re.sub(r"-(?=\d)", "\u2212", unsigned)


def _head(summary: Mapping[str, Any], words: Messages) -> str:
    counts = {"n": _written(str(summary["games"])), "rounds": _written(str(summary["rounds"]))}
    title = words.text("match.games", **counts)
    drawn = words.text("match.drawn", share=words.percent(summary["draw_rate"]))
    return (
        f"<!doctype html><html lang={words.language}><head><meta charset=utf-8>{_POLICY}"
        f"<title>{words.text('match.title')}: {title}</title>"
        f"<meta name=viewport content='width=device-width'><style>{_STYLE}</style></head><body><main>"
        f"<h1>{words.text('match.title')}</h1><p>{title}{drawn}</p>"
    )


def _faults(summary: Mapping[str, Any], words: Messages) -> str:
    lines = (fault_line(summary, words), *stand_in_lines(summary, words))
    return "".join(
        f"<p class=fault><strong>{escape(line)}</strong></p>" for line in lines if line is not None
    )


def _section(words: Messages, name: str) -> str:
    """Return the heading of a part of the report."""
    return f"<h2>{words.text(f'match.section.{name}')}</h2>"


def _columns(words: Messages, *names: str) -> str:
    """Return the head of a table."""
    return "<tr>" + "".join(f"<th>{words.text(f'match.column.{name}')}" for name in names)


def _note(words: Messages, name: str) -> str:
    return f"<p><small>{words.text(f'match.note.{name}')}</small></p>"


def _games_heading(words: Messages) -> str:
    heads = _columns(words, "game", "wall", "rounds", "results").replace("<th>", "<th class=names>")
    return f"{_section(words, 'games')}{_note(words, 'games')}<div class=scroll tabindex=0><table>{heads}"


_AGENT_COLUMNS = (
    "agent", "seats", "placement", "places", "points", "win", "dealin", "riichi", "call",
    "perwin", "perdealin",
)  # fmt: skip


def _agents(agents: Mapping[str, Mapping[str, Any]], words: Messages) -> str:
    rows = []
    for name, agent in agents.items():
        games = max(agent["games"], 1)
        places = "".join(
            f"<span class=bar title='{count}' style='width:{_PLACES_PIXELS * count / games:.1f}px;"
            f"background:{color}'></span>"
            for count, color in zip(agent["places"], _PLACE_COLORS, strict=True)
        )
        cells = [
            _written(str(agent["games"])),
            with_spread(known(agent["mean_placement"], ".3f"), agent["ci95"], 3),
            places + "<br><small>" + " / ".join(_written(str(n)) for n in agent["places"]) + "</small>",
            _written(with_spread(known(agent["mean_points"], ".0f"), agent["mean_points_ci95"], 0)),
            *(
                words.percent(agent[rate])
                for rate in ("win_rate", "deal_in_rate", "riichi_rate", "call_rate")
            ),
            _written(known(agent["win_points"], ".0f")),
            _written(known(agent["deal_in_points"], ".0f")),
        ]
        rows.append(f"<tr><td class=names>{_named(name)}<td>" + "<td>".join(cells))
    heads = _columns(words, *_AGENT_COLUMNS)
    return (
        f"{_section(words, 'players')}<div class=scroll tabindex=0><table>{heads}"
        + "\n".join(rows)
        + f"</table></div>{_note(words, 'players')}"
    )


def _pairs(pairs: Sequence[Mapping[str, Any]], words: Messages) -> str:
    if not pairs:
        return ""
    rows = [
        f"<tr><td>{_named(pair['agent'])} - {_named(pair['against'])}<td>"
        f"{_written(with_spread(known(pair['placement_difference'], '.3f'), pair['ci95'], 3))}"
        f"<td>{_written(str(pair['walls']))}"
        for pair in pairs
    ]
    heads = _columns(words, "agents", "placement", "walls")
    table = f"<div class=scroll tabindex=0><table>{heads}{''.join(rows)}</table></div>"
    return f"{_section(words, 'pairs')}{table}{_note(words, 'pairs')}"


_LONGEST_NAME = 32
"""Longer names, commands above all, are shortened where a table would grow too wide."""


def _situations(
    agents: Mapping[str, Mapping[str, Any]], pairs: Sequence[Mapping[str, Any]], words: Messages
) -> str:
    tables = {name: agent["situations"] for name, agent in agents.items() if agent["situations"] is not None}
    if not tables:
        return ""  # all games were played by a version that did not record situations
    first = next(iter(tables))
    against = [pair for pair in pairs if pair["agent"] == first and pair["situations"] is not None]
    widest = max(abs(part["per_game"]) for table in tables.values() for part in _situation_parts(table))
    drawn = [_differences(first, against, words)] if against else []
    drawn += [_situation_table(name, table, widest, words) for name, table in tables.items()]
    return (
        f"{_section(words, 'situations')}<div class=beside>"
        + "".join(f"<div class=scroll tabindex=0>{table}</div>" for table in drawn)
        + f"</div>{_note(words, 'situations')}"
    )


def _situation_rows(words: Messages, cells: Callable[[str, str], str], total: str) -> str:
    """Return a row for every situation, in the order of all tables, and one for all rounds."""
    rows = [
        f"<tr{' class=part' * (at == 0)}><td>{words.text(f'situation.{part}')}<td>{cells(division, part)}"
        for division, parts in DIVISIONS.items()
        for at, part in enumerate(parts)
    ]
    return "\n".join(rows) + f"<tr class=part><td>{words.text('situation.all')}<td>{total}</table>"


def _differences(first: str, against: Sequence[Mapping[str, Any]], words: Messages) -> str:
    over = words.text("match.less", name=_named(first))
    heads = _columns(words, "situation") + "".join(f"<th>{_named(pair['against'])}" for pair in against)
    return (
        f"<table class=tight><tr><th colspan={1 + len(against)} class=over>{over}{heads}"
        + _situation_rows(
            words,
            lambda division, part: "<td>".join(
                _written(difference_text(pair["situations"], division, part)) for pair in against
            ),
            "<td>".join(_written(f"{total_change(pair['situations']):+.3f}") for pair in against),
        )
    )


def _situation_table(name: str, table: Mapping[str, Any], widest: float, words: Messages) -> str:
    change = _written(f"{total_change(table):+.3f}")
    start = words.text("match.from", place=f"{table['start']:.3f}")
    heads = _columns(words, "situation", "placement", "share", "win", "dealin", "perround")
    return f"<table class=tight><tr><th colspan=6 class=over>{_named(name)}{heads}" + _situation_rows(
        words,
        lambda division, part: _situation(table[division].get(part), widest, words),
        f"{change}<td colspan=4 class=names>{start}",
    )


def _named(name: str) -> str:
    """Return the name of an agent, shortened if it is a long command, with the whole one as its title."""
    if len(name) <= _LONGEST_NAME:
        return escape(name)
    return f'<span title="{escape(name)}">{escape(name[: _LONGEST_NAME - 1])}…</span>'


def _situation_parts(table: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [part for division in DIVISIONS for part in table[division].values()]


def _situation(part: Mapping[str, Any] | None, widest: float, words: Messages) -> str:
    if part is None:
        return "<td>".join(["-"] * 5)
    change = part["per_game"]
    color = _GAIN_COLOR if change < 0 else _LOSS_COLOR
    width = _CHANGE_PIXELS * abs(change) / max(widest, 1e-9)
    bar = f"<span class=bar style='width:{width:.1f}px;background:{color}'></span>"
    rates = [words.percent(part[name]) for name in ("share", "win_rate", "deal_in_rate")]
    points = _written(f"{part['points']:+.0f}")
    return "<td>".join([f"{bar} {_written(f'{change:+.3f}')}", *rates, points])


def _times(agents: Mapping[str, Mapping[str, Any]], words: Messages) -> str:
    rows = []
    for name, agent in agents.items():
        times = agent["decision_ms"]
        cells = [
            _written(str(agent["decisions"])),
            *(known(times[key], ".3f") for key in ("median", "p99", "max")),
        ]
        faults = ", ".join(f"{kind} {count}" for kind, count in agent["faults"].items()) or "-"
        rows.append(f"<tr><td class=names>{_named(name)}<td>" + "<td>".join([*cells, escape(faults)]))
    heads = _columns(words, "agent", "decisions", "median", "p99", "max", "faults")
    table = f"<table>{heads}{''.join(rows)}</table>"
    return f"{_section(words, 'decisions')}<div class=scroll tabindex=0>{table}</div>"


def _chart(curves: Mapping[str, Sequence[tuple[int, float]]], words: Messages) -> str:
    points = [point for curve in curves.values() for point in curve]
    last = max((game for game, _ in points), default=0)
    if last < 2:
        return ""  # no curve
    start = min(game for game, _ in points)
    low = min(value for _, value in points) // 1000 * 1000
    high = max(-(-max(value for _, value in points) // 1000) * 1000, low + 1000)

    area = Area(_LEFT, _WIDTH - _MARGIN, _MARGIN, _HEIGHT - _MARGIN, start, max(last, start + 1), low, high)
    drawn, legend = [], []
    for (name, curve), color in zip(curves.items(), cycle(_COLORS), strict=False):
        drawn.append(f"<polyline points='{area.points(curve)}' fill=none stroke='{color}' stroke-width=2 />")
        legend.append(f"<span class=bar style='width:.8rem;background:{color}'></span> {_named(name)}")
    heights = ((value, round(area.y(value), 1)) for value in (low, high))
    axis = "".join(
        f"<path class=axis d='M{_LEFT} {y}H{_WIDTH - _MARGIN}' />"
        f"<text x='{_LEFT - 6}' y='{y + 4}' text-anchor=end>{_written(f'{value:.0f}')}</text>"
        for value, y in heights
    )
    return (
        f"{_section(words, 'points')}"
        f"<svg viewBox='0 0 {_WIDTH} {_HEIGHT}' role=img aria-label='{words.text('match.section.points')}'>"
        f"{axis}{''.join(drawn)}"
        f"<text x='{_WIDTH - _MARGIN}' y='{_HEIGHT - 8}' text-anchor=end>"
        f"{words.text('match.after', n=_written(str(last)))}</text></svg><p>{' &nbsp; '.join(legend)}</p>"
    )


def _game_row(folder: Path, line: Mapping[str, Any]) -> str:
    page = f"pages/{line['game']:06}.html"
    link = page if (folder / page).exists() else line["log"]
    safe = isinstance(link, str) and re.fullmatch(r"\w[\w./]*", link)
    number = f"<a href='{link}'>{line['game']}</a>" if safe else escape(str(line["game"]))
    places = ", ".join(
        f"{escape(line['agents'][seat])} {escape(_written(str(line['scores'][seat])))}"
        for seat in seats_by_place(line["placements"])
    )
    faults = "<br>".join(
        f"{escape(line['agents'][fault['seat']])}: {escape(fault_in_words(fault))}"
        for fault in line["faults"]
    )
    wall, rounds = escape(str(line["wall"])), escape(str(line["rounds"]))
    below = f"<tr><td colspan=4 class=names>{faults}" if faults else ""  # a phone has no room beside the rest
    return f"<tr><td>{number}<td>{wall}<td>{rounds}<td class=names>{places}{below}\n"
