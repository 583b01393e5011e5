"""Positions to measure on: decisions of recorded games, each sort as often as it occurs in play."""

import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from manue.as_text import counted
from manue.errors import EventError, LogError, with_file
from manue.game.actions import Action
from manue.game.state import RoundState
from manue.records.decisions import recorded_decisions
from manue.records.finding import find_logs
from manue.records.games import games_of

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

    Raises
    ------
    LogError
        If a log cannot be read or replayed, or there are no decisions in those chosen.
    """
    rng = random.Random(seed)
    games = min(len(logs), -(-number // PER_GAME))
    taken: list[SampledPosition] = []
    chosen = rng.sample(list(logs), games)
    for at, log in enumerate(chosen):
        wanted = (at + 1) * number // games - at * number // games
        try:
            taken += _of_game(log, wanted, rng)
        except EventError as error:
            raise LogError(with_file(error, log)) from None
        advance(wanted)
    if not taken:
        others = f" and {counted(games - 1, 'other log')}" if games > 1 else ""
        raise LogError(f"{chosen[0]}{others}: no decisions to measure")
    return taken


def _of_game(log: Path, wanted: int, rng: random.Random) -> list[SampledPosition]:
    events = [event for game in games_of(log) for event in game.events]
    total = sum(1 for _ in recorded_decisions(events))
    chosen = set(rng.sample(range(total), min(wanted, total)))
    return [
        SampledPosition(choice.state.copied(), choice.actions)
        for i, choice in enumerate(recorded_decisions(events))
        if i in chosen
    ]
