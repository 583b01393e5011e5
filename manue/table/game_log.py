"""The log of a game that people or clients are playing: it never ends the game."""

import logging
from contextlib import suppress

from manue.errors import LogError
from manue.foreign import printable
from manue.records.log_writer import LogWriter

LOG = logging.getLogger(__name__)


class GameLog(LogWriter):
    """The log of a game that goes on where its log cannot: trouble such as a full disk ends only the log."""

    broken = False  # once it is, nothing more is written

    def _put(self, data: bytes) -> None:
        if self.broken:
            return
        try:
            super()._put(data)
        except LogError as error:
            self.broken = True
            LOG.warning("manue: %s; the log of this game ends here", printable(error))

    def _end_file(self) -> None:
        with suppress(LogError):  # said already
            super()._end_file()
