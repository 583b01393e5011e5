"""A game judged by an agent: its entries with annotations, and the data of its page with the review."""

from collections.abc import Callable, Sequence
from pathlib import Path

from manue.agents.base import Agent
from manue.decision.settings import Settings
from manue.records.archive import LogEntry
from manue.review.annotate import annotate
from manue.review.frames import Json
from manue.review.page import page_data
from manue.review.summary import summarize
from manue.rules import TENHOU, Rules
from manue.tiles import Seat


def review_game(
    game: Sequence[LogEntry],
    log: Path,
    agent: Agent,
    spec: str,
    seats: Sequence[Seat] | None,
    *,
    rules: Rules = TENHOU,
    step: Callable[[], None] = lambda: None,
) -> tuple[list[LogEntry], Json]:
    """Return a game's entries with annotations, and the data of its page, review included.

    Parameters
    ----------
    game : sequence of LogEntry
    log : Path
        The file it is from, for titles and errors.
    agent : Agent
        Who judges.
    spec : str
        How the agent was named.
    seats : sequence of int or None
        Whose decisions; ``None`` for every seat whose hand is open.
    rules : Rules
    step : callable
        Called after every entry of the log.

    Raises
    ------
    UsageError
        If the hand of one of the seats is hidden.
    LogError
        If an event is impossible after the previous ones; the message names ``log``.
    """
    source = str(log)
    entries = annotate(game, agent, seats, source=source, rules=rules, step=step)
    shown = None if seats is None else seats[0]
    data = page_data(entries, source=source, title=log.name, seat=shown, rules=rules)
    seats_judged = [seat for seat in range(4) if data["open"][seat]] if seats is None else seats
    data["review"] = summarize(data, seats_judged, spec, shown, rated=_is_comparable(agent))
    data["seat"] = data["review"]["open"]
    return entries, data


def _is_comparable(agent: Agent) -> bool:
    """Return whether an agent values options by what counted for strong players: the usual policy and uma."""
    settings, usual = getattr(agent, "settings", None), Settings()
    if not isinstance(settings, Settings):
        return False
    return (settings.policy, settings.uma) == (usual.policy, usual.uma)
