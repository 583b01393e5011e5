"""What a trainer is and how it samples: everything needed to add a model, as ``docs/extending.md`` describes.

The generator of a sample is seeded from ``run.seed`` and the name of its purpose, so the same logs and seed
give the same files whatever was trained before.
"""

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from manue.arrays import F32, F64, I64, Bool
from manue.draws.win import WinStatistics
from manue.features.danger import danger_features, danger_rows
from manue.features.scene import Scenes
from manue.futures import ThreadPool
from manue.models.danger import DangerModel, DangerReader
from manue.models.files import Arrays, ModelFile
from manue.models.opponents import OpponentsModel
from manue.training.dataset import SEQUENCES_OF_GAME, Extraction, Shard, game_of, is_validation, rounds_of
from manue.training.win_statistics import measure_win_statistics

T = TypeVar("T")
CHUNK = 4000
"""Number of scenes whose features are computed at a time."""
GAME_PARTS = 4
"""Parts of the training games in a cross-validation."""


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained model: arrays and notes for its file, and its section of MODELS.md."""

    arrays: Arrays
    meta: Mapping[str, Any]
    report: str


class Watcher(Protocol):
    """Shows how training gets on."""

    def begin(self, trainer: str) -> None:
        """Note which trainer begins."""
        ...

    def step(self, text: str, parts: int | None = None) -> None:
        """Note what is done next, and of how many parts it is; None: that is not known."""
        ...

    def advance(self, parts: int) -> None:
        """Note how many more parts of the step are done."""
        ...

    def warn(self, text: str) -> None:
        """Note what is to be known of the games."""
        ...


@dataclass(slots=True)
class Run:
    """One run of `manue train`.

    Parameters
    ----------
    data : Extraction
    seed : int
    workers : int
    watcher : Watcher
    trained : dict of str to ModelFile
        The models of the trainers that have run.
    extra : Extraction or None
        Further games; the held-out ones among them are used for final places only.
    """

    data: Extraction
    seed: int
    workers: int
    watcher: Watcher
    trained: dict[str, ModelFile] = field(default_factory=dict)
    extra: Extraction | None = None
    _win_statistics: WinStatistics | None = field(default=None, init=False)

    def step(self, text: str) -> None:
        """Show what is done next."""
        self.watcher.step(text)

    def counted(self, text: str, results: Iterable[T], number: int) -> Iterator[T]:
        """Yield the results of the next step as they come, and show how many of all that is."""
        self.watcher.step(text, number)
        for result in results:
            yield result
            self.watcher.advance(1)

    def win_statistics(self) -> WinStatistics:
        """Return how wins come about in the training games, measured at the first call."""
        if self._win_statistics is None:
            self.step("how wins come about")
            self._win_statistics = measure_win_statistics(self.shards(validation=False))
        return self._win_statistics

    def shards(self, *, validation: bool) -> Iterator[Shard]:
        """Yield the training games of data and further games, or the validation games of the data."""
        for games in self._games(validation=validation):
            for shard in games:
                yield shard.part(validation=validation)

    def decisions(self, *, validation: bool) -> int:
        """Return the number of discards in `shards`."""
        return sum(games.decisions[int(validation)] for games in self._games(validation=validation))

    def logs(self) -> list[Path]:
        """Return the training logs of the data and of `--extra`.

        They are mixed so that each part of a cross-validation has games of both.
        """
        further = () if self.extra is None else self.extra.logs
        logs = [*self.data.logs, *(log for log in further if not is_validation(log.name))]
        return sorted(logs, key=lambda log: mixed(log.name))

    def _games(self, *, validation: bool) -> list[Extraction]:
        return [self.data] if validation or self.extra is None else [self.data, self.extra]

    def dangers(self) -> DangerReader:
        """Return the reader of dangers from the models ``shapes``, ``opponents`` and ``danger``."""
        opponents = OpponentsModel.of(self.trained["opponents"])
        return DangerReader(self.weights(), opponents, DangerModel.of(self.trained["danger"]))

    def weights(self) -> F64:
        """Return the shape weights from the model ``shapes``."""
        return np.asarray(self.trained["shapes"].arrays["weights"], np.float64)

    def generator(self, purpose: str) -> np.random.Generator:
        """Return a generator of random numbers that depends only on the seed and the purpose."""
        return np.random.default_rng([self.seed, zlib.crc32(purpose.encode())])


def mixed(name: str) -> bytes:
    """Return what to sort games by so that games of the data and further ones alternate."""
    return hashlib.sha256(name.encode()).digest()


def boosting(rows: int, most: int, *, rate: float = 0.06, columns: float = 1.0) -> dict[str, Any]:
    """Return settings of scikit-learn's histogram boosting for a number of rows.

    Few rows get fewer trees with fuller leaves: the rows of a round resemble each other, so a small sample is
    smaller than it looks.

    Parameters
    ----------
    rows : int
    most : int
        Number of trees for a large sample.
    rate : float
        Learning rate.
    columns : float
        Share of the columns that a split chooses from.
    """
    return {
        "max_iter": int(np.clip(rows // 1000, 20, most)),
        "max_leaf_nodes": 15,
        "max_features": columns,
        "learning_rate": rate,
        "min_samples_leaf": int(np.clip(rows // 800, 50, 1000)),
        "l2_regularization": 30.0,
        "early_stopping": False,
        "random_state": 0,
    }


class Trainer(Protocol):
    """Learns one model file."""

    name: str

    def fit(self, run: Run) -> Trained:
        """Learn from ``run.data`` and measure on its validation games."""
        ...


@dataclass(frozen=True, slots=True)
class DangerSample:
    """Rows with the truth about them.

    Parameters
    ----------
    x : float32[n, features]
    wins : bool[n]
        Whether the opponent would win on the kind now (for rows per opponent: on any kind).
    points : float64[n]
        Hundreds of points of that win; 0 without one.
    tenpai, can_win : bool[n]
        Whether the opponent is tenpai, and can win.
    group : int64[n]
        Rows of the same round and opponent share a number.
    """

    x: F32
    wins: Bool
    points: F64
    tenpai: Bool
    can_win: Bool
    group: I64

    @property
    def game(self) -> I64:
        """The number of each row's game: int64[n]."""
        return game_of(self.group)


