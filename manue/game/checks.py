"""The conditions for an event to be possible. Nothing here changes a state.

The checks cover what no table allows: tiles that cannot be there, actions out of turn, sets that are not
sets. What only some hosts forbid (swap calling, riichi without tenpai or points) is left to
``legal_actions``.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from typing_extensions import Never

from manue.errors import EventError
from manue.game.actions import Call
from manue.game.events import (
    Called,
    Discarded,
    DoraRevealed,
    Draw,
    GameEnd,
    GameStart,
    RiichiAccepted,
    RiichiDeclared,
    RoundDrawn,
    RoundEnd,
    RoundStart,
    Won,
)
from manue.game.players import Phase
from manue.game.view import RoundView
from manue.tiles import COPIES, KIND_OF, RED_FIVES, WINDS, Kind, Seat, Tile, is_red

MAX_KANS = 4
MAX_INDICATORS = 5
MUST_DISCARD = (Phase.ACT, Phase.RIICHI_DISCARD, Phase.CALL_DISCARD)
"""Phases in which a seat holds a tile too many."""
CONSUMED = {"chi": 2, "pon": 2, "daiminkan": 3, "kakan": 3, "ankan": 4}
"""Tiles of one's own in each call; of an added kan, those of the pon."""


def _refuse(reason: str) -> Never:
    raise EventError(reason)


# ---- parts of events


def _check_seat(seat: Seat) -> None:
    if seat not in (0, 1, 2, 3):
        _refuse(f"{seat!r} is not a seat (0..3)")


def _check_tile(tile: Tile | None) -> Kind:
    kind = KIND_OF.get(tile) if tile is not None else None
    if kind is None:
        _refuse(f"{tile!r} is not a visible tile")
    return kind


def _check_by_seat(values: Sequence[object] | None, what: str) -> None:
    if values is not None and len(values) != 4:
        _refuse(f"{len(values)} {what} for 4 seats")


def _check_turn(state: RoundView, seat: Seat, *phases: Phase) -> None:
    """Require that it is this seat's turn in one of these phases."""
    _check_seat(seat)
    if state.phase not in phases:
        _refuse(f"seat {seat} acts while the round waits for {state.phase.value}")
    if seat != state.turn:
        _refuse(f"seat {seat} acts on the turn of seat {state.turn}")


def _check_in_round(state: RoundView) -> None:
    if not state.in_round:
        _refuse(f"no round is being played: waiting for {state.phase.value}")


def _check_appears(state: RoundView, tiles: Iterable[Tile]) -> None:
    """Require that copies of these tiles are left among those the seat has not seen."""
    fresh = list(tiles)
    for tile in fresh:
        kind = KIND_OF[tile]
        copies = int(state.visible[kind]) + sum(KIND_OF[other] == kind for other in fresh)
        if copies > COPIES:
            _refuse(f"a fifth {tile}: the other four have been seen")
        if is_red(tile) and (fresh.count(tile) > 1 or state.shows(tile)):
            _refuse(f"a second {tile}: there is one red five per suit")


def _check_tiles_of(state: RoundView, seat: Seat, tiles: Sequence[Tile]) -> None:
    """Require that a seat may have these tiles in its hand."""
    if seat != state.seat:
        _check_appears(state, tiles)
    elif not state.concealed.holds(tiles):
        _refuse(f"seat {seat} does not hold {' '.join(tiles)}")


# ---- events


def _game_start(state: RoundView, event: GameStart) -> None:
    if event.seat is not None and event.seat != state.seat:
        _refuse(f"the host gives seat {event.seat} to the player in seat {state.seat}")


def _round_start(state: RoundView, event: RoundStart) -> None:
    _check_seat(event.dealer)
    _check_by_seat(event.scores, "scores")
    if event.round_wind not in WINDS:
        _refuse(f"{event.round_wind!r} is not a wind")
    if not 1 <= event.number <= 4:
        _refuse(f"round {event.number} of a wind (1..4)")
    if event.honba < 0 or event.deposits < 0:
        _refuse(f"{event.honba} honba and {event.deposits} deposits: neither can be negative")
    if len(event.hands) != 4 or any(len(hand) != 13 for hand in event.hands):
        _refuse(f"hands of {[len(hand) for hand in event.hands]} tiles instead of four times 13")
    if None in event.hands[state.seat]:
        _refuse(f"the hand of seat {state.seat}, which is ours, is hidden")
    _check_deal([*event.hands[state.seat], event.dora_indicator])


def _check_deal(tiles: Sequence[Tile | None]) -> None:
    kinds = Counter(_check_tile(tile) for tile in tiles)
    for tile in tiles:
        if tile is not None and kinds[KIND_OF[tile]] > COPIES:
            _refuse(f"a fifth {tile} among our hand and the indicator")
        if tile in RED_FIVES and tiles.count(tile) > 1:
            _refuse(f"a second {tile} among our hand and the indicator")


