"""The options of a decision with what the trials say of them: lines (``candidates``) made concrete."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from manue.agents.candidates import Line, lines_of
from manue.estimate.scene import Scenes
from manue.estimate.win import (
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
    column : {SILENT, RIICHI}
        The row of the estimate that holds: riichi also where it can still be declared, at tenpai.
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
        return float(self.win.prob[self.column, self._at])

    @property
    def trial_points(self) -> float:
        """Mean points of the trials' wins."""
        return float(self.win.points[self.column, self._at])

    @property
    def errors(self) -> tuple[float, float]:
        """Standard errors of the two."""
        return (
            float(self.win.prob_error[self.column, self._at]),
            float(self.win.points_error[self.column, self._at]),
        )

    @property
    def _at(self) -> int:
        return NO_DISCARD if self.kind is None else self.kind


@dataclass(frozen=True, slots=True)
class Trials:
    """How options are tried: seed of the draws, number, exchanges beyond the fewest, how wins come about."""

    seed: int
    number: int
    extra: int
    habits: Habits


def options_of(
    state: RoundState, scene: Scenes, actions: Sequence[Action], trials: Trials
) -> Iterator[Option]:
    """Yield every option of a decision; wins and abortive draws are none.

    All lines share their draws, so that options differ by the hand alone.
    """
    for line in lines_of(state, actions):
        view = hand_view(state, scene, line.tiles, line.melds, line.draws)
        win = estimate_wins(view, trials.seed, trials.number, trials.extra, trials.habits, state.rules)
        planned = _may_riichi_later(state, line)
        if line.discards:
            yield from _discards_of(line, view, win, planned=planned)
        else:
            level = shanten(view.counts, len(line.melds))
            useful = ukeire(view.counts, len(line.melds))
            column = RIICHI if line.in_riichi or (planned and level > 0) else SILENT
            yield Option(line, None, view, win, level, useful, column, line.in_riichi)


def _discards_of(line: Line, view: HandView, win: WinEstimate, *, planned: bool) -> Iterator[Option]:
    levels, useful = ukeire_by_discard(view.counts, len(line.melds))
    for discard in line.discards:
        kind = KIND_OF[discard.tile]
        level = int(levels[kind])
        column = RIICHI if line.in_riichi or (planned and level > 0) else SILENT
        option = Option(line, discard, view, win, level, useful[kind], column, line.in_riichi)
        yield option
        if level == 0 and line.may_riichi:
            yield replace(option, column=RIICHI, riichi=True)


def _may_riichi_later(state: RoundState, line: Line) -> bool:
    closed = not any(meld.is_open for meld in line.melds)
    rules = state.rules
    return (
        closed
        and state.scores[state.seat] >= rules.riichi_needs_points
        and state.tiles_left >= rules.riichi_needs_tiles
    )
