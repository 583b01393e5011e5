"""Learns `models/discard_policy.npz`: how readily strong players discard each tile of a hand.

A sample is a decision without riichi: one row per kind held, with the numbers that a player would have had at
that moment, what is seen of each kind, and which kind was discarded. A net rates the rows
(`manue.training.discard_net`); it is learned by the softmax over those of a decision, so only alternatives of
the same decision are compared. Quality is reported as the share of validation decisions in which the kind
rated highest is the one discarded.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from manue.arrays import F32, F64, I8, I64, Bool
from manue.as_text import known
from manue.decision.afterstates import afterstates_of, discards_by_hand
from manue.decision.options import DrawSettings, options_of_scene
from manue.draws.win import WinStatistics
from manue.features.discard_policy import AT, DISCARD_POLICY_COLUMNS
from manue.features.kind_planes import PLANES
from manue.models.danger import DangerReader
from manue.models.discard_policy import COLUMNS, DiscardPolicy
from manue.training.afterstate_sample import MC_DRAWS
from manue.training.dataset import Extraction, Shard, is_validation, read_shard
from manue.training.discard_net import DiscardExamples, fit_discard_net
from manue.training.framework import Run, Trained, mixed
from manue.training.policy_examples import TrainingExamples
from manue.training.policy_net import Layers, Schedule, flat
from manue.training.quality import mean
from manue.workers import WorkerPool

DECISIONS = 600_000
"""Most decisions used of the games, for training and validation together."""
EPOCHS, BATCH, RATE, DECAY = 10, 1024, 2e-3, 0.2
_MIN_STEPS = 400
"""Few decisions are gone through more often."""
_SPREADS = 6.0
"""The net sees features up to this many standard deviations from their mean."""
_KEPT = 20
"""One decision in this many is kept from training, for the sharpness."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """The discards of decisions, decision by decision.

    Parameters
    ----------
    x : float32[m, features]
        A row for each kind that could have been discarded.
    starts : int64[n + 1]
        First row of each decision; the last is the end.
    chosen : int64[n]
        Which of its rows was discarded, from 0.
    kinds : int64[m]
        What each row discards.
    planes : int8[n, 34, len(PLANES)]
        What is seen of each kind (``manue.features.kind_planes``).
    """

    x: F32
    starts: I64
    chosen: I64
    kinds: I64
    planes: I8

    def __len__(self) -> int:
        """Return the number of decisions."""
        return len(self.chosen)

    @property
    def decision(self) -> I64:
        """Index of the decision of every row: int64[m]."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def part(self, first: int, end: int) -> "Decisions":
        """Return the decisions from one on, as far as another."""
        rows = slice(self.starts[first], self.starts[end])
        return Decisions(
            self.x[rows],
            self.starts[first : end + 1] - rows.start,
            self.chosen[first:end],
            self.kinds[rows],
            self.planes[first:end],
        )

    def rated_by(self, model: DiscardPolicy) -> F64:
        """Return the ratings of all rows: float64[m]."""
        return model.ratings(self.x, self.kinds, self.planes.astype(np.float32), self.starts).astype(
            np.float64
        )

    def hits(self, ratings: F64) -> Bool:
        """Return for each decision whether what float64[m] rates highest was discarded: bool[n]."""
        order = np.lexsort((-ratings, self.decision))
        return np.asarray(order[self.starts[:-1]] == self.starts[:-1] + self.chosen, np.bool_)

    def log_loss(self, ratings: F64) -> float:
        """Return the mean log loss of what was discarded, by the softmax of float64[m]."""
        firsts, decision = self.starts[:-1], self.decision
        odds = ratings - np.maximum.reduceat(ratings, firsts)[decision]
        total = np.log(np.add.reduceat(np.exp(odds), firsts))
        return float((total - odds[firsts + self.chosen]).mean())


class DiscardPolicyTrainer:
    """A net that rates the kinds held."""

    name = "discard_policy"

    def fit(self, run: Run) -> Trained:
        """Learn the model and measure it; needs the models ``opponents`` and ``danger``."""
        rows, held_out = _sample(run)
        model = learn_net(rows, run)
        arrays = {
            "conv_weights": model.conv_weights,
            "weights": model.weights,
            "least": model.least,
            "most": model.most,
        }
        meta = {
            "columns": [column.name for column in DISCARD_POLICY_COLUMNS],
            "planes": [plane.name for plane in PLANES],
        }
        return Trained(arrays, meta, "\n".join(_report(model, rows, held_out)))


