"""How many problems of a book an agent answers like the textbook."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from manue.agents.base import Agent
from manue.agents.registry import make_agent
from manue.bench.output import console
from manue.game.actions import Discard, Riichi
from manue.game.events import RiichiDeclared
from manue.progress import progress
from manue.review.problem_book import (
    Problem,
    accepts,
    answer_text,
    decide,
    load_book,
)


@dataclass(frozen=True, slots=True)
class Answered:
    """An agent's answer to a problem."""

    problem: Problem
    answer: str
    accepted: bool
    elapsed_ms: float


def answer(agent: Agent, problem: Problem) -> Answered:
    """Let an agent answer one problem; after a riichi it is also asked for the discard.

    Raises
    ------
    ProblemError
        If the position makes no sense.
    IllegalActionError
        If the agent chooses something that is not legal.
    """
    player, decision = decide(problem, agent)
    discard = None
    if isinstance(decision.action, Riichi):
        after = player.decide(player.observe(RiichiDeclared(player.state.seat))).action
        discard = after if isinstance(after, Discard) else None
    text = answer_text(decision.action, discard)
    return Answered(problem, text, accepts(problem, text), decision.elapsed_ms)


def measure_problems(
    spec: str, book: Sequence[Problem], step: Callable[[int], None] = lambda _: None
) -> list[Answered]:
    """Let an agent answer a whole book, calling ``step(1)`` after every problem.

    Raises
    ------
    ProblemError
        If a problem makes no sense.
    UsageError
        If there is no such agent.
    """
    agent = make_agent(spec)
    answers = []
    for problem in book:
        answers.append(answer(agent, problem))
        step(1)
    return answers


def score_by_theme(answers: Iterable[Answered]) -> dict[str, tuple[int, int]]:
    """Return how many answers were accepted, of how many, by theme in the order of the book, ``all`` last."""
    scores: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    total = [0, 0]
    for one in answers:
        for count in (scores[one.problem.theme], total):
            count[0] += one.accepted
            count[1] += 1
    return {theme: (right, asked) for theme, (right, asked) in [*scores.items(), ("all", total)]}


def problems_as_data(spec: str, answers: Sequence[Answered]) -> dict[str, Any]:
    """Return the answers and the score by theme as JSON data."""
    return {
        "agent": spec,
        "themes": {
            theme: {"accepted": right, "problems": asked}
            for theme, (right, asked) in score_by_theme(answers).items()
        },
        "problems": [
            {
                "id": one.problem.id,
                "theme": one.problem.theme,
                "answer": one.answer,
                "accepted": one.accepted,
                "accept": one.problem.accept,
                "why": one.problem.why,
            }
            for one in answers
        ],
    }


def print_problems(spec: str, answers: Sequence[Answered]) -> None:
    """Print the score by theme, and every answer not accepted with the reason given in the book."""
    out = console()
    scores = Table(title=f"problem book, {spec}", title_justify="left")
    scores.add_column("theme")
    scores.add_column("accepted", justify="right")
    scores.add_column("problems", justify="right")
    for theme, (right, asked) in score_by_theme(answers).items():
        scores.add_row(theme, str(right), str(asked))
    out.print(scores)
    missed = [one for one in answers if not one.accepted]
    if not missed:
        return
    rows = Table(title="not accepted", title_justify="left")
    for name in ("problem", "answer", "accepted", "why"):
        rows.add_column(name, overflow="fold")
    for one in missed:
        rows.add_row(one.problem.id, one.answer, ", ".join(one.problem.accept), one.problem.why)
    out.print(rows)


def bench_problems(path: Path, specs: Sequence[str], *, as_json: bool) -> None:
    """Let agents answer the book at a path, and print their scores.

    Raises
    ------
    ProblemError
        If the book is missing or cannot be read.
    UsageError
        If there is no such agent.
    """
    book = load_book(path)
    for spec in specs:
        make_agent(spec)
    with progress("problems", len(book) * len(specs)) as advance:
        results = {spec: measure_problems(spec, book, advance) for spec in specs}
    if as_json:
        data = [problems_as_data(spec, answers) for spec, answers in results.items()]
        print(json.dumps(data, ensure_ascii=False, indent=1))
        return
    for spec, answers in results.items():
        print_problems(spec, answers)
