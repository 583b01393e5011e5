"""One conversation with a host, without I/O: a line goes in; a line, a turn to think, or nothing comes out.

The dialect determines what is answered and how, the agent what is chosen. The session guards between them: no
reply leaves it that is not in our legal set and, if the host gives one, in the host's.

Bad input (not JSON, an unknown type, a missing field, an impossible event) is reported with its line number
and the reason. A strict session then raises the error. Any other session continues: if every line must be
answered, it sends the safest answer possible without understanding the line, otherwise nothing. After an
impossible event, unless that merely repeats the previous line, we must have missed something, and our view of
the hand may be wrong. Until the next round the session then bases its answers on the current line alone
(which is not necessary if the host's requests list the legal moves).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from pydantic_core import to_json

from manue.agents.base import Agent, Decision
from manue.as_text import counted
from manue.errors import EventError, ProtocolError, ThreePlayersError, UsageError
from manue.foreign import printable
from manue.game.actions import Action, Discard
from manue.game.events import Event, GameEnd, GameStart, RoundEnd, RoundStart, with_given
from manue.protocol.akagi import card_of, riichi_tile
from manue.protocol.annotation import annotation_of
from manue.protocol.codec import Fields, action_to_fields, allowed_by_host, game_start, message_to_event
from manue.protocol.dialect import DEFAULT_ROOM, DIALECTS, Dialect
from manue.protocol.fields import HIDDEN
from manue.protocol.messages import (
    ActionAck,
    Dora,
    Failure,
    Hello,
    Incoming,
    Reach,
    ReachAccepted,
    RequestAction,
    StartGame,
    Taken,
    Tsumo,
    ValidationResult,
)
from manue.protocol.mortal import last_line, mortal_meta
from manue.protocol.parsing import parse_array, parse_message, parse_value
from manue.protocol.seen_game import SeenGame
from manue.protocol.turn import Turn, safest_offered, seconds_allowed
from manue.rules import TENHOU, Rules, stated_name
from manue.tiles import Seat

OLDEST_VERSION = 2
"""Oldest version of the TCP protocol that we accept."""
_FRAMES = {"{": "object", b"{": "object", "[": "array", b"[": "array"}
"""What a line holds, by how it begins."""
MARGIN = 0.25
"""Thinking ends this many seconds before the host's deadline, or at half of a shorter one."""


