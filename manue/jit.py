"""The compiler behind `manue.compiled`, and its cache on disk; importing this module imports numba.

Numba's own cache files kernels by the path of their source, keeps an index that two processes writing at once
can spoil, and does not notice a change of a kernel that another one calls. Here the folder answers for the
code, the compiler and the processor (`manue.kernel_cache`), and every compiled form has a file of its own,
written whole, with its digest.
"""

import contextlib
import hashlib
import os
import pickle
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numba
from numba.core import types
from numba.core.compiler import CompileResult
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps

from manue.kernel_cache import note_unkept

_CONFIG: Any = numba.config
_DIGEST = hashlib.sha256().digest_size
"""Bytes at the head of a file that say whether the rest is as it was written."""


def jit(
    function: Callable[..., Any],
    *,
    inline: bool,
    specialize: bool,
    folder: Path,
    shipped: Path | None,
    compiling: Callable[[], None],
) -> Any:
    """Return a function that is compiled at its first call, or loaded from one of the folders.

    Parameters
    ----------
    function : callable
    inline : bool
        Whether it is copied into each kernel that calls it.
    specialize : bool
        Whether it is compiled again for the whole numbers in a call that are constants.
    folder : Path
        Where compiled forms are kept; if it cannot be written, none are.
    shipped : Path or None
        Where others were kept that serve too; it is read only.
    compiling : callable
        Called whenever a form is in neither folder and is compiled.
    """
    if _CONFIG.DISABLE_JIT:
        return function
    options = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    if inline:
        options["forceinline"] = True
    folders = [folder] if shipped is None else [folder, shipped]
    return _Entry(function, options, _Forms(folders, compiling), specialize=specialize)


class _Forms(NamedTuple):
    """Where compiled forms are kept, new ones in the first folder, and what compiling one calls."""

    folders: list[Path]
    compiling: Callable[[], None]


class _Entry(CPUDispatcher):
    """A kernel as Python calls it. Kernels that name it call its `_Inner`.

    A form has code around it that takes its arguments from Python's objects and gives its result to Python.
    That is a third of the compiler's work where nobody but another kernel ever calls it.
    """

    def __init__(
        self, function: Callable[..., Any], options: dict[str, Any], forms: _Forms, *, specialize: bool
    ) -> None:
        super().__init__(py_func=function, targetoptions=options)
        self._cache = _Cache(function, forms, "entry")
        self.inner = (_Specialized if specialize else _Inner)(function, options, forms)

    @property
    def _numba_type_(self) -> Any:
        """What the compiler takes this name for, in a kernel."""
        return self.inner._numba_type_


class _Inner(CPUDispatcher):
    """A kernel as other kernels call it; Python cannot."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], forms: _Forms) -> None:
        super().__init__(py_func=function, targetoptions={**options, "no_cpython_wrapper": True})
        self._cache = _Cache(function, forms, "inner")

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Find the form for arguments of these types, the same one for all their values.

        A constant in a call has a type of its own (``Literal[int](3)``), and numba would make a form for it.
        """
        named = {name: self.type_in_form(arg) for name, arg in kws.items()}
        return super().get_call_template(tuple(map(self.type_in_form, args)), named)

    @staticmethod
    def type_in_form(kind: Any) -> Any:
        """Return the type that a form has for an argument of this type: without the value of a constant."""
        unliteral: Callable[[Any], Any] = types.unliteral
        return unliteral(kind)


class _Specialized(_Inner):
    """One with a form for each set of constant whole numbers that it is called with."""

    @staticmethod
    def type_in_form(kind: Any) -> Any:
        """Return the type that a form has for an argument: with its value if that is a whole number."""
        return kind if isinstance(kind, types.IntegerLiteral) else _Inner.type_in_form(kind)


class _Cache:
    """The compiled forms of one kernel for one use: a file for each, named by both and a digest of the form.

    They are kept in the first folder and looked for in all. It has the methods that numba calls.
    """

    def __init__(self, function: Callable[..., Any], forms: _Forms, use: str) -> None:
        self._folders, self._compiling = forms
        self._folder = self._folders[0]
        self._kernel = f"{function.__module__}.{function.__qualname__}.{use}"
        self._code = hashlib.sha256(function.__code__.co_code).hexdigest()

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return a compiled form; ``None`` if there is none, or it is damaged."""
        target.refresh()
        key = (signature, self._code)
        for folder in self._folders:
            data = _sound(folder / self._name(key))
            if data is None:
                continue
            known, form = pickle.loads(data)  # noqa: S301  the user's own folder, or the package's
            if known == key:
                return CompileResult._rebuild(target, *form)  # type: ignore[no-untyped-call]  # noqa: SLF001
        self._compiling()
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a compiled form, if it can be kept; a full disk is no reason to stop."""
        if result.library.has_dynamic_globals:
            return
        key = (signature, self._code)
        data = dumps((key, result._reduce()))  # type: ignore[no-untyped-call]  # noqa: SLF001  numba's cache does
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._folder, prefix=".new-")
        except OSError as error:
            note_unkept(error)
            return
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(data).digest() + data)
            Path(name).chmod(0o644)  # shipped kernels serve all users
            Path(name).replace(self._folder / self._name(key))
        except OSError as error:
            note_unkept(error)
        finally:
            with contextlib.suppress(OSError):  # half of a form is of no use, and fills the disk still more
                Path(name).unlink(missing_ok=True)

    def _name(self, key: tuple[Any, ...]) -> str:
        return f"{self._kernel}.{hashlib.sha256(repr(key).encode()).hexdigest()[:12]}"


def _sound(path: Path) -> bytes | None:
    """Return what a file holds behind its digest; ``None`` if it is not there, or not as it was written."""
    try:
        text = path.read_bytes()
    except OSError:
        return None
    digest, data = text[:_DIGEST], text[_DIGEST:]
    return data if hashlib.sha256(data).digest() == digest else None
