"""A game judged by an agent: its entries with annotations, and the data of its page with the review."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Judge:
    """Who judges which seats.

    Parameters
    ----------
    agent : Agent
    spec : str
        How the agent was named.
    seats : list of int or None
        ``None`` for every seat whose hand is open.
    step : callable, optional
        Called after every event.
    rules : Rules
    """

    agent: Agent
    spec: str
    seats: list[Seat] | None
    step: Callable[[], None] | None = None
    rules: Rules = TENHOU

    def reviewed(self, game: Sequence[LogEntry], log: Path) -> tuple[list[LogEntry], Json]:
        """Return a game's entries with annotations, and the data of its page, review included.

        Raises
        ------
        UsageError
            If the hand of one of the seats is hidden.
        LogError
            If an event is impossible after the previous ones; the message names ``log``.
        """
        source, seats = str(log), self.seats
        entries = annotate(
            game, self.agent, seats, source=source, rules=self.rules, progress=self._progressed
        )
        shown = None if seats is None else seats[0]
        data = page_data(entries, source=source, title=log.name, seat=shown, rules=self.rules)
        judged = [seat for seat in range(4) if data["open"][seat]] if seats is None else seats
        data["review"] = summarize(data, judged, self.spec, shown, rated=_rates(self.agent))
        data["seat"] = data["review"]["open"]
        return entries, data

    def _progressed(self, _done: int, _total: int) -> None:
        if self.step is not None:
            self.step()


def _rates(agent: Agent) -> bool:
    """Return whether an agent values options by what counted for strong players: the usual policy and uma."""
    settings, usual = getattr(agent, "settings", None), Settings()
    if not isinstance(settings, Settings):
        return False
    return (settings.policy, settings.uma) == (usual.policy, usual.uma)
