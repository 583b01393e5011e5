"""Positions to measure on: decisions of recorded games, each sort as often as it occurs in play."""

import copy
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from manue.errors import LogError
from manue.game.actions import Action
from manue.game.state import RoundState
from manue.records.archive import find_logs, read_log
from manue.records.decisions import recorded_decisions

PER_GAME = 25
"""Most positions taken from one game."""
SAMPLES = Path(__file__).parents[2] / "data" / "games"
"""The sample games of a checkout."""


@dataclass(frozen=True, slots=True)
class SampledPosition:
    """A decision to make: what the seat knows, and what it may do."""

    state: RoundState
    actions: tuple[Action, ...]


def bench_logs(given: Sequence[Path]) -> list[Path]:
    """Return the logs given, or else those in the folder that ``MANUE_DATA`` names, or else the sample games.

    Raises
    ------
    LogError
        If there are none.
    """
    if given:
        return find_logs(given)
    if records := os.environ.get("MANUE_DATA"):
        return find_logs([records])
    if SAMPLES.is_dir():
        return find_logs([SAMPLES])
    raise LogError("no game logs to take positions from: name some with --logs, or a folder with MANUE_DATA")


def sample_positions(
    logs: Sequence[Path], number: int, seed: int, advance: Callable[[int], None]
) -> list[SampledPosition]:
    """Choose decisions of all four seats at random, evenly spread over some games.

    Parameters
    ----------
    logs : sequence of Path
        Logs with all hands visible; games are chosen among them at random.
    number : int
    seed : int
    advance : callable
        Called with the number of positions found since its last call.
    """
    rng = random.Random(seed)
    games = min(len(logs), -(-number // PER_GAME))
    taken: list[SampledPosition] = []
    for at, log in enumerate(rng.sample(list(logs), games)):
        wanted = (at + 1) * number // games - at * number // games
        events = [entry.event for entry in read_log(log) if entry.event is not None]
        total = sum(1 for _ in recorded_decisions(events))
        chosen = set(rng.sample(range(total), min(wanted, total)))
        taken += [
            SampledPosition(copy.deepcopy(choice.state), choice.actions)
            for i, choice in enumerate(recorded_decisions(events))
            if i in chosen
        ]
        advance(wanted)
    return taken
