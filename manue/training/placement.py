"""Learns `models/placement.npz`: the few parameters of the placement model, by maximum likelihood."""

from typing import Any

import numpy as np
from scipy.optimize import minimize

from manue.arrays import F64, I64
from manue.models.placement import ROUNDS, PlacementModel
from manue.training.framework import Run, Trained


class PlacementTrainer:
    """Spread and drift of the points that players will still gain."""

    name = "placement"

    def fit(self, run: Run) -> Trained:
        """Learn the model and measure it."""
        run.say("placement")
        training, validation = _starts(run, validation=False), _starts(run, validation=True)
        first = np.concatenate([np.log(5.0 * np.sqrt(np.arange(1.0, ROUNDS + 1.0))), np.zeros(6)])
        found = minimize(_loss, first, args=training, method="L-BFGS-B", options={"maxiter": 60})
        model = _model(found.x)
        report = _report(model, training, validation)
        return Trained({"spread": model.spread, "shape": model.shape}, {"rounds": ROUNDS}, report)


def _model(parameters: F64) -> PlacementModel:
    return PlacementModel(
        np.ascontiguousarray(parameters[:ROUNDS]), np.ascontiguousarray(parameters[ROUNDS:])
    )


def _starts(run: Run, *, validation: bool) -> tuple[F64, F64, I64]:
    """Return scores [n, 4], (index, dealer, honba) [n, 3] and final places [n, 4] at the starts of rounds.

    The start of a round is its dealer's first discard; columns are absolute seats, which also break ties.
    """
    scores, positions, places = [], [], []
    for shard in run.data:
        part = shard.part(validation=validation)
        truths, scenes = part.truths, part.scenes
        first = (truths["turn"] == 0) & (scenes["dealer"] == 0) & (scenes["round_number"] < ROUNDS)
        seats = (np.arange(4)[None, :] - truths["seat"][first][:, None]) % 4
        scores.append(np.take_along_axis(scenes["scores"][first] * 100.0, seats, axis=1))
        positions.append(
            np.stack(
                [scenes["round_number"][first], truths["seat"][first], scenes["honba"][first]], axis=1
            ).astype(np.float64)
        )
        points = np.take_along_axis(truths["final_scores"][first].astype(np.int64), seats, axis=1)
        ordering = np.argsort(-points, axis=1, kind="stable")
        place = np.empty_like(ordering)
        np.put_along_axis(place, ordering, np.arange(4)[None, :], axis=1)
        places.append(place)
    return np.concatenate(scores), np.concatenate(positions), np.concatenate(places)


def _predict(model: PlacementModel, scores: F64, positions: F64) -> F64:
    index, dealer, honba = (np.ascontiguousarray(positions[:, i], np.int64) for i in range(3))
    return model.places_at(scores, index, dealer, honba)


def _loss(parameters: F64, scores: F64, positions: F64, places: I64) -> float:
    return _log_loss(_predict(_model(parameters), scores, positions), places)


def _log_loss(predicted: F64, places: I64) -> float:
    chosen = np.take_along_axis(predicted, places[:, :, None], axis=2)[..., 0]
    return float(-np.log(np.maximum(chosen, 1e-9)).mean())


def _report(model: PlacementModel, training: Any, validation: Any) -> str:
    scores, positions, places = validation
    predicted = _predict(model, scores, positions)
    flat = np.full_like(predicted, 0.25)
    lines = [
        f"Final places from scores at the start of a round; {len(training[0]):,} rounds,",
        f"{len(scores):,} for validation.",
        "",
        "| model | log loss |",
        "|---|---|",
        f"| constant | {_log_loss(flat, places):.4f} |",
        f"| table place now x rounds left | {_log_loss(_table(training, validation), places):.4f} |",
        f"| normal points to come | {_log_loss(predicted, places):.4f} |",
        "",
        "| round | n | log loss | predicted P(leader finishes first) | observed |",
        "|---|---|---|---|---|",
    ]
    leader = scores.argmax(axis=1)
    rows = np.arange(len(scores))
    for index in range(ROUNDS):
        mask = positions[:, 0] == index
        if not mask.any():
            continue
        predicted_first = predicted[rows, leader, 0][mask].mean()
        observed_first = (places[rows, leader][mask] == 0).mean()
        name = f"{'ES'[index // 4]}{index % 4 + 1}"
        loss = _log_loss(predicted[mask], places[mask])
        lines.append(f"| {name} | {mask.sum()} | {loss:.4f} | {predicted_first:.3f} | {observed_first:.3f} |")
    return "\n".join(lines) + "\n"


def _table(training: Any, validation: Any) -> F64:
    """Predict from the place held now and the rounds left."""

    def now(scores: F64) -> I64:
        """Return the places 0..3 by these scores, ties to the earlier seat: int64[n, 4]."""
        return np.asarray(np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1), np.int64)

    scores, positions, places = training
    counts = np.ones((ROUNDS, 4, 4))
    held = now(scores)
    for seat in range(4):
        np.add.at(counts, (positions[:, 0].astype(int), held[:, seat], places[:, seat]), 1.0)
    counts /= counts.sum(axis=2, keepdims=True)
    return np.asarray(counts[validation[1][:, 0].astype(int)[:, None], now(validation[0])], np.float64)
