"""Every win of a recorded game as arguments for `score_win`, and what it was worth according to the record.

Melds and indicators are tracked here; the circumstances (riichi, last tile...) are taken from the record's
list of yaku, so that nothing of the package but `Meld` is involved.
"""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from manue.tiles import Meld

TENHOU_NUMBERS = (
    "menzen tsumo", "riichi", "ippatsu", "chankan", "rinshan", "haitei", "houtei", "pinfu",
    "tanyao", "iipeikou", "seat wind", "seat wind", "seat wind", "seat wind", "round wind",
    "round wind", "round wind", "round wind", "haku", "hatsu", "chun", "double riichi",
    "chiitoitsu", "chanta", "ittsu", "sanshoku doujun", "sanshoku doukou", "sankantsu", "toitoi",
    "sanankou", "shousangen", "honroutou", "ryanpeikou", "junchan", "honitsu", "chinitsu", "renhou",
    "tenhou", "chiihou", "daisangen", "suuankou", "suuankou tanki", "tsuuiisou", "ryuuiisou",
    "chinroutou", "chuuren poutou", "junsei chuuren poutou", "kokushi musou",
    "kokushi musou 13-wait", "daisuushii", "shousuushii", "suukantsu", "dora", "ura dora",
    "red dora",
)  # fmt: skip

JAPANESE = {
    "立直": "riichi", "赤ドラ": "red dora", "門前清自摸和": "menzen tsumo", "ドラ": "dora",
    "断幺九": "tanyao", "平和": "pinfu", "裏ドラ": "ura dora", "役牌 白": "haku", "役牌 中": "chun",
    "役牌 發": "hatsu", "役牌 発": "hatsu", "一盃口": "iipeikou", "一発": "ippatsu",
    "混一色": "honitsu", "七対子": "chiitoitsu", "場風 東": "round wind", "場風 南": "round wind",
    "場風 西": "round wind", "自風 東": "seat wind", "自風 南": "seat wind", "自風 西": "seat wind",
    "自風 北": "seat wind", "三色同順": "sanshoku doujun", "対々和": "toitoi",
    "嶺上開花": "rinshan", "一気通貫": "ittsu", "清一色": "chinitsu", "大三元": "daisangen",
    "混全帯幺九": "chanta", "三暗刻": "sanankou", "二盃口": "ryanpeikou", "海底摸月": "haitei",
    "河底撈魚": "houtei", "純全帯幺九": "junchan", "三槓子": "sankantsu",
    "国士無双": "kokushi musou", "両立直": "double riichi", "小三元": "shousangen",
    "槍槓": "chankan", "三色同刻": "sanshoku doukou", "四暗刻単騎": "suuankou tanki",
}  # fmt: skip


@dataclass
class RecordedWin:
    place: str
    closed: list[str]
    melds: list[Meld]
    win_tile: str
    circumstances: dict[str, object]
    yaku: set[tuple[str, int]]
    han: int
    fu: int | None
    yakuman: int
    points: int
    deltas: list[int]
    winner: int
    dealer: int
    source: int
    liable: int | None
    sticks: int


@dataclass
class _Round:
    wind: str
    dealer: int
    honba: int
    sticks: int
    hands: list[list[str]]
    indicators: list[str]
    melds: list[list[Meld]] = field(default_factory=lambda: [[], [], [], []])


def _yaku_of(hora: dict) -> set[tuple[str, int]]:
    if "yaku_ids" in hora:
        pairs = zip(hora["yaku_ids"], hora["yaku_han"], strict=True)
        return {(TENHOU_NUMBERS[number], han) for number, han in pairs if han}
    found = set()
    for text in hora["yaku_names"]:
        name, worth = re.fullmatch(r"(.+)\((?:(\d+)飜|役満)\)", text).groups()
        found.add((JAPANESE[name], int(worth or 13)))
    return found


def recorded_wins(path: Path) -> Iterator[RecordedWin]:
    state: _Round | None = None
    with gzip.open(path, "rt", encoding="utf8") as lines:
        for number, line in enumerate(lines, 1):
            event = json.loads(line)
            kind, actor = event["type"], event.get("actor")
            if kind == "start_kyoku":
                hands = [list(tehai) for tehai in event["tehais"]]
                state = _Round(
                    event["bakaze"],
                    event["oya"],
                    event["honba"],
                    event["kyotaku"],
                    hands,
                    [event["dora_marker"]],
                )
            elif kind == "tsumo":
                state.hands[actor].append(event["pai"])
            elif kind == "dahai":
                state.hands[actor].remove(event["pai"])
            elif kind == "dora":
                state.indicators.append(event["dora_marker"])
            elif kind == "reach_accepted":
                state.sticks += 1
            elif kind in {"chi", "pon", "daiminkan", "ankan"}:
                for tile in event["consumed"]:
                    state.hands[actor].remove(tile)
                called = [event["pai"]] if kind != "ankan" else []
                source = event.get("target")
                state.melds[actor].append(
                    Meld(kind, (*event["consumed"], *called), called[0] if called else None, source)
                )
            elif kind == "kakan":
                state.hands[actor].remove(event["pai"])
                melds = state.melds[actor]
                at = next(
                    i for i, m in enumerate(melds) if m.kind == "pon" and m.tiles[0][:2] == event["pai"][:2]
                )
                old = melds[at]
                melds[at] = Meld("kakan", (*old.tiles, event["pai"]), old.called, old.source)
            elif kind == "hora":
                yield _win(f"{path.name}:{number}", state, event)
                state.honba = state.sticks = 0  # the second of two winners gets neither


def _win(place: str, state: _Round, hora: dict) -> RecordedWin:
    winner, source = hora["actor"], hora["target"]
    tsumo = winner == source
    closed = list(state.hands[winner]) + ([] if tsumo else [hora["pai"]])
    yaku = _yaku_of(hora)
    names = {name for name, _ in yaku}
    circumstances = {
        "tsumo": tsumo,
        "riichi": "riichi" in names,
        "double_riichi": "double riichi" in names,
        "first_turn": bool(names & {"tenhou", "chiihou"}),
        "dora_indicators": tuple(state.indicators),
        "ura_indicators": tuple(hora["ura_markers"]),
        "seat_wind": "ESWN"[(winner - state.dealer) % 4],
        "round_wind": state.wind,
        "honba": state.honba,
    } | {name: name in names for name in ("ippatsu", "chankan", "rinshan", "haitei", "houtei")}
    yakuman = sum(han == 13 for _, han in yaku)
    return RecordedWin(
        place=place,
        closed=closed,
        melds=state.melds[winner],
        win_tile=hora["pai"],
        circumstances=circumstances,
        yaku=yaku,
        han=hora["han"],
        fu=hora["fu"],
        yakuman=yakuman,
        points=hora["hora_points"],
        deltas=hora["deltas"],
        winner=winner,
        dealer=state.dealer,
        source=source,
        liable=_liable(state.melds[winner]),
        sticks=state.sticks,
    )


def _liable(melds: list[Meld]) -> int | None:
    """Return who discarded the last of all three dragons or all four winds."""
    for group in ("PFC", "ESWN"):
        called = [meld for meld in melds if meld.tiles[0] in group]
        if len(called) == len(group):
            return called[-1].source
    return None
