"""``manue view``: a self-contained page of a game log."""

import argparse
import sys
from pathlib import Path

from manue.commands.options import add_language, add_length
from manue.errors import UsageError
from manue.foreign import MESSAGE, foreign
from manue.game.events import GameStart, RoundStart
from manue.language.messages import Messages, messages
from manue.protocol.annotation import decision_table
from manue.protocol.figures import COLUMNS
from manue.records.archive import LogEntry
from manue.records.formats import salvaged_game
from manue.records.length import known_length
from manue.review.closest import closest_choice
from manue.review.frames import Json, round_facts
from manue.review.page import page_data, page_html
from manue.review.summary import round_label
from manue.tiles import Seat


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "log",
        metavar="LOG",
        type=Path,
        help="a record: Mjai, Tenhou mjlog, tenhou.net/6 or Mahjong Soul JSON",
    )
    parser.add_argument("-o", "--output", metavar="PAGE.html", type=Path, required=True, help="page to write")
    parser.add_argument("--seat", metavar="SEAT", help="seat shown at first: 0..3, or the name of a player")
    add_length(parser, default="as the record says, else guessed from where the game ended")
    add_language(parser, "page and output (default: English, and on the page the browser's)")
    parser.add_argument("--game", type=int, metavar="N", help="which game of a log with several, from 1")
    parser.add_argument(
        "--table",
        action="store_true",
        help="also print the numbers of the closest decision of the game, and a link to it",
    )


def chosen_game(path: Path, number: int | None, last_round: int | None = None) -> tuple[list[LogEntry], str]:
    """Read the only game of a file, or the one with this number (from 1), its length known.

    Returns
    -------
    list of LogEntry
        Of a damaged file the whole rounds before the damage.
    str
        Notes for stderr, a line each: where the file is damaged, and where the length is neither given nor in
        the record, and was guessed; else "".

    Raises
    ------
    LogError
        If the file is not a log, holds no events, or is damaged before the end of its first round.
    UsageError
        If there is no such game, or there are several and ``number`` is ``None``.
    """
    whole, trouble = salvaged_game(path, number)
    game, guess = known_length(whole, last_round)
    notes = [] if trouble is None else [f"manue: {foreign(trouble, MESSAGE)}; {rounds_read(game)}"]
    if guess:
        notes.append(f"manue: {foreign(path, MESSAGE)}: {guess} (--east or --hanchan says otherwise)")
    return game, "\n".join(notes)


def rounds_read(game: list[LogEntry]) -> str:
    """Say which rounds there are before a damage."""
    starts = [entry.event for entry in game if isinstance(entry.event, RoundStart)]
    rounds = [round_label(round_facts(event, 0)) for event in starts]
    if len(rounds) == 1:
        return f"shown is the one whole round before it: {rounds[0]}"
    return f"shown are the {len(rounds)} whole rounds before it: {rounds[0]} to {rounds[-1]}"


def named_seat(game: list[LogEntry], text: str) -> Seat:
    """Return the seat of a number, 0..3, or of the name of a player, whatever its case.

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
    if len(found) == 1:
        return found[0]
    who = "more than one player is" if found else "nobody is"
    listed = ", ".join(f"{seat} {foreign(name, 40)}" for seat, name in enumerate(names)) or "no names"
    raise UsageError(f"--seat: {who} called {foreign(text, 40)!r} (0 to 3, or a name: {listed})")


def write_page(path: Path, data: Json, language: str | None = None) -> None:
    """Write a page, in one language or in all, and report its size on stderr."""
    path.write_text(page_html(data, language), "utf-8")
    size = f"{path.stat().st_size / 1e6:.1f}"
    values = {"path": foreign(path, MESSAGE), "rounds": len(data["rounds"]), "moments": len(data["frames"])}
    print(messages(language or "en").text("view.page", **values, size=size), file=sys.stderr)


def run(options: argparse.Namespace) -> int:
    """Write the page; with --table also print a decision."""
    game, note = chosen_game(options.log, options.game, options.last_round)
    seat = None if options.seat is None else named_seat(game, options.seat)
    data = page_data(game, source=str(options.log), title=options.log.name, seat=seat)
    words = messages(options.lang or "en")
    write_page(options.output, data, options.lang)
    if options.table:
        at, seat, decision = closest_choice(game)
        place = {"name": foreign(data["names"][seat]), "seat": seat, "n": at + 1}
        print(words.text("view.moment", **place, total=len(data["frames"])))
        print(f"{decision_table(decision)}\n\n{_glossary(words)}\n")
        print(words.text("view.link", url=f"{options.output.resolve().as_uri()}#at={at}&seat={seat}"))
    if note:
        print(note, file=sys.stderr)
    return 0


def _glossary(words: Messages) -> str:
    """Return the meaning of every column of a decision's table, one per line."""
    names = (*(column.wire for column in COLUMNS), "ukeire", "tenpaiProbs")
    meanings = {name: words.text(f"row.{name}") for name in names}
    width = max(map(len, meanings))
    return "\n".join(f"{name:<{width}}  {meaning}" for name, meaning in meanings.items())
