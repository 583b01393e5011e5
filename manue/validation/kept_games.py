"""A folder of what was collected from each log, from which an interrupted run continues."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from manue import __version__
from manue.decision.settings import Settings
from manue.errors import UsageError
from manue.models.files import models_dir, read_model
from manue.models.model_set import NAMES
from manue.validation.values import ROW_TYPES, ValuesOfGames
from manue.whole_files import whole_file, write_whole

FORMAT = 3
"""Raised whenever the meaning of what is kept changes."""
_OTHERS = {
    "settings": "another policy or number of draws",
    "models": "other models",
    "last_round": "another length of the games",
}
"""What a difference is called in messages, by the part of the description that differs."""


class KeptGames:
    """What was collected from the logs of one run, one file each, and what it was collected with.

    A log is known by its name and content: one that has changed is collected again, a copy is not.

    Parameters
    ----------
    folder : Path
        Made if it does not exist.
    settings : Settings
    last_round : int or None
        The length of the games, where the user gave it.
    resume : bool
        Continue the run in the folder; otherwise it must not hold one.

    Raises
    ------
    UsageError
        If the folder holds a run already, or one of another version or with other settings, models or
        tables.
    """

    def __init__(self, folder: Path, settings: Settings, last_round: int | None, *, resume: bool) -> None:
        self.folder = folder
        described = _description(settings, last_round)
        folder.mkdir(parents=True, exist_ok=True)
        known = _known(folder / "run.json")
        if known is None:
            write_whole(folder / "run.json", json.dumps(described, indent=1))
        elif not resume:
            raise UsageError(f"{folder} already holds games: continue with --resume, or choose another --out")
        elif known != described:
            differing = next(key for key in {**described, **known} if known.get(key) != described.get(key))
            raise UsageError(
                f"{folder} holds games collected with {_OTHERS.get(differing, 'another version')}"
            )

    def read(self, log: Path) -> ValuesOfGames | None:
        """Return what was collected from a log, its games numbered from 0; ``None`` if nothing was."""
        try:
            with self._file(log).open("rb") as file, np.load(file, allow_pickle=False) as content:
                tables = content["values"], content["choices"], content["folds"]
                return ValuesOfGames(*tables, int(content["games"]), tuple(map(str, content["skipped"])))
        except Exception:  # noqa: BLE001  a damaged archive can fail anywhere in the parsers
            return None  # collected again

    def write(self, log: Path, found: ValuesOfGames) -> None:
        """Keep what was collected from a log; it is there as a whole or not at all."""
        with whole_file(self._file(log)) as written, written.open("wb") as file:
            np.savez_compressed(
                file,
                **{name: getattr(found, name) for name in ROW_TYPES},
                games=np.array(found.games),
                skipped=np.array(found.skipped, np.str_),
            )

    def _file(self, log: Path) -> Path:
        content = hashlib.sha256(log.read_bytes()).digest()
        return self.folder / f"{hashlib.sha256(log.name.encode() + content).hexdigest()[:16]}.npz"


def _description(settings: Settings, last_round: int | None) -> dict[str, Any]:
    folder = Path(settings.models) if settings.models else models_dir()
    models = {name: read_model(folder / f"{name}.npz").digest for name in NAMES}
    tables = {name: str(table) for name, table in ROW_TYPES.items()}
    described = {
        "version": __version__,
        "format": FORMAT,
        "settings": {**asdict(settings), "models": ""},
        "models": models,
        "tables": tables,
        "last_round": last_round,
    }
    return dict(json.loads(json.dumps(described)))


def _known(path: Path) -> Mapping[str, Any] | None:
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError):
        raise UsageError(f"{path} is damaged") from None
    if not isinstance(known, dict):
        raise UsageError(f"{path} is damaged")
    return known
