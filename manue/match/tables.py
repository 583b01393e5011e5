"""The tables of a match on stdout: results by agent, and where placement is won and lost."""

import sys
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from manue.as_text import counted, known
from manue.foreign import printable
from manue.intervals import with_spread
from manue.language.messages import ENGLISH
from manue.match.situation_sums import difference_text, total_change
from manue.match.summary import fault_line, stand_in_lines
from manue.table.situations import DIVISIONS

_TITLES = (
    *("seats", "placement", "1st/2nd/3rd/4th", "points", "win %", "deal-in %", "riichi %", "call %"),
    *("ms median", "ms p99", "faults"),
)
_NARROW_TITLES = ("seats", "placement", "1st/2nd/3rd/4th", "points", "win %", "faults")
"""Columns of a table that must fit into 80 characters; the report has the others."""
_WIDE = 135
_PIPED_WIDTH = 160
"""Characters of a line of the tables where there is no terminal that says."""
_NAME_WIDTH = 20
"""Agent names above a column of numbers wrap at this width: a command can be long."""


def print_summary(summary: dict[str, Any]) -> None:
    """Print the result table of a match on stdout."""
    table = Table(title=ENGLISH.text("match.games", n=summary["games"], rounds=summary["rounds"]))
    console = _console()
    titles = _TITLES if console.width >= _WIDE else _NARROW_TITLES
    table.add_column("agent", overflow="fold", min_width=9)
    for title in titles:
        table.add_column(title, justify="right", no_wrap=True)
    for name, agent in summary["agents"].items():
        cells = dict(zip(_TITLES, _row(agent), strict=True))
        table.add_row(_plain(name), *(cells[title] for title in titles))
    console.print(table)
    if (line := fault_line(summary)) is not None:
        console.print(line, style="bold red", markup=False, highlight=False, soft_wrap=True)
    for text in stand_in_lines(summary):
        console.print(text, style="bold red", markup=False, highlight=False, soft_wrap=True)
    for pair in summary["paired"]:
        difference = with_spread(f"{pair['placement_difference']:+.3f}", pair["ci95"], 3)
        names = f"{_plain(pair['agent'])} - {_plain(pair['against'])}"
        console.print(f"{names}: placement {difference} over {counted(pair['walls'], 'wall')}")


def _console() -> Console:
    return Console() if sys.stdout.isatty() else Console(width=_PIPED_WIDTH)


def _plain(name: str) -> str:
    """Return an agent's name for rich: one line, nothing in it read as markup."""
    return escape(printable(name))


def _row(agent: dict[str, Any]) -> list[str]:
    times = agent["decision_ms"]
    rates = [agent[name] for name in ("win_rate", "deal_in_rate", "riichi_rate", "call_rate")]
    return [
        str(agent["games"]),
        with_spread(f"{agent['mean_placement']:.3f}", agent["ci95"], 3),
        "/".join(str(count) for count in agent["places"]),
        f"{agent['mean_points']:.0f}",
        *("-" if rate is None else f"{rate * 100:.1f}" for rate in rates),
        *(known(times[name], ".2f") for name in ("median", "p99")),
        str(sum(agent["faults"].values())),
    ]


def print_situations(summary: dict[str, Any]) -> None:
    """Print on stdout how the rounds of each kind change the placement of the agents."""
    tables = {name: agent["situations"] for name, agent in summary["agents"].items() if agent["situations"]}
    if not tables:
        return  # all games were played by a version that did not record situations
    first = next(iter(tables))
    against = [pair for pair in summary["paired"] if pair["agent"] == first and pair["situations"]]
    console = _console()
    for shares, differences in ((True, True), (False, True), (False, False)):
        table = _situations(tables, against if differences else [], shares=shares)
        if table.__rich_measure__(console, console.options).maximum <= console.width:
            break
    console.print(table)
    console.print("placement: change per game due to these rounds; below 0 is a gain", highlight=False)


def _situations(tables: dict[str, Any], against: list[dict[str, Any]], *, shares: bool) -> Table:
    table = Table(title="Placement by situation", show_footer=True)
    table.add_column("situation", "all rounds", no_wrap=True)

    def add(header: str, footer: str = "") -> None:
        """Add a column of numbers."""
        table.add_column(header, footer, justify="right", max_width=_NAME_WIDTH, overflow="fold")

    for name, parts in tables.items():
        if shares:
            add(f"{_plain(name)}\nrounds %")
        add(f"{_plain(name)}\nplacement", f"{total_change(parts):+.3f}")
    for pair in against:
        difference = f"{total_change(pair['situations']):+.3f}"
        add(f"{_plain(pair['agent'])} -\n{_plain(pair['against'])}", difference)
    for division, parts in DIVISIONS.items():
        for part in parts:
            cells = []
            for found in (agent[division].get(part) for agent in tables.values()):
                if shares:
                    cells.append("-" if found is None else f"{found['share'] * 100:.1f}")
                cells.append("-" if found is None else f"{found['per_game']:+.3f}")
            cells += [difference_text(pair["situations"], division, part) for pair in against]
            label = ENGLISH.text(f"situation.{part}")
            table.add_row(label, *cells, end_section=part == parts[-1])
    return table
