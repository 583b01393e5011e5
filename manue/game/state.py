"""The round as one seat sees it, fed only by events.

An event is first checked against everything that is known (``manue.game.checks``) and then applied, so an
impossible one changes nothing. A log with all hands open is followed by four states, each of which ignores
what its seat cannot see.
"""

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, ClassVar

from manue.errors import EventError
from manue.game.checks import CHECKS
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
from manue.game.players import OfferedTile, Phase, PlayerState
from manue.game.view import RoundView
from manue.rules import RULES, STICK
from manue.tiles import KIND_OF, Seat, Tile, round_index


class RoundState(RoundView):
    """One seat's knowledge of the current round, kept up to date by `apply`."""

    def copied(self) -> "RoundState":
        """Return a state that continues from here by itself."""
        other = copy(self)
        other.scores = self.scores.copy()
        other.dora_indicators = self.dora_indicators.copy()
        other.players = [player.copied() for player in self.players]
        other.concealed = self.concealed.copied()
        other.visible = self.visible.copy()
        other.winners = self.winners.copy()
        other.gone_by = self.gone_by.copy()
        return other

    def apply(self, event: Event) -> None:
        """Check an event and update the state.

        Raises
        ------
        EventError
            If the event cannot follow what is known; the state is then unchanged.
        """
        kind = type(event)
        if kind not in self._CHANGES:
            raise EventError(f"{event!r} is not an event")
        CHECKS[kind](self, event)
        self.event_count += 1
        self._CHANGES[kind](self, event)
        self.last_event = event

    def _start_game(self, event: GameStart) -> None:
        self.names = event.names
        if event.rules is not None:
            self.rules = replace(RULES[event.rules], last_round=self.rules.last_round)
        if event.last_round is not None:
            self.rules = replace(self.rules, last_round=event.last_round)
        if event.red_fives is not None:
            self.rules = replace(self.rules, red_fives=event.red_fives)
        if event.open_tanyao is not None:
            self.rules = replace(self.rules, open_tanyao=event.open_tanyao)
        self.scores = [self.rules.start_points] * 4
        self.total_points = None
        self.event_count = 0
        self._clear_table("E", 1, 0, 0, 0)

    def _start_round(self, event: RoundStart) -> None:
        self._clear_table(event.round_wind, event.number, event.honba, event.deposits, event.dealer)
        if event.scores is not None:
            self.scores = list(event.scores)
        if self.total_points is None:
            self.total_points = sum(self.scores) + STICK * self.deposits
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
        """Record who did not win on the offered tile, now that the round has continued."""
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
        """Move tiles from a hand into a meld; those of other seats become visible."""
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
            self.scores[event.actor] -= STICK

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
        """Update the points if the host reports them, and return whether it did."""
        if scores is not None:
            self.scores = list(scores)
        elif deltas is not None:
            self.scores = [score + delta for score, delta in zip(self.scores, deltas, strict=True)]
        return scores is not None or deltas is not None

    def _end_round(self, _event: RoundEnd) -> None:
        self.phase = Phase.BETWEEN

    def _end_game(self, event: GameEnd) -> None:
        """Take over the final points; if they are not given, the first place takes the sticks of a draw.

        Not if the game was not over by then, as in a record of a single round.
        """
        drawn = self.phase in {Phase.ENDED, Phase.BETWEEN} and not self.winners
        in_last = round_index(self.round_wind, self.number) >= self.rules.last_round
        self.phase = Phase.BETWEEN
        if event.scores is not None:
            self.scores = list(event.scores)
            if sum(self.scores) == self.total_points:
                self.deposits = 0
        elif drawn and (in_last or min(self.scores) < 0):
            self.scores[self.scores.index(max(self.scores))] += STICK * self.deposits
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
