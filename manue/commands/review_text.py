"""Print the summary of a review on a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from manue.foreign import printable
from manue.language.messages import Messages
from manue.review.frames import Json
from manue.review.player_names import seat_name
from manue.review.summary import mortal_choice, round_label, round_of, translated_option, turn_label
from manue.tiles import Seat

_WORDS = {"head.costliest", "head.played", "head.best", "head.mortal", "head.rollouts", "head.other"}


def print_review(data: Json, words: Messages) -> None:
    """Print the summary of every seat reviewed.

    Parameters
    ----------
    data : dict
        As returned by `manue.review.page.page_data`, with ``review`` from `manue.review.summary.summarize`.
    words : Messages
        The language.
    """
    console = Console(highlight=False)
    for number, seat in enumerate(data["review"]["seats"]):
        if number > 0:
            console.print()
        console.print(printable(_title(data, seat["seat"], words)), style="bold", markup=False)
        for line in _verdict(data["review"], seat, words):
            console.print(line, soft_wrap=True)
        for titles, rows in _tables(data, seat, words):
            if any(cell != "-" for row in rows for cell in row[1:]):
                console.print(_table(titles, rows, words))


def _title(data: Json, seat: Seat, words: Messages) -> str:
    judged = {"name": seat_name(data, seat, words), "agent": data["review"]["agent"]}
    if seat in data["nameless"]:  # its number is its name
        return words.text("index.of", **judged)
    return words.text("review.title", seat=seat, **judged)


def _verdict(review: Json, seat: Json, words: Messages) -> list[str]:
    sums = {"agreement": words.percent(seat["agreement"]), "n": seat["decisions"]}
    if seat["lost"] is None:
        lines = [words.text("review.sum.agreement", **sums)]
    else:
        lines = [words.text("review.sum", lost=_points(seat["lost"]), **sums)]
    if seat["better"] is not None:
        seats = f"{review['strong']['seats']:,}"
        rating = {
            "lost": f"{seat['perDecision']:.1f}",
            "percent": words.percent(seat["better"]),
            "seats": seats,
        }
        lines.append(words.text("review.rating", **rating))
    if seat["perDecision"] is not None:
        named = {"inaccuracies": "inaccuracy", "mistakes": "mistake", "blunders": "blunder"}
        counts = {
            many: words.text("review.weight", name=words.text(f"weight.{many}"), n=seat["weights"][one])
            for many, one in named.items()
        }
        lines.append(words.text("review.weights", **counts))
    if seat["mortal"] is not None:
        share = {"share": words.percent(seat["mortal"]["agreement"]), "n": seat["mortal"]["decisions"]}
        lines.append(words.text("review.mortal", **share))
    if seat["rollouts"] is not None:
        played = seat["rollouts"]
        says = {word: played[word] for word in ("better", "confirmed", "unclear")}
        worlds = f"{played['worlds']:,}"
        lines.append(words.text("review.rollouts", n=len(played["decisions"]), worlds=worlds, **says))
    return lines


def _tables(data: Json, seat: Json, words: Messages) -> list[tuple[list[str], list[list[str]]]]:
    kinds = [
        [
            words.text(f"kind.{kind['kind']}"),
            str(kind["decisions"]),
            words.percent(kind["agreement"]),
            _points(kind["lost"]),
        ]
        for kind in seat["kinds"]
    ]
    rounds = [
        [
            round_label(entry, words),
            *(_points(turn[name]) for name in ("result", "expected", "skill", "luck")),
        ]
        for entry, turn in zip(data["rounds"], seat["rounds"], strict=True)
    ]
    return [
        (["head.kind", "head.decisions", "head.agreement", "head.lost"], kinds),
        (
            ["head.costliest", "head.played", "head.best", *_mortal(seat, "head.mortal"), "head.lost"],
            _costliest(data, seat, words),
        ),
        (["head.rollouts", "head.best", "head.other", "head.gain"], _better(data, seat, words)),
        (["head.round", "head.result", "head.expected", "head.skill", "head.luck"], rounds),
    ]


def _costliest(data: Json, seat: Json, words: Messages) -> list[list[str]]:
    decisions = {decision["at"]: decision for decision in data["decisions"][seat["seat"]]}
    rows = []
    for choice in seat["costliest"]:
        decision = decisions[choice["at"]]
        played, best = (
            translated_option(decision["options"][decision[which]], words) for which in ("played", "chosen")
        )
        where = _where(data, decision, words)
        beside = mortal_choice(decision)
        third = "-" if beside is None else translated_option(decision["options"][beside], words)
        rows.append([where, played, best, *_mortal(seat, third), _points(choice["lost"])])
    return rows


def _better(data: Json, seat: Json, words: Messages) -> list[list[str]]:
    """Return the decisions in which playing on found another option better."""
    decisions = {decision["at"]: decision for decision in data["decisions"][seat["seat"]]}
    rows = []
    for one in (seat["rollouts"] or {"decisions": ()})["decisions"]:
        if one["says"] == "better":
            decision = decisions[one["at"]]
            best, other = (
                translated_option(decision["options"][at], words)
                for at in (decision["chosen"], one["option"])
            )
            gain = f"{one['gain']:+,} ± {one['error']:,}"
            rows.append([_where(data, decision, words), best, other, gain])
    return rows


def _where(data: Json, decision: Json, words: Messages) -> str:
    return turn_label(data["rounds"][round_of(data, decision)], decision["turn"], words)


def _mortal(seat: Json, cell: str) -> list[str]:
    """Return a cell for Mortal's choices, if the log has any."""
    return [] if seat["mortal"] is None else [cell]


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]], words: Messages) -> Table:
    """Return a table, without the columns of which nothing is known."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    known = [number for number in range(len(titles)) if any(row[number] != "-" for row in rows)]
    for number in known:
        left = number == 0 or titles[number] in _WORDS
        table.add_column(words.text(titles[number]), justify="left" if left else "right")
    for row in rows:
        table.add_row(*(escape(printable(row[number])) for number in known))
    return table


def _points(points: float | None) -> str:
    return "-" if points is None else f"{round(points):,}"
