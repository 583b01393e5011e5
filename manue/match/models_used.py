"""Which trained models the games of a match depend on: other models, other games."""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from manue.agents.policy import NETS
from manue.agents.registry import BUILDERS, parse_spec
from manue.models.files import models_dir, read_model
from manue.models.model_set import NAMES
from manue.table.program_spec import without_name
from manue.table.seat_factory import is_program_or_client

PLACEMENT = "placement"
"""The model that says in every match what rounds changed of the expected final place."""
WITHOUT_MODELS = ("greedy", "tsumogiri")
"""The agents of this package that use no model."""


def models_used(specs: Iterable[str], *, own: bool = False) -> dict[str, str]:
    """Return the digests of the model files that the games of some players depend on.

    Parameters
    ----------
    specs : iterable of str
    own : bool
        Whether agents that are objects of the caller's play, too.

    Returns
    -------
    dict of str to str
        By the name of the file: ``danger.npz`` in the default folder, wherever that is, and
        ``FOLDER/danger.npz`` in one that a spec names. For an agent of the user's own, all models of the
        default folder count: nobody knows which of them it reads.

    Raises
    ------
    ModelError
        If a model is missing or damaged.
    """
    default = models_dir()
    used = {f"{PLACEMENT}.npz": default / f"{PLACEMENT}.npz"}
    found = [_models_of(without_name(spec), default) for spec in specs]
    if own:
        found.append((None, _all_models(default)))
    for folder, names in found:
        for name in names:
            file = Path(f"{name}.npz")
            used[str(file if folder is None else folder / file)] = (folder or default) / file
    return {name: _digest(path) for name, path in sorted(used.items())}


def _models_of(spec: str, default: Path) -> tuple[Path | None, Sequence[str]]:
    """Return the folder that a spec names, if it does, and the names of the models that its player uses."""
    if is_program_or_client(spec):
        return None, ()
    name, options = parse_spec(spec)
    if name not in BUILDERS:
        return None, _all_models(default)
    folder = Path(options["models"]) if options.get("models") else None
    if name in WITHOUT_MODELS:
        return folder, ()
    return folder, (NETS[name],) if name in NETS else NAMES


def _all_models(folder: Path) -> list[str]:
    return [name for name in (*NAMES, *NETS.values()) if (folder / f"{name}.npz").is_file()]


@cache
def _digest(path: Path) -> str:
    """Return the digest that a file had when this process first asked: its agents are made but once, too."""
    return read_model(path).digest[:16]
