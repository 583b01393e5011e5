"""From legal actions to the hands they lead to: what a player has to weigh.

A *branch* is a hand after an action: as it is, after a call or kan, or with the offered tile let go. Its
*candidates* are the discards that follow (none where the next thing is a draw), each once per kind: a red
five is kept while a plain one can go, and the tile just drawn goes before its twin from the hand, which
shows less.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from manue.features.hand_view import HandView, tiles_of
from manue.features.scene import Scenes, declares_riichi
from manue.game.actions import Action, Call, Discard, Pass, Riichi
from manue.game.events import RiichiDeclared
from manue.game.legal import swapped_kinds
from manue.game.state import RoundState
from manue.hand.shanten import ukeire_by_discard
from manue.tiles import KIND_OF, Kind, Meld, Tile, is_red


@dataclass(frozen=True, slots=True)
class Branch:
    """A hand to go on with.

    Parameters
    ----------
    action : Action or None
        What leads here: a call, a kan or ``Pass``; ``None`` on the own turn, where the discard is the action.
    tiles : tuple of str
        Concealed tiles: 3n + 2 where a discard follows, 3n + 1 where a draw does.
    melds : tuple of Meld
    discards : tuple of Discard
        One per kind; empty where a draw follows.
    draws : int
        Own draws still to come after the discard (or from now on, where a draw follows).
    may_riichi : bool
        Riichi may be declared with a discard that leaves tenpai.
    in_riichi : bool
        Riichi has been declared.
    """

    action: Call | Pass | None
    tiles: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    discards: tuple[Discard, ...]
    own_draws: int
    may_riichi: bool = False
    in_riichi: bool = False


def branches_of(state: RoundState, actions: Sequence[Action]) -> tuple[Branch, ...]:
    """Return the branches of a decision; wins and abortive draws are no branches.

    Parameters
    ----------
    state : RoundState
    actions : sequence of Action
        The legal actions of that state.
    """
    branches = []
    discards = [action for action in actions if isinstance(action, Discard)]
    if discards:
        branches.append(_own_branch(state, actions, discards))
    for action in actions:
        match action:
            case Call(kind="chi" | "pon"):
                branches.append(_branch_after_call(state, action))
            case Call():
                branches.append(_branch_after_kan(state, action))
            case Pass():
                branches.append(_branch_of_pass(state, action))
    return tuple(branches)


def _own_branch(state: RoundState, actions: Sequence[Action], discards: Iterable[Discard]) -> Branch:
    return Branch(
        None,
        tuple(state.hand),
        tuple(state.me.melds),
        one_per_kind(discards),
        state.tiles_left // 4,
        may_riichi=Riichi() in actions,
        in_riichi=state.me.riichi_accepted or isinstance(state.last_event, RiichiDeclared),
    )


def _branch_after_call(state: RoundState, call: Call) -> Branch:
    tiles = without(state.hand, call.consumed)
    forbidden = swapped_kinds(state, call)
    discards = [Discard(tile) for tile in tiles if KIND_OF[tile] not in forbidden]
    melds = (*state.me.melds, call.meld())
    return Branch(call, tiles, melds, one_per_kind(discards), state.tiles_left // 4)


def _branch_after_kan(state: RoundState, call: Call) -> Branch:
    """After a kan the next thing is a draw from the dead wall, one more than the turns that are left."""
    melds = state.me.melds
    if call.kind == "kakan":
        tiles = without(state.hand, (call.tile or "",))
        grown = [
            Meld("kakan", (*meld.tiles, *tiles_added(call)), meld.called, meld.source)
            if meld.kind == "pon" and KIND_OF[meld.tiles[0]] == KIND_OF[call.consumed[0]]
            else meld
            for meld in melds
        ]
    else:
        tiles = without(state.hand, call.consumed)
        grown = [*melds, call.meld()]
    return Branch(
        call, tiles, tuple(grown), (), 1 + (state.tiles_left - 1) // 4, in_riichi=state.me.riichi_accepted
    )


def branch_of_scene(scene: Scenes, view: HandView) -> Branch:
    """Return the branch of a discard to come as a record shows it: the hand as it is, all discards open to it.

    The same as for the state that the scene was made from, but for the swap calls that rules forbid, which a
    scene cannot know.

    Parameters
    ----------
    scene : SCENE[1]
        Before a discard.
    view : HandView
        Of that scene.
    """
    here = scene[0]
    drawn, in_riichi = int(here["drawn"]), bool(here["riichi"][0])
    held = tiles_of(view.counts, view.reds)
    last = next((tile for tile in held if KIND_OF[tile] == drawn), None)
    tiles = held if last is None else (*without(held, (last,)), last)  # in the order of a state's hand
    discards = [Discard(tile, KIND_OF[tile] == drawn) for tile in tiles]
    if in_riichi and declares_riichi(scene)[0]:
        shantens, _ = ukeire_by_discard(view.counts, len(view.melds))
        discards = [discard for discard in discards if shantens[KIND_OF[discard.tile]] == 0]
    elif in_riichi:
        discards = [discard for discard in discards if discard.from_draw]
    return Branch(
        None, tiles, view.melds, one_per_kind(discards), int(here["tiles_left"]) // 4, in_riichi=in_riichi
    )


def tiles_added(call: Call) -> tuple[Tile, ...]:
    """Return the tile that a call adds to the consumed ones."""
    return () if call.tile is None else (call.tile,)


def _branch_of_pass(state: RoundState, action: Pass) -> Branch:
    """Letting go: the own next draw comes after those of the seats in between."""
    before = (state.seat - state.turn) % 4
    return Branch(
        action,
        tuple(state.hand),
        tuple(state.me.melds),
        (),
        max(0, (state.tiles_left - before + 3) // 4),
        in_riichi=state.me.riichi_accepted,
    )


def without(tiles: Iterable[Tile], removed: Iterable[Tile]) -> tuple[Tile, ...]:
    """Return the tiles less those removed, by exact name."""
    left = list(tiles)
    for tile in removed:
        left.remove(tile)
    return tuple(left)


def one_per_kind(discards: Iterable[Discard]) -> tuple[Discard, ...]:
    """Choose for each kind the discard that keeps a red five, then the one that shows least."""
    best: dict[Kind, Discard] = {}
    for discard in discards:
        kind = KIND_OF[discard.tile]
        if kind not in best or _preference(discard) > _preference(best[kind]):
            best[kind] = discard
    return tuple(best.values())


def _preference(discard: Discard) -> tuple[bool, bool]:
    return not is_red(discard.tile), discard.from_draw
