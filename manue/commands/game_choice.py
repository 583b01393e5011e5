"""Which game of a file, and which seat of it, the options of a command mean."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from manue.commands.options import positive
from manue.errors import UsageError
from manue.foreign import MESSAGE, printable
from manue.game.events import GameStart, RoundStart
from manue.records.archive import LogEntry
from manue.records.formats import salvaged_game
from manue.records.length import known_length
from manue.review.frames import game_names, round_facts
from manue.review.summary import round_label
from manue.rules import RULES
from manue.stderr import report
from manue.tiles import Seat


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


def rounds_read(game: list[LogEntry]) -> str:
    """Return a remark on which rounds there are before a damage."""
    starts = [entry.event for entry in game if isinstance(entry.event, RoundStart)]
    rounds = [round_label(round_facts(event, 0)) for event in starts]
    if len(rounds) == 1:
        return f"shown is the one whole round before it: {rounds[0]}"
    return f"shown are the {len(rounds)} whole rounds before it: {rounds[0]} to {rounds[-1]}"


def named_seat(game: list[LogEntry], text: str) -> Seat:
    """Return the seat of a number, 0..3, or of the name of a player, whatever its case.

    Players of the same name go by the names that reviews and pages show.

    Raises
    ------
    UsageError
        If nobody, or more than one, has this name.
    """
    if text in {"0", "1", "2", "3"}:
        return int(text)
    names = next((entry.event.names for entry in game if isinstance(entry.event, GameStart)), ())
    found = [seat for seat, name in enumerate(names) if name == text]
    if not found:
        found = [seat for seat, name in enumerate(names) if name.casefold() == text.casefold()]
    if not found and text in (shown := game_names(game)):
        found = [shown.index(text)]
    if len(found) == 1:
        return found[0]
    who = "more than one player is" if found else "nobody is"
    listed = ", ".join(f"{seat} {printable(name, 40)}" for seat, name in enumerate(names)) or "no names"
    raise UsageError(f"--seat: {who} called {printable(text, 40)!r} (0 to 3, or a name: {listed})")


def report_all(notes: Sequence[str]) -> None:
    """Report the notes of `chosen_game`."""
    for note in notes:
        report(note)
