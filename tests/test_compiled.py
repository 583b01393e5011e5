"""Kernels: compiled at the first call, plain Python until then if asked, kept where every copy finds them."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HANDS = """
import sys
from manue.hand.shanten import shanten, ukeire
from manue.tiles import counts_of, parse_tiles
def known():
    texts = ("123m456p789s11z23m", "159m159p159s1234z", "1122334455667m")
    hands = [counts_of(parse_tiles(text)) for text in texts]
    return [(shanten(hand), ukeire(hand).nonzero()[0].tolist()) for hand in hands]
"""
COMPILED = """
from numba.core import event
compiled = []
class Listener(event.Listener):
    def on_start(self, happened): compiled.append(happened.data["dispatcher"].py_func.__module__)
    def on_end(self, happened): pass
event.register("numba:compile", Listener())
"""
COUNTED = """
hands = known()
print(sum(name.startswith('manue') for name in compiled))
print(hands)
"""


def run(code, cache=None, root=ROOT, **environment):
    """Run a program against a copy of the package; return what it printed."""
    fresh = {} if cache is None else {"XDG_CACHE_HOME": str(cache)}
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(root), **fresh, **environment},
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


EXPLAINED = """
import manue.compiled as compiled
compiled.EXPLAINED_AFTER = 0.0
compiled.explain_compiling(print)
"""


def test_compiling_was_silent_for_minutes(tmp_path):
    program = EXPLAINED + HANDS + "print(known()[0])"
    first = run(program, tmp_path).splitlines()
    assert first == [
        "compiling, once for this version on this machine: it can take a minute or two",
        "(0, [0, 3])",
    ]
    assert run(program, tmp_path) == "(0, [0, 3])"  # all is kept: there is nothing to say


def test_where_no_kernel_can_be_kept_compiling_was_said_to_happen_once(tmp_path):
    (tmp_path / "file").touch()
    said, _ = run(EXPLAINED + HANDS + "print(known()[0])", tmp_path / "file").splitlines()
    assert said.startswith(f"compiling, at every start because {tmp_path}/file/manue/")
    assert said.endswith(" cannot be written to: it can take a minute or two")


def test_what_calls_no_kernel_starts_without_the_compiler():
    for module in ("manue.commands.play", "manue.bot", "manue.__main__"):
        assert run(f"import sys, {module}; print('numba' in sys.modules)") == "False", module


def test_kernels_that_could_not_be_kept_left_half_of_themselves(tmp_path):
    small = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
    asked = """
from manue.kernel_cache import check_all_kept
try: check_all_kept()
except OSError as error: print(error)
"""
    said = run(small + HANDS + "print(known()[0])" + asked, tmp_path).splitlines()
    assert (said[0], len(said)) == ("(0, [0, 3])", 2)
    assert "File too large" in said[1]
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_plain_kernels_give_the_same_numbers_and_are_replaced_in_place():
    code = (
        HANDS
        + """
from manue.compiled import use_compiled, use_plain
import manue.game.waits, manue.hand.shanten
assert use_plain()
plain = known()
assert 'numba' not in sys.modules
assert use_compiled() and not use_plain()
from numba.core.dispatcher import Dispatcher
assert isinstance(manue.hand.shanten.useful_of, Dispatcher)
assert manue.hand.shanten.word_of is sys.modules['manue.hand.counts'].word_of
print(known() == plain)
"""
    )
    assert run(code) == "True"


def test_plain_kernels_decide_alike():
    """Without a compiler narrow integers overflowed and seven pairs were always of one suit."""
    code = """
import manue
import numpy as np
from manue.compiled import use_compiled, use_plain
rivers = {"E": "9p W_ 2s 5m!", "S": "E 9m 8p", "W": "2m 9s N", "N": "C_ 1s 4m"}
called = {"E": "9p 1m", "S": "9m 1s", "W": "2m 9s", "N": "P^E C"}
positions = [
    dict(hand="1133557799m11p57z", seat="E", dora="5m"),
    dict(hand="3345567m34p6788s4z", dora="9p", seat="S", round="S4", rivers=rivers),
    dict(hand="19m19p19s1234567z1m", seat="E"),
    dict(hand="2345p345s78m12z", seat="E", melds={"E": ["pon P P + P"]}, rivers=called),
]
def known():
    found = []
    for position in positions:
        for report in manue.evaluate(**position).reports:
            found += [report.expected_points, report.win_prob, report.win_points, report.deal_in_prob]
            found += [report.played_prob, report.shanten, report.ukeire_count]
    return np.array(found, float)  # a Riichi has no ukeire: NaN