# ---- rows


def _sample(run: Run) -> tuple[Decisions, Decisions]:
    """Sample decisions evenly over all games; return those of training games, and of validation games.

    Further games are for training only. The games are in an order that mixes them with the others.
    """
    rate = min(1.0, DECISIONS / max(sum(run.data.decisions), 1))
    generator = run.generator("discard_policy")
    found = _rows_of(run.data, rate, run, generator, held_out=True)
    more = [] if run.extra is None else _rows_of(run.extra, rate, run, generator, held_out=False)
    learned = [*(decision for decision in found if not is_validation(decision.game)), *more]
    return (
        _join(sorted(learned, key=lambda decision: mixed(decision.game))),
        _join([decision for decision in found if is_validation(decision.game)]),
    )


class _Decision(NamedTuple):
    """A sampled decision, with a choice of k kinds to discard.

    Attributes
    ----------
    game : str
        Its file name.
    rows : float32[k, len(DISCARD_POLICY_COLUMNS)]
    chosen : int
        Which of the rows was discarded, from 0.
    kinds : int64[k]
        What each row discards.
    planes : int8[34, len(PLANES)]
    """

    game: str
    rows: F32
    chosen: int
    kinds: I64
    planes: I8


def _rows_of(
    data: Extraction, rate: float, run: Run, generator: np.random.Generator, *, held_out: bool
) -> list[_Decision]:
    """Return the decisions sampled from games, with or without those of the games held out."""
    paths = list(data.shards)
    seeds = [int(seed) for seed in generator.integers(0, 2**31, len(paths))]
    rows_of = partial(
        _shard_rows,
        rate=rate,
        dangers=run.dangers(),
        win_statistics=run.win_statistics(),
        held_out=held_out,
    )
    step = "discard policy: decisions" + ("" if held_out else " of further games")
    with WorkerPool(run.workers) as pool:
        found = run.counted(step, pool.map(rows_of, paths, seeds), len(paths))
        return [decision for part in found for decision in part]


def _join(decisions: Sequence[_Decision]) -> Decisions:
    return Decisions(
        np.concatenate([decision.rows for decision in decisions]),
        np.cumsum([0, *(len(decision.rows) for decision in decisions)]),
        np.array([decision.chosen for decision in decisions], np.int64),
        np.concatenate([decision.kinds for decision in decisions]),
        np.stack([decision.planes for decision in decisions]),
    )


def _shard_rows(
    path: Path,
    seed: int,
    *,
    rate: float,
    dangers: DangerReader,
    win_statistics: WinStatistics,
    held_out: bool,
) -> list[_Decision]:
    shard = read_shard(path)
    games = shard.truths["game"]
    chosen = _free(shard) & (np.random.default_rng(seed).random(len(games)) < rate)
    if not held_out:
        chosen &= ~np.array([is_validation(name) for name in shard.games], np.bool_)[games]
    return [
        _Decision(shard.games[games[i]], *_rate(shard, int(i), seed + int(i), dangers, win_statistics))
        for i in np.flatnonzero(chosen)
    ]


def _free(shard: Shard) -> Bool:
    """Return whether each decision leaves a choice: no riichi, two kinds or more: bool[n]."""
    scenes, forbidden = shard.scenes, shard.truths["forbidden"]
    allowed = scenes["hand"] > 0
    for kinds in forbidden.T:
        allowed[np.flatnonzero(kinds >= 0), kinds[kinds >= 0]] = False
    return np.asarray((scenes["riichi"][:, 0] == 0) & (allowed.sum(1) > 1), np.bool_)


def _rate(
    shard: Shard, i: int, seed: int, dangers: DangerReader, win_statistics: WinStatistics
) -> tuple[F32, int, I64, I8]:
    """Return what a decision shows of its rows, which one was discarded, the kinds, and the planes."""
    scene = shard.scenes[i : i + 1]
    danger = dangers.read(scene, 0)
    forbidden = [kind for kind in shard.truths["forbidden"][i].tolist() if kind >= 0]
    draws = DrawSettings(seed, MC_DRAWS, 1, win_statistics)
    options = options_of_scene(scene, draws, forbidden=forbidden)
    after = afterstates_of(scene, options, danger, 0, win_statistics.discard_rates)
    (hand,) = discards_by_hand(scene, options, after, danger)
    discarded = int(shard.truths["discarded"][i])
    return hand.rows, hand.kinds.tolist().index(discarded), hand.kinds, hand.planes.astype(np.int8)


