"""Where compiled kernels are kept, and which of them this processor can run.

A folder of compiled kernels is named by a digest of the code, the interpreter, the compiler and the
processor, not of the place where the package lies: every copy of the same version finds the same ones. There
are two:

- the user's, for exactly this processor. What is compiled here is kept there, and what other versions have
  left is removed when it has long been unused (`remove_unused`);
- the package's, in its folder ``kernels``, for all processors of a level of x86-64. It is there where the
  package was shipped with it (``manue warm --for``), and is read only.
"""

import atexit
import contextlib
import functools
import hashlib
import os
import platform
import re
import shutil
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from manue.errors import UsageError
from manue.user_folders import cache_folder

_V2 = frozenset({"cx16", "lahf_lm", "pni", "popcnt", "sse4_1", "sse4_2", "ssse3"})
_V3 = _V2 | {"abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"}
_V4 = _V3 | {"avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"}
LEVELS = {"x86-64-v4": _V4, "x86-64-v3": _V3, "x86-64-v2": _V2}
"""Levels of x86-64, the highest first, with what Linux calls the features that they have."""
SHIPPED = Path(__file__).parent / "kernels"
"""Where kernels stand that were compiled before the package was installed."""
_SHARED = (
    *("arrays.py", "compiled.py", "jit.py", "kernel_cache.py", "rules.py", "splitmix.py", "tiles.py"),
    *("game/checks.py", "game/view.py"),
)
"""Files that all kernels depend on; other files of a package may hold constants of the kernels there."""
UNUSED_DAYS = 30
"""Days without use after which the kernels of another version are removed."""
_LEAVING = ".removed"
"""Ending of the name of a folder that is being removed."""
_KERNEL_FOLDER = re.compile(rf"[0-9a-f]{{16}}({re.escape(_LEAVING)})?")
_CPU_FACTS = ("model name", "flags", "Features", "CPU part")
"""What Linux says about a processor that decides which code it can run."""


@functools.cache
def cache_dir() -> Path:
    """Return the folder in which kernels are kept that this version of the package compiles here.

    It lies in ``$NUMBA_CACHE_DIR``, else in the user's cache folder.
    """
    given = os.environ.get("NUMBA_CACHE_DIR")
    return (Path(given) if given else cache_folder()) / _digest(_target() or _cpu())


def note_unkept(error: OSError) -> None:
    """Remember that a compiled kernel could not be written, for `check_all_kept`."""
    _unkept.append(error)


def check_all_kept() -> None:
    """Raise OSError if this process could not write a kernel that it compiled."""
    for error in _unkept:
        raise OSError(error.errno, error.strerror, str(cache_dir()))


_unkept: list[OSError] = []


def can_be_kept() -> bool:
    """Return whether what is compiled here can be kept: its folder, made or not yet, can be written."""
    there = next(folder for folder in (cache_dir(), *cache_dir().parents) if os.access(folder, os.F_OK))
    return os.access(there, os.W_OK | os.X_OK)


@functools.cache
def shipped_dir() -> Path | None:
    """Return the folder of kernels that the package was shipped with, if there is one that fits.

    It fits if code, interpreter, compiler and NumPy are the same and the processor has the level.
    """
    if not SHIPPED.is_dir() or _target():
        return None
    levels = (level for level in LEVELS if LEVELS[level] <= _flags())
    folders = (SHIPPED / _digest(_target_of(level)) for level in levels)
    return next((folder for folder in folders if folder.is_dir()), None)


def keep_for_this_process() -> bool:
    """Have what is compiled from now on kept in a temporary folder until this process ends.

    `cache_dir` and ``$NUMBA_CACHE_DIR``, which processes started from here have, name it then.

    Returns
    -------
    bool
        False if nothing temporary can be written either.
    """
    try:
        folder = tempfile.mkdtemp(prefix="manue-")
    except OSError:
        return False
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = folder
    cache_dir.cache_clear()
    return True


def mark_used() -> None:
    """Note that the kernels kept here are in use, by the time of their folder, if there is one."""
    with contextlib.suppress(OSError):
        os.utime(cache_dir())


