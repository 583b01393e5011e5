"""What a record of tenhou.net/6 says beside its rounds: rules, length, grades of the players, scores."""

import re
from typing import Any

from manue.protocol.codec import KYOKU_FIRST, Fields
from manue.records.grades import dans_of, rates_of
from manue.rules import EAST_ONLY, HANCHAN

_REDS = ("aka", "aka51", "aka52", "aka53")
_OPEN_TANYAO_SAID = re.compile(r"四?[般上特鳳][東南](喰?)赤?速?暗?(?:祝\d*)?")
"""Tenhou's name of a rule that has 喰 if tanyao counts with an open hand: 鳳南喰赤.

Those of parlours (若東速祝５) do not say it, and downloaders of Mahjong Soul records have names of their own.
"""
_THREE = re.compile(r"三(?:人|麻|[般上特鳳若銀琥孔]?[東南])|3-Player")
"""What the name of a rule for three players has; other names are free text, as 第三期名人戦ルール."""
_LENGTH = re.compile(
    r"(?:(?:^[三四般上特鳳若銀琥孔]*|間|间|人) ?([東南东])(?=[喰食赤速暗祝]|$)|Room (East|South)\b)"
)
"""Where the name of a rule of Tenhou's or Mahjong Soul's says how long a game is; 東京リーグ does not."""


def of_three(value: dict[str, Any]) -> bool:
    """Return whether three play: by the names, the rule, or a fourth seat with neither hand nor points."""
    names, log = value.get("name"), value.get("log")
    if isinstance(names, list) and len(names) == 3:
        return True
    if _THREE.search(_rule(value)):
        return True
    first = log[0] if isinstance(log, list) and log else None
    if not isinstance(first, list) or len(first) != 17:
        return False
    return bool(first[4]) and first[13] == [] and isinstance(first[1], list) and first[1][3:] in ([], [0])


def start_of(value: dict[str, Any], names: list[Any]) -> Fields:
    """Return the start of the game as a Mjai event."""
    return {
        "type": "start_game",
        "names": [str(name) for name in names],
        **_length(value),
        **_red_fives(value),
        **_open_tanyao(value),
        **_grades(value),
    }


def final_scores(value: dict[str, Any]) -> list[int]:
    """Return the points at the end of the game, each of which stands before its seat's result; else none.

    Without them, as in an excerpt, a record does not say that the game is over.
    """
    found = value.get("sc")
    points = found[::2] if isinstance(found, list) and len(found) == 8 else []
    return points if all(type(one) is int for one in points) else []


def _length(value: dict[str, Any]) -> Fields:
    """Return the length of the game if the rule's name gives it."""
    found = _LENGTH.search(_rule(value))
    if found is None:
        return {}
    is_east = (found[1] or found[2]) in {"東", "东", "East"}
    return {"kyoku_first": KYOKU_FIRST[EAST_ONLY if is_east else HANCHAN]}


def _red_fives(value: dict[str, Any]) -> Fields:
    """Return whether there are red fives, if the rule says how many: in all, or of each suit."""
    rule = value.get("rule")
    numbers = [rule[name] for name in _REDS if name in rule] if isinstance(rule, dict) else []
    return {"aka_flag": any(numbers)} if numbers else {}


def _open_tanyao(value: dict[str, Any]) -> Fields:
    """Return that tanyao does not count with an open hand, if Tenhou's name of the rule leaves out 喰."""
    found = _OPEN_TANYAO_SAID.fullmatch(_rule(value))
    return {"kuitan_flag": False} if found is not None and not found[1] else {}


def _grades(value: dict[str, Any]) -> Fields:
    """Return the players' dan and rate if the dan are Tenhou's; those of Mahjong Soul are other ones."""
    dans, rates = dans_of(value), rates_of(value)
    if dans is None:
        return {}
    return {"dan": dans} if rates is None else {"dan": dans, "rate": rates}


def _rule(value: dict[str, Any]) -> str:
    rule = value.get("rule")
    return str(rule.get("disp", "")) if isinstance(rule, dict) else ""
