"""One game: the referee's events to four seats, their answers back, the log, and the record of the result."""

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic_core import to_json

from manue.errors import ManueError, ProtocolError
from manue.game.events import Discarded, Draw, Event, RoundEnd, RoundStart
from manue.protocol.annotation import annotations_of
from manue.protocol.codec import message_to_event
from manue.protocol.messages import parse_value
from manue.records.archive import LogWriter
from manue.table.decision_times import Timing
from manue.table.referee import Message, Referee
from manue.table.seats import Answer, News, SeatFault, SeatHolder, StandIn
from manue.table.situations import Situations
from manue.table.tally import GameTally, SeatTally
from manue.tiles import Seat


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong at a seat, and where in the game."""

    seat: Seat
    kind: str
    reason: str
    round: int  # 0-based, every round played counted
    event: int  # 0-based within the game


@dataclass(slots=True)
class GameRecord:
    """The result of a game; times aside, the same seed and agents always give the same record."""

    scores: list[int]
    placements: list[int]
    rounds: int
    draws: int
    events: int
    digest: str  # of all events, so that games can be compared
    tallies: tuple[SeatTally, ...]
    situations: Situations
    timings: tuple[Timing, ...]
    faults: list[Fault] = field(default_factory=list)
    seconds: float = 0.0


class AbandonedError(ManueError):
    """Everybody a game was played for has failed."""


class Table:
    """A game being played.

    Parameters
    ----------
    referee : Referee
        Not yet started.
    holders : sequence of SeatHolder
        One for each seat. A holder that fails is closed and replaced by a `StandIn` to the end of the game.
    log : LogWriter or None
        Gets every event, annotated.
    strict : bool
        Raise the first fault instead of replacing the player.
    guests : set of int
        The seats that the game is played for: it is abandoned when all of them have failed.
    """

    def __init__(
        self,
        referee: Referee,
        holders: Sequence[SeatHolder],
        *,
        log: LogWriter | None = None,
        strict: bool = False,
        guests: frozenset[Seat] = frozenset(),
    ) -> None:
        self._referee = referee
        self._holders = list(holders)
        self._log = log
        self._strict = strict
        self._guests = guests
        self._tally = GameTally()
        self._situations = Situations()
        self._elapsed_ms: tuple[list[float], ...] = ([], [], [], [])
        self._faults: list[Fault] = []
        self._events = 0
        self._digest = hashlib.sha256()
        self._rounds = 0
        self._unsettled: list[tuple[Sequence[News], dict[Seat, Answer]]] = []

    def play(self) -> GameRecord:
        """Play the game to its end.

        Raises
        ------
        SeatFault
            In strict mode, when a player fails.
        AbandonedError
            When the last guest fails.
        """
        started = time.perf_counter()
        try:
            messages = self._referee.start()
            while True:
                answers = self._step(messages)
                if self._referee.over:
                    break
                messages = self._referee.step({seat: answer.reply for seat, answer in answers.items()})
        finally:
            for holder in self._holders:
                holder.close()
            self._settle()
        return GameRecord(
            scores=self._referee.scores(),
            placements=self._referee.placements(),
            rounds=self._tally.rounds,
            draws=self._tally.draws,
            events=self._events,
            digest=self._digest.hexdigest(),
            tallies=self._tally.seats,
            situations=self._situations,
            timings=tuple(Timing.of(times) for times in self._elapsed_ms),
            faults=self._faults,
            seconds=time.perf_counter() - started,
        )

    def _step(self, messages: Sequence[Message]) -> dict[Seat, Answer]:
        news = [self._news(message) for message in messages]
        answers: dict[Seat, Answer] = {}
        for seat in range(4):
            answer = self._ask(seat, news)
            if answer is not None:
                answers[seat] = answer
        self._events += len(news)
        self._unsettled.append((news, answers))
        if any(isinstance(one.event, RoundEnd) for one in news):
            self._settle()
        return answers

    def _news(self, message: Message) -> News:
        event = _event(message)
        if event is None:
            raise ProtocolError(f"the referee sent no event: {message}")
        self._rounds += isinstance(event, RoundStart)
        return News(message, event)

    def _ask(self, seat: Seat, news: Sequence[News]) -> Answer | None:
        asked = seat in self._referee.asked
        holder = self._holders[seat]
        try:
            answer = holder.observe(news, asked=asked)
            if answer is not None:
                self._check(seat, answer.reply)
        except SeatFault as fault:
            answer = self._replace(seat, fault, news, asked=asked)
        else:
            if answer is not None:
                self._elapsed_ms[seat].append(answer.elapsed_ms)
        return answer

    def _check(self, seat: Seat, reply: Message) -> None:
        if not self._referee.is_legal(seat, reply):
            raise SeatFault("illegal", f"{json.dumps(reply)} is not allowed")

    def _replace(self, seat: Seat, fault: SeatFault, news: Sequence[News], *, asked: bool) -> Answer | None:
        at_event = self._events + len(news) - 1
        self._faults.append(Fault(seat, fault.kind, fault.reason, self._rounds - 1, at_event))
        if self._strict:
            raise fault
        if self._guests and self._guests <= {fault.seat for fault in self._faults}:
            raise AbandonedError(f"abandoned: the last guest failed ({fault})")
        self._holders[seat].close()
        self._holders[seat] = StandIn(seat, self._referee)
        return self._holders[seat].observe(news, asked=asked)

    def _settle(self) -> None:
        """Count and write what has not been: a round at a time, as it is several times faster in one go."""
        for news, _ in self._unsettled:
            for one in news:
                self._tally.apply(one.event)
                self._situations.apply(one.event)
                self._digest.update(to_json(one.message))
        if self._log is not None:
            self._annotate(self._log)
        self._unsettled = []

    def _annotate(self, log: LogWriter) -> None:
        annotations = annotations_of(
            [
                {seat: one.decision for seat, one in answers.items() if one.decision is not None}
                for _, answers in self._unsettled
            ]
        )
        for (news, answers), (logs, meta) in zip(self._unsettled, annotations, strict=True):
            for one in news[:-1]:
                log.write(one.message)
            for seat, answer in answers.items():
                if answer.decision is None:
                    logs[seat], meta[seat] = answer.log, answer.meta
            log.write(news[-1].message, logs, meta)


def _event(message: Message) -> Event | None:
    """Read an event; the referee's draws and discards, nearly all of them, need no checking."""
    match message["type"]:
        case "tsumo":
            return Draw(message["actor"], message["pai"])
        case "dahai":
            return Discarded(message["actor"], message["pai"], message["tsumogiri"])
    return message_to_event(parse_value(message))
