"""What a program does around its work: arguments read, signals answered, errors as one line and a code."""

import argparse
import io
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor
from functools import partial
from types import FrameType
from typing import Any, NoReturn

from manue import interrupts
from manue.as_text import did_you_mean
from manue.compiled import explain_compiling
from manue.errors import ManueError, MissingArgumentError, UsageError
from manue.foreign import MESSAGE, printable
from manue.stderr import report

_INTERRUPTED_COMPILER = "no compiled object yet"
"""What numba raises after a signal in the middle of its work, where a KeyboardInterrupt would be lost."""
_AGAIN_SECONDS = 0.5
"""How long after a signal is lost it is sent again; by then a command whose compiler failed has ended."""
_NO_THREAD = "can't start new thread"
"""What Python raises a RuntimeError of where the system starts no more of them."""


_NUMBERS = re.compile(r"-\.?\d[\d.,-]*$")


class ArgumentParser(argparse.ArgumentParser):
    """Takes options by their whole names, and refuses what it cannot read in one line, as other bad input."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, allow_abbrev=False)
        self._negative_number_matcher = _NUMBERS  # else -1000,26000 would be an option

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Refuse what is left over here, so that the error names the help of the command it was given to."""
        found, left = super().parse_known_args(args, namespace)
        if left:
            close = did_you_mean(left[0].partition("=")[0], self._option_string_actions)
            self.error(f"unrecognized arguments: {' '.join(left)}{close}")
        return found, left

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Add the name that was probably meant to the error about one that is unknown."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            error.message += did_you_mean(str(value), map(str, action.choices or ()))
            raise

    def error(self, message: str) -> NoReturn:
        """Raise UsageError."""
        raise UsageError(f"{message} (see {self.prog} --help)")


def run_program(work: Callable[[], int], *, owns_process: bool) -> int:
    """Do the work of a program, report what ended it, and return the exit code.

    Parameters
    ----------
    work : callable
        Returns the exit code: 0 done, 1 failed, 2 usage, 3 connection lost, ...
    owns_process : bool
        Whether the process belongs to this program alone: signals are then answered here, standard output
        takes all characters, and the process ends afterwards.

    Returns
    -------
    int
        That of the work, else of the error that ended it, 129 after SIGHUP, 130 after Ctrl-C, 143 after
        SIGTERM.
    """
    if sys.stderr is None:  # closed: the next file opened would take its number, and what is written to it
        sys.stderr = os.fdopen(os.dup2(os.open(os.devnull, os.O_WRONLY), 2), "w", closefd=False)
    if owns_process and isinstance(sys.stdout, io.TextIOWrapper):  # not every terminal has all characters
        sys.stdout.reconfigure(errors="backslashreplace")
    ended_by: list[int] = []

    def end(number: int, _frame: FrameType | None) -> None:
        ended_by.append(number)
        raise KeyboardInterrupt  # as Ctrl-C: what is finished is kept

    try:
        if owns_process:
            interrupts.set_handler(end)
            sys.unraisablehook = partial(_repeat_interruption, ended_by)
            explain_compiling(report)
        return _answered(work, ended_by, owns_process=owns_process)
    except KeyboardInterrupt:  # it came just as another signal, or an error, was to be answered
        return _interrupted(ended_by, owns_process=owns_process)
    finally:
        if owns_process:
            _end_at_once_from_now_on()


def _answered(work: Callable[[], int], ended_by: Sequence[int], *, owns_process: bool) -> int:
    """Do the work, report what ended it, and return the exit code."""
    try:
        return _printed(work)
    except (Exception, KeyboardInterrupt) as error:
        # after a signal, any: loading an extension that it interrupts fails with an ImportError
        if ended_by or _is_interruption(error):
            return _interrupted(ended_by, owns_process=owns_process)
        code = _reported(error)
        if code is None:
            raise
        return code


def _is_interruption(error: BaseException) -> bool:
    """Return whether an error is that of a signal."""
    return isinstance(error, KeyboardInterrupt) or (
        isinstance(error, RuntimeError) and _INTERRUPTED_COMPILER in str(error)
    )


def _interrupted(ended_by: Sequence[int], *, owns_process: bool) -> int:
    """Report the signal that ended the work, and return the exit code.

    Parameters
    ----------
    ended_by : sequence of int
        The signals of `interrupts.ENDING` that have come; without any it was Ctrl-C.
    owns_process : bool
    """
    if owns_process:  # it ends now: one more signal would end it in a traceback
        for other in interrupts.SIGNALS:
            signal.signal(other, signal.SIG_IGN)
    number = next(iter(ended_by), signal.SIGINT)
    report(interrupts.MEANINGS[number])
    return interrupts.exit_code(number)


def _reported(error: BaseException) -> int | None:
    """Report what ended the work and return the exit code; ``None`` where that is a mistake of ours."""
    match error:
        case ManueError():
            text = error.for_command_line() if isinstance(error, MissingArgumentError) else error
            report(printable(text, MESSAGE))
            return error.exit_code
        case MemoryError():
            report("out of memory: ask for less at a time")
        case BrokenExecutor():
            report("a process of this command was killed from outside, perhaps for want of memory")
        case RuntimeError() if _NO_THREAD in str(error):
            report("no more threads can be started: a limit of processes or of memory is reached")
        case BrokenPipeError():
            # whoever read our output is gone: keep the interpreter from flushing into the closed pipe
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        case OSError():
            report(printable(_of_system(error), MESSAGE))
        case _:
            return None
    return 1


def _printed(work: Callable[[], int]) -> int:
    """Do the work; if that succeeds, write what it has printed, so that what keeps it back is reported."""
    try:
        code = work()
    except SystemExit:  # as after --help
        _write_out()
        raise
    _write_out()
    return code


def _write_out() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _of_system(error: OSError) -> str:
    """Return what the system refused, and where."""
    if isinstance(error, FileNotFoundError) and error.filename is None:  # so Python asks where it is
        return "the current folder no longer exists"
    if isinstance(error, FileExistsError):  # it is in the place of a folder that was to be created
        return f"{error.filename}: not a folder"
    what = str(error.strerror or error)
    if error.filename:
        return f"{error.filename}: {what}"
    return f"standard output: {what}" if _output_fails() else what


def _output_fails() -> bool:
    """Return whether what was printed cannot be written; it is then dropped, lest Python try again."""
    try:
        _write_out()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return True
    return False


def _end_at_once_from_now_on() -> None:
    """Let signals end the process without a traceback while it waits for its last threads."""
    # Once a KeyboardInterrupt has left an exec of text, caught or not, Python ends by SIGINT instead of with
    # our exit code, unless another such exec follows.
    exec("")  # noqa: S102
    for number in interrupts.SIGNALS:
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)


def _repeat_interruption(ended_by: Sequence[int], lost: "sys.UnraisableHookArgs") -> None:
    """Report an exception that nothing can catch; if it is that of a signal, send the signal again.

    A signal may come while an object is deleted or the compiler calls back. The compiler goes on without its
    answer and fails, which ends the command (`_INTERRUPTED_COMPILER`); anything else would go on as if no
    signal had come.

    Parameters
    ----------
    ended_by : sequence of int
        The signals of `interrupts.ENDING` that have come.
    lost : UnraisableHookArgs
    """
    if not isinstance(lost.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    again = threading.Timer(_AGAIN_SECONDS, os.kill, (os.getpid(), next(iter(ended_by), signal.SIGINT)))
    again.daemon = True
    again.start()
