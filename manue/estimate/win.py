"""Winning: Monte Carlo over precomputed needed tiles, for all discards of a hand at once.

A trial draws the own tiles still to come, without replacement, from what this seat has not seen. A goal
(``manue.hand.goals``) is reached in a trial when its needed tiles are among them; a discard wins with it
when the tile is spare, or when a further copy was drawn. Of several goals reached the most valuable counts.

All trials are kept side by side as bits: one row of bits for every "at least c copies of kind k were
drawn". The trials in which a part of a goal is reached are the intersection of a few rows, a goal's are
that of its four parts, and going through the goals by falling value each discard takes what it has not won
yet. So the cost hardly depends on the number of trials.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from manue.compiled import compiled
from manue.estimate.hand_view import HandView, meld_dora
from manue.hand.goal_parts import Int8, Int16, Int32, Parts
from manue.hand.goals import Goals, find_goals
from manue.hand.score import set_code
from manue.hand.value import REGULAR, Scene, scene_of, value_goal
from manue.rules import TENHOU, Rules
from manue.tiles import (
    Counts,
)

Floats = npt.NDArray[np.float64]
Values = npt.NDArray[np.float32]
Words = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]

NO_DISCARD = 34
"""Column of an estimate for going on without a discard (13 tiles)."""
SILENT, RIICHI, LOCKED = range(3)
"""Rows of an estimate: riichi never; declared on reaching tenpai; declared now, the hand unchanged."""
MAX_DRAWS = 24
_VALUE_STEP = 50.0
_VALUE_LEVELS = 4096


@dataclass(frozen=True, slots=True)
class Habits:
    """How wins come about, measured on records.

    Parameters
    ----------
    tsumo_share : tuple of float
        Share of self-draws among wins without riichi and with it.
    riichi_han : tuple of float
        Probability of 0, 1, 2... han from ippatsu and ura-dora on top of a riichi win.
    survival : float
        Chance, per own draw, that the round is still on when it comes; 1 counts all draws of the wall.
    """

    tsumo_share: tuple[float, float] = (0.4, 0.4)
    riichi_han: tuple[float, ...] = (1.0,)
    survival: float = 1.0


@dataclass(frozen=True, slots=True)
class Tally:
    """Which goals the trials won with.

    Parameters
    ----------
    goals : Goals
    values : float32[n, 2]
        Points of each goal without riichi and with it.
    taken : int32[3, n, 35]
        Trials won with the goal, by row of the estimate and kind discarded.
    """

    goals: Goals
    values: Values
    taken: Int32


@dataclass(frozen=True, slots=True)
class WinEstimate:
    """Chances and points by kind discarded (column 34: no discard), in the rows SILENT, RIICHI and LOCKED.

    SILENT and RIICHI count every goal, so the hand may still change; LOCKED counts only those one tile away,
    as after a riichi: it is 0 for a discard that leaves no tenpai. Kinds that cannot be discarded are 0, and
    so is riichi of a hand with called sets.

    Parameters
    ----------
    prob : ndarray, shape (3, 35)
        P(win).
    points : ndarray, shape (3, 35)
        Mean points of the wins without honba and deposits, 0 without a win.
    prob_error, points_error : ndarray, shape (3, 35)
        One standard error of each.
    trials : int
    goals : int
        Goals weighed.
    complete : bool
        Whether no goal was left out to keep their number in bounds.
    tally : Tally or None
        Where it was asked for.
    """

    prob: Floats
    points: Floats
    prob_error: Floats
    points_error: Floats
    trials: int
    goals: int
    complete: bool
    tally: Tally | None = None


def estimate_wins(
    view: HandView,
    seed: int,
    trials: int = 1000,
    extra: int = 1,
    habits: Habits = Habits(),
    rules: Rules = TENHOU,
    plans: Sequence[int] = (SILENT, RIICHI, LOCKED),
    *,
    tell_goals: bool = False,
) -> WinEstimate:
    """Estimate the own win for every discard of a hand.

    Parameters
    ----------
    view : HandView
    seed : int
        The same seed and unseen tiles give the same draws, whatever the hand.
    trials : int
    extra : int
        Exchanges beyond the fewest (``manue.hand.goals``).
    habits : Habits
    rules : Rules
    plans : sequence of {SILENT, RIICHI, LOCKED}
        The rows to fill; the others stay 0. Leaving out what is not asked saves most of the time.
    tell_goals : bool
        Keep which goals the trials won with.
    """
    goals, values = valued_goals(view, extra, habits, rules)
    wins = np.zeros((3, 35, 3))
    taken = np.zeros((3, len(goals.forms) if tell_goals else 0, 35), np.int32)
    if len(goals.forms):
        rows = _draw_rows(view.unseen, min(view.draws, MAX_DRAWS), trials, habits.survival, seed)
        bits = [_part_rows(parts.group, parts.needed, rows) for parts in goals.parts]
        scratch = _scratch(trials)
        is_open = any(meld.is_open for meld in view.melds)
        silent, riichi = np.ascontiguousarray(values.T)
        locked = np.where(goals.costs <= 1, riichi, np.float32(0.0))
        rows_of_values = [(silent, goals.bound), (riichi, goals.bound), (locked, 1)]
        for row in plans:
            if row != SILENT and is_open:
                continue
            worth, bound = rows_of_values[row]
            _tally(
                view.counts,
                goals.forms,
                goals.members,
                goals.costs,
                bound,
                worth,
                goals.parts,
                (bits[0], bits[1], bits[2]),
                rows,
                scratch,
                wins[row],
                taken[row],
            )
    return _estimate(wins, trials, goals, Tally(goals, values, taken) if tell_goals else None)


def _estimate(wins: Floats, trials: int, goals: Goals, tally: Tally | None) -> WinEstimate:
    count, total, squares = wins[..., 0], wins[..., 1], wins[..., 2]
    prob = count / trials
    some = np.maximum(count, 1.0)
    points = total / some
    spread = np.maximum(squares / some - points**2, 0.0)
    return WinEstimate(
        prob,
        points,
        np.sqrt(prob * (1.0 - prob) / trials),
        np.sqrt(spread / some),
        trials,
        len(goals.forms),
        goals.complete,
        tally,
    )


def valued_goals(view: HandView, extra: int, habits: Habits, rules: Rules) -> tuple[Goals, Values]:
    """Return the goals of a hand and their values without riichi and with it, float32[n, 2]."""
    goals = find_goals(view.counts, view.unseen, len(view.melds), extra)
    scene = scene_of(
        view.seat_wind,
        view.round_wind,
        np.maximum(view.unseen, 0).astype(np.float32),
        riichi_han=habits.riichi_han,
        rules=rules,
    )
    red_chance = _red_chance(view) if rules.red_fives else np.zeros(3)
    dora = np.asarray(view.dora, np.float64)
    weights = [
        _part_dora(parts.group, parts.target, parts.needed, dora, np.asarray(view.reds), red_chance)
        for parts in goals.parts
    ]
    codes = np.array([set_code(meld) for meld in view.melds], np.int16)
    values = np.empty((len(goals.forms), 2), np.float32)
    _value(
        goals.forms,
        goals.members,
        goals.parts,
        (weights[0], weights[1], weights[2]),
        codes,
        meld_dora(view.melds, dora),
        np.array(habits.tsumo_share),
        scene,
        values,
    )
    return goals, values


def _red_chance(view: HandView) -> Floats:
    """Chance that an unseen five is the red one."""
    fives = np.maximum(view.unseen[[4, 13, 22]], 1)
    return np.asarray(np.asarray(view.unseen_reds) / fives, np.float64)


# ---- kernels


@compiled
def _part_dora(
    group: Int8, target: Int8, needed: Int8, dora: Floats, reds: npt.NDArray[np.int64], red_chance: Floats
) -> Floats:
    """Dora in each part: held red fives are kept, needed fives are red by their chance."""
    out = np.zeros(len(group))
    for i in range(len(group)):
        suit = group[i]
        for number in range(9 if suit < 3 else 7):
            out[i] += target[i, number] * dora[9 * suit + number]
        if suit < 3 and target[i, 4] > 0:
            out[i] += reds[suit] + needed[i, 4] * red_chance[suit]
    return out


@compiled
def _value(
    forms: Int8,
    members: Int32,
    parts: tuple[Parts, Parts, Parts],
    part_dora: tuple[Floats, Floats, Floats],
    melds: Int16,
    melds_dora: float,
    tsumo_share: Floats,
    scene: Scene,
    values: Values,
) -> None:
    """Value every goal, self-draw and ron mixed; a hand that may only win by self-draw has that value."""
    sets = np.empty(4, np.int16)
    for goal in range(len(forms)):
        form = forms[goal]
        here = parts[0] if form == 0 else (parts[1] if form == 1 else parts[2])
        weights = part_dora[0] if form == 0 else (part_dora[1] if form == 1 else part_dora[2])
        pair = -1
        held = lasts = 0
        dora = melds_dora
        n = 0
        for group in range(4):
            row = members[goal, group]
            held |= here.held[row]
            lasts |= here.lacking[row]
            dora += weights[row]
            if here.pair[row] >= 0:
                pair = here.pair[row]
            if form == REGULAR:
                for i in range(4):
                    if here.sets[row, i] >= 0:
                        sets[n] = here.sets[row, i]
                        n += 1
        if form == REGULAR:
            for i in range(len(melds)):
                sets[n + i] = melds[i]
        codes = (int(sets[0]), int(sets[1]), int(sets[2]), int(sets[3]))
        tsumo, ron, riichi_tsumo, riichi_ron = value_goal(
            int(form), codes, int(pair), held, lasts, dora, scene
        )
        share = tsumo_share[0]
        values[goal, 0] = share * tsumo + (1.0 - share) * ron if ron > 0.0 else tsumo
        share = tsumo_share[1]
        values[goal, 1] = share * riichi_tsumo + (1.0 - share) * riichi_ron


@compiled
def _next_random(state: Words) -> Any:  # a uint64, which mypy takes for an int after shifts
    """Splitmix64 (Steele, Lea, Flood 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@compiled
def _draw_rows(unseen: Counts, draws: int, trials: int, survival: float, seed: int) -> Words:
    """Draw for every trial; bit t of ``rows[4 * kind + c - 1]`` is set when trial t drew c or more of a kind.

    Every trial has its own stretch of the generator, so that more draws or another survival change no other.
    """
    words = (trials + 63) // 64
    rows = np.zeros((4 * 34, words), np.uint64)
    pool = np.empty(136, np.int8)
    size = 0
    for kind in range(34):
        for _ in range(unseen[kind]):
            pool[size] = kind
            size += 1
    state = np.array([seed], np.uint64)
    stop = np.uint64(min(max(1.0 - survival, 0.0), 1.0) * 2**32)
    count = np.zeros(34, np.int8)
    for trial in range(trials):
        word, bit = trial >> 6, np.uint64(1) << np.uint64(trial & 63)
        drawn = 0
        for i in range(min(draws, size)):
            value = _next_random(state)
            if (value & np.uint64(0xFFFFFFFF)) < stop:
                break
            at = i + int(((value >> np.uint64(32)) * np.uint64(size - i)) >> np.uint64(32))
            pool[i], pool[at] = pool[at], pool[i]
            drawn = i + 1
        state[0] = np.uint64(seed) + np.uint64(trial + 1) * np.uint64(0xD1B54A32D192ED03)
        for i in range(drawn):
            kind = pool[i]
            rows[4 * kind + count[kind], word] |= bit
            count[kind] += 1
        for i in range(drawn):
            count[pool[i]] = 0
    return rows


@compiled
def _part_rows(group: Int8, needed: Int8, rows: Words) -> Words:
    """Trials in which each part's needed tiles were drawn."""
    out = np.empty((len(group), rows.shape[1]), np.uint64)
    for i in range(len(group)):
        out[i] = ~np.uint64(0)
        for number in range(9):
            if needed[i, number] > 0:
                row = 4 * (9 * group[i] + number) + needed[i, number] - 1
                for word in range(rows.shape[1]):
                    out[i, word] &= rows[row, word]
    return out


@compiled
def _scratch(trials: int) -> Words:
    """One row with a bit for every trial."""
    row = np.zeros((trials + 63) // 64, np.uint64)
    for trial in range(trials):
        row[trial >> 6] |= np.uint64(1) << np.uint64(trial & 63)
    return row


@compiled
def _ones(x: np.uint64) -> int:
    """Count the bits of a word (compiled to one instruction)."""
    x -= (x >> np.uint64(1)) & np.uint64(0x5555555555555555)
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled
def _by_falling_value(values: Values) -> Int32:
    """Order goals by value, in steps of 50 points, those worth nothing left out: a counting sort."""
    starts = np.zeros(_VALUE_LEVELS + 1, np.int32)
    for i in range(len(values)):
        if values[i] > 0.0:
            starts[_level(values[i]) + 1] += 1
    for level in range(_VALUE_LEVELS):
        starts[level + 1] += starts[level]
    order = np.empty(starts[_VALUE_LEVELS], np.int32)
    for i in range(len(values)):
        if values[i] > 0.0:
            level = _level(values[i])
            order[starts[level]] = i
            starts[level] += 1
    return order


@compiled
def _level(value: float) -> int:
    return _VALUE_LEVELS - 1 - min(int(value / _VALUE_STEP), _VALUE_LEVELS - 1)


@compiled
def _tally(
    counts: Counts,
    forms: Int8,
    members: Int32,
    costs: Int8,
    bound: int,
    values: Values,
    parts: tuple[Parts, Parts, Parts],
    bits: tuple[Words, Words, Words],
    rows: Words,
    all_trials: Words,
    wins: Floats,
    taken: Int32,
) -> None:
    """Go through the goals by falling value; add up wins, points and squares for every option.

    ``taken`` has a row for every goal, or none where nobody asks which goals won.
    """
    told = len(taken) > 0
    nobody = np.empty(0, np.int32)
    words = len(all_trials)
    tiles = 0
    for kind in range(34):
        tiles += counts[kind]
    discards = tiles % 3 == 2
    open_trials = np.empty((35, words), np.uint64)
    for option in range(35):
        open_trials[option] = all_trials
    reached = np.empty(words, np.uint64)
    order = _by_falling_value(values)
    for goal in order:
        form = forms[goal]
        own = bits[0] if form == 0 else (bits[1] if form == 1 else bits[2])
        here = parts[0] if form == 0 else (parts[1] if form == 1 else parts[2])
        a, b, c, d = members[goal]
        some = np.uint64(0)
        for word in range(words):
            reached[word] = own[a, word] & own[b, word] & own[c, word] & own[d, word]
            some |= reached[word]
        if some == 0:
            continue
        value = float(values[goal])
        if not discards:
            count = _take(reached, open_trials[NO_DISCARD], value, wins[NO_DISCARD])
            if told:
                taken[goal, NO_DISCARD] = count
            continue
        spare = here.spare[a] | here.spare[b] | here.spare[c] | here.spare[d]
        rest = spare
        for kind in range(34):
            if rest >> kind & 1:
                count = _take(reached, open_trials[kind], value, wins[kind])
                if told:
                    taken[goal, kind] = count
        if costs[goal] < bound:
            to = taken[goal] if told else nobody
            _take_redrawn(counts, here, members[goal], spare, reached, rows, open_trials, value, wins, to)


@compiled
def _take_redrawn(
    counts: Counts,
    parts: Parts,
    members: Int32,
    spare: int,
    reached: Words,
    rows: Words,
    open_trials: Words,
    value: float,
    wins: Floats,
    taken: Int32,
) -> None:
    """Give the goal to discards that it needs back, where one copy more was drawn."""
    both = np.empty(len(reached), np.uint64)
    for kind in range(34):
        if counts[kind] == 0 or spare >> kind & 1:
            continue
        copy = parts.needed[members[kind // 9], kind % 9]
        if copy >= 4:
            continue
        row = 4 * kind + copy
        for word in range(len(reached)):
            both[word] = reached[word] & rows[row, word]
        count = _take(both, open_trials[kind], value, wins[kind])
        if len(taken):
            taken[kind] = count


@compiled
def _take(reached: Words, still_open: Words, value: float, wins: Floats) -> int:
    """Count the trials reached that were still open, and close them."""
    count = 0
    for word in range(len(reached)):
        new = reached[word] & still_open[word]
        if new != 0:
            count += _ones(new)
            still_open[word] ^= new
    if count:
        wins[0] += count
        wins[1] += count * value
        wins[2] += count * value * value
    return count