Select = Callable[[Scenes, Scenes], Bool]
"""Selects rows from scenes and truths: bool[n, 3, 34] for kinds, bool[n, 3] for opponents."""


def held_kinds(scenes: Scenes, _truths: Scenes) -> Bool:
    """Select the kinds in the observer's hand that are not safe against the opponent: bool[n, 3, 34]."""
    return np.asarray((scenes["hand"][:, None, :] > 0) & (scenes["safe"][:, 1:] == 0), np.bool_)


def wins_of(truths: Scenes) -> Bool:
    """Return whether each opponent would win on each kind now: bool[n, 3, 34]."""
    return np.asarray(truths["win_points"] > 0, np.bool_)


def in_riichi(scenes: Scenes) -> Bool:
    """Return whether each opponent is in riichi: bool[n, 3]."""
    return np.asarray(scenes["riichi"][:, 1:] > 0, np.bool_)


def sample(
    run: Run,
    purpose: str,
    select: Select,
    limit: int,
    *,
    validation: bool = False,
    misses: float = 1.0,
) -> DangerSample:
    """Sample at most about ``limit`` of the rows that ``select`` selects, evenly over all games.

    Memory holds the rows once, and one block of games at a time.

    Parameters
    ----------
    run : Run
    purpose : str
        Name of the sample: the same name samples the same rows.
    select : Select
    limit : int
    validation : bool
        Sample from the validation games instead of the training games (`Run.shards`).
    misses : float
        Share of the rows without a win that is kept: the log-odds of a win in the sample are those in the
        games minus the logarithm of this share.
    """
    total = 0.0
    for part in run.shards(validation=validation):
        mask = select(part.scenes, part.truths)
        hits = int((mask & wins_of(part.truths)).sum()) if misses < 1.0 else 0
        total += hits + misses * (int(mask.sum()) - hits)
    rate = min(1.0, limit / max(total, 1))
    rng = run.generator(purpose)
    weights = run.weights()
    gathered = _Gathered(min(int(total) + limit // 100 + 1000, 2 * limit))
    with ThreadPool(run.workers) as pool:  # the kernels release the interpreter lock
        games_before = 0
        for part in run.shards(validation=validation):
            drawn = []
            for scenes, truths in chunks(part):
                mask = select(scenes, truths)
                if rate * misses < 1.0:
                    chance = rate if misses == 1.0 else np.where(wins_of(truths), rate, rate * misses)
                    mask = mask & (rng.random(mask.shape) < chance)
                drawn.append((scenes, truths, mask))
            for rows in pool.map(partial(_rows, weights, games_before), drawn):
                gathered.add(rows)
            games_before += len(part.games)
    return gathered.sample()


class _Gathered:
    """Rows appended to arrays that have room for the largest possible number.

    Room that stays empty takes no memory, and nothing is ever copied: joining a list of parts at the end
    would need twice the memory.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._rows = 0
        self._columns: list[npt.NDArray[Any]] = []

    def add(self, rows: tuple[npt.NDArray[Any], ...]) -> None:
        """Append rows, column by column; drop those for which there is no room."""
        if not self._columns:
            self._columns = [np.empty((self._room, *column.shape[1:]), column.dtype) for column in rows]
        end = min(self._rows + len(rows[0]), self._room)
        for column, values in zip(self._columns, rows, strict=True):
            column[self._rows : end] = values[: end - self._rows]
        self._rows = end

    def sample(self) -> DangerSample:
        """Return the rows gathered so far, as views."""
        return DangerSample(*(column[: self._rows] for column in self._columns))


def part_of_game(games: I64) -> I64:
    """Return the part of a cross-validation that each row belongs to, all rows of a game to one: int64[n].

    Parameters
    ----------
    games : int64[n]
        The number of each row's game.
    """
    different, game = np.unique(games, return_inverse=True)
    return np.asarray(game * GAME_PARTS // max(len(different), 1), np.int64)


def chunks(shard: Shard) -> Iterator[tuple[Scenes, Scenes]]:
    """Yield scenes, SCENE[n], and truths, TRUTH[n], of a shard, a few thousand at a time."""
    for start in range(0, len(shard.scenes), CHUNK):
        yield shard.scenes[start : start + CHUNK], shard.truths[start : start + CHUNK]


def _rows(
    weights: F64, games_before: int, drawn: tuple[Scenes, Scenes, Bool]
) -> tuple[npt.NDArray[Any], ...]:
    scenes, truths, mask = drawn
    used = mask.reshape(len(mask), -1).any(1)
    scenes, truths, mask = scenes[used], truths[used], mask[used]
    kinds, opponents = danger_features(scenes, weights)
    wins = wins_of(truths)
    at = np.nonzero(mask)
    scene, opponent = at[0], at[1]
    if mask.ndim == 3:
        x = danger_rows(kinds, opponents, at)
        won, points = wins[at], truths["win_points"][at]
    else:
        x = opponents[scene, opponent]
        won, points = np.asarray(wins.any(2))[at], truths["win_points"].max(2)[at]
    seat = (truths["seat"][scene] + opponent + 1) % 4
    return (
        x,
        won,
        points.astype(np.float64),
        truths["tenpai"][scene, opponent + 1] > 0,
        np.asarray(wins.any(2))[scene, opponent],
        games_before * SEQUENCES_OF_GAME + rounds_of(truths[scene]) * 4 + seat,
    )
