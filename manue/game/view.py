"""What one seat knows of a round, and queries about it. `RoundState` adds how events change it."""

import numpy as np

from manue.arrays import I64
from manue.game.concealed import Concealed
from manue.game.events import Event
from manue.game.players import OfferedTile, Phase, PlayerState
from manue.game.waits import waits_for_orphans, waits_of
from manue.rules import HONBA, STICK, TENHOU, Rules
from manue.tiles import COPIES, Counts, Kind, Seat, Tile, Wind, seat_wind

LIVE_WALL = 70
"""Tiles that can be drawn in a round: 136 minus 4 x 13 dealt and 14 in the dead wall."""


class RoundView:
    """One seat's knowledge of the game and of the current round.

    Parameters
    ----------
    seat : int
        0..3, fixed for the game.
    rules : Rules

    Attributes
    ----------
    names : tuple of str
    round_wind, number, honba, deposits, dealer
        As announced at the start of the round; ``deposits`` counts the riichi sticks on the table.
    scores : list of int
        Points by seat, after paid riichi sticks.
    total_points : int or None
        Points of all seats and sticks together when the game was first seen; the total never changes. Before
        the first round there is none.
    tiles_left : int
        Tiles that can still be drawn, 70 at the start.
    dora_indicators : list of str
    players : list of PlayerState
        By absolute seat.
    visible : int8[34]
        Copies this seat can see: its hand, melds, rivers without called tiles, indicators.
    phase, turn
        What the round is waiting for, and from whom; while it waits for a draw or a call, ``turn`` is the
        seat that draws next.
    offer : OfferedTile or None
        The discard or kan that others may answer.
    after_kan : bool
        Whether the tile just drawn came from the dead wall.
    undisturbed : bool
        Whether nobody has called or made a kan yet.
    winners : list of int
        Seats that have won this round, in the order announced.
    gone_by : set of int
        Kinds that others have offered since this seat's last discard; waiting for one of them is furiten.
    event_count : int
        Events since the start of the round, including it; the same in every dialect.
    """

    def __init__(self, seat: Seat, rules: Rules = TENHOU) -> None:
        self.seat = seat
        self.rules = rules
        self.names: tuple[str, ...] = ()
        self.last_event: Event | None = None
        self.event_count = 0
        self.total_points: int | None = None
        self.scores: list[int] = [rules.start_points] * 4
        self._clear_table("E", 1, 0, 0, 0)

    def _clear_table(self, wind: Wind, number: int, honba: int, deposits: int, dealer: Seat) -> None:
        self.round_wind = wind
        self.number = number
        self.honba = honba
        self.deposits = deposits
        self.dealer = dealer
        self.tiles_left = LIVE_WALL
        self.dora_indicators: list[Tile] = []
        self.players = [PlayerState(seat) for seat in range(4)]
        self.concealed = Concealed()
        self.visible: Counts = np.zeros(34, np.int8)
        self.phase = Phase.BETWEEN
        self.turn = dealer
        self.offer: OfferedTile | None = None
        self.after_kan = False
        self.undisturbed = True
        self.winners: list[Seat] = []
        self.gone_by: set[Kind] = set()
        self._waits: tuple[Kind, ...] | None = None

    @property
    def me(self) -> PlayerState:
        """The state of this seat."""
        return self.players[self.seat]

    @property
    def hand(self) -> list[Tile]:
        """The seat's concealed tiles, sorted, with the drawn one last."""
        return self.concealed.tiles

    @property
    def drawn(self) -> Tile | None:
        """The tile just drawn by this seat."""
        return self.concealed.drawn

    @property
    def counts(self) -> Counts:
        """The seat's concealed tiles by kind: int8[34]."""
        return self.concealed.counts

    @property
    def unseen(self) -> I64:
        """The copies of each kind that this seat cannot see: int64[34]."""
        return COPIES - self.visible.astype(np.int64)

    @property
    def waits(self) -> tuple[Kind, ...]:
        """The kinds that complete this seat's hand without the drawn tile; none right after a call."""
        if self._waits is None:
            counts = self.concealed.at_rest()
            self._waits = () if counts is None else waits_of(counts, len(self.me.melds))
        return self._waits

    @property
    def furiten(self) -> bool:
        """Whether a wait is among the seat's discards, or was passed since its riichi or last discard."""
        safe = self.me.safe
        return any(safe[kind] or kind in self.gone_by for kind in self.waits)

    @property
    def seat_wind(self) -> Wind:
        """The wind of this seat."""
        return seat_wind(self.seat, self.dealer)

    @property
    def in_round(self) -> bool:
        """Whether a round is being played."""
        return self.phase is not Phase.BETWEEN and self.phase is not Phase.ENDED

    @property
    def bonus(self) -> int:
        """What a win brings in addition to its points: honba and deposits."""
        return HONBA * self.honba + STICK * self.deposits

    @property
    def opponent_in_riichi(self) -> bool:
        """Whether another seat is in riichi."""
        return any(player.riichi for player in self.players if player.seat != self.seat)

    @property
    def kan_count(self) -> int:
        """The number of kans on the table."""
        return sum(meld.is_kan for player in self.players for meld in player.melds)

    def shows(self, tile: Tile) -> bool:
        """Return whether this seat can see exactly this tile; used for red fives."""
        return (
            tile in self.hand
            or tile in self.dora_indicators
            or any(tile in meld.tiles for player in self.players for meld in player.melds)
            or any(tile == discard.tile for player in self.players for discard in player.river)
        )

    def may_rob_closed_kan(self) -> bool:
        """Return whether this seat's hand could win on a tile of another seat's closed kan."""
        counts = self.concealed.at_rest()
        return (
            self.rules.kokushi_robs_closed_kan
            and counts is not None
            and waits_for_orphans(counts, len(self.me.melds))
        )

    def first_turn(self, seat: Seat) -> bool:
        """Return whether a seat has not discarded yet and nobody has called or made a kan."""
        return self.undisturbed and not self.players[seat].river
