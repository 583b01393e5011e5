"""Seats held by programs outside this process that speak Mjai over standard input and output."""

import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic_core import to_json

from manue.errors import ProtocolError, UsageError
from manue.protocol.messages import Choice, parse_array, parse_choice, parse_choice_value
from manue.table.line_channel import FileChannel, LineChannel
from manue.table.referee import Message, masked
from manue.table.seats import Answer, News, SeatFault
from manue.tiles import Seat

Dialect = Literal["cmd", "cmd-each", "cmd-array"]
"""Who is told and who answers what.

``cmd``: one event per line, an answer only when there is a choice; the others carry ``"can_act":false``.
``cmd-each``: one event per line, an answer to every line.
``cmd-array``: arrays of events up to the next choice, an answer to every array.
"""
DIALECTS: tuple[Dialect, ...] = ("cmd", "cmd-each", "cmd-array")
_ENDS = {"start_game", "end_kyoku", "end_game"}
_FAREWELL_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Time limits of players outside this process, in seconds."""

    decision: float = 10.0
    game: float = 1800.0  # of thinking, all decisions of a game together
    start: float = 60.0  # for the first answer of a game: programs load their models


def encoded(message: Message) -> bytes:
    """Return a message as its line."""
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
    """Return a choice as the table wants it."""
    reply = choice.model_dump(exclude_none=True, exclude={"log", "meta", "request_id"})
    meta = choice.meta if isinstance(choice.meta, dict) else None
    return Answer(reply, elapsed_ms, log=choice.log, meta=meta)


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

    def ask(self) -> float:
        """Start the clock; return the deadline."""
        self._asked_at = time.monotonic()
        allowed = self._limits.decision if self._answered else max(self._limits.start, self._limits.decision)
        return self._asked_at + min(allowed, self._left)

    def answered(self) -> float:
        """Stop the clock; return the time taken in ms."""
        self._answered = True
        elapsed = time.monotonic() - self._asked_at
        self._left = max(0.0, self._left - elapsed)
        return elapsed * 1000


class ProgramSeat:
    """A program in a seat, started for one game.

    Parameters
    ----------
    seat : int
    dialect : {"cmd", "cmd-each", "cmd-array"}
    command : str
        Program and arguments as a shell would split them; ``{seat}`` becomes the seat.
    limits : Limits

    Raises
    ------
    UsageError
        If there is no such program.
    """

    def __init__(self, seat: Seat, dialect: Dialect, command: str, limits: Limits) -> None:
        self._seat = seat
        self._dialect = dialect
        self._clock = ThinkingClock(limits)
        self._pending: list[Message] = []
        self._follow_up: Choice | None = None
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the seat
        try:
            self._process = subprocess.Popen(  # noqa: S603 - running the user's program is the point
                split_command(command, seat),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                bufsize=0,
            )
        except OSError as error:
            self._complaints.close()
            raise UsageError(f"cannot start {command!r}: {error.strerror}") from error
        self._channel = _channel_to(self._process)

    def observe(self, news: Sequence[News], *, asked: bool) -> Answer | None:
        """Tell the program; return its answer if asked."""
        try:
            if self._dialect == "cmd-array":
                return self._in_arrays(news, asked=asked)
            return self._in_lines(news, asked=asked)
        except SeatFault as fault:
            if fault.kind != "died":
                raise
            raise SeatFault("died", f"{fault.reason}; {self._last_words()}") from fault

    def close(self) -> None:
        """End the program: its input closes, and it has two seconds to go before it is killed."""
        self._channel.close()
        try:
            self._process.wait(_FAREWELL_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._complaints.close()

    def _in_lines(self, news: Sequence[News], *, asked: bool) -> Answer | None:
        answer = None
        for item in news:
            last = asked and item is news[-1]
            message = masked(item.message, self._seat)
            if self._dialect == "cmd" and not last:
                message = {**message, "can_act": False}
            if last and self._follow_up is not None and _is_own(item.message, self._seat):
                # the discard came with the call: akochan is silent now
                choice, self._follow_up = self._follow_up, None
                self._channel.send(encoded(message), self._clock.ask())
                return answer_of(choice, 0.0)
            deadline = self._clock.ask()
            self._channel.send(encoded(message), deadline)
            if last or self._dialect == "cmd-each":
                answer = self._read(deadline)
        return answer if asked else None

    def _in_arrays(self, news: Sequence[News], *, asked: bool) -> Answer | None:
        answer = None
        for item in news:
            self._pending.append(masked(item.message, self._seat))
            if item.message["type"] in _ENDS or (asked and item is news[-1]):
                deadline = self._clock.ask()
                frame = to_json(self._pending) + b"\n"
                self._pending = []
                self._channel.send(frame, deadline)
                answer = self._read(deadline)
        return answer if asked else None

    def _read(self, deadline: float) -> Answer:
        recorded_decisions = read_choices(self._channel.receive(deadline))
        if not 1 <= len(recorded_decisions) <= 2:
            raise SeatFault("unreadable", f"an array of {len(recorded_decisions)} moves")
        self._follow_up = recorded_decisions[1] if len(recorded_decisions) == 2 else None
        return answer_of(recorded_decisions[0], self._clock.answered())

    def _last_words(self) -> str:
        try:
            code = f"exit code {self._process.wait(_FAREWELL_SECONDS)}"
        except subprocess.TimeoutExpired:
            code = "still running"
        size = self._complaints.seek(0, os.SEEK_END)
        self._complaints.seek(max(0, size - 500))
        lines = self._complaints.read().decode(errors="replace").strip().splitlines()
        return f"{code}; {lines[-1]}" if lines else code


def split_command(command: str, seat: Seat) -> list[str]:
    """Split a command as a shell does, ``{seat}`` filled in.

    Raises
    ------
    UsageError
        For an empty command or quotes left open.
    """
    try:
        words = shlex.split(command.replace("{seat}", str(seat)))
    except ValueError as error:
        raise UsageError(f"cannot read the command {command!r}: {error}") from error
    if not words:
        raise UsageError("a cmd: seat names no program")
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
