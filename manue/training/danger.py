"""Learns `models/danger.npz`: the probability that a discard deals in."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier

from manue.arrays import F32, F64, I64, Bool
from manue.features.danger import danger_features, danger_rows
from manue.features.danger_columns import KIND, KIND_SIZE, OPPONENT, ROW_NAMES
from manue.features.scene import Scenes
from manue.log_odds import probabilities_of
from manue.models.danger import DangerModel, any_deal_in, deal_in_probs, possible_kinds
from manue.models.opponents import OpponentsModel
from manue.models.trees import Trees
from manue.training.export import constant_trees, fitted, single_tree
from manue.training.framework import (
    DangerSample,
    Run,
    Select,
    Trained,
    boosting,
    chunks,
    held_kinds,
    in_riichi,
    sample,
    wins_of,
)
from manue.training.quality import QUALITY_HEADER, mean, means_by_cell, quality

ROWS = 1_400_000
"""Most rows that boosted trees are fitted on, which limits memory to 2 GB for any number of games."""
MISSES = 0.3
"""Share of the kinds that nobody wins on that is kept: nine in ten are such kinds, which teach little."""
TREES, RATE, COLUMN_SHARE = 240, 0.06, 0.3
"""Number of boosted trees, their learning rate, and the share of the columns that a split chooses from."""
FURTHEST, STEPS = 10.0, 50
"""Largest shift of the log-odds by `_calibrated`, and the number of bisection steps to find it."""
READABLE_ROWS = 500_000
READABLE_LEAVES = 60
SHAPE_COLUMNS = (
    KIND.combo_share,
    KIND.combo_rank,
    KIND.two_sided,
    KIND.narrow,
    KIND_SIZE + OPPONENT.combo_total,
)
"""Counts of waiting shapes, which the readable trees, of classic features only, must not use."""


def _boosted(rows: DangerSample) -> Trees:
    settings = boosting(len(rows.wins), TREES, rate=RATE, columns=COLUMN_SHARE)
    return fitted(HistGradientBoostingClassifier(**settings), rows.x, rows.wins)


def _calibrated(trees: Trees, held: DangerSample) -> Trees:
    """Shift the log-odds so that over kinds really held the predicted number of wins equals the observed."""
    log_odds, hits = trees.sums(held.x), int(held.wins.sum())
    low, high = -FURTHEST, FURTHEST
    for _ in range(STEPS):
        middle = (low + high) / 2
        enough = probabilities_of(log_odds + middle).sum() >= hits
        low, high = (low, middle) if enough else (middle, high)
    return replace(trees, base=trees.base + low)


def _readable(rows: DangerSample, without: Sequence[int] = ()) -> Trees:
    """Fit one tree, with the columns ``without`` blanked so that it cannot use them."""
    if rows.wins.all() or not rows.wins.any():
        return constant_trees(float(rows.wins.any()), len(rows.wins))
    every = 1 + len(rows.wins) // READABLE_ROWS
    x, wins, group = rows.x[::every].copy(), rows.wins[::every], rows.group[::every]
    x[:, list(without)] = 0
    least = max(30, min(1000, len(wins) // 200))
    model = DecisionTreeClassifier(max_leaf_nodes=READABLE_LEAVES, min_samples_leaf=least, random_state=0)
    return single_tree(model.fit(x, wins), x, wins.astype(np.float64), group)


def _may_hold(scenes: Scenes, _truths: Scenes) -> Bool:
    return possible_kinds(scenes)


def _riichi(kinds: Select) -> Select:
    """Select those of ``kinds`` that face an opponent in riichi."""
    return lambda scenes, truths: kinds(scenes, truths) & in_riichi(scenes)[:, :, None]


def _silent(kinds: Select) -> Select:
    """Select those of ``kinds`` that face an opponent who can win without riichi."""

    def select(scenes: Scenes, truths: Scenes) -> Bool:
        """Select kinds against each opponent: bool[n, 3, 34]."""
        able = wins_of(truths).any(2) & ~in_riichi(scenes)
        return kinds(scenes, truths) & able[:, :, None]

    return select


class DangerTrainer:
    """Boosted trees for riichi and for others that can win; beside them, for comparison, single trees."""

    name = "danger"

    def fit(self, run: Run) -> Trained:
        """Learn the model and measure it; needs the model ``opponents``."""
        counts: dict[str, int] = {}
        riichi, held = _learned(run, "riichi", _riichi, counts)
        shaped, readable = _readable(held), _readable(held, SHAPE_COLUMNS)
        del held
        silent = _learned(run, "silent, able to win", _silent, counts)[0]
        model, opponents = DangerModel(riichi, silent), OpponentsModel.of(run.trained["opponents"])
        run.step("danger: measuring")
        report = _measure(run, _Compared(model, opponents, shaped, readable, _class_table(run)))
        return Trained(
            _arrays(model),
            {"columns": list(ROW_NAMES)},
            f"{_rows_text(counts)}\n\n{report}",
        )


def _learned(
    run: Run, name: str, among: Callable[[Select], Select], counts: dict[str, int]
) -> tuple[Trees, DangerSample]:
    """Fit boosted trees on every kind that the observer might hold, and shift them to fit those it holds.

    What the observer holds says little about the opponent's hand, so all kinds are useful for learning. But
    people keep dangerous tiles, so the observed share of wins is a little higher over the kinds they hold.
    """
    run.step(f"danger: {name}")
    rows = sample(run, f"danger {name}", among(_may_hold), ROWS, misses=MISSES)
    trees = _boosted(rows)
    counts[name] = len(rows.wins)
    del rows
    held = sample(run, f"danger {name}, held", among(held_kinds), READABLE_ROWS)
    counts[f"{name}, held"] = len(held.wins)
    return _calibrated(trees, held), held


def _rows_text(counts: dict[str, int]) -> str:
    return (
        f"Rows: {'; '.join(f'{name} {n:,}' for name, n in counts.items())}. Boosted trees are fitted on all\n"
        f"kinds that the observer might hold ({MISSES:.0%} of those that nobody wins on) and shifted to fit\n"
        "those held."
    )


def _arrays(model: DangerModel) -> dict[str, npt.NDArray[np.generic]]:
    return model.riichi.to_arrays("riichi") | model.silent.to_arrays("silent")


class _Compared(NamedTuple):
    """The model, and what it is compared with where the opponent is in riichi.

    Attributes
    ----------
    model : DangerModel
    opponents : OpponentsModel
    shaped, readable : Trees
        Single trees, of all features and of the classic ones.
    table : float64[25]
        Share of wins by class (`_classes`).
    """

    model: DangerModel
    opponents: OpponentsModel
    shaped: Trees
    readable: Trees
    table: F64


def _measure(run: Run, compared: _Compared) -> str:
    """Compare on validation games, for every kind held at every discard: would anybody win on it now."""
    columns: dict[str, list[F64]] = {}
    for shard in run.shards(validation=True):
        for scenes, truths in chunks(shard):
            for name, values in _predictions(scenes, truths, run.weights(), compared).items():
                columns.setdefault(name, []).append(values)
    joined = {name: np.concatenate(parts) for name, parts in columns.items()}
    actual, riichi = joined.pop("actual") > 0, joined.pop("riichi") > 0
    lines = []
    for title, part in (
        ("All states", np.ones(len(actual), np.bool_)),
        ("A riichi on the table", riichi),
        ("No riichi", ~riichi),
    ):
        hits = actual[part]
        lines += [
            f"{title}: any opponent would win on the kind, over every kind held at a discard",
            "",
            QUALITY_HEADER,
        ]
        lines.append(quality(np.full(len(hits), mean(hits)), hits).row("constant"))
        lines += [quality(values[part], hits).row(name) for name, values in joined.items()]
        lines.append("")
    return "\n".join(lines)


def _predictions(scenes: Scenes, truths: Scenes, weights: F64, compared: _Compared) -> dict[str, F64]:
    """Return the predictions for every kind held in some scenes, with the truth about them, by name."""
    kinds, opponents = danger_features(scenes, weights)
    wanted = held_kinds(scenes, truths)
    silent = deal_in_probs(
        kinds,
        opponents,
        wanted & ~in_riichi(scenes)[:, :, None],
        compared.opponents.read(opponents).can_win,
        compared.model,
    )
    mask = wanted & in_riichi(scenes)[:, :, None]
    rows = danger_rows(kinds, opponents, np.nonzero(mask))
    held = np.asarray(scenes["hand"] > 0)
    wins = np.asarray(wins_of(truths).any(1))
    out = {
        "actual": wins[held].astype(np.float64),
        "riichi": (held & np.asarray(in_riichi(scenes).any(1))[:, None])[held].astype(np.float64),
    }
    for name, values in (
        ("class table for riichi", compared.table[_classes(rows)]),
        ("readable tree for riichi, classic features only", compared.readable.sums(rows)),
        ("single tree for riichi, all features", compared.shaped.sums(rows)),
        ("boosted trees", compared.model.riichi.probabilities(rows)),
    ):
        prob = silent.copy()
        prob[mask] = values
        out[name] = any_deal_in(prob)[held]
    return out


def _classes(rows: F32) -> I64:
    """Return the class of each row: honors by copies unseen, numbers by distance from the edge and suji."""
    number, suji, unseen = (
        rows[:, column].astype(np.int64) for column in (KIND.number, KIND.suji, KIND.unseen)
    )
    return np.where(number == 0, 20 + unseen, number * 3 + suji)


def _class_table(run: Run) -> F64:
    """Return the share of wins by class, of kinds held against a riichi: float64[25]."""
    rows = sample(run, "danger table", _riichi(held_kinds), READABLE_ROWS // 2)
    return means_by_cell(_classes(rows.x), rows.wins, 25)
