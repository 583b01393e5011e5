"""Which game of a file, and which seat of it, the options of a command mean."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from manue.commands.options import positive
from manue.foreign import MESSAGE, printable
from manue.records.archive import LogEntry
from manue.records.formats import salvaged_game
from manue.records.length import known_length
from manue.review.summary import rounds_read
from manue.rules import RULES
from manue.stderr import report


def add_game_choice(parser: argparse.ArgumentParser) -> None:
    """Declare ``--game``, the number of `chosen_game`."""
    parser.add_argument("--game", type=positive, metavar="N", help="which game of a log with several, from 1")


def chosen_game(path: Path, options: argparse.Namespace) -> tuple[list[LogEntry], list[str]]:
    """Read the only game of a file, or the one of ``--game``, its length known.

    ``--hanchan`` or ``--east``, and ``--rules``, say what the record does not.

    Returns
    -------
    list of LogEntry
        Of a damaged file the whole rounds before the damage.
    list of str
        Notes for stderr: where the file is damaged, and that the length, neither given nor in the record, was
        guessed.

    Raises
    ------
    LogError
        If the file is not a log, holds no events, or is damaged before the end of its first round.
    UsageError
        If there is no such game, or there are several and none was asked for.
    """
    whole, trouble = salvaged_game(path, options.game, RULES[options.rules])
    game, guess = known_length(whole, options.last_round)
    notes = [] if trouble is None else [f"{printable(trouble, MESSAGE)}; {rounds_read(game)}"]
    if guess:
        notes.append(f"{printable(path, MESSAGE)}: {guess} (--east or --hanchan says otherwise)")
    return game, notes


def report_all(notes: Sequence[str]) -> None:
    """Report the notes of `chosen_game`."""
    for note in notes:
        report(note)
