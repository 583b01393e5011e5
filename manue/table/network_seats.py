"""Seats played over the network: TCP as the original server speaks it, WebSocket with numbered requests."""

import contextlib
import json
import time
from collections.abc import Sequence
from typing import Protocol

from pydantic_core import from_json, to_json

from manue.errors import ProtocolError, SeatFault
from manue.foreign import printable
from manue.protocol.codec import Fields
from manue.protocol.messages import Choice
from manue.protocol.parsing import parse_choice
from manue.rules import Rules
from manue.table.line_channel import LineChannel
from manue.table.lines import answer_of, encoded, read_choices
from manue.table.mjai_ruby import MjaiRubyView
from manue.table.referee import Referee, masked
from manue.table.seats import Answer, SeatPlayer, StandIn, TableEvent, acts_for, is_robbed_late
from manue.table.thinking_time import ByoYomi, Limits, ThinkingClock
from manue.tiles import Seat

CLOSE_SECONDS = 1.0
"""How long sending a last error line may take, and the answer to the last line of a game."""
MAX_STRAY_FRAMES = 100
"""Frames with a wrong request number that are tolerated during one request."""


def send_error(channel: LineChannel, text: str) -> None:
    """Send an error line, if the other end still reads, and close the channel."""
    try:
        channel.send(encoded({"type": "error", "message": text}), time.monotonic() + CLOSE_SECONDS)
    except SeatFault:
        pass  # it is gone already
    finally:
        channel.close()


class TcpSeat(SeatPlayer):
    """A client of the original server's protocol: it receives every event and answers every line.

    A kan that an indicator follows is offered with the line of the kan, and may be robbed there.

    Parameters
    ----------
    seat : int
    channel : LineChannel
        Past the handshake; the seat owns it.
    rules : Rules
    limits : Limits
    """

    def __init__(self, seat: Seat, channel: LineChannel, rules: Rules, limits: Limits) -> None:
        self._seat = seat
        self._channel = channel
        self._view = MjaiRubyView(seat, rules)
        self._clock = ThinkingClock(limits)
        self._open_until: float | None = None  # once the game is over: how long its last line may be answered

    def observe(self, events: Sequence[TableEvent], *, asked: bool) -> Answer | None:
        """Send every event and read every answer; return the one that is asked for."""
        answer: Answer | None = None
        unasked = len(events) - (2 if is_robbed_late(events) else 1)
        for at, item in enumerate(events):
            deadline = self._clock.ask()
            self._channel.send(encoded(self._view.message_for(item)), deadline)
            if item.message["type"] == "end_game":
                self._open_until = time.monotonic() + CLOSE_SECONDS
                return None
            said = self._answer(deadline)
            if not asked or at < unasked:
                _expect_none(said.reply)
            if answer is None or answer.reply["type"] == "none":
                answer = said
        return answer if asked else None

    def refuse(self, fault: SeatFault) -> None:
        """Send the client why it loses its seat, if it still reads."""
        if fault.kind != "died":
            send_error(self._channel, f"Error in player {self._seat}'s response: {printable(fault.reason)}")

    def close(self) -> None:
        """Close the connection; at the end of a game first wait for the answer to its last line.

        It may not come, but if it found the connection closed, that would be an error to the client.
        """
        if self._open_until is not None:
            with contextlib.suppress(SeatFault):
                self._channel.receive(self._open_until)
        self._channel.close()

    def _answer(self, deadline: float) -> Answer:
        choices = read_choices(self._channel.receive(deadline))
        if len(choices) != 1:
            raise SeatFault("unreadable", "not exactly one object on a line")
        return answer_of(choices[0], self._clock.answered())


def _expect_none(reply: Fields) -> None:
    if reply["type"] != "none":
        raise SeatFault("illegal", f"{json.dumps(reply)} where there was no choice")


class Frames(Protocol):
    """Text frames in both directions, with time limits."""

    def send(self, text: str) -> None:
        """Send a frame; raises SeatFault if the client is gone or does not read."""
        ...

    def receive(self, seconds: float) -> str | bytes | None:
        """Return the next frame, ``None`` if none arrives in time; raises SeatFault if the client is gone."""
        ...

    def close(self) -> None:
        """Hang up."""
        ...


