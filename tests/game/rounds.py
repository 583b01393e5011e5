"""Short ways to set up rounds for tests of single rules: seat 0 is ours, round and dealer are East."""

from manue.game.actions import Action, Call, Discard
from manue.game.consistency import problems
from manue.game.events import Called, Discarded, Draw, Event, RiichiAccepted, RiichiDeclared, RoundStart
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.rules import TENHOU, Rules
from manue.tiles import Seat, Tile, parse_tiles

HIDDEN = (None,) * 13


def deal(hand: str, *, dealer: Seat = 0, indicator: Tile = "N", **facts) -> RoundStart:
    hands = (tuple(parse_tiles(hand)), HIDDEN, HIDDEN, HIDDEN)
    facts = {"round_wind": "E", "number": 1, "honba": 0, "deposits": 0, "scores": (25_000,) * 4} | facts
    return RoundStart(dealer=dealer, dora_indicator=indicator, hands=hands, **facts)


class Round:
    """A state with short methods for events; the state must be consistent after each of them."""

    def __init__(self, hand: str, *, rules: Rules = TENHOU, **facts) -> None:
        self.state = RoundState(0, rules)
        self.skipped = 0
        self.apply(deal(hand, **facts))

    def apply(self, *events: Event) -> "Round":
        for event in events:
            self.state.apply(event)
            self.state.tiles_left += self.skipped
            assert problems(self.state) == [], event
            self.state.tiles_left -= self.skipped
        return self

    def leave(self, tiles: int) -> "Round":
        """Shorten the wall, as if the round had lasted longer."""
        self.skipped += self.state.tiles_left - tiles
        self.state.tiles_left = tiles
        return self

    def draw(self, seat: Seat, tile: Tile | None = None) -> "Round":
        return self.apply(Draw(seat, tile))

    def discard(self, seat: Seat, tile: Tile, *, from_draw: bool = False) -> "Round":
        return self.apply(Discarded(seat, tile, from_draw))

    def turns(self, *moves: tuple[Seat, Tile]) -> "Round":
        """Let seats draw a tile and discard it at once."""
        for seat, tile in moves:
            self.draw(seat, tile if seat == 0 else None).discard(seat, tile, from_draw=True)
        return self

    def call(self, seat: Seat, kind: str, consumed: str, tile: Tile | None = None, source=None) -> "Round":
        return self.apply(Called(seat, Call(kind, tuple(parse_tiles(consumed)), tile, source)))

    def riichi(self, seat: Seat, tile: Tile) -> "Round":
        """Draw a tile and declare riichi by discarding it."""
        self.draw(seat, tile if seat == 0 else None)
        return self.apply(RiichiDeclared(seat), Discarded(seat, tile, from_draw=True), RiichiAccepted(seat))

    @property
    def legal(self) -> tuple[Action, ...]:
        return legal_actions(self.state)

    def offers(self, kind: type) -> list[Action]:
        return [action for action in self.legal if isinstance(action, kind)]

    def calls(self, kind: str) -> set[str]:
        """The tiles of the hand used by the legal calls of a kind."""
        return {" ".join(call.consumed) for call in self.offers(Call) if call.kind == kind}

    def discards(self) -> set[str]:
        """The legal discards, the drawn tile marked by a star."""
        return {action.tile + "*" * action.from_draw for action in self.offers(Discard)}
