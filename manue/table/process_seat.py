"""Seats played by separate programs that speak Mjai over standard input and output."""

import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic_core import to_json

from manue import process_groups
from manue.errors import ProtocolError, UsageError
from manue.protocol.annotation import KEY
from manue.protocol.messages import Choice, parse_array, parse_choice, parse_choice_value
from manue.table.line_channel import FileChannel, LineChannel
from manue.table.referee import Message, masked
from manue.table.seats import Answer, SeatFault, TableEvent
from manue.tiles import Seat

BotFraming = Literal["cmd", "cmd-each", "cmd-array"]
"""What a program receives, and what it answers.

``cmd``: one event per line, answered only when there is a choice; all others carry ``"can_act":false``.
``cmd-each``: one event per line, every line answered.
``cmd-array``: arrays of the events up to the next choice, every array answered.
"""
_ENDS = {"start_game", "end_kyoku", "end_game"}
_EXIT_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Time limits of players that are not built in, in seconds."""

    decision: float = 10.0
    game: float = 1800.0  # all decisions of a game together
    start: float = 60.0  # for the first answer of a game: programs load their models
    strikes: int = 3  # the late answer at which a program loses its seat for the rest of the game


def encoded(message: Message) -> bytes:
    """Return a message as a line of JSON, including its LF."""
    return to_json(message) + b"\n"


def read_choices(line: bytes) -> list[Choice]:
    """Parse a reply: one object, or an array of a move and its follow-up discard.

    Raises
    ------
    SeatFault
        ``unreadable``.
    """
    try:
        if line.lstrip().startswith(b"["):
            return [parse_choice_value(value) for value in parse_array(line)]
        return [parse_choice(line)]
    except ProtocolError as error:
        raise SeatFault("unreadable", str(error)) from error


def answer_of(choice: Choice, elapsed_ms: float) -> Answer:
    """Return a parsed reply as an `Answer`."""
    reply = choice.model_dump(exclude_none=True, exclude={"log", "meta", "request_id"})
    meta = choice.meta if isinstance(choice.meta, dict) else {}
    meta = {name: value for name, value in meta.items() if name != KEY}  # only we write under our key
    return Answer(reply, elapsed_ms, log=choice.log, meta=meta or None)


class ThinkingClock:
    """Deadlines of one player in one game.

    Parameters
    ----------
    limits : Limits
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._left = limits.game
        self._answered = False
        self._asked_at = 0.0
        self.limit = ""

    def ask(self) -> float:
        """Start the clock and return the deadline, a value of ``time.monotonic()``."""
        self._asked_at = time.monotonic()
        first = not self._answered and self._limits.start > self._limits.decision
        allowed, option = (self._limits.start, "start") if first else (self._limits.decision, "decision")
        if self._left < allowed:
            allowed, option = self._left, "game"
        self.limit = f"{getattr(self._limits, option):g} s (--{option}-seconds)"
        return self._asked_at + allowed

    def answered(self) -> float:
        """Stop the clock and return the time taken, in milliseconds."""
        self._answered = True
        elapsed = time.monotonic() - self._asked_at
        self._left = max(0.0, self._left - elapsed)
        return elapsed * 1000


