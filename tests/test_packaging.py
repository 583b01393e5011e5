"""What pyproject.toml says of the package is what is there: nothing is left out of a wheel."""

import subprocess
import sys
from fnmatch import fnmatch
from importlib.resources import files
from pathlib import Path

import pytest

from tests.project import PYPROJECT, ROOT

SETUP = PYPROJECT["tool"]["setuptools"]
ELSEWHERE = SETUP["package-dir"]


def folder_of(package):
    return ROOT / ELSEWHERE.get(package, package.replace(".", "/"))


def test_every_package_is_listed():
    inside = {".".join(init.parent.relative_to(ROOT).parts) for init in (ROOT / "manue").rglob("__init__.py")}
    assert set(SETUP["packages"]) == inside | set(ELSEWHERE)


@pytest.mark.parametrize("package", SETUP["packages"])
def test_every_file_of_a_package_is_code_or_listed_as_its_data(package):
    folder, patterns = folder_of(package), ["*.py", *SETUP["package-data"].get(package, [])]
    below = {folder_of(other) for other in SETUP["packages"]} - {folder}
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts and not below & set(path.parents):
            name = path.relative_to(folder).as_posix()
            assert any(fnmatch(name, pattern) for pattern in patterns), path


@pytest.mark.parametrize("package", ELSEWHERE)
def test_folders_from_elsewhere_are_found(package):
    assert Path(str(files(package))).samefile(folder_of(package))


def test_models_and_problems_are_found_from_any_folder(tmp_path):
    command = [sys.executable, "-m", "manue", "bench", "--problems", "--agent", "rules", "--json"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


SCRIPTS = [path for path in sorted((ROOT / "scripts").iterdir()) if path.is_file()]
PROGRAMS = [path for path in SCRIPTS if path.read_text().startswith("#!/usr/bin/env python3")]


@pytest.mark.parametrize("script", PROGRAMS, ids=lambda path: path.name)
def test_a_script_took_its_help_for_a_folder_to_write_to(script, tmp_path):
    ended = subprocess.run(
        [sys.executable, script, "--help"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith(f"usage: {script.name}")
    assert not list(tmp_path.iterdir())
