"""Features of the hands that a decision may leave: input of the afterstate model."""

from typing import NamedTuple

import numpy as np

from manue.arrays import F32, F64, I8, I16, I64, U8, Bool
from manue.compiled import compiled
from manue.features.feature import Feature, numbered
from manue.features.scene import Scenes, yakuhai_of
from manue.features.wait_discard_rates import CLOSED, DECLARED, OPENED, expected_ron_tiles
from manue.hand.shanten import TABLES, useful_of
from manue.hand.shape import KAN, KIND_PART, OPEN, OUTSIDE_MASK, RUN, TYPE_PART

NO_SET = -1

COLUMNS = (
    Feature("shanten", "shanten of the hand left"),
    Feature("useful_kinds", "kinds that lower the shanten"),
    Feature("useful_tiles", "unseen copies of those kinds"),
    Feature("own_draws", "this seat's remaining draws"),
    Feature("tiles_left", "tiles left in the wall"),
    Feature("open", "the hand has called"),
    Feature("melds", "sets laid down, including closed kans"),
    Feature("riichi", "in riichi, or declaring it with this discard"),
    Feature("furiten", "tenpai on a kind that this seat has discarded or, in riichi, passed on"),
    Feature("dora", "dora and red fives held"),
    Feature("yakuhai", "yaku of honor triplets held"),
    Feature("yakuhai_pairs", "pairs of such honors that can still become triplets"),
    Feature("orphans", "terminals and honors in the hand"),
    Feature("one_suit", "tiles of the longest suit and honors, including sets"),
    Feature("pairs", "kinds held twice or more"),
    Feature("triplets", "kinds held three times or more"),
    Feature("dealer", "this seat is the dealer"),
    Feature("rank", "players ahead: 0..3"),
    Feature("lead", "this seat's points minus those of the best other player, hundreds"),
    Feature("round_number", "0-3 East, 4-7 South, ..."),
    Feature("rounds_left", "planned after this one, without repeats; negative in extra rounds"),
    Feature("honba", "counters on the table"),
    Feature("riichi_opponents", "opponents in riichi"),
    Feature("dealer_riichi", "the dealer, an opponent, is in riichi"),
    Feature("ippatsu", "an opponent may still win with ippatsu"),
    Feature("most_melds", "most sets laid down by an opponent"),
    Feature("all_melds", "sets laid down by all opponents"),
    Feature("tenpai_max", "highest P(tenpai) of an opponent without riichi"),
    Feature("tenpai_sum", "sum of P(tenpai) over the opponents"),
    Feature("safest", "P(deal-in) of the safest tile left"),
    Feature("next_safest", "P(deal-in) of the next safest tile left"),
    Feature("mean_danger", "mean P(deal-in) of the tiles left"),
    Feature("safe_tiles", "tiles left with P(deal-in) under 1 %"),
    Feature("dora_unseen", "unseen dora"),
    Feature("mc_win_prob", "P(win) by the Monte Carlo draws"),
    Feature("mc_win_points", "mean points of those wins"),
    Feature("ron_tiles", "unseen waits of a tenpai hand that have a yaku by ron, -1 before tenpai"),
    Feature("ron_share", "share of these that opponents will discard, 0 if furiten, -1 before tenpai"),
    Feature("wait_tiles_to_come", "waits expected by self-draw or such a discard, -1 before tenpai"),
    Feature("declares", "riichi is declared with this discard"),
    Feature("draws_before", "opponents who draw before this seat: 3 after a discard, fewer after a pass"),
    Feature("passed_chi", "a chi is passed on"),
    Feature("passed_pon", "a pon is passed on"),
)
AT = numbered(COLUMNS)
"""Column numbers by name."""
LEAST_PROB, LEAST_POINTS = 1e-3, 500.0
"""Monte Carlo draws give no information about smaller probabilities, nor about those as near to 1; hands that
win fewer points by them are all alike."""
COLUMNS_OF_DISCARDS = COLUMNS[: AT.draws_before]
"""Those that differ between discards: what is learned about discards alone sees no others."""


