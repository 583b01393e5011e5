"""How a program is named as a player: ``NAME=cmd-each:[cwd=DIR,env.KEY=VALUE] PROGRAM ARGUMENTS``."""

import os
import re
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from manue.errors import UsageError
from manue.tiles import Seat

BotFraming = Literal["cmd", "cmd-each", "cmd-array"]
"""What a program receives, and what it answers.

``cmd``: one event per line, answered only when there is a choice; all others carry ``"can_act":false``.
``cmd-each``: one event per line, every line answered.
``cmd-array``: arrays of the events up to the next choice, every array answered.
"""
PROGRAM_HELP = (
    "a program of your own: cmd:PROGRAM ARGS (Mjai on its standard streams, answered where it may act), "
    "cmd-each: (every line answered), cmd-array: (arrays), with -keep (cmd-keep:) one process for all games; "
    "{seat} is replaced by the seat; docs/bots.md has the contract"
)
"""What programs may be called, for help texts."""
_KIND = re.compile(r"\s*(?:([^=:,]+)=)?(cmd|cmd-each|cmd-array)(-keep)?:")
_NAMED = re.compile(r"\s*([^=:,]+)=((?:cmd|tcp)[\w-]*:.*)", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}|\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class ProgramSpec:
    """A program as a player.

    Parameters
    ----------
    framing : {"cmd", "cmd-each", "cmd-array"}
    command : str
        Program and arguments, split as a shell would; ``{seat}`` is replaced by the seat.
    keep : bool
        Whether one process plays game after game; it learns its seat from each ``start_game``.
    folder : Path or None
        Where the program runs; by default in the current folder.
    env : tuple of (str, str)
        Added to its environment.
    """

    framing: BotFraming
    command: str
    keep: bool = False
    folder: Path | None = None
    env: tuple[tuple[str, str], ...] = ()

    def words(self, seat: Seat) -> list[str]:
        """Return the program and its arguments; ``{{word}}`` stands for ``{word}`` itself.

        Raises
        ------
        UsageError
            If the command is empty, has an unclosed quote, or a placeholder that is not known.
        """
        words = [self._filled(word, seat) for word in _words(self.command)]
        if not words:
            raise UsageError(f"{self.framing}: must name a program")
        return words

    def environment(self) -> dict[str, str]:
        """Return all variables that the program sees."""
        return {**os.environ, **dict(self.env)}

    def check(self) -> None:
        """Check that the program can be started, as far as that can be seen without starting it.

        Raises
        ------
        UsageError
            If there is no such folder or program, or it may not be executed.
        """
        program = self.words(0)[0]
        folder = self.folder or Path()
        if not folder.is_dir():
            raise UsageError(f"cwd={folder}: no such folder")
        if "/" not in program:
            if shutil.which(program, path=self.environment().get("PATH")) is None:
                beside = f"; for the file in {folder.resolve()} write ./{program}"
                known = (folder / program).is_file()
                raise UsageError(f"{self.command!r}: no program {program!r}{beside if known else ''}")
            return
        path = folder / program
        if not path.exists():
            raise UsageError(f"{self.command!r}: there is no file {str(path)!r}")
        if path.is_dir():
            raise UsageError(f"{self.command!r}: {str(path)!r} is a folder")
        if not os.access(path, os.X_OK):
            raise UsageError(
                f"{self.command!r}: {str(path)!r} is not executable: chmod +x it, or name its interpreter, "
                f"as in {self.framing}:python3 {program}"
            )

    def _filled(self, word: str, seat: Seat) -> str:
        def fill(found: re.Match[str]) -> str:
            """Return what stands for a placeholder; raises UsageError for an unknown one."""
            literal, name = found.groups()
            if literal is not None:
                return f"{{{literal}}}"
            if name != "seat":
                raise UsageError(
                    f"{self.command!r}: unknown placeholder {{{name}}}; known: {{seat}} "
                    f"(write {{{{{name}}}}} for the text itself)"
                )
            if self.keep:
                raise UsageError(
                    f"{self.command!r}: a kept program plays in any seat: it learns from start_game which, "
                    "not by {seat}"
                )
            return str(seat)

        return _PLACEHOLDER.sub(fill, word)