class ProcessSeat:
    """A program started to play one game in a seat.

    Parameters
    ----------
    seat : int
    framing : {"cmd", "cmd-each", "cmd-array"}
    command : str
        Program and arguments, split as a shell would; ``{seat}`` is replaced by the seat.
    limits : Limits

    Raises
    ------
    UsageError
        If there is no such program.
    """

    def __init__(self, seat: Seat, framing: BotFraming, command: str, limits: Limits) -> None:
        self._seat = seat
        self._framing = framing
        self._clock = ThinkingClock(limits)
        self._pending: list[Message] = []
        self._follow_up: Choice | None = None
        self._strikes = limits.strikes
        self._owed = 0  # answers that came too late, or are still to come
        self._in_step = True
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the seat
        try:
            self._process = subprocess.Popen(  # noqa: S603 - running the user's program is the point
                split_command(command, seat),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            self._stderr.close()
            raise UsageError(f"cannot start {command!r}: {error.strerror}") from error
        process_groups.note(self._process.pid)
        self._channel = _channel_to(self._process)

    def observe(self, events: Sequence[TableEvent], *, asked: bool) -> Answer | None:
        """Send the events to the program; return its answer if asked."""
        try:
            if self._framing == "cmd-array":
                return self._in_arrays(events, asked=asked)
            return self._in_lines(events, asked=asked)
        except SeatFault as fault:
            if fault.kind == "late":
                self._strikes -= 1
                raise SeatFault("late", f"{fault.reason}: no answer within {self._clock.limit}") from fault
            if fault.kind != "died":
                raise
            raise SeatFault("died", f"{fault.reason}; {self._cause_of_death()}") from fault

    def plays_on(self, fault: SeatFault) -> bool:
        """Return whether the program keeps its seat: it was late, is alive, follows, has a strike left."""
        return fault.kind == "late" and self._strikes > 0 and self._in_step and self._process.poll() is None

    def close(self) -> None:
        """Close the program's input, and kill what is left of it and its descendants after two seconds."""
        self._channel.close()
        try:
            self._process.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            pass  # it had its time
        finally:
            process_groups.kill(self._process.pid)
            self._process.wait()
            self._stderr.close()

    def _in_lines(self, events: Sequence[TableEvent], *, asked: bool) -> Answer | None:
        answer, late = None, None
        for item in events:
            last = asked and item is events[-1]
            message = masked(item.message, self._seat)
            if self._framing == "cmd" and not last:
                message = {**message, "can_act": False}
            if last and self._follow_up is not None and _is_own(item.message, self._seat):
                # akochan sent this discard together with the call and is silent now
                choice, self._follow_up = self._follow_up, None
                self._send(encoded(message), self._clock.ask())
                return answer_of(choice, 0.0)
            deadline = self._clock.ask()
            self._send(encoded(message), deadline)
            if not last and self._framing != "cmd-each":
                continue
            if late is not None:
                self._owed += 1  # it is sent the rest, so that it can follow; nobody waits for the answers
                continue
            try:
                answer = self._read(deadline)
            except SeatFault as fault:
                if fault.kind != "late":
                    raise
                late = fault
        if late is not None:
            raise late
        return answer if asked else None

    def _send(self, line: bytes, deadline: float) -> None:
        try:
            self._channel.send(line, deadline)
        except SeatFault:
            self._in_step = False  # half a line may have gone
            raise

    def _in_arrays(self, events: Sequence[TableEvent], *, asked: bool) -> Answer | None:
        answer = None
        for item in events:
            self._pending.append(masked(item.message, self._seat))
            if item.message["type"] in _ENDS or (asked and item is events[-1]):
                deadline = self._clock.ask()
                frame = to_json(self._pending) + b"\n"
                self._pending = []
                self._send(frame, deadline)
                answer = self._read(deadline)
        return answer if asked else None

    def _read(self, deadline: float) -> Answer:
        choices = read_choices(self._receive(deadline))
        if not 1 <= len(choices) <= 2:
            raise SeatFault("unreadable", f"an array of {len(choices)} moves")
        self._follow_up = choices[1] if len(choices) == 2 else None
        return answer_of(choices[0], self._clock.answered())

    def _receive(self, deadline: float) -> bytes:
        """Return the answer to the last line, past those that were too late."""
        self._owed += 1
        try:
            while True:
                line = self._channel.receive(deadline)
                self._owed -= 1
                if not self._owed:
                    return line
        except SeatFault as fault:
            if fault.kind == "late":
                self._clock.answered()
            raise

    def _cause_of_death(self) -> str:
        try:
            code = f"exit code {self._process.wait(_EXIT_SECONDS)}"
        except subprocess.TimeoutExpired:
            code = "still running"
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - 500))
        lines = self._stderr.read().decode(errors="replace").strip().splitlines()
        return f"{code}; {lines[-1]}" if lines else code


def split_command(command: str, seat: Seat) -> list[str]:
    """Split a command as a shell would, with ``{seat}`` filled in.

    Raises
    ------
    UsageError
        If the command is empty or has an unclosed quote.
    """
    try:
        words = shlex.split(command.replace("{seat}", str(seat)))
    except ValueError as error:
        raise UsageError(f"cannot read the command {command!r}: {error}") from error
    if not words:
        raise UsageError("a cmd: seat must name a program")
    return words


def _channel_to(process: "subprocess.Popen[bytes]") -> LineChannel:
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("the program was started without pipes")
    channel = FileChannel(os.dup(process.stdout.fileno()), os.dup(process.stdin.fileno()))
    process.stdin.close()
    process.stdout.close()
    return channel


def _is_own(message: Message, seat: Seat) -> bool:
    return message["type"] in {"reach", "chi", "pon"} and message["actor"] == seat
