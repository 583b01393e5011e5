"""Examples for the policy net from recorded games: what the nets would have been shown, what people chose."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from manue.arrays import I64
from manue.errors import EventError
from manue.records.games import RecordedGame, collect_games
from manue.records.results import round_results
from manue.sim.kit import new_kit, put_script
from manue.sim.net import CONTEXT_SIZE, SHAPES
from manue.sim.play import play_round
from manue.sim.players import SCRIPTED
from manue.sim.replay import recorded_rounds
from manue.sim.table import new_tables

Halves = npt.NDArray[np.float16]
"""Inputs are small round numbers: half precision is enough to keep them."""


@dataclass(frozen=True, slots=True)
class TrainingExamples:
    """Examples that one net learns from: choices of recorded players, with what it would have been shown.

    Parameters
    ----------
    context : float16[n, CONTEXT_SIZE]
    rows : float16[m, columns]
        The options of all choices, one after the other.
    starts : int64[n + 1]
        First row of each choice; the last is the end.
    chosen : int64[n]
        Which of its options, from 0; -1 for none.
    """

    context: Halves
    rows: Halves
    starts: I64
    chosen: I64

    def __len__(self) -> int:
        """Return the number of choices."""
        return len(self.chosen)


def join(parts: Sequence[TrainingExamples], columns: int) -> TrainingExamples:
    """Join choices of one net."""
    offsets = np.cumsum([0, *(len(part.rows) for part in parts)])
    starts = [part.starts[:-1] + offset for part, offset in zip(parts, offsets[:-1], strict=True)]
    return TrainingExamples(
        np.concatenate([np.zeros((0, CONTEXT_SIZE), np.float16), *(part.context for part in parts)]),
        np.concatenate([np.zeros((0, columns), np.float16), *(part.rows for part in parts)]),
        np.concatenate([*starts, offsets[-1:]]).astype(np.int64),
        np.concatenate([np.zeros(0, np.int64), *(part.chosen for part in parts)]),
    )


class LearnedFrom(NamedTuple):
    """What some logs teach.

    Attributes
    ----------
    examples : dict of str to TrainingExamples
        By net.
    games : int
    skipped : list of str
        Why logs, or games of them, could not be used.
    """

    examples: dict[str, TrainingExamples]
    games: int
    skipped: list[str]


def examples_of(logs: Iterable[Path]) -> LearnedFrom:
    """Replay games with all hands open."""
    t, kit = new_tables(1)[0], new_kit(examples=True)
    t["player"][:] = SCRIPTED
    parts: dict[str, list[TrainingExamples]] = {name: [] for name in SHAPES}
    games, skipped = 0, []
    for log in logs:
        for found in collect_games(log, partial(_examples_of_game, t, kit)):
            if isinstance(found, str):
                skipped.append(found)
                continue
            games += 1
            for name in SHAPES:
                parts[name] += found[name]
    examples = {name: join(parts[name], shape.columns) for name, shape in SHAPES.items()}
    return LearnedFrom(examples, games, skipped)


def _examples_of_game(t: Any, kit: Any, game: RecordedGame) -> dict[str, list[TrainingExamples]]:
    """Return the examples of each round, by net; raises EventError if there is none or one is impossible."""
    rounds = list(recorded_rounds(game.events))
    if not rounds:
        raise EventError("no round in this game")
    round_results(game.events)  # raises EventError for a round that is not complete
    parts: dict[str, list[TrainingExamples]] = {name: [] for name in SHAPES}
    for number, recorded in enumerate(rounds):
        recorded.set_up(t)
        put_script(kit, recorded.script)
        forget_examples(kit)
        play_round(t, kit)
        if t["fault"] or t["script_at"] != len(recorded.script):
            raise EventError(f"round {number} of a game: one of its choices is not legal")
        for name in SHAPES:
            parts[name].append(noted(kit, name))
    return parts


def forget_examples(kit: Any) -> None:
    """Make room for the notes of a round."""
    for name in SHAPES:
        kit[name]["used"] = 0


def noted(kit: Any, name: str) -> TrainingExamples:
    """Return what a kit has noted of the choices of a net."""
    notes, used = kit[name], int(kit[name]["used"])
    starts = notes["starts"][: used + 1].astype(np.int64)
    return TrainingExamples(
        notes["context"][:used].astype(np.float16),
        notes["rows"][: starts[-1]].astype(np.float16),
        starts,
        notes["chosen"][:used].astype(np.int64),
    )
