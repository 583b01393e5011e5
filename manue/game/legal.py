"""What a seat may do after the last event. An empty answer means that there is nothing to decide."""

from collections.abc import Iterable, Iterator
from itertools import combinations

from manue.game.abortive_draws import ends_by_four_kans
from manue.game.actions import Action, Call, Discard, NineTerminals, Pass, Riichi, Win
from manue.game.checks import MAX_KANS
from manue.game.events import Called, Discarded, DoraRevealed, Draw, RiichiDeclared
from manue.game.players import OfferedTile, Phase
from manue.game.state import RoundState
from manue.game.waits import waits_of
from manue.game.win import score_of_win
from manue.hand.shanten import shanten
from manue.tiles import COPIES, KIND_OF, TERMINALS_AND_HONORS, TILES, Kind, MeldKind, Tile

_PASS = Pass()
_FROM_HAND = {tile: Discard(tile) for tile in TILES}
_FROM_DRAW = {tile: Discard(tile, from_draw=True) for tile in TILES}


def legal_actions(state: RoundState) -> tuple[Action, ...]:
    """Return everything that this seat may choose after the last event.

    Returns
    -------
    tuple of Action
        Empty if there is nothing to decide. Every combination of red and plain fives is a separate action;
        ``Pass`` is one of the answers to another seat's discard or kan, and never the only one. Where the
        indicator of an earlier kan follows a kan, the same answers stay legal after it.
    """
    event = state.last_event
    match state.phase:
        case Phase.DRAW:
            if type(event) is Discarded and event.actor != state.seat:
                return _with_pass(_answers_to_discard(state))
        case Phase.KAN_DRAW:
            # the indicator of an earlier kan may come between a kan and the choice to rob it
            if type(event) is Called or type(event) is DoraRevealed:
                return _with_pass(_win_on_offer(state))
        case Phase.ACT:
            if type(event) is Draw and event.actor == state.seat:
                return (*_own_turn(state),)
        case Phase.CALL_DISCARD:
            if type(event) is Called and event.actor == state.seat:
                return (*_discards_after_call(state, event.call),)
        case Phase.RIICHI_DISCARD:
            if type(event) is RiichiDeclared and event.actor == state.seat:
                return (*riichi_discards(state),)
    return ()


def _with_pass(actions: Iterable[Action]) -> tuple[Action, ...]:
    answers = (*actions,)
    return (*answers, _PASS) if answers else ()


# ---- on this seat's turn


def _own_turn(state: RoundState) -> Iterator[Action]:
    drawn = state.drawn
    if drawn is None:
        return
    if KIND_OF[drawn] in state.waits and score_of_win(state, drawn, state.seat) is not None:
        yield Win(drawn, state.seat)
    if state.me.riichi:
        yield from _kan_in_riichi(state, drawn)
        yield _FROM_DRAW[drawn]
        return
    if _riichi_is_possible(state):
        yield Riichi()
    yield from _kans(state)
    if _nine_terminals(state):
        yield NineTerminals()
    yield from _discards(state, drawn)


def _discards(state: RoundState, drawn: Tile) -> Iterator[Discard]:
    """Yield each distinct tile of the hand once, and the drawn tile separately."""
    for tile in dict.fromkeys(state.hand[:-1]):
        yield _FROM_HAND[tile]
    yield _FROM_DRAW[drawn]


def _riichi_is_possible(state: RoundState) -> bool:
    rules = state.rules
    return (
        state.me.is_closed
        and state.tiles_left >= rules.riichi_needs_tiles
        and state.scores[state.seat] >= rules.riichi_needs_points
        and shanten(state.counts, len(state.me.melds)) <= 0
        and any(_leaves_tenpai(state, kind) for kind in state.concealed.kinds())
    )


def _leaves_tenpai(state: RoundState, kind: Kind) -> bool:
    counts = state.counts.copy()
    counts[kind] -= 1
    return bool(waits_of(counts, len(state.me.melds)))


def riichi_discards(state: RoundState) -> Iterator[Discard]:
    """Yield the discards that leave tenpai; all if none does, since a declared riichi needs a discard."""
    if state.drawn is None:
        return
    ready = {kind for kind in state.concealed.kinds() if _leaves_tenpai(state, kind)}
    for discard in _discards(state, state.drawn):
        if not ready or KIND_OF[discard.tile] in ready:
            yield discard


def _nine_terminals(state: RoundState) -> bool:
    if not state.first_turn(state.seat):
        return False
    return sum(kind in TERMINALS_AND_HONORS for kind in state.concealed.kinds()) >= 9


def _kan_is_possible(state: RoundState) -> bool:
    return state.tiles_left > 0 and (state.undisturbed or state.kan_count < MAX_KANS)


