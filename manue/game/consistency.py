"""Everything that can be wrong with a state, found by recounting what is on the table."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from manue.game.checks import CONSUMED, MAX_KANS, MUST_DISCARD
from manue.game.players import Phase, PlayerState
from manue.game.view import LIVE_WALL, RoundView
from manue.rules import STICK
from manue.tiles import COPIES, KINDS, RED_FIVES, Tile, counts_of


def problems(state: RoundView) -> list[str]:
    """Recount a state and list every contradiction.

    Returns
    -------
    list of str
        One phrase each; empty for a consistent state. Between rounds only the points are checked.
    """
    found = list(_points(state))
    if state.phase is not Phase.BETWEEN:
        found += [*_tiles(state), *_sizes(state), *_calls(state), *_indicators(state)]
        for player in state.players:
            found += [f"seat {player.seat}: {problem}" for problem in _player(player)]
    return found


def seen_tiles(state: RoundView) -> list[Tile]:
    """Return every tile the seat can see, each physical tile once."""
    tiles = [*state.hand, *state.dora_indicators]
    for player in state.players:
        tiles += [tile for meld in player.melds for tile in meld.tiles]
        tiles += [discard.tile for discard in player.river if discard.called_by is None]
    return tiles


def _points(state: RoundView) -> Iterator[str]:
    if len(state.scores) != 4:
        yield f"{len(state.scores)} scores"
    total = sum(state.scores) + STICK * state.deposits
    if state.total_points not in (None, total):
        yield f"{total} points on the table, {state.total_points} at the start"
    if state.deposits < 0:
        yield f"{state.deposits} deposits"


def _tiles(state: RoundView) -> Iterator[str]:
    seen = seen_tiles(state)
    if not np.array_equal(counts_of(seen), state.visible):
        yield "the visible tiles are miscounted"
    if not np.array_equal(counts_of(state.hand), state.counts):
        yield "our tiles are miscounted"
    for kind, count in enumerate(counts_of(seen)):
        if count > COPIES:
            yield f"{count} copies of {KINDS[kind]}"
    for red in RED_FIVES:
        if seen.count(red) > 1:
            yield f"{seen.count(red)} copies of {red}"
    if state.drawn is not None and state.hand[-1] != state.drawn:
        yield f"the drawn {state.drawn} is not the last tile"


def _sizes(state: RoundView) -> Iterator[str]:
    melds = [meld for player in state.players for meld in player.melds]
    draws = LIVE_WALL - state.tiles_left
    discards = sum(len(player.river) for player in state.players)
    consumed = sum(CONSUMED[meld.kind] for meld in melds)
    held = sum(player.hand_size for player in state.players)
    if held != 52 + draws - discards - consumed:
        yield f"{held} concealed tiles after {draws} draws, {discards} discards and {consumed} laid down"
    if not 0 <= state.tiles_left <= LIVE_WALL:
        yield f"{state.tiles_left} tiles left"
    if len(state.hand) != state.me.hand_size:
        yield f"{len(state.hand)} tiles in our hand, {state.me.hand_size} by the table's count"
    to_discard = state.phase in MUST_DISCARD
    for player in state.players:
        rest = 13 - 3 * len(player.melds)
        allowed = {rest + 1} if to_discard and player.seat == state.turn else {rest}
        if state.phase is Phase.ENDED:
            allowed = {rest, rest + 1}
        if player.hand_size not in allowed:
            yield f"seat {player.seat} holds {player.hand_size} tiles with {len(player.melds)} melds"


def _calls(state: RoundView) -> Iterator[str]:
    """Check that every called tile is in one meld and missing from one river."""
    taken = Counter(
        (discard.called_by, player.seat, discard.tile)
        for player in state.players
        for discard in player.river
        if discard.called_by is not None
    )
    laid = Counter(
        (player.seat, meld.source, meld.called)
        for player in state.players
        for meld in player.melds
        if meld.is_open
    )
    if taken != laid:
        yield "the called tiles in rivers and melds differ"
    if state.undisturbed and (laid or any(player.melds for player in state.players)):
        yield "melds although nobody has called"


def _indicators(state: RoundView) -> Iterator[str]:
    if not 1 <= len(state.dora_indicators) <= 1 + state.kan_count:
        yield f"{len(state.dora_indicators)} dora indicators with {state.kan_count} kans"
    if state.kan_count > MAX_KANS:
        yield f"{state.kan_count} kans"


def _player(player: PlayerState) -> Iterator[str]:
    river = counts_of(discard.tile for discard in player.river)
    if np.any((river > 0) & ~player.safe):
        yield "a kind it discarded counts as a possible win"
    if not player.riichi and np.any((river == 0) & player.safe):
        yield "a kind it did not discard counts as safe"
    declared = [at for at, discard in enumerate(player.river) if discard.riichi]
    if declared != ([] if player.riichi_index is None else [player.riichi_index]):
        yield f"riichi discards at {declared}, recorded at {player.riichi_index}"
    if player.riichi_accepted and player.riichi_index is None:
        yield "riichi accepted before its discard"
    if (player.double_riichi or player.ippatsu or player.riichi_index is not None) and not player.riichi:
        yield "riichi flags without riichi"
    if player.riichi and not player.is_closed:
        yield "riichi with an open hand"
    late = player.river[player.riichi_index + 1 :] if player.riichi_index is not None else []
    if not all(discard.from_draw for discard in late):
        yield "a discard from the hand after riichi"
    for meld in player.melds:
        if counts_of(meld.tiles).max() not in ({1} if meld.kind == "chi" else {3, 4}):
            yield f"{' '.join(meld.tiles)} is not a {meld.kind}"