class Hands(NamedTuple):
    """The n hands that one decision may leave.

    Attributes
    ----------
    counts : int8[n, 34]
        Concealed tiles after the discard.
    sets : int16[n, 4]
        Codes of the sets laid down (``manue.hand.shape``), -1 beyond the last.
    reds : int8[n]
        Red fives held, including those in sets.
    riichi : int8[n]
    own_draws : int16[n]
        This seat's remaining draws.
    draws_before : int8[n]
        Opponents who draw before this seat does.
    passed_chi, passed_pon : int8[n]
        Whether such a call is passed on.
    thrown : int8[n]
        Kind discarded, or passed on for good in riichi, -1 if none; it matters for furiten and suji.
    mc_win_prob, mc_win_points : float32[n]
    ron_waits : int64[n]
        Bit k is set for an unseen wait k that has a yaku by ron; 0 for a hand that is not tenpai.
    """

    counts: I8
    sets: I16
    reds: I8
    riichi: I8
    own_draws: I16
    draws_before: I8
    passed_chi: I8
    passed_pon: I8
    thrown: I8
    mc_win_prob: F32
    mc_win_points: F32
    ron_waits: I64


def room_for_hands(n: int) -> Hands:
    """Return n hands, not yet filled in."""
    return Hands(
        np.empty((n, 34), np.int8),
        np.empty((n, 4), np.int16),
        np.empty(n, np.int8),
        np.empty(n, np.int8),
        np.empty(n, np.int16),
        np.empty(n, np.int8),
        np.empty(n, np.int8),
        np.empty(n, np.int8),
        np.empty(n, np.int8),
        np.empty(n, np.float32),
        np.empty(n, np.float32),
        np.empty(n, np.int64),
    )


def afterstate_rows(scene: Scenes, hands: Hands, deal_in: F64, tenpai: F64, discard_rates: F64) -> F32:
    """Compute the features of hands that a decision may leave.

    Parameters
    ----------
    scene : SCENE[1]
        Before the decision.
    hands : Hands
    deal_in : float64[34]
        P(some opponent wins on the kind if it is discarded now).
    tenpai : float64[3]
        P(tenpai) of the opponents, in turn order.
    discard_rates : float64[CLASSES]
        Of waits (``manue.features.wait_discard_rates``).

    Returns
    -------
    float32[n, len(COLUMNS)]
    """
    rows = np.zeros((len(hands.counts), len(COLUMNS)), np.float32)
    _fill_rows(scene, hands, deal_in, tenpai, discard_rates, TABLES.packed, rows)
    return rows


# ---- kernels


@compiled
def _fill_rows(
    scene: Scenes,
    hands: Hands,
    deal_in: F64,
    tenpai: F64,
    discard_rates: F64,
    tables: U8,
    rows: F32,
) -> None:
    here = scene[0]
    useful = np.zeros(34, np.bool_)
    unseen = dora_unseen = 0
    for kind in range(34):
        copies = max(0, 4 - here["visible"][kind])
        unseen += copies
        dora_unseen += copies * here["dora"][kind]
    for i in range(len(rows)):
        row = rows[i]
        _hand_columns(here, hands, i, useful, tables, row)
        _scene_columns(here, tenpai, row)
        _danger_columns(hands.counts[i], deal_in, row)
        row[AT.dora_unseen] = dora_unseen
        row[AT.mc_win_prob] = hands.mc_win_prob[i]
        row[AT.mc_win_points] = hands.mc_win_points[i]
        _wait_columns(here, hands, i, unseen, discard_rates, row)