assert use_plain()
plain = known()
assert use_compiled()
found = known()
print(len(plain) > 100 and np.allclose(plain, found, rtol=1e-6, atol=1e-7, equal_nan=True))
"""
    assert run(code) == "True"


def test_a_machine_without_a_compiler_plays_on():
    code = (
        """
import sys
sys.modules['numba'] = None
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name == 'numba' else find(name)
"""
        + HANDS
        + "print(known()[0])"
    )
    assert run(code) == "(0, [0, 3])"


def test_a_kernel_of_another_package_may_call_ours():
    code = """
import numba
from manue.hand.counts import byte_sum
from manue.hand.points import cell_of
@numba.njit
def twice(word): return byte_sum(word) + byte_sum(word)
import numpy as np
print(twice(np.uint64(0x0102)))
"""
    assert run(code) == "6"


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A cache that one run has filled: its folder, and what the kernels gave."""
    cache = tmp_path_factory.mktemp("filled")
    number, hands = run(HANDS + COMPILED + COUNTED, cache).splitlines()
    assert int(number) > 5
    return cache, hands


def test_another_copy_of_the_package_finds_the_kernels(filled, tmp_path):
    cache, hands = filled
    shutil.copytree(ROOT / "manue", tmp_path / "manue", ignore=shutil.ignore_patterns("__pycache__"))
    assert run(HANDS + COMPILED + COUNTED, cache, tmp_path).splitlines() == ["0", hands]
    assert len(list((cache / "manue").iterdir())) == 1


@pytest.mark.parametrize("change", ["kernel", "constant"])
def test_a_change_of_the_code_has_a_folder_of_its_own(tmp_path, change):
    shutil.copytree(ROOT / "manue", tmp_path / "manue", ignore=shutil.ignore_patterns("__pycache__"))
    code = "from manue.kernel_cache import cache_dir; print(cache_dir().name)"
    before = run(code, tmp_path, tmp_path)
    changed = tmp_path / "manue" / ("hand/shanten.py" if change == "kernel" else "features/kind_columns.py")
    changed.write_text(changed.read_text() + "\n# changed\n")
    assert run(code, tmp_path, tmp_path) != before == run(code, tmp_path, ROOT)


def test_a_damaged_file_of_the_cache_is_compiled_anew(filled, tmp_path):
    cache, hands = filled
    shutil.copytree(cache / "manue", tmp_path / "manue")
    kept = [path for path in (tmp_path / "manue").rglob("manue.hand.*") if path.is_file()]
    assert kept
    for path in kept:
        path.write_bytes(path.read_bytes()[:100])
    number, again = run(HANDS + COMPILED + COUNTED, tmp_path).splitlines()
    assert int(number) > 5
    assert again == hands


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path):
    (tmp_path / "manue").write_text("a file where the folder should be")
    assert run(HANDS + "print(known()[0])", tmp_path) == "(0, [0, 3])"


def test_constants_in_a_call_make_no_further_forms(tmp_path):
    code = HANDS + "known()\nfrom manue.hand.counts import word_of\nprint(len(word_of.inner.overloads))"
    assert int(run(code, NUMBA_CACHE_DIR=str(tmp_path))) == 1


def test_sizes_in_a_call_make_a_form_of_a_specialized_kernel(tmp_path):
    """One for the narrow net of riichi, one for the wide: loops are then written for their lengths."""
    code = (
        "from manue.sim.kit import new_kit\n"
        "from manue.sim import net\n"
        "net.rate_riichi_row(new_kit(), 0)\n"
        "units = {form[-2].literal_value for form in net.rate_rows.inner.overloads}\n"
        "print(units == {net.OTHER_UNITS, net.WIDE_OTHER_UNITS})"
    )
    assert run(code, NUMBA_CACHE_DIR=str(tmp_path)) == "True"


def test_no_kernel_needs_scipy():
    """The compiler multiplies matrices by SciPy, which only training installs: a player once stopped."""
    forbidden = {f"np.{name}" for name in ("dot", "inner", "linalg", "matmul", "tensordot", "vdot")}
    checked = 0
    for module in sorted((ROOT / "manue").rglob("*.py")):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            marks = {ast.unparse(each) for each in node.decorator_list}
            if not {"compiled", "inlined", "specialized"} & marks:
                continue
            checked += 1
            for part in ast.walk(node):
                multiplies = isinstance(part, ast.MatMult) or ast.unparse(part) in forbidden
                assert not multiplies, f"{module}:{node.name}"
    assert checked > 100
