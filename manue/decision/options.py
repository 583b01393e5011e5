"""The options of a decision, each with what the Monte Carlo draws say of it.

The same functions serve play, from a state, and training, from the scenes of records.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from manue.arrays import Bool
from manue.decision.branches import Branch, branch_of_scene, branches_of
from manue.draws.sampling import NO_DISCARD
from manue.draws.win import LOCKED, RIICHI, SILENT, WinEstimate, WinStatistics, estimate_wins
from manue.features.hand_view import HandView, hand_view, ron_waits, view_of_scene
from manue.features.scene import Scenes
from manue.game.actions import Action, Discard, Riichi
from manue.game.state import RoundState
from manue.hand.shanten import shanten, ukeire, ukeire_by_discard
from manue.rules import TENHOU, Rules
from manue.tiles import KIND_OF, Kind


@dataclass(frozen=True, slots=True)
class Option:
    """One way to go on: a discard of a branch, silently or with riichi, or a branch without a discard.

    Parameters
    ----------
    branch : Branch
    discard : Discard or None
    view : HandView
        Of the branch, before the discard.
    win : WinEstimate
        Of the branch.
    shanten : int
        Of the hand left.
    useful : bool[34]
        Kinds that lower it.
    column : {SILENT, RIICHI, LOCKED}
        The row of the estimate that holds: ``RIICHI`` where it can be declared once the hand is tenpai.
    riichi : bool
        Declares riichi with the discard, or has declared it.
    ron_waits : int
        Bit k is set for an unseen wait k that has a yaku by ron.
    """

    branch: Branch
    discard: Discard | None
    view: HandView
    win: WinEstimate
    shanten: int
    useful: Bool
    column: int
    riichi: bool = False
    ron_waits: int = 0

    @property
    def action(self) -> Action:
        """What is answered now."""
        if self.branch.action is not None:
            return self.branch.action
        if self.pays_stick:
            return Riichi()
        assert self.discard is not None  # noqa: S101  only calls and passes go without
        return self.discard

    @property
    def pays_stick(self) -> bool:
        """Whether riichi is still to be declared and paid for."""
        return self.riichi and not self.branch.in_riichi

    @property
    def kind(self) -> Kind | None:
        """The kind discarded."""
        return None if self.discard is None else KIND_OF[self.discard.tile]

    @property
    def mc_win_prob(self) -> float:
        """P(win) of the Monte Carlo draws."""
        return float(self.win.prob[self.column, self.at])

    @property
    def mc_win_points(self) -> float:
        """Mean points of the trials' wins."""
        return float(self.win.points[self.column, self.at])

    @property
    def errors(self) -> tuple[float, float]:
        """Standard errors of the two."""
        place = self.column, self.at
        return float(self.win.prob_error[place]), float(self.win.points_error[place])

    @property
    def at(self) -> int:
        """The column of the estimate."""
        return NO_DISCARD if self.discard is None else KIND_OF[self.discard.tile]


@dataclass(frozen=True, slots=True)
class DrawSettings:
    """How options are tried.

    Parameters
    ----------
    seed : int
        Of the draws.
    number : int
    extra : int
        Exchanges beyond the fewest.
    win_statistics : WinStatistics
        How wins come about.
    locked : bool
        Count for a riichi its own waits alone, as it must be; the first player counted every target hand.
    keep_targets : bool
        Keep what the Monte Carlo draws won with.
    """

    seed: int
    number: int
    extra: int
    win_statistics: WinStatistics
    locked: bool = True
    keep_targets: bool = False


def options_of(
    state: RoundState, scene: Scenes, actions: Sequence[Action], draws: DrawSettings
) -> Iterator[Option]:
    """Yield every option of a decision; wins and abortive draws are none.

    All branches share their draws, so that options differ by the hand alone.

    Parameters
    ----------
    state : RoundState
    scene : SCENE[1]
        Of that state.
    actions : sequence of Action
        The legal actions of that state, or some of them.
    draws : DrawSettings
    """
    points = state.scores[state.seat]
    for branch in branches_of(state, actions):
        view = hand_view(state, scene, branch.tiles, branch.melds, branch.own_draws)
        planned = _may_riichi_later(view, points, state.tiles_left, state.rules)
        yield from _options_of_branch(branch, view, draws, state.rules, planned=planned)


def options_of_scene(scene: Scenes, draws: DrawSettings, rules: Rules = TENHOU) -> list[Option]:
    """Return the options of a discard to come in a record: the same as of the state it was made from.

    Parameters
    ----------
    scene : SCENE[1]
    draws : DrawSettings
    rules : Rules
    """
    view = view_of_scene(scene)
    points, left = 100 * int(scene["scores"][0, 0]), int(scene["tiles_left"][0])
    planned = _may_riichi_later(view, points, left, rules)
    return list(_options_of_branch(branch_of_scene(scene, view), view, draws, rules, planned=planned))


def _options_of_branch(
    branch: Branch, view: HandView, draws: DrawSettings, rules: Rules, *, planned: bool
) -> Iterator[Option]:
    """Yield the options of a branch; ``planned`` where riichi may be declared once the hand is tenpai."""
    locked = LOCKED if draws.locked else RIICHI
    level = shanten(view.counts, len(branch.melds))
    plans = (locked,) if branch.in_riichi else _plans_of(level, planned=planned)
    win = estimate_wins(
        view,
        draws.seed,
        draws.number,
        0 if plans == (LOCKED,) else draws.extra,
        draws.win_statistics,
        rules,
        plans,
        keep_targets=draws.keep_targets,
    )
    for discard, left, useful in _hands_left(branch, view):
        silent = RIICHI if planned and left > 0 else SILENT
        column = locked if branch.in_riichi else silent
        option = Option(branch, discard, view, win, left, useful, column, riichi=branch.in_riichi)
        yield _rated(option, rules)
        if left == 0 and discard is not None and branch.may_riichi:
            yield _rated(replace(option, column=locked, riichi=True), rules)


def _hands_left(branch: Branch, view: HandView) -> Iterator[tuple[Discard | None, int, Bool]]:
    """Yield each discard of a branch (or none) with the shanten and the useful kinds of the hand left."""
    melds = len(branch.melds)
    if not branch.discards:
        yield None, shanten(view.counts, melds), ukeire(view.counts, melds)
        return
    call_thresholds, useful = ukeire_by_discard(view.counts, melds)
    for discard in branch.discards:
        kind = KIND_OF[discard.tile]
        yield discard, int(call_thresholds[kind]), useful[kind]


def _rated(option: Option, rules: Rules) -> Option:
    """Add what a tenpai hand may win on."""
    if option.shanten != 0:
        return option
    waits = ron_waits(option.view, option.kind, option.useful, riichi=option.riichi, rules=rules)
    return replace(option, ron_waits=waits)


def _plans_of(shanten_left: int, *, planned: bool) -> tuple[int, ...]:
    """Return which rows of the estimate the discards of a hand of this shanten can ask for."""
    if not planned:
        return (SILENT,)
    return (RIICHI,) if shanten_left > 0 else (SILENT, RIICHI, LOCKED)


def _may_riichi_later(view: HandView, points: int, tiles_left: int, rules: Rules) -> bool:
    closed = not any(meld.is_open for meld in view.melds)
    return closed and points >= rules.riichi_needs_points and tiles_left >= rules.riichi_needs_tiles