@compiled
def _hand_columns(here: Scenes, hands: Hands, i: int, useful: Bool, tables: U8, row: F32) -> None:
    """Fill in the columns of the hand."""
    counts = hands.counts[i]
    melds = opened = 0
    yakuhai = dora = 0
    suits = np.zeros(4)
    for j in range(4):
        code = int(np.int64(hands.sets[i, j]))
        if code < 0:
            break
        melds += 1
        opened |= int(code & OPEN != 0)
        first = code & KIND_PART
        suits[first // 9] += 3
        if code & TYPE_PART == RUN:
            dora += here["dora"][first] + here["dora"][first + 1] + here["dora"][first + 2]
        else:
            dora += here["dora"][first] * (4 if code & TYPE_PART == KAN else 3)
            yakuhai += yakuhai_of(here, 0, first)
    shanten = useful_of(counts, melds, tables, useful)
    kinds = tiles = furiten = 0
    orphans = pairs = triplets = live = 0
    for kind in range(34):
        held = counts[kind]
        if useful[kind]:
            kinds += 1
            tiles += max(0, 4 - here["visible"][kind])
            if shanten == 0 and (here["safe"][0, kind] != 0 or kind == hands.thrown[i]):
                furiten = 1
        if held == 0:
            continue
        dora += held * here["dora"][kind]
        suits[kind // 9] += held
        orphans += held * (OUTSIDE_MASK >> kind & 1)
        worth = yakuhai_of(here, 0, kind)
        if held >= 3:
            triplets += 1
            yakuhai += worth
        if held >= 2:
            pairs += 1
            if held == 2 and worth > 0 and here["visible"][kind] < 4:
                live += 1
    row[AT.shanten], row[AT.useful_kinds], row[AT.useful_tiles] = shanten, kinds, tiles
    row[AT.own_draws], row[AT.tiles_left] = hands.own_draws[i], here["tiles_left"]
    row[AT.draws_before] = hands.draws_before[i]
    row[AT.passed_chi], row[AT.passed_pon] = hands.passed_chi[i], hands.passed_pon[i]
    row[AT.open], row[AT.melds], row[AT.riichi], row[AT.furiten] = opened, melds, hands.riichi[i], furiten
    row[AT.dora], row[AT.yakuhai], row[AT.yakuhai_pairs] = dora + hands.reds[i], yakuhai, live
    row[AT.orphans], row[AT.one_suit] = orphans, max(suits[0], suits[1], suits[2]) + suits[3]
    row[AT.pairs], row[AT.triplets] = pairs, triplets


@compiled
def _wait_columns(here: Scenes, hands: Hands, i: int, unseen: int, discard_rates: F64, row: F32) -> None:
    """Fill in what a tenpai hand may win on: by ron, and by self-draw, if closed even without a yaku."""
    row[AT.declares] = int(hands.riichi[i] != 0 and here["riichi_index"][0] < 0)
    if row[AT.shanten] != 0:
        row[AT.ron_tiles] = row[AT.ron_share] = row[AT.wait_tiles_to_come] = -1
        return
    waits = hands.ron_waits[i]
    tiles = 0
    for kind in range(34):
        if waits >> kind & 1:
            tiles += max(0, 4 - here["visible"][kind])
    discarded = 0.0
    if tiles > 0 and row[AT.furiten] == 0:
        manner = DECLARED if hands.riichi[i] else (OPENED if row[AT.open] else CLOSED)
        discarded = expected_ron_tiles(here, hands.counts[i], hands.thrown[i], waits, manner, discard_rates)
    drawn = (tiles if row[AT.open] else row[AT.useful_tiles]) * row[AT.own_draws] / max(unseen, 1)
    row[AT.ron_tiles], row[AT.ron_share], row[AT.wait_tiles_to_come] = (
        tiles,
        discarded / max(tiles, 1),
        discarded + drawn,
    )


@compiled
def _scene_columns(here: Scenes, tenpai: F64, row: F32) -> None:
    """Fill in the columns of seats, scores and opponents."""
    best = -32768
    ahead = riichi = dealer_riichi = ippatsu = most = melds = 0
    silent = 0.0
    for other in range(1, 4):
        best = max(best, here["scores"][other])
        ahead += int(here["scores"][other] > here["scores"][0])
        most = max(most, here["meld_len"][other])
        melds += here["meld_len"][other]
        if here["riichi"][other] != 0:
            riichi += 1
            dealer_riichi |= int(here["dealer"] == other)
            ippatsu |= int(here["ippatsu"][other] != 0)
        else:
            silent = max(silent, tenpai[other - 1])
    row[AT.dealer], row[AT.rank], row[AT.lead] = int(here["dealer"] == 0), ahead, here["scores"][0] - best
    row[AT.round_number], row[AT.rounds_left] = here["round_number"], here["rounds_left"]
    row[AT.honba] = here["honba"]
    row[AT.riichi_opponents], row[AT.dealer_riichi], row[AT.ippatsu] = riichi, dealer_riichi, ippatsu
    row[AT.most_melds], row[AT.all_melds] = most, melds
    row[AT.tenpai_max], row[AT.tenpai_sum] = silent, tenpai[0] + tenpai[1] + tenpai[2]


@compiled
def _danger_columns(counts: I8, deal_in: F64, row: F32) -> None:
    """Fill in the columns of the tiles left for later discards."""
    safest = next_safest = 1.0
    total = 0.0
    tiles = safe = 0
    for kind in range(34):
        for _ in range(counts[kind]):
            chance = deal_in[kind]
            tiles += 1
            total += chance
            safe += int(chance < 0.01)
            if chance < safest:
                safest, next_safest = chance, safest
            elif chance < next_safest:
                next_safest = chance
    row[AT.safest], row[AT.next_safest], row[AT.mean_danger], row[AT.safe_tiles] = (
        safest,
        next_safest,
        total / max(tiles, 1),
        safe,
    )
