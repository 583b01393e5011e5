"""Real discards as the player would have rated them at that moment, and what followed in the round."""

from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np

from manue.arrays import F32, F64, I8, I64, Bool
from manue.decision.afterstates import afterstates_of
from manue.decision.options import DrawSettings, options_of_scene
from manue.draws.win import WinStatistics
from manue.features.afterstate import COLUMNS
from manue.features.scene import Scenes, declares_riichi
from manue.models.danger import DangerReader
from manue.tiles import Kind
from manue.training.dataset import EXHAUSTED, TSUMO, Extraction, Shard, is_validation, read_shard, rounds_of
from manue.training.framework import Run
from manue.workers import worker_pool

ROWS = 170_000
VALIDATION_WEIGHT = 2.0
"""How much more densely the few validation games are sampled, because calibration needs many rows."""
MC_DRAWS = 1000
WIN, DEAL_IN_LATER, DRAWN, OTHER = range(4)


@dataclass(frozen=True, slots=True)
class AfterstateSample:
    """Discards that did not deal in.

    Parameters
    ----------
    x : float32[n, len(COLUMNS)]
        Features of the hand left.
    best : float32[n, len(COLUMNS)]
        The same for the discard that was best by the Monte Carlo draws under the same plan.
    ending : int8[n]
        ``WIN``, ``DEAL_IN_LATER``, ``DRAWN``, ``OTHER``.
    points : float64[n]
        Points of this seat's win without honba and deposits; 0 without a win.
    tenpai : bool[n, 4]
        Tenpai at an exhaustive draw, this seat first.
    exhausted : bool[n]
        Whether the round ended in an exhaustive draw.
    winner : int8[n]
        The opponent who won, 0..2; -1 if none.
    by_tsumo : bool[n]
        Whether the round ended with a self-draw.
    opponents : float64[n, 3, 4]
        P(tenpai), P(can win), riichi, dealer.
    validation : bool[n]
        Whether the row comes from a validation game.
    """

    x: F32
    best: F32
    ending: I8
    points: F64
    tenpai: Bool
    exhausted: Bool
    winner: I8
    by_tsumo: Bool
    opponents: F64
    validation: Bool

    def part(self, mask: Bool) -> "AfterstateSample":
        """Return some of the rows."""
        return AfterstateSample(*(getattr(self, name)[mask] for name in self.__slots__))


def sample_discards(run: Run, win_statistics: WinStatistics) -> AfterstateSample:
    """Sample discards evenly over all games, validation games more densely.

    Every discard that declares riichi is included: they are few and matter most in play. What follows a hand
    does not depend on how often it is sampled.
    """
    rate = min(1.0, ROWS / max(sum(run.data.decisions), 1))
    return _rated(run, run.data, win_statistics, rate, "afterstate")


def sample_declared(run: Run, games: Extraction, win_statistics: WinStatistics) -> AfterstateSample:
    """Return every discard that declares riichi."""
    return _rated(run, games, win_statistics, 0.0, "declared riichi")


def _rated(
    run: Run, games: Extraction, win_statistics: WinStatistics, rate: float, purpose: str
) -> AfterstateSample:
    paths = list(games.shards)
    dangers = run.dangers()
    seeds = [int(seed) for seed in run.generator(purpose).integers(0, 2**31, len(paths))]
    with worker_pool(run.workers) as pool:
        parts = list(
            pool.map(
                _shard_rows,
                paths,
                seeds,
                repeat(rate),
                repeat(dangers),
                repeat(win_statistics),
            )
        )
    return AfterstateSample(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _shard_rows(
    path: Path,
    seed: int,
    rate: float,
    dangers: DangerReader,
    win_statistics: WinStatistics,
) -> tuple[Any, ...]:
    shard = read_shard(path)
    rng = np.random.default_rng(seed)
    truths = shard.truths
    thrown = truths["discarded"].astype(np.int64)
    won_on = (truths["win_points"][np.arange(len(truths)), :, thrown] > 0).any(axis=1)
    validation = np.array([is_validation(name) for name in shard.games], np.bool_)[truths["game"]]
    density = np.maximum(np.where(validation, rate * VALIDATION_WEIGHT, rate), declares_riichi(shard.scenes))
    chosen = np.flatnonzero((rng.random(len(truths)) < density) & ~won_on)
    rows = [
        rate_discard(shard.scenes[i : i + 1], thrown[i], seed + int(i), dangers, win_statistics)
        for i in chosen
    ]
    x = np.array([row for row, _ in rows], np.float32).reshape(-1, 2, len(COLUMNS))
    read = np.array([facts for _, facts in rows]).reshape(-1, 3, 4)
    return (x[:, 0], x[:, 1], *_answers(shard, chosen), read, validation[chosen])


def rate_discard(
    scene: Scenes, thrown: Kind, seed: int, dangers: DangerReader, win_statistics: WinStatistics
) -> tuple[F32, F64]:
    """Rate one discard the way play does: options, their afterstates, their features.

    Returns
    -------
    rows : float32[2, len(COLUMNS)]
        Features of the hand left, and of the hand that the best discard by the Monte Carlo draws under the
        same plan would have left.
    facts : float64[3, 4]
        As in `AfterstateSample.opponents`.
    """
    danger = dangers.read(scene, 0)
    options = options_of_scene(scene, DrawSettings(seed, MC_DRAWS, 1, win_statistics))
    after = afterstates_of(scene, options, danger, 0, win_statistics.discard_rates)
    made = [option.kind for option in options].index(thrown)
    rivals = np.flatnonzero(after.groups == after.groups[made]).tolist()
    best = max(rivals, key=lambda i: options[i].mc_win_prob)
    facts = np.stack(
        [
            danger.tenpai[1:],
            danger.can_win[1:],
            scene["riichi"][0, 1:] > 0,
            scene["dealer"][0] == np.arange(1, 4),
        ],
        axis=1,
    )
    return after.rows[[made, best]], facts


def _answers(shard: Shard, chosen: I64) -> tuple[Any, ...]:
    truths = shard.truths[chosen]
    won = truths["winner"][:, 0] > 0
    drawn = truths["ending"] >= EXHAUSTED
    ending = np.where(
        won, WIN, np.where(truths["payer"] == 0, DEAL_IN_LATER, np.where(drawn, DRAWN, OTHER))
    ).astype(np.int8)
    others = truths["winner"][:, 1:] > 0
    winner = np.where(others.any(axis=1), others.argmax(axis=1), -1).astype(np.int8)
    bonus = 300.0 * shard.scenes["honba"][chosen] + 1000.0 * _final_deposits(shard)[chosen]
    points = np.where(won, truths["deltas"][:, 0] * 100.0 - bonus, 0.0)
    return (
        ending,
        points,
        truths["final_tenpai"] > 0,
        truths["ending"] == EXHAUSTED,
        winner,
        truths["ending"] == TSUMO,
    )


def _final_deposits(shard: Shard) -> I64:
    """Return the most deposits seen in the round of each decision."""
    key = rounds_of(shard.truths)
    most = np.zeros(key.max() + 1, np.int64)
    np.maximum.at(most, key, shard.scenes["deposits"].astype(np.int64))
    return np.asarray(most[key], np.int64)
