"""The one way to compile kernels: without the interpreter lock, kept on disk (`manue.kernel_cache`).

Kernels are compiled when the first of them is called, so that what needs none starts without the compiler.
A program that must not wait for that calls `use_plain` first: kernels are then ordinary Python, hundreds of
times slower, until `use_compiled`. Where numba is not installed they stay so.

Compiling many of them takes a minute or two, once; `explain_compiling` sets how a program says so.

A kernel is called hundreds of times in a decision, so no wrapper may remain in front of it: when kernels
change form, the names by which modules know them are rebound (`_put_in_place`).
"""

import functools
import importlib
import importlib.util
import sys
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar, cast

from manue.kernel_cache import cache_dir, can_be_kept, mark_used, shipped_dir

_P = ParamSpec("_P")
_R = TypeVar("_R")
_UNUSED, _PLAIN, _COMPILED = "unused", "plain", "compiled"
EXPLAINED_AFTER = 2.0
"""Seconds of compiling after which it is explained."""
HOW_LONG = "it can take a minute or two"


class Kernel(Generic[_P, _R]):
    """Stands for a kernel until the first one is called; then the modules hold what was compiled.

    Parameters
    ----------
    function : callable
    inline : bool
        Whether it is copied into each kernel that calls it.
    specialize : bool
        Whether it is compiled again for the constants in a call.
    """

    def __init__(self, function: Callable[_P, _R], *, inline: bool, specialize: bool) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.inline = inline
        self.specialize = specialize
        self.compiled: Any = None

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Have all kernels compiled, and call this one."""
        if _stage == _UNUSED:
            use_compiled()
        return cast("_R", self.current(*args, **kwargs))

    @property
    def current(self) -> Any:
        """What a module calls at present."""
        return {_UNUSED: self, _PLAIN: self.py_func, _COMPILED: self.compiled}[_stage]

    @property
    def _numba_type_(self) -> Any:
        """Lets a kernel of another package, compiled before any of ours was called, call this one."""
        use_compiled()
        return self.compiled._numba_type_


class _Explanation:
    """What is said, once, when compiling takes long."""

    def __init__(self) -> None:
        self.say: Callable[[str], None] | None = None
        self._since: float | None = None

    def compiling(self) -> None:
        """Note that a form of a kernel is not kept yet and is compiled now."""
        if self.say is None:
            return
        now = time.monotonic()
        if self._since is None:
            self._since = now
        if now - self._since >= EXPLAINED_AFTER:
            say, self.say = self.say, None
            say(_explanation())


def _explanation() -> str:
    if can_be_kept():
        return f"compiling, once for this version on this machine: {HOW_LONG}"
    return f"compiling, at every start because {cache_dir()} cannot be written to: {HOW_LONG}"


_EXPLANATION = _Explanation()
_KERNELS: list[Kernel[Any, Any]] = []
_LOCK = threading.RLock()
_stage = _UNUSED


def compiled(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a kernel at its first call, without the interpreter lock, cached across processes."""
    return _kernel(function, inline=False)


def inlined(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a small kernel that is copied into each kernel that calls it.

    By default the compiler calls even functions of a few instructions, which costs more than they do.
    """
    return _kernel(function, inline=True)


def specialized(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a kernel that is copied into each kernel that calls it, again for the sizes in each call.

    A kernel is optimized before it is copied: loops whose lengths it has as arguments are written for any
    length, even where a call names a constant. Here each set of constant whole numbers makes another form.
    """
    return _kernel(function, inline=True, specialize=True)


def _kernel(function: Callable[_P, _R], *, inline: bool, specialize: bool = False) -> Callable[_P, _R]:
    kernel = Kernel(function, inline=inline, specialize=specialize)
    with _LOCK:
        _KERNELS.append(kernel)
        if _stage == _COMPILED:
            _compile(kernel)
        return cast("Callable[_P, _R]", kernel.current)


def use_plain() -> bool:
    """Run kernels as ordinary Python until `use_compiled`; return whether they do.

    They do not if the compiler is already in use.
    """
    global _stage  # noqa: PLW0603  one compiler per process
    with _LOCK:
        if _stage == _UNUSED:
            _stage = _PLAIN
            # arithmetic on words is meant to overflow
            warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)
            _put_in_place()
        return _stage == _PLAIN


def use_compiled() -> bool:
    """Hand all kernels to the compiler, each to be compiled or loaded at its first call.

    Returns
    -------
    bool
        False where there is no compiler: kernels are then ordinary Python.
    """
    global _stage  # noqa: PLW0603  one compiler per process
    with _LOCK:
        if _stage != _COMPILED:
            if not has_compiler():
                use_plain()
                return False
            for kernel in _KERNELS:
                _compile(kernel)
            mark_used()
            _stage = _COMPILED
            _put_in_place()
        return True


def explain_compiling(say: Callable[[str], None]) -> None:
    """Set what is called, with a line of text, once this process has been compiling for two seconds."""
    _EXPLANATION.say = say


def is_explaining() -> bool:
    """Return whether a line is still to be said when compiling takes long."""
    return _EXPLANATION.say is not None


def has_compiler() -> bool:
    """Return whether numba is installed."""
    return importlib.util.find_spec("numba") is not None


def _compile(kernel: Kernel[Any, Any]) -> None:
    jit = importlib.import_module("manue.jit").jit
    kernel.compiled = jit(
        kernel.py_func,
        inline=kernel.inline,
        specialize=kernel.specialize,
        folder=cache_dir(),
        shipped=shipped_dir(),
        compiling=_EXPLANATION.compiling,
    )


def _put_in_place() -> None:
    """Let the names of all kernels, in every module of the package, mean their present form."""
    kernels = {id(form): kernel for kernel in _KERNELS for form in (kernel, kernel.py_func)}
    for name, module in list(sys.modules.items()):
        if name.split(".", 1)[0] != __package__ or name == __name__:
            continue
        for key, value in list(vars(module).items()):
            kernel = kernels.get(id(value))
            if kernel is not None:
                setattr(module, key, kernel.current)
