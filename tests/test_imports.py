"""Imports go one way; scikit-learn belongs to training alone; only transports and commands await."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "manue"
LAYERS = [
    {"errors"},
    {"compiled"},
    {"tiles"},
    {"rules", "workers"},
    {"hand"},
    {"game"},
    {"estimate"},
    {"agents"},
    {"player"},
    {"protocol"},
    {"transports", "arena", "review", "training"},
    {"commands", "bot"},
    {"__main__"},
]
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def room_of(path: Path) -> str:
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
    if importer == imported:
        return True
    if LEVEL[imported] == LEVEL[importer]:
        return importer == "arena" and imported == "transports"
    return LEVEL[imported] < LEVEL[importer]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path):
    importer = room_of(path)
    rooms = {
        name.split(".")[1]
        for name in imported_modules(path)
        if name.startswith("manue.") and name.split(".")[1] in LEVEL
    }
    assert not {room for room in rooms if not allowed(importer, room)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_scikit_learn_is_imported_by_training_alone(path):
    uses_it = any(name.split(".")[0] == "sklearn" for name in imported_modules(path))
    assert room_of(path) == "training" or not uses_it


def test_every_room_has_a_level():
    assert {room_of(path) for path in FILES} <= set(LEVEL)
