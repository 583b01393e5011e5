"""The page of a folder of models: a section for each, from the report that its file carries."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from manue.errors import ModelError
from manue.models.files import ModelFile, read_model
from manue.whole_files import write_whole

PAGE = "MODELS.md"


def section_of(file: ModelFile) -> str:
    """Return the section of a model."""
    return f"## {file.name}\n\nDigest `{file.digest}`.\n\n{file.meta['report'].strip()}\n"


def put_section(folder: Path, name: str) -> None:
    """Put the section of a model on the page of its folder, in place of an earlier one.

    Raises
    ------
    ModelError
        If the model cannot be read.
    """
    page = folder / PAGE
    before = page.read_text(encoding="utf-8") if page.is_file() else "# Models\n"
    without = re.sub(rf"\n## {re.escape(name)}\n.*?(?=\n## |\Z)", "", before, flags=re.DOTALL)
    section = section_of(read_model(folder / f"{name}.npz"))
    write_whole(page, f"{without.rstrip()}\n\n{section}")


def other_models(folder: Path, names: Collection[str]) -> Iterator[ModelFile]:
    """Yield the models of a folder that have a report and are not among the names; others are left out."""
    for path in sorted(folder.glob("*.npz")):
        if path.stem in names:
            continue
        try:
            file = read_model(path)
        except ModelError:
            continue
        if "report" in file.meta:
            yield file
