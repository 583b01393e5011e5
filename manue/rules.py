"""The rules of play: what may differ between tables here, with Tenhou's values as the defaults.

Sources: Tenhou's published rules; the documentation of riichienv for the differences of Mahjong Soul.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from manue.errors import UsageError

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
    """Settings for scoring and play; points are full points (25000, not 250).

    The defaults are Tenhou's. `MAHJONG_SOUL` has the values in which its rules differ.

    Parameters
    ----------
    open_tanyao : bool
        Whether tanyao counts with an open hand (kuitan).
    red_fives : bool
        Whether one five of each suit is red, each a dora.
    kiriage_mangan : bool
        Whether 4 han 30 fu and 3 han 60 fu are rounded up to mangan.
    double_yakuman_patterns : bool
        Whether big four winds, nine gates waiting on all nine, four concealed triplets waiting on the pair
        and thirteen orphans waiting on all thirteen count as two yakuman (``doubled`` in
        `manue.hand.yaku_list`).
    multiple_yakuman : bool
        Whether different yakuman of a win add up; otherwise the win counts the greatest one.
    liable_for_all_yakuman : bool
        Whether who is liable (pao) for a big yakuman pays for the other yakuman of the win as well.
    counted_yakuman : bool
        Whether 13 han or more are a yakuman; otherwise at most a sanbaiman.
    double_wind_pair_fu : int
        Fu of a pair of the wind that is both the seat's and the round's.
    renhou : bool
        Whether a win on a discard before one's first draw, nobody having called, is a yaku.
    kokushi_robs_closed_kan : bool
        Whether thirteen orphans may win on the tile of a closed kan.
    swap_calling_forbidden : bool
        Whether the tile called may not be discarded at once, nor the other end of its run (kuikae).
    riichi_needs_points : int
        Fewest points of a seat that may declare riichi.
    riichi_needs_tiles : int
        Fewest tiles left in the live wall at the declaration.
    start_points : int
        Points of each seat at the start of a game.
    target_points : int
        Points that somebody must have for the game to end with the last planned round; until then up to
        `EXTRA_ROUNDS` follow.
    last_round : int
        Index of the last planned round: `HANCHAN` or `EAST_ONLY`.
    """

    open_tanyao: bool = True
    red_fives: bool = True
    kiriage_mangan: bool = False
    double_yakuman_patterns: bool = False
    multiple_yakuman: bool = True
    liable_for_all_yakuman: bool = True
    counted_yakuman: bool = True
    double_wind_pair_fu: int = 4
    renhou: bool = False
    kokushi_robs_closed_kan: bool = False
    swap_calling_forbidden: bool = True
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
RulesName: TypeAlias = Literal["tenhou", "mjsoul"]
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


def last_round_of(length: Length) -> int:
    """Return the index of the last planned round of a game; raises UsageError for an unknown length."""
    if not isinstance(length, str) or length not in LAST_ROUND:
        raise UsageError(f"length {length!r} is not hanchan or east")
    return LAST_ROUND[length]
