"""A decision that is due: who makes it, among what, in what time; and what is chosen without thinking."""

from collections.abc import Sequence
from dataclasses import dataclass

from manue.agents.base import Decision
from manue.game.actions import Action, Discard, Pass
from manue.player import Player
from manue.protocol.codec import Fields
from manue.protocol.messages import Choice, Clock


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A decision that is due.

    Parameters
    ----------
    player : Player
    actions : tuple of Action
        What may be chosen: legal by our rules and, if the host says so, by the host's.
    seconds : float or None
        Time to think, counted from the arrival of the line.
    deadline : float or None
        Time after which the host ignores an answer, counted from the arrival of the line.
    request_id : int or None
        The host's number for its request.
    """

    player: Player
    actions: tuple[Action, ...]
    seconds: float | None
    deadline: float | None = None
    request_id: int | None = None

    def think(self, left: float | None = None) -> Decision:
        """Let the agent choose within ``left`` seconds; may run in a thread while the session reads on."""
        return self.player.decide(self.actions, self.seconds if left is None else left)

    def fallback(self) -> Action:
        """Choose without thinking: the drawn tile, else pass, else any permitted discard."""

        def risk(action: Action) -> int:
            """Order what may be chosen, safest first."""
            if isinstance(action, Discard):
                return 0 if action.from_draw else 2
            return 1 if isinstance(action, Pass) else 3

        return min(self.actions, key=risk)


def safest_offered(offered: Sequence[Choice]) -> Fields:
    """Choose from a host's legal set, never empty, if ours is: the drawn tile, pass, a discard, anything."""

    def risk(choice: Choice) -> int:
        """Order what the host offers, safest first."""
        if choice.type == "dahai":
            return 0 if choice.tsumogiri else 2
        return 1 if choice.type == "none" else 3

    return min(offered, key=risk).model_dump(exclude_none=True, exclude={"log", "meta", "request_id"})


def seconds_allowed(clock: Clock | None) -> float | None:
    """Return the seconds until a host's deadline for a request, or ``None`` if it gives none."""
    if clock is None:
        return None
    if clock.deadline_ms is not None:
        return clock.deadline_ms / 1000
    if clock.grace_ms is not None:
        return (clock.grace_ms + (clock.bank_ms or 0.0)) / 1000
    return None