def _draw(state: RoundView, event: Draw) -> None:
    _check_turn(state, event.actor, Phase.DRAW, Phase.KAN_DRAW)
    if state.tiles_left <= 0:
        _refuse(f"seat {event.actor} draws, but no tile is left")
    if event.actor == state.seat:
        if event.tile is None:
            _refuse(f"the tile drawn by seat {event.actor}, which is ours, is hidden")
        _check_tile(event.tile)
        _check_appears(state, (event.tile,))


def _discarded(state: RoundView, event: Discarded) -> None:
    seat, tile = event.actor, event.tile
    _check_turn(state, seat, *MUST_DISCARD)
    _check_tile(tile)
    player = state.players[seat]
    if event.from_draw and state.phase is Phase.CALL_DISCARD:
        _refuse(f"seat {seat} discards {tile} as just drawn after a call")
    if player.riichi and player.riichi_index is not None and not event.from_draw:
        _refuse(f"seat {seat} discards {tile} from its hand after riichi")
    if seat != state.seat:
        _check_appears(state, (tile,))
    else:
        _check_own_discard(state, tile, from_draw=event.from_draw)


def _check_own_discard(state: RoundView, tile: Tile, *, from_draw: bool) -> None:
    drawn = state.drawn
    if from_draw and tile != drawn:
        _refuse(f"{tile} is discarded as just drawn, but {drawn} was drawn")
    if from_draw:
        return
    # Where the dealer is dealt 14 tiles, as on Mahjong Soul, its first discard is never "just drawn".
    dealt = state.seat == state.dealer and state.first_turn(state.seat)
    if state.hand.count(tile) <= (tile == drawn and not dealt):
        _refuse(f"{tile} is discarded from the hand, but it is not there")


def _called(state: RoundView, event: Called) -> None:
    call, seat = event.call, event.actor
    _check_in_round(state)
    _check_seat(seat)
    if len(call.consumed) != CONSUMED.get(call.kind):
        _refuse(f"{call.kind} with {len(call.consumed)} tiles from the hand")
    for tile in call.consumed:
        _check_tile(tile)
    if call.kind == "ankan":
        _check_closed_kan(state, seat, call)
    elif call.kind == "kakan":
        _check_added_kan(state, seat, call)
    else:
        _check_taken(state, seat, call)
    if state.players[seat].hand_size <= (1 if call.kind == "kakan" else len(call.consumed)):
        _refuse(f"{call.kind} leaves seat {seat} without a tile")
    if len(call.consumed) > 2 and state.kan_count >= MAX_KANS:
        _refuse(f"a fifth kan, by seat {seat}")


def _check_closed_kan(state: RoundView, seat: Seat, call: Call) -> None:
    _check_turn(state, seat, Phase.ACT)
    if call.tile is not None or call.source is not None:
        _refuse(f"a closed kan takes no tile, but {call.tile} of seat {call.source} is given")
    _check_same_kind(call.consumed)
    _check_wall_left(state, call)
    _check_tiles_of(state, seat, call.consumed)


def _check_added_kan(state: RoundView, seat: Seat, call: Call) -> None:
    _check_turn(state, seat, Phase.ACT)
    _check_tile(call.tile)
    assert call.tile is not None  # noqa: S101  checked on the previous line
    if state.players[seat].riichi:
        _refuse(f"seat {seat} adds to a pon in riichi")
    if not any(
        meld.kind == "pon" and Counter(meld.tiles) == Counter(call.consumed)
        for meld in state.players[seat].melds
    ):
        _refuse(f"seat {seat} has no pon of {' '.join(call.consumed)} to add {call.tile} to")
    _check_same_kind((*call.consumed, call.tile))
    _check_wall_left(state, call)
    _check_tiles_of(state, seat, (call.tile,))


def _check_taken(state: RoundView, seat: Seat, call: Call) -> None:
    offer = state.offer
    if offer is None or state.phase is not Phase.DRAW:
        _refuse(f"seat {seat} calls {call.tile}, but nothing was discarded")
    if (call.tile, call.source) != (offer.tile, offer.source):
        _refuse(
            f"seat {seat} calls {call.tile} of seat {call.source}, "
            f"but seat {offer.source} discarded {offer.tile}"
        )
    if seat == offer.source:
        _refuse(f"seat {seat} calls its own discard")
    if state.players[seat].riichi:
        _refuse(f"seat {seat} calls in riichi")
    if call.kind == "chi":
        _check_run(state, seat, call)
    else:
        _check_same_kind((*call.consumed, offer.tile))
    _check_wall_left(state, call)
    _check_tiles_of(state, seat, call.consumed)


