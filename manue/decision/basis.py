"""What the options of a decision are valued on: the table as it is once they have taken effect.

A riichi declared with the tile that is offered has been paid for by then, unless somebody wins on it. A chi
or pon has broken every ippatsu, lies open on the table, and the others have passed on the tile; so what
follows it is valued just as it is once the call has been made.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from manue.decision.options import Option
from manue.features.scene import Scenes, scene_of
from manue.game.actions import Call
from manue.game.events import Called, RiichiAccepted
from manue.game.state import RoundState
from manue.models.danger import Danger, DangerReader


class Basis(NamedTuple):
    """A table, and what its opponents threaten.

    Attributes
    ----------
    state : RoundState
    scene : SCENE[1]
        The scene of that state.
    danger : Danger
        The danger in that scene.
    """

    state: RoundState
    scene: Scenes
    danger: Danger


class Bases(NamedTuple):
    """What options are valued on: the table after their chi or pon where ``after`` has it, else now."""

    now: Basis
    after: dict[Call, Basis]

    def parts(self, options: Sequence[Option]) -> Iterator[tuple[Basis, list[Option]]]:
        """Yield the options in their order, those after each call apart, with what they are valued on."""
        for call, members in groupby(options, key=_call_before):
            yield self._after(call), list(members)

    def of(self, option: Option) -> Basis:
        """Return what an option is valued on."""
        return self._after(_call_before(option))

    def _after(self, call: Call | None) -> Basis:
        return self.now if call is None else self.after.get(call, self.now)


def bases_of(now: Basis, options: Sequence[Option], dangers: DangerReader) -> Bases:
    """Return what the options of a decision are valued on."""
    after = {}
    for call in dict.fromkeys(_call_before(option) for option in options):
        if call is not None:
            state = now.state.copied()
            state.apply(Called(state.seat, call))
            after[call] = basis_of(state, dangers)
    return Bases(now, after)


def basis_of(state: RoundState, dangers: DangerReader) -> Basis:
    """Return a table with its scene and danger."""
    scene = scene_of(state)
    return Basis(state, scene, dangers.read(scene, state.seat))


def unless_won(state: RoundState) -> RoundState:
    """Return the state in which nobody has won on the tile that is offered: a riichi with it is paid for."""
    offer = state.offer
    if offer is None:
        return state
    player = state.players[offer.source]
    if not player.riichi or player.riichi_accepted:
        return state
    after = state.copied()
    after.apply(RiichiAccepted(offer.source))
    return after


def _call_before(option: Option) -> Call | None:
    """Return the chi or pon after which an option discards."""
    action = option.branch.action
    return action if isinstance(action, Call) and not action.is_kan else None
