"""The command line: find and run the command."""

import argparse
import importlib
import sys
from collections.abc import Sequence
from types import ModuleType

from manue import __version__
from manue.errors import MissingExtraError
from manue.program import ArgumentParser, run_program

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
    "problems": "make a page of exercises of a problem book",
    "convert": "convert game records between Mjai, Tenhou mjlog and tenhou.net/6, and from Mahjong Soul",
    "train": "train the models on game records",
    "learn": "learn the policy net on game records, or by playing",
    "calibrate": "compare predictions with what happened in game records",
    "warm": "compile the kernels of an agent ahead of its first game",
    "bench": "measure speed and memory, or answer the problem book",
}

TRAINING_LIBRARIES = {"sklearn": "scikit-learn", "scipy": "scipy"}
"""Module to the distribution of the extra ``train`` that holds it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    0 done, 1 failed, 2 usage, 3 connection lost, 4 a match with faults of its players, 129 SIGHUP, 130
    Ctrl-C, 143 SIGTERM.
    """
    arguments = sys.argv[1:] if argv is None else list(argv)
    return run_program(lambda: _run(arguments), owns_process=argv is None)


def _run(arguments: list[str]) -> int:
    chosen = next((word for word in arguments if not word.startswith("-")), None)
    parser = ArgumentParser(
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
