"""What a hand leads to once the discard has been made: P(win), P(dealing in later), P(draw), points.

The trials tell one hand from another, but they know all their draws, nothing of rons, calls and opponents
who win first. A learned layer over the trials and some features of the hand and the scene makes chances
that come true: three boosted trees in a row (own win; if not, dealing in later; if neither, an exhaustive
draw), one for the points of the own win, one for being tenpai at a draw. It is learned from what followed
the discards of strong players (``manue.training.afterstate``), so it knows that a player folds a bad hand
later. No feature speaks of the discarded tile itself: options that were not played are rated as well.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from manue.compiled import compiled
from manue.estimate.danger import Danger
from manue.estimate.feature import Feature
from manue.estimate.scene import MELD_CODES, Scenes
from manue.estimate.tables import ModelFile, checked_columns, load_model, memoized
from manue.estimate.trees import Doubles, Trees
from manue.estimate.win import Habits
from manue.hand.shanten import TABLES, useful_of
from manue.hand.tables import Bytes
from manue.hand.yaku import KAN, KIND_PART, OPEN, RUN, TRIPLET, TYPE_PART
from manue.tiles import Seat

Rows = npt.NDArray[np.float32]
NO_SET = -1

COLUMNS = (
    Feature("shanten", "of the hand left"),
    Feature("useful_kinds", "kinds that lower it"),
    Feature("useful_tiles", "unseen copies of them"),
    Feature("draws", "own draws to come"),
    Feature("tiles_left", "tiles left in the wall"),
    Feature("open", "the hand has called"),
    Feature("melds", "sets laid down, closed kans included"),
    Feature("riichi", "in riichi, or declaring it with this discard"),
    Feature("furiten", "tenpai on a kind of the own river"),
    Feature("dora", "dora and red fives held"),
    Feature("yakuhai", "yaku of honor triplets held"),
    Feature("yakuhai_pairs", "pairs of such honors that may still grow"),
    Feature("orphans", "terminals and honors in the hand"),
    Feature("one_suit", "tiles of the longest suit and honors, sets included"),
    Feature("pairs", "kinds held twice or more"),
    Feature("triplets", "kinds held three times or more"),
    Feature("dealer", "the own seat deals"),
    Feature("rank", "players ahead: 0..3"),
    Feature("lead", "own points less the best of the others, hundreds"),
    Feature("round_number", "0-3 East, 4-7 South, ..."),
    Feature("honba", "counters on the table"),
    Feature("riichi_opponents", "opponents in riichi"),
    Feature("dealer_riichi", "the dealer, an opponent, is in riichi"),
    Feature("ippatsu", "an opponent may still win at once"),
    Feature("most_melds", "most sets laid down by an opponent"),
    Feature("all_melds", "sets laid down by all opponents"),
    Feature("tenpai_max", "greatest P(tenpai) of an opponent without riichi"),
    Feature("tenpai_sum", "sum of P(tenpai) over the opponents"),
    Feature("safest", "P(deal-in) of the safest tile left"),
    Feature("next_safest", "P(deal-in) of the next safest tile left"),
    Feature("mean_danger", "mean P(deal-in) of the tiles left"),
    Feature("safe_tiles", "tiles left with P(deal-in) under 1 %"),
    Feature("dora_unseen", "dora not seen"),
    Feature("trial_prob", "P(win) of the trials"),
    Feature("trial_points", "mean points of the trials' wins"),
    Feature("ron_tiles", "unseen waits of a tenpai hand that have a yaku by ron, -1 before tenpai"),
)

_INDEX = {column.name: index for index, column in enumerate(COLUMNS)}
_RIICHI_OPPONENTS, _TENPAI_MAX = _INDEX["riichi_opponents"], _INDEX["tenpai_max"]
_TRIAL_PROB, _TRIAL_POINTS = _INDEX["trial_prob"], _INDEX["trial_points"]
_LEAST = 1e-3
"""Trials say nothing of smaller chances."""


class Hands(NamedTuple):
    """Hands that one decision may leave, n of them.

    Attributes
    ----------
    counts : int8[n, 34]
        Concealed tiles after the discard.
    sets : int16[n, 4]
        Codes of the sets laid down (``manue.hand.yaku``), -1 beyond the last.
    reds : int8[n]
        Red fives held, in sets too.
    riichi : int8[n]
    draws : int16[n]
    thrown : int8[n]
        Kind discarded, -1 if none; counts for furiten alone.
    trial_prob, trial_points : float32[n]
    ron_tiles : int16[n]
        Unseen waits that have a yaku by ron; -1 for a hand that is not tenpai.
    """

    counts: npt.NDArray[np.int8]
    sets: npt.NDArray[np.int16]
    reds: npt.NDArray[np.int8]
    riichi: npt.NDArray[np.int8]
    draws: npt.NDArray[np.int16]
    thrown: npt.NDArray[np.int8]
    trial_prob: npt.NDArray[np.float32]
    trial_points: npt.NDArray[np.float32]
    ron_tiles: npt.NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Prospects:
    """What each hand leads to, provided its discard is not won on; float64[n] each.

    Parameters
    ----------
    win : P(own win)
    deal_in_later : P(dealing in with a later tile)
    draw : P(exhaustive draw)
    win_points : mean points of the own win, without honba and deposits
    tenpai_at_draw : P(own tenpai, given a draw)
    """

    win: Doubles
    deal_in_later: Doubles
    draw: Doubles
    win_points: Doubles
    tenpai_at_draw: Doubles


@dataclass(frozen=True, slots=True)
class AfterstateModel:
    """The trees and tables of ``afterstate.npz``.

    Parameters
    ----------
    win, deal_in_later, draw, tenpai_at_draw : Trees
        Log-odds; the second given no win, the third given neither, the last given a draw.
    win_points : Trees
    threat : float64[3]
        Weights of P(can win), riichi and dealer in an opponent's share of the wins (log scale).
    other_tsumo_share : float
        Share of self-draws among opponents' wins not off this seat.
    draw_tenpai : float64[3]
        Intercept and weights of logit P(tenpai) and of tiles left for an opponent's tenpai at a draw.
    trial_slope : float
        How far apart the log-odds of a win stand for hands whose trials stand apart by one.
    habits : Habits
    """

    win: Trees
    deal_in_later: Trees
    draw: Trees
    tenpai_at_draw: Trees
    win_points: Trees
    threat: Doubles
    other_tsumo_share: float
    draw_tenpai: Doubles
    trial_slope: float
    habits: Habits

    @classmethod
    def of(cls, file: ModelFile) -> "AfterstateModel":
        """Take the model out of its file; raises ModelError if arrays are missing or of other features."""
        checked_columns(file, COLUMNS)
        names = ("win", "deal_in_later", "draw", "tenpai_at_draw", "win_points")
        trees = {name: Trees.from_arrays(file.arrays, name) for name in names}
        return cls(
            **trees,
            threat=np.asarray(file.arrays["threat"], np.float64),
            other_tsumo_share=float(file.arrays["other_tsumo_share"]),
            draw_tenpai=np.asarray(file.arrays["draw_tenpai"], np.float64),
            trial_slope=float(file.arrays["trial_slope"]),
            habits=habits_of(file),
        )

    def prospects(self, rows: Rows, groups: npt.NDArray[np.int64]) -> Prospects:
        """Rate rows of `COLUMNS`.

        The trees know how good a hand is; which of two discards of the same hand is better the trials know
        better. So within a group (discards of one hand under one plan) only the hand with the best trials is
        rated by the trees. The log-odds of the others stand behind it by `trial_slope` of what those of the
        trials do, their points in the ratio of the trials. What may happen otherwise differs between them as
        far as somebody threatens, else it is that of their mean.

        Parameters
        ----------
        rows : float32[n, len(COLUMNS)]
        groups : int64[n]
            Rows with the same number, from 0, are compared by the trials.
        """
        threat = np.where(rows[:, _RIICHI_OPPONENTS] > 0, 1.0, rows[:, _TENPAI_MAX]).astype(np.float64)
        win, points = self.win.probabilities(rows), np.maximum(self.win_points.sums(rows), 1000.0)
        later, draw = self.deal_in_later.probabilities(rows), self.draw.probabilities(rows)
        tenpai = self.tenpai_at_draw.probabilities(rows)
        _compare(rows, groups, trial_odds(rows), self.trial_slope, win, points)
        _level(groups, threat, (later, draw, tenpai))
        later *= 1.0 - win
        return Prospects(win, later, (1.0 - win - later) * draw, points, tenpai)

    def threats(self, can_win: Doubles, riichi: Doubles, dealer: Doubles) -> Doubles:
        """Return each opponent's share of the opponents' wins: float64[..., 3], summing to 1."""
        terms = np.stack([can_win, riichi, dealer], axis=-1)
        weights = np.exp(terms @ self.threat)
        return np.asarray(weights / weights.sum(axis=-1, keepdims=True), np.float64)

    def opponents_tenpai_at_draw(self, tenpai: Doubles, tiles_left: float) -> Doubles:
        """Return P(tenpai at the end, given a draw) of opponents whose P(tenpai) is known now."""
        sure = np.clip(tenpai, 1e-3, 1.0 - 1e-3)
        intercept, slope, by_tiles = self.draw_tenpai
        later = intercept + slope * np.log(sure / (1.0 - sure)) + by_tiles * tiles_left
        return np.asarray(np.where(tenpai >= 1.0, 1.0, 1.0 / (1.0 + np.exp(-later))), np.float64)


def habits_of(file: ModelFile) -> Habits:
    """Return what the file says of how wins come about."""
    silent, riichi = (float(share) for share in file.arrays["tsumo_share"])
    han = tuple(float(share) for share in file.arrays["riichi_han"])
    return Habits((silent, riichi), han, float(file.arrays["survival"]))


def trial_odds(rows: Rows) -> Doubles:
    """Return the log-odds of a win by the trials, as far as they can tell: float64[n]."""
    return _log_odds(np.clip(rows[:, _TRIAL_PROB].astype(np.float64), _LEAST, 1.0 - _LEAST))


def _log_odds(chance: Doubles) -> Doubles:
    return np.asarray(np.log(chance / (1.0 - chance)), np.float64)


@memoized
def afterstate_model() -> AfterstateModel:
    """Load the model once."""
    return AfterstateModel.of(load_model("afterstate"))


def afterstate_rows(scene: Scenes, hands: Hands, danger: Danger, seat: Seat) -> Rows:
    """Compute the features of hands that a decision may leave.

    Parameters
    ----------
    scene : SCENE[1]
        Before the decision.
    hands : Hands
    danger : Danger
        Of that scene, by absolute seat.
    seat : int
        The own absolute seat.

    Returns
    -------
    numpy.ndarray
        float32[n, len(COLUMNS)]
    """
    rows = np.zeros((len(hands.counts), len(COLUMNS)), np.float32)
    opponents = [(seat + i) % 4 for i in (1, 2, 3)]
    _fill_rows(scene, hands, danger.any_deal_in(), danger.tenpai[opponents], TABLES.packed, rows)
    return rows


def own_sets(scene: Scenes) -> npt.NDArray[np.int16]:
    """Return the codes of the observer's sets in a scene: int16[4], -1 beyond the last."""
    codes = np.full(4, NO_SET, np.int16)
    types = {
        MELD_CODES["chi"]: RUN | OPEN,
        MELD_CODES["pon"]: TRIPLET | OPEN,
        MELD_CODES["daiminkan"]: KAN | OPEN,
        MELD_CODES["kakan"]: KAN | OPEN,
        MELD_CODES["ankan"]: KAN,
    }
    for i in range(int(scene["meld_len"][0, 0])):
        codes[i] = int(scene["meld_first"][0, 0, i]) | types[int(scene["meld_kind"][0, 0, i])]
    return codes