def remove_unused(now: float) -> list[Path]:
    """Remove the folders of other versions and processors that nobody has used for `UNUSED_DAYS`.

    A folder first gets a name that nobody looks for, so that none is ever found in part. Nothing is removed
    where kernels are compiled for other processors than this one: the package's are to stay.

    Parameters
    ----------
    now : float
        The time, in seconds, as from `time.time`.

    Returns
    -------
    list of Path
        The folders that were there.
    """
    here = cache_dir()
    if _target() or not here.parent.is_dir():
        return []
    removed = []
    for folder in sorted(here.parent.iterdir()):
        if folder == here or not _is_unused(folder, now):
            continue
        leaving = folder.with_suffix(_LEAVING)
        with contextlib.suppress(OSError):
            folder.rename(leaving)
            removed.append(folder.with_suffix(""))
        shutil.rmtree(leaving, ignore_errors=True)
    return removed


def _is_unused(folder: Path, now: float) -> bool:
    """Return whether a folder holds kernels and is old, or is what an interrupted removal left."""
    if not _KERNEL_FOLDER.fullmatch(folder.name) or not folder.is_dir():
        return False
    if folder.suffix == _LEAVING:
        return True
    with contextlib.suppress(OSError):
        old = now - folder.stat().st_mtime > UNUSED_DAYS * 86_400
        return old and next(folder.glob("manue.*"), None) is not None
    return False


def compile_for(level: str, folder: Path) -> None:
    """Compile for all processors of a level, into a folder, instead of for this one.

    Parameters
    ----------
    level : str
        One of `LEVELS` that this processor has: what is compiled also runs, so that more is called.
    folder : Path
        `SHIPPED`, or that folder of another copy of the package.

    Raises
    ------
    UsageError
        If this processor has not the level, or it is too late, because the compiler is in use.
    """
    if not LEVELS[level] <= _flags():
        raise UsageError(f"this processor is not known to be {level}, and what is compiled must run here")
    if "numba" in sys.modules:
        raise UsageError("the compiler is already in use, for this processor")
    name, features = _target_of(level)
    os.environ |= {
        "NUMBA_CPU_NAME": name,
        "NUMBA_CPU_FEATURES": features,
        "NUMBA_CACHE_DIR": str(folder.absolute()),
    }
    cache_dir.cache_clear()
    shipped_dir.cache_clear()


def _target_of(level: str) -> tuple[str, str]:
    return level, ""  # no features named: those of the level


def _target() -> tuple[str, ...]:
    """Return the processor that numba is set to compile for; empty if it is this one."""
    given = [os.environ.get(name) for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")]
    if given == [None, None]:
        return ()
    name, features = given
    if name is not None and features is not None:
        return name, features
    return (name or "", features or "", *_cpu())  # the other half is this processor's


def _digest(processor: tuple[str, ...]) -> str:
    return hashlib.sha256((_platform(processor) + _code()).encode()).hexdigest()[:16]


@functools.cache
def _code() -> str:
    """Return a digest of all code that can be in a kernel."""
    found = hashlib.sha256()
    root = Path(__file__).parent
    folders = {path.parent for path in root.rglob("*.py") if _holds_kernels(path)} - {root}
    for path in sorted(
        [*(root / name for name in _SHARED), *(path for folder in folders for path in folder.glob("*.py"))]
    ):
        found.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def _holds_kernels(path: Path) -> bool:
    text = path.read_bytes()
    return any(name in text for name in (b"@compiled", b"@inlined", b"@specialized"))


def _platform(processor: tuple[str, ...]) -> str:
    """Name the interpreter, the compiler and the processor."""
    versions = [_version(name) for name in ("numba", "llvmlite", "numpy")]
    interpreter = (sys.implementation.cache_tag, platform.system(), platform.machine())
    return repr((interpreter, processor, versions, os.environ.get("NUMBA_OPT", "")))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


# ---- the processor


@functools.cache
def _cpu() -> tuple[str, ...]:
    """Return what is known of this processor, as lines."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return (platform.processor(),)
    first = text.split("\n\n", 1)[0]
    return tuple(line for line in first.splitlines() if line.split("\t", 1)[0].strip() in _CPU_FACTS)


def _flags() -> frozenset[str]:
    for line in _cpu():
        name, _, flags = line.partition(":")
        if name.strip() == "flags":
            return frozenset(flags.split())
    return frozenset()
