"""The options of a decision, each with the estimates of the Monte Carlo draws.

The same functions serve play, from a state, and training, from the scenes of records.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from manue.arrays import F64, Bool
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
    """One way to continue: a discard of a branch, without or with riichi, or a branch without a discard.

    Parameters
    ----------
    branch : Branch
    discard : Discard or None
    view : HandView
        The hand of the branch, before the discard.
    win : WinEstimate
        The estimate for the branch.
    shanten : int
        Shanten of the hand left.
    useful : bool[34]
        Kinds that lower it.
    plan : {SILENT, RIICHI, LOCKED}
        The row of the estimate that applies: ``RIICHI`` if riichi can be declared once the hand is tenpai.
    riichi : bool
        Whether riichi is declared with the discard, or has been declared.
    ron_waits : int
        Bit k is set for an unseen wait k that has a yaku by ron.
    """

    branch: Branch
    discard: Discard | None
    view: HandView
    win: WinEstimate
    shanten: int
    useful: Bool
    plan: int
    riichi: bool = False
    ron_waits: int = 0

    @property
    def action(self) -> Action:
        """The action to take now."""
        if self.branch.action is not None:
            return self.branch.action
        if self.declares_riichi:
            return Riichi()
        assert self.discard is not None  # noqa: S101  only calls and passes have none
        return self.discard

    @property
    def declares_riichi(self) -> bool:
        """Whether this option declares riichi."""
        return self.riichi and not self.branch.in_riichi

    @property
    def pays_stick(self) -> bool:
        """Whether this option pays for riichi: it declares it, or is the discard of one just declared."""
        return self.declares_riichi or self.branch.owes_stick

    @property
    def is_kan(self) -> bool:
        """Whether this option declares a kan."""
        return self.branch.is_kan

    @property
    def kind(self) -> Kind | None:
        """The kind discarded, ``None`` without a discard."""
        return None if self.discard is None else KIND_OF[self.discard.tile]

    @property
    def mc_win_prob(self) -> float:
        """P(win) estimated by the Monte Carlo draws."""
        return float(self.win.prob[self.plan, self.at])

    @property
    def mc_win_points(self) -> float:
        """Mean points of the wins among the Monte Carlo draws."""
        return float(self.win.points[self.plan, self.at])

    @property
    def ways(self) -> F64:
        """How those wins come about and in which size: float64[2, SIZES], as in `WinEstimate`."""
        return np.asarray(self.win.ways[self.plan, self.at], np.float64)

    @property
    def errors(self) -> tuple[float, float]:
        """Standard errors of `mc_win_prob` and `mc_win_points`."""
        place = self.plan, self.at
        return float(self.win.prob_error[place]), float(self.win.points_error[place])

    @property
    def at(self) -> int:
        """The column of the estimate that applies."""
        return NO_DISCARD if self.kind is None else self.kind


@dataclass(frozen=True, slots=True)
class DrawSettings:
    """How the Monte Carlo draws of a decision are made.

    Parameters
    ----------
    seed : int
        Seed of the draws.
    number : int
        How many are made.
    extra : int
        Exchanges allowed beyond the fewest that reach a target hand.
    win_statistics : WinStatistics
        How wins come about.
    locked : bool
        Count only its waits for a hand in riichi, as the rules demand; the first player counted every target
        hand.
    keep_targets : bool
        Record the target hands that the draws won with.
    """

    seed: int
    number: int
    extra: int
    win_statistics: WinStatistics
    locked: bool = True
    keep_targets: bool = False

    def in_double_riichi(self) -> "DrawSettings":
        """Return the same for a hand whose riichi is a double one, a han more."""
        statistics = self.win_statistics
        doubled = replace(statistics, riichi_han=(0.0, *statistics.riichi_han))
        return replace(self, win_statistics=doubled)

    def in_furiten(self) -> "DrawSettings":
        """Return the same for a hand in riichi that wins by self-draw alone."""
        return replace(self, win_statistics=replace(self.win_statistics, tsumo_share=(1.0, 1.0)))


def options_of(
    state: RoundState, scene: Scenes, actions: Sequence[Action], draws: DrawSettings
) -> Iterator[Option]:
    """Yield every option of a decision; wins and abortive draws are not options.

    All branches share their draws, so that only the hand makes options differ.

    Parameters
    ----------
    state : RoundState
    scene : SCENE[1]
        The scene of that state.
    actions : sequence of Action
        The legal actions in that state, or some of them.
    draws : DrawSettings
    """
    points = state.scores[state.seat]
    for branch in branches_of(state, actions):
        view = hand_view(scene, branch.tiles, branch.melds, branch.own_draws)
        left = state.tiles_left - branch.is_kan  # the replacement tile comes before riichi
        planned = _may_riichi_later(view, points, left, state.rules)
        passed = scene["safe"][0, 0] > 0
        yield from _options_of_branch(branch, view, passed, draws, state.rules, planned=planned)


def options_of_scene(scene: Scenes, draws: DrawSettings, forbidden: Collection[Kind]) -> list[Option]:
    """Return the options for a recorded discard: the same as in the state from which the scene was made.

    Games to learn from are by Tenhou's rules; a scene does not know of others.

    Parameters
    ----------
    scene : SCENE[1]
    draws : DrawSettings
    forbidden : collection of Kind
        What may not be discarded after a call.
    """
    view = view_of_scene(scene)
    points, left = 100 * int(scene["scores"][0, 0]), int(scene["tiles_left"][0])
    planned = _may_riichi_later(view, points, left, TENHOU)
    branch = branch_of_scene(scene, view, forbidden)
    passed = scene["safe"][0, 0] > 0
    return list(_options_of_branch(branch, view, passed, draws, TENHOU, planned=planned))


def _options_of_branch(
    branch: Branch, view: HandView, passed: Bool, draws: DrawSettings, rules: Rules, *, planned: bool
) -> Iterator[Option]:
    """Yield the options of a branch.

    Parameters
    ----------
    branch : Branch
    view : HandView
        Its hand.
    passed : bool[34]
        Kinds on which this seat cannot win by ron any more; waiting for one of them is furiten.
    draws : DrawSettings
    rules : Rules
    planned : bool
        Whether riichi may be declared once the hand is tenpai.
    """
    locked = LOCKED if draws.locked else RIICHI
    before = shanten(view.counts, len(branch.melds))
    plans = (locked,) if branch.in_riichi else _plans_of(before, planned=planned)
    win = _estimated(view, draws, rules, plans, before)
    in_riichi = draws.in_double_riichi() if branch.double_riichi else draws
    declared = _estimated(view, in_riichi, rules, (locked,), before) if branch.double_riichi else win
    for discard, left, useful in _hands_left(branch, view):
        if not branch.in_riichi:
            # a kan in tenpai leaves riichi to the discard after it
            silent = RIICHI if planned and (left > 0 or branch.is_kan) else SILENT
            yield _rated(Option(branch, discard, view, win, left, useful, silent), rules)
        if branch.in_riichi or (left == 0 and discard is not None and branch.may_riichi):
            estimate = declared
            if draws.locked and _in_furiten(branch, discard, useful, passed):
                estimate = _estimated(view, in_riichi.in_furiten(), rules, (locked,), before)
            yield _rated(Option(branch, discard, view, estimate, left, useful, locked, riichi=True), rules)


def _in_furiten(branch: Branch, discard: Discard | None, useful: Bool, passed: Bool) -> bool:
    """Return whether a hand in riichi waits for a kind on which it cannot win by ron."""
    thrown = branch.missed if discard is None else KIND_OF[discard.tile]
    return bool((useful & passed).any() or (thrown is not None and useful[thrown]))


def _estimated(
    view: HandView, draws: DrawSettings, rules: Rules, plans: tuple[int, ...], before: int
) -> WinEstimate:
    """Estimate the wins of a hand of the shanten ``before``, in the rows ``plans``."""
    complete = int(before < 0)  # whatever is discarded then leaves a tile to be drawn
    return estimate_wins(
        view,
        draws.seed,
        draws.number,
        complete if plans == (LOCKED,) else max(draws.extra, complete),
        draws.win_statistics,
        rules,
        plans,
        keep_targets=draws.keep_targets,
    )


def _hands_left(branch: Branch, view: HandView) -> Iterator[tuple[Discard | None, int, Bool]]:
    """Yield each discard of a branch (or ``None``) with the shanten and the useful kinds of the hand left."""
    melds = len(branch.melds)
    if not branch.discards:
        yield None, shanten(view.counts, melds), ukeire(view.counts, melds)
        return
    shantens, useful = ukeire_by_discard(view.counts, melds)
    for discard in branch.discards:
        kind = KIND_OF[discard.tile]
        yield discard, int(shantens[kind]), useful[kind]


def _rated(option: Option, rules: Rules) -> Option:
    """Add the waits on which a tenpai hand can win by ron."""
    if option.shanten != 0:
        return option
    waits = ron_waits(option.view, option.kind, option.useful, riichi=option.riichi, rules=rules)
    return replace(option, ron_waits=waits)


def _plans_of(shanten_left: int, *, planned: bool) -> tuple[int, ...]:
    """Return the rows of the estimate that the discards from a hand of this shanten may need."""
    if not planned:
        return (SILENT,)
    return (RIICHI,) if shanten_left > 0 else (SILENT, RIICHI, LOCKED)


def _may_riichi_later(view: HandView, points: int, tiles_left: int, rules: Rules) -> bool:
    """Return whether a hand may declare riichi once it is tenpai.

    ``tiles_left`` is that of now, though riichi comes some draws later: where that makes a difference, only
    one own draw is left, and with it a hand that is not tenpai yet cannot win.
    """
    closed = not any(meld.is_open for meld in view.melds)
    return closed and points >= rules.riichi_needs_points and tiles_left >= rules.riichi_needs_tiles
