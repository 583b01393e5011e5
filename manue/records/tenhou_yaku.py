"""The yaku as Tenhou's records number and name them."""

import re
from collections.abc import Sequence
from typing import Any

from manue.hand.points import BAIMAN, HANEMAN, MANGAN, SANBAIMAN, YAKUMAN
from manue.tiles import WINDS, Wind

NAMES = (
    "門前清自摸和", "立直", "一発", "槍槓", "嶺上開花", "海底摸月", "河底撈魚", "平和", "断幺九", "一盃口",
    "自風 東", "自風 南", "自風 西", "自風 北", "場風 東", "場風 南", "場風 西", "場風 北",
    "役牌 白", "役牌 發", "役牌 中", "両立直", "七対子", "混全帯幺九", "一気通貫", "三色同順", "三色同刻",
    "三槓子", "対々和", "三暗刻", "小三元", "混老頭", "二盃口", "純全帯幺九", "混一色", "清一色", "人和",
    "天和", "地和", "大三元", "四暗刻", "四暗刻単騎", "字一色", "緑一色", "清老頭", "九蓮宝燈",
    "純正九蓮宝燈", "国士無双", "国士無双１３面", "大四喜", "小四喜", "四槓子", "ドラ", "裏ドラ", "赤ドラ",
)  # fmt: skip
"""By number, 0..54."""
TENHOU_YAKU = (
    "menzen tsumo", "riichi", "ippatsu", "chankan", "rinshan", "haitei", "houtei", "pinfu", "tanyao",
    "iipeikou", "seat wind", "seat wind", "seat wind", "seat wind", "round wind", "round wind", "round wind",
    "round wind", "haku", "hatsu", "chun", "double riichi", "chiitoitsu", "chanta", "ittsu",
    "sanshoku doujun", "sanshoku doukou", "sankantsu", "toitoi", "sanankou", "shousangen", "honroutou",
    "ryanpeikou", "junchan", "honitsu", "chinitsu", "renhou", "tenhou", "chiihou", "daisangen", "suuankou",
    "suuankou tanki", "tsuuiisou", "ryuuiisou", "chinroutou", "chuuren poutou", "junsei chuuren poutou",
    "kokushi musou", "kokushi musou 13-wait", "daisuushii", "shousuushii", "suukantsu",
    "dora", "ura dora", "red dora",
)  # fmt: skip
"""Our names by Tenhou's numbers 0..54."""
FIRST_YAKUMAN, DORA = 37, 52
SEAT_WIND, ROUND_WIND = 10, 14
"""Of the triplets of East; those of the other winds follow."""
YAKUMAN_HAN = 13
"""Han of each yakuman."""
_LIMITS = (MANGAN, HANEMAN, BAIMAN, SANBAIMAN, YAKUMAN)
_NAMED = re.compile(r"(.{1,20})\((?:(\d{1,2})飜|役満)\)")


def numbered_yaku(
    yaku: Sequence[tuple[str, int]], seat_wind: Wind, round_wind: Wind
) -> list[tuple[int, int]]:
    """Return the yaku of a score (`manue.hand.score`) as (number, han)."""
    found = []
    for name, han in yaku:
        number = TENHOU_YAKU.index(name)
        winds = {SEAT_WIND: WINDS.index(seat_wind), ROUND_WIND: WINDS.index(round_wind)}
        found.append((number + winds.get(number, 0), han))
    return found


def has_yakuman(yaku: Sequence[tuple[int, int]]) -> bool:
    """Return whether a yakuman is among yaku given as (number, han); one counted by its han is none."""
    return any(FIRST_YAKUMAN <= number < DORA for number, _ in yaku)


def limit_of(points: int, *, dealer: bool) -> int:
    """Return the limit of a win by its points without honba: 0 none, 1 mangan, 2 haneman .. 5 yakuman."""
    base = points / (6 if dealer else 4)
    return sum(base >= least for least in _LIMITS)


def yaku_of(fields: dict[str, Any]) -> list[tuple[int, int]]:
    """Return the yaku of a ``hora`` as (number, han), where the message has them in Tenhou's terms."""
    numbers, han = fields.get("yaku_ids"), fields.get("yaku_han")
    if isinstance(numbers, list) and isinstance(han, list):
        pairs = zip(numbers, han, strict=False)
        return [(number, value) for number, value in pairs if isinstance(number, int) and number in range(55)]
    found = []
    for name in fields.get("yaku_names") or ():
        match = _NAMED.fullmatch(str(name))
        if match is not None and match[1] in NAMES:
            found.append((NAMES.index(match[1]), YAKUMAN_HAN if match[2] is None else int(match[2])))
    return found


def names_every_yaku(fields: dict[str, Any]) -> bool:
    """Return whether a ``hora`` has its yaku, all of them in Tenhou's terms."""
    lists = [given for name in ("yaku_ids", "yaku_names") if isinstance(given := fields.get(name), list)]
    return bool(lists and lists[0]) and len(yaku_of(fields)) == len(lists[0])


def yaku_names_of(fields: dict[str, Any]) -> list[str]:
    """Return the yaku of a ``hora`` as the JSON records name them."""
    names = fields.get("yaku_names")
    if isinstance(names, list):
        return [str(name) for name in names]
    return [
        f"{NAMES[number]}({'役満' if has_yakuman([(number, han)]) else f'{han}飜'})"
        for number, han in yaku_of(fields)
        if han
    ]
