"""``manue bot``: start a bot of one's own, and try any bot in a scripted game."""

import argparse
import shlex
from importlib import resources
from pathlib import Path

from manue.as_text import counted
from manue.commands.options import path, seconds
from manue.errors import UsageError
from manue.rehearsal.rehearsal import Rehearsal
from manue.table.program_spec import parse_program, without_name
from manue.whole_files import write_whole

STARTERS = {"python": "bot.py", "js": "bot.js", "agent": "agent.py"}
"""What is written to the file of its starter: a bot in a language, or a class for manue's own process."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    actions = parser.add_subparsers(dest="action", metavar="{new,check}", required=True)
    new = actions.add_parser("new", help="write a bot or an agent to start from, which plays as it is")
    language = new.add_mutually_exclusive_group(required=True)
    for name, file in STARTERS.items():
        what = f"write {file}, a Python class that manue imports" if name == "agent" else f"write {file}"
        language.add_argument(f"--{name}", dest="language", action="store_const", const=name, help=what)
    new.add_argument("folder", metavar="DIR", type=path, help="where to write it")
    check = actions.add_parser(
        "check", help="lead a bot through a game with every kind of event and judge its answers"
    )
    check.add_argument(
        "bot", metavar="COMMAND", help="as for manue match: cmd:PROGRAM ARGS, cmd-each:..., cmd-array:..."
    )
    check.add_argument(
        "--seconds", type=seconds, default=10.0, metavar="S", help="limit of an answer (default: %(default)s)"
    )


def run(options: argparse.Namespace) -> int:
    """Write a bot, or try one."""
    return _new(options.folder, options.language) if options.action == "new" else _check(options)


def _new(folder: Path, language: str) -> int:
    name = STARTERS[language]
    target = folder / name
    if target.exists():
        raise UsageError(f"{target} exists already")
    folder.mkdir(parents=True, exist_ok=True)
    text = (resources.files("manue.rehearsal") / "starters" / name).read_text("utf-8")
    write_whole(target, text)
    if language == "agent":
        _present_agent(target)
    else:
        _present_bot(target)
    return 0


def _present_agent(target: Path) -> None:
    """Print how to try an agent, from the current folder if it can be imported there, else from its own."""
    *folders, module = target.with_suffix("").parts
    named_here = all(part.isidentifier() for part in folders)
    spec = f"{'.'.join([*folders, module]) if named_here else module}:Mine"
    print(f"{target}: try it, let it play:")
    if not named_here:
        print(f"  cd {shlex.quote(str(target.parent))}")
    print(f"  manue position --hand 123m406p789s1122z9m --agent {spec}")
    print(f"  manue match --seats {spec},greedy --format one-three --out out/mine")
    print("docs/library.md has what the state and the actions hold")


def _present_bot(target: Path) -> None:
    target.chmod(0o755)
    program = _word_of_spec(str(target) if target.is_absolute() else f"./{target}")
    print(f"{target}: try it, let it play, see what it is sent:")
    print(f"  manue bot check {_word_of_shell(f'cmd:{program}')}")
    seats = _word_of_shell(f"mine=cmd-keep:{program},greedy")
    print(f"  manue match --seats {seats} --format one-three --out out/mine")
    print("docs/bots.md has every event with an example")


def _word_of_spec(path: str) -> str:
    """Quote a path for the spec of a program, where commas separate seats and ``{seat}`` is filled in."""
    text = path.replace("{", "{{").replace("}", "}}")
    quoted = shlex.quote(text)
    return f"'{text}'" if quoted == text and "," in text else quoted


def _word_of_shell(text: str) -> str:
    """Quote an argument for a shell: in double quotes where any would do, as in the documents."""
    quoted = shlex.quote(text)
    return f'"{text}"' if quoted == text else quoted


def _check(options: argparse.Namespace) -> int:
    text = options.bot if parse_program(options.bot) else f"cmd:{options.bot}"
    spec = parse_program(without_name(text))
    if spec is None:
        raise UsageError(f"{options.bot!r} names no program")
    spec.check()
    rehearsal = Rehearsal(spec, options.seconds, print)
    rehearsal.run()
    verdict = "all is right" if not rehearsal.wrong else f"{rehearsal.wrong} wrong (look for WRONG)"
    late = f", {rehearsal.late} not in time" if rehearsal.late else ""
    slowest = "" if rehearsal.slowest_ms is None else f", the slowest {rehearsal.slowest_ms:.0f} ms"
    print(f"{counted(rehearsal.asked, 'decision')}{late}{slowest}: {verdict}")
    return 0 if not rehearsal.wrong else 1
