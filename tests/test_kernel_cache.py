"""Kernels that the package was shipped with: used where they fit, and only there."""

import ast
import os
import shutil

import pytest

from manue import kernel_cache, warming
from manue.__main__ import main
from manue.kernel_cache import LEVELS
from tests.test_compiled import COMPILED, HANDS, ROOT, run

LEVEL = next((level for level in LEVELS if LEVELS[level] <= kernel_cache._flags()), None)
COUNT = HANDS + COMPILED + "print(known()[0], sum(name.startswith('manue') for name in compiled))"
FITS = "from manue.kernel_cache import shipped_dir; print(shipped_dir() is not None)"

pytestmark = pytest.mark.skipif(LEVEL is None, reason="not a processor whose features Linux names")


def copy_of(package, folder):
    shutil.copytree(package, folder / "manue", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    """A copy of the package with some of its kernels compiled."""
    root = copy_of(ROOT / "manue", tmp_path_factory.mktemp("package"))
    compile_first = f"from manue.kernel_cache import *\ncompile_for({LEVEL!r}, SHIPPED)\n"
    assert run(compile_first + COUNT, root=root).startswith("(0, [0, 3]) ")
    assert list((root / "manue" / "kernels").rglob("manue.hand.*"))
    return root


def test_kernels_that_fit_are_used_and_stay_where_they_are(shipped, tmp_path):
    assert run(COUNT, tmp_path / "cache", shipped) == "(0, [0, 3]) 0"
    assert not (tmp_path / "cache").exists()


def test_they_need_no_cache_that_can_be_written(shipped, tmp_path):
    (tmp_path / "manue").write_text("a file where the folder should be")
    assert run(COUNT, tmp_path, shipped) == "(0, [0, 3]) 0"


@pytest.mark.parametrize(
    "change",
    [
        "import manue.kernel_cache as k; k._version = lambda package: '0.1'",
        "import manue.kernel_cache as k; k._flags = lambda: frozenset({'sse4_1'})",
        "import sys; sys.implementation.cache_tag = 'cpython-39'",
        "import os; os.environ['NUMBA_CPU_NAME'] = 'x86-64'",
        "import os; os.environ['NUMBA_OPT'] = '1'",
    ],
    ids=["versions", "processor", "interpreter", "told otherwise", "optimization"],
)
def test_kernels_of_another_kind_are_not_used(shipped, change):
    assert run(FITS, root=shipped) == "True"
    assert run(f"{change}\n{FITS}", root=shipped) == "False"


def test_kernels_of_other_code_are_not_used(shipped, tmp_path):
    root = copy_of(shipped / "manue", tmp_path)
    code = root / "manue" / "hand" / "counts.py"
    code.write_text(code.read_text() + "\n# changed\n")
    assert run(FITS, root=root) == "False"


def test_what_is_damaged_is_compiled_anew(shipped, tmp_path):
    root = copy_of(shipped / "manue", tmp_path)
    flipped, cut = (root / "manue" / "kernels").rglob("manue.hand.shanten._checked_*.entry.*")
    data = bytearray(flipped.read_bytes())
    data[len(data) // 2] ^= 1
    flipped.write_bytes(data)
    cut.write_bytes(cut.read_bytes()[:100])
    assert run(COUNT, tmp_path / "cache", root) == "(0, [0, 3]) 2"


def test_an_agent_is_ready_where_its_kernels_are_shipped(monkeypatch, tmp_path):
    monkeypatch.setattr(warming, "cache_dir", lambda: tmp_path / "cache")
    monkeypatch.setattr(warming, "shipped_dir", lambda: tmp_path)
    assert not warming.is_warm("manue")
    warming._mark(tmp_path, "manue").touch()
    assert warming.is_warm("manue")
    assert not warming.is_warm("policy")


def test_where_kernels_are_shipped_warm_named_another_folder_and_had_to_write_to_it(
    monkeypatch, tmp_path, capsys
):
    (tmp_path / "file").touch()
    monkeypatch.setattr(kernel_cache, "cache_dir", lambda: tmp_path / "file" / "0123456789abcdef")
    monkeypatch.setattr(warming, "cache_dir", kernel_cache.cache_dir)
    monkeypatch.setattr(warming, "shipped_dir", lambda: tmp_path)
    warming._mark(tmp_path, "tsumogiri").touch()
    assert main(["warm", "tsumogiri"]) == 0
    assert capsys.readouterr().out == f"tsumogiri: already compiled, in {tmp_path}\n"


def test_a_level_that_the_processor_lacks_is_refused(monkeypatch, tmp_path):
    from manue.errors import UsageError

    monkeypatch.setattr(kernel_cache, "_flags", lambda: LEVELS["x86-64-v2"])
    with pytest.raises(UsageError, match="this processor is not known to be x86-64-v3"):
        kernel_cache.compile_for("x86-64-v3", tmp_path)
    assert "NUMBA_CPU_NAME" not in os.environ


def test_shipped_kernels_may_be_read_by_everybody(shipped):
    files = list((shipped / "manue" / "kernels").rglob("manue.hand.*"))
    assert {path.stat().st_mode & 0o777 for path in files} == {0o644}


def test_constants_of_kernels_are_digested():
    """Regression: those of ``manue/game`` were not, and kernels would have kept their old values."""
    root = ROOT / "manue"
    with_kernels = [path for path in root.rglob("*.py") if kernel_cache._holds_kernels(path)]
    folders = {path.parent for path in with_kernels} - {root}
    digested = {path for folder in folders for path in folder.glob("*.py")}
    digested |= {root / name for name in kernel_cache._SHARED}
    missing = set()
    for path in with_kernels:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("manue."):
                source = root.parent / f"{node.module.replace('.', '/')}.py"
                constants = [alias.name for alias in node.names if alias.name.isupper()]
                if constants and source.exists() and source not in digested:
                    missing.add((path.name, node.module, *constants))
    assert not missing


DAY = 86_400.0


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A cache with folders of several ages, and the time."""
    monkeypatch.setattr(kernel_cache, "cache_dir", lambda: tmp_path / "0123456789abcdef")
    now = 1_000 * DAY
    for name, file, days in (
        ("0123456789abcdef", "manue.hand.shanten.f", 90),  # of this version
        ("1111111111111111", "manue.hand.shanten.f", 31),
        ("2222222222222222", "manue.hand.shanten.f", 29),
        ("3333333333333333", "numba.index", 90),  # somebody else's
        ("tests.hand_1111", "manue.hand.shanten.f", 90),
        ("4444444444444444.removed", "lock", 0),  # a removal that was killed
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / file).touch()
        os.utime(folder, (now - days * DAY,) * 2)
    return tmp_path, now


def test_kernels_of_versions_long_gone_stayed_for_ever(kept):
    folder, now = kept
    removed = kernel_cache.remove_unused(now)
    assert [one.name for one in removed] == ["1111111111111111", "4444444444444444"]
    left = ["0123456789abcdef", "2222222222222222", "3333333333333333", "tests.hand_1111"]
    assert sorted(one.name for one in folder.iterdir()) == left


def test_kernels_in_use_are_kept(kept):
    folder, now = kept
    os.utime(folder / "1111111111111111", (now, now))  # as whoever loads kernels does
    assert "1111111111111111" not in [one.name for one in kernel_cache.remove_unused(now)]
    before = (folder / "0123456789abcdef").stat().st_mtime
    kernel_cache.mark_used()
    assert (folder / "0123456789abcdef").stat().st_mtime > before


def test_nothing_is_removed_beside_kernels_for_other_processors(kept, monkeypatch):
    folder, now = kept
    monkeypatch.setenv("NUMBA_CPU_NAME", "x86-64-v2")
    assert kernel_cache.remove_unused(now) == []
    assert (folder / "1111111111111111").is_dir()
