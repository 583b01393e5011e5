# ruff: noqa: INP001 - a module of the scripts, no package
"""What a player needs of other packages, for the scripts that pack one; any Python can import this."""

import re
from collections.abc import Collection
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def dependencies(without: Collection[str]) -> list[str]:
    """Return the dependencies in pyproject.toml, with their versions, but those of these names."""
    listed = re.findall(
        r"^dependencies = \[\n(.*?)^\]", PROJECT.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )[0]
    found = re.findall(r'^ *"([^"]+)"', listed, re.MULTILINE)
    return [one for one in found if re.match(r"[\w.-]+", one)[0] not in without]
