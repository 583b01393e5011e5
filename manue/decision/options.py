"""The options of a decision with what the trials say of them: lines (``candidates``) made concrete."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from manue.arrays import Bool
from manue.decision.branches import Line, lines_of
from manue.draws.sampling import NO_DISCARD
from manue.draws.win import LOCKED, RIICHI, SILENT, Habits, WinEstimate, estimate_wins
from manue.features.hand_view import HandView, hand_view, ron_waits
from manue.features.scene import Scenes
from manue.game.actions import Action, Discard, Riichi
from manue.game.state import RoundState
from manue.hand.shanten import shanten, ukeire, ukeire_by_discard
from manue.rules import Rules
from manue.tiles import KIND_OF, Kind


@dataclass(frozen=True, slots=True)
class Option:
    """One way to go on: a discard of a line, silently or with riichi, or a line without a discard.

    Parameters
    ----------
    line : Line
    discard : Discard or None
    view : HandView
        Of the line, before the discard.
    win : WinEstimate
        Of the line.
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

    line: Line
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
        if self.line.action is not None:
            return self.line.action
        if self.pays_stick:
            return Riichi()
        assert self.discard is not None  # noqa: S101  only calls and passes go without
        return self.discard

    @property
    def pays_stick(self) -> bool:
        """Whether riichi is still to be declared and paid for."""
        return self.riichi and not self.line.in_riichi

    @property
    def kind(self) -> Kind | None:
        """The kind discarded."""
        return None if self.discard is None else KIND_OF[self.discard.tile]

    @property
    def trial_prob(self) -> float:
        """P(win) of the trials."""
        return float(self.win.prob[self.column, self.at])

    @property
    def trial_points(self) -> float:
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
class Trials:
    """How options are tried.

    Parameters
    ----------
    seed : int
        Of the draws.
    number : int
    extra : int
        Exchanges beyond the fewest.
    habits : Habits
        How wins come about.
    locked : bool
        Count for a riichi its own waits alone, as it must be; the first player counted every goal.
    tell_goals : bool
        Keep what the trials won with.
    """

    seed: int
    number: int
    extra: int
    habits: Habits
    locked: bool = True
    tell_goals: bool = False


def options_of(
    state: RoundState, scene: Scenes, actions: Sequence[Action], trials: Trials
) -> Iterator[Option]:
    """Yield every option of a decision; wins and abortive draws are none.

    All lines share their draws, so that options differ by the hand alone.
    """
    locked = LOCKED if trials.locked else RIICHI
    for line in lines_of(state, actions):
        view = hand_view(state, scene, line.tiles, line.melds, line.draws)
        planned = _may_riichi_later(state, line)
        level = shanten(view.counts, len(line.melds))
        plans = (locked,) if line.in_riichi else _plans_of(level, planned=planned)
        extra = 0 if plans == (LOCKED,) else trials.extra
        win = estimate_wins(
            view,
            trials.seed,
            trials.number,
            extra,
            trials.habits,
            state.rules,
            plans,
            tell_goals=trials.tell_goals,
        )
        for discard, left, useful in _hands_left(line, view):
            silent = RIICHI if planned and left > 0 else SILENT
            column = locked if line.in_riichi else silent
            option = Option(line, discard, view, win, left, useful, column, riichi=line.in_riichi)
            yield _rated(option, state.rules)
            if left == 0 and discard is not None and line.may_riichi:
                yield _rated(replace(option, column=locked, riichi=True), state.rules)


def _hands_left(line: Line, view: HandView) -> Iterator[tuple[Discard | None, int, Bool]]:
    """Yield each discard of a line (or none) with the shanten and the useful kinds of the hand left."""
    melds = len(line.melds)
    if not line.discards:
        yield None, shanten(view.counts, melds), ukeire(view.counts, melds)
        return
    levels, useful = ukeire_by_discard(view.counts, melds)
    for discard in line.discards:
        kind = KIND_OF[discard.tile]
        yield discard, int(levels[kind]), useful[kind]


def _rated(option: Option, rules: Rules) -> Option:
    """Add what a tenpai hand may win on."""
    if option.shanten != 0:
        return option
    waits = ron_waits(option.view, option.kind, option.useful, riichi=option.riichi, rules=rules)
    return replace(option, ron_waits=waits)


def _plans_of(shanten_left: int, *, planned: bool) -> tuple[int, ...]:
    """Tell which rows of the estimate the discards of a hand of this shanten can ask for."""
    if not planned:
        return (SILENT,)
    return (RIICHI,) if shanten_left > 0 else (SILENT, RIICHI, LOCKED)


def _may_riichi_later(state: RoundState, line: Line) -> bool:
    closed = not any(meld.is_open for meld in line.melds)
    rules = state.rules
    return (
        closed
        and state.scores[state.seat] >= rules.riichi_needs_points
        and state.tiles_left >= rules.riichi_needs_tiles
    )
