"""Discards really made, as the player would have rated them then, and what followed in the round."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np

from manue.arrays import F32, F64, I8, I64, Bool
from manue.draws.win import LOCKED, RIICHI, SILENT, WinEstimate, WinStatistics, estimate_wins
from manue.features.afterstate import COLUMNS, Hands, afterstate_rows, own_sets
from manue.features.hand_view import HandView, ron_waits, view_of_scene
from manue.features.scene import Scenes
from manue.hand.shanten import ukeire_by_discard
from manue.models.danger import DangerModel, read_dangers
from manue.models.files import ModelFile
from manue.models.opponents import OpponentsModel
from manue.tiles import Kind
from manue.training.dataset import EXHAUSTED, TSUMO, Extraction, Shard, is_validation, read_shard, rounds_of
from manue.training.framework import Run
from manue.workers import worker_pool

ROWS = 170_000
VALIDATION_WEIGHT = 2.0
"""How much more densely the few validation games are sampled: calibration needs many rows."""
MC_DRAWS = 1000
COLUMN = {column.name: index for index, column in enumerate(COLUMNS)}
WIN, DEAL_IN_LATER, DRAWN, OTHER = range(4)


@dataclass(frozen=True, slots=True)
class AfterstateSample:
    """Discards that were not won on.

    Parameters
    ----------
    x : float32[n, len(COLUMNS)]
    best : float32[n, len(COLUMNS)]
        Of the discard that was best by the Monte Carlo draws under the same plan.
    ending : int8[n]
        ``WIN``, ``DEAL_IN_LATER``, ``DRAWN``, ``OTHER``.
    points : float64[n]
        Of the own win, without honba and deposits.
    tenpai : bool[n, 4]
        At an exhaustive draw, own hand first.
    exhausted : bool[n]
    winner : int8[n]
        The opponent who won, 0..2; -1 without.
    by_tsumo : bool[n]
    opponents : float64[n, 3, 4]
        P(tenpai), P(can win), riichi, dealer.
    validation : bool[n]
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
    """Draw discards evenly over all games, validation games more densely.

    Every discard that declares riichi is taken: few, and of the greatest weight in play. What follows a hand
    does not depend on how often it is looked at.
    """
    rate = min(1.0, ROWS / max(sum(run.data.decisions), 1))
    return _rated(run, run.data, win_statistics, rate, "afterstate")


def sample_declared(run: Run, games: Extraction, win_statistics: WinStatistics) -> AfterstateSample:
    """Take every discard that declares riichi."""
    return _rated(run, games, win_statistics, 0.0, "declared riichi")


