"""Winning: Monte Carlo over precomputed needed tiles, for all discards of a hand at once.

A Monte Carlo draw samples the tiles this seat will draw, without replacement, from the tiles it has not seen.
It reaches a target hand (``manue.draws.target_hands``) if the needed tiles are among them. A discard wins
with that hand if its tile is spare, or if a further copy of it was drawn. Of several target hands reached,
the most valuable counts.

``manue.draws.sampling`` evaluates all Monte Carlo draws in one pass.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from manue.arrays import F32, F64, I8, I16, I32, I64, Bool
from manue.compiled import compiled, inlined
from manue.draws.sampling import NO_DISCARD, draw_rows, part_rows, reached_targets, room_for_wins, tally
from manue.draws.target_hands import TargetHands, find_target_hands
from manue.draws.target_parts import Parts
from manue.features.hand_view import HandView, meld_dora
from manue.features.wait_discard_rates import CLASSES
from manue.hand.points import SIZES
from manue.hand.score import set_code
from manue.hand.shape import SetCodes
from manue.hand.value import REGULAR, WinContext, add_sizes, value_target, win_context
from manue.rules import TENHOU, Rules
from manue.tiles import RED_OF

SILENT, RIICHI, LOCKED = range(3)
"""Rows of an estimate: never riichi; riichi on reaching tenpai; riichi now, with the hand locked."""


@dataclass(frozen=True, slots=True)
class WinStatistics:
    """How wins come about, as measured on game records.

    Parameters
    ----------
    tsumo_share : tuple of float
        Share of self-draws among wins without riichi and with it.
    riichi_han : tuple of float
        Probability of 0, 1, 2... han on top of a riichi win, ura-dora apart: ippatsu.
    ura_han : tuple of float
        Probability of 0, 1, 2... ura-dora in a riichi win, for each dora indicator on the table.
    survival : float
        Probability, for each of the seat's draws, that the round lasts until it; 1 counts all of them.
    discard_rates : float64[classes]
        Share of the unseen copies of a kind that opponents discard within the rest of the round
        (``manue.features.wait_discard_rates``); the Monte Carlo draws do not use it.
    """

    tsumo_share: tuple[float, float] = (0.4, 0.4)
    riichi_han: tuple[float, ...] = (1.0,)
    ura_han: tuple[float, ...] = (1.0,)
    survival: float = 1.0
    discard_rates: F64 = field(default_factory=lambda: np.zeros(CLASSES), repr=False, compare=False)

    def han_on_top(self, indicators: int) -> tuple[float, ...]:
        """Return P(0, 1, 2... han on top of a riichi win) with this many dora indicators on the table."""
        return _convolved(self.riichi_han, self.ura_han, indicators)


@lru_cache(maxsize=64)
def _convolved(han: tuple[float, ...], further: tuple[float, ...], times: int) -> tuple[float, ...]:
    for _ in range(times):
        han = tuple(np.convolve(han, further).tolist())
    return han


@dataclass(frozen=True, slots=True)
class TargetTally:
    """Which target hands the Monte Carlo draws won with.

    Parameters
    ----------
    targets : TargetHands
    values : float32[n, 2]
        Points of each target hand without and with riichi, 0 for those that no draw reached.
    taken : int32[3, n, 35]
        Monte Carlo draws won with each target hand, by row of the estimate and kind discarded.
    """

    targets: TargetHands
    values: F32
    taken: I32


@dataclass(frozen=True, slots=True)
class WinEstimate:
    """Probabilities and points by kind discarded (column 34: no discard), in rows SILENT, RIICHI and LOCKED.

    SILENT and RIICHI count every target hand, so the hand may still change. LOCKED counts only those that are
    one tile away, as after a riichi, so it is 0 for a discard that does not leave tenpai. Kinds that cannot
    be discarded have 0, and so do the riichi rows of a hand with called sets.

    Parameters
    ----------
    prob : float64[3, 35]
        P(win).
    points : float64[3, 35]
        Mean points of the wins without honba and deposits, 0 without any win.
    ways : float64[3, 35, 2, SIZES]
        P(the win is a self-draw of each size, and a ron of each size (``manue.hand.points``)), given that it
        wins; 0 without any win.
    prob_error, points_error : float64[3, 35]
        Standard errors of the first two.
    targets : int
        Number of target hands considered.
    tally : TargetTally or None
        If requested.
    """

    prob: F64
    points: F64
    ways: F64
    prob_error: F64
    points_error: F64
    targets: int
    tally: TargetTally | None = None


def estimate_wins(
    view: HandView,
    seed: int,
    mc_draws: int = 1000,
    extra: int = 1,
    win_statistics: WinStatistics = WinStatistics(),
    rules: Rules = TENHOU,
    plans: Sequence[int] = (SILENT, RIICHI, LOCKED),
    *,
    keep_targets: bool = False,
) -> WinEstimate:
    """Estimate this seat's win for every discard from a hand.

    Parameters
    ----------
    view : HandView
    seed : int
        The same seed and unseen tiles give the same draws, whatever the hand.
    mc_draws : int
        Number of Monte Carlo draws.
    extra : int
        Exchanges beyond the minimum (``manue.draws.target_hands``).
    win_statistics : WinStatistics
    rules : Rules
    plans : sequence of {SILENT, RIICHI, LOCKED}
        The rows to fill; the others stay 0. Leaving out rows that are not needed saves most of the time.
    keep_targets : bool
        Whether to record which target hands the Monte Carlo draws won with.
    """
    targets = find_target_hands(view.counts, view.unseen, len(view.melds), extra)
    hands = described_targets(view, targets, win_statistics, rules)
    values = np.zeros((len(targets.forms), 2), np.float32)
    wins, ways = np.zeros((3, NO_DISCARD + 1, 3)), np.zeros((3, NO_DISCARD + 1, 2, SIZES))
    taken = np.zeros((3, len(targets.forms) if keep_targets else 0, NO_DISCARD + 1), np.int32)
    if len(targets.forms):
        rows = draw_rows(view.unseen, view.own_draws, mc_draws, win_statistics.survival, seed)
        bits = part_rows(targets.parts, rows)
        values = values_of_targets(hands, reached_targets(targets.members, bits))
        won = np.empty((room_for_wins(len(targets.forms), mc_draws), 3), np.int32)
        is_open = any(meld.is_open for meld in view.melds)
        silent, riichi = np.ascontiguousarray(values.T)
        locked = np.where(targets.costs <= 1, riichi, np.float32(0.0))
        values_and_bounds = [(silent, targets.bound), (riichi, targets.bound), (locked, 1)]
        for plan in plans:
            if plan != SILENT and is_open:
                continue
            worth, bound = values_and_bounds[plan]
            found = tally(
                view.counts,
                targets.members,
                targets.costs,
                bound,
                worth,
                targets.parts,
                bits,
                rows,
                mc_draws,
                wins[plan],
                won,
            )
            _add_ways(won[:found], hands, int(plan != SILENT), ways[plan])
            if keep_targets:
                taken[plan, won[:found, 0], won[:found, 1]] = won[:found, 2]
    kept = TargetTally(targets, values, taken) if keep_targets else None
    return _estimate(wins, ways, mc_draws, targets, kept)


def _estimate(
    wins: F64, ways: F64, mc_draws: int, targets: TargetHands, tally: TargetTally | None
) -> WinEstimate:
    """Turn counts into probabilities; ``ways`` is divided in place."""
    figures = np.zeros((4, *wins.shape[:2]))
    _divide(wins, ways, mc_draws, figures)
    prob, points, prob_error, points_error = figures
    return WinEstimate(prob, points, ways, prob_error, points_error, len(targets.forms), tally)


class DescribedTargets(NamedTuple):
    """The target hands of a hand with all that their value depends on, for the kernels.

    Attributes
    ----------
    forms, members, parts
        As in `TargetHands`.
    part_dora : float64[parts]
        Expected dora in each part.
    melds : int16[m]
        Set codes of the melds.
    melds_dora : float
    tsumo_share : float64[2]
        Share of self-draws among wins without riichi and with it.
    context : WinContext
    """

    forms: I8
    members: I32
    parts: Parts
    part_dora: F64
    melds: I16
    melds_dora: float
    tsumo_share: F64
    context: WinContext


def described_targets(
    view: HandView, targets: TargetHands, win_statistics: WinStatistics, rules: Rules
) -> DescribedTargets:
    """Return the target hands of a hand with all that their value depends on."""
    context = win_context(
        view.seat_wind,
        view.round_wind,
        np.maximum(view.unseen, 0).astype(np.float32),
        riichi_han=win_statistics.han_on_top(sum(view.dora)),
        rules=rules,
    )
    red_chance = _red_chance(view) if rules.red_fives else np.zeros(3)
    dora = np.asarray(view.dora, np.float64)
    return DescribedTargets(
        targets.forms,
        targets.members,
        targets.parts,
        _part_dora(targets.parts, dora, np.asarray(view.reds), red_chance),
        np.array([set_code(meld) for meld in view.melds], np.int16),
        meld_dora(view.melds, dora),
        np.array(win_statistics.tsumo_share),
        context,
    )


def values_of_targets(hands: DescribedTargets, wanted: Bool) -> F32:
    """Return the points of target hands without and with riichi: float32[n, 2].

    Those not wanted (bool[n]) stay 0.
    """
    values = np.zeros((len(hands.forms), 2), np.float32)
    _value(hands, wanted, values)
    return values


def _red_chance(view: HandView) -> F64:
    """Return the probability that an unseen five is the red one, by suit."""
    fives = np.maximum(view.unseen[list(RED_OF)], 1)
    return np.asarray(np.asarray(view.unseen_reds) / fives, np.float64)


# ---- kernels


@compiled
def _part_dora(parts: Parts, dora: F64, reds: I64, red_chance: F64) -> F64:
    """Return the expected dora in each part: held red fives are kept, needed ones count by probability."""
    out = np.zeros(len(parts.group))
    for i in range(len(out)):
        suit = parts.group[i]
        for number in range(9 if suit < 3 else 7):
            out[i] += parts.tiles[i, number] * dora[9 * suit + number]
        if suit < 3 and parts.tiles[i, 4] > 0:
            out[i] += reds[suit] + parts.needed[i, 4] * red_chance[suit]
    return out


@compiled
def _divide(wins: F64, ways: F64, mc_draws: int, figures: F64) -> None:
    """Fill in P(win), mean points and their standard errors, float64[4, 3, 35], and divide the ways.

    Parameters
    ----------
    wins : float64[3, 35, 3]
        Wins, points and squared points.
    ways : float64[3, 35, 2, SIZES]
        Wins by self-draw and by ron, by size.
    mc_draws : int
    figures : float64[4, 3, 35]
        All 0, which remains where nothing won.
    """
    for plan in range(wins.shape[0]):
        for option in range(wins.shape[1]):
            count, total, squares = wins[plan, option]
            if count == 0.0:
                continue
            prob, points = count / mc_draws, total / count
            figures[0, plan, option] = prob
            figures[1, plan, option] = points
            figures[2, plan, option] = np.sqrt(prob * (1.0 - prob) / mc_draws)
            figures[3, plan, option] = np.sqrt(max(squares / count - points**2, 0.0) / count)
            ways[plan, option] /= ways[plan, option].sum()


@compiled
def _value(hands: DescribedTargets, wanted: Bool, values: F32) -> None:
    """Value target hands, mixing self-draw and ron; without a yaku by ron, self-draw alone counts."""
    sets = np.empty(4, np.int16)
    for target in range(len(wanted)):
        if not wanted[target]:
            continue
        codes, pair, held, lasts, dora = _assembled(target, hands, sets)
        tsumo, ron, riichi_tsumo, riichi_ron = value_target(
            int(hands.forms[target]), codes, pair, held, lasts, dora, hands.context
        )
        share = hands.tsumo_share[0]
        values[target, 0] = share * tsumo + (1.0 - share) * ron if ron > 0.0 else tsumo
        share = hands.tsumo_share[1]
        values[target, 1] = share * riichi_tsumo + (1.0 - share) * riichi_ron


@compiled
def _add_ways(won: I32, hands: DescribedTargets, riichi: int, ways: F64) -> None:
    """Add the Monte Carlo draws won with each target hand to the ways and sizes of every option's win.

    Parameters
    ----------
    won : int32[m, 3]
        From `tally`.
    hands : DescribedTargets
    riichi : int
        1 for a plan with riichi, else 0.
    ways : float64[NO_DISCARD + 1, 2, SIZES]
    """
    sets = np.empty(4, np.int16)
    sizes = np.empty((2, SIZES))
    target = -1
    for i in range(len(won)):
        if won[i, 0] != target:
            target = won[i, 0]
            codes, pair, held, lasts, dora = _assembled(target, hands, sets)
            sizes[:] = 0.0
            form = int(hands.forms[target])
            add_sizes(form, codes, pair, held, lasts, dora, hands.context, riichi, sizes)
            share = hands.tsumo_share[riichi] if sizes[1].sum() > 0.0 else 1.0
            for size in range(SIZES):
                sizes[0, size] *= share
                sizes[1, size] *= 1.0 - share
        for way in range(2):
            for size in range(SIZES):
                ways[won[i, 1], way, size] += won[i, 2] * sizes[way, size]


@inlined
def _assembled(target: int, hands: DescribedTargets, sets: I16) -> tuple[SetCodes, int, int, int, float]:
    """Put a target hand together: its sets, its pair, bits of its kinds and of its last tiles, dora."""
    form = hands.forms[target]
    parts = hands.parts
    pair = -1
    held = lasts = 0
    dora = hands.melds_dora
    n = 0
    for group in range(4):
        row = hands.members[target, group]
        held |= int(parts.held[row])
        lasts |= int(parts.lacking[row])
        dora += hands.part_dora[row]
        if parts.pair[row] >= 0:
            pair = parts.pair[row]
        if form == REGULAR:
            for i in range(4):
                if parts.sets[row, i] >= 0:
                    sets[n] = parts.sets[row, i]
                    n += 1
    if form == REGULAR:
        for i in range(len(hands.melds)):
            sets[n + i] = hands.melds[i]
    if lasts == 0:  # the hand is complete: whatever is discarded from it and drawn again
        lasts = held
    codes = (int(sets[0]), int(sets[1]), int(sets[2]), int(sets[3]))
    return codes, int(pair), held, lasts, dora
