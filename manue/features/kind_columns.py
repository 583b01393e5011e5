"""The features of a kind of tile against an opponent: names, meanings and wording.

The tile-reading vocabulary (suji, ura-suji, matagi-suji, senki-suji, aida-4-ken, no-chance and one-chance
walls) is standard riichi theory; the choice of features follows the public description of the Mjai Manue
player. ``combo_share`` is the share of the waiting shapes still possible that would win on the kind.
"""

from manue.features.feature import RowFeature
from manue.features.wording import (
    EDGE_NAMES,
    Always,
    Counted,
    Listed,
    Measured,
    age,
    changes,
    distance,
    either,
    neighbour,
    some,
    three,
)

FAR = 9  # "distance" to a tile of another suit
NEVER = 30  # age of a discard that was not made
LONG_AGO = 20  # hand changes since a kind was last discarded, when it never was
_HONOR = Always("an honor")

KIND_FEATURES = (
    RowFeature(
        "number",
        "distance from the edge: 1 for 1/9 .. 5 for 5; 0 for honors",
        Listed(EDGE_NAMES, special={(0, 0): "an honor", (1, 5): "a number tile", (5, 5): "a 5"}),
    ),
    RowFeature(
        "yakuhai",
        "yaku this honor would give the opponent: 0, 1, 2",
        three("not yakuhai", "not a double wind", "yakuhai of 1 han", "yakuhai", "a double wind"),
    ),
    RowFeature("unseen", "copies the observer has not seen", Counted("{} [copy|copies] unseen", most=4)),
    RowFeature(
        "suji",
        "two-sided waits ruled out by safe tiles: 0 none, 1 one of two, 2 all",
        three("not suji", "at most half suji", "half suji", "suji or half suji", "suji"),
        _HONOR,
    ),
    RowFeature(
        "riichi_suji",
        "the riichi tile is three away",
        either("not suji of the riichi tile", "suji of the riichi tile"),
        _HONOR,
    ),
    RowFeature(
        "open_sides",
        "two-sided waits still possible (neither suji nor wall): 0..2",
        Counted("{} two-sided [wait|waits] left", most=2),
        _HONOR,
    ),
    RowFeature(
        "two_sided",
        "ways to hold a two-sided wait on it, in pairs of unseen tiles",
        Counted("{} [way|ways] to hold a two-sided wait on it"),
        _HONOR,
    ),
    RowFeature(
        "narrow",
        "ways to hold a closed or edge wait on it, in pairs of unseen tiles",
        Counted("{} [way|ways] to hold a closed or edge wait on it"),
        _HONOR,
    ),
    RowFeature(
        "combo_share",
        "share of the possible waiting shapes that win on it",
        Measured("wins for {} of the possible waiting shapes"),
    ),
    RowFeature(
        "combo_rank",
        "kinds with a larger share",
        Counted("{} [tile|tiles] likelier by waiting shapes", most=33),
    ),
    RowFeature("dora", "han it carries as dora", some("not dora", "dora", "dora worth {} han")),
    RowFeature(
        "dora_near",
        "nearest dora in the suit: 3 itself, 2 adjacent, 1 two away, 0 further",
        Counted(
            most=3,
            special={
                (0, 0): "no dora near",
                (0, 1): "neither dora nor next to it",
                (0, 2): "not dora",
                (1, 1): "two away from dora",
                (1, 2): "one or two away from dora",
                (1, 3): "dora or within two of it",
                (2, 2): "next to dora",
                (2, 3): "dora or next to it",
                (3, 3): "dora",
            },
        ),
    ),
    RowFeature(
        "outside_early",
        "early discards of the opponent on the inner side of it",
        some(
            "not outside an early discard", "outside an early discard", "outside {} early [discard|discards]"
        ),
        _HONOR,
    ),
    RowFeature(
        "ura_suji",
        "discards from hand that make it ura-suji",
        some("not ura-suji", "ura-suji", "ura-suji of {} [discard|discards]"),
        _HONOR,
    ),
    RowFeature(
        "matagi_suji",
        "discards from hand that make it matagi-suji, early ones left out",
        some("not matagi-suji", "matagi-suji", "matagi-suji of {} [discard|discards]"),
        _HONOR,
    ),
    RowFeature(
        "senki_suji",
        "early discards that make it senki-suji",
        some("not senki-suji", "senki-suji", "senki-suji of {} [discard|discards]"),
        _HONOR,
    ),
    RowFeature(
        "aida_4_ken",
        "it lies between two discards five apart",
        either("not between two discards five apart", "between two discards five apart"),
        _HONOR,
    ),
    RowFeature(
        "next_discards",
        "discards of the opponent one away",
        Counted("{} [tile|tiles] next to it discarded"),
        _HONOR,
    ),
    RowFeature(
        "gap_discards",
        "discards of the opponent two away",
        Counted("{} [tile|tiles] two away discarded"),
        _HONOR,
    ),
    RowFeature(
        "suit_share",
        "share of the opponent's discards in its suit",
        Measured("{} of the discards in this suit"),
        Measured("{} of the discards honors"),
    ),
    RowFeature(
        "suit_melds",
        "melds of the opponent in its suit",
        Counted("{} [meld|melds] in this suit", most=4, special={(0, 0): "called nothing in this suit"}),
        Counted("{} [meld|melds] of honors", most=4, special={(0, 0): "called no honor"}),
    ),
    RowFeature(
        "other_melds",
        "melds of the opponent in other number suits",
        Counted(
            "{} [meld|melds] in the other suits",
            most=4,
            special={(0, 0): "called nothing in the other suits"},
        ),
        Counted("{} [meld|melds] of number tiles", most=4, special={(0, 0): "called no number tile"}),
    ),
    RowFeature(
        "passed",
        "it was passed since the opponent last changed its hand",
        either("not passed since the hand changed", "passed since the hand changed"),
    ),
    RowFeature(
        "changes_since",
        "hand changes of the opponent since it was last discarded by anybody",
        changes("it", LONG_AGO),
    ),
    RowFeature(
        "suji_changes_since",
        "hand changes since a suji tile of it was last discarded",
        changes("its suji", LONG_AGO),
        _HONOR,
    ),
    RowFeature(
        "last_distance",
        "distance from the opponent's last discard from hand",
        distance("the last discard from hand", FAR),
    ),
    RowFeature(
        "previous_distance",
        "distance from the discard from hand before that",
        distance("the discard from hand before the last", FAR),
    ),
    RowFeature(
        "last_call_distance",
        "distance from the nearest tile of the opponent's last call",
        distance("the tiles of the last call", FAR),
    ),
    RowFeature(
        "unseen_inner",
        "unseen copies of the neighbour towards the middle, -1 if there is none",
        neighbour("next tile towards the middle"),
        _HONOR,
    ),
    RowFeature("unseen_inner_2", "the same, two away", neighbour("tile two towards the middle"), _HONOR),
    RowFeature(
        "unseen_outer",
        "unseen copies of the neighbour towards the edge, -1 if there is none",
        neighbour("next tile towards the edge", "a 1 or 9", "a 2 to 8"),
        _HONOR,
    ),
    RowFeature(
        "unseen_outer_2",
        "the same, two away",
        neighbour("tile two towards the edge", "a 1, 2, 8 or 9", "a 3 to 7"),
        _HONOR,
    ),
    RowFeature(
        "inner_age",
        "the opponent's discards between the neighbour towards the middle and the riichi tile or now",
        age("next tile towards the middle", NEVER),
        _HONOR,
    ),
    RowFeature("inner_2_age", "the same, two away", age("tile two towards the middle", NEVER), _HONOR),
    RowFeature(
        "outer_age",
        "the same for the neighbour towards the edge",
        age("next tile towards the edge", NEVER),
        _HONOR,
    ),
    RowFeature("outer_2_age", "the same, two away", age("tile two towards the edge", NEVER), _HONOR),
    RowFeature(
        "inner_suji_age",
        "the same for the suji tile towards the middle; -1: it only passed after the riichi",
        age("suji tile towards the middle", NEVER, passed=True),
        _HONOR,
    ),
    RowFeature(
        "outer_suji_age",
        "the same for the suji tile towards the edge",
        age("suji tile towards the edge", NEVER, passed=True),
        _HONOR,
    ),
)
