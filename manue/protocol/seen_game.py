"""The game as our seat has seen it, with what hosts report wrongly put right."""

from manue.agents.base import Agent
from manue.errors import EventError
from manue.game.actions import Action
from manue.game.events import Event, GameEnd, GameStart, RiichiDeclared, RoundStart
from manue.game.state import RoundState
from manue.player import Player
from manue.protocol.corrections import corrected, first_draw_left_out, riichi_was_not_made
from manue.protocol.parsing import MAX_EVENTS
from manue.rules import Rules
from manue.tiles import Seat


class SeenGame:
    """What our seat has seen of a game.

    Parameters
    ----------
    agent : Agent
    rules : Rules
    strict : bool
        Whether events are taken as they are reported; nothing is put right then.

    Attributes
    ----------
    player : Player or None
        Our seat; ``None`` as long as it is not known which.
    events : list of Event
        The start of the game and the events of the round so far.
    rounds : list of RoundStart
        The beginnings of the rounds of this game.
    """

    def __init__(self, agent: Agent, rules: Rules, *, strict: bool) -> None:
        self.player: Player | None = None
        self.events: list[Event] = []
        self.rounds: list[RoundStart] = []
        self._agent = agent
        self._rules = rules
        self._strict = strict

    def begin(self, start: GameStart) -> None:
        """Begin a game, in its seat if the start names one."""
        self.player = None
        self.events, self.rounds = [start], []
        if start.seat is not None:
            self.sit_down(start.seat).observe(start)

    def sit_down(self, seat: Seat) -> Player:
        """Return a player for a seat, who has seen nothing yet."""
        self.player = Player(seat, self._agent, self._rules)
        return self.player

    def fork_player(self) -> None:
        """Go on with a copy of the player, so that an agent may still think about the one so far."""
        if self.player is not None:
            self.player = self.player.fork()

    def repeats_riichi(self, event: Event) -> bool:
        """Return whether an event declares a riichi that has been declared already."""
        if self.player is None or not isinstance(event, RiichiDeclared):
            return False
        return self.player.state.players[event.actor].riichi

    def observe(self, event: Event) -> tuple[Action, ...]:
        """Process an event, once there is a player, and return the actions that may be chosen.

        Raises
        ------
        EventError
            If the event is impossible, or one too many for a round.
        """
        if len(self.events) >= MAX_EVENTS and not isinstance(event, RoundStart | GameEnd):
            raise EventError(f"more than {MAX_EVENTS} events in one round")
        if not self._strict:
            event = self._put_right(event)
        return self._take(event)

    def _put_right(self, event: Event) -> Event:
        """Return an event as it must have been, after putting right what was left out or did not happen."""
        if riichi_was_not_made(event, self._state()):
            self._forget_riichi()
        left_out = first_draw_left_out(self.events[-1:], event, self._state().seat)
        if left_out is not None:
            self._take(left_out)
        return corrected(event, self._state())

    def _forget_riichi(self) -> None:
        """Go on with a player that has seen the round so far without a riichi of ours."""
        before = self._state()
        self.events.remove(RiichiDeclared(before.seat))
        again = self.sit_down(before.seat)
        for event in self.events:
            again.observe(event)
        # the round may have begun without points, which earlier rounds had given; the stick is not paid yet
        again.state.scores, again.state.total_points = list(before.scores), before.total_points

    def _take(self, event: Event) -> tuple[Action, ...]:
        assert self.player is not None  # noqa: S101  events are observed from a seat
        actions = self.player.observe(event)
        if isinstance(event, RoundStart):
            self.rounds.append(event)
        if isinstance(event, RoundStart | GameEnd):
            self.events = [seen for seen in self.events if isinstance(seen, GameStart)]
        self.events.append(event)
        return actions

    def _state(self) -> RoundState:
        assert self.player is not None  # noqa: S101  events are observed from a seat
        return self.player.state
