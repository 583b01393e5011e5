"""Print the summary of a review on a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from manue.foreign import foreign
from manue.review.frames import Json


def print_review(review: Json) -> None:
    """Print the summary of every seat reviewed (`manue.review.summary.summarize`)."""
    console = Console(highlight=False)
    for seat in review["seats"]:
        title = foreign(f"seat {seat['seat']} {seat['name']}, judged by {review['agent']}")
        console.print(title, style="bold", markup=False)
        console.print(
            f"{_percent(seat['agreement'])} agreement over {seat['decisions']} decisions, "
            f"{_points(seat['lost'])} expected points lost"
        )
        beside = seat["mortal"]
        if beside is not None:
            share = _percent(beside["agreement"])
            count = beside["decisions"]
            console.print(f"Mortal's choice, by its values in the log, is the best one in {share} of {count}")
        tables = (
            ("kind", "decisions", "agreement", "points lost"),
            [
                (kind["kind"], str(kind["decisions"]), _percent(kind["agreement"]), _points(kind["lost"]))
                for kind in seat["kinds"]
            ],
        ), (
            ("costliest", "played", "best", *(["Mortal"] if beside else []), "points lost"),
            [
                (
                    choice["where"],
                    choice["played"],
                    choice["best"],
                    *([choice.get("mortal", "-")] if beside else []),
                    _points(choice["lost"]),
                )
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
        left = number == 0 or title in {"played", "best", "Mortal"}
        table.add_column(title, justify="left" if left else "right")
    for row in rows:
        table.add_row(*(escape(foreign(cell)) for cell in row))
    return table


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _points(points: float | None) -> str:
    return "-" if points is None else f"{round(points):,}"
