"""Learns `models/fold.npz`: the chance to deal in while folding, by playing records on."""

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import HistGradientBoostingClassifier

from manue.compiled import compiled
from manue.estimate.columns import Floats
from manue.estimate.danger import DangerModel, deal_in_probs, possible_kinds
from manue.estimate.features import features
from manue.estimate.fold import FOLD_FEATURES, fold_features
from manue.estimate.opponents import OpponentsModel
from manue.estimate.scene import Scenes
from manue.estimate.trees import Doubles
from manue.training.export import boosted_trees
from manue.training.framework import Flags, Run, Trained, boosting, wins_of
from manue.training.quality import QUALITY_HEADER, quality, reliability_by_size

SCENES = 120_000
"""Most scenes that are played on, whole rounds of one seat at a time."""
VALIDATION_SCENES = 60_000


class FoldTrainer:
    """Boosted trees for P(dealing in before the round ends | only the safest tiles are discarded)."""

    name = "fold"

    def fit(self, run: Run) -> Trained:
        """Learn and measure; needs the models ``opponents`` and ``danger``."""
        run.say("fold: playing records on")
        x, dealt_in = _folds(run, SCENES, validation=False)
        model = HistGradientBoostingClassifier(**boosting(len(x), 80))
        trees = boosted_trees(model.fit(x, dealt_in))
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
            "| P(deal-in) said | n | came true |",
            "|---|---|---|",
        ]
        lines += [
            f"| {group.predicted:.4f} | {group.count:,} | {group.actual:.4f} ± {group.error:.4f} |"
            for group in reliability_by_size(predicted, actual)
        ]
        meta = {"columns": [column.name for column in FOLD_FEATURES]}
        return Trained(trees.to_arrays("fold"), meta, "\n".join(lines))


def _folds(run: Run, limit: int, *, validation: bool) -> tuple[Floats, Flags]:
    """Play sampled rounds on from every discard: features and whether the seat dealt in."""
    danger = DangerModel.of(run.trained["danger"])
    opponents = OpponentsModel.of(run.trained["opponents"])
    rate = min(1.0, limit / max(run.data.decisions[int(validation)], 1))
    rng = run.generator(f"fold {validation}")
    rows, results = [], []
    for shard in run.data:
        part = shard.part(validation=validation)
        key = (part.truths["game"].astype(np.int64) * 64 + part.truths["round"]) * 4 + part.truths["seat"]
        sequences, sequence = np.unique(key, return_inverse=True)
        kept = (rng.random(len(sequences)) < rate)[sequence]
        order = np.flatnonzero(kept)[np.argsort(sequence[kept], kind="stable")]
        if len(order):
            scenes, truths = part.scenes[order], part.truths[order]
            kinds, people = features(scenes, run.weights())
            can_win = opponents.read(people).can_win
            prob = deal_in_probs(kinds, people, possible_kinds(scenes, kinds), can_win, danger)
            rows.append(fold_features(scenes, prob, can_win))
            results.append(_dealt_in(scenes, truths, key[order], prob))
    return np.concatenate(rows), np.concatenate(results)


def _dealt_in(scenes: Scenes, truths: Scenes, key: npt.NDArray[np.int64], prob: Doubles) -> Flags:
    out = np.zeros(len(scenes), np.bool_)
    any_prob = 1.0 - np.prod(1.0 - prob, axis=1)
    any_wins = np.ascontiguousarray(wins_of(truths).any(1))
    _play_on(
        np.ascontiguousarray(scenes["hand"]),
        np.ascontiguousarray(scenes["drawn"]),
        key,
        any_prob,
        any_wins,
        out,
    )
    return out


@compiled
def _play_on(
    hands: npt.NDArray[np.int8],
    drawn: npt.NDArray[np.int8],
    key: npt.NDArray[np.int64],
    prob: Doubles,
    wins: Flags,
    out: Flags,
) -> None:
    """From every scene, discard the safest tile held until the record of the round and seat ends.

    A folding seat calls nothing: where the record has no draw before a discard, it neither draws nor
    discards.
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
            if wins[at, best]:
                out[start] = True
                break
            at += 1
