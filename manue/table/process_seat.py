"""Seats played by separate programs that speak Mjai over standard input and output."""

from collections.abc import Sequence

from pydantic_core import to_json

from manue.errors import SeatFault
from manue.protocol.codec import Fields
from manue.protocol.messages import Choice
from manue.table import kept_programs
from manue.table.conversation_log import LineWatcher
from manue.table.lines import answer_of, encoded, read_choices
from manue.table.payments import Payments
from manue.table.program import Program
from manue.table.program_spec import ProgramSpec
from manue.table.referee import masked
from manue.table.seats import Answer, SeatPlayer, TableEvent, is_robbed_late
from manue.table.thinking_time import Limits, ThinkingClock, option_of
from manue.tiles import Seat

_ENDS = {"start_game", "end_kyoku", "end_game"}


class ProcessSeat(SeatPlayer):
    """A program that plays one game in a seat; a kept one is given back after it.

    Parameters
    ----------
    seat : int
    spec : ProgramSpec
    limits : Limits
    log : LineWatcher, optional
        Receives the conversation; the seat closes it.

    Raises
    ------
    UsageError
        If there is no such program.
    """

    def __init__(self, seat: Seat, spec: ProgramSpec, limits: Limits, log: LineWatcher | None = None) -> None:
        self._seat = seat
        self._framing = spec.framing
        self._clock = ThinkingClock(limits)
        self._payments = Payments()
        self._pending: list[Fields] = []
        self._follow_up: Choice | None = None
        self._allowed_strikes = limits.strikes
        self._strikes = 0
        self._owed = 0  # answers that came too late, or are still to come
        self._late: SeatFault | None = None  # the first late answer to the events being observed
        self._in_step = True
        self._was_asked = False
        self._was_sent_end = False
        self._over = self._closed = False
        self._log = log
        try:
            self._program = kept_programs.take(spec, seat) if spec.keep else Program(spec, seat)
        except BaseException:
            if log is not None:
                log.close()
            raise
        self._program.log_to(log)

    def observe(self, events: Sequence[TableEvent], *, asked: bool) -> Answer | None:
        """Send the events to the program; return its answer if asked."""
        self._late = None
        try:
            if self._framing == "cmd-array":
                answer = self._in_arrays(events, asked=asked)
            else:
                answer = self._in_lines(events, asked=asked)
        except SeatFault as fault:
            if fault.kind == "died" and self._ended_with_game():
                return None
            raise self._explained(fault) from fault
        self._over = events[-1].message["type"] == "end_game"
        return answer

    def plays_on(self, fault: SeatFault) -> bool:
        """Return whether the program keeps its seat: it was late, is alive, follows, has a strike left."""
        left = self._allowed_strikes is None or self._strikes < self._allowed_strikes
        return fault.kind == "late" and left and self._in_step and self._program.alive

    def refuse(self, fault: SeatFault) -> None:
        """Note in the log of the conversation what was wrong: the program itself is not sent it."""
        if self._log is not None:
            self._log.write("#", str(fault))

    def advice(self, reply: Fields) -> str | None:
        """Return how to seat a program that answers lines that ask nothing."""
        if self._framing == "cmd" and reply["type"] == "none":
            return "a program that answers every line is to be seated by cmd-each:"
        return None

    def close(self) -> None:
        """Give a kept program back if it is ready for another game, else end it and its descendants."""
        program = self._program
        if self._closed:
            return
        self._closed = True
        ready = self._over and self._in_step and not self._owed and program.alive
        if program.spec.keep and ready and program.waiting() is None:
            program.log_to(None)
            kept_programs.give_back(program)
        else:
            program.close()
            program.log_to(None)
        if self._log is not None:
            self._log.close()

    def _ended_with_game(self) -> bool:
        """Return whether the program, started for one game, ends by itself once sent the last line."""
        return self._was_sent_end and not self._program.spec.keep and self._program.ended_well()

    def _explained(self, fault: SeatFault) -> SeatFault:
        """Return a fault with what helps to find its cause; count late answers."""
        reason = fault.reason
        if fault.kind == "late":
            self._strikes += 1
            reason += f": no answer within {self._clock.limit}"
            if self._framing == "cmd-each" and not self._was_asked:
                reason += ", to a line that asks nothing; a program that answers only when asked is cmd:"
            if self._allowed_strikes is not None:
                reason += f"; late answer {self._strikes} of {self._allowed_strikes} ({option_of('strikes')})"
        if fault.kind == "died":
            reason += f"; {self._program.cause_of_death()}"
        return SeatFault(fault.kind, reason, fault.sent)

    def _in_lines(self, events: Sequence[TableEvent], *, asked: bool) -> Answer | None:
        answer = None
        for item in events:
            last = asked and item is events[-1]
            self._was_asked = last
            message = masked(self._payments.completed(item.message), self._seat)
            said = self._take_follow_up(item) if last else None
            if self._framing == "cmd" and (not last or said is not None):
                message = {**message, "can_act": False}
            if said is not None:
                self._send(encoded(message), self._clock.ask())
                return answer_of(said, None)
            deadline = self._clock.ask()
            self._say(encoded(message), deadline, item)
            if last or self._framing == "cmd-each":
                before: Answer | None = answer
                answer = self._hear(deadline)
                if before is not None and before.reply["type"] != "none" and last and is_robbed_late(events):
                    answer = before
        return self._unless_late(answer if asked else None)

    def _take_follow_up(self, item: TableEvent) -> Choice | None:
        """Return the discard that the program sent together with this call, if it did: it is silent now."""
        if self._follow_up is None or not _is_own(item.message, self._seat):
            return None
        choice, self._follow_up = self._follow_up, None
        return choice

    def _expect_silence(self) -> None:
        """Check that the program has not written where it was not asked: it would pass for an answer."""
        if self._owed or (stray := self._program.waiting()) is None:
            return
        reason = "it wrote a line before it was asked"
        if not _is_answer(stray):
            reason += "; notes belong on stderr"
        elif self._framing == "cmd":
            reason += "; a program that answers every line is to be seated by cmd-each:"
        raise SeatFault("illegal", reason, stray)

    def _send(self, line: bytes, deadline: float) -> None:
        try:
            self._program.send(line, deadline)
        except SeatFault:
            self._in_step = False  # half a line may have gone
            raise

    def _in_arrays(self, events: Sequence[TableEvent], *, asked: bool) -> Answer | None:
        answer = None
        for item in events:
            last = asked and item is events[-1]
            self._pending.append(masked(self._payments.completed(item.message), self._seat))
            if last and (said := self._take_follow_up(item)) is not None:
                return answer_of(said, None)
            if last or item.message["type"] in _ENDS:
                deadline = self._clock.ask()
                frame = to_json(self._pending) + b"\n"
                self._pending = []
                self._say(frame, deadline, item)
                answer = self._hear(deadline)
        return self._unless_late(answer if asked else None)

    def _say(self, line: bytes, deadline: float, last: TableEvent) -> None:
        """Send a line that ends with an event, unless the program has written without being asked."""
        self._expect_silence()
        self._send(line, deadline)
        self._was_sent_end = last.message["type"] == "end_game"

    def _hear(self, deadline: float) -> Answer | None:
        """Return the answer, ``None`` if it is late or one of the same events was.

        The program is still sent the other events, so that it can follow; nobody waits for those answers.
        """
        if self._late is not None:
            self._owed += 1
            return None
        try:
            return self._read(deadline)
        except SeatFault as fault:
            if fault.kind != "late":
                raise
            self._late = fault
            return None

    def _unless_late(self, answer: Answer | None) -> Answer | None:
        if self._late is not None:
            raise self._late
        return answer

    def _read(self, deadline: float) -> Answer:
        line = self._receive(deadline)
        choices = read_choices(line)
        if not 1 <= len(choices) <= 2:
            raise SeatFault("unreadable", f"an array of {len(choices)} moves", line)
        self._follow_up = choices[1] if len(choices) == 2 else None
        return answer_of(choices[0], self._clock.answered())

    def _receive(self, deadline: float) -> bytes:
        """Return the answer to the last line, past those that were too late."""
        self._owed += 1
        try:
            while True:
                line = self._program.receive(deadline)
                self._owed -= 1
                if not self._owed:
                    return line
        except SeatFault as fault:
            if fault.kind == "late":
                self._clock.answered()
            raise


def _is_answer(line: bytes) -> bool:
    try:
        return bool(read_choices(line))
    except SeatFault:
        return False


def _is_own(message: Fields, seat: Seat) -> bool:
    return message["type"] in {"reach", "chi", "pon"} and message["actor"] == seat
