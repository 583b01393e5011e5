"""The user's folders for this program, where the XDG base directory specification has them."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder of what can be made again: ``$XDG_CACHE_HOME/manue``, else ``~/.cache/manue``."""
    return _folder("XDG_CACHE_HOME", ".cache")


def state_folder() -> Path:
    """Return the folder of what was noted: ``$XDG_STATE_HOME/manue``, else ``~/.local/state/manue``."""
    return _folder("XDG_STATE_HOME", ".local/state")


def _folder(variable: str, below_home: str) -> Path:
    return Path(os.environ.get(variable) or _home() / below_home) / "manue"


def _home() -> Path:
    """Return the home of the user; that of a user whom the system does not know is the root, as in Docker."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")
