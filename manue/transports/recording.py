"""Recording of conversations: every line in both directions, and the position of every failed decision."""

import contextlib
import os
from datetime import datetime, timezone
from pathlib import Path

from pydantic_core import from_json, to_json

from manue.errors import LogError
from manue.foreign import MESSAGE, printable
from manue.game.events import GameStart
from manue.protocol.codec import event_to_fields
from manue.protocol.session import Session
from manue.records.log_writer import LogWriter
from manue.stderr import report
from manue.transports.base import Channel
from manue.user_folders import state_folder

NOTHING_GIVEN = GameStart()
MAX_FAILURES = 20
"""Maximum number of positions saved by one process, so that a broken agent cannot fill the disk."""


class ConversationFiles:
    """Numbered files, one per game: the name ``bot.jsonl`` gives ``bot-1.jsonl``, ``bot-2.jsonl`` and so on.

    They are gzipped if the name ends with ``.gz``. Existing files are kept. Each line is
    ``{"time": ..., "dir": "in"|"out", "line": ...}``, flushed at once. A line that starts a game also has
    ``"given": {"type": "start_game", ...}``, where the player was given the rules or the length.

    Parameters
    ----------
    path : Path
    given : GameStart
        What the player was given.
    """

    def __init__(self, path: Path, given: GameStart = NOTHING_GIVEN) -> None:
        self._path = path
        self._given = {} if given == NOTHING_GIVEN else {"given": event_to_fields(given)}
        self._number = 0
        self._file: LogWriter | None = None
        self._in_game = False
        self._begun = False  # whether there is a file already, of this connection or of an earlier one
        self._broken = False

    def keep(self, direction: str, line: str | bytes) -> None:
        """Write one line; the start of another game on the connection begins the next file.

        The first line of a connection begins a file, so that one which was refused leaves none. An I/O error
        such as a full disk is reported once and ends the recording, not the game.

        Raises
        ------
        LogError
            If the first file cannot be written.
        """
        if self._broken:
            return
        text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        starts_game = direction == "in" and _starts_game(text)
        entry = {"time": now, "dir": direction, "line": text.rstrip("\r\n")}
        try:
            file = self._file_for(starts_game=starts_game)
            file.write(entry | self._given if starts_game else entry)
        except LogError as error:
            if not self._begun:
                raise
            report(f"{error}; the recording ends here")
            self._broken = True
            with contextlib.suppress(LogError):  # what could not be written is still buffered
                self.close()

    def _file_for(self, *, starts_game: bool) -> LogWriter:
        """Return the file for a line: the next one where a connection, or another game on it, begins."""
        if self._file is None or (starts_game and self._in_game):
            self.close()
            self._file = self._next_file()
        self._in_game |= starts_game
        return self._file

    def _next_file(self) -> LogWriter:
        packed = self._path.suffix if self._path.suffix == ".gz" else ""
        plain = self._path.with_suffix("") if packed else self._path
        while True:
            self._number += 1
            path = plain.with_name(f"{plain.stem}-{self._number}{plain.suffix}{packed}")
            with contextlib.suppress(FileExistsError):
                file = LogWriter(path, replace=False)
                self._begun = True
                return file

    def close(self) -> None:
        """Close the current file."""
        self._in_game = False
        if self._file is not None:
            self._file.close()
            self._file = None


def _starts_game(line: str) -> bool:
    """Return whether a line is the start of a game, or an array that has one; a request may quote one."""
    if '"start_game"' not in line:
        return False
    try:
        found = from_json(line)
    except (ValueError, RecursionError):
        return False
    messages = found if isinstance(found, list) else [found]
    return any(isinstance(one, dict) and one.get("type") == "start_game" for one in messages)


class LoggedChannel:
    """A channel whose lines are recorded, with direction and time, in a file of their own."""

    def __init__(self, channel: Channel, files: ConversationFiles) -> None:
        self._channel = channel
        self._files = files

    async def receive(self) -> str | bytes | None:
        """Return the next line after recording it."""
        line = await self._channel.receive()
        if line is not None:
            self._files.keep("in", line)
        return line

    async def send(self, line: str) -> None:
        """Record a line, without its token, and send it."""
        self._files.keep("out", _without_token(line))
        await self._channel.send(line)

    async def close(self) -> None:
        """Close the channel and the file."""
        await self._channel.close()
        self._files.close()


def _without_token(line: str) -> str:
    if '"token"' not in line:
        return line
    fields = from_json(line)
    return to_json(fields | {"token": "***"}).decode() if "token" in fields else line


def failure_folder() -> Path:
    """Return the folder for positions of failed decisions: ``failures`` in the user's."""
    return state_folder() / "failures"


class FailureKeeper:
    """Saves the round of a failed decision as a log for ``manue review``, and reports the path."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or failure_folder()
        self._count = 0

    def __call__(self, session: Session, reason: str) -> None:
        """Write the position; an I/O error is reported and does not disturb the game."""
        self._count += 1
        if self._count > MAX_FAILURES:
            return
        now = datetime.now(timezone.utc).strftime("%Y%m%d-%H%M%S")
        path = self._folder / f"failure-{now}-{os.getpid()}-{self._count}.mjson"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with LogWriter(path) as log:
                for event in session.position():
                    log.write(event)
        except (LogError, OSError) as error:
            report(f"the position could not be saved: {error}")
            return
        text = f"{printable(reason)}; the position is in {path} (open it with: manue review)"
        report(printable(text, MESSAGE))
