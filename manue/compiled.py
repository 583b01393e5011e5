"""The one way to compile kernels: without the interpreter lock, cached on disk.

Numba's own cache notices a change in the file that contains a kernel, but not in a kernel called from another
file. The cache folder is therefore named by a digest of all files with kernels.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

import numba

_P = ParamSpec("_P")
_R = TypeVar("_R")


def _kernel_digest() -> str:
    digest = hashlib.sha256(f"{sys.version_info[:2]} {numba.__version__}".encode())
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        text = path.read_bytes()
        if b"@compiled" in text or b"@inlined" in text:
            digest.update(text)
    return digest.hexdigest()[:16]


def cache_dir() -> Path:
    """Return the folder for compiled kernels of this version of the package."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "manue" / _kernel_digest()


if "NUMBA_CACHE_DIR" not in os.environ:
    numba.config.CACHE_DIR = str(cache_dir())  # type: ignore[attr-defined]  # set at import, unknown to stubs


def compiled(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a kernel on its first call, without the interpreter lock, cached across processes."""
    return cast("Callable[_P, _R]", numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def inlined(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a small kernel that is copied into each kernel that calls it.

    By default the compiler calls even functions of a few instructions, which costs more than they do.
    """
    return cast(
        "Callable[_P, _R]",
        numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)(function),
    )
