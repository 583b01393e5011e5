"""The command line: find and run the command; report errors as one line and an exit code."""

import argparse
import importlib
import io
import os
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from types import FrameType, ModuleType
from typing import NoReturn

from manue import __version__, interrupts
from manue.compiled import explain_compiling
from manue.errors import ManueError, MissingExtraError, UsageError
from manue.foreign import MESSAGE, foreign
from manue.stderr import report

COMMANDS = {
    "play": "take a seat at a match server, or speak Mjai on standard input and output",
    "match": "play games between any agents on this machine",
    "compare": "compare two agents round by round on the same walls",
    "bot": "start a bot of your own, or try one in a scripted game",
    "table": "sit down at a table in the browser",
    "serve": "run a match server that other bots join",
    "hand": "analyse a hand: shanten, useful tiles, readings, waits, value",
    "review": "judge every decision of a game record",
    "position": "value every option of one position",
    "view": "make a self-contained web page of a game log",
    "convert": "convert game records between Mjai, Tenhou mjlog and tenhou.net/6, and from Mahjong Soul",
    "train": "train the models on game records",
    "learn": "learn the policy net on game records, or by playing",
    "calibrate": "compare predictions with what happened in game records",
    "warm": "compile the kernels of an agent ahead of its first game",
    "bench": "measure speed and memory, or answer the problem book",
}

_INTERRUPTED_COMPILER = "no compiled object yet"
"""What numba raises after a signal in the middle of its work, where a KeyboardInterrupt would be lost."""
_NO_THREAD = "can't start new thread"
"""What Python raises a RuntimeError of where the system starts no more of them."""
TRAINING_LIBRARIES = {"sklearn": "scikit-learn", "scipy": "scipy"}
"""Module to the distribution of the extra ``train`` that holds it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    0 done, 1 failed, 2 usage, 3 connection lost, 4 a match with faults of its players, 129 SIGHUP, 130
    Ctrl-C, 143 SIGTERM.
    """
    arguments = sys.argv[1:] if argv is None else list(argv)
    if sys.stderr is None:  # closed: the next file opened would take its number, and what is written to it
        sys.stderr = os.fdopen(os.dup2(os.open(os.devnull, os.O_WRONLY), 2), "w", closefd=False)
    if argv is None and isinstance(sys.stdout, io.TextIOWrapper):  # not every terminal has all characters
        sys.stdout.reconfigure(errors="backslashreplace")
    ended_by: list[int] = []

    def end(number: int, _frame: FrameType | None) -> None:
        ended_by.append(number)
        raise KeyboardInterrupt  # as Ctrl-C: what is finished is kept

    try:
        if argv is None:
            interrupts.set_handler(end)
            sys.unraisablehook = _without_interruptions
            explain_compiling(report)
        return _run(arguments)
    except ManueError as error:
        report(foreign(error, MESSAGE))
        return error.exit_code
    except MemoryError:
        report("out of memory: ask for less at a time")
        return 1
    except BrokenExecutor:
        report("a process of this command was killed from outside, perhaps for want of memory")
        return 1
    except (KeyboardInterrupt, RuntimeError) as error:
        if _NO_THREAD in str(error):
            report("no more threads can be started: a limit of processes or of memory is reached")
            return 1
        if isinstance(error, RuntimeError) and _INTERRUPTED_COMPILER not in str(error):
            raise
        if argv is None:  # this process ends now: one more would end it in a traceback
            for number in interrupts.SIGNALS:
                signal.signal(number, signal.SIG_IGN)
        first = next(iter(ended_by), signal.SIGINT)
        report(interrupts.MEANINGS[first])
        return interrupts.exit_code(first)
    except BrokenPipeError:
        # whoever read our output is gone: keep the interpreter from flushing into the closed pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        report(foreign(_of_system(error), MESSAGE))
        return 1
    finally:
        if argv is None:
            _end_at_once_from_now_on()


def _of_system(error: OSError) -> str:
    """Return what the system refused, and where."""
    if isinstance(error, FileNotFoundError) and error.filename is None:  # so Python asks where it is
        return "the current folder no longer exists"
    return f"{error.strerror or error}: {error.filename or ''}".rstrip(": ")


def _end_at_once_from_now_on() -> None:
    """Let signals end the process without a traceback while it waits for its last threads."""
    for number in interrupts.SIGNALS:
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)


def _without_interruptions(lost: "sys.UnraisableHookArgs") -> None:
    """Report an exception that nothing can catch, but for a signal in a call from the compiler.

    The compiler goes on without its answer and fails, which ends the command (`_INTERRUPTED_COMPILER`).
    """
    if not isinstance(lost.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(lost)


class _Parser(argparse.ArgumentParser):
    """Refuses what it cannot read as other bad input is refused: in one line, without the whole usage."""

    def error(self, message: str) -> NoReturn:
        """Raise UsageError."""
        raise UsageError(f"{message} (see {self.prog} --help)")


def _run(arguments: list[str]) -> int:
    chosen = next((word for word in arguments if not word.startswith("-")), None)
    parser = _Parser(
        prog="manue", description="A riichi mahjong player that speaks Mjai and explains its choices."
    )
    parser.add_argument("--version", action="version", version=f"manue {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    modules: dict[str, ModuleType] = {}
    for name, summary in COMMANDS.items():
        subparser = subparsers.add_parser(
            name, help=summary, description=summary[0].upper() + summary[1:] + "."
        )
        if name == chosen:  # import only the chosen command: others may load far more
            modules[name] = _command(name)
            subparser.formatter_class = argparse.RawDescriptionHelpFormatter
            modules[name].add_arguments(subparser)
    options = parser.parse_args(arguments)
    code: int = modules[options.command].run(options)
    return code


def _command(name: str) -> ModuleType:
    """Import a command; raises MissingExtraError if it needs a library of training that is not installed."""
    try:
        return importlib.import_module(f"manue.commands.{name}")
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in TRAINING_LIBRARIES:
            raise
        raise MissingExtraError(TRAINING_LIBRARIES[library], "train") from error


if __name__ == "__main__":
    sys.exit(main())
