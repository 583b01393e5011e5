"""The compiler behind `manue.compiled`, and its cache on disk; importing this module imports numba.

Numba's own cache files kernels by the path of their source, keeps an index that two processes writing at once
can spoil, and does not notice a change of a kernel that another one calls. Here the folder answers for the
code, and every compiled form has a file of its own, written whole.
"""

import hashlib
import os
import pickle
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import types
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps


def jit(function: Callable[..., Any], *, inline: bool, folder: Path) -> Any:
    """Return a function that is compiled at its first call, or loaded from the folder.

    Parameters
    ----------
    function : callable
    inline : bool
        Whether it is copied into each kernel that calls it.
    folder : Path
        Of the cache; if it cannot be written, nothing is kept.
    """
    options: dict[str, Any] = {"forceinline": True} if inline else {}
    dispatcher = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if not isinstance(dispatcher, Dispatcher):
        return dispatcher  # NUMBA_DISABLE_JIT
    _forget_constants(dispatcher)
    if _is_writable(folder):
        vars(dispatcher)["_cache"] = _Cache(function, folder)  # what enable_caching() sets
    return dispatcher


def _forget_constants(dispatcher: Any) -> None:
    """Compile one form for all values of an argument: numba makes one for every constant in a call."""
    find: Callable[..., Any] = dispatcher.get_call_template
    unliteral: Callable[[Any], Any] = types.unliteral

    def find_for_types(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return find(tuple(map(unliteral, args)), {name: unliteral(arg) for name, arg in kws.items()})

    dispatcher.get_call_template = find_for_types


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


class _Cache:
    """The compiled forms of one kernel: a file for each, named by the kernel and a digest of the form.

    It has the methods that numba calls.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._folder = folder
        self._kernel = f"{function.__module__}.{function.__qualname__}"
        self._code = hashlib.sha256(function.__code__.co_code).hexdigest()

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return a compiled form; ``None`` if there is none, or it is damaged."""
        target.refresh()
        key = self._key(signature, target.codegen())
        try:
            known, data = pickle.loads(self._path(key).read_bytes())  # noqa: S301  the user's own folder
        except (OSError, EOFError, pickle.UnpicklingError, ValueError):
            return None
        if known != key:
            return None
        return CompileResult._rebuild(target, *data)  # type: ignore[no-untyped-call]  # noqa: SLF001

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a compiled form, if it can be kept; a full disk is no reason to stop."""
        if result.library.has_dynamic_globals:
            return
        key = self._key(signature, result.codegen)
        data = dumps((key, result._reduce()))  # type: ignore[no-untyped-call]  # noqa: SLF001  numba's cache does
        try:
            handle, name = tempfile.mkstemp(dir=self._folder, prefix=".new-")
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).replace(self._path(key))
        except OSError:
            return

    def _key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        return (signature, codegen.magic_tuple(), self._code)

    def _path(self, key: tuple[Any, ...]) -> Path:
        return self._folder / f"{self._kernel}.{hashlib.sha256(repr(key).encode()).hexdigest()[:12]}"
