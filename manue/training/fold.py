"""Learns `models/fold.npz`: P(dealing in while folding), by playing recorded positions on."""

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from manue.arrays import F32, F64, I8, I64, Bool
from manue.compiled import compiled
from manue.features.danger import features
from manue.features.fold import FOLD_FEATURES, fold_features
from manue.features.scene import Scenes
from manue.models.danger import deal_in_probs, possible_kinds
from manue.training.dataset import sequences_of
from manue.training.export import fitted
from manue.training.framework import Run, Trained, boosting
from manue.training.quality import QUALITY_HEADER, quality, reliability_by_size

SCENES = 120_000
"""Most scenes that are played on; rounds of a seat are sampled as a whole."""
VALIDATION_SCENES = 60_000


class FoldTrainer:
    """Boosted trees for P(dealing in before the round ends | always discarding the safest tile)."""

    name = "fold"

    def fit(self, run: Run) -> Trained:
        """Learn the model and measure it; needs the models ``opponents`` and ``danger``."""
        run.say("fold: playing records on")
        x, dealt_in = _folds(run, SCENES, validation=False)
        model = HistGradientBoostingClassifier(**boosting(len(x), 80))
        trees = fitted(model, x, dealt_in)
        seen, actual = _folds(run, VALIDATION_SCENES, validation=True)
        predicted = trees.probabilities(seen)
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
        lines += [
            f"| {group.predicted:.4f} | {group.count:,} | {group.actual:.4f} ± {group.error:.4f} |"
            for group in reliability_by_size(predicted, actual)
        ]
        meta = {"columns": [column.name for column in FOLD_FEATURES]}
        return Trained(trees.to_arrays("fold"), meta, "\n".join(lines))


def _folds(run: Run, limit: int, *, validation: bool) -> tuple[F32, Bool]:
    """Play sampled rounds on from every discard: return the features, and whether the seat dealt in."""
    dangers = run.dangers()
    rate = min(1.0, limit / max(run.data.decisions[int(validation)], 1))
    rng = run.generator(f"fold {validation}")
    rows, results = [], []
    for shard in run.data:
        part = shard.part(validation=validation)
        sequences, sequence = np.unique(sequences_of(part.truths), return_inverse=True)
        kept = (rng.random(len(sequences)) < rate)[sequence]
        order = np.flatnonzero(kept)[np.argsort(sequence[kept], kind="stable")]
        if len(order):
            scenes, truths = part.scenes[order], part.truths[order]
            kinds, people = features(scenes, dangers.weights)
            can_win = dangers.opponents.read(people).can_win
            prob = deal_in_probs(kinds, people, possible_kinds(scenes), can_win, dangers.kinds)
            rows.append(fold_features(scenes, prob, can_win))
            results.append(points_paid(scenes, truths, prob) > 0)
    return np.concatenate(rows), np.concatenate(results)


def points_paid(scenes: Scenes, truths: Scenes, prob: F64) -> F64:
    """Play on from every scene, discarding the safest tile held until the record of the round ends.

    Parameters
    ----------
    scenes, truths : SCENE[n], TRUTH[n]
        Every discard of the rounds and seats in question, in the order they were made.
    prob : float64[n, 3, 34]
        P(the opponent wins on the kind now).

    Returns
    -------
    numpy.ndarray
        float64[n]: points paid for dealing in to the true hands, without honba; 0 if that never happens.
    """
    key = sequences_of(truths)
    order = np.argsort(key, kind="stable")
    paid = np.zeros(len(scenes))
    _play_on(
        scenes["hand"][order],
        scenes["drawn"][order],
        key[order],
        (1.0 - np.prod(1.0 - prob, axis=1))[order],
        truths["win_points"].sum(1, dtype=np.int64)[order],
        paid,
    )
    out = np.empty(len(scenes))
    out[order] = paid * 100.0
    return out


@compiled
def _play_on(
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