# ---- kernels


@compiled
def _compare(
    rows: Rows,
    groups: npt.NDArray[np.int64],
    odds: Doubles,
    slope: float,
    win: Doubles,
    points: Doubles,
) -> None:
    """Let the chances and points of each group stand to those of its best trials as the trials do."""
    for group in range(groups.max() + 1):
        best = -1
        for i in np.flatnonzero(groups == group):
            if best < 0 or rows[i, _TRIAL_PROB] > rows[best, _TRIAL_PROB]:
                best = int(i)
        if best < 0 or rows[best, _TRIAL_PROB] == 0.0:
            continue
        own, most = np.log(win[best] / (1.0 - win[best])), points[best]
        tried = max(rows[best, _TRIAL_POINTS], np.float32(1.0))
        for i in np.flatnonzero(groups == group):
            win[i] = 1.0 / (1.0 + np.exp(-(own + slope * (odds[i] - odds[best]))))
            ratio = min(max(rows[i, _TRIAL_POINTS] / tried, np.float32(0.5)), np.float32(2.0))
            points[i] = max(most * ratio, 1000.0)


@compiled
def _level(groups: npt.NDArray[np.int64], threat: Doubles, chances: tuple[Doubles, Doubles, Doubles]) -> None:
    """Draw the chances of each group to their mean as far as nobody threatens."""
    for group in range(groups.max() + 1):
        members = np.flatnonzero(groups == group)
        for chance in chances:
            mean = chance[members].mean()
            for i in members:
                chance[i] = threat[i] * chance[i] + (1.0 - threat[i]) * mean


