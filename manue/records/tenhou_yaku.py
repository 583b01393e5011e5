"""The yaku as Tenhou's records number and name them."""

import re
from typing import Any

NAMES = (
    "門前清自摸和", "立直", "一発", "槍槓", "嶺上開花", "海底摸月", "河底撈魚", "平和", "断幺九", "一盃口",
    "自風 東", "自風 南", "自風 西", "自風 北", "場風 東", "場風 南", "場風 西", "場風 北",
    "役牌 白", "役牌 發", "役牌 中", "両立直", "七対子", "混全帯幺九", "一気通貫", "三色同順", "三色同刻",
    "三槓子", "対々和", "三暗刻", "小三元", "混老頭", "二盃口", "純全帯幺九", "混一色", "清一色", "人和",
    "天和", "地和", "大三元", "四暗刻", "四暗刻単騎", "字一色", "緑一色", "清老頭", "九蓮宝燈",
    "純正九蓮宝燈", "国士無双", "国士無双１３面", "大四喜", "小四喜", "四槓子", "ドラ", "裏ドラ", "赤ドラ",
)  # fmt: skip
"""By number, 0..54."""
FIRST_YAKUMAN, DORA = 37, 52
_NAMED = re.compile(r"(.{1,20})\((?:(\d{1,2})飜|役満)\)")


def yaku_of(fields: dict[str, Any]) -> list[tuple[int, int]]:
    """Return the yaku of a ``hora`` as (number, han), where the message has them in Tenhou's terms."""
    numbers, han = fields.get("yaku_ids"), fields.get("yaku_han")
    if isinstance(numbers, list) and isinstance(han, list):
        return [(number, value) for number, value in zip(numbers, han, strict=False) if number in range(55)]
    found = []
    for name in fields.get("yaku_names") or ():
        match = _NAMED.fullmatch(str(name))
        if match is not None and match[1] in NAMES:
            found.append((NAMES.index(match[1]), 13 if match[2] is None else int(match[2])))
    return found


def yaku_names_of(fields: dict[str, Any]) -> list[str]:
    """Return the yaku of a ``hora`` as the JSON records name them."""
    names = fields.get("yaku_names")
    if isinstance(names, list):
        return [str(name) for name in names]
    return [
        f"{NAMES[number]}({'役満' if FIRST_YAKUMAN <= number < DORA else f'{han}飜'})"
        for number, han in yaku_of(fields)
        if han
    ]
