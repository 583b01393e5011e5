"""Learns `models/placement.npz`: the few parameters of the placement model, by maximum likelihood."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from manue.arrays import F64, I64
from manue.errors import LogError
from manue.models.placement import PARAMETERS, ROUNDS, PlacementModel, exact_places
from manue.records.games import RecordedGame, collect_games
from manue.records.length import NAMES
from manue.records.round_starts import round_starts
from manue.rules import EAST_ONLY, HANCHAN
from manue.tiles import round_name
from manue.training.dataset import is_validation
from manue.training.framework import Run, Trained
from manue.workers import WorkerPool


class PlacementTrainer:
    """Spread, drift and form of the points that players will still gain, in games of both lengths."""

    name = "placement"

    def fit(self, run: Run) -> Trained:
        """Learn the model and measure it."""
        logs = (*run.data.logs, *(run.extra.logs if run.extra is not None else ()))
        with WorkerPool(run.workers) as pool:
            found = run.counted("placement", pool.map(_starts_of_log, logs, chunksize=10), len(logs))
            games = [game for of_log in found for game in of_log]
        return fit_games(games)


@dataclass(frozen=True, slots=True)
class _Starts:
    """Starts of rounds: scores [n, 4], (index, dealer, honba) [n, 3], final places 0..3 [n, 4]."""

    scores: F64
    positions: I64
    places: I64
    last: int
    validation: bool


def _starts_of_log(log: Path) -> list[_Starts]:
    """Return the starts of the rounds of each game; games of no use were named when they were extracted."""
    found = collect_games(log, partial(_starts_of_game, validation=is_validation(log.name)))
    return [starts for starts in found if not isinstance(starts, str)]


def _starts_of_game(game: RecordedGame, *, validation: bool) -> _Starts:
    starts = round_starts(game.events)
    positions = np.stack([starts.index, starts.dealer, starts.honba], axis=1)
    places = np.tile(starts.places, (len(positions), 1))
    return _Starts(starts.scores, positions, places, starts.last, validation)


def fit_games(games: Sequence[_Starts]) -> Trained:
    """Learn the model from games that are not for validation, and measure it on the others."""
    training, validation = (
        [part for part in _joined(games) if part.validation == wanted] for wanted in (False, True)
    )
    if not training:
        raise LogError("no game to learn final places from: none has an end with scores")
    found = minimize(partial(_loss, parts=training), _first(), method="L-BFGS-B", options={"maxiter": 80})
    model = _model(found.x)
    report = "\n".join(_report(model, training, validation)) + "\n"
    return Trained(dict(zip(PARAMETERS, _parts(found.x), strict=True)), {"rounds": ROUNDS}, report)


def _joined(games: Sequence[_Starts]) -> Iterator[_Starts]:
    """Join the games of each length and purpose."""
    for last in (HANCHAN, EAST_ONLY):
        for validation in (False, True):
            part = [game for game in games if game.last == last and game.validation == validation]
            if part:
                scores = np.concatenate([game.scores for game in part])
                positions = np.concatenate([game.positions for game in part])
                places = np.concatenate([game.places for game in part])
                yield _Starts(scores, positions, places, last, validation)


def _first() -> F64:
    """Return parameters to begin with: spreads by the root of the rounds left, one result in four wide."""
    spread = np.log(3.0 * np.sqrt(np.arange(1.0, ROUNDS + 1.0)))
    return np.concatenate([spread, np.zeros(*PARAMETERS["shape"]), [1.0, 0.0, 0.7, 0.0, 0.0, 0.0]])


def _parts(parameters: F64) -> list[F64]:
    """Divide a vector of all parameters into the arrays of `PARAMETERS`."""
    ends = np.cumsum([size for (size,) in PARAMETERS.values()])
    return [part.copy() for part in np.split(parameters, ends[:-1])]


def _model(parameters: F64) -> PlacementModel:
    return PlacementModel.learned(*_parts(parameters))


def _predict(model: PlacementModel, starts: _Starts) -> F64:
    index, dealer, honba = (np.ascontiguousarray(starts.positions[:, i]) for i in range(3))
    return model.places_at(starts.scores, index, dealer, honba, starts.last)


def _loss(parameters: F64, parts: Sequence[_Starts]) -> float:
    model = _model(parameters)
    losses = [_log_loss(_predict(model, part), part.places) for part in parts]
    return float(np.average(losses, weights=[len(part.scores) for part in parts]))


def _log_loss(predicted: F64, places: I64) -> float:
    chosen = np.take_along_axis(predicted, places[:, :, None], axis=2)[..., 0]
    return float(-np.log(np.maximum(chosen, 1e-9)).mean())


def _report(
    model: PlacementModel, training: Sequence[_Starts], validation: Sequence[_Starts]
) -> Iterator[str]:
    rounds = " and ".join(
        f"{sum(len(part.scores) for part in parts):,} {purpose}"
        for parts, purpose in ((training, "for training"), (validation, "for validation"))
    )
    yield f"Final places from scores at the start of a round, in games of both lengths; {rounds}."
    table = _table(training)
    for part in validation:
        yield from _report_of_length(_predict(model, part), _from_table(table, part), part)


def _report_of_length(predicted: F64, by_table: F64, starts: _Starts) -> Iterator[str]:
    flat = np.full_like(predicted, 0.25)
    yield ""
    yield f"{len(starts.scores):,} rounds, each of {NAMES[starts.last]}:"
    yield ""
    yield "| model | log loss |"
    yield "|---|---|"
    yield f"| constant | {_log_loss(flat, starts.places):.4f} |"
    yield f"| table place now x rounds left | {_log_loss(by_table, starts.places):.4f} |"
    yield f"| points to come, narrow or wide | {_log_loss(predicted, starts.places):.4f} |"
    yield ""
    yield "| round | n | log loss | P(first) of the leader: predicted | observed |"
    yield "|---|---|---|---|---|"
    leader, rows = starts.scores.argmax(axis=1), np.arange(len(starts.scores))
    for index in range(starts.last + 1):
        mask = starts.positions[:, 0] == index
        if mask.any():
            leads = predicted[rows, leader, 0][mask].mean()
            observed = (starts.places[rows, leader][mask] == 0).mean()
            loss = _log_loss(predicted[mask], starts.places[mask])
            yield f"| {round_name(index)} | {mask.sum()} | {loss:.4f} | {leads:.3f} | {observed:.3f} |"


def _table(training: Sequence[_Starts]) -> F64:
    """Count the final places by rounds left and place now: float64[8, 4, 4], rows summing to 1."""
    counts = np.ones((ROUNDS, 4, 4))
    for part in training:
        left, now = _left(part), exact_places(part.scores).argmax(axis=2)
        for seat in range(4):
            np.add.at(counts, (left, now[:, seat], part.places[:, seat]), 1.0)
    return np.asarray(counts / counts.sum(axis=2, keepdims=True))


def _from_table(table: F64, starts: _Starts) -> F64:
    now = exact_places(starts.scores).argmax(axis=2)
    return np.asarray(table[_left(starts)[:, None], now])


def _left(starts: _Starts) -> I64:
    """Return the rounds left beyond this one; an extra round is the last."""
    return np.asarray(np.clip(starts.last - starts.positions[:, 0], 0, ROUNDS - 1), np.int64)