class WebSocketSeat(SeatPlayer):
    """A client that receives events and answers requests.

    A request that is not answered in time gets a default answer (``defaulted``): the drawn tile, or a pass.
    An illegal answer (``rejected``) or an unreadable one (``unparseable``) costs the client its seat.

    Parameters
    ----------
    seat : int
    frames : Frames
    times : ByoYomi
    referee : Referee
        The referee of the game: it supplies the legal moves that a request lists.
    """

    def __init__(self, seat: Seat, frames: Frames, times: ByoYomi, referee: Referee) -> None:
        self._seat = seat
        self._frames = frames
        self._times = times
        self._referee = referee
        self._stand_in = StandIn(seat, referee)
        self._bank = times.bank
        self._request = 0

    def observe(self, events: Sequence[TableEvent], *, asked: bool) -> Answer | None:
        """Push every event; request an answer if the seat has a choice."""
        for item in events:
            if item.message["type"] == "start_kyoku":
                self._bank = self._times.bank
            self._push(masked(item.message, self._seat))
        default = self._stand_in.observe(events, asked=asked)
        return None if default is None else self._ask(default.reply)

    def close(self) -> None:
        """Hang up."""
        self._frames.close()

    def _push(self, message: Fields) -> None:
        self._frames.send(to_json(message).decode())

    def _ask(self, default: Fields) -> Answer:
        self._request += 1
        grace, bank = round(self._times.grace * 1000), round(self._bank * 1000)
        legal = self._referee.legal(self._seat)
        self._push(
            {
                "type": "request_action",
                "request_id": self._request,
                "time": {"grace_ms": grace, "bank_ms": bank, "deadline_ms": grace + bank},
                "possible_actions": [from_json(line) for line in dict.fromkeys(map(to_json, legal))],
                "observation": self._referee.observation(self._seat),
            }
        )
        asked_at = time.monotonic()
        choice = self._await_choice(asked_at + self._times.grace + self._bank)
        elapsed = time.monotonic() - asked_at
        used = max(0.0, elapsed - self._times.grace)
        self._bank = 0.0 if choice is None else max(0.0, self._bank - used)
        if choice is None:
            self._acknowledge("defaulted", elapsed, used, action=default)
            return Answer(default, elapsed * 1000, log="out of time")
        answer = answer_of(choice, elapsed * 1000)
        if not acts_for(self._seat, answer.reply) or not self._referee.is_legal(self._seat, answer.reply):
            self._acknowledge("rejected", elapsed, used, attempted=answer.reply)
            raise SeatFault("illegal", f"{json.dumps(answer.reply)} is not allowed")
        self._acknowledge("accepted", elapsed, used)
        return answer

    def _await_choice(self, deadline: float) -> Choice | None:
        for _ in range(MAX_STRAY_FRAMES):
            left = deadline - time.monotonic()
            frame = self._frames.receive(left) if left > 0 else None
            if frame is None:
                return None
            try:
                choice = parse_choice(frame)
            except ProtocolError as error:
                self._acknowledge("unparseable", message=str(error))
                raise SeatFault("unreadable", str(error)) from error
            if choice.request_id in (None, self._request):
                return choice
            if choice.request_id > self._request:
                self._acknowledge("unparseable", message="no such request")
                raise SeatFault("unreadable", f"an answer to request {choice.request_id}, which was not made")
            self._acknowledge("stale", request=choice.request_id)
        raise SeatFault("unreadable", f"{MAX_STRAY_FRAMES} frames without an answer to the open request")

    def _acknowledge(
        self,
        status: str,
        elapsed: float = 0.0,
        used: float = 0.0,
        request: int | None = None,
        **more: object,
    ) -> None:
        self._push(
            {
                "type": "action_ack",
                "request_id": self._request if request is None else request,
                "status": status,
                "elapsed_ms": round(elapsed * 1000),
                "bank_consumed_ms": round(used * 1000),
                "bank_ms": round(self._bank * 1000),
                **more,
            }
        )
