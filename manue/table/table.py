"""One game: passes events and answers between the referee and four seats, logs, and records the result."""

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from pydantic_core import to_json

from manue.errors import AbandonedError, ProtocolError, SeatFault, StrictFault
from manue.foreign import printable
from manue.game.events import Discarded, Draw, Event, RoundEnd, RoundStart
from manue.language.rounds import round_text
from manue.protocol.annotation import annotations_of
from manue.protocol.codec import Fields, message_to_event
from manue.protocol.parsing import parse_value
from manue.records.log_writer import EventLog
from manue.table.decision_times import Timing
from manue.table.faults import (
    LOST,
    MAX_REASON,
    MAX_SENT,
    PLAYS_ON,
    STOPS,
    Fault,
    allowed_of,
    fault_in_words,
    shown,
)
from manue.table.referee import Referee
from manue.table.seats import Answer, SeatPlayer, StandIn, TableEvent, acts_for
from manue.table.situations import Situations
from manue.table.tally import GameTally, SeatTally
from manue.tiles import Seat


@dataclass(slots=True)
class GameRecord:
    """The result of a game. Apart from the times, the same seed and agents always give the same record."""

    scores: list[int]
    places: list[int]
    rounds: int
    draws: int
    events: int
    digest: str  # of all events, so that games can be compared
    tallies: tuple[SeatTally, ...]
    situations: Situations
    timings: tuple[Timing, ...]
    faults: list[Fault] = field(default_factory=list)
    seconds: float = 0.0

    def standings(self, names: Sequence[str]) -> str:
        """Return the names by seat with their points, by place: ``a 41000, b 30000, c 19000, d 10000``."""
        return ", ".join(f"{names[seat]} {self.scores[seat]}" for seat in seats_by_place(self.places))


def seats_by_place(places: Sequence[int]) -> list[Seat]:
    """Return the seats of a finished game from the first place to the last."""
    return sorted(range(4), key=lambda seat: places[seat])


