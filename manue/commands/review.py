"""``manue review``: judge somebody's game, decision by decision."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from manue.agents.manue import Manue
from manue.agents.registry import SPEC_HELP, make_agent
from manue.commands.view import write_page
from manue.errors import UsageError
from manue.records.archive import LogEntry, LogWriter
from manue.records.formats import read_game
from manue.review.annotate import annotate
from manue.review.frames import Json
from manue.review.page import page_data
from manue.review.summary import summarize
from manue.tiles import Seat


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "log", metavar="LOG", type=Path, help="a game record: Mjai, Tenhou mjlog or tenhou.net/6 JSON"
    )
    parser.add_argument("--seat", default="all", help="whose decisions: 0..3, or all (default)")
    parser.add_argument(
        "--agent", default="manue", metavar="SPEC", help=f"who judges: {SPEC_HELP} (default: manue)"
    )
    parser.add_argument("--game", type=int, metavar="N", help="which game, if the log holds several (from 1)")
    parser.add_argument(
        "-o", "--output", metavar="PAGE.html", type=Path, help="write the annotated game as a page"
    )
    parser.add_argument(
        "--log", dest="annotated", metavar="FILE", type=Path, help="write the annotated log (.gz too)"
    )
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def run(options: argparse.Namespace) -> int:
    """Judge the game, print the summary and write what was asked for."""
    seats = _seats(options.seat)
    agent = make_agent(options.agent)
    if isinstance(agent, Manue) and (options.output is not None or options.annotated is not None):
        agent = agent.explaining()
    game = read_game(options.log, options.game)
    source = str(options.log)
    with _progress() as progress:
        entries = annotate(game, agent, seats, source=source, progress=progress)
    data = page_data(entries, source=source, title=options.log.name, seat=None if seats is None else seats[0])
    reviewed = [seat for seat in range(4) if data["open"][seat]] if seats is None else seats
    data["review"] = summarize(data, reviewed, options.agent)
    if options.annotated is not None:
        _write_log(options.annotated, entries)
    if options.output is not None:
        write_page(options.output, data)
    if options.json:
        print(json.dumps(data["review"], ensure_ascii=False, indent=2))
    else:
        _print(data["review"])
    return 0


def _seats(text: str) -> list[Seat] | None:
    if text == "all":
        return None
    if text not in {"0", "1", "2", "3"}:
        raise UsageError(f"--seat is 0, 1, 2, 3 or all, not {text!r}")
    return [int(text)]


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Show how far the review is: a bar on a terminal, else a line every ten seconds."""
    if not sys.stderr.isatty():
        yield _on_pipe()
        return
    columns = (
        TextColumn("reviewing"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("ETA"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reviewing")
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _on_pipe() -> Callable[[int, int], None]:
    told = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal told
        if time.monotonic() - told >= 10:
            told = time.monotonic()
            print(f"reviewing: {done} of {total} events", file=sys.stderr)

    return tell


def _write_log(path: Path, entries: Sequence[LogEntry]) -> None:
    with LogWriter(path) as writer:
        for entry in entries:
            fields = {key: value for key, value in entry.fields().items() if key not in {"logs", "meta"}}
            writer.write(fields, entry.message.logs, entry.message.meta)


def _print(review: Json) -> None:
    console = Console(highlight=False)
    for seat in review["seats"]:
        console.print(
            f"seat {seat['seat']} {seat['name']}, judged by {review['agent']}", style="bold", markup=False
        )
        console.print(
            f"{_percent(seat['agreement'])} agreement over {seat['decisions']} decisions, "
            f"{_points(seat['lost'])} expected points lost"
        )
        tables = (
            ("kind", "decisions", "agreement", "points lost"),
            [
                (kind["kind"], str(kind["decisions"]), _percent(kind["agreement"]), _points(kind["lost"]))
                for kind in seat["kinds"]
            ],
        ), (
            ("costliest", "played", "best", "points lost"),
            [
                (choice["where"], choice["played"], choice["best"], _points(choice["lost"]))
                for choice in seat["costliest"]
            ],
        ), (
            ("round", "result", "expected", "skill", "luck"),
            [
                (turn["label"], *(_points(turn[name]) for name in ("result", "expected", "skill", "luck")))
                for turn in seat["rounds"]
            ],
        )  # fmt: skip
        for titles, rows in tables:
            if rows:
                console.print(_table(titles, rows))


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for number, title in enumerate(titles):
        table.add_column(title, justify="left" if number == 0 or title in {"played", "best"} else "right")
    for row in rows:
        table.add_row(*row)
    return table


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _points(points: float | None) -> str:
    return "-" if points is None else f"{round(points):,}"
