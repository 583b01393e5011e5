"""A program is led through a short scripted game with every kind of event, and each of its answers is judged.

The script goes on with its own moves whatever the program answers, as a reviewer does that feeds it a record.
"""

import json
from collections.abc import Callable, Iterator
from importlib import resources

from manue.errors import IllegalActionError, ProtocolError, SeatFault
from manue.foreign import printable
from manue.game.actions import Action
from manue.game.events import seen_by
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.protocol.codec import Fields, action_to_fields, choice_to_action, message_to_event
from manue.protocol.parsing import parse_choice_value, parse_value
from manue.table.conversation_log import Mark
from manue.table.faults import allowed_of, shown
from manue.table.lines import read_choices
from manue.table.process_seat import ProcessSeat
from manue.table.program_spec import ProgramSpec
from manue.table.seats import Answer, TableEvent, acts_for
from manue.table.thinking_time import Limits
from manue.tiles import Seat

SEAT: Seat = 1
"""Where the program sits: not in seat 0, which a program that does not look would take for its own."""
MAX_FAULTS = 5
"""A rehearsal ends after this many late or invalid answers."""
_WIDTH = 160


def script() -> list[Fields]:
    """Return the messages of the game, with every tile visible."""
    text = (resources.files("manue.rehearsal") / "game.mjson").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


class Rehearsal:
    """One program in the scripted game.

    Parameters
    ----------
    spec : ProgramSpec
    seconds : float
        For each answer.
    say : callable
        Receives, line by line, what was sent, what was allowed, what came and what is wrong with it.

    Attributes
    ----------
    asked, wrong : int
        Decisions asked for; lines that were not answered as they should have been.
    slowest_ms : float or None
        Of the answers that came in time; None if none did.
    late : int
        Answers that did not come in time.
    """

    def __init__(self, spec: ProgramSpec, seconds: float, say: Callable[[str], None]) -> None:
        self.asked = self.wrong = self.late = 0
        self.slowest_ms: float | None = None
        self._framing = spec.framing
        self._say = say
        self._state = RoundState(SEAT)
        self._actions: tuple[Action, ...] = ()
        self._number = 0
        limits = Limits(decision=seconds, start=seconds, game=float("inf"), strikes=None)
        self._seat = ProcessSeat(SEAT, spec, limits, self)

    def run(self) -> None:
        """Play the script to its end, or until the program cannot go on."""
        faults = 0
        try:
            for item in _events():
                self._state.apply(seen_by(item.event, SEAT))
                self._actions = legal_actions(self._state)
                self.asked += bool(self._actions)
                try:
                    answer = self._seat.observe([item], asked=bool(self._actions))
                except SeatFault as fault:
                    self._complain(fault)
                    faults += 1
                    if fault.kind in {"died", "illegal"} or faults >= MAX_FAULTS:
                        self._say("      the rehearsal ends here")
                        return
                else:
                    self._judge(answer)
        finally:
            self._seat.close()

    def write(self, mark: Mark, line: bytes | str) -> None:
        """Show a line of the conversation, as the log that the program's seat writes to."""
        text = line if isinstance(line, str) else line.decode(errors="replace")
        if mark == ">":
            self._number += 1
            self._say(f"{self._number:4} > {printable(text.rstrip(), _WIDTH)}")
            if self._actions:
                self._say(f"      ? {allowed_of([action_to_fields(one, SEAT) for one in self._actions])}")
        elif mark != "#":  # notes of the table are those of the faults
            self._say(f"      {mark} {printable(text.rstrip(), _WIDTH)}")
            if mark == "<" and not self._actions:
                self._expect_none(text)

    def close(self) -> None:
        """Do nothing: what was said stays."""

    def _expect_none(self, text: str) -> None:
        """Check an answer to a line that asks nothing."""
        try:
            choices = read_choices(text.encode())
        except SeatFault:
            return  # the seat complains
        if any(choice.type != "none" for choice in choices):
            self._wrong('nothing was asked: the answer is {"type":"none"}')

    def _judge(self, answer: Answer | None) -> None:
        if answer is None:
            return
        if answer.elapsed_ms is not None:
            self.slowest_ms = max(self.slowest_ms or 0.0, answer.elapsed_ms)
        if not acts_for(SEAT, answer.reply):
            self._wrong(f"it acts for seat {answer.reply['actor']}")
            return
        if self._means(answer.reply):
            return
        if self._means({**answer.reply, "tsumogiri": None}):
            self._wrong("tsumogiri says whether the discard is the tile just drawn: here it is not so")
            return
        advice = self._seat.advice(answer.reply)
        self._wrong("not allowed" if advice is None else f"not allowed; {advice}")

    def _means(self, reply: Fields) -> bool:
        """Return whether a reply means one of the choices."""
        try:
            choice_to_action(parse_choice_value(reply), self._actions)
        except (IllegalActionError, ProtocolError):
            return False
        return True

    def _complain(self, fault: SeatFault) -> None:
        sent = f"; it sent: {shown(fault.sent)}" if fault.sent else ""
        self.late += fault.kind == "late"
        reason = fault.reason
        for option in ("--start-seconds", "--decision-seconds"):  # those of a match; here both limits are one
            reason = reason.replace(option, "--seconds")
        self._wrong(f"{fault.kind}: {printable(reason, 600)}{sent}")

    def _wrong(self, text: str) -> None:
        self.wrong += 1
        self._say(f"      WRONG: {text}")


def _events() -> Iterator[TableEvent]:
    for message in script():
        event = message_to_event(parse_value(message))
        if event is not None:
            yield TableEvent(message, event)
