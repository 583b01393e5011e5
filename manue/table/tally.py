"""What each seat did in a game, counted from its events."""

from dataclasses import asdict, dataclass

from manue.game.events import Called, Event, RiichiDeclared, RoundDrawn, RoundStart, Won
from manue.tiles import Seat


@dataclass(slots=True)
class SeatTally:
    """Counts of one seat. Points are those really paid, including honba and riichi sticks."""

    rounds: int = 0
    wins: int = 0
    tsumo_wins: int = 0
    win_points: int = 0  # gained by those wins
    deal_ins: int = 0  # rounds in which somebody won off this seat
    deal_in_points: int = 0  # paid in those rounds
    riichi: int = 0
    riichi_wins: int = 0
    calls: int = 0  # rounds in which the seat opened its hand

    def to_json(self) -> dict[str, int]:
        """Return the counts as plain data."""
        return asdict(self)

    def add(self, other: "SeatTally") -> None:
        """Add another tally to this one."""
        for name, value in asdict(other).items():
            setattr(self, name, getattr(self, name) + value)


class GameTally:
    """Counts over one game, fed every event in order (all tiles may be visible)."""

    def __init__(self) -> None:
        self.seats = tuple(SeatTally() for _ in range(4))
        self.rounds = 0
        self.draws = 0
        self._riichi: set[Seat] = set()
        self._called: set[Seat] = set()
        self._dealt_in: set[Seat] = set()

    def apply(self, event: Event) -> None:
        """Count one event."""
        match event:
            case RoundStart():
                self.rounds += 1
                for seat in self.seats:
                    seat.rounds += 1
                self._riichi, self._called, self._dealt_in = set(), set(), set()
            case RiichiDeclared(actor):
                self._riichi.add(actor)
                self.seats[actor].riichi += 1
            case Called(actor, call):
                if call.kind in {"chi", "pon", "daiminkan"} and actor not in self._called:
                    self._called.add(actor)
                    self.seats[actor].calls += 1
            case Won():
                self._won(event)
            case RoundDrawn():
                self.draws += 1
            case _:
                pass

    def _won(self, event: Won) -> None:
        deltas = event.deltas or (0, 0, 0, 0)
        winner = self.seats[event.actor]
        winner.wins += 1
        winner.tsumo_wins += event.source == event.actor
        winner.riichi_wins += event.actor in self._riichi
        winner.win_points += deltas[event.actor]
        if event.source != event.actor:
            loser = self.seats[event.source]
            loser.deal_ins += event.source not in self._dealt_in
            loser.deal_in_points -= deltas[event.source]
            self._dealt_in.add(event.source)
