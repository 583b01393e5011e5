"""Fills the columns of the context (`manue.sim.columns`): the table around a choice, as one seat sees it."""

from typing import Any

from manue.arrays import F32
from manue.compiled import compiled, inlined
from manue.features.scene import CHI_MELD
from manue.hand.shanten import seven_pairs_from
from manue.hand.shape import OUTSIDE_MASK
from manue.sim.columns import CONTEXT_AT
from manue.sim.danger import safe_against_riichi
from manue.sim.hands import kind_of, shapes_of
from manue.sim.scoring import dealer_of
from manue.sim.tile_values import (
    count_kinds,
    dora_in_meld,
    dora_of_seat,
    is_outside,
    tiles_by_suit,
    value_of_kind,
)


@compiled
def fill_context(t: Any, seat: int, lowest: int, row: F32) -> None:
    """Fill the columns ``CONTEXT_AT``.

    Parameters
    ----------
    lowest : int
        The lowest shanten that a discard leaves, or that of the hand at rest.
    row : float32[CONTEXT_SIZE]
    """
    row[: len(CONTEXT_AT)] = 0.0
    _fill_hand(t, seat, lowest, row)
    _fill_points(t, seat, row)
    safe = safe_against_riichi(t, seat)
    held = 0
    for kind in range(34):
        held |= int(t["hand"][seat, kind] > 0) << kind
    row[CONTEXT_AT.safe_kinds] = count_kinds(held & safe) / 6
    row[CONTEXT_AT.drawn_safe] = t["drawn"] >= 0 and safe >> kind_of(max(t["drawn"], 0)) & 1
    for step in range(1, 4):
        opponent = (seat + step) % 4
        at = step - 1
        riichi = int(t["riichi"][opponent] > 0)
        row[CONTEXT_AT.threats] += riichi / 3
        row[CONTEXT_AT.riichi_next + at] = riichi
        row[CONTEXT_AT.ippatsu_next + at] = t["ippatsu"][opponent]
        row[CONTEXT_AT.melds_next + at] = t["meld_len"][opponent] / 4
        row[CONTEXT_AT.river_next + at] = t["river_len"][opponent] / 18
        for place in range(t["meld_len"][opponent]):
            if t["meld_kind"][opponent, place] != CHI_MELD:
                value = value_of_kind(t, opponent, int(t["meld_first"][opponent, place]))
                row[CONTEXT_AT.value_melds_next + at] += value / 2
            row[CONTEXT_AT.dora_melds_next + at] += dora_in_meld(t, opponent, place) / 4
        if opponent == dealer_of(t):
            row[CONTEXT_AT.deals_next + at] = 1
            row[CONTEXT_AT.dealer_threat] = riichi


@inlined
def _fill_hand(t: Any, seat: int, lowest: int, row: F32) -> None:
    hand = t["hand"]
    melds = int(t["meld_len"][seat])
    row[CONTEXT_AT.tenpai + min(max(lowest, 0), 4)] = 1
    row[CONTEXT_AT.open] = t["open"][seat]
    row[CONTEXT_AT.melds] = melds / 4
    sets = pairs = outside = 0
    for kind in range(34):
        held = int(hand[seat, kind])
        outside += held * (OUTSIDE_MASK >> kind & 1)
        value = int(value_of_kind(t, seat, kind) > 0)
        sets += value * int(held >= 3)
        pairs += value * int(held == 2)
    for place in range(melds):
        first, form = int(t["meld_first"][seat, place]), int(t["meld_kind"][seat, place])
        row[CONTEXT_AT.outside_melds] += int(is_outside(first, form == CHI_MELD))
        if form != CHI_MELD:
            sets += int(value_of_kind(t, seat, first) > 0)
    row[CONTEXT_AT.dora] = dora_of_seat(t, seat) / 4
    row[CONTEXT_AT.value_sets] = sets / 2
    row[CONTEXT_AT.value_pairs] = pairs / 2
    row[CONTEXT_AT.outside] = outside / 8
    s0, s1, s2, honors = tiles_by_suit(t, seat)
    longest = max(s0, s1, s2)
    row[CONTEXT_AT.longest] = longest / 14
    row[CONTEXT_AT.flush] = (longest + honors) / 14
    row[CONTEXT_AT.two_suits] = (s0 + s1 + s2 - min(s0, s1, s2) + honors) / 14
    two, kinds, _, _ = shapes_of(t, seat)
    row[CONTEXT_AT.pairs] = two / 6
    row[CONTEXT_AT.seven_pairs] = seven_pairs_from(two, kinds) / 6 if melds == 0 else 1


@inlined
def _fill_points(t: Any, seat: int, row: F32) -> None:
    scores = t["scores"]
    own = int(scores[seat])
    first = last = own
    place, below = 0, -1000000
    for other in range(4):
        points = int(scores[other])
        first, last = max(first, points), min(last, points)
        if other != seat:
            ahead = points > own or (points == own and other < seat)
            place += int(ahead)
            if not ahead:
                below = max(below, points)
    row[CONTEXT_AT.place] = place / 3
    row[CONTEXT_AT.behind_first] = min((first - own) / 20000, 2.0)
    row[CONTEXT_AT.ahead_of_next] = min((own - below) / 20000, 2.0) if place < 3 else 0
    row[CONTEXT_AT.ahead_of_last] = min((own - last) / 20000, 2.0)
    row[CONTEXT_AT.tiles_left] = t["tiles_left"] / 70
    row[CONTEXT_AT.tiles_left_squared] = (t["tiles_left"] / 70) ** 2
    row[CONTEXT_AT.dealer] = seat == dealer_of(t)
    row[CONTEXT_AT.round] = min(t["index"] / 8, 1.0)
    row[CONTEXT_AT.last_round] = t["index"] >= t["last_index"]
    row[CONTEXT_AT.at_stake] = (0.3 * t["honba"] + t["deposits"]) / 4
