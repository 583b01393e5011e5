"""Learns `models/call_policy.npz`: how readily strong players take what they may: riichi, calls, kans.

A sample is a declaration with the numbers a player would have had then: the whole decision is weighed as in play,
by the models trained before. Declarations whose answer cannot be known, because another seat went first, are left
out, and so are those of a decision in which another declaration was taken. The threshold of a kind, the odds beyond
which as many declarations lie as were taken, comes from trees that have not seen the game.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from scipy.special import expit
from sklearn.ensemble import HistGradientBoostingClassifier

from manue.arrays import F32, F64, I64, Bool
from manue.decision.declarations import declaration_of, declarations_of
from manue.decision.evaluation import expected_values
from manue.decision.settings import Settings, position_seed
from manue.errors import EventError, LogError
from manue.features.call_policy import AT, CALL_POLICY_COLUMNS, DECLARATIONS
from manue.game.actions import Win
from manue.models.model_set import Models
from manue.models.trees import Trees
from manue.records.decisions import RecordedDecision, recorded_decisions
from manue.records.formats import game_events
from manue.training.dataset import is_validation
from manue.training.export import fitted
from manue.training.framework import Run, Trained
from manue.training.quality import QUALITY_HEADER, quality
from manue.workers import worker_pool

CALLS = 200_000
"""Decisions about chi and pon, roughly, that are learned from and measured on; of riichi and kans all."""
CALLS_OF_A_GAME = 130
CROSS_VALIDATION_FOLDS = 4
_SETTINGS = Settings(policy="points")


@dataclass(frozen=True, slots=True)
class DeclarationSample:
    """Declarations.

    Parameters
    ----------
    x : float32[n, len(CALL_POLICY_COLUMNS)]
    taken : bool[n]
    """

    x: F32
    taken: Bool


class CallPolicyTrainer:
    """Boosted trees for whether a declaration is taken."""

    name = "call_policy"

    def fit(self, run: Run) -> Trained:
        """Learn and measure; needs all models that values come from."""
        run.say("declarations: decisions")
        rows, seen = _sample(run)
        run.say("declarations: trees")
        trees = _trees(rows)
        run.say("declarations: thresholds")
        thresholds = _thresholds(rows)
        meta = {"columns": [column.name for column in CALL_POLICY_COLUMNS]}
        arrays = {**trees.to_arrays("call_policy"), "thresholds": thresholds}
        return Trained(arrays, meta, "\n".join(_report(trees.sums(seen.x), thresholds, rows, seen)))


# ---- rows


def _sample(run: Run) -> tuple[DeclarationSample, DeclarationSample]:
    """Go through all games: the declarations to learn from, and those of validation games."""
    share = min(1.0, CALLS / (CALLS_OF_A_GAME * len(run.data.logs)))
    declarations = partial(_rows_of_log, models=Models.of(run.trained), share=share, seed=run.seed)
    with worker_pool(run.workers) as pool:
        parts = [part for part in pool.map(declarations, run.data.logs, chunksize=4) if part is not None]
    return _join(parts, validation=False), _join(parts, validation=True)


_Part = tuple[bool, F32, Bool]


def _join(parts: list[_Part], *, validation: bool) -> DeclarationSample:
    chosen = [(x, taken) for kept, x, taken in parts if kept == validation]
    return DeclarationSample(
        np.concatenate([x for x, _ in chosen]), np.concatenate([taken for _, taken in chosen])
    )


def _rows_of_log(log: Path, models: Models, share: float, seed: int) -> _Part | None:
    """Value the declarations of a game; ``None`` for a log that cannot be read, which the extraction reports."""
    rng = random.Random(f"{seed} {log.name}")
    try:
        events = game_events(log)
        rows = [row for made in recorded_decisions(events) for row in _rows_of(made, models, share, rng)]
    except (LogError, EventError):
        return None
    x = np.array([row for row, _ in rows], np.float32).reshape(-1, len(CALL_POLICY_COLUMNS))
    return is_validation(log.name), x, np.array([taken for _, taken in rows], np.bool_)


def _rows_of(
    made: RecordedDecision, models: Models, share: float, rng: random.Random
) -> Iterator[tuple[F32, bool]]:
    """Yield the declarations open in a decision with whether they were made."""
    open_here = {declaration_of(action) for action in made.actions} - {""}
    if not open_here or made.chosen is None or isinstance(made.chosen, Win):
        return
    if open_here <= {"chi", "pon"} and rng.random() >= share:
        return
    actions = tuple(action for action in made.actions if not isinstance(action, Win))
    found = expected_values(made.state, actions, position_seed(made.state, 0), _SETTINGS, models)
    did = declaration_of(made.chosen)
    for declaration in declarations_of(found.scene, found.valued):
        if did in {"", declaration.name}:
            yield declaration.row, did == declaration.name


# ---- trees


def _trees(rows: DeclarationSample) -> Trees:
    model = HistGradientBoostingClassifier(
        max_iter=int(np.clip(len(rows.x) // 200, 20, 800)),
        max_leaf_nodes=24,
        max_features=0.3,
        learning_rate=0.05,
        min_samples_leaf=int(np.clip(len(rows.x) // 1000, 20, 60)),
        l2_regularization=10.0,
        early_stopping=False,
        random_state=0,
    )
    return fitted(model, rows.x, rows.taken)


def _thresholds(rows: DeclarationSample) -> F64:
    """Return for each kind the log-odds beyond which as many lie as were taken; 0 where none was."""
    fold = np.arange(len(rows.x)) * CROSS_VALIDATION_FOLDS // len(rows.x)  # rows of a game lie together
    odds = np.empty(len(rows.x))
    for one in range(CROSS_VALIDATION_FOLDS):
        trees = _trees(DeclarationSample(rows.x[fold != one], rows.taken[fold != one]))
        odds[fold == one] = trees.sums(rows.x[fold == one])
    return np.array([_threshold(odds[of], rows.taken[of]) for of in _by_declaration(rows)])


def _threshold(odds: F64, taken: Bool) -> float:
    return float(np.sort(odds)[-taken.sum()]) if taken.any() else 0.0


def _by_declaration(rows: DeclarationSample) -> list[Bool]:
    declarations: I64 = rows.x[:, AT.declaration].astype(np.int64)
    return [declarations == number for number in range(len(DECLARATIONS))]


# ---- quality


def _report(odds: F64, thresholds: F64, rows: DeclarationSample, seen: DeclarationSample) -> Iterator[str]:
    yield (
        f"Whether strong players declare riichi, call or declare a kan; {len(rows.x):,} declarations, "
        f"{len(seen.x):,} held out. Constant: the mean of the kind."
    )
    yield ""
    yield QUALITY_HEADER
    for declaration, of in zip(DECLARATIONS, _by_declaration(seen), strict=True):
        if of.any():
            constant = np.full(int(of.sum()), seen.taken[of].mean())
            yield quality(constant, seen.taken[of]).row(f"{declaration}: constant")
            yield quality(expit(odds[of]), seen.taken[of]).row(f"{declaration}: boosted trees")
    yield ""
    yield (
        "| taken where the trees say more than half: precision | recall "
        "| than the threshold | precision | recall |"
    )
    yield "|---|---|---|---|---|---|"
    for declaration, threshold, of in zip(DECLARATIONS, thresholds, _by_declaration(seen), strict=True):
        did = seen.taken[of]
        cells = [_precision_and_recall(odds[of] > least, did) for least in (0.0, threshold)]
        yield f"| {declaration} | {cells[0]} | {expit(threshold):.2f} | {cells[1]} |"


def _precision_and_recall(would: Bool, did: Bool) -> str:
    if not (would.any() and did.any()):
        return "- | -"
    return f"{did[would].mean():.2f} | {would[did].mean():.2f}"
