"""What the policy net is shown: the table around a choice, each discard, riichi, each call or kan.

A value net that learns beside it from self-play also sees the hands of the others.

Columns are scaled to about 0..1. Opponents come in the order next, across, previous.
"""

from manue.features.feature import Feature, numbered


def _of_opponents(name: str, meaning: str) -> tuple[Feature, ...]:
    return tuple(Feature(f"{name}_{who}", f"{who}: {meaning}") for who in ("next", "across", "previous"))


CONTEXT = (
    Feature("tiles_left", "tiles left to draw / 70"),
    Feature("tiles_left_squared", "its square"),
    Feature("tenpai", "the best discard leaves tenpai"),
    Feature("one_away", "it leaves 1-shanten"),
    Feature("two_away", "2-shanten"),
    Feature("three_away", "3-shanten"),
    Feature("far", "4-shanten or more"),
    Feature("open", "the hand is open"),
    Feature("melds", "melds / 4"),
    Feature("dealer", "this seat deals"),
    Feature("dora", "dora and red fives in the hand and its melds / 4"),
    Feature("value_sets", "triplets or melds that are yaku / 2"),
    Feature("value_pairs", "pairs of tiles whose triplet is a yaku / 2"),
    Feature("pairs", "pairs and triplets in the hand / 6"),
    Feature("outside", "terminals and honors in the hand / 8"),
    Feature("outside_melds", "melds with a terminal or an honor"),
    Feature("longest", "tiles of the longest suit, melds included / 14"),
    Feature("flush", "the same with the honors / 14"),
    Feature("two_suits", "tiles of the two longest suits and honors / 14"),
    Feature("seven_pairs", "shanten of seven pairs / 6, 1 with melds"),
    Feature("place", "place by points so far / 3"),
    Feature("behind_first", "points behind the first / 20 000, at most 2"),
    Feature("ahead_of_next", "points ahead of the next below / 20 000, at most 2"),
    Feature("ahead_of_last", "points ahead of the last / 20 000, at most 2"),
    Feature("round", "index of the round / 8"),
    Feature("last_round", "it is the last round planned, or later"),
    Feature("at_stake", "honba and sticks in 1000 points / 4"),
    Feature("threats", "opponents in riichi / 3"),
    Feature("dealer_threat", "the dealer is in riichi"),
    Feature("safe_kinds", "kinds held that are safe against every riichi / 6"),
    Feature("drawn_safe", "the tile just drawn is one of them"),
    *_of_opponents("riichi", "in riichi"),
    *_of_opponents("ippatsu", "may still win with ippatsu"),
    *_of_opponents("melds", "melds / 4"),
    *_of_opponents("river", "discards / 18"),
    *_of_opponents("value_melds", "melds that are yaku / 2"),
    *_of_opponents("dora_melds", "dora in melds / 4"),
    *_of_opponents("deals", "deals"),
)
DISCARD_COLUMNS = (
    Feature("worse", "shanten above the lowest possible"),
    Feature("useful", "useful tiles unseen / 24"),
    Feature("useful_kinds", "kinds of them / 8"),
    Feature("behind_best", "useful tiles fewer than the most, at the lowest shanten / 12"),
    Feature("best", "none leaves more"),
    Feature("next_behind", "the share of the most"),
    Feature("ready_furiten", "it leaves tenpai, waiting on an own discard"),
    Feature("honor", "an honor"),
    Feature("terminal", "1 or 9"),
    Feature("two_eight", "2 or 8"),
    Feature("three_seven", "3 or 7"),
    Feature("middle", "4, 5 or 6"),
    Feature("value", "yaku of a triplet of it / 2"),
    Feature("dragon", "a dragon"),
    Feature("guest_wind", "a wind worth nothing to this seat"),
    Feature("guest_value", "yaku of it for opponents / 4"),
    Feature("single", "the only copy held"),
    Feature("pair", "one of a pair"),
    Feature("triplet", "one of three or four"),
    Feature("alone", "the only copy, nothing held within two steps"),
    Feature("unseen", "copies unseen / 3"),
    Feature("gone", "no copy unseen"),
    Feature("is_dora", "han of dora it carries / 2"),
    Feature("red", "the tile given up is the red five"),
    Feature("next_to_dora", "one step from a dora"),
    Feature("near_dora", "two steps from a dora"),
    Feature("below", "held one step down / 2"),
    Feature("above", "held one step up / 2"),
    Feature("two_below", "held two steps down / 2"),
    Feature("two_above", "held two steps up / 2"),
    Feature("three_below", "held three steps down"),
    Feature("three_above", "held three steps up"),
    Feature("gap_below", "unseen one step down / 4, 0 outside the suit"),
    Feature("gap_above", "unseen one step up / 4"),
    Feature("gap_two_below", "unseen two steps down / 4"),
    Feature("gap_two_above", "unseen two steps up / 4"),
    Feature("in_run", "in a complete run of the hand"),
    Feature("run_spare", "in a run and held once more"),
    Feature("suit", "tiles of its suit, melds included / 14"),
    Feature("off_suit", "not of the longest suit, and a number"),
    Feature("suit_kinds", "kinds held of its suit / 9"),
    Feature("straight", "its suit holds seven kinds or more"),
    Feature("colors", "most tiles held of the nine that make one of its runs in all suits / 9"),
    Feature("seven_pairs_break", "it breaks a pair of a hand with five pairs or more and no melds"),
    Feature("simple_open", "open without a yaku set: a terminal or honor"),
    Feature("drawn", "it was just drawn"),
    Feature("own_river", "this seat has discarded it"),
    Feature("just_passed", "the previous seat has just discarded it"),
    Feature("turn_honor", "an honor, times discards so far / 18"),
    Feature("turn_outside", "a terminal, times discards so far / 18"),
    Feature("turn_single", "a lone tile, times discards so far / 18"),
    *_of_opponents("safe", "it is safe against this riichi"),
    *_of_opponents("danger", "share of the waits that a riichi may have on it * 5"),
    *_of_opponents(
        "open_danger", "the same against a hand with melds, closed kans too, times melds / 4, 0 once passed"
    ),
    Feature("risk", "the sum of the dangers of riichi"),
    Feature("risk_above", "the same above the safest discard"),
    Feature("safest", "no discard is safer against riichi, if some kind is safe against all of them"),
    Feature("risk_far", "risk above, times shanten / 3"),
    Feature("risk_useful", "risk above, times the share of the most useful tiles"),
    Feature("open_risk_above", "the sum of the open dangers above the least"),
    Feature("dealer_risk", "danger of the dealer's riichi"),
)
RIICHI_COLUMNS = (
    Feature("wait_tiles", "tiles unseen of the widest wait / 8"),
    Feature("wait_kinds", "its kinds / 3"),
    Feature("wait_outside", "terminals and honors among them / 2"),
    Feature("wait_honor", "an honor is among them"),
    Feature("wait_furiten", "an own discard is among them"),
    Feature("wait_risk", "danger of its discard against riichi"),
    Feature("silent_yaku", "share of the wait that wins by ron without riichi"),
    Feature("silent_points", "points of those wins / 8000, at most 2"),
    Feature("riichi_points", "points of a ron with riichi / 8000, at most 2"),
    Feature("upgrade_tiles", "useful tiles of the widest 1-shanten of the hand / 24"),
    Feature("turn", "discards so far / 18"),
    Feature("few_left", "4 to 11 tiles are left"),
    Feature("bias", "always 1"),
)
CALL_COLUMNS = (
    Feature("chi", "a chi"),
    Feature("pon", "a pon"),
    Feature("open_kan", "an open kan"),
    Feature("closed_kan", "a closed kan"),
    Feature("added_kan", "an added kan"),
    Feature("kind_value", "yaku of a triplet of the tile / 2"),
    Feature("kind_outside", "the set holds a terminal or honor"),
    Feature("kind_dora", "dora among three tiles of the set, red fives not counted / 2"),
    Feature("shanten_now", "shanten without it / 4"),
    Feature("gain", "shanten without it minus shanten with it and its best discard"),
    Feature("now_tenpai", "tenpai without it"),
    Feature("then_tenpai", "tenpai with it"),
    Feature("useful_now", "useful tiles without it / 24"),
    Feature("useful_then", "useful tiles with it / 24"),
    Feature("useful_gain", "their difference / 12"),
    Feature("yaku_set", "a yaku set with it"),
    Feature("simples", "with it only simples are left but for one tile"),
    Feature("flush_then", "tiles of the set's suit and honors / 14"),
    Feature("triplets", "with it pairs and triplets, and no run called: sets towards all triplets / 6"),
    Feature("first_call", "the hand is closed"),
    Feature("pair_left", "a pair is left in the hand"),
    Feature("uses_red", "a chi or pon that takes a red five from the hand"),
    Feature("takes_place", "the called tile fills a gap"),
    Feature("turn", "discards so far / 18"),
    Feature("value_gain", "yaku set, times the gain"),
    Feature("simple_gain", "simples, times the gain"),
    Feature("threat_gain", "an opponent in riichi, if some kind is safe against all of them, times the gain"),
    Feature("bias", "always 1"),
)
HIDDEN_COLUMNS = (
    *_of_opponents("shanten", "shanten / 4, at most 1"),
    *_of_opponents("ready", "tenpai"),
    *_of_opponents("live", "tiles of its wait that it does not see / 8"),
    *_of_opponents("caught", "kinds of its wait that this seat holds / 2"),
    *_of_opponents("dora_held", "dora and red fives in its hand and melds / 4"),
    Feature("own_live", "tiles of this seat's wait that it does not see / 8"),
    Feature("in_riichi", "this seat is in riichi"),
    Feature("bias", "always 1"),
)
CONTEXT_AT = numbered(CONTEXT)
"""Column numbers of the context, by name."""
DISCARD_AT = numbered(DISCARD_COLUMNS)
"""Column numbers of a discard."""
RIICHI_AT = numbered(RIICHI_COLUMNS)
"""Column numbers of riichi."""
CALL_AT = numbered(CALL_COLUMNS)
"""Column numbers of a call or kan."""
HIDDEN_AT = numbered(HIDDEN_COLUMNS)
"""Column numbers of what a seat does not see."""
