"""The head of a Mahjong Soul record: who played, by which rules, and with what result."""

from collections.abc import Mapping
from typing import Any

from manue.foreign import printable
from manue.protocol.codec import KYOKU_FIRST, Fields
from manue.rules import EAST_ONLY, HANCHAN
from manue.tiles import Seat

_LENGTHS = {1: EAST_ONLY, 2: HANCHAN}
"""The length of a game by ``config.mode.mode``; those of three players are 11 and 12."""
_ROOM_FLAGS = {"dora_count": "aka_flag", "shiduan": "kuitan_flag"}
"""Settings of a friends' room, where 0 means without, by their names in ``config.mode.detail_rule``."""


class Head:
    """The head of a record.

    Parameters
    ----------
    fields : mapping
        With all names in snake case; empty if the record has no head.
    """

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    @property
    def of_three(self) -> bool:
        """Whether it says that three play."""
        mode = self._mode().get("mode")
        return (isinstance(mode, int) and 11 <= mode < 20) or len(self._results()) == 3

    @property
    def four_red_fives(self) -> bool:
        """Whether it says that there is a second red 5p."""
        return bool(self._room().get("dora_count") == 4)

    def start(self) -> Fields:
        """Return the start of the game as a Mjai event."""
        mode: Any = self._mode().get("mode")
        length = _LENGTHS.get(mode)
        known = {} if length is None else {"kyoku_first": KYOKU_FIRST[length]}
        room = self._room()
        without = {flag: False for name, flag in _ROOM_FLAGS.items() if room.get(name) == 0}
        return {"type": "start_game", "names": self._names(), **known, **without, "rules": "mjsoul"}

    def end(self) -> list[Fields]:
        """Return the end of the game with the final scores; empty if they are not there.

        Such a record, as a list of moves alone, does not say that the game is over.
        """
        scores = {seat_of(player): _points_of(player) for player in self._results()}
        known = [scores.get(seat) for seat in range(4)]
        has_all = any(known) and all(isinstance(points, int) for points in known)
        return [{"type": "end_game", "scores": known}] if has_all else []

    def _mode(self) -> Fields:
        config = self._fields.get("config")
        mode = config.get("mode") if isinstance(config, dict) else None
        return mode if isinstance(mode, dict) else {}

    def _room(self) -> Fields:
        """Return the rules that a friends' room was set to; empty in a ranked game, or if all are 0.

        Where the points at the start are given, a setting that is left out is 0.
        """
        found = self._mode().get("detail_rule")
        if not isinstance(found, dict) or found.get("init_point") == 0:
            return {}
        return dict.fromkeys(_ROOM_FLAGS, 0) | found if "init_point" in found else found

    def _results(self) -> list[Fields]:
        result = self._fields.get("result")
        players = result.get("players") if isinstance(result, dict) else None
        return [player for player in players if isinstance(player, dict)] if isinstance(players, list) else []

    def _names(self) -> list[str]:
        names = [f"Seat {seat}" for seat in range(4)]
        for group in ("robots", "accounts"):
            for player in self._fields.get(group) or ():
                names[seat_of(player)] = str(player.get("nickname", ""))
        return names


def seat_of(fields: Mapping[str, Any]) -> Seat:
    """Return the seat that a part of a record is about; raises ValueError if it is none."""
    seat: Seat = fields.get("seat", 0)
    if seat not in range(4):
        raise ValueError(f"{printable(repr(seat), 40)} is not a seat")
    return seat


def _points_of(player: Mapping[str, Any]) -> Any:
    """Return a player's final points, ``partPoint1`` or ``part_point_1`` of the head; 0 is left out of it."""
    return player.get("part_point_1", player.get("part_point1", 0))
