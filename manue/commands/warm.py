"""``manue warm``: compile kernels ahead of the first game, for installers and images."""

import argparse
import os
import threading
import time
from pathlib import Path

from manue import kernel_cache
from manue.commands.options import path
from manue.compiled import has_compiler
from manue.errors import UsageError
from manue.kernel_cache import LEVELS, SHIPPED, UNUSED_DAYS, compile_for, remove_unused
from manue.warming import fill_cache, warm_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "agents",
        metavar="SPEC",
        nargs="*",
        default=["manue"],
        help="agents to compile for (default: manue)",
    )
    parser.add_argument(
        "--for",
        dest="level",
        choices=LEVELS,
        help="compile for every processor of this level, and keep the kernels with the package",
    )
    parser.add_argument(
        "--out",
        type=path,
        metavar="DIR",
        help="with --for: the folder manue/kernels of the package that is to have them (default: this one's)",
    )
    parser.add_argument("--until-eof", action="store_true", help=argparse.SUPPRESS)
    parser.epilog = (
        "The compiled kernels are kept in $NUMBA_CACHE_DIR, else under $XDG_CACHE_HOME/manue or\n"
        "~/.cache/manue; every copy of the same version on the same kind of processor finds them there.\n"
        f"Those of other versions there that have not been used for {UNUSED_DAYS} days are removed.\n"
        "With --for they are kept in the package, and serve wherever it is copied to: the same version of\n"
        "Python, numba and NumPy on a processor of that level."
    )


def run(options: argparse.Namespace) -> int:
    """Compile what is not compiled yet, and remove what has long not been used."""
    if not has_compiler():
        raise UsageError("numba is not installed: there is nothing to compile")
    if options.out is not None and not options.level:
        raise UsageError("--out goes with --for")
    if options.level:
        folder = SHIPPED if options.out is None else options.out
        _check_folder(folder)
        compile_for(options.level, folder)
    if options.until_eof:
        threading.Thread(target=_end_with_starter, name="starter", daemon=True).start()
    for spec in options.agents:
        done = fill_cache(spec)
        print(f"{spec}: {'compiled' if done else 'already compiled'}, in {warm_folder(spec)}")
    for folder in remove_unused(time.time()):
        print(f"removed {folder}: not used for {UNUSED_DAYS} days")
    return 0


def _check_folder(folder: Path) -> None:
    """Refuse a folder in which no copy of the package looks for kernels; raises UsageError."""
    if folder.name != SHIPPED.name or not (folder.parent / Path(kernel_cache.__file__).name).is_file():
        raise UsageError(f"--out {folder}: not the folder {SHIPPED.name} of a copy of the package manue")


def _end_with_starter() -> None:
    """End this process when the one that started it has ended: then its side of standard input closes."""
    while os.read(0, 1):  # not by sys.stdin, whose lock would be held when the interpreter ends
        pass
    os._exit(1)  # the compiler would not let an exception through; what is compiled stays in the cache
