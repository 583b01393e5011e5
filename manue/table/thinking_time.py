"""How long players that are not built in may think, and the clock of each."""

import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Time limits of players that are not built in, in seconds."""

    decision: float = 10.0
    game: float = 1800.0  # all decisions of a game together
    start: float = 60.0  # for the first answer of a game: programs load their models
    strikes: int | None = 3  # late answers at which a program loses its seat for the game; None: never


@dataclass(frozen=True, slots=True)
class ByoYomi:
    """Thinking time over WebSocket, in seconds: for each request, and a bank refilled at every round."""

    grace: float = 3.0
    bank: float = 15.0


def option_of(limit: str) -> str:
    """Return the option that sets one of the `Limits`, by the name of its field."""
    return "--strikes" if limit == "strikes" else f"--{limit}-seconds"


class ThinkingClock:
    """Deadlines of one player in one game.

    Parameters
    ----------
    limits : Limits

    Attributes
    ----------
    limit : str
        The time for the answer last asked for, with the option that sets it: ``10 s (--decision-seconds)``.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._left = limits.game
        self._answered = False
        self._asked_at = 0.0
        self.limit = ""

    def ask(self) -> float:
        """Start the clock and return the deadline, a value of ``time.monotonic()``."""
        allowed, self.limit = self._allowed()
        self._asked_at = time.monotonic()
        return self._asked_at + allowed

    def _allowed(self) -> tuple[float, str]:
        """Return the seconds for the next answer, and the same in words."""
        limits = self._limits
        if self._answered or limits.start <= limits.decision:
            allowed, option = limits.decision, option_of("decision")
        else:
            allowed, option = limits.start, option_of("start")
        if self._left < allowed:
            left = f"the {round(self._left, 2):g} s left of {limits.game:g} s"
            return self._left, f"{left} ({option_of('game')})"
        return allowed, f"{allowed:g} s ({option})"

    def answered(self) -> float:
        """Stop the clock and return the time taken, in milliseconds."""
        self._answered = True
        elapsed = time.monotonic() - self._asked_at
        self._left = max(0.0, self._left - elapsed)
        return elapsed * 1000
