"""Learns `models/discard_policy.npz`: how readily strong players discard each tile of a hand.

A sample is a decision without riichi: one row per kind held, with the numbers that a player would have had at
that moment, labelled by which kind was discarded. Quality is reported as the share of validation decisions in
which the kind rated highest is the one discarded.
"""

from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

from manue.arrays import F32, F64, Bool
from manue.decision.afterstates import afterstates_of, discards_by_hand
from manue.decision.options import DrawSettings, options_of_scene
from manue.draws.win import WinStatistics
from manue.features.discard_policy import AT, DISCARD_POLICY_COLUMNS
from manue.features.scene import Scenes
from manue.models.afterstate import win_statistics_of
from manue.models.danger import DangerReader
from manue.models.discard_policy import DiscardPolicy
from manue.training.afterstate_sample import MC_DRAWS
from manue.training.dataset import Shard, is_validation, read_shard
from manue.training.framework import Run, Trained
from manue.training.ranking import Decisions, ranking_trees
from manue.workers import worker_pool

DECISIONS = 200_000
"""Most decisions used for training and validation together."""


class DiscardPolicyTrainer:
    """Boosted trees that rank the kinds held."""

    name = "discard_policy"

    def fit(self, run: Run) -> Trained:
        """Learn the model and measure it; needs the models ``opponents``, ``danger`` and ``afterstate``."""
        run.say("discard policy: decisions")
        rows, seen = _sample(run)
        run.say("discard policy: trees")
        learned, kept = rows.split(len(rows.starts) * 9 // 10)
        trees = ranking_trees(learned)
        sharpness = _fit_sharpness(trees.sums(kept.x), kept)
        arrays: dict[str, npt.NDArray[np.generic]] = {"sharpness": np.array(sharpness)}
        report = "\n".join(_report(DiscardPolicy(trees, sharpness), rows, seen))
        meta = {"columns": [column.name for column in DISCARD_POLICY_COLUMNS]}
        return Trained(arrays | trees.to_arrays("discard_policy"), meta, report)


# ---- rows


def _sample(run: Run) -> tuple[Decisions, Decisions]:
    """Sample decisions evenly over all games; return those of training games, and of validation games."""
    paths = list(run.data.shards)
    rate = min(1.0, DECISIONS / max(sum(run.data.decisions), 1))
    seeds = [int(seed) for seed in run.generator("discard_policy").integers(0, 2**31, len(paths))]
    win_statistics = win_statistics_of(run.trained["afterstate"])
    with worker_pool(run.workers) as pool:
        parts = list(
            pool.map(_shard_rows, paths, seeds, repeat(rate), repeat(run.dangers()), repeat(win_statistics))
        )
    decisions = [decision for part in parts for decision in part]
    return _join(decisions, validation=False), _join(decisions, validation=True)


_Decision = tuple[bool, F32, Bool]


def _join(decisions: list[_Decision], *, validation: bool) -> Decisions:
    chosen = [(x, thrown) for kept, x, thrown in decisions if kept == validation]
    sizes = [len(x) for x, _ in chosen]
    return Decisions(
        np.concatenate([x for x, _ in chosen]),
        np.concatenate([thrown for _, thrown in chosen]),
        np.cumsum([0, *sizes[:-1]]),
    )


def _shard_rows(
    path: Path, seed: int, rate: float, dangers: DangerReader, win_statistics: WinStatistics
) -> list[_Decision]:
    shard = read_shard(path)
    validation = np.array([is_validation(name) for name in shard.games], np.bool_)[shard.truths["game"]]
    chosen = _free(shard.scenes) & (np.random.default_rng(seed).random(len(validation)) < rate)
    return [
        (bool(validation[i]), *_rate(shard, int(i), seed + int(i), dangers, win_statistics))
        for i in np.flatnonzero(chosen)
    ]


def _free(scenes: Scenes) -> Bool:
    """Return whether each decision leaves a choice: no riichi, two kinds or more: bool[n]."""
    return np.asarray((scenes["riichi"][:, 0] == 0) & ((scenes["hand"] > 0).sum(1) > 1), np.bool_)


def _rate(
    shard: Shard, i: int, seed: int, dangers: DangerReader, win_statistics: WinStatistics
) -> tuple[F32, Bool]:
    """Return the features of every kind held, computed as in play, and which one was discarded."""
    scene = shard.scenes[i : i + 1]
    danger = dangers.read(scene, 0)
    options = options_of_scene(scene, DrawSettings(seed, MC_DRAWS, 1, win_statistics))
    after = afterstates_of(scene, options, danger, 0, win_statistics.discard_rates)
    (hand,) = discards_by_hand(scene, options, after, danger)
    discarded = int(shard.truths["discarded"][i])
    return hand.rows, np.array([option.kind == discarded for option in options], np.bool_)


# ---- fit and quality


def _fit_sharpness(sums: F64, rows: Decisions) -> float:
    """Fit the factor for the ratings that makes their softmax over a hand most likely."""
    decision = rows.decision

    def loss(factor: float) -> float:
        """Return the mean log loss of the tiles chosen, with this factor."""
        odds = factor * sums
        odds -= np.maximum.reduceat(odds, rows.starts)[decision]
        total = np.add.reduceat(np.exp(odds), rows.starts)[decision]
        return float(-(odds - np.log(total))[rows.chosen].mean())

    return float(minimize_scalar(loss, bounds=(0.1, 5.0), method="bounded").x)


def _report(model: DiscardPolicy, rows: Decisions, seen: Decisions) -> Iterator[str]:
    yield (
        f"Which kind strong players discard, without riichi; {len(rows.starts):,} decisions, "
        f"{len(seen.starts):,} held out."
    )
    yield ""
    yield "| the kind rated highest is the one discarded | all | nobody in riichi | a riichi on the table |"
    yield "|---|---|---|---|"
    gain = seen.x[:, AT.yield_gap].astype(np.float64)
    efficiency = seen.x[:, AT.useful_tiles] - 1000.0 * seen.x[:, AT.shanten].astype(np.float64)
    sums = model.trees.sums(seen.x)
    threat = seen.x[seen.starts, AT.riichi_opponents] > 0
    ratings = (
        ("lowest shanten, most useful tiles", efficiency),
        ("odds times points by the Monte Carlo draws", gain),
    )
    for name, rating in (*ratings, ("boosted trees", sums)):
        hits = seen.hits(rating)
        yield f"| {name} | {hits.mean():.1%} | {hits[~threat].mean():.1%} | {hits[threat].mean():.1%} |"