def _check_run(state: RoundView, seat: Seat, call: Call) -> None:
    if seat != state.turn:
        _refuse(
            f"seat {seat} makes a run with a discard from seat {call.source}, not from its left neighbour"
        )
    low, middle, high = sorted(KIND_OF[tile] for tile in (*call.consumed, call.tile or ""))
    if high >= 27 or low // 9 != high // 9 or (middle, high) != (low + 1, low + 2):
        _refuse(f"{call.tile} with {' '.join(call.consumed)} is not a run")


def _check_same_kind(tiles: Sequence[Tile]) -> None:
    if len({KIND_OF[tile] for tile in tiles}) != 1:
        _refuse(f"{' '.join(tiles)} are not of the same kind")


def _check_wall_left(state: RoundView, call: Call) -> None:
    if state.tiles_left <= 0:
        _refuse(f"{call.kind} when no tile is left to draw")


def _riichi_declared(state: RoundView, event: RiichiDeclared) -> None:
    _check_turn(state, event.actor, Phase.ACT)
    player = state.players[event.actor]
    if player.riichi:
        _refuse(f"seat {event.actor} declares riichi twice")
    if not player.is_closed:
        _refuse(f"seat {event.actor} declares riichi with an open hand")


def _riichi_accepted(state: RoundView, event: RiichiAccepted) -> None:
    _check_in_round(state)
    _check_seat(event.actor)
    _check_by_seat(event.scores, "scores")
    player = state.players[event.actor]
    if player.riichi_index is None:
        _refuse(
            f"the riichi of seat {event.actor} is accepted, but it was not declared and followed by a discard"
        )
    if player.riichi_accepted:
        _refuse(f"the riichi of seat {event.actor} is accepted twice")


def _dora_revealed(state: RoundView, event: DoraRevealed) -> None:
    _check_in_round(state)
    _check_tile(event.indicator)
    if len(state.dora_indicators) > state.kan_count or len(state.dora_indicators) >= MAX_INDICATORS:
        _refuse(f"dora indicator number {len(state.dora_indicators) + 1} with {state.kan_count} kans")
    _check_appears(state, (event.indicator,))


def _won(state: RoundView, event: Won) -> None:
    _check_seat(event.actor)
    _check_seat(event.source)
    _check_by_seat(event.deltas, "deltas")
    _check_by_seat(event.scores, "scores")
    if state.phase is Phase.ENDED:
        _check_further_win(state, event)
    elif event.actor == event.source:
        _check_turn(state, event.actor, Phase.ACT)
        if event.actor == state.seat and event.tile not in (None, state.drawn):
            _refuse(f"seat {event.actor} wins by drawing {event.tile}, but {state.drawn} was drawn")
    else:
        _check_won_on_offer(state, event)


def _check_won_on_offer(state: RoundView, event: Won) -> None:
    _check_in_round(state)
    offer = state.offer
    if offer is None or offer.source != event.source:
        _refuse(f"seat {event.actor} wins on seat {event.source}, who offered no tile")
    if event.tile not in (None, offer.tile):
        _refuse(f"seat {event.actor} wins on {event.tile}, but {offer.tile} was offered")


def _check_further_win(state: RoundView, event: Won) -> None:
    """Several seats may win on one discard or kan, each once; a drawn tile has one winner."""
    before = state.last_event
    if not isinstance(before, Won):
        _refuse(f"seat {event.actor} wins after the round has ended")
    if event.source != before.source or event.source in state.winners:
        _refuse(
            f"seat {event.actor} wins on seat {event.source} after seat {before.actor} on {before.source}"
        )
    if event.actor in (*state.winners, event.source):
        _refuse(f"seat {event.actor} wins twice on the same tile")


def _round_drawn(state: RoundView, event: RoundDrawn) -> None:
    _check_in_round(state)
    _check_by_seat(event.deltas, "deltas")
    _check_by_seat(event.scores, "scores")
    _check_by_seat(event.tenpai, "tenpai flags")
    _check_by_seat(event.hands, "hands")


def _round_end(_state: RoundView, _event: RoundEnd) -> None:
    """Accept everything: some hosts report neither wins nor draws, nor the rounds before a restart."""


def _game_end(_state: RoundView, event: GameEnd) -> None:
    _check_by_seat(event.scores, "scores")


CHECKS: dict[type[Any], Callable[[RoundView, Any], None]] = {
    GameStart: _game_start,
    RoundStart: _round_start,
    Draw: _draw,
    Discarded: _discarded,
    Called: _called,
    RiichiDeclared: _riichi_declared,
    RiichiAccepted: _riichi_accepted,
    DoraRevealed: _dora_revealed,
    Won: _won,
    RoundDrawn: _round_drawn,
    RoundEnd: _round_end,
    GameEnd: _game_end,
}
"""The check for each type of event: it raises ``EventError`` or does nothing."""
