"""Policy nets, small enough for kernels to read.

``policy.npz`` holds what strong players do, ``policy_selfplay.npz`` what came of it by playing.
"""

from functools import lru_cache
from pathlib import Path

import numpy as np

from manue.arrays import F32
from manue.models.files import checked_columns, models_dir, read_model, version_of
from manue.sim.columns import CALL_COLUMNS, CONTEXT, DISCARD_COLUMNS, RIICHI_COLUMNS
from manue.sim.net import WEIGHTS, WIDE_WEIGHTS

NAME = "policy"
SELFPLAY = "policy_selfplay"
NET_COLUMNS: dict[str, list[str]] = {
    name: [column.name for column in columns]
    for name, columns in (
        ("context", CONTEXT),
        ("discard", DISCARD_COLUMNS),
        ("riichi", RIICHI_COLUMNS),
        ("call", CALL_COLUMNS),
    )
}
"""What the nets are shown, as noted in the file."""


def load_policy(folder: str | Path | None = None, name: str = NAME) -> F32:
    """Return the weights of a policy net, narrow or wide: float32[WEIGHTS] or float32[WIDE_WEIGHTS].

    Parameters
    ----------
    folder : str or Path, optional
        Default ``$MANUE_MODELS``, else the models of the package.
    name : {"policy", "policy_selfplay"}

    Raises
    ------
    ModelError
        If the file is missing, damaged or learned from other features.
    """
    path = (models_dir() if folder is None else Path(folder)) / f"{name}.npz"
    return _load(path, version_of(path))


@lru_cache(maxsize=8)
def _load(path: Path, _version: int) -> F32:
    file = read_model(path)
    checked_columns(file, NET_COLUMNS)
    wide = "weights" in file.arrays and file.arrays["weights"].size == WIDE_WEIGHTS
    return np.asarray(file.array("weights", (WIDE_WEIGHTS if wide else WEIGHTS,)), np.float32)
