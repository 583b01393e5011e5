"""The score of a win now, with the circumstances taken from the state."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product

from manue.errors import HandError
from manue.game.events import Won
from manue.game.state import RoundState
from manue.hand.score import Score, score_win
from manue.rules import RULES, Rules
from manue.tiles import KIND_OF, KINDS, Meld, Seat, Tile, counts_of, dora_of


def score_of_win(
    state: RoundState, tile: Tile, source: Seat, *, ura_indicators: Sequence[Tile] = ()
) -> Score | None:
    """Score this seat's hand if it wins now.

    Parameters
    ----------
    state : RoundState
        With the drawn tile in the hand for a self-draw; without ``tile`` for a win on another seat.
    tile : str
        The winning tile.
    source : int
        The winner's own seat for a self-draw, else the seat that discarded the tile or made a kan with it.
    ura_indicators : sequence of str
        Known only after the win.

    Returns
    -------
    Score or None
        ``None`` for a complete hand without a yaku.

    Raises
    ------
    HandError
        If the tile does not complete the hand.
    """
    me = state.me
    tsumo = source == state.seat
    last = state.tiles_left == 0
    robs = state.offer is not None and state.offer.by != "discard"
    return score_win(
        state.hand if tsumo else [*state.hand, tile],
        me.melds,
        tile,
        tsumo=tsumo,
        riichi=me.riichi,
        double_riichi=me.double_riichi,
        ippatsu=me.ippatsu,
        haitei=tsumo and last and not state.after_kan,
        houtei=not tsumo and last and not robs,
        rinshan=tsumo and state.after_kan,
        chankan=not tsumo and robs,
        first_turn=state.first_turn(state.seat),
        dora_indicators=state.dora_indicators,
        ura_indicators=ura_indicators,
        seat_wind=state.seat_wind,
        round_wind=state.round_wind,
        honba=state.honba,
        rules=state.rules,
    )


def score_of_event(state: RoundState, event: Won) -> tuple[Tile, Score] | None:
    """Return the tile and the score of a win that a record reports.

    Parameters
    ----------
    state : RoundState
        Of the winner, whose hand it knows, before the win.
    event : Won

    Returns
    -------
    tuple of (str, Score), or None
        ``None`` if the hand and the record contradict each other, or the hand has no yaku.
    """
    tile = winning_tile(state, event)
    if tile is None:
        return None
    try:
        score = score_of_win(state, tile, event.source, ura_indicators=event.ura_indicators)
    except HandError:
        return None
    return None if score is None else (tile, score)


def winning_tile(state: RoundState, event: Won) -> Tile | None:
    """Return the tile that a win is by, from the state of the winner before it; ``None`` if nothing says."""
    tsumo = event.source == event.actor
    return event.tile or (state.drawn if tsumo else state.offer.tile if state.offer is not None else None)


def tiles_of_win(state: RoundState, tile: Tile, source: Seat) -> list[Tile]:
    """Return the tiles of this seat's hand if it wins now, those of its melds and the winning tile included.

    ``tile`` and ``source`` are as in `score_of_win`.
    """
    tiles = [*state.hand, *(one for meld in state.me.melds for one in meld.tiles)]
    return tiles if source == state.seat else [*tiles, tile]


def scores_of_win(state: RoundState, tile: Tile, source: Seat) -> Iterator[tuple[float, Score]]:
    """Yield the scores that a win now may have, each with its probability: in riichi by the ura-dora.

    An ura indicator may be any tile that the seat does not see; several are taken to be independent. Yields
    nothing for a complete hand without a yaku. Parameters and errors are those of `score_of_win`.
    """
    cases = _ura_indicators(state, tile, source) if state.me.riichi else [(1.0, ())]
    for chance, indicators in cases:
        score = score_of_win(state, tile, source, ura_indicators=indicators)
        if score is not None:
            yield chance, score


def deltas_of_win(state: RoundState, score: Score, source: Seat) -> list[int]:
    """Return what a win of this seat with that score changes, by seat, without deposits.

    Whoever fed the last set of a big yakuman pays its part. ``source`` is as in `score_of_win`.
    """
    liable, yakuman = liable_for(state.me.melds, score, state.rules)
    return score.deltas(state.seat, state.dealer, source, liable=liable, liable_yakuman=yakuman)


def liable_for(melds: Sequence[Meld], score: Score, rules: Rules) -> tuple[Seat | None, int]:
    """Return who is liable (pao) for yakuman of a win, if anybody, and for how many.

    Parameters
    ----------
    melds : sequence of Meld
        Of the winner, in the order in which they were called.
    score : Score
    rules : Rules
    """
    names = {name for name, _ in score.yaku}
    dragons, winds = feeders(melds)
    found: tuple[Seat | None, int] = (None, 0)
    if "daisangen" in names:
        found = dragons, 1
    elif "daisuushii" in names:
        found = winds, 2 if rules.double_yakuman_patterns else 1
    return (found[0], score.yakuman) if rules.liable_for_all_yakuman else found


def liable_payer(state: RoundState, event: Won, deltas: Sequence[int]) -> Seat | None:
    """Return who is liable (pao) for a win that a record reports and paid for it, other than by dealing in.

    A record does not say by which rules it was paid for, so those of all are tried; nor does it say which of
    several wins on a tile came with the honba.

    Parameters
    ----------
    state : RoundState
        Of the winner, before the win.
    event : Won
    deltas : sequence of int
        What was paid, by seat.
    """
    if not any(seat is not None for seat in feeders(state.me.melds)):
        return None
    ahead = state.copied()
    for rules, honba in product(RULES.values(), {state.honba, 0}):
        ahead.rules, ahead.honba = rules, honba
        if (scored := score_of_event(ahead, event)) is None:
            return None
        liable, _ = liable_for(state.me.melds, scored[1], rules)
        paid = deltas_of_win(ahead, scored[1], event.source)
        as_recorded = all(paid[seat] == deltas[seat] for seat in range(4) if seat != event.actor)
        if liable not in {None, event.source} and as_recorded:
            return liable
    return None


def feeders(melds: Sequence[Meld]) -> tuple[Seat | None, Seat | None]:
    """Return who discarded the last set of the three dragons, and of the four winds, if all are called.

    Parameters
    ----------
    melds : sequence of Meld
        Of one seat, in the order in which they were called.
    """
    honors = [meld for meld in melds if meld.first_kind >= KIND_OF["E"]]
    dragons = [meld.source for meld in honors if meld.first_kind >= KIND_OF["P"]]
    winds = [meld.source for meld in honors if meld.first_kind < KIND_OF["P"]]
    return dragons[2] if len(dragons) == 3 else None, winds[3] if len(winds) == 4 else None


def _ura_indicators(state: RoundState, tile: Tile, source: Seat) -> Iterator[tuple[float, tuple[Tile, ...]]]:
    """Yield each combination of numbers of ura-dora as its probability and indicators that give it."""
    held = counts_of(tiles_of_win(state, tile, source))
    unseen: Counter[int] = Counter()
    indicator_of: dict[int, Tile] = {}
    for kind, indicator in enumerate(KINDS):
        left = int(state.unseen[kind])
        dora = int(held[dora_of(indicator)])
        if left:
            unseen[dora] += left
            indicator_of[dora] = indicator
    total = sum(unseen.values())
    for each in combinations_with_replacement(sorted(unseen), len(state.dora_indicators)):
        orders = math.factorial(len(each)) / math.prod(map(math.factorial, Counter(each).values()))
        chance = orders * math.prod(unseen[dora] / total for dora in each)
        yield chance, tuple(indicator_of[dora] for dora in each)
