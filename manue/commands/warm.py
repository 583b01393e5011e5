"""``manue warm``: compile kernels ahead of the first game, for installers and images."""

import argparse

from manue.compiled import cache_dir, has_compiler
from manue.errors import UsageError
from manue.transports.warming import fill_cache


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "agents",
        metavar="SPEC",
        nargs="*",
        default=["manue"],
        help="agents to compile for (default: manue)",
    )
    parser.epilog = (
        "The compiled kernels are kept in $NUMBA_CACHE_DIR, else under $XDG_CACHE_HOME/manue or\n"
        "~/.cache/manue; every copy of the same version on the same kind of processor finds them there."
    )


def run(options: argparse.Namespace) -> int:
    """Compile what is not compiled yet."""
    if not has_compiler():
        raise UsageError("numba is not installed: there is nothing to compile")
    for spec in options.agents:
        done = fill_cache(spec)
        print(f"{spec}: {'compiled' if done else 'already compiled'}, in {cache_dir()}")
    return 0
