"""Programs that play game after game in one process (``cmd-keep:``): those that wait for their next game."""

import atexit
import threading

from manue.table.program import Program
from manue.table.program_spec import ProgramSpec
from manue.tiles import Seat

_LOCK = threading.Lock()
_IDLE: dict[ProgramSpec, list[Program]] = {}


def take(spec: ProgramSpec, seat: Seat) -> Program:
    """Return a program that has finished its last game, or start one; raises UsageError if that fails."""
    while True:
        with _LOCK:
            idle = _IDLE.get(spec)
            program = idle.pop() if idle else None
        if program is None:
            return Program(spec, seat)
        if program.alive:
            return program
        program.close()  # it ended while it waited


def give_back(program: Program) -> None:
    """Let a program that has finished its game wait for the next."""
    with _LOCK:
        _IDLE.setdefault(program.spec, []).append(program)


def close_all() -> None:
    """End the programs that wait for a game."""
    with _LOCK:
        programs = [program for idle in _IDLE.values() for program in idle]
        _IDLE.clear()
    for program in programs:
        program.close_input()  # all at once, so that they end side by side
    for program in programs:
        program.close()


atexit.register(close_all)
