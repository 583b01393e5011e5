"""Every error this package raises on purpose.

    ManueError
    ├── TileError           a text that names no tile
    ├── HandError           a hand of the wrong size, too many melds, five of a kind
    ├── EventError          an event that cannot follow what is known of the round
    ├── PositionError       a position written down by hand that cannot arise, or with nothing to decide
    ├── IllegalActionError  an action outside the legal set
    ├── AgentError          an agent from outside this package that raised an error
    ├── ModelError          a model file that is missing, damaged or has another schema
    ├── ProtocolError       a line that is not a message of the protocol
    │   ├── LogError        the same in a file; gives its name and the line number
    │   └── ThreePlayersError  a game of three players, which nobody here plays
    ├── DamagedError        data that are cut short or damaged
    ├── ConnectionLostError the connection was lost before the game was over
    ├── SeatFault           a seat's player died, was late, or gave no answer or an illegal one
    │   └── StrictFault     one that ends a strict match
    ├── AbandonedError      all clients that a game was played for have failed
    ├── ProblemError        a problem book that cannot be read, or a problem that makes no sense
    ├── UsageError          a command line or a call of the library that asks for something impossible
    │   ├── MissingArgumentError  one that asks for an argument
    │   └── UnknownAgentError  a name that no agent has
    └── MissingExtraError   an optional dependency that is not installed

The command line prints any of them as one line and exits with the class's ``exit_code``.
"""

import os
import re

_ERRNO = re.compile(r"\[Errno (\d+)\]")


class ManueError(Exception):
    """Base class of all deliberate errors; ``exit_code`` is the exit code of the command line."""

    exit_code = 1


class TileError(ManueError, ValueError):
    """A text that is not a tile."""


class HandError(ManueError, ValueError):
    """A hand with the wrong size, too many melds, or five of a kind."""


class EventError(ManueError, ValueError):
    """An event that is impossible given what is known of the round."""


class PositionError(ManueError, ValueError):
    """A position written down by hand that cannot arise, or in which there is nothing to decide."""


class IllegalActionError(ManueError, ValueError):
    """An action outside the legal set."""


class AgentError(ManueError):
    """An agent from outside this package raised an error, which is the cause of this one.

    Parameters
    ----------
    agent : str
        Its name.
    what : str
        The error in one line, with its class.
    where : str
        Where in the agent's own file it came from, ``hasty.py, line 9``; empty if not from there.
    """

    def __init__(self, agent: str, what: str, where: str) -> None:
        super().__init__(agent, what, where)  # all of them, so that the error can be pickled
        self.agent = agent
        self.what = what
        self.where = where

    def __str__(self) -> str:
        return f"agent {self.agent} failed: {self.what}" + (f" ({self.where})" if self.where else "")


class ModelError(ManueError):
    """A model file that is missing, damaged, or has another schema."""


class ProtocolError(ManueError, ValueError):
    """A line that is not a message of the protocol."""


class LogError(ProtocolError):
    """A damaged or foreign game log; the message names the file and the line."""


class ThreePlayersError(ProtocolError):
    """A three-player game, which is not supported."""

    def __init__(self, text: str = "a three-player game (sanma): not supported") -> None:
        super().__init__(text)  # given again where the error is unpickled


class DamagedError(ManueError):
    """The data are cut short or damaged; everything complete has been yielded."""


class ConnectionLostError(ManueError, ConnectionError):
    """The connection was lost before the game was over."""

    exit_code = 3


class SeatFault(ManueError):  # noqa: N818 - recorded as what went wrong at a seat; not always raised
    """A seat's player failed: it died, was late, gave no answer when asked, or made an illegal move.

    Parameters
    ----------
    kind : str
        One word, for the statistics: ``illegal``, ``silent``, ``late``, ``died``, ``unreadable``.
    reason : str
    sent : bytes or str
        What the player sent, where the reason does not quote it.
    """

    def __init__(self, kind: str, reason: str, sent: bytes | str = "") -> None:
        super().__init__(kind, reason, sent)  # all arguments, so that it can be pickled
        self.kind = kind
        self.reason = reason
        self.sent = sent

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"


class StrictFault(SeatFault):
    """A fault that ends a strict match; its reason says what, whose, when, and what was allowed."""

    def __str__(self) -> str:
        return self.reason


class AbandonedError(ManueError):
    """All clients that a game was played for have failed."""


class ProblemError(ManueError, ValueError):
    """A problem book that cannot be read; the message names the file and the problem."""


class UsageError(ManueError):
    """A command line, or a call of the library, that asks for something impossible."""

    exit_code = 2


class MissingArgumentError(UsageError):
    """A call that needs one more argument: a parameter of the library, on the command line an option.

    Parameters
    ----------
    text : str
        What to do with it: ``choose one``.
    name : str
        Of the parameter and of the option.
    values : str
    """

    def __init__(self, text: str, name: str, values: str) -> None:
        super().__init__(text, name, values)  # all of them, so that the error can be pickled
        self.text = text
        self.name = name
        self.values = values

    def __str__(self) -> str:
        return f"{self.text} with {self.name}={self.values}"

    def for_command_line(self) -> str:
        """Return what the error says, with the option in place of the parameter."""
        return f"{self.text} with --{self.name} {self.values}"


class UnknownAgentError(UsageError):
    """A name that no agent has; where programs may play, too, the message can add how they are named."""


class MissingExtraError(ManueError, ImportError):
    """An optional dependency that is not installed.

    Parameters
    ----------
    package : str
        The missing distribution.
    extra : str
        The extra of this package that installs it.
    """

    exit_code = 2

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(package, extra)  # both, so that the error can be pickled
        self.package = package
        self.extra = extra

    def __str__(self) -> str:
        return f"{self.package} is not installed; install it with: pip install 'manue[{self.extra}]'"


NOT_OF_AGENTS = (KeyboardInterrupt, GeneratorExit)
"""These pass through an agent; whatever else it raises is its failure, even if it is no ``Exception``, like
the panic of a library in Rust, ``SystemExit`` or ``CancelledError``."""


def described(error: BaseException) -> str:
    """Return an error in one line: its class, and the first line of its text if it has one.

    An `AgentError` is described as the error that it was raised for.
    """
    if isinstance(error, AgentError):
        return error.what
    text = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def system_reason(error: Exception) -> str:
    """Return why the system refused something, in its own words: libraries add addresses to them."""
    if type(error).__module__ == "builtins":  # those of TLS and of names have numbers of their own
        if isinstance(error, OSError) and error.errno is not None:
            return os.strerror(error.errno)
        if found := _ERRNO.search(str(error)):  # the first of several addresses tried
            return os.strerror(int(found[1]))
    return getattr(error, "strerror", None) or str(error)


def with_file(error: ManueError, file: object) -> str:
    """Return what an error says in one line that names the file it is about."""
    text = str(error)
    return text if str(file) in text else f"{file}: {text}"
