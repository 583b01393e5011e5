"""The options of a decision with what the trials say of them: lines (``candidates``) made concrete."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from manue.agents.candidates import Line, lines_of
from manue.estimate.scene import Scenes
from manue.estimate.win import (
    LOCKED,
    NO_DISCARD,
    RIICHI,
    SILENT,
    Habits,
    HandView,
    WinEstimate,
    estimate_wins,
    hand_view,
)
from manue.game.actions import Action, Discard, Riichi
from manue.game.state import RoundState
from manue.hand.shanten import shanten, ukeire, ukeire_by_discard
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
    """

    line: Line
    discard: Discard | None
    view: HandView
    win: WinEstimate
    shanten: int
    useful: npt.NDArray[np.bool_]
    column: int
    riichi: bool = False

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
        return (
            float(self.win.prob_error[self.column, self.at]),
            float(self.win.points_error[self.column, self.at]),
        )

    @property
    def at(self) -> int:
        """The column of the estimate."""
        return NO_DISCARD if self.kind is None else self.kind


@dataclass(frozen=True, slots=True)
class Trials:
    """How options are tried: seed of the draws, number, exchanges beyond the fewest, how wins come about.

    ``tell_goals`` keeps what the trials won with.
    """

    seed: int
    number: int
    extra: int
    habits: Habits
    tell_goals: bool = False


def options_of(
    state: RoundState, scene: Scenes, actions: Sequence[Action], trials: Trials
) -> Iterator[Option]:
    """Yield every option of a decision; wins and abortive draws are none.

    All lines share their draws, so that options differ by the hand alone.
    """
    for line in lines_of(state, actions):
        view = hand_view(state, scene, line.tiles, line.melds, line.draws)
        planned = _may_riichi_later(state, line)
        plans = _plans_of(shanten(view.counts, len(line.melds)), planned=planned, locked=line.in_riichi)
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
        if line.discards:
            yield from _discards_of(line, view, win, planned=planned)
        else:
            level = shanten(view.counts, len(line.melds))
            useful = ukeire(view.counts, len(line.melds))
            column = _row_of(level, planned=planned, locked=line.in_riichi)
            yield Option(line, None, view, win, level, useful, column, line.in_riichi)


def _discards_of(line: Line, view: HandView, win: WinEstimate, *, planned: bool) -> Iterator[Option]:
    levels, useful = ukeire_by_discard(view.counts, len(line.melds))
    for discard in line.discards:
        kind = KIND_OF[discard.tile]
        level = int(levels[kind])
        column = _row_of(level, planned=planned, locked=line.in_riichi)
        option = Option(line, discard, view, win, level, useful[kind], column, line.in_riichi)
        yield option
        if level == 0 and line.may_riichi:
            yield replace(option, column=LOCKED, riichi=True)


def _row_of(shanten_left: int, *, planned: bool, locked: bool) -> int:
    """Choose the row of the estimate: in riichi the hand stays, a closed hand will riichi at tenpai."""
    if locked:
        return LOCKED
    return RIICHI if planned and shanten_left > 0 else SILENT


def _plans_of(shanten_left: int, *, planned: bool, locked: bool) -> tuple[int, ...]:
    """Tell which rows of the estimate the discards of a hand of this shanten can ask for."""
    if locked:
        return (LOCKED,)
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
