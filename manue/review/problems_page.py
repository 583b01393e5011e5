"""A problem book as one page of exercises: each problem is a moment, asked before its numbers are shown.

Of each problem the page has the table at the question, as a round of one moment, and in ``problems``::

    {"seat": asked, "theme": "calls", "question": {"en": "...", "ja": "..."}, "why": {...},
     "accepted": [numbers of options]}

with the question and the reason by language; ``en`` stands for whatever language the book is written in.
"""

from collections.abc import Callable, Sequence

from manue.agents.base import Agent
from manue.game.actions import Discard
from manue.records.archive import entries_of
from manue.review.annotate import with_decision
from manue.review.decisions import ROW, DecisionList, SharedValues
from manue.review.events import event_facts
from manue.review.frames import Json, replay, steps_of
from manue.review.page import FORMAT
from manue.review.problem_book import Problem, Words, accepts, answer_text, decide, events_of, seat_of
from manue.tiles import Seat


def problems_data(
    book: Sequence[Problem],
    agent: Agent,
    *,
    title: str | None = None,
    step: Callable[[int], None] = lambda _: None,
) -> Json:
    """Let an agent value every option of every problem, and return everything the page shows.

    Parameters
    ----------
    book : sequence of Problem
    agent : Agent
        One that values each option, as `manue.agents.manue.Manue` does.
    title : str, optional
        By default the page says in its language that it is a problem book.
    step : callable
        Called with 1 after every problem.

    Raises
    ------
    ProblemError
        If a position makes no sense, or the agent values no accepted answer.
    """
    shared = SharedValues()
    rounds, events, frames, problems = [], [], [], []
    decisions: list[list[Json]] = [[], [], [], []]
    for at, problem in enumerate(book):
        seat = seat_of(problem)
        _, choice = decide(problem, agent)
        entries = with_decision(entries_of(events_of(problem)), seat, choice)
        found = DecisionList(shared)
        shown = replay(entries, source=problem.id, visit=found.visit)
        decision = found.by_seat[seat][-1]
        problems.append(_asked(problem, seat, _accepted(problem, decision["options"])))
        found.finish(shown)
        rounds.append({**shown.rounds[-1], "start": at, "end": at})
        events.append(event_facts(entries[-1]))
        frames.append({**shown.frames[-1], "round": at})
        decisions[seat].append({**decision, "at": at})
        step(1)
    return {
        "format": FORMAT,
        "title": title,
        "names": [""] * 4,  # the page names the players as the seat that is asked sees them
        "seat": 0,
        "at": 0,
        "rounds": rounds,
        "events": events,
        "frames": steps_of(frames),
        "columns": list(ROW),
        "texts": shared.values,
        "decisions": decisions,
        "review": None,
        "problems": problems,
        "agent": agent.name,
    }


def _accepted(problem: Problem, options: Sequence[Json]) -> list[int]:
    """Return the numbers of the options that the book accepts."""
    found = []
    for number, option in enumerate(options):
        action, *then = option["moves"]
        discard = next((move for move in then if isinstance(move, Discard)), None)
        if accepts(problem, answer_text(action, discard)):
            found.append(number)
    if not found:
        raise problem.error("the agent values none of the accepted answers")
    return found


def _asked(problem: Problem, seat: Seat, accepted: list[int]) -> Json:
    spoken: list[tuple[str, Words]] = [("en", problem), *problem.translations.items()]
    return {
        "seat": seat,
        "theme": problem.theme,
        "question": {language: words.question for language, words in spoken},
        "why": {language: words.why for language, words in spoken},
        "accepted": accepted,
    }
