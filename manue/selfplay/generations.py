"""The generations of a course on disk.

Each is a folder with a ``policy.npz``, which agents can play by, and which holds all that going on needs.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from manue.arrays import F32
from manue.errors import ModelError, UsageError
from manue.models.files import Arrays, digest_of, read_model, write_model
from manue.models.policy import NAME, NET_COLUMNS
from manue.selfplay.rating import MeanGain

FOLDER = "generations"
ORIGIN = {
    "course": "seed, number of rounds or version",
    "walls": "number of walls",
    "start": "policy net to begin with",
    "placement": "placement model",
}
"""What identifies a course, and the word for each part in messages."""


@dataclass(frozen=True, slots=True)
class Generation:
    """A generation as the course notes it.

    Parameters
    ----------
    number : int
        From 1.
    rounds : int
        Learned from, from the start.
    cpu_seconds : float
        That this took.
    learned : mapping of str to float
        Means over its steps, see `manue.selfplay.learner.Step`.
    rating : mapping of str to MeanGain
    """

    number: int
    rounds: int
    cpu_seconds: float
    learned: Mapping[str, float]
    rating: Mapping[str, MeanGain]


class Generations:
    """The generations in a folder, all of one course.

    Parameters
    ----------
    out : Path
    origin : mapping
        A value for each part of `ORIGIN`; noted with each generation.
    """

    def __init__(self, out: Path, origin: Mapping[str, Any]) -> None:
        self._folder = out / FOLDER
        self._origin = dict(origin)

    def exist(self) -> bool:
        """Return whether there is any."""
        return self._path(1).exists()

    def keep(self, generation: Generation, arrays: Arrays) -> None:
        """Write a generation, completely or not at all."""
        path = self._path(generation.number)
        path.parent.mkdir(parents=True, exist_ok=True)
        meta = {
            "columns": NET_COLUMNS,
            "origin": self._origin,
            "rounds": generation.rounds,
            "cpu_seconds": round(generation.cpu_seconds, 1),
            "learned": dict(generation.learned),
            "rating": {lineup: asdict(gain) for lineup, gain in generation.rating.items()},
        }
        write_model(path, arrays, meta)

    def read(self) -> tuple[list[Generation], Arrays]:
        """Return the generations in order, and the arrays of the last.

        Raises
        ------
        UsageError
            If there is none, or they are of another course.
        ModelError
            If one is damaged.
        """
        found: list[Generation] = []
        arrays: Arrays = {}
        while (path := self._path(len(found) + 1)).exists():
            file = read_model(path)
            origin = file.meta.get("origin", {})
            others = [called for part, called in ORIGIN.items() if origin.get(part) != self._origin[part]]
            if others:
                raise UsageError(f"{path} is of another course: it had another {', another '.join(others)}")
            meta, number = file.meta, len(found) + 1
            rating = {lineup: MeanGain(**gain) for lineup, gain in meta["rating"].items()}
            found.append(Generation(number, meta["rounds"], meta["cpu_seconds"], meta["learned"], rating))
            arrays = file.arrays
        if not found:
            raise UsageError(f"{self._folder} holds no generation to go on from")
        return found, arrays

    def weights(self, number: int) -> F32:
        """Return the weights of a generation: float32[weights].

        Raises
        ------
        ModelError
            If it cannot be read.
        """
        file = read_model(self._path(number))
        if "weights" not in file.arrays:
            raise ModelError(f"{self._path(number)} has no weights")
        return np.asarray(file.arrays["weights"], np.float32)

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:03}" / f"{NAME}.npz"


def digest_of_weights(weights: F32) -> str:
    """Return the SHA-256 by which a net, float32[weights], is known."""
    return digest_of({"weights": weights})
