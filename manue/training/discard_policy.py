"""Learns `models/practice.npz`: how readily strong players discard each tile of a hand.

A sample is a decision without riichi; its rows are all kinds held, with the numbers a player would have had
then, the answer is which one went. Quality is told as the share of held-out decisions in which the kind
rated highest is the one discarded.
"""

from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

from manue.arrays import F32, F64, Bool
from manue.draws.win import WinStatistics, estimate_wins
from manue.features.afterstate import afterstate_rows
from manue.features.hand_view import view_of_scene
from manue.features.scene import Scenes
from manue.hand.shanten import ukeire_by_discard
from manue.models.afterstate import win_statistics_of
from manue.models.danger import DangerModel, read_dangers
from manue.models.discard_policy import DISCARD_POLICY_COLUMNS, DiscardPolicy, discard_policy_rows
from manue.models.files import ModelFile
from manue.models.opponents import OpponentsModel
from manue.training.afterstate_sample import MC_DRAWS, hands_left, plan_of
from manue.training.dataset import Shard, is_validation, read_shard
from manue.training.framework import Run, Trained
from manue.training.ranking import Decisions, ranking_trees
from manue.workers import worker_pool

DECISIONS = 200_000
"""Most decisions that are learned from and measured on together."""
COLUMN = {column.name: index for index, column in enumerate(DISCARD_POLICY_COLUMNS)}


class DiscardPolicyTrainer:
    """Boosted trees that rank the kinds held."""

    name = "discard_policy"

    def fit(self, run: Run) -> Trained:
        """Learn and measure; needs the models ``opponents``, ``danger`` and ``afterstate``."""
        run.say("practice: decisions")
        rows, seen = _sample(run)
        run.say("practice: trees")
        learned, kept = rows.split(len(rows.starts) * 9 // 10)
        trees = ranking_trees(learned)
        sharpness = _fit_sharpness(trees.sums(kept.x), kept)
        arrays: dict[str, npt.NDArray[np.generic]] = {"sharpness": np.array(sharpness)}
        report = "\n".join(_report(DiscardPolicy(trees, sharpness), rows, seen))
        meta = {"columns": [column.name for column in DISCARD_POLICY_COLUMNS]}
        return Trained(arrays | trees.to_arrays("discard_policy"), meta, report)


# ---- rows


def _sample(run: Run) -> tuple[Decisions, Decisions]:
    """Draw decisions evenly over all games: those to learn from, those of validation games."""
    paths = list(run.data.shards)
    rate = min(1.0, DECISIONS / max(sum(run.data.decisions), 1))
    models = (run.trained["danger"], run.trained["opponents"])
    seeds = [int(seed) for seed in run.generator("discard_policy").integers(0, 2**31, len(paths))]
    win_statistics = win_statistics_of(run.trained["afterstate"])
    with worker_pool(run.workers) as pool:
        parts = list(
            pool.map(
                _shard_rows,
                paths,
                seeds,
                repeat(rate),
                repeat(models),
                repeat(run.weights()),
                repeat(win_statistics),
            )
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
    path: Path,
    seed: int,
    rate: float,
    models: tuple[ModelFile, ModelFile],
    weights: F64,
    win_statistics: WinStatistics,
) -> list[_Decision]:
    danger, opponents = DangerModel.of(models[0]), OpponentsModel.of(models[1])
    shard = read_shard(path)
    validation = np.array([is_validation(name) for name in shard.games], np.bool_)[shard.truths["game"]]
    chosen = _free(shard.scenes) & (np.random.default_rng(seed).random(len(validation)) < rate)
    return [
        (
            bool(validation[i]),
            *_rate(shard, int(i), seed + int(i), danger, opponents, weights, win_statistics),
        )
        for i in np.flatnonzero(chosen)
    ]


def _free(scenes: Scenes) -> Bool:
    """Tell which decisions have a choice: no riichi, two kinds or more."""
    return np.asarray((scenes["riichi"][:, 0] == 0) & ((scenes["hand"] > 0).sum(1) > 1), np.bool_)


def _rate(
    shard: Shard,
    i: int,
    seed: int,
    danger_model: DangerModel,
    opponents: OpponentsModel,
    weights: F64,
    win_statistics: WinStatistics,
) -> tuple[F32, Bool]:
    """Rate every kind held as a player would have at that moment, and tell which one went."""
    scene = shard.scenes[i : i + 1]
    danger = read_dangers(scene, 0, danger_model, opponents, weights)
    view = view_of_scene(scene)
    shantens, useful = ukeire_by_discard(view.counts, len(view.melds))
    kinds = np.flatnonzero(view.counts > 0).tolist()
    plans = [plan_of(scene, view, int(shantens[kind])) for kind in kinds]
    estimate = estimate_wins(view, seed, MC_DRAWS, 1, win_statistics, plans=sorted(set(plans)))
    hands = hands_left(scene, view, kinds, plans, estimate, shantens, useful)
    after = afterstate_rows(scene, hands, danger, 0, win_statistics.discard_rates)
    return discard_policy_rows(scene, hands, after, danger.any_deal_in()), np.equal(
        kinds, shard.truths["discarded"][i]
    )


# ---- fit and quality


def _fit_sharpness(sums: F64, rows: Decisions) -> float:
    """Fit the factor on the ratings with which their softmax over a hand is likeliest."""
    decision = rows.decision

    def loss(factor: float) -> float:
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
    gain = seen.x[:, COLUMN["yield_gap"]].astype(np.float64)
    efficiency = seen.x[:, COLUMN["useful_tiles"]] - 1000.0 * seen.x[:, COLUMN["shanten"]].astype(np.float64)
    sums = model.trees.sums(seen.x)
    threat = seen.x[seen.starts, COLUMN["riichi_opponents"]] > 0
    ratings = (("lowest shanten, most useful tiles", efficiency), ("odds times points by the trials", gain))
    for name, rating in (*ratings, ("boosted trees", sums)):
        hits = seen.hits(rating)
        yield f"| {name} | {hits.mean():.1%} | {hits[~threat].mean():.1%} | {hits[threat].mean():.1%} |"