def _rated(
    run: Run, games: Extraction, win_statistics: WinStatistics, rate: float, purpose: str
) -> AfterstateSample:
    paths = list(games.shards)
    models = (run.trained["danger"], run.trained["opponents"])
    weights = run.weights()
    seeds = [int(seed) for seed in run.generator(purpose).integers(0, 2**31, len(paths))]
    with worker_pool(run.workers) as pool:
        parts = list(
            pool.map(
                _shard_rows,
                paths,
                seeds,
                repeat(rate),
                repeat(models),
                repeat(weights),
                repeat(win_statistics),
            )
        )
    return AfterstateSample(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _shard_rows(
    path: Path,
    seed: int,
    rate: float,
    models: tuple[ModelFile, ModelFile],
    weights: F64,
    win_statistics: WinStatistics,
) -> tuple[Any, ...]:
    danger, opponents = DangerModel.of(models[0]), OpponentsModel.of(models[1])
    shard = read_shard(path)
    rng = np.random.default_rng(seed)
    truths = shard.truths
    thrown = truths["discarded"].astype(np.int64)
    won_on = (truths["win_points"][np.arange(len(truths)), :, thrown] > 0).any(axis=1)
    validation = np.array([is_validation(name) for name in shard.games], np.bool_)[truths["game"]]
    density = np.maximum(np.where(validation, rate * VALIDATION_WEIGHT, rate), declares(shard.scenes))
    chosen = np.flatnonzero((rng.random(len(truths)) < density) & ~won_on)
    rows = [
        rate_discard(
            shard.scenes[i : i + 1], thrown[i], seed + int(i), danger, opponents, weights, win_statistics
        )
        for i in chosen
    ]
    x = np.array([row for row, _ in rows], np.float32).reshape(-1, 2, len(COLUMNS))
    read = np.array([facts for _, facts in rows]).reshape(-1, 3, 4)
    return (x[:, 0], x[:, 1], *_answers(shard, chosen), read, validation[chosen])


def declares(scenes: Scenes) -> Bool:
    """Tell which of the discards to come declare riichi: declared, and nothing discarded since."""
    return np.asarray((scenes["riichi"][:, 0] > 0) & (scenes["riichi_index"][:, 0] < 0), np.bool_)


def rate_discard(
    scene: Scenes,
    thrown: Kind,
    seed: int,
    danger_model: DangerModel,
    opponents: OpponentsModel,
    weights: F64,
    win_statistics: WinStatistics,
) -> tuple[F32, F64]:
    """Rate one discard as a player would have at that moment.

    Returns
    -------
    rows : float32[2, len(COLUMNS)]
        Of the hand left, and of what the best discard by the Monte Carlo draws under the same plan would have left.
    facts : float64[3, 4]
        `AfterstateSample.opponents`.
    """
    danger = read_dangers(scene, 0, danger_model, opponents, weights)
    view = view_of_scene(scene)
    melds = len(view.melds)
    shantens, useful = ukeire_by_discard(view.counts, melds)
    plan = plan_of(scene, view, int(shantens[thrown]))
    estimate = estimate_wins(view, seed, MC_DRAWS, 0 if plan == LOCKED else 1, win_statistics, plans=(plan,))
    rivals = np.flatnonzero(_rivals(scene, view, shantens, thrown, plan))
    best = int(rivals[np.argmax(estimate.prob[plan, rivals])])
    hands = hands_left(scene, view, (thrown, best), (plan, plan), estimate, shantens, useful)
    facts = np.stack(
        [
            danger.tenpai[1:],
            danger.can_win[1:],
            scene["riichi"][0, 1:] > 0,
            scene["dealer"][0] == np.arange(1, 4),
        ],
        axis=1,
    )
    return afterstate_rows(scene, hands, danger, 0, win_statistics.discard_rates), facts


def hands_left(
    scene: Scenes,
    view: HandView,
    kinds: Sequence[Kind],
    plans: Sequence[int],
    estimate: WinEstimate,
    shantens: I8,
    useful: Bool,
) -> Hands:
    """Gather what discards leave.

    Parameters
    ----------
    scene : SCENE[1]
    view : HandView
        Of that scene.
    kinds : sequence of int
        The discards.
    plans : sequence of {SILENT, RIICHI, LOCKED}
        Theirs.
    estimate : WinEstimate
        With the rows of these plans.
    shantens, useful : int8[34], bool[34, 34]
        Shanten and useful kinds by discard.
    """
    counts = np.repeat(view.counts[None], len(kinds), axis=0)
    counts[np.arange(len(kinds)), kinds] -= 1
    ron = [
        ron_waits(view, kind, useful[kind], riichi=plan == LOCKED) if shantens[kind] == 0 else 0
        for kind, plan in zip(kinds, plans, strict=True)
    ]
    return Hands(
        counts,
        np.repeat(own_sets(scene)[None], len(kinds), axis=0),
        np.array([_reds_left(scene, view, kind) for kind in kinds], np.int8),
        np.equal(plans, LOCKED).astype(np.int8),
        np.full(len(kinds), view.own_draws, np.int16),
        np.array(kinds, np.int8),
        estimate.prob[plans, kinds].astype(np.float32),
        estimate.points[plans, kinds].astype(np.float32),
        np.array(ron, np.int64),
    )


def plan_of(scene: Scenes, view: HandView, level: int) -> int:
    """Return the row of the estimate that holds for a discard leaving this shanten."""
    if scene["riichi"][0, 0] > 0:
        return LOCKED
    closed = not any(meld.is_open for meld in view.melds)
    may_riichi = closed and scene["scores"][0, 0] >= 10 and scene["tiles_left"][0] >= 4
    return RIICHI if may_riichi and level > 0 else SILENT


def _rivals(scene: Scenes, view: HandView, shantens: I8, thrown: Kind, plan: int) -> Bool:
    """Tell which kinds could have been discarded under the same plan."""
    held = np.asarray(view.counts > 0)
    if plan == LOCKED:
        free = held & (shantens == 0) if declares(scene)[0] else np.arange(34) == thrown
    else:
        free = held & np.array([plan_of(scene, view, int(level)) == plan for level in shantens])
    return np.asarray(free, np.bool_)


def _reds_left(scene: Scenes, view: HandView, thrown: Kind) -> int:
    """Count the red fives left; a red one goes last."""
    reds = sum(view.reds) + int(scene["meld_reds"][0, 0].sum())
    if thrown in (4, 13, 22) and view.counts[thrown] == 1:
        reds -= view.reds[thrown // 9]
    return reds


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
