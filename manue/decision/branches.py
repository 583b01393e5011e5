"""From legal actions to the hands they lead to: what a player has to evaluate.

A *branch* is a hand after an action: unchanged, after a call or kan, or after passing on a discard. Its
*options* are the discards that follow (none if a draw comes next), one per kind: a red five is kept while a
plain five can be discarded, and the tile just drawn is preferred to an identical one from the hand because
that reveals less.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from manue.features.hand_view import HandView
from manue.features.scene import Scenes, declares_riichi
from manue.game.actions import Action, Call, Discard, Pass, Riichi
from manue.game.events import RiichiDeclared
from manue.game.legal import calls_offered, swapped_kinds
from manue.game.state import RoundState
from manue.hand.shanten import ukeire_by_discard
from manue.tiles import KIND_OF, Kind, Meld, MeldKind, Tile, is_red, tiles_in


@dataclass(frozen=True, slots=True)
class Branch:
    """A hand to continue with.

    Parameters
    ----------
    action : Action or None
        What leads here: a call, a kan or ``Pass``; ``None`` on this seat's turn, where the discard itself is
        the action.
    tiles : tuple of str
        Concealed tiles: 3n + 2 if a discard follows, 3n + 1 if a draw does.
    melds : tuple of Meld
    discards : tuple of Discard
        One per kind; empty if a draw follows.
    own_draws : int
        Draws that this seat still has after the discard (or from now on, if a draw follows).
    draws_before : int
        Opponents who draw before it does.
    may_riichi : bool
        Whether riichi may be declared with a discard that leaves tenpai.
    in_riichi : bool
        Whether riichi has been declared.
    double_riichi : bool
        Whether the riichi that has been declared, or may be with the discard, is a double riichi.
    owes_stick : bool
        Whether its stick has yet to be paid: the discard is the one that declares it.
    missed : int or None
        The wait on which this seat passes up a win in riichi: it is furiten to the end of the round.
    passed : frozenset of str
        Kinds of calls that a pass leaves.
    """

    action: Call | Pass | None
    tiles: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    discards: tuple[Discard, ...]
    own_draws: int
    draws_before: int = 3
    may_riichi: bool = False
    in_riichi: bool = False
    double_riichi: bool = False
    owes_stick: bool = False
    missed: Kind | None = None
    passed: frozenset[MeldKind] = frozenset()

    @property
    def is_kan(self) -> bool:
        """Whether a kan leads here."""
        return isinstance(self.action, Call) and self.action.is_kan


def branches_of(state: RoundState, actions: Sequence[Action]) -> tuple[Branch, ...]:
    """Return the branches of a decision; wins and abortive draws have none.

    Parameters
    ----------
    state : RoundState
    actions : sequence of Action
        The legal actions in that state.
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
    declared, may_riichi = isinstance(state.last_event, RiichiDeclared), Riichi() in actions
    return Branch(
        None,
        tuple(state.hand),
        tuple(state.me.melds),
        one_per_kind(discards),
        state.tiles_left // 4,
        may_riichi=may_riichi,
        in_riichi=state.me.riichi,
        double_riichi=state.me.double_riichi or (may_riichi and state.first_turn(state.seat)),
        owes_stick=declared,
    )


def _branch_after_call(state: RoundState, call: Call) -> Branch:
    tiles = without(state.hand, call.consumed)
    forbidden = swapped_kinds(state, call)
    discards = [Discard(tile) for tile in tiles if KIND_OF[tile] not in forbidden]
    melds = (*state.me.melds, call.meld())
    return Branch(call, tiles, melds, one_per_kind(discards), state.tiles_left // 4)


def _branch_after_kan(state: RoundState, call: Call) -> Branch:
    """After a kan a draw from the dead wall comes next, in addition to the draws of the turns left."""
    melds = state.me.melds
    if call.kind == "kakan":
        assert call.tile is not None  # noqa: S101  the tile that is added to the pon
        tiles = without(state.hand, (call.tile,))
        grown = [
            meld.extended(call.tile)
            if meld.kind == "pon" and KIND_OF[meld.tiles[0]] == KIND_OF[call.consumed[0]]
            else meld
            for meld in melds
        ]
    else:
        tiles = without(state.hand, call.consumed)
        grown = [*melds, call.meld()]
    return Branch(
        call,
        tiles,
        tuple(grown),
        (),
        1 + (state.tiles_left - 1) // 4,
        draws_before=0,
        in_riichi=state.me.riichi,
        double_riichi=state.me.double_riichi,
    )


def branch_of_scene(scene: Scenes, view: HandView, forbidden: Collection[Kind]) -> Branch:
    """Return the branch for a recorded discard: the hand before it and every discard open to it.

    Equal to the branch of the state from which the scene was made.

    Parameters
    ----------
    scene : SCENE[1]
        The position before a discard.
    view : HandView
        The hand in that scene.
    forbidden : collection of Kind
        What may not be discarded after a call (`manue.game.legal.swapped_kinds`); a scene does not know it.
    """
    here = scene[0]
    drawn, in_riichi = int(here["drawn"]), bool(here["riichi"][0])
    held = tiles_in(view.counts, view.reds)
    last = next((tile for tile in held if KIND_OF[tile] == drawn), None)
    tiles = held if last is None else (*without(held, (last,)), last)  # in the order of a state's hand
    discards = [Discard(tile, KIND_OF[tile] == drawn) for tile in tiles if KIND_OF[tile] not in forbidden]
    declared = in_riichi and bool(declares_riichi(scene)[0])
    if declared:
        shantens, _ = ukeire_by_discard(view.counts, len(view.melds))
        discards = [discard for discard in discards if shantens[KIND_OF[discard.tile]] == 0]
    elif in_riichi:
        discards = [discard for discard in discards if discard.from_draw]
    return Branch(
        None,
        tiles,
        view.melds,
        one_per_kind(discards),
        int(here["tiles_left"]) // 4,
        in_riichi=in_riichi,
        double_riichi=bool(here["riichi"][0] == 2),
        owes_stick=declared,
    )


def _branch_of_pass(state: RoundState, action: Pass) -> Branch:
    """After a pass this seat draws once the seats in between have drawn."""
    before = (state.seat - state.turn) % 4
    offered = None if state.offer is None else KIND_OF[state.offer.tile]
    return Branch(
        action,
        tuple(state.hand),
        tuple(state.me.melds),
        (),
        max(0, (state.tiles_left - before + 3) // 4),
        draws_before=before,
        in_riichi=state.me.riichi,
        double_riichi=state.me.double_riichi,
        missed=offered if state.me.riichi and offered in state.waits else None,
        passed=calls_offered(state),
    )


def without(tiles: Iterable[Tile], removed: Iterable[Tile]) -> tuple[Tile, ...]:
    """Return the tiles except those removed, by exact name."""
    left = list(tiles)
    for tile in removed:
        left.remove(tile)
    return tuple(left)


def one_per_kind(discards: Iterable[Discard]) -> tuple[Discard, ...]:
    """For each kind choose the discard that keeps a red five, then the one that reveals least."""
    best: dict[Kind, Discard] = {}
    for discard in discards:
        kind = KIND_OF[discard.tile]
        if kind not in best or _preference(discard) > _preference(best[kind]):
            best[kind] = discard
    return tuple(best.values())


def _preference(discard: Discard) -> tuple[bool, bool]:
    return not is_red(discard.tile), discard.from_draw
