"""What kind of round each seat had, and how it changed the seat's expected final placement.

For each seat, each round falls into one cell, ``hand/against/ending/time``:

- hand: ``riichi`` declared, ``open`` by a call, or ``closed`` to the end;
- against: no opponent declared riichi (``none``); one did so ``before`` this seat's riichi, or only ``after``
  it. If the seat did not declare riichi itself: whether it discarded (or added to a pon) a tile that could be
  won on (``risk``), or only tiles that every opponent in riichi had discarded, or passed on since declaring
  (``safe``);
- ending: ``win``, ``deal-in``, ``paid`` for another's self-draw, ``away`` (a ron between two other seats),
  ``draw``;
- time: ``last`` from the last planned round on (South 4, or East 4 in East-only games), ``early`` before.

The expected placement comes from `manue.models.placement` at the start of every round; at the end of the game
it is the real one. So the changes over the rounds of a game add up to the final placement minus the one
expected at its start.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from manue.arrays import I64
from manue.errors import ProtocolError
from manue.game.events import Called, Discarded, Event, RiichiDeclared, RoundStart, Won
from manue.models.model_set import Models
from manue.models.placement import PLACES, RoundPosition
from manue.rules import TENHOU
from manue.tiles import KIND_OF, Kind, Seat, Tile, round_index

UNIT = 10_000
"""Placements are stored as whole ten-thousandths, so that sums are exact in any order."""

HANDS = (
    "riichi/none",
    "riichi/after",
    "riichi/before",
    "open/none",
    "open/safe",
    "open/risk",
    "closed/none",
    "closed/safe",
    "closed/risk",
)
ROUND_ENDS = ("win", "deal-in", "paid", "away", "draw")
TIMES = ("early", "last")
DIVISIONS = {"hand": HANDS, "ending": ROUND_ENDS, "time": TIMES}
"""Three ways to divide all rounds, and the parts of each; their names are the texts ``situation.PART``."""


class CellParts(NamedTuple):
    """The part of each of `DIVISIONS` that a cell belongs to, in that order."""

    hand: str
    ending: str
    time: str


def parts_of(cell: str) -> CellParts:
    """Return the part of each division that a cell belongs to."""
    hand, against, ending, time = cell.split("/")
    return CellParts(f"{hand}/{against}", ending, time)


class _Round:
    """What the seats did in one round."""

    def __init__(self, start: RoundStart) -> None:
        self.start = start
        self.index = round_index(start.round_wind, start.number)
        self.called: set[Seat] = set()
        self.risked: set[Seat] = set()
        self.won: set[Seat] = set()
        self.sources: set[Seat] = set()  # whose tiles were won on; for a self-draw, the winner
        self.passed: dict[Seat, set[Kind]] = {}  # by seat in riichi: kinds it cannot win on by ron
        self._discarded: tuple[set[Kind], ...] = (set(), set(), set(), set())

    def declare(self, actor: Seat) -> None:
        """Note a riichi: from now on the seat cannot win on what it has discarded or lets pass."""
        self.passed[actor] = set(self._discarded[actor])

    def show(self, actor: Seat, tile: Tile, *, discarded: bool) -> None:
        """Note a tile that the others may win on."""
        kind = KIND_OF[tile]
        if discarded:
            self._discarded[actor].add(kind)
        if not self.passed:
            return
        if any(kind not in passed for passed in self.passed.values()):
            self.risked.add(actor)
        for passed in self.passed.values():
            passed.add(kind)

    def cell(self, seat: Seat, last: int) -> str:
        """Return the cell of a seat; ``last`` is the index of the last planned round."""
        time = "last" if self.index >= last else "early"
        return f"{self._hand(seat)}/{self._ending(seat)}/{time}"

    def _hand(self, seat: Seat) -> str:
        """Return the first two parts of the cell, ``hand/against``: one of `HANDS`."""
        declared = list(self.passed)  # in the order of the declarations
        if seat in self.passed:
            against = "before" if declared[0] != seat else "none" if len(declared) == 1 else "after"
            return f"riichi/{against}"
        against = "none" if not declared else "risk" if seat in self.risked else "safe"
        return f"{'open' if seat in self.called else 'closed'}/{against}"

    def _ending(self, seat: Seat) -> str:
        """Return one of `ROUND_ENDS`."""
        if not self.won:
            return "draw"
        if seat in self.won:
            return "win"
        if seat in self.sources:
            return "deal-in"
        return "paid" if self.sources & self.won else "away"


def load_placement_model() -> None:
    """Load and compile the placement model, so that no game has to wait for it at its end.

    Raises
    ------
    ModelError
        If the model file is missing or damaged.
    """
    Models.load().placement.final_places([TENHOU.start_points] * 4, RoundPosition(0, 0))


class Situations:
    """The rounds of a game, fed every event in order (all tiles may be visible)."""

    def __init__(self) -> None:
        self._rounds: list[_Round] = []

    def apply(self, event: Event) -> None:
        """Follow one event.

        Raises
        ------
        ProtocolError
            If a round begins without the points of the seats.
        """
        match event:
            case Discarded(actor, tile):
                self._rounds[-1].show(actor, tile, discarded=True)
            case Called(actor, call):
                if call.kind == "kakan" and call.tile is not None:
                    self._rounds[-1].show(actor, call.tile, discarded=False)
                elif call.kind != "ankan":
                    self._rounds[-1].called.add(actor)
            case RiichiDeclared(actor):
                self._rounds[-1].declare(actor)
            case Won(actor, source):
                self._rounds[-1].won.add(actor)
                self._rounds[-1].sources.add(source)
            case RoundStart(scores=None):
                raise ProtocolError("the referee dealt a round without giving the points")
            case RoundStart():
                self._rounds.append(_Round(event))
            case _:
                pass

    def to_json(self, scores: Sequence[int], places: Sequence[int], last: int) -> list[dict[str, Any]]:
        """Return what its rounds brought each seat, as plain data.

        Parameters
        ----------
        scores, places : sequence of int
            Points and places 1..4 by seat at the end of the game.
        last : int
            Index of the last planned round, 0 for East 1: 7 for a hanchan, 3 for an East-only game.

        Returns
        -------
        list of dict
            ``start``, the placement expected at the start of the game, and ``cells``: for each cell the
            number of rounds, the points gained in them, and the change of the expected placement. Placements
            are in ten-thousandths.
        """
        points = np.array([*(one.start.scores for one in self._rounds), scores], np.int64)
        placements = np.vstack([self._expected(last), UNIT * np.asarray(places, np.int64)])
        gained, moved = np.diff(points, axis=0), np.diff(placements, axis=0)
        seats: list[dict[str, Any]] = []
        for seat in range(4):
            cells: dict[str, list[int]] = {}
            for at, one in enumerate(self._rounds):
                sums = cells.setdefault(one.cell(seat, last), [0, 0, 0])
                for column, value in enumerate((1, int(gained[at, seat]), int(moved[at, seat]))):
                    sums[column] += value
            seats.append({"start": int(placements[0, seat]), "cells": cells})
        return seats

    def _expected(self, last: int) -> I64:
        """Return the placements expected at the start of each round: int64[rounds, 4], in ten-thousandths."""
        scores = np.array([one.start.scores for one in self._rounds], np.float64)
        index, dealer, honba = np.array(
            [(one.index, one.start.dealer, one.start.honba) for one in self._rounds], np.int64
        ).T.copy()
        probabilities = Models.load().placement.places_at(scores, index, dealer, honba, last)
        return np.asarray(np.rint(UNIT * (probabilities @ PLACES)), np.int64)
