"""Recorded rounds at a table in compiled code: their wall, and a script of what was chosen."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from manue.arrays import I16
from manue.errors import EventError
from manue.game.checks import MAX_INDICATORS, MAX_KANS
from manue.game.events import (
    NINE_TERMINALS_REASONS,
    TRIPLE_RON_REASONS,
    Called,
    Discarded,
    DoraRevealed,
    Draw,
    Event,
    RiichiDeclared,
    RoundDrawn,
    RoundStart,
    Won,
)
from manue.game.view import LIVE_WALL
from manue.rules import TENHOU
from manue.sim.codes import DISCARD, DISCARD_DRAWN, NINE_TERMINALS, RIICHI, RON, TILE_NUMBER, TSUMO, code_of
from manue.sim.wall import DEALT, INDICATORS_AT, STEP_OF_DEALT, TILE_OF_PHYSICAL, URA_AT, WALL_TILES
from manue.tiles import Tile, round_index


@dataclass(frozen=True, slots=True)
class RecordedRound:
    """One round of a record.

    Attributes
    ----------
    start : RoundStart
    wall : int16[136]
        As `manue.sim.wall.fill_wall` fills it; what the round did not show is filled with the other tiles.
    script : int16[n, 2]
        The seat and the code of every choice but passing, in order.
    end : tuple of Event
        Its wins or its draw.
    """

    start: RoundStart
    wall: I16
    script: I16
    end: tuple[Won | RoundDrawn, ...]

    def set_up(self, t: Any) -> None:
        """Put the round on a table: the game around it and the wall.

        Raises
        ------
        EventError
            If the round has another dealer than its number says.
        """
        index = round_index(self.start.round_wind, self.start.number)
        if self.start.dealer != index % 4:
            raise EventError(f"round {index} of a game is dealt by seat {self.start.dealer}")
        t["index"] = index
        t["honba"], t["deposits"] = self.start.honba, self.start.deposits
        t["scores"][:] = self.start.scores or [TENHOU.start_points] * 4
        t["wall"][:] = self.wall
        t["script_at"] = t["fault"] = 0


def recorded_rounds(events: Sequence[Event]) -> Iterator[RecordedRound]:
    """Yield the rounds of a game with all hands open.

    Raises
    ------
    EventError
        If a hand or a drawn tile is hidden, or a tile is there too often.
    """
    starts = [at for at, event in enumerate(events) if isinstance(event, RoundStart)]
    for first, following in pairwise([*starts, len(events)]):
        start = events[first]
        assert isinstance(start, RoundStart)  # noqa: S101  selected above
        yield _Reading(start).read(events[first + 1 : following])


class _Reading:
    """A round being read."""

    def __init__(self, start: RoundStart) -> None:
        self._start = start
        self._wall = np.full(WALL_TILES, -1, np.int16)
        self._script: list[tuple[int, int]] = []
        self._end: list[Won | RoundDrawn] = []
        self._next = DEALT
        self._kans = self._shown = 0
        self._replaces = False
        self._turn = start.dealer
        self._deal()
        self._indicator(start.dora_indicator)

    def _deal(self) -> None:
        hands = [list(hand) for hand in self._start.hands]
        for at, step in enumerate(STEP_OF_DEALT.tolist()):
            self._put(at, hands[(self._start.dealer + step) % 4].pop())

    def _put(self, at: int, tile: Tile | None) -> None:
        if tile is None:
            raise EventError("a hidden tile: the wall is not known")
        self._wall[at] = TILE_NUMBER[tile]

    def _indicator(self, tile: Tile) -> None:
        if self._shown == MAX_INDICATORS:
            raise EventError(f"more than {MAX_INDICATORS} dora indicators")
        self._put(INDICATORS_AT - 2 * self._shown, tile)
        self._shown += 1

    def read(self, events: Sequence[Event]) -> RecordedRound:
        """Follow the events of the round."""
        for event in events:
            self._follow(event)
        self._fill()
        script = np.array(self._script, np.int16).reshape(-1, 2)
        return RecordedRound(self._start, self._wall, script, tuple(self._end))

    def _follow(self, event: Event) -> None:
        match event:
            case Draw(actor, tile):
                self._turn = actor
                self._draw(tile)
            case Discarded(actor, tile, from_draw):
                self._turn = actor
                self._choose(actor, (DISCARD_DRAWN if from_draw else DISCARD) + TILE_NUMBER[tile])
            case Called(actor, call):
                self._turn = actor
                self._replaces = call.kind not in {"chi", "pon"}
                self._choose(actor, code_of(call, actor))
            case RiichiDeclared(actor):
                self._choose(actor, RIICHI)
            case Won(actor, source):
                self._choose(actor, TSUMO if actor == source else RON)
                for place, tile in enumerate(event.ura_indicators[:MAX_INDICATORS]):
                    self._put(URA_AT - 2 * place, tile)
                self._end.append(event)
            case RoundDrawn(reason):
                self._drawn(reason)
                self._end.append(event)
            case DoraRevealed(indicator):
                self._indicator(indicator)
            case _:
                pass

    def _draw(self, tile: Tile | None) -> None:
        if self._replaces:
            if self._kans == MAX_KANS:
                raise EventError(f"more than {MAX_KANS} kans")
            self._kans += 1
            self._put(WALL_TILES - self._kans, tile)
        else:
            if self._next == DEALT + LIVE_WALL:
                raise EventError(f"more than {LIVE_WALL} tiles are drawn")
            self._put(self._next, tile)
            self._next += 1
        self._replaces = False

    def _drawn(self, reason: str) -> None:
        if reason in NINE_TERMINALS_REASONS:
            self._choose(self._turn, NINE_TERMINALS)
        if reason in TRIPLE_RON_REASONS:
            for step in range(1, 4):
                self._choose((self._turn + step) % 4, RON)

    def _choose(self, seat: int, code: int) -> None:
        self._script.append((seat, code))

    def _fill(self) -> None:
        """Fill the places that the round did not show with the tiles that are left."""
        left = Counter(TILE_OF_PHYSICAL.tolist())
        left.subtract(tile for tile in self._wall.tolist() if tile >= 0)
        if min(left.values()) < 0:
            raise EventError("a tile is there too often")
        self._wall[self._wall < 0] = list(left.elements())
