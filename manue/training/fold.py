"""Learns `models/fold.npz`: P(dealing in while folding), by playing recorded positions on."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from manue.arrays import F32, F64, I8, I64
from manue.compiled import compiled
from manue.features.danger import danger_features
from manue.features.fold import AT, FOLD_FEATURES, fold_features
from manue.features.scene import Scenes
from manue.models.danger import DangerReader, any_deal_in, deal_in_probs, possible_kinds
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
        folds = _folds(run, SCENES, validation=False)
        model = HistGradientBoostingClassifier(**boosting(len(folds.x), 80))
        trees = fitted(model, folds.x, folds.paid > 0)
        lines = [_fit_points(folds, threatened=threatened) for threatened in (False, True)]
        intercept, slope = np.array(lines).T
        held_out = _folds(run, VALIDATION_SCENES, validation=True)
        report = "\n".join(_report(FoldModel(trees, intercept, slope), folds, held_out))
        meta = {"columns": [column.name for column in FOLD_FEATURES]}
        return Trained({**trees.to_arrays("fold"), "intercept": intercept, "slope": slope}, meta, report)


class _Folds(NamedTuple):
    """Discards from which a seat folds.

    Attributes
    ----------
    x : float32[n, len(FOLD_FEATURES)]
    paid : float64[n]
        Points paid for dealing in; 0 if that never happens.
    means : float64[n]
        What a deal-in with a tile of the hand would cost at first, where the seat dealt in; 0 elsewhere.
    games : int64[n]
        The number of each row's game.
    """

    x: F32
    paid: F64
    means: F64
    games: I64


def _fit_points(folds: _Folds, *, threatened: bool) -> F64:
    """Fit the points paid by what a deal-in costs now, with or without a riichi: intercept and slope."""
    mask = (folds.paid > 0) & ((folds.x[:, AT.riichi] > 0) == threatened)
    if mask.sum() < MIN_DEAL_INS:
        return np.array([0.0, 1.0])
    slope, intercept = np.polyfit(folds.means[mask], folds.paid[mask], 1)
    return np.array([intercept, slope])


def _report(model: FoldModel, folds: _Folds, held_out: _Folds) -> Iterator[str]:
    """Yield the lines on the quality of a model that was learned from the first."""
    dealt_in, predicted = held_out.paid > 0, model.trees.probabilities(held_out.x)
    constant = np.full(len(dealt_in), (folds.paid > 0).mean())
    rows = f"{len(folds.x):,} rows"
    yield f"Dealing in before the round ends, if the safest tile is discarded each time; {rows}."
    yield from ("Rounds end as recorded.", "", QUALITY_HEADER)
    yield quality(constant, dealt_in).row("constant")
    yield quality(predicted, dealt_in).row("boosted trees")
    yield from ("", "| predicted P(deal-in) | n | observed |", "|---|---|---|")
    yield from (group.row() for group in reliability_by_size(predicted, dealt_in, held_out.games))
    yield from ("", "Points paid then, without honba:", "", AMOUNT_HEADER)
    paid, means = held_out.paid[dealt_in], held_out.means[dealt_in]
    points = model.points(held_out.means, held_out.x[:, AT.riichi] > 0)[dealt_in]
    yield amount_quality(means, paid).row("what a deal-in costs now")
    yield amount_quality(points, paid).row("line by riichi")


def _folds(run: Run, limit: int, *, validation: bool) -> _Folds:
    """Play at most about ``limit`` discards on, those of a seat in a round together or not at all."""
    dangers = run.dangers()
    rate = min(1.0, limit / max(run.decisions(validation=validation), 1))
    rng = run.generator(f"fold {validation}")
    parts: list[_Folds] = []
    games_before = 0
    for shard in run.shards(validation=validation):
        sequences, sequence = np.unique(sequences_of(shard.truths), return_inverse=True)
        kept = (rng.random(len(sequences)) < rate)[sequence]
        order = np.flatnonzero(kept)[np.argsort(sequence[kept], kind="stable")]
        if len(order):
            part = _folds_of(shard.scenes[order], shard.truths[order], dangers)
            parts.append(part._replace(games=part.games + games_before))
        games_before += len(shard.games)
    return _Folds(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _folds_of(scenes: Scenes, truths: Scenes, dangers: DangerReader) -> _Folds:
    """Fold from some discards, SCENE[n] and TRUTH[n], with the numbers of the games in their shard."""
    kinds, opponents = danger_features(scenes, dangers.weights)
    can_win = dangers.opponents.read(opponents).can_win
    prob = deal_in_probs(kinds, opponents, possible_kinds(scenes), can_win, dangers.kinds)
    paid = points_paid(scenes, truths, prob)
    at = np.flatnonzero(paid > 0)
    held = held_kinds(scenes[at], truths[at])
    loss = dangers.losses(scenes[at], kinds[at], opponents[at], held)
    means = np.zeros(len(paid))
    means[at] = mean_losses(prob[at], loss, scenes["hand"][at])
    return _Folds(fold_features(scenes, prob, can_win), paid, means, truths["game"].astype(np.int64))


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