# ---- fit and quality


def learn_net(rows: Decisions, run: Run) -> DiscardPolicy:
    """Learn the net; all but the last of the decisions train it, and these make its shares calibrated."""
    first_kept = len(rows) - len(rows) // _KEPT
    learned, kept = rows.part(0, first_kept), rows.part(first_kept, len(rows))
    means, spread = learned.x.mean(0, np.float64), learned.x.std(0, np.float64)
    spread[spread == 0] = 1.0
    conv, dense = fit_discard_net(
        DiscardExamples(_examples(learned, means, spread), learned.kinds, learned.planes),
        Schedule(max(EPOCHS, _MIN_STEPS * BATCH // len(learned)), RATE, DECAY, BATCH),
        run.generator("discard_policy.net"),
        lambda text: run.step(f"discard policy: {text}"),
    )
    sharpness = _sharpness(kept.rated_by(_model(conv, dense, means, spread, 1.0)), kept)
    return _model(conv, dense, means, spread, sharpness)


def _examples(rows: Decisions, means: F64, spread: F64) -> TrainingExamples:
    """Return decisions as examples for a net: features from -6 to 6."""
    x = np.empty(rows.x.shape, np.float16)
    for start in range(0, len(x), 1 << 18):
        part = slice(start, start + (1 << 18))
        x[part] = np.clip((rows.x[part] - means) / spread, -_SPREADS, _SPREADS)
    return TrainingExamples(np.zeros((len(rows), 0), np.float16), x, rows.starts, rows.chosen)


def _model(conv: Layers, dense: Layers, means: F64, spread: F64, sharpness: float) -> DiscardPolicy:
    """Return the model whose net takes features as they are and whose ratings are so much sharper."""
    shared, on_rows, bias, *middle, out, out_bias = dense
    scaled = on_rows.astype(np.float64)
    scaled[:COLUMNS] /= spread[:, None]
    moved = bias - means @ scaled[:COLUMNS]
    plain = [shared, scaled, moved, *middle, sharpness * out, sharpness * out_bias]
    least, most = means - _SPREADS * spread, means + _SPREADS * spread
    weights = flat([np.asarray(array, np.float32) for array in plain])
    return DiscardPolicy(flat(conv), weights, least.astype(np.float32), most.astype(np.float32))


def _sharpness(ratings: F64, rows: Decisions) -> float:
    """Return the factor for the ratings that makes what was discarded most likely."""

    def loss(factor: float) -> float:
        """Return the mean log loss with this factor."""
        return rows.log_loss(factor * ratings)

    return float(minimize_scalar(loss, bounds=(0.1, 5.0), method="bounded").x)


def _report(model: DiscardPolicy, rows: Decisions, held_out: Decisions) -> Iterator[str]:
    yield (
        f"Which kind strong players discard, without riichi; {len(rows):,} decisions, further games "
        f"included; {len(held_out):,} held out."
    )
    yield ""
    yield "| the kind rated highest is the one discarded | all | nobody in riichi | a riichi on the table |"
    yield "|---|---|---|---|"
    gain = held_out.x[:, AT.yield_gap].astype(np.float64)
    efficiency = held_out.x[:, AT.useful_tiles] - 1000.0 * held_out.x[:, AT.shanten].astype(np.float64)
    ratings = held_out.rated_by(model)
    threat = held_out.x[held_out.starts[:-1], AT.riichi_opponents] > 0
    for name, rating in (
        ("lowest shanten, most useful tiles", efficiency),
        ("odds times points by the Monte Carlo draws", gain),
        ("the net", ratings),
    ):
        hits = held_out.hits(rating)
        shares = (known(mean(part), ".1%") for part in (hits, hits[~threat], hits[threat]))
        yield f"| {name} | {' | '.join(shares)} |"
    yield ""
    chance = np.log(np.diff(held_out.starts)).mean()
    yield f"Log loss of the discard: {held_out.log_loss(ratings):.4f}; {chance:.4f} if all were as likely."
