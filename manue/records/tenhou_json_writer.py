"""Mjai events as the JSON of tenhou.net/6, the reverse of `manue.records.tenhou_json`."""

import json
from collections.abc import Sequence
from typing import Any

from manue.protocol.codec import KYOKU_FIRST, Fields
from manue.records.completed import has_red_fives
from manue.records.grades import DAN_NAMES, dans_of, rates_of
from manue.records.tenhou_json import ALL_TENPAI, AS_DRAWN, NOBODY_TENPAI, REASON_NAMES
from manue.records.tenhou_yaku import limit_of, yaku_names_of
from manue.rules import EAST_ONLY, HONBA
from manue.tiles import KIND_OF, KINDS, Seat, Tile, is_red, round_index

_LIMITS = ("", "満貫", "跳満", "倍満", "三倍満", "役満")


def write_tenhou_json(game: Sequence[Fields], title: str = "") -> str:
    """Return a game as JSON.

    Parameters
    ----------
    game : sequence of dict
        Mjai events with all hands open, as `manue.records.completed.completed` yields them.
    title : str
        Shown above the record.
    """
    return _Writer(title).write(game)


def number_of(tile: Tile) -> int:
    """Return the number of a tile: 11..19 m, 21..29 p, 31..39 s, 41..47 honors, 51..53 red fives."""
    if is_red(tile):
        return 51 + "mps".index(tile[1])
    kind = KIND_OF[tile]
    return 14 + kind if kind >= len(KINDS) - 7 else 10 * (kind // 9 + 1) + kind % 9 + 1


def _placed(letter: str, tile: Tile, own: Sequence[Tile], actor: Seat, source: Seat) -> str:
    """Return a call: the letter and the called tile stand where the seat sits from which it was called."""
    parts = [str(number_of(one)) for one in own]
    parts.insert({3: 0, 2: 1, 1: len(parts)}[(source - actor) % 4], f"{letter}{number_of(tile)}")
    return "".join(parts)


class _Writer:
    """Writes one game, event by event: a method for each type."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._names = [""] * 4
        self._rule: dict[str, Any] = {"disp": ""}
        self._grades: Fields = {}
        self._final: list[float] = []
        self._log: list[list[Any]] = []

    def write(self, game: Sequence[Fields]) -> str:
        self._rule["aka"] = int(has_red_fives(game))
        for event in game:
            getattr(self, event["type"], lambda _: None)(event)
        value: dict[str, Any] = {
            "title": [self._title, ""],
            "name": self._names,
            "rule": self._rule,
            "log": self._log,
            **self._grades,
        }
        if self._final:
            value["sc"] = self._final
        return json.dumps(value, ensure_ascii=False) + "\n"

    def start_game(self, event: Fields) -> None:
        self._names = event.get("names") or self._names
        dans, rates = dans_of(event), rates_of(event)
        if dans is not None and max(dans) < len(DAN_NAMES):
            self._grades["dan"] = [DAN_NAMES[dan] for dan in dans]
            self._grades |= {} if rates is None else {"rate": rates}
        if event.get("kyoku_first") is not None:
            length = "東" if event["kyoku_first"] == KYOKU_FIRST[EAST_ONLY] else "南"
            name = f"般{length}" if event.get("kuitan_flag") is False else f"{length}喰"
            self._rule["disp"] = f"{name}{'赤' if self._rule['aka'] else ''}"

    def start_kyoku(self, event: Fields) -> None:
        number = round_index(event["bakaze"], event["kyoku"])
        self._dealer = event["oya"]
        self._head = [[number, event["honba"], event["kyotaku"]], event["scores"]]
        self._indicators, self._ura = [number_of(event["dora_marker"])], list[int]()
        self._hands = [[number_of(tile) for tile in hand] for hand in event["tehais"]]
        self._takes: list[list[Any]] = [[], [], [], []]
        self._drops: list[list[Any]] = [[], [], [], []]
        self._pons: dict[tuple[Seat, int], Fields] = {}
        self._result: list[Any] = []
        self._riichi = False

    def tsumo(self, event: Fields) -> None:
        self._takes[event["actor"]].append(number_of(event["pai"]))

    def reach(self, _event: Fields) -> None:
        self._riichi = True

    def dahai(self, event: Fields) -> None:
        number = AS_DRAWN if event["tsumogiri"] else number_of(event["pai"])
        self._drops[event["actor"]].append(f"r{number}" if self._riichi else number)
        self._riichi = False

    def _taken(self, letter: str, event: Fields) -> None:
        seat = event["actor"]
        self._takes[seat].append(_placed(letter, event["pai"], event["consumed"], seat, event["target"]))

    def chi(self, event: Fields) -> None:
        self._taken("c", event)

    def pon(self, event: Fields) -> None:
        self._pons[event["actor"], KIND_OF[event["pai"]]] = event
        self._taken("p", event)

    def daiminkan(self, event: Fields) -> None:
        self._taken("m", event)
        self._drops[event["actor"]].append(0)

    def ankan(self, event: Fields) -> None:
        *own, last = [number_of(tile) for tile in event["consumed"]]
        self._drops[event["actor"]].append("".join(map(str, own)) + f"a{last}")

    def kakan(self, event: Fields) -> None:
        pon = self._pons[event["actor"], KIND_OF[event["pai"]]]
        parts = [str(number_of(tile)) for tile in (pon["pai"], *pon["consumed"])]
        place = {3: 0, 2: 1, 1: 2}[(pon["target"] - event["actor"]) % 4]
        parts.insert(place, f"k{number_of(event['pai'])}")
        self._drops[event["actor"]].append("".join(parts))

    def dora(self, event: Fields) -> None:
        self._indicators.append(number_of(event["dora_marker"]))

    def hora(self, event: Fields) -> None:
        if event["ura_markers"]:
            self._ura = [number_of(tile) for tile in event["ura_markers"]]
        seat = event["actor"]
        liable = event.get("pao", seat)
        details = [seat, event["target"], liable, self._value(event), *yaku_names_of(event)]
        self._result = [*(self._result or ["和了"]), event["deltas"], details]

    def _value(self, event: Fields) -> str:
        fu, han = event.get("fu"), event.get("han")
        limit = limit_of(event["hora_points"], dealer=event["actor"] == self._dealer)
        counted = f"{fu}符{han}飜" if fu and han else ""
        return f"{counted}{_LIMITS[limit]}{self._points(event)}"

    def _points(self, event: Fields) -> str:
        """Return what is paid: by one, by all alike, or by the others and the dealer."""
        seat, total = event["actor"], event["hora_points"]
        paid = [-change - HONBA // 3 * event["honba"] for change in event["deltas"]]
        others = [paid[other] for other in range(4) if other not in {seat, self._dealer}]
        if event["target"] != seat or event.get("pao", seat) != seat:
            return f"{total}点"
        if seat == self._dealer:
            return f"{others[0]}点∀" if 3 * others[0] == total else f"{total}点"
        split = 2 * others[0] + paid[self._dealer] == total
        return f"{others[0]}-{paid[self._dealer]}点" if split else f"{total}点"

    def ryukyoku(self, event: Fields) -> None:
        name = REASON_NAMES[event["reason"]]
        if event["reason"] == "fanpai" and not any(event["deltas"]):
            name = ALL_TENPAI if all(event["tenpais"]) else NOBODY_TENPAI
        self._result = [name, event["deltas"]]

    def end_game(self, event: Fields) -> None:
        # each is followed by the result with uma, which depends on the platform: none is given
        self._final = [one for score in event["scores"] for one in (score, 0.0)]

    def end_kyoku(self, _event: Fields) -> None:
        seats = zip(self._hands, self._takes, self._drops, strict=True)
        lists = [part for seat in seats for part in seat]
        self._log.append([*self._head, self._indicators, self._ura, *lists, self._result])