def parse_program(spec: str) -> ProgramSpec | None:
    """Read the spec of a program; return ``None`` for any other spec.

    Raises
    ------
    UsageError
        If its settings are malformed or unknown.
    """
    found = _KIND.match(spec)
    if found is None:
        return None
    framing, rest = found[2], spec[found.end() :].strip()
    folder: Path | None = None
    env: tuple[tuple[str, str], ...] = ()
    if rest.startswith("["):
        end = _closing_bracket(rest)
        folder, env = _parse_settings(rest[1:end], spec)
        rest = rest[end + 1 :].strip()
    return ProgramSpec(framing, rest, found[3] is not None, folder, env)  # type: ignore[arg-type]  # the pattern has only the three


def _parse_settings(text: str, spec: str) -> tuple[Path | None, tuple[tuple[str, str], ...]]:
    """Return ``folder`` and ``env`` of a `ProgramSpec` from what stands in brackets; raises UsageError."""
    folder, env = None, []
    for part in _split_settings(text):
        key, equals, value = part.partition("=")
        value = " ".join(_words(value))
        if "{seat}" in value:
            raise UsageError(
                f"{spec!r}: {part!r}: {{seat}} stands only in the command, which is given the seat"
            )
        if key == "cwd" and value:
            folder = Path(value)
        elif key.startswith("env.") and len(key) > 4 and equals:
            env.append((key.removeprefix("env."), value))
        else:
            raise UsageError(f"{spec!r}: unknown setting {part!r}; known: cwd=DIR, env.NAME=VALUE")
    return folder, tuple(env)


def name_of(spec: str) -> str:
    """Return what a player is called in tables: ``NAME`` of ``NAME=cmd:...``, else the spec."""
    found = _NAMED.fullmatch(spec)
    return spec if found is None else found[1].strip()


def without_name(spec: str) -> str:
    """Return a spec without its ``NAME=``."""
    found = _NAMED.fullmatch(spec)
    return spec if found is None else found[2]


def check_names(specs: Sequence[str]) -> None:
    """Check that no two players share a name; raises UsageError."""
    owners: dict[str, str] = {}
    for spec in specs:
        if owners.setdefault(name_of(spec), spec) != spec:
            raise UsageError(f"two players are called {name_of(spec)!r}")


def split_parts(text: str) -> list[str]:
    """Split at commas; within a program, not at those in quotes or in its ``[settings]``."""
    parts = [""]
    at = 0
    while at < len(text):
        program = _KIND.match(parts[-1])
        after = at + 1
        if text[at] == ",":
            parts.append("")
            at = after
            continue
        if program is not None and text[at] == "[" and not parts[-1][program.end() :].strip():
            after = at + _closing_bracket(text[at:]) + 1
        elif program is not None:
            after = _after_quoted(text, at)
        parts[-1] += text[at:after]
        at = after
    return [part.strip() for part in parts]


def _split_settings(text: str) -> list[str]:
    """Split at the commas outside quotes."""
    parts, at = [""], 0
    while at < len(text):
        after = _after_quoted(text, at)
        if text[at] == ",":
            parts.append("")
        else:
            parts[-1] += text[at:after]
        at = after
    return [part.strip() for part in parts]


def _after_quoted(text: str, at: int) -> int:
    """Return where a quoted text ends that begins at ``at``, else ``at + 1``."""
    if text[at] == "\\":
        return min(at + 2, len(text))
    if text[at] not in "'\"":
        return at + 1
    end = at + 1
    while end < len(text) and text[end] != text[at]:
        end += 2 if text[end] == "\\" and text[at] == '"' else 1
    return min(end + 1, len(text))


def _closing_bracket(text: str) -> int:
    """Return where the settings end that ``text`` begins with; raises UsageError."""
    at = 1
    while at < len(text):
        if text[at] == "]":
            return at
        at = _after_quoted(text, at)
    raise UsageError(f"{text!r}: the settings of a program end with a bracket: [cwd=DIR,env.NAME=VALUE]")


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(f"cannot read the command {text!r}: {error}") from error
