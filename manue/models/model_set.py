"""All trained models of a folder as one value that is handed to whoever decides."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from manue.arrays import F64
from manue.features.danger_columns import SHAPE_WEIGHTS
from manue.models.afterstate import AfterstateModel
from manue.models.call_policy import CallPolicy
from manue.models.danger import DangerModel, DangerReader
from manue.models.discard_policy import DiscardPolicy
from manue.models.files import ModelFile, models_dir, read_model, version_of
from manue.models.fold import FoldModel
from manue.models.opponents import OpponentsModel
from manue.models.placement import PlacementModel


def _shape_weights(file: ModelFile) -> F64:
    return file.array("weights", SHAPE_WEIGHTS.shape)


READERS: dict[str, Callable[[ModelFile], Any]] = {
    "shapes": _shape_weights,
    "opponents": OpponentsModel.of,
    "danger": DangerModel.of,
    "fold": FoldModel.of,
    "afterstate": AfterstateModel.of,
    "discard_policy": DiscardPolicy.of,
    "placement": PlacementModel.of,
    "call_policy": CallPolicy.of,
}
"""What makes a model of its file, by its name; each raises ModelError if the file does not fit."""
NAMES = tuple(READERS)
"""Names of the model files, each ``NAME.npz``."""


@dataclass(frozen=True, slots=True, eq=False)
class Models:
    """All learned models that a decision needs; two sets can be used side by side in one process.

    Parameters
    ----------
    dangers : DangerReader
        What the opponents threaten.
    fold : FoldModel
        What folding costs.
    afterstate : AfterstateModel
        What a hand leads to once the discard has been made.
    discard_policy : DiscardPolicy
        Which tile strong players discard.
    placement : PlacementModel
        P(final place) from scores.
    call_policy : CallPolicy or None
        How readily strong players declare riichi, a call or a kan; ``None`` while it is being learned.
    """

    dangers: DangerReader
    fold: FoldModel
    afterstate: AfterstateModel
    discard_policy: DiscardPolicy
    placement: PlacementModel
    call_policy: CallPolicy | None

    @classmethod
    def load(cls, folder: str | Path | None = None) -> "Models":
        """Load the models of a folder; unchanged files are read only once per process.

        Parameters
        ----------
        folder : str or Path, optional
            Default ``$MANUE_MODELS``, else the models of the package.

        Raises
        ------
        ModelError
            If a file is missing, damaged or learned from other features.
        """
        chosen = models_dir() if folder is None else Path(folder)
        paths = [chosen / f"{name}.npz" for name in NAMES]
        return _load(tuple((path, version_of(path)) for path in paths))

    @classmethod
    def of(cls, files: dict[str, ModelFile]) -> "Models":
        """Read the models from their files, given by name; all but the call policy are required."""
        read = {name: reader(files[name]) for name, reader in READERS.items() if name in files}
        afterstate: AfterstateModel = read["afterstate"]
        growth = afterstate.growth_by_indicator
        return cls(
            DangerReader(read["shapes"], read["opponents"], read["danger"], growth),
            read["fold"],
            afterstate,
            read["discard_policy"],
            read["placement"],
            read.get("call_policy"),
        )


@lru_cache(maxsize=4)
def _load(paths: tuple[tuple[Path, int], ...]) -> Models:
    return Models.of({path.stem: read_model(path) for path, _ in paths})
