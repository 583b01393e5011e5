"""The round as one seat sees it, fed only by events.

An event is first checked against all that is known (``manue.game.checks``) and then carried out, so that an
impossible one changes nothing. Logs with all hands open are followed by four states, each of which ignores
what its seat cannot see.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

import numpy as np

from manue.errors import EventError
from manue.game import checks
from manue.game import consistency as problems
from manue.game.concealed import Concealed
from manue.game.events import (
    Called,
    Discarded,
    DoraRevealed,
    Draw,
    Event,
    GameEnd,
    GameStart,
    RiichiAccepted,
    RiichiDeclared,
    RoundDrawn,
    RoundEnd,
    RoundStart,
    Won,
)
from manue.game.players import OfferedTile, Phase, PlayerState, RiverTile
from manue.game.waits import waits_for_orphans, waits_of
from manue.rules import TENHOU, Rules
from manue.tiles import KIND_OF, WINDS, Counts, Kind, Seat, Tile, Wind

__all__ = ["OfferedTile", "Phase", "PlayerState", "RiverTile", "RoundState"]

LIVE_WALL = 70
"""Tiles that can be drawn in a round: 136 less 4 x 13 dealt and 14 of the dead wall."""


class RoundState:
    """One seat's knowledge of the game and of the round in play.

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
        Points by seat, paid riichi sticks taken off.
    total_points : int
        Points of all seats and sticks together when the game was first seen: they never change.
    tiles_left : int
        Tiles that can still be drawn, 70 at the start.
    dora_indicators : list of str
    players : list of PlayerState
        By absolute seat.
    visible : int8[34]
        Copies this seat can see: own hand, melds, rivers without called tiles, indicators.
    phase, turn
        What the round waits for and of whom; while a draw or a call is awaited, ``turn`` is who draws next.
    offer : Offer or None
        The discard or kan that others may answer.
    after_kan : bool
        Whether the tile just drawn came from the dead wall.
    undisturbed : bool
        Nobody has called or made a kan yet.
    winners : list of int
        Seats that have won this round, in the order announced.
    gone_by : set of int
        Kinds the own seat could have won on, had it waited for them, since its last discard.
    event_count : int
        Events since the start of the round, that one included; the same in every dialect of the host.
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

    # ---- what is asked of a state

    @property
    def me(self) -> PlayerState:
        """The own seat."""
        return self.players[self.seat]

    @property
    def hand(self) -> list[Tile]:
        """The own concealed tiles, sorted, the drawn one last."""
        return self.concealed.tiles

    @property
    def drawn(self) -> Tile | None:
        """The tile just drawn by the own seat."""
        return self.concealed.drawn

    @property
    def counts(self) -> Counts:
        """The own concealed tiles by kind: int8[34]."""
        return self.concealed.counts

    @property
    def waits(self) -> tuple[Kind, ...]:
        """The kinds that complete the own hand at rest, without the drawn tile; none after a call."""
        if self._waits is None:
            counts = self.concealed.at_rest()
            self._waits = () if counts is None else waits_of(counts, len(self.me.melds))
        return self._waits

    @property
    def furiten(self) -> bool:
        """Whether a wait lies among the own discards, was passed since riichi, or since the last discard."""
        safe = self.me.safe
        return any(safe[kind] or kind in self.gone_by for kind in self.waits)

    @property
    def seat_wind(self) -> Wind:
        """The wind of the own seat."""
        return WINDS[(self.seat - self.dealer) % 4]

    @property
    def in_round(self) -> bool:
        """Whether a round is being played."""
        return self.phase is not Phase.BETWEEN and self.phase is not Phase.ENDED

    @property
    def kan_count(self) -> int:
        """Kans on the table."""
        return sum(meld.is_kan for player in self.players for meld in player.melds)

    def shows(self, tile: Tile) -> bool:
        """Tell whether this seat can see a copy of exactly this tile; asked for red fives."""
        return (
            tile in self.hand
            or tile in self.dora_indicators
            or any(tile in meld.tiles for player in self.players for meld in player.melds)
            or any(tile == discard.tile for player in self.players for discard in player.river)
        )

    def may_rob_closed_kan(self) -> bool:
        """Tell whether the own hand could win on a tile of another seat's closed kan."""
        counts = self.concealed.at_rest()
        return (
            self.rules.kokushi_robs_closed_kan
            and counts is not None
            and waits_for_orphans(counts, len(self.me.melds))
        )

    def first_turn(self, seat: Seat) -> bool:
        """Tell whether a seat is before its first discard and nobody has called or made a kan."""
        return self.undisturbed and not self.players[seat].river

    def problems(self) -> list[str]:
        """Recompute everything from scratch and name whatever disagrees; empty when all is well."""
        return problems.problems(self)

    # ---- events

    def apply(self, event: Event) -> None:
        """Take in one event.

        Raises
        ------
        EventError
            If the event cannot follow what is known; the state is then unchanged.
        """
        kind = type(event)
        if kind not in self._CHANGES:
            raise EventError(f"{event!r} is no event")
        checks.CHECKS[kind](self, event)
        self.event_count += 1
        self._CHANGES[kind](self, event)
        self.last_event = event

    def _start_game(self, event: GameStart) -> None:
        self.names = event.names
        self.scores = [self.rules.start_points] * 4
        self.total_points = None
        self.event_count = 0
        self._clear_table("E", 1, 0, 0, 0)

    def _start_round(self, event: RoundStart) -> None:
        self._clear_table(event.round_wind, event.number, event.honba, event.deposits, event.dealer)
        if event.scores is not None:
            self.scores = list(event.scores)
        if self.total_points is None:
            self.total_points = sum(self.scores) + 1000 * self.deposits
        self.concealed = Concealed(tile for tile in event.hands[self.seat] if tile is not None)
        self.visible += self.concealed.counts
        self._reveal(event.dora_indicator)
        self.phase = Phase.DRAW
        self.event_count = 1

    def _reveal(self, indicator: Tile) -> None:
        self.dora_indicators.append(indicator)
        self.visible[KIND_OF[indicator]] += 1

    def _draw(self, event: Draw) -> None:
        self._close_offer()
        seat = event.actor
        self.players[seat].hand_size += 1
        self.tiles_left -= 1
        self.after_kan = self.phase is Phase.KAN_DRAW
        self.phase = Phase.ACT
        if seat == self.seat and event.tile is not None:
            self.concealed.draw(event.tile)
            self.visible[KIND_OF[event.tile]] += 1

    def _discard(self, event: Discarded) -> None:
        seat = event.actor
        self.players[seat].discard(event.tile, from_draw=event.from_draw)
        if seat == self.seat:
            self._discard_own(event)
        else:
            self.visible[KIND_OF[event.tile]] += 1
        self.offer = OfferedTile(event.tile, seat, "discard")
        self.phase = Phase.DRAW
        self.turn = (seat + 1) % 4
        self.after_kan = False

    def _discard_own(self, event: Discarded) -> None:
        self.concealed.discard(event.tile, from_draw=event.from_draw)
        self.gone_by.clear()
        if not event.from_draw:
            self._waits = None

    def _close_offer(self) -> None:
        """Note who did not win on the tile on offer, now that the round has gone on."""
        offer = self.offer
        if offer is None:
            return
        self.offer = None
        if offer.by != "discard":
            self._break_ippatsu()
        if offer.by != "ankan":
            self._let_pass(offer, self.players)
        elif self.may_rob_closed_kan():
            self._let_pass(offer, (self.me,))

    def _let_pass(self, offer: OfferedTile, players: Iterable[PlayerState]) -> None:
        kind = KIND_OF[offer.tile]
        for player in players:
            if player.seat != offer.source:
                player.let_pass(kind)
        if self.seat != offer.source:
            self.gone_by.add(kind)

    def _break_ippatsu(self) -> None:
        for player in self.players:
            player.ippatsu = False

    def _call(self, event: Called) -> None:
        kind = event.call.kind
        self._close_offer()
        self.undisturbed = False
        self.turn = event.actor
        if kind == "kakan":
            self._add_to_pon(event)
        elif kind == "ankan":
            self._close_kan(event)
        else:
            self._take_discard(event)
        self.phase = Phase.CALL_DISCARD if kind in {"chi", "pon"} else Phase.KAN_DRAW

    def _take_discard(self, event: Called) -> None:
        call = event.call
        assert call.source is not None  # noqa: S101  checked before
        self.players[call.source].river[-1].called_by = event.actor
        self.players[event.actor].add_meld(call.meld(), len(call.consumed))
        self._leave_hand(event.actor, call.consumed)
        self._break_ippatsu()

    def _close_kan(self, event: Called) -> None:
        self.players[event.actor].add_meld(event.call.meld(), 4)
        self._leave_hand(event.actor, event.call.consumed)
        self.offer = OfferedTile(event.call.consumed[0], event.actor, "ankan")

    def _add_to_pon(self, event: Called) -> None:
        tile = event.call.tile
        assert tile is not None  # noqa: S101  checked before
        self.players[event.actor].extend_pon(tile)
        self._leave_hand(event.actor, (tile,))
        self.offer = OfferedTile(tile, event.actor, "kakan")

    def _leave_hand(self, seat: Seat, tiles: Sequence[Tile]) -> None:
        """Move tiles of a hand into a meld: own ones were visible before, others' are so from now on."""
        if seat == self.seat:
            self.concealed.lay_down(tiles)
            self._waits = None
            return
        for tile in tiles:
            self.visible[KIND_OF[tile]] += 1

    def _declare_riichi(self, event: RiichiDeclared) -> None:
        player = self.players[event.actor]
        player.riichi = True
        player.double_riichi = self.first_turn(event.actor)
        self.phase = Phase.RIICHI_DISCARD

    def _accept_riichi(self, event: RiichiAccepted) -> None:
        self.players[event.actor].riichi_accepted = True
        self.deposits += 1
        if event.scores is not None:
            self.scores = list(event.scores)
        else:
            self.scores[event.actor] -= 1000

    def _reveal_dora(self, event: DoraRevealed) -> None:
        self._reveal(event.indicator)

    def _win(self, event: Won) -> None:
        self.phase = Phase.ENDED
        self.winners.append(event.actor)
        if self._settle(event.deltas, event.scores):
            self.deposits = 0

    def _draw_round(self, event: RoundDrawn) -> None:
        self.phase = Phase.ENDED
        self._settle(event.deltas, event.scores)

    def _settle(self, deltas: Sequence[int] | None, scores: Sequence[int] | None) -> bool:
        """Take over the points where the host tells them, and tell whether it did."""
        if scores is not None:
            self.scores = list(scores)
        elif deltas is not None:
            self.scores = [score + delta for score, delta in zip(self.scores, deltas, strict=True)]
        return scores is not None or deltas is not None

    def _end_round(self, _event: RoundEnd) -> None:
        self.phase = Phase.BETWEEN

    def _end_game(self, event: GameEnd) -> None:
        self.phase = Phase.BETWEEN
        if event.scores is not None:
            self.scores = list(event.scores)
            if sum(self.scores) == self.total_points:
                self.deposits = 0

    _CHANGES: ClassVar[dict[type[Any], Callable[["RoundState", Any], None]]] = {
        GameStart: _start_game,
        RoundStart: _start_round,
        Draw: _draw,
        Discarded: _discard,
        Called: _call,
        RiichiDeclared: _declare_riichi,
        RiichiAccepted: _accept_riichi,
        DoraRevealed: _reveal_dora,
        Won: _win,
        RoundDrawn: _draw_round,
        RoundEnd: _end_round,
        GameEnd: _end_game,
    }