class Session:
    """One conversation with a host.

    Parameters
    ----------
    agent : Agent
    dialect : Dialect
    seat : int or None
        The seat given by the user, if any.
    name, room : str
        For joining a room.
    token : str or None
        Sent along where the host asks for one.
    rules : Rules
    last_round : int or None
        The last planned round given by the user, counted like `manue.rules.Rules.last_round`; by default as
        the host says, else as in the rules.
    complain : callable
        Called with one readable line about anything that goes wrong.
    inform : callable
        Called with one readable line at the start of every round and at the end of the game.
    strict : bool
        Whether bad input ends the conversation.

    Attributes
    ----------
    over : bool
        The conversation is finished.
    failure : str or None
        Why the conversation ended with an error, in one line.
    games : int
        Number of games that have ended.
    in_game : bool
        Between ``start_game`` and ``end_game``.
    verdict : ValidationResult or None
        The result of a validation game.
    """

    def __init__(
        self,
        agent: Agent,
        dialect: Dialect,
        *,
        complain: Callable[[str], None],
        inform: Callable[[str], None] = lambda _: None,
        seat: Seat | None = None,
        name: str = "manue",
        room: str = DEFAULT_ROOM,
        token: str | None = None,
        rules: Rules = TENHOU,
        last_round: int | None = None,
        strict: bool = False,
    ) -> None:
        self.agent = agent
        self.dialect = dialect
        self.given_seat = seat
        self.name = name
        self.room = room
        self.token = token
        self.rules = rules if last_round is None else replace(rules, last_round=last_round)
        self.given = GameStart(rules=stated_name(rules), last_round=last_round)
        self.strict = strict
        self.over = False
        self.in_game = False
        self.failure: str | None = None
        self.verdict: ValidationResult | None = None
        self.games = 0
        self._complain = complain
        self._inform = inform
        self._game = SeenGame(agent, self.rules, strict=strict)
        self._actions: tuple[Action, ...] = ()
        self._lines = 0
        self._last_line: str | bytes = ""
        self._last_reply: str | None = None
        self._turn: Turn | None = None
        self._thinking: set[Turn] = set()
        self._newest_request: int | None = None
        self._adrift = False

    @property
    def seat(self) -> Seat | None:
        """The seat in this game, or the one given if none has begun; ``None`` if neither is known."""
        return self.given_seat if self._game.player is None else self._game.player.state.seat

    # ---- input

    def receive(self, line: str | bytes) -> str | Turn | None:
        """Process a line; return the reply, a turn for `answer` or `fall_back`, or ``None``.

        Raises
        ------
        ProtocolError, EventError
            On bad input, if the session is strict.
        ThreePlayersError
            At the start of a three-player game, strict or not.
        UsageError
            If neither the host nor the user gives the seat.
        """
        self._lines += 1
        if not line.strip():
            return None
        again = line == self._last_line
        self._last_line = line
        return self._answer_to(line, again=again)

    def respond(self, line: str | bytes) -> str | None:
        """Process a line and think at once, without a transport or a clock; raises like `receive`."""
        answer = self.receive(line)
        if isinstance(answer, Turn):
            return self.answer(answer, answer.think())
        return answer

    def _answer_to(self, line: str | bytes, *, again: bool) -> str | Turn | None:
        actions: tuple[Action, ...] = ()
        message: Incoming | None = None
        trouble = False
        for parse in self._parts(line):
            offered = actions
            message, actions, trouble = None, (), False
            try:
                message = parse()
                actions = self._take(message)
                if _is_between(message):
                    actions = actions or offered
            except (ProtocolError, EventError) as error:
                drifting = not again and isinstance(error, EventError)
                if drifting:
                    self._actions = ()  # a later request is not about these
                self._report(error, drifting=drifting)
                trouble = True
        if self.dialect.replies == "requests":
            return self._requested(message) if isinstance(message, RequestAction) else None
        if again and trouble:
            return self._last_reply if self.dialect.replies == "every" else None
        if trouble or self._adrift:
            return self._blind_reply(message)
        if isinstance(message, Hello) and not self.over:
            self._inform(waiting_as(f"joining as {self.name}", message.waiting_for or 1))
            return self._join()
        if message is not None and actions and message.can_act is not False:
            return self._new_turn(actions, self.dialect.seconds)
        return self._nothing()

    def _parts(self, line: str | bytes) -> Sequence[Callable[[], Incoming]]:
        """Split a line into its messages, each still to be parsed."""
        if self.dialect.frame == "object":
            return (partial(parse_message, line),)
        try:
            return [partial(parse_value, value) for value in parse_array(line)]
        except ProtocolError as error:
            self._report(error)
            return ()

    def _report(self, error: ProtocolError | EventError, *, drifting: bool = False) -> None:
        if isinstance(error, ThreePlayersError):
            raise error  # nothing that follows can be played
        reason = f"line {self._lines}: {error}{self._other_framing()}"
        if self.strict:
            raise type(error)(reason) from error
        if drifting and not self._adrift and self.dialect.replies != "requests":
            self._adrift = True
            reason += "; answering without a view of the round until the next one"
        self._complain(reason)

    def _other_framing(self) -> str:
        """Return which dialects read lines like the last one, if it is not framed as in ours."""
        frame = _FRAMES.get(self._last_line.lstrip()[:1])
        if frame is None or frame == self.dialect.frame or self.dialect.name not in DIALECTS:
            return ""
        others = [one for one in DIALECTS.values() if one.transport == self.dialect.transport]
        names = [one.name for one in others if one.frame == frame]
        return f"; for such lines: --dialect {' or '.join(names)}" if names else ""

    def _take(self, message: Incoming) -> tuple[Action, ...]:
        """Process one message and return the actions that may be chosen now."""
        match message:
            case StartGame():
                self._start_game(message)
                return ()
            case Hello(protocol_version=int(version)) if version < OLDEST_VERSION:
                self._fail(
                    f"the host speaks version {version} of the protocol; {OLDEST_VERSION} or later is needed"
                )
            case Failure() if self.in_game and self.dialect.replies == "requests":
                self._complain(f"line {self._lines}: the host reports an error: {_reason(message)}")
            case Failure():
                did = "ended the game" if self.in_game or self.games else "refused this player"
                self._fail(f"the host {did}: {_reason(message)}")
            case ActionAck():
                self._acknowledged(message)
            case ValidationResult():
                self.verdict = message
        event = message_to_event(message)
        return () if event is None else self._observe(message, event)

    def _start_game(self, message: StartGame) -> None:
        by_host, by_user = message.id, self.given_seat
        first, second = (by_host, by_user) if self.dialect.seat_from == "host" else (by_user, by_host)
        seat = first if first is not None else second
        if self.dialect.seat_from != "host" and None not in {by_host, by_user} and by_host != by_user:
            self._complain(
                f"line {self._lines}: the host says seat {by_host}; seat {by_user} was given and is played"
            )
        self._game.begin(with_given(replace(game_start(message), seat=seat), self.given))
        self._turn, self._newest_request, self._actions = None, None, ()
        self._adrift = False
        self.in_game = True

    def _observe(self, message: Incoming, event: Event) -> tuple[Action, ...]:
        game = self._game
        if game.player is None:
            if self.given_seat is None:
                raise UsageError("the host does not give our seat: set it with --id 0..3")
            game.sit_down(self.given_seat)
        if not self.strict and game.repeats_riichi(event):
            # Reported when the host's button was pressed, and again as it happened.
            return self._actions if game.events[-1:] == [event] else ()
        if self._thinking:
            game.fork_player()
            self._thinking.clear()
        actions = game.observe(event)
        self._follow(event)
        actions = allowed_by_host(message, actions) or actions
        if actions or not _is_between(message):
            self._actions = actions
        return actions

    def _follow(self, event: Event) -> None:
        """Begin or end what lasts for a round or a game."""
        if isinstance(event, RoundEnd | GameEnd):
            self._turn = None
        if isinstance(event, RoundStart):
            self._adrift = False
            place = f"{event.round_wind}{event.number}, {event.honba} honba"
            self._inform(f"{place}: {self._points()}")
        if isinstance(event, GameEnd):
            self._inform(f"game over: {self._points()}")
            self.games += 1
            self.in_game = False
            self.over = self.dialect.one_game

    def _points(self) -> str:
        """Return the points by seat as text, ours in brackets."""
        scores = [] if self._game.player is None else self._game.player.state.scores
        return " ".join(
            f"[{score}]" if seat == self.seat else str(score) for seat, score in enumerate(scores)
        )

    def _fail(self, reason: str) -> None:
        self.failure = reason
        self.over = True
        self._turn = None

    # ---- requests

    def _requested(self, request: RequestAction) -> str | Turn | None:
        number = request.request_id
        if number is not None:
            if self._newest_request is not None and number <= self._newest_request:
                return None  # repeated or older: already answered, or being answered
            self._newest_request = number
        offered = request.possible_actions
        actions = allowed_by_host(request, self._actions)
        if actions:
            deadline = seconds_allowed(request.time)
            if deadline is None:
                return self._new_turn(actions, self.dialect.seconds, request_id=number)
            return self._new_turn(actions, max(deadline - MARGIN, deadline / 2), deadline, number)
        self._turn = None
        self._complain(f"line {self._lines}: asked for a move when we have none")
        return self._reply(safest_offered(offered), number) if offered else None

    def _acknowledged(self, ack: ActionAck) -> None:
        if ack.status == "accepted":
            return
        status, why = printable(ack.status, 40), printable(ack.reason or ack.message or "")
        self._complain(f"line {self._lines}: request {ack.request_id}: {status} {why}".rstrip())
        if self._turn is not None and ack.request_id == self._turn.request_id:
            self._turn = None

    # ---- output

    def answer(self, turn: Turn, decision: Decision) -> str | None:
        """Return the reply that carries out a decision; ``None`` if the turn has passed."""
        self._thinking.discard(turn)
        if turn is not self._turn:
            return None
        if decision.action not in turn.actions:
            return self.fall_back(turn, f"{decision.action} is not among {turn.actions}")
        seat = turn.player.state.seat
        fields = action_to_fields(decision.action, seat)
        if self.dialect.annotated and decision.reports:
            logs, meta = annotation_of({seat: decision})
            card = {"show": card_of(decision)} if self.dialect.with_card else {}
            fields |= riichi_tile(decision) if self.dialect.with_card else {}
            fields |= {"log": logs[seat], "meta": {**(meta[seat] or {}), **card}}
        if self.dialect.as_mortal:
            ours = fields.get("meta", {})
            fields["meta"] = ours | mortal_meta(decision, turn.actions, turn.player.state)
        line = self._reply(fields, turn.request_id)
        self._turn = None  # not before: a decision that cannot be written is one to fall back from
        return line

    def last_line(self) -> str | None:
        """Return what is said when the host has closed its side."""
        if not self.dialect.as_mortal:
            return None
        rules = self.rules if self._game.player is None else self._game.player.state.rules
        return self._reply(last_line(self._game.rounds, self.agent.name, rules.last_round))

    def fall_back(self, turn: Turn, reason: str) -> str | None:
        """Return a reply without thinking, and report the reason; ``None`` if the turn has passed."""
        if turn is not self._turn:
            return None
        self._turn = None
        action = turn.fallback()
        self._complain(f"line {self._lines}: {reason}; answering {action.label}")
        return self._reply(action_to_fields(action, turn.player.state.seat), turn.request_id)

    def withdraw(self, turn: Turn, reason: str) -> None:
        """Give up a turn whose answer would come too late for the host, and report the reason."""
        if turn is self._turn:
            self._turn = None
            self._complain(f"line {self._lines}: {reason}; not answering")

    def is_open(self, turn: Turn) -> bool:
        """Return whether an answer to this turn is still expected."""
        return turn is self._turn

    def position(self) -> list[Event]:
        """Return the start of the game and the events of the round so far, as our seat saw them."""
        return list(self._game.events)

    def _new_turn(
        self,
        actions: tuple[Action, ...],
        seconds: float | None,
        deadline: float | None = None,
        request_id: int | None = None,
    ) -> Turn:
        player = self._game.player
        assert player is not None  # noqa: S101  whoever has actions has a seat
        self._turn = Turn(player, actions, seconds, deadline, request_id)
        self._thinking.add(self._turn)
        return self._turn

    def _blind_reply(self, message: Incoming | None) -> str | None:
        """Answer our turn without knowing the round: discard the drawn tile, or one that is not forbidden."""
        player = self._game.player
        if (
            player is None
            or not isinstance(message, Tsumo | Taken | Reach)
            or message.actor != player.state.seat
            or message.can_act is False
        ):
            return self._nothing()
        if isinstance(message, Tsumo):
            if message.pai == HIDDEN:
                return self._nothing()
            return self._reply(action_to_fields(Discard(message.pai, from_draw=True), message.actor))
        banned = message.cannot_dahai or ()
        left = [tile for tile in reversed(player.state.hand) if tile not in banned]
        if not left:
            return self._nothing()
        drawn = isinstance(message, Reach) and left[0] == player.state.drawn
        return self._reply(action_to_fields(Discard(left[0], from_draw=drawn), message.actor))

    def _join(self) -> str:
        fields: Fields = {"type": "join", "name": self.name, "room": self.room}
        return self._reply(fields if self.token is None else fields | {"token": self.token})

    def _nothing(self) -> str | None:
        return self._reply({"type": "none"}) if self.dialect.replies == "every" else None

    def _reply(self, fields: Fields, request_id: int | None = None) -> str:
        if request_id is not None:
            fields = fields | {"request_id": request_id}
        self._last_reply = to_json(fields, inf_nan_mode="null").decode()
        return self._last_reply


def _is_between(message: Incoming) -> bool:
    """Return whether a message may come between a discard and its answer: an indicator, a riichi's stick."""
    return isinstance(message, Dora | ReachAccepted)


def _reason(failure: Failure) -> str:
    return printable(failure.words) or "no reason given"


def waiting_as(who: str, missing: int) -> str:
    """Return a line that says who we are at a table and what we wait for.

    Parameters
    ----------
    who : str
        Such as ``joined as manue``.
    missing : int
        Clients that the table needs to begin, ourselves included.
    """
    others = "the game to begin" if missing == 1 else counted(missing - 1, "more client")
    return f"{who}, waiting for {others}"