def _kans(state: RoundState) -> Iterator[Call]:
    if not _kan_is_possible(state):
        return
    counts = state.counts.tolist()
    if COPIES in counts:
        for kind in range(34):
            if counts[kind] == COPIES:
                yield Call("ankan", _tiles_of_kind(state.hand, kind))
    for meld in state.me.melds:
        if meld.kind == "pon":
            for tile in _tiles_of_kind(state.hand, meld.first_kind):
                yield Call("kakan", meld.tiles, tile)


def _kan_in_riichi(state: RoundState, drawn: Tile) -> Iterator[Call]:
    """Yield the closed kan that riichi allows: one of the drawn tile that leaves the waits unchanged."""
    kind = KIND_OF[drawn]
    if state.counts[kind] < COPIES or kind in state.waits or not _kan_is_possible(state):
        return
    counts = state.counts.copy()
    counts[kind] = 0
    if waits_of(counts, len(state.me.melds) + 1) == state.waits:
        yield Call("ankan", _tiles_of_kind(state.hand, kind))


def _tiles_of_kind(tiles: Iterable[Tile], kind: Kind) -> tuple[Tile, ...]:
    return tuple(sorted(tile for tile in tiles if KIND_OF[tile] == kind))


# ---- answers to a discard or a kan


def _win_on_offer(state: RoundState) -> Iterator[Win]:
    offer = state.offer
    if offer is None or offer.source == state.seat:
        return
    if KIND_OF[offer.tile] not in state.waits or state.furiten:
        return
    if offer.by == "ankan" and not state.may_rob_closed_kan():
        return
    if score_of_win(state, offer.tile, offer.source) is not None:
        yield Win(offer.tile, offer.source)


def _answers_to_discard(state: RoundState) -> Iterator[Action]:
    offer = state.offer
    yield from _win_on_offer(state)
    if offer is None or state.tiles_left == 0 or state.me.riichi or ends_by_four_kans(state):
        return
    yield from _same_kind_calls(state, offer)
    if state.turn == state.seat:
        yield from _runs(state, offer)


def calls_offered(state: RoundState) -> frozenset[MeldKind]:
    """Return the kinds of calls that another seat's discard allows this seat, if nobody wins on it."""
    offer = state.offer
    if offer is None or offer.source == state.seat or state.phase != Phase.DRAW:
        return frozenset()
    return frozenset(action.kind for action in _answers_to_discard(state) if isinstance(action, Call))


def _same_kind_calls(state: RoundState, offer: OfferedTile) -> Iterator[Call]:
    kind = KIND_OF[offer.tile]
    if state.counts[kind] < 2:
        return
    same = _tiles_of_kind(state.hand, kind)
    if state.counts[kind] == 3 and state.kan_count < MAX_KANS:
        yield Call("daiminkan", same, offer.tile, offer.source)
    for pair in dict.fromkeys(combinations(same, 2)):
        yield from _if_a_discard_remains(state, "pon", pair, offer)


def _runs(state: RoundState, offer: OfferedTile) -> Iterator[Call]:
    kind = KIND_OF[offer.tile]
    if kind >= 27:
        return
    for low in range(max(kind - 2, kind // 9 * 9), min(kind, kind // 9 * 9 + 6) + 1):
        first, second = (other for other in (low, low + 1, low + 2) if other != kind)
        if state.counts[first] and state.counts[second]:
            for tile in dict.fromkeys(_tiles_of_kind(state.hand, first)):
                for other in dict.fromkeys(_tiles_of_kind(state.hand, second)):
                    yield from _if_a_discard_remains(state, "chi", (tile, other), offer)


def _if_a_discard_remains(
    state: RoundState, kind: MeldKind, pair: tuple[Tile, Tile], offer: OfferedTile
) -> Iterator[Call]:
    """Yield a call only if it leaves a discard that the swap-calling rule does not forbid."""
    call = Call(kind, pair, offer.tile, offer.source)
    forbidden = swapped_kinds(state, call)
    taken = [KIND_OF[tile] for tile in pair]
    if any(
        state.counts[held] > taken.count(held) for held in state.concealed.kinds() if held not in forbidden
    ):
        yield call


def swapped_kinds(state: RoundState, call: Call) -> tuple[Kind, ...]:
    """Return the kinds forbidden as a discard after a call: the called one and the other end of its run."""
    if not state.rules.swap_calling_forbidden or call.tile is None:
        return ()
    kind = KIND_OF[call.tile]
    low, high = sorted(KIND_OF[tile] for tile in call.consumed)
    if call.kind != "chi" or high != low + 1:
        return (kind,)
    other_end = high + 1 if kind < low else low - 1
    return (kind, other_end) if other_end // 9 == kind // 9 else (kind,)


def _discards_after_call(state: RoundState, call: Call) -> Iterator[Discard]:
    forbidden = swapped_kinds(state, call)
    for tile in dict.fromkeys(state.hand):
        if KIND_OF[tile] not in forbidden:
            yield _FROM_HAND[tile]
