"""The features of an opponent: names, meanings and wording."""

import math

from manue.features.feature import RowFeature
from manue.features.wording import EDGE_NAMES, UNTIL, Counted, Lead, Listed, Measured, either, some, three

_ROUNDS = tuple(f"{wind} {n}" for wind in ("East", "South", "West", "North") for n in range(1, 5))

OPPONENT_FEATURES = (
    RowFeature(
        "riichi",
        "0 none, 1 riichi, 2 double riichi",
        three(
            "not in riichi",
            "not in double riichi",
            "in riichi but not double",
            "in riichi",
            "in double riichi",
        ),
    ),
    RowFeature(
        "turn", "discards so far", Counted("turn {}", special={(0, 0): "no discard yet"}, bounds=UNTIL)
    ),
    RowFeature("tiles_left", "tiles left in the wall", Counted("{} [tile|tiles] left in the wall")),
    RowFeature("melds", "melds, including closed kans", Counted("{} [meld|melds]", most=4)),
    RowFeature(
        "since_call",
        "the opponent's discards since its last call",
        Counted("{} [turn|turns] since the last call or the deal"),
    ),
    RowFeature("hand_changes", "discards from hand", Counted("{} [discard|discards] from hand")),
    RowFeature(
        "streak",
        "discards straight from the draw, at the end of the river",
        some(
            "just discarded from hand",
            "just discarded the tile drawn",
            "{} drawn [tile|tiles] discarded in a row",
        ),
    ),
    RowFeature(
        "since_change",
        "tiles discarded by anybody since the hand last changed",
        Counted("{} [tile|tiles] discarded by anybody since the hand changed"),
    ),
    RowFeature(
        "suji_ruled_out",
        "of the 18 two-sided lines, those ruled out by safe tiles",
        Counted("{} of 18 suji lines ruled out", most=18, special={(0, 0): "no suji line ruled out"}),
    ),
    RowFeature(
        "safe_kinds", "kinds that cannot win for the opponent", Counted("{} safe [tile|tiles] known", most=34)
    ),
    RowFeature(
        "riichi_turn",
        "the opponent's discards before its riichi tile, -1 without riichi",
        Counted(
            "riichi after {} [discard|discards]",
            special={(0, math.inf): "in riichi", (0, 0): "riichi with the first discard"},
            apart={-1: ("not in riichi", "no riichi")},
        ),
    ),
    RowFeature(
        "since_riichi",
        "the opponent's discards after its riichi tile, -1 without riichi",
        Counted(
            "{} [discard|discards] after riichi",
            special={(0, math.inf): "in riichi"},
            apart={-1: ("not in riichi", "no riichi")},
        ),
    ),
    RowFeature("ippatsu", "within one turn after the riichi", either("no ippatsu", "ippatsu possible")),
    RowFeature("dealer", "the opponent is the dealer", either("not the dealer", "the dealer")),
    RowFeature("yakuhai_melds", "yaku certain from melds of honors", Counted("{} yakuhai called")),
    RowFeature("dora_melds", "dora and red fives in the melds", Counted("{} dora in the melds")),
    RowFeature(
        "tanyao_melds",
        "melds without terminals and honors",
        Counted("{} [meld|melds] without terminals and honors", most=4),
    ),
    RowFeature(
        "triplet_melds", "melds of one kind", Counted("{} [triplet or kan|triplets or kans] called", most=4)
    ),
    RowFeature(
        "one_suit",
        "melds only in one suit and honors, and few discards of that suit: 0..1",
        Measured("one-suit hand rated {}"),
    ),
    RowFeature(
        "suit_discards_least",
        "discards in the least discarded suit",
        Counted(
            "{} [discard|discards] in the suit discarded least",
            special={(0, 0): "no discard in one of the suits", (1, math.inf): "discards in all suits"},
        ),
    ),
    RowFeature("honor_discards", "honors discarded", Counted("{} [honor|honors] discarded")),
    RowFeature(
        "middle_early",
        "3-7 among the early discards",
        Counted("{} early [discard|discards] from 3 to 7"),
    ),
    RowFeature(
        "last_number",
        "edge distance of the last discard from hand, 0 for an honor",
        Listed(
            EDGE_NAMES,
            "last discard from hand: {}",
            {(0, 0): "last discard from hand an honor", (1, 5): "last discard from hand a number tile"},
        ),
    ),
    RowFeature("dora_discards", "dora and red fives discarded", Counted("{} dora discarded")),
    RowFeature(
        "pushes",
        "discards that were not safe against another's riichi",
        Counted("{} unsafe [discard|discards] against another riichi"),
    ),
    RowFeature(
        "folds",
        "discards that were safe against another's riichi",
        Counted("{} safe [discard|discards] against another riichi"),
    ),
    RowFeature(
        "other_riichi",
        "other opponents and the observer in riichi",
        Counted("{} [other player|other players] in riichi", most=3),
    ),
    RowFeature(
        "others_melds", "melds of the other three", Counted("{} [meld|melds] of the other three", most=12)
    ),
    RowFeature(
        "score_lead",
        "the opponent's points minus those of the best other player, thousands",
        Lead("the best other player"),
    ),
    RowFeature(
        "round_number",
        "0-3 East, 4-7 South, ...",
        Counted("{}", most=len(_ROUNDS) - 1, bounds=UNTIL, names=_ROUNDS),
    ),
    RowFeature(
        "combo_total",
        "waiting shapes still possible, weighted",
        Measured("{} waiting shapes possible, weighted", math.inf),
    ),
    RowFeature(
        "dora_unseen",
        "dora and red fives the observer has not seen",
        Counted("{} dora or red [five|fives] unseen"),
    ),
)