@compiled
def _fill_rows(
    scene: Scenes, hands: Hands, deal_in: Doubles, tenpai: Doubles, tables: Bytes, rows: Rows
) -> None:
    here = scene[0]
    useful = np.zeros(34, np.bool_)
    dora_unseen = 0
    for kind in range(34):
        dora_unseen += max(0, 4 - here["visible"][kind]) * here["dora"][kind]
    for i in range(len(rows)):
        row = rows[i]
        _hand_columns(here, hands, i, useful, tables, row)
        _scene_columns(here, tenpai, row)
        _danger_columns(hands.counts[i], deal_in, row)
        row[32] = dora_unseen
        row[33] = hands.trial_prob[i]
        row[34] = hands.trial_points[i]
        row[35] = hands.ron_tiles[i]


@compiled
def _hand_columns(
    here: Scenes, hands: Hands, i: int, useful: npt.NDArray[np.bool_], tables: Bytes, row: Rows
) -> None:
    """Columns 0..15: the hand."""
    counts = hands.counts[i]
    melds = opened = 0
    yakuhai = dora = 0
    suits = np.zeros(4)
    for j in range(4):
        code = int(np.int64(hands.sets[i, j]))
        if code < 0:
            break
        melds += 1
        opened |= int(code & OPEN != 0)
        first = code & KIND_PART
        suits[first // 9] += 3
        if code & TYPE_PART == RUN:
            dora += here["dora"][first] + here["dora"][first + 1] + here["dora"][first + 2]
        else:
            dora += here["dora"][first] * (4 if code & TYPE_PART == KAN else 3)
            yakuhai += _yakuhai(here, first)
    shanten = useful_of(counts, melds, tables, useful)
    kinds = tiles = furiten = 0
    orphans = pairs = triplets = live = 0
    for kind in range(34):
        held = counts[kind]
        if useful[kind]:
            kinds += 1
            tiles += max(0, 4 - here["visible"][kind])
            if shanten == 0 and (here["safe"][0, kind] != 0 or kind == hands.thrown[i]):
                furiten = 1
        if held == 0:
            continue
        dora += held * here["dora"][kind]
        suits[kind // 9] += held
        if kind >= 27 or kind % 9 == 0 or kind % 9 == 8:
            orphans += held
        worth = _yakuhai(here, kind)
        if held >= 3:
            triplets += 1
            yakuhai += worth
        if held >= 2:
            pairs += 1
            if held == 2 and worth > 0 and here["visible"][kind] < 4:
                live += 1
    row[0], row[1], row[2] = shanten, kinds, tiles
    row[3], row[4] = hands.draws[i], here["tiles_left"]
    row[5], row[6], row[7], row[8] = opened, melds, hands.riichi[i], furiten
    row[9], row[10], row[11] = dora + hands.reds[i], yakuhai, live
    row[12], row[13] = orphans, max(suits[0], suits[1], suits[2]) + suits[3]
    row[14], row[15] = pairs, triplets


@compiled
def _yakuhai(here: Scenes, kind: int) -> int:
    return int(kind >= 31) + int(kind == here["round_wind"]) + int(kind == here["seat_wind"][0])


@compiled
def _scene_columns(here: Scenes, tenpai: Doubles, row: Rows) -> None:
    """Columns 16..27: seats, scores and opponents."""
    best = -32768
    ahead = riichi = dealer_riichi = ippatsu = most = melds = 0
    silent = 0.0
    for other in range(1, 4):
        best = max(best, here["scores"][other])
        ahead += int(here["scores"][other] > here["scores"][0])
        most = max(most, here["meld_len"][other])
        melds += here["meld_len"][other]
        if here["riichi"][other] != 0:
            riichi += 1
            dealer_riichi |= int(here["dealer"] == other)
            ippatsu |= int(here["ippatsu"][other] != 0)
        else:
            silent = max(silent, tenpai[other - 1])
    row[16], row[17], row[18] = int(here["dealer"] == 0), ahead, here["scores"][0] - best
    row[19], row[20] = here["round_number"], here["honba"]
    row[21], row[22], row[23] = riichi, dealer_riichi, ippatsu
    row[24], row[25] = most, melds
    row[26], row[27] = silent, tenpai[0] + tenpai[1] + tenpai[2]


@compiled
def _danger_columns(counts: npt.NDArray[np.int8], deal_in: Doubles, row: Rows) -> None:
    """Columns 28..31: what there is to discard later."""
    safest = following = 1.0
    total = 0.0
    tiles = safe = 0
    for kind in range(34):
        for _ in range(counts[kind]):
            chance = deal_in[kind]
            tiles += 1
            total += chance
            safe += int(chance < 0.01)
            if chance < safest:
                safest, following = chance, safest
            elif chance < following:
                following = chance
    row[28], row[29], row[30], row[31] = safest, following, total / max(tiles, 1), safe
