"""The trained models: files of plain arrays, checked before use.

A model file is an ``.npz`` of numbers (``allow_pickle=False``: opening one cannot run code) with two texts:
``meta``, a JSON object with the schema version and the trainer's notes, and ``digest``, the SHA-256 of all
other content. The folder ``models/`` of the repository is installed as the package ``manue.trained``; the
environment variable ``MANUE_MODELS`` can name another folder.
"""

import hashlib
import json
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from manue.arrays import F64
from manue.errors import ModelError
from manue.features.feature import Feature
from manue.foreign import printable
from manue.whole_files import whole_file

Arrays = Mapping[str, npt.NDArray[np.generic]]
MAX_MODEL = 1 << 26
"""Maximum size of the arrays of a model file, in bytes: the largest has less than 2 MiB."""
SCHEMA = 1
"""Raised whenever the meaning of features or file contents changes; older files are then refused."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """The content of a model file."""

    path: Path
    arrays: Arrays
    meta: Mapping[str, Any]
    digest: str

    @property
    def name(self) -> str:
        """The name of the model, such as ``afterstate``."""
        return self.path.stem

    def array(self, name: str, shape: tuple[int, ...]) -> F64:
        """Return an array of numbers as float64.

        Raises
        ------
        ModelError
            If the file has no numbers with this name, or not in this shape.
        """
        if name not in self.arrays:
            raise self.unfit(f"has no {name}")
        array = self.arrays[name]
        if array.dtype.kind != "f" or array.shape != shape:
            found = f"{array.dtype}{list(array.shape)}"
            raise self.unfit(f"has {name} as {found}, not float64{list(shape)}")
        return np.asarray(array, np.float64)

    def number(self, name: str) -> float:
        """Return a single number; raises ModelError as `array`."""
        return float(self.array(name, ()))

    def unfit(self, why: str) -> ModelError:
        """Return the error that the file cannot be used, with what to do about it; ``why`` is a predicate."""
        return ModelError(f"{self.path} {why}: {_remedy(self.path)}")


def models_dir() -> Path:
    """Return the folder of the default models: ``$MANUE_MODELS`` if set, else that of the package.

    Raises
    ------
    ModelError
        If the package is not installed, as in a bare checkout.
    """
    chosen = os.environ.get("MANUE_MODELS")
    try:
        return Path(chosen or str(files("manue.trained")))
    except ModuleNotFoundError:
        raise ModelError("no models: install the package (pip install .), or set MANUE_MODELS") from None


def _remedy(path: Path) -> str:
    """Return what to do about a model file that is missing or cannot be used."""
    command = "learn" if path.stem.startswith("policy") else "train"  # the policy nets are apart
    return f"run manue {command} RECORDS --out FOLDER, and set MANUE_MODELS to the folder"


def version_of(path: Path) -> int:
    """Return what changes when a file is written again, for caches: its time in ns, 0 without a file."""
    found = _stat_of(path)
    return found.st_mtime_ns if found is not None and stat.S_ISREG(found.st_mode) else 0


def _stat_of(path: Path) -> os.stat_result | None:
    """Return what the system knows of a path; ``None`` if there is none, or it may not be asked."""
    try:
        return path.stat()
    except (OSError, ValueError):
        return None


def checked_columns(
    file: ModelFile, columns: Sequence[Feature] | Mapping[str, list[str]], key: str = "columns"
) -> None:
    """Check that a model was learned from the features of this version, in the same order.

    Parameters
    ----------
    file : ModelFile
    columns : sequence of Feature, or mapping of str to list of str
        The features; of a model with several inputs, their names by input.
    key : str
        Where the notes of the file have their names.

    Raises
    ------
    ModelError
        If it was not.
    """
    names = columns if isinstance(columns, Mapping) else [column.name for column in columns]
    if file.meta.get(key) != names:
        raise file.unfit("was learned from other features")


def read_model(path: Path) -> ModelFile:
    """Read and check one model file.

    Raises
    ------
    ModelError
        If the file is missing, truncated or of another schema, or its digest does not match its content.
    """
    found = _stat_of(path)
    if found is not None and not stat.S_ISREG(found.st_mode):
        raise ModelError(f"{path} is not a regular file")  # a pipe would keep us waiting for its writer
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as content:
            size = sum(member.file_size for member in content.zip.infolist())
            arrays = {name: content[name] for name in content.files} if size <= MAX_MODEL else None
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise ModelError(f"no model {path}: there is no folder {path.parent}") from None
        raise ModelError(f"no model {path}: {_remedy(path)}") from None
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror or error}") from error
    except Exception as error:  # a damaged archive can fail anywhere in the parsers of zip and numpy
        raise ModelError(f"{path} is damaged or not a model file: {error}") from error
    if arrays is None:
        raise ModelError(f"{path} is not a model file: it holds more data than a model has")
    if "meta" not in arrays or "digest" not in arrays:
        raise ModelError(f"{path} is not a model file: it has no digest")
    written = str(arrays.pop("digest"))
    if written != digest_of(arrays):
        raise ModelError(f"{path} is damaged: its content does not match its digest")
    meta = _meta(path, str(arrays.pop("meta")))
    for name, array in arrays.items():
        if array.dtype.kind not in "biufU":
            raise ModelError(f"{path} is damaged: {printable(name)} holds no numbers")
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ModelError(f"{path} is damaged: {printable(name)} holds numbers that are not finite")
    if meta.get("schema") != SCHEMA:
        raise ModelError(
            f"{path} has schema {meta.get('schema')}, this version reads {SCHEMA}: {_remedy(path)}"
        )
    return ModelFile(path, arrays, meta, written)


def _meta(path: Path, text: str) -> dict[str, Any]:
    try:
        meta = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path} is damaged: its meta is not JSON: {printable(error)}") from None
    if not isinstance(meta, dict):
        raise ModelError(f"{path} is damaged: its meta is not an object")
    return meta


def write_model(path: Path, arrays: Arrays, meta: Mapping[str, Any]) -> str:
    """Write a model file with its digest, completely or not at all; return the digest."""
    # Any, because numpy's types take every name for its own option `allow_pickle`, which numpy
    # before 2.1 does not have and would store as an array.
    content: dict[str, Any] = dict(arrays)
    content["meta"] = np.array(json.dumps({"schema": SCHEMA, **meta}, sort_keys=True))
    digest = digest_of(content)
    with whole_file(path) as written, written.open("wb") as file:
        np.savez_compressed(file, **content, digest=np.array(digest))
    return digest


def digest_of(arrays: Arrays) -> str:
    """Return the SHA-256 of the names, types, shapes and bytes, in the order of the names."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
