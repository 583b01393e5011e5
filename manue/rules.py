"""The rules of play: what may differ between tables here, with Tenhou's values as the defaults.

Sources: Tenhou's published rules; the documentation of riichienv for the differences of Mahjong Soul.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from manue.errors import ManueError, UsageError

HANCHAN, EAST_ONLY = 7, 3
"""Index of the last planned round, East 1 being 0, by the length of the game."""
EXTRA_ROUNDS = 4
"""So many rounds follow the last planned one while nobody reaches the target."""
Length: TypeAlias = Literal["hanchan", "east"]
LAST_ROUND: dict[Length, int] = {"hanchan": HANCHAN, "east": EAST_ONLY}
"""The same by the names that options and settings have for them."""
STICK = 1000
"""Points of the stick that is paid for riichi."""
HONBA = 300
"""What one honba adds to a win; of a self-draw each of the others pays a third."""
NOTEN_POINTS = 3000
"""What all seats that are not tenpai pay together at an exhaustive draw, to those that are."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Settings for scoring and play; points are full points (25000, not 250)."""

    open_tanyao: bool = True
    red_fives: bool = True
    kiriage_mangan: bool = False
    double_yakuman_patterns: bool = (
        False  # big four winds, pure nine gates, single-wait four triplets, 13-wait orphans
    )
    multiple_yakuman: bool = True  # different yakuman add up
    liable_for_all_yakuman: bool = True  # pao: the other yakuman of the win as well
    counted_yakuman: bool = True  # 13 han or more are a yakuman, otherwise at most a sanbaiman
    double_wind_pair_fu: int = 4
    renhou: bool = False
    kokushi_robs_closed_kan: bool = False
    swap_calling_forbidden: bool = True  # kuikae
    riichi_needs_points: int = 1000
    riichi_needs_tiles: int = 4
    start_points: int = 25_000
    target_points: int = 30_000
    last_round: int = HANCHAN


TENHOU = Rules()
MAHJONG_SOUL = Rules(
    double_yakuman_patterns=True,
    liable_for_all_yakuman=False,
    kokushi_robs_closed_kan=True,
)
RulesName = Literal["tenhou", "mjsoul"]
RULES: dict[RulesName, Rules] = {"tenhou": TENHOU, "mjsoul": MAHJONG_SOUL}
"""The rules by the names that options and settings have for them."""


def rules_of(name: RulesName) -> Rules:
    """Return rules by their name; raises UsageError."""
    if not isinstance(name, str) or name not in RULES:
        raise UsageError(f"rules {name!r} are not {' or '.join(RULES)}")
    return RULES[name]


def stated_name(rules: Rules) -> RulesName | None:
    """Return the name by which a log states rules; ``None`` of Tenhou's, which need none, and of others."""
    names = {named: name for name, named in RULES.items() if named != TENHOU}
    return names.get(rules)


def given_last_round(length: Length | None) -> int | None:
    """Return the index of the last planned round, if a length is given; raises UsageError."""
    return None if length is None else last_round_of(length)


def last_round_of(length: Length, refusal: type[ManueError] = UsageError) -> int:
    """Return the index of the last planned round of a game; raises ``refusal`` for an unknown length."""
    if not isinstance(length, str) or length not in LAST_ROUND:
        raise refusal(f"length {length!r} is not hanchan or east")
    return LAST_ROUND[length]
