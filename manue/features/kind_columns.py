"""The features of a kind of tile against an opponent: names and meanings.

The tile-reading vocabulary (suji, ura-suji, matagi-suji, senki-suji, aida-4-ken, no-chance and one-chance
walls) is standard riichi theory; the choice of features follows the public description of the Mjai Manue
player. ``combo_share`` is the share of the waiting shapes still possible that would win on the kind.
"""

from manue.features.feature import Feature

BEYOND_SUIT = 9  # "distance" to a tile of another suit, or to none
NEVER = 30  # age of a discard that was not made
LONG_AGO = 20  # hand changes since a kind was last discarded, when it never was

KIND_FEATURES = (
    Feature("number", "distance from the edge: 1 for 1/9 .. 5 for 5; 0 for honors"),
    Feature("yakuhai", "yaku this honor would give the opponent: 0, 1, 2"),
    Feature("unseen", "copies the observer has not seen"),
    Feature("suji", "two-sided waits ruled out by safe tiles: 0 none, 1 one of two, 2 all"),
    Feature("riichi_suji", "the riichi tile is three away"),
    Feature("open_sides", "two-sided waits still possible (neither suji nor wall): 0..2"),
    Feature("two_sided", "ways to hold a two-sided wait on it, in pairs of unseen tiles"),
    Feature("narrow", "ways to hold a closed or edge wait on it, in pairs of unseen tiles"),
    Feature("combo_share", "share of the possible waiting shapes that win on it"),
    Feature("combo_rank", "kinds with a larger share"),
    Feature("dora", "han it carries as dora"),
    Feature("dora_near", "nearest dora in the suit: 3 itself, 2 adjacent, 1 two away, 0 further"),
    Feature("outside_early", "early discards of the opponent on the inner side of it"),
    Feature("ura_suji", "discards from hand that make it ura-suji"),
    Feature("matagi_suji", "discards from hand that make it matagi-suji, early ones left out"),
    Feature("senki_suji", "early discards that make it senki-suji"),
    Feature("aida_4_ken", "it lies between two discards five apart"),
    Feature("next_discards", "discards of the opponent one away"),
    Feature("gap_discards", "discards of the opponent two away"),
    Feature("suit_share", "share of the opponent's discards in its suit"),
    Feature("suit_melds", "melds of the opponent in its suit"),
    Feature("other_melds", "melds of the opponent in other number suits"),
    Feature("passed", "it was passed since the opponent last changed its hand"),
    Feature("changes_since", "hand changes of the opponent since it was last discarded by anybody"),
    Feature("suji_changes_since", "hand changes since a suji tile of it was last discarded"),
    Feature("last_distance", "distance from the opponent's last discard from hand"),
    Feature("previous_distance", "distance from the discard from hand before that"),
    Feature("last_call_distance", "distance from the nearest tile of the opponent's last call"),
    Feature("unseen_inner", "unseen copies of the neighbour towards the middle, -1 if there is none"),
    Feature("unseen_inner_2", "the same, two away"),
    Feature("unseen_outer", "unseen copies of the neighbour towards the edge, -1 if there is none"),
    Feature("unseen_outer_2", "the same, two away"),
    Feature(
        "inner_age",
        "the opponent's discards between the neighbour towards the middle and the riichi tile or now",
    ),
    Feature("inner_2_age", "the same, two away"),
    Feature("outer_age", "the same for the neighbour towards the edge"),
    Feature("outer_2_age", "the same, two away"),
    Feature(
        "inner_suji_age", "the same for the suji tile towards the middle; -1: it only passed after the riichi"
    ),
    Feature("outer_suji_age", "the same for the suji tile towards the edge"),
)
