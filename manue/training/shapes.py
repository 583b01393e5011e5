"""Learns `models/shapes.npz`: how much each kind of waiting shape counts in `combo_share`."""

import numpy as np

from manue.arrays import F64, Bool
from manue.features.danger import danger_features
from manue.features.danger_columns import FACTOR, KIND, SHAPE_FACTORS, SHAPE_WEIGHTS
from manue.features.scene import Scenes
from manue.log_odds import log_odds_of, probabilities_of
from manue.training.framework import Run, Trained, chunks, held_kinds, in_riichi, wins_of
from manue.training.quality import log_loss

SCENES = 20_000
"""About how many scenes with a riichi the weights are fitted to."""
SCENES_FOR_A_RIICHI = 6
"""About one discard in this many faces a riichi."""
ROUNDS = 2
"""How often larger and smaller values of every weight are tried, in steps of decreasing size."""
FURTHEST = 3.0
"""Largest factor by which a weight may change: a sample holds little information about rare shapes."""


class ShapesTrainer:
    """Fits `manue.features.danger_columns.SHAPE_WEIGHTS`."""

    name = "shapes"

    def fit(self, run: Run) -> Trained:
        """Search from the weights in the code; the features of the other models use the result."""
        run.step("shapes: weights")
        weights = fit_shape_weights(run)
        names = [factor.name for factor in SHAPE_FACTORS]
        listed = ", ".join(f"{name} {value:.4g}" for name, value in zip(names, weights, strict=True))
        return Trained({"weights": weights}, {"names": names}, f"Weights: {listed}.")


def fit_shape_weights(run: Run) -> F64:
    """Find the weights whose ``combo_share`` alone best predicts what an opponent in riichi wins on.

    The measure is the log loss of a logistic curve over the logarithm of the share; the two-sided weight is
    the unit. With too few riichi scenes the weights do not change.

    Returns
    -------
    float64[len(SHAPE_FACTORS)]
    """
    scenes, held, wins = _riichi_scenes(run)
    if held.sum() < 1000:
        return SHAPE_WEIGHTS

    def loss(weights: F64) -> float:
        """Return the log loss of P(deal-in) as a curve over the share of combinations with these weights."""
        share = danger_features(scenes, weights)[0][..., KIND.combo_share][held]
        return _curve_loss(np.log(share.astype(np.float64) + 1e-4), wins)

    weights, best, step = SHAPE_WEIGHTS.copy(), loss(SHAPE_WEIGHTS), 1.5
    for _ in range(ROUNDS):
        for at in range(len(weights)):
            for factor in (step, 1 / step):
                while at != FACTOR.two_sided:
                    changed = weights.copy()
                    changed[at] = round(changed[at] * factor, 4)
                    if not 1 / FURTHEST <= changed[at] / SHAPE_WEIGHTS[at] <= FURTHEST:
                        break
                    value = loss(changed)
                    if value >= best - 1e-7:
                        break
                    weights, best = changed, value
        step **= 0.5
    return weights


def _riichi_scenes(run: Run) -> tuple[Scenes, Bool, Bool]:
    """Sample scenes with a riichi from the training games: scenes, kinds to rate, whether these win."""
    parts, masks, hits = [], [], []
    rng = run.generator("shapes")
    rate = min(1.0, SCENES_FOR_A_RIICHI * SCENES / max(run.decisions(validation=False), 1))
    for part in run.shards(validation=False):
        for scenes, truths in chunks(part):
            mask = held_kinds(scenes, truths) & in_riichi(scenes)[:, :, None]
            kept = mask.any((1, 2)) & (rng.random(len(scenes)) < rate)
            parts.append(scenes[kept])
            masks.append(mask[kept])
            hits.append(wins_of(truths)[kept])
    held = np.concatenate(masks)
    return np.concatenate(parts), held, np.concatenate(hits)[held]


def _curve_loss(x: F64, hits: Bool) -> float:
    """Fit hits = logistic(a + b x) by Newton's method and return its log loss."""
    design = np.stack([np.ones(len(x)), x], axis=1)
    ab = np.append(log_odds_of(hits.mean(keepdims=True)), 0.0)
    for _ in range(6):
        p = probabilities_of(design @ ab)
        hessian = (design * (p * (1 - p))[:, None]).T @ design
        ab += np.linalg.solve(hessian, design.T @ (hits - p))
    return log_loss(probabilities_of(design @ ab), hits)
