"""Learns `models/call_policy.npz`: how readily strong players declare riichi, calls and kans.

A sample is a declaration with the numbers that a player would have had at that moment: the whole decision is
evaluated as in play, with the models trained before. Left out are declarations whose answer is unknown
because another seat went first, and those in decisions in which another declaration was made. The decision
threshold of a kind, the odds reached by as many declarations as were made, comes from trees that have not
seen the game.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from manue.arrays import F32, F64, I64, Bool
from manue.decision.declarations import declaration_of, declarations_of
from manue.decision.evaluation import expected_values
from manue.decision.settings import Settings, position_seed
from manue.features.call_policy import AT, CALL_POLICY_COLUMNS, DECLARATIONS
from manue.game.actions import Win
from manue.log_odds import probabilities_of
from manue.models.model_set import Models
from manue.models.trees import Trees
from manue.records.decisions import RecordedDecision, recorded_decisions
from manue.records.games import RecordedGame, collect_games
from manue.training.dataset import is_validation
from manue.training.export import fitted
from manue.training.framework import GAME_PARTS, Run, Trained, part_of_game
from manue.training.quality import QUALITY_HEADER, quality
from manue.workers import WorkerPool

CALLS = 200_000
"""Approximate number of decisions about chi and pon of the data that are used; further games add as many a
game. Those about riichi and kans all are."""
CALLS_OF_A_GAME = 130
"""Decisions about chi and pon in a game, roughly."""
_SETTINGS = Settings(policy="points")


@dataclass(frozen=True, slots=True)
class DeclarationSample:
    """Declarations that strong players could make.

    Parameters
    ----------
    x : float32[n, len(CALL_POLICY_COLUMNS)]
    taken : bool[n]
        Whether they made them.
    game : int64[n]
        The number of each row's game.
    """

    x: F32
    taken: Bool
    game: I64

    def part(self, mask: Bool) -> "DeclarationSample":
        """Return some of the rows: where bool[n] is set."""
        return DeclarationSample(self.x[mask], self.taken[mask], self.game[mask])


class CallPolicyTrainer:
    """Boosted trees for whether a declaration is made."""

    name = "call_policy"

    def fit(self, run: Run) -> Trained:
        """Learn the model and measure it; needs all the models behind the values."""
        rows, held_out = _sample(run)
        run.step("call policy: trees")
        trees = _trees(rows)
        run.step("call policy: thresholds")
        thresholds = _thresholds(rows)
        meta = {"columns": [column.name for column in CALL_POLICY_COLUMNS]}
        arrays = {**trees.to_arrays("call_policy"), "thresholds": thresholds}
        return Trained(arrays, meta, "\n".join(_report(trees.sums(held_out.x), thresholds, rows, held_out)))


# ---- rows


def _sample(run: Run) -> tuple[DeclarationSample, DeclarationSample]:
    """Return the declarations of the training games, and those of the validation games."""
    share = min(1.0, CALLS / (CALLS_OF_A_GAME * run.data.games))
    declarations = partial(_rows_of_log, models=Models.of(run.trained), share=share, seed=run.seed)
    logs = run.logs()
    with WorkerPool(run.workers) as pool:
        found = run.counted("call policy: decisions", pool.map(declarations, logs, chunksize=4), len(logs))
        parts = [part for of_log in found for part in of_log]
    return _join(parts, validation=False), _join(parts, validation=True)


_Part = tuple[bool, F32, Bool]


def _join(parts: list[_Part], *, validation: bool) -> DeclarationSample:
    chosen = [(x, taken) for kept, x, taken in parts if kept == validation]
    return DeclarationSample(
        np.concatenate([x for x, _ in chosen]),
        np.concatenate([taken for _, taken in chosen]),
        np.repeat(np.arange(len(chosen)), [len(x) for x, _ in chosen]),
    )


def _rows_of_log(log: Path, models: Models, share: float, seed: int) -> list[_Part]:
    """Value the declarations of each game; the extraction reports games of no use."""
    rng = random.Random(f"{seed} {log.name}")
    found = collect_games(log, partial(_rows_of_game, models=models, share=share, rng=rng))
    return [(is_validation(log.name), *rows) for rows in found if not isinstance(rows, str)]


def _rows_of_game(game: RecordedGame, models: Models, share: float, rng: random.Random) -> tuple[F32, Bool]:
    rows = [row for made in recorded_decisions(game.events) for row in _rows_of(made, models, share, rng)]
    x = np.array([row for row, _ in rows], np.float32).reshape(-1, len(CALL_POLICY_COLUMNS))
    return x, np.array([taken for _, taken in rows], np.bool_)


def _rows_of(
    made: RecordedDecision, models: Models, share: float, rng: random.Random
) -> Iterator[tuple[F32, bool]]:
    """Yield the declarations possible in a decision, and whether they were made."""
    possible = {declaration_of(action) for action in made.actions} - {""}
    if not possible or made.chosen is None or isinstance(made.chosen, Win):
        return
    if rng.random() >= share:
        possible -= {"chi", "pon"}
    if not possible:
        return
    actions = tuple(action for action in made.actions if not isinstance(action, Win))
    found = expected_values(made.state, actions, position_seed(made.state, 0), _SETTINGS, models)
    did = declaration_of(made.chosen)
    for declaration in declarations_of(found.scene, found.valued):
        if declaration.name in possible and did in {"", declaration.name}:
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
    """Return for each kind the log-odds reached by as many declarations as were made; 0 if none was."""
    of_row = part_of_game(rows.game)
    odds = np.empty(len(rows.x))
    for i in range(GAME_PARTS):
        odds[of_row == i] = _trees(rows.part(of_row != i)).sums(rows.x[of_row == i])
    return np.array([_threshold(odds[mask], rows.taken[mask]) for mask in _by_declaration(rows)])


def _threshold(odds: F64, taken: Bool) -> float:
    return float(np.sort(odds)[-taken.sum()]) if taken.any() else 0.0


def _by_declaration(rows: DeclarationSample) -> list[Bool]:
    declarations: I64 = rows.x[:, AT.declaration].astype(np.int64)
    return [declarations == number for number in range(len(DECLARATIONS))]


# ---- quality


def _report(
    odds: F64, thresholds: F64, rows: DeclarationSample, held_out: DeclarationSample
) -> Iterator[str]:
    yield (
        f"Whether strong players declare riichi, a call or a kan; {len(rows.x):,} declarations, "
        f"{len(held_out.x):,} held out. Constant: the mean of the kind in training games."
    )
    means = {
        declaration: float(rows.taken[mask].mean()) if mask.any() else 0.5
        for declaration, mask in zip(DECLARATIONS, _by_declaration(rows), strict=True)
    }
    yield ""
    yield QUALITY_HEADER
    for declaration, mask in zip(DECLARATIONS, _by_declaration(held_out), strict=True):
        if mask.any():
            constant = np.full(int(mask.sum()), means[declaration])
            yield quality(constant, held_out.taken[mask]).row(f"{declaration}: constant")
            yield quality(probabilities_of(odds[mask]), held_out.taken[mask]).row(
                f"{declaration}: boosted trees"
            )
    yield ""
    yield (
        "| declaration | declared if P > 1/2: precision | recall "
        "| threshold | declared if P > threshold: precision | recall |"
    )
    yield "|---|---|---|---|---|---|"
    for declaration, threshold, mask in zip(DECLARATIONS, thresholds, _by_declaration(held_out), strict=True):
        did = held_out.taken[mask]
        cells = [_precision_and_recall(odds[mask] > least, did) for least in (0.0, threshold)]
        yield f"| {declaration} | {cells[0]} | {probabilities_of(threshold):.2f} | {cells[1]} |"


def _precision_and_recall(would: Bool, did: Bool) -> str:
    if not (would.any() and did.any()):
        return "- | -"
    return f"{did[would].mean():.2f} | {would[did].mean():.2f}"