class Table:
    """A game being played.

    Parameters
    ----------
    referee : Referee
        Not yet started.
    players : sequence of SeatPlayer
        One for each seat. A player that fails is closed, and a `StandIn` plays on to the end of the game; one
        that was late may keep its seat.
    log : EventLog or None
        Receives every event, annotated.
    strict : bool
        Raise the first fault instead of replacing the player that failed.
    client_seats : set of int
        Seats of the clients that the game is played for: it is abandoned once all of them have failed, unless
        it is over by then.
    """

    def __init__(
        self,
        referee: Referee,
        players: Sequence[SeatPlayer],
        *,
        log: EventLog | None = None,
        strict: bool = False,
        client_seats: frozenset[Seat] = frozenset(),
    ) -> None:
        self._referee = referee
        self._players = list(players)
        self._log = log
        self._strict = strict
        self._client_seats = client_seats
        self._tally = GameTally()
        self._situations = Situations()
        self._elapsed_ms: tuple[list[float], ...] = ([], [], [], [])
        self._faults: list[Fault] = []
        self._event_count = 0
        self._digest = hashlib.sha256()
        self._rounds = 0
        self._round_name = "the start of the game"
        self._pending: list[tuple[Sequence[TableEvent], dict[Seat, Answer]]] = []

    def play(self) -> GameRecord:
        """Play the game to its end.

        Raises
        ------
        StrictFault
            In strict mode, when a player fails.
        AbandonedError
            When the last client fails before the end of the game.
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
            for player in self._players:
                player.close()
            self._flush()
        return GameRecord(
            scores=self._referee.scores(),
            places=self._referee.places(),
            rounds=self._tally.rounds,
            draws=self._tally.draws,
            events=self._event_count,
            digest=self._digest.hexdigest(),
            tallies=self._tally.seats,
            situations=self._situations,
            timings=tuple(Timing.of(times) for times in self._elapsed_ms),
            faults=self._faults,
            seconds=time.perf_counter() - started,
        )

    def _step(self, messages: Sequence[Fields]) -> dict[Seat, Answer]:
        events = [self._parse(message) for message in messages]
        answers: dict[Seat, Answer] = {}
        self._pending.append((events, answers))  # before anybody is asked: the game may be left right here
        for seat in range(4):
            answer = self._ask(seat, events)
            if answer is not None:
                answers[seat] = answer
        self._event_count += len(events)
        if any(isinstance(one.event, RoundEnd) for one in events):
            self._flush()
        return answers

    def _parse(self, message: Fields) -> TableEvent:
        event = event_of(message)
        if isinstance(event, RoundStart):
            self._rounds += 1
            self._round_name = round_text(message["bakaze"], message["kyoku"], message["honba"])
        return TableEvent(message, event)

    def _ask(self, seat: Seat, events: Sequence[TableEvent]) -> Answer | None:
        asked = seat in self._referee.asked
        player = self._players[seat]
        try:
            answer = player.observe(events, asked=asked)
            if answer is not None:
                self._check(seat, answer.reply)
        except SeatFault as fault:
            answer = self._answer_after(fault, seat, events, asked=asked)
        else:
            if answer is not None and answer.elapsed_ms is not None:
                self._elapsed_ms[seat].append(answer.elapsed_ms)
        return answer

    def _check(self, seat: Seat, reply: Fields) -> None:
        if not acts_for(seat, reply):
            raise SeatFault("illegal", f"seat {seat} acts for seat {reply['actor']}")
        if not self._referee.is_legal(seat, reply):
            advice = self._players[seat].advice(reply)
            reason = f"{printable(json.dumps(reply), MAX_SENT)} is not allowed"
            raise SeatFault("illegal", reason if advice is None else f"{reason}; {advice}")

    def _answer_after(
        self, fault: SeatFault, seat: Seat, events: Sequence[TableEvent], *, asked: bool
    ) -> Answer | None:
        """Note a fault and let a stand-in answer: once if the player plays on, else for good."""
        player = self._players[seat]
        player.refuse(fault)
        plays_on = player.plays_on(fault)
        self._note(seat, fault, self._event_count + len(events) - 1, asked=asked, plays_on=plays_on)
        if self._strict:
            who = f"{printable(self._referee.names[seat])} in seat {seat}"
            what = f"{who}, {fault_in_words(asdict(self._faults[-1]))}"
            raise StrictFault(fault.kind, what, fault.sent) from fault
        failed = {fault.seat for fault in self._faults if fault.lost}
        if self._client_seats and self._client_seats <= failed and not self._referee.over:
            raise AbandonedError(f"abandoned: the last client failed ({fault})")
        stand_in = StandIn(seat, self._referee)
        if not plays_on:
            player.close()
            self._players[seat] = stand_in
        return stand_in.observe(events, asked=asked)

    def _note(self, seat: Seat, fault: SeatFault, event: int, *, asked: bool, plays_on: bool) -> None:
        self._faults.append(
            Fault(
                seat,
                fault.kind,
                printable(fault.reason, MAX_REASON),
                self._rounds - 1,
                event,
                place=self._round_name,
                allowed=allowed_of(self._referee.legal(seat)) if asked else "nothing, it was not asked",
                came=shown(fault.sent),
                then=STOPS if self._strict else PLAYS_ON if plays_on else LOST,
                lost=not plays_on,
            )
        )

    def _flush(self) -> None:
        """Count and log the events of a whole round at once: several times faster than one by one."""
        for events, _ in self._pending:
            for one in events:
                self._tally.apply(one.event)
                self._situations.apply(one.event)
                self._digest.update(to_json(one.message))
        if self._log is not None:
            self._annotate(self._log)
        self._pending = []

    def _annotate(self, log: EventLog) -> None:
        annotations = annotations_of(
            [
                {seat: one.decision for seat, one in answers.items() if one.decision is not None}
                for _, answers in self._pending
            ]
        )
        for (events, answers), (logs, meta) in zip(self._pending, annotations, strict=True):
            for one in events[:-1]:
                log.write(one.message)
            for seat, answer in answers.items():
                if answer.decision is None:
                    logs[seat], meta[seat] = answer.log, answer.meta
            log.write(events[-1].message, logs, meta)


def event_of(message: Fields) -> Event:
    """Parse an event of the referee; draws and discards, nearly all events, skip the checks.

    Raises
    ------
    ProtocolError
        If it is none.
    """
    match message["type"]:
        case "tsumo":
            return Draw(message["actor"], message["pai"])
        case "dahai":
            return Discarded(message["actor"], message["pai"], message["tsumogiri"])
    event = message_to_event(parse_value(message))
    if event is None:
        raise ProtocolError(f"not an event from the referee: {message}")
    return event
