"""Imports go one way; scikit-learn and scipy belong to training alone; every package says what it is for."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from manue.__main__ import TRAINING_LIBRARIES
from manue.errors import MissingExtraError
from tests.conftest import DATA, game

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "manue"
LAYERS = [
    {"errors", "arrays", "as_text", "foreign", "language", "stderr", "user_folders"},
    {"interrupts", "intervals", "charts", "kernel_cache", "log_odds", "cores", "whole_files"},
    {"compiled", "daemon_threads", "jit", "folder_lock", "futures", "pictures", "process_groups"},
    {"tiles", "rules", "splitmix", "workers", "progress", "program"},
    {"hand"},
    {"game"},
    {"features"},
    {"sim"},
    {"draws"},
    {"models"},
    {"decision"},
    {"agents"},
    {"player", "rollouts"},
    {"protocol", "warming"},
    {"records"},
    {"transports", "table", "review", "training"},
    {"match", "rehearsal", "selfplay", "validation"},
    {"server"},
    {"bench", "webtable"},
    {"api"},
    {"commands"},
    {"bot", "__main__"},
]
"""From the bottom to the top: a part imports only parts of layers below its own."""
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported_modules(path: Path) -> set[str]:
    modules = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            modules |= {f"{node.module}.{alias.name}" for alias in node.names}
    return modules


def allowed(importer: str, imported: str) -> bool:
    return importer == imported or LEVEL[imported] < LEVEL[importer]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path):
    importer = part_of(path)
    parts = {
        name.split(".")[1]
        for name in imported_modules(path)
        if name.startswith("manue.") and name.split(".")[1] in LEVEL
    }
    assert not {part for part in parts if not allowed(importer, part)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_the_training_libraries_are_imported_by_training_alone(path):
    imported = {name.split(".")[0] for name in imported_modules(path)}
    assert part_of(path) == "training" or not imported & set(TRAINING_LIBRARIES)


WITHOUT_THEM = """
import sys
sys.modules.update(dict.fromkeys({libraries}))
from manue.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def without_training_libraries(*arguments):
    code = WITHOUT_THEM.format(libraries=list(TRAINING_LIBRARIES))
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "command", [("train", "--out", "models"), ("calibrate",)], ids=lambda command: command[0]
)
def test_a_command_that_needs_them_says_so_in_one_line(command):
    name, *options = command
    ended = without_training_libraries(name, DATA / "games", *options)
    assert ended.returncode == MissingExtraError.exit_code
    assert ended.stderr.count("\n") == 1
    assert "is not installed; install it with: pip install 'manue[train]'" in ended.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("hand", "123m456p789s1122z", "--json"),
        ("bench", "--problems", "--agent", "greedy"),
        ("bench", "--only", "danger", "--positions", "1", "--logs", game("east-rules")),
        ("play", "--help"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_everything_else_does_without_them(arguments):
    ended = without_training_libraries(*arguments)
    assert ended.returncode == 0, ended.stderr


def test_every_room_has_a_level():
    parts = {part_of(path) for path in FILES}
    assert parts <= set(LEVEL)
    assert set(LEVEL) <= parts


@pytest.mark.parametrize("package", sorted(PACKAGE.glob("*/__init__.py")), ids=lambda path: path.parent.name)
def test_every_package_says_what_it_is_for_and_what_it_may_import(package):
    text = ast.get_docstring(ast.parse(package.read_text())) or ""
    assert "Imports" in text
    named = set(re.findall(r"`(\w+)`", text.partition("Imports")[2]))
    used = {
        name.split(".")[1]
        for path in package.parent.rglob("*.py")
        for name in imported_modules(path)
        if name.startswith("manue.") and name.split(".")[1] in LEVEL
    } - {package.parent.name}
    base = set().union(*LAYERS[:4])  # what anything may import
    assert used - base == named - base


def test_the_picture_of_the_layout_is_that_of_the_imports(tmp_path):
    made = tmp_path / "layout.svg"
    subprocess.run([sys.executable, ROOT / "scripts/layout-picture", made], check=True)
    assert made.read_text() == (ROOT / "docs/images/layout.svg").read_text()
