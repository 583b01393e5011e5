"""Learns `models/fold.npz`: P(dealing in while folding), by playing recorded positions on."""

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from manue.arrays import F32, F64, I8, I64
from manue.compiled import compiled
from manue.features.danger import danger_features
from manue.features.fold import AT, FOLD_FEATURES, fold_features
from manue.features.scene import Scenes
from manue.models.danger import any_deal_in, deal_in_probs, possible_kinds
from manue.models.fold import FoldModel, mean_losses
from manue.training.dataset import sequences_of
from manue.training.export import fitted
from manue.training.framework import Run, Trained, boosting, held_kinds
from manue.training.quality import (
    AMOUNT_HEADER,
    QUALITY_HEADER,
    amount_quality,
    quality,
    reliability_by_size,
)

SCENES = 300_000
"""Most scenes from which a seat folds; rounds of a seat are sampled as a whole."""
VALIDATION_SCENES = 60_000
MIN_DEAL_INS = 50
"""With fewer of them what is paid is taken for what a deal-in costs at first."""


class FoldTrainer:
    """Boosted trees for P(dealing in before the round ends | always discarding the safest tile)."""

    name = "fold"

    def fit(self, run: Run) -> Trained:
        """Learn the model and measure it; needs the models ``opponents`` and ``danger``."""
        run.step("fold: folding in records")
        x, paid, means, _ = _folds(run, SCENES, validation=False)
        dealt_in = paid > 0
        model = HistGradientBoostingClassifier(**boosting(len(x), 80))
        trees = fitted(model, x, dealt_in)
        lines_of = [_line(x, paid, means, threatened=threatened) for threatened in (False, True)]
        intercept, slope = np.array(lines_of).T
        held_out, held_out_paid, held_out_means, games = _folds(run, VALIDATION_SCENES, validation=True)
        actual, predicted = held_out_paid > 0, trees.probabilities(held_out)
        points = FoldModel(trees, intercept, slope).points(held_out_means, held_out[:, AT.riichi] > 0)
        lines = [
            f"Dealing in before the round ends, if the safest tile is discarded each time; {len(x):,} rows.",
            "Rounds end as recorded.",
            "",
            QUALITY_HEADER,
            quality(np.full(len(actual), dealt_in.mean()), actual).row("constant"),
            quality(predicted, actual).row("boosted trees"),
            "",
            "| predicted P(deal-in) | n | observed |",
            "|---|---|---|",
        ]
        lines += [group.row() for group in reliability_by_size(predicted, actual, games)]
        lines += ["", "Points paid then, without honba:", "", AMOUNT_HEADER]
        lines += [
            amount_quality(held_out_means[actual], held_out_paid[actual]).row("what a deal-in costs now"),
            amount_quality(points[actual], held_out_paid[actual]).row("line by riichi"),
        ]
        meta = {"columns": [column.name for column in FOLD_FEATURES]}
        arrays = {**trees.to_arrays("fold"), "intercept": intercept, "slope": slope}
        return Trained(arrays, meta, "\n".join(lines))


def _line(x: F32, paid: F64, means: F64, *, threatened: bool) -> F64:
    """Fit the points paid by what a deal-in costs now: intercept and slope."""
    mask = (paid > 0) & ((x[:, AT.riichi] > 0) == threatened)
    if mask.sum() < MIN_DEAL_INS:
        return np.array([0.0, 1.0])
    slope, intercept = np.polyfit(means[mask], paid[mask], 1)
    return np.array([intercept, slope])


def _folds(run: Run, limit: int, *, validation: bool) -> tuple[F32, F64, F64, I64]:
    """Play sampled rounds on from every discard.

    Returns
    -------
    x : float32[n, len(FOLD_FEATURES)]
    paid : float64[n]
        Points paid for dealing in; 0 if that never happens.
    means : float64[n]
        What a deal-in with a tile of the hand would cost at first, where the seat dealt in; 0 elsewhere.
    games : int64[n]
        The number of each row's game.
    """
    dangers = run.dangers()
    rate = min(1.0, limit / max(run.decisions(validation=validation), 1))
    rng = run.generator(f"fold {validation}")
    rows, results, costs, games = [], [], [], []
    games_before = 0
    for part in run.shards(validation=validation):
        sequences, sequence = np.unique(sequences_of(part.truths), return_inverse=True)
        kept = (rng.random(len(sequences)) < rate)[sequence]
        order = np.flatnonzero(kept)[np.argsort(sequence[kept], kind="stable")]
        if len(order):
            scenes, truths = part.scenes[order], part.truths[order]
            kinds, opponents = danger_features(scenes, dangers.weights)
            can_win = dangers.opponents.read(opponents).can_win
            prob = deal_in_probs(kinds, opponents, possible_kinds(scenes), can_win, dangers.kinds)
            rows.append(fold_features(scenes, prob, can_win))
            paid = points_paid(scenes, truths, prob)
            at = np.flatnonzero(paid > 0)
            held = held_kinds(scenes[at], truths[at])
            loss = dangers.losses(scenes[at], kinds[at], opponents[at], held)
            means = np.zeros(len(paid))
            means[at] = mean_losses(prob[at], loss, scenes["hand"][at])
            results.append(paid)
            costs.append(means)
            games.append(games_before + truths["game"].astype(np.int64))
        games_before += len(part.games)
    return np.concatenate(rows), np.concatenate(results), np.concatenate(costs), np.concatenate(games)


def points_paid(scenes: Scenes, truths: Scenes, prob: F64) -> F64:
    """Fold from every scene on, discarding the safest tile held until the record of the round ends.

    Parameters
    ----------
    scenes, truths : SCENE[n], TRUTH[n]
        Every discard of the rounds and seats in question, in the order they were made.
    prob : float64[n, 3, 34]
        P(the opponent wins on the kind now).

    Returns
    -------
    float64[n]
        Points paid for dealing in to the true hands, without honba; 0 if that never happens.
    """
    key = sequences_of(truths)
    order = np.argsort(key, kind="stable")
    paid = np.zeros(len(scenes))
    _fold(
        scenes["hand"][order],
        scenes["drawn"][order],
        key[order],
        any_deal_in(prob)[order],
        truths["win_points"].sum(1, dtype=np.int64)[order],
        paid,
    )
    out = np.empty(len(scenes))
    out[order] = paid * 100.0
    return out


@compiled
def _fold(
    hands: I8,
    drawn: I8,
    key: I64,
    prob: F64,
    points: I64,
    out: F64,
) -> None:
    """From every scene, discard the safest tile held until the record of the round and seat ends.

    A folding seat never calls: if the record has no draw before a discard, it neither draws nor discards.
    """
    for start in range(len(hands)):
        hand = hands[start].copy()
        at = start
        while at < len(hands) and key[at] == key[start]:
            if at > start:
                if drawn[at] < 0:
                    at += 1
                    continue
                hand[drawn[at]] += 1
            best = -1
            for kind in range(34):
                if hand[kind] > 0 and (best < 0 or prob[at, kind] < prob[at, best]):
                    best = kind
            hand[best] -= 1
            if points[at, best] > 0:
                out[start] = points[at, best]
                break
            at += 1
