"""Fills the columns of `manue.sim.columns` from a table, as one seat sees it.

Nothing is read that the seat does not see: its own hand, all melds, rivers and indicators. What costs most,
the useful tiles of every discard, comes from the codes that the table keeps.
"""

from typing import Any

import numpy as np

from manue.arrays import F32, I64, U8
from manue.compiled import compiled, inlined
from manue.sim.codes import ANKAN, CHI, DAIMINKAN, GROUP, KAKAN, MEMBER, PON
from manue.sim.columns import BY, IN, OF, ON
from manue.sim.hands import (
    OUTSIDE,
    add_tile,
    kind_of,
    rate_discards,
    rate_useful,
    red_of_kind,
    shanten_at_rest,
    shapes_of,
    take_tile,
    unseen_copies,
    unseen_in,
    useful_mask,
)
from manue.sim.legal import swapped
from manue.sim.scoring import dealer_of, score_of
from manue.sim.table import CHI_MELD, PON_MELD

MOST_DISCARDS = 14
DRAGONS = 7 << 31
NUMBERS = (1 << 27) - 1
_NEAR = 3


@inlined
def _bits(mask: int) -> int:
    """Count the kinds in a mask."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@inlined
def value_of_kind(t: Any, seat: int, kind: int) -> int:
    """Return the yaku of a triplet of a kind: 0, 1 or 2."""
    if kind < 27:
        return 0
    seat_wind, round_wind = 27 + (seat - dealer_of(t)) % 4, 27 + int(t["index"]) // 4 % 4
    return int(kind >= 31) + int(kind == seat_wind) + int(kind == round_wind)


@inlined
def dora_in_meld(t: Any, seat: int, place: int) -> int:
    """Count dora and red fives in a meld."""
    first, form = int(t["meld_kind"][seat, place]), int(t["meld_type"][seat, place])
    found = int(t["meld_reds"][seat, place])
    if form == CHI_MELD:
        return found + int(t["dora"][first]) + int(t["dora"][first + 1]) + int(t["dora"][first + 2])
    return found + (3 if form == PON_MELD else 4) * int(t["dora"][first])


# ---- danger


@compiled
def fill_dangers(t: Any, seat: int, dangers: F32) -> None:
    """Fill the share of the waits that each opponent may have on each kind: float32[4, 34], by absolute seat.

    The shapes that could wait on a kind are counted by the unseen copies of the tiles they need; a shape that
    also waits on a tile which is safe cannot be there.
    """
    for step in range(1, 4):
        opponent = (seat + step) % 4
        row = dangers[opponent]
        row[:] = 0.0
        if t["riichi"][opponent] == 0 and t["meld_len"][opponent] == 0:
            continue
        safe = int(t["safe"][opponent] | t["passed"][opponent])
        total = np.float32(1e-6)
        for kind in range(34):
            if safe >> kind & 1:
                continue
            weight = _shapes_on(t, seat, kind, safe)
            row[kind] = weight
            total += weight
        for kind in range(34):
            row[kind] /= total


@compiled
def _shapes_on(t: Any, seat: int, kind: int, safe: int) -> np.float32:
    """Weigh the shapes that could wait on a kind."""
    own = np.float32(unseen_copies(t, seat, kind))
    weight = own * (own - np.float32(1.0)) * np.float32(0.5)
    if kind >= 27:
        return weight + np.float32(0.6) * own
    weight += np.float32(0.2) * own
    number = kind % 9
    if number >= 2:
        pair = np.float32(unseen_copies(t, seat, kind - 1) * unseen_copies(t, seat, kind - 2))
        if number == 2:
            weight += np.float32(0.35) * pair
        elif not safe >> (kind - 3) & 1:
            weight += pair
    if number <= 6:
        pair = np.float32(unseen_copies(t, seat, kind + 1) * unseen_copies(t, seat, kind + 2))
        if number == 6:
            weight += np.float32(0.35) * pair
        elif not safe >> (kind + 3) & 1:
            weight += pair
    if 1 <= number <= 7:
        weight += np.float32(0.3 * unseen_copies(t, seat, kind - 1) * unseen_copies(t, seat, kind + 1))
    return weight


@compiled
def safe_against_riichi(t: Any, seat: int) -> int:
    """Return the mask of the kinds safe against all opponents in riichi; 0 if there is none."""
    mask, threats = (1 << 34) - 1, 0
    for step in range(1, 4):
        opponent = (seat + step) % 4
        if t["riichi"][opponent]:
            mask &= int(t["safe"][opponent])
            threats += 1
    return mask if threats else 0


# ---- the table around a choice


@compiled
def fill_context(t: Any, seat: int, lowest: int, row: F32) -> None:
    """Fill the context, given the lowest shanten that a discard leaves (or that of the hand at rest)."""
    row[: len(IN)] = 0.0
    _fill_hand(t, seat, lowest, row)
    _fill_points(t, seat, row)
    safe = safe_against_riichi(t, seat)
    held = 0
    for kind in range(34):
        held |= int(t["hand"][seat, kind] > 0) << kind
    row[IN.safe_kinds] = _bits(held & safe) / 6
    row[IN.drawn_safe] = t["drawn"] >= 0 and safe >> kind_of(max(t["drawn"], 0)) & 1
    for step in range(1, 4):
        opponent = (seat + step) % 4
        at = step - 1
        riichi = int(t["riichi"][opponent] > 0)
        row[IN.threats] += riichi / 3
        row[IN.riichi_next + at] = riichi
        row[IN.ippatsu_next + at] = t["ippatsu"][opponent]
        row[IN.melds_next + at] = t["meld_len"][opponent] / 4
        row[IN.river_next + at] = t["river_len"][opponent] / 18
        for place in range(t["meld_len"][opponent]):
            if t["meld_type"][opponent, place] != CHI_MELD:
                value = value_of_kind(t, opponent, int(t["meld_kind"][opponent, place]))
                row[IN.value_melds_next + at] += value / 2
            row[IN.dora_melds_next + at] += dora_in_meld(t, opponent, place) / 4
        if opponent == dealer_of(t):
            row[IN.deals_next + at] = 1
            row[IN.dealer_threat] = riichi


@inlined
def _fill_hand(t: Any, seat: int, lowest: int, row: F32) -> None:
    hand = t["hand"]
    melds = int(t["meld_len"][seat])
    row[IN.tenpai + min(max(lowest, 0), 4)] = 1
    row[IN.open] = t["open"][seat]
    row[IN.melds] = melds / 4
    s0 = s1 = s2 = honors = 0
    dora = int(t["reds"][seat, 0]) + int(t["reds"][seat, 1]) + int(t["reds"][seat, 2])
    sets = pairs = outside = 0
    for kind in range(34):
        held = int(hand[seat, kind])
        dora += held * int(t["dora"][kind])
        outside += held * (OUTSIDE >> kind & 1)
        if kind < 9:
            s0 += held
        elif kind < 18:
            s1 += held
        elif kind < 27:
            s2 += held
        else:
            honors += held
            value = int(value_of_kind(t, seat, kind) > 0)
            sets += value * int(held >= 3)
            pairs += value * int(held == 2)
    for place in range(melds):
        first, form = int(t["meld_kind"][seat, place]), int(t["meld_type"][seat, place])
        dora += dora_in_meld(t, seat, place)
        if form == CHI_MELD:
            row[IN.outside_melds] += first % 9 == 0 or first % 9 == 6
        else:
            row[IN.outside_melds] += OUTSIDE >> first & 1
            sets += int(value_of_kind(t, seat, first) > 0)
        s0 += 3 * int(first < 9)
        s1 += 3 * int(9 <= first < 18)
        s2 += 3 * int(18 <= first < 27)
        honors += 3 * int(first >= 27)
    row[IN.dora] = dora / 4
    row[IN.value_sets] = sets / 2
    row[IN.value_pairs] = pairs / 2
    row[IN.outside] = outside / 8
    longest = max(s0, s1, s2)
    row[IN.longest] = longest / 14
    row[IN.flush] = (longest + honors) / 14
    row[IN.two_suits] = (s0 + s1 + s2 - min(s0, s1, s2) + honors) / 14
    two, kinds, _, _ = shapes_of(t, seat)
    row[IN.pairs] = two / 6
    row[IN.seven_pairs] = (6 - min(two, 7) + max(0, 7 - kinds)) / 6 if melds == 0 else 1


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
    row[IN.place] = place / 3
    row[IN.behind_first] = min((first - own) / 20000, 2.0)
    row[IN.ahead_of_next] = min((own - below) / 20000, 2.0) if place < 3 else 0
    row[IN.ahead_of_last] = min((own - last) / 20000, 2.0)
    row[IN.tiles_left] = t["tiles_left"] / 70
    row[IN.tiles_left_squared] = (t["tiles_left"] / 70) ** 2
    row[IN.dealer] = seat == dealer_of(t)
    row[IN.round] = min(t["index"] / 8, 1.0)
    row[IN.last_round] = t["index"] >= t["last_index"]
    row[IN.at_stake] = (0.3 * t["honba"] + t["deposits"]) / 4


# ---- discards


@compiled
def fill_discards(t: Any, seat: int, kinds: int, tables: U8, dangers: F32, rows: F32, found: I64) -> int:
    """Fill a row for each kind that may be discarded, and its kind into ``found``; return their number.

    Parameters
    ----------
    t : TABLE
        With ``after``.
    kinds : int
        Mask of the kinds allowed.
    dangers : float32[4, 34]
        Of `fill_dangers`.
    rows : float32[MOST_DISCARDS, len(DISCARD_COLUMNS)]
    found : int64[MOST_DISCARDS]
    """
    hand, after = t["hand"], t["after"]
    n = 0
    lowest = 127
    for kind in range(34):
        if hand[seat, kind] > 0 and kinds >> kind & 1:
            found[n] = kind
            n += 1
            lowest = min(lowest, int(after[kind]))
    near_dora = _near_dora(t)
    suits = _suits(t, seat)
    seven = _nearer_to_pairs(t, seat)
    simple_open = t["open"][seat] and not _has_value_set(t, seat)
    river = int(t["river_len"][seat])
    for at in range(n):
        kind = int(found[at])
        row = rows[at]
        row[:] = 0.0
        row[OF.worse] = after[kind] - lowest
        _fill_kind(t, seat, kind, near_dora, row)
        _fill_around(t, seat, kind, suits, row)
        row[OF.seven_pairs_break] = seven and hand[seat, kind] == 2
        row[OF.simple_open] = simple_open and OUTSIDE >> kind & 1
        row[OF.turn_honor] = row[OF.honor] * river / 18
        row[OF.turn_outside] = row[OF.terminal] * river / 18
        row[OF.turn_single] = row[OF.alone] * river / 18
    _fill_useful(t, seat, n, lowest, tables, rows, found)
    _fill_risks(t, seat, n, lowest, dangers, rows, found)
    return n


@inlined
def _near_dora(t: Any) -> tuple[int, int]:
    """Return the masks of the kinds one and two steps from a dora."""
    one = two = 0
    for kind in range(27):
        if t["dora"][kind]:
            number = kind % 9
            one |= int(number >= 1) << max(kind - 1, 0) | int(number <= 7) << (kind + 1)
            two |= int(number >= 2) << max(kind - 2, 0) | int(number <= 6) << (kind + 2)
    return one & NUMBERS, two & NUMBERS


@inlined
def _suits(t: Any, seat: int) -> tuple[int, int, int]:
    """Count the tiles of each suit, melds included."""
    s0 = s1 = s2 = 0
    for number in range(9):
        s0 += int(t["hand"][seat, number])
        s1 += int(t["hand"][seat, 9 + number])
        s2 += int(t["hand"][seat, 18 + number])
    for place in range(t["meld_len"][seat]):
        first = int(t["meld_kind"][seat, place])
        s0 += 3 * int(first < 9)
        s1 += 3 * int(9 <= first < 18)
        s2 += 3 * int(18 <= first < 27)
    return s0, s1, s2


@inlined
def _nearer_to_pairs(t: Any, seat: int) -> bool:
    """Return whether a closed hand has five pairs or more."""
    return bool(t["meld_len"][seat] == 0 and shapes_of(t, seat)[0] >= 5)


@inlined
def _has_value_set(t: Any, seat: int) -> bool:
    """Return whether a hand or its melds hold a set that is a yaku."""
    for kind in range(27, 34):
        if t["hand"][seat, kind] >= 3 and value_of_kind(t, seat, kind):
            return True
    for place in range(t["meld_len"][seat]):
        kind = int(t["meld_kind"][seat, place])
        if t["meld_type"][seat, place] != CHI_MELD and value_of_kind(t, seat, kind):
            return True
    return False


@inlined
def _fill_kind(t: Any, seat: int, kind: int, near_dora: tuple[int, int], row: F32) -> None:
    """Fill in what a tile is, and how many there are."""
    held = int(t["hand"][seat, kind])
    number = kind % 9
    if kind >= 27:
        value = value_of_kind(t, seat, kind)
        row[OF.honor] = 1
        row[OF.value] = value / 2
        row[OF.dragon] = kind >= 31
        row[OF.guest_wind] = value == 0
        guests = 0
        for step in range(1, 4):
            guests += value_of_kind(t, (seat + step) % 4, kind)
        row[OF.guest_value] = guests / 4
    else:
        row[OF.terminal + min(number, 8 - number, 3)] = 1
    row[OF.single] = held == 1
    row[OF.pair] = held == 2
    row[OF.triplet] = held >= 3
    unseen = unseen_copies(t, seat, kind)
    row[OF.unseen] = unseen / 3
    row[OF.gone] = unseen == 0
    row[OF.is_dora] = t["dora"][kind] / 2
    row[OF.red] = red_of_kind(t, seat, kind) and held == 1
    row[OF.next_to_dora] = near_dora[0] >> kind & 1
    row[OF.near_dora] = near_dora[1] >> kind & 1
    row[OF.drawn] = t["drawn"] >= 0 and kind_of(max(t["drawn"], 0)) == kind
    row[OF.own_river] = int(t["discarded"][seat]) >> kind & 1
    before = (seat + 3) % 4
    length = int(t["river_len"][before])
    row[OF.just_passed] = length > 0 and kind_of(t["river"][before, max(length - 1, 0)]) == kind


@inlined
def _fill_around(t: Any, seat: int, kind: int, suits: tuple[int, int, int], row: F32) -> None:
    """Fill in what a hand holds around a tile."""
    hand = t["hand"]
    if kind >= 27:
        row[OF.alone] = hand[seat, kind] == 1
        return
    number, first = kind % 9, kind - kind % 9
    b1 = int(hand[seat, kind - 1]) if number >= 1 else 0
    b2 = int(hand[seat, kind - 2]) if number >= 2 else 0
    a1 = int(hand[seat, kind + 1]) if number <= 7 else 0
    a2 = int(hand[seat, kind + 2]) if number <= 6 else 0
    row[OF.below], row[OF.above] = b1 / 2, a1 / 2
    row[OF.two_below], row[OF.two_above] = b2 / 2, a2 / 2
    row[OF.three_below] = int(hand[seat, kind - 3]) if number >= 3 else 0
    row[OF.three_above] = int(hand[seat, kind + 3]) if number <= 5 else 0
    row[OF.gap_below] = unseen_copies(t, seat, kind - 1) / 4 if number >= 1 else 0
    row[OF.gap_above] = unseen_copies(t, seat, kind + 1) / 4 if number <= 7 else 0
    row[OF.gap_two_below] = unseen_copies(t, seat, kind - 2) / 4 if number >= 2 else 0
    row[OF.gap_two_above] = unseen_copies(t, seat, kind + 2) / 4 if number <= 6 else 0
    run = (b1 > 0 and b2 > 0) or (b1 > 0 and a1 > 0) or (a1 > 0 and a2 > 0)
    row[OF.in_run] = run
    row[OF.run_spare] = run and hand[seat, kind] >= 2
    row[OF.alone] = hand[seat, kind] == 1 and b1 + b2 + a1 + a2 == 0
    own = suits[0] if kind < 9 else suits[1] if kind < 18 else suits[2]
    row[OF.suit] = own / 14
    row[OF.off_suit] = own < max(suits[0], suits[1], suits[2])
    kinds = 0
    for other in range(first, first + 9):
        kinds += int(hand[seat, other] > 0)
    row[OF.suit_kinds] = kinds / 9
    row[OF.straight] = kinds >= 7
    most = 0
    for low in range(max(0, number - 2), min(6, number) + 1):
        parts = 0
        for other in range(low, low + 3):
            parts += (
                int(hand[seat, other] > 0) + int(hand[seat, other + 9] > 0) + int(hand[seat, other + 18] > 0)
            )
        most = max(most, parts)
    row[OF.colors] = most / 9


@inlined
def _fill_useful(t: Any, seat: int, n: int, lowest: int, tables: U8, rows: F32, found: I64) -> None:
    """Fill in the useful tiles of the discards that leave the lowest shanten, and of those one worse."""
    rate_useful(t, seat, lowest + 1, tables)
    most = 0
    for at in range(n):
        kind = int(found[at])
        if t["after"][kind] > lowest + 1:
            continue
        mask, tiles = int(t["useful"][kind]), int(t["useful_tiles"][kind])
        rows[at, OF.useful] = tiles / 24
        rows[at, OF.useful_kinds] = _bits(mask) / 8
        if t["after"][kind] == lowest:
            most = max(most, tiles)
            own = int(t["discarded"][seat]) | 1 << kind
            rows[at, OF.ready_furiten] = lowest == 0 and mask & own != 0
    for at in range(n):
        kind = int(found[at])
        if t["after"][kind] == lowest:
            tiles = int(t["useful_tiles"][kind])
            rows[at, OF.behind_best] = (most - tiles) / 12
            rows[at, OF.best] = tiles == most
            rows[at, OF.next_behind] = tiles / max(most, 1)


@inlined
def _fill_risks(t: Any, seat: int, n: int, lowest: int, dangers: F32, rows: F32, found: I64) -> None:
    """Fill in the dangers."""
    least, least_open = np.float32(1e9), np.float32(1e9)
    for at in range(n):
        kind = int(found[at])
        row = rows[at]
        open_risk = np.float32(0.0)
        for step in range(1, 4):
            opponent = (seat + step) % 4
            danger = np.float32(5.0) * dangers[opponent, kind]
            if t["riichi"][opponent]:
                row[OF.safe_next + step - 1] = int(t["safe"][opponent]) >> kind & 1
                row[OF.danger_next + step - 1] = danger
                row[OF.risk] += danger
                if opponent == dealer_of(t):
                    row[OF.dealer_risk] = danger
            else:
                row[OF.open_danger_next + step - 1] = danger * t["meld_len"][opponent] / 4
                open_risk += row[OF.open_danger_next + step - 1]
        row[OF.open_risk_above] = open_risk
        least, least_open = min(least, row[OF.risk]), min(least_open, open_risk)
    threatened = safe_against_riichi(t, seat) != 0
    for at in range(n):
        row = rows[at]
        row[OF.open_risk_above] -= least_open
        above = row[OF.risk] - least
        row[OF.risk_above] = above
        row[OF.safest] = threatened and above <= 0.0
        row[OF.risk_far] = above * lowest / 3
        row[OF.risk_useful] = above * row[OF.next_behind]


# ---- riichi


@compiled
def fill_riichi(t: Any, seat: int, dangers: F32, kit: Any, row: F32) -> None:
    """Fill the columns of declaring riichi with the discard that leaves the widest wait.

    Parameters
    ----------
    t : TABLE
        With ``after``; riichi may be declared.
    """
    row[: len(ON)] = 0.0
    rate_useful(t, seat, 1, kit["tables"])
    best, mask, most = -1, 0, -1
    upgrade = 0
    for kind in range(34):
        if t["after"][kind] > 1:
            continue
        useful, tiles = int(t["useful"][kind]), int(t["useful_tiles"][kind])
        if t["after"][kind] == 1:
            upgrade = max(upgrade, tiles)
        elif tiles > most:
            best, mask, most = kind, useful, tiles
    row[ON.wait_tiles] = most / 8
    row[ON.wait_kinds] = _bits(mask) / 3
    row[ON.wait_outside] = _bits(mask & OUTSIDE) / 2
    row[ON.wait_honor] = mask & ~NUMBERS != 0
    row[ON.wait_furiten] = mask & (int(t["discarded"][seat]) | 1 << best) != 0
    for step in range(1, 4):
        opponent = (seat + step) % 4
        if t["riichi"][opponent]:
            row[ON.wait_risk] += np.float32(5.0) * dangers[opponent, best]
    row[ON.upgrade_tiles] = upgrade / 24
    row[ON.turn] = t["river_len"][seat] / 18
    row[ON.few_left] = t["tiles_left"] < 12
    row[ON.bias] = 1
    _fill_wins(t, seat, best, mask, most, kit, row)


@inlined
def _fill_wins(t: Any, seat: int, best: int, mask: int, most: int, kit: Any, row: F32) -> None:
    """Fill in what a ron is worth with and without riichi, over the tiles of the wait."""
    take_tile(t, seat, best)
    for kind in range(34):
        if mask >> kind & 1 == 0:
            continue
        share = unseen_copies(t, seat, kind) / max(most, 1)
        silent = score_of(t, seat, kind, False, kit["no_ura"], kit)  # noqa: FBT003
        if silent.han > 0 or silent.yakuman > 0:
            row[ON.silent_yaku] += share
            row[ON.silent_points] += share * silent.points / 8000
        t["riichi"][seat] = 1
        loud = score_of(t, seat, kind, False, kit["no_ura"], kit)  # noqa: FBT003
        t["riichi"][seat] = 0
        row[ON.riichi_points] += share * loud.points / 8000
    add_tile(t, seat, best)
    row[ON.silent_points] = min(row[ON.silent_points], np.float32(2.0))
    row[ON.riichi_points] = min(row[ON.riichi_points], np.float32(2.0))


# ---- calls and kans


@compiled
def fill_call(t: Any, seat: int, code: int, now: int, useful_now: int, tables: U8, row: F32) -> None:
    """Fill the columns of a call of the tile offered, or of a kan on one's own turn.

    Parameters
    ----------
    code : int
    now : int
        Shanten without it.
    useful_now : int
        Useful tiles without it.
    """
    row[: len(BY)] = 0.0
    group, member = code & GROUP, code & MEMBER
    kind = member if group == ANKAN else kind_of(member if group == KAKAN else int(t["offered"]))
    row[BY.chi] = group == CHI
    row[BY.pon] = group == PON
    row[BY.open_kan] = group == DAIMINKAN
    row[BY.closed_kan] = group == ANKAN
    row[BY.added_kan] = group == KAKAN
    low = kind - member // 2 if group == CHI else kind
    row[BY.kind_value] = value_of_kind(t, seat, kind) / 2
    if group == CHI:
        row[BY.kind_outside] = low % 9 == 0 or low % 9 == 6
        row[BY.kind_dora] = (t["dora"][low] + t["dora"][low + 1] + t["dora"][low + 2]) / 2
        row[BY.takes_place] = member // 2 == 1
        row[BY.uses_red] = member & 1
    else:
        row[BY.kind_outside] = OUTSIDE >> kind & 1
        row[BY.kind_dora] = 3 * t["dora"][kind] / 2
        row[BY.uses_red] = group == PON and member == 1
    row[BY.first_call] = t["open"][seat] == 0
    then, useful_then = _after_call(t, seat, group, kind, low, tables, row)
    gain = min(max(now - then, -1), 2)
    row[BY.shanten_now] = now / 4
    row[BY.gain] = gain
    row[BY.now_tenpai], row[BY.then_tenpai] = now <= 0, then <= 0
    row[BY.useful_now] = useful_now / 24
    row[BY.useful_then] = useful_then / 24
    row[BY.useful_gain] = (useful_then - useful_now) / 12
    row[BY.turn] = t["river_len"][seat] / 18
    row[BY.value_gain] = row[BY.yaku_set] * gain
    row[BY.simple_gain] = row[BY.simples] * gain
    row[BY.threat_gain] = gain if safe_against_riichi(t, seat) else 0
    row[BY.bias] = 1


@inlined
def _after_call(t: Any, seat: int, group: int, kind: int, low: int, tables: U8, row: F32) -> tuple[int, int]:
    """Lay the set down, look at the hand that is left, and take it back.

    Returns
    -------
    shanten, useful : int
        Of that hand, with its best discard if one follows.
    """
    melds = int(t["meld_len"][seat])
    first = second = kind
    count = 2 if group == PON else 3 if group == DAIMINKAN else 4 if group == ANKAN else 1
    if group == CHI:
        first = low if low != kind else low + 1
        second = low + 2 if low + 2 != kind else low + 1
        _put_down(t, seat, first)
        _put_down(t, seat, second)
    else:
        for _ in range(count):
            _put_down(t, seat, kind)
    if group != KAKAN:
        t["meld_type"][seat, melds] = CHI_MELD if group == CHI else PON_MELD
        t["meld_kind"][seat, melds] = low
        t["meld_len"][seat] = melds + 1
    _fill_left(t, seat, kind, row)
    if group in (CHI, PON):
        forbidden = swapped(kind, kind - low) if group == CHI else 1 << kind
        then, useful = _best_left(t, seat, forbidden, tables)
    else:
        then = shanten_at_rest(t, seat, tables)
        useful = unseen_in(t, seat, useful_mask(t, seat, then, tables))
    t["meld_len"][seat] = melds
    if group == CHI:
        _take_back(t, seat, first)
        _take_back(t, seat, second)
    else:
        for _ in range(count):
            _take_back(t, seat, kind)
    return then, useful


@inlined
def _put_down(t: Any, seat: int, kind: int) -> None:
    take_tile(t, seat, kind)
    t["public"][kind] += 1


@inlined
def _take_back(t: Any, seat: int, kind: int) -> None:
    add_tile(t, seat, kind)
    t["public"][kind] -= 1


@inlined
def _fill_left(t: Any, seat: int, kind: int, row: F32) -> None:
    """Fill in what the hand is after the call."""
    outside = same = runs = sets = pairs = 0
    for other in range(34):
        held = int(t["hand"][seat, other])
        outside += held * (OUTSIDE >> other & 1)
        same += held * int(other >= 27 or other // 9 == kind // 9)
        pairs += int(held >= 2)
    for place in range(t["meld_len"][seat]):
        first, form = int(t["meld_kind"][seat, place]), int(t["meld_type"][seat, place])
        if form == CHI_MELD:
            runs += 1
            outside += 3 * int(first % 9 == 0 or first % 9 == 6)
        else:
            sets += 1
            outside += 3 * (OUTSIDE >> first & 1)
        same += 3 * int(first >= 27 or first // 9 == kind // 9)
    row[BY.yaku_set] = _has_value_set(t, seat)
    row[BY.simples] = outside <= 1
    row[BY.flush_then] = same / 14
    row[BY.triplets] = (sets + pairs) / 6 if runs == 0 else 0
    row[BY.pair_left] = pairs > 0


@inlined
def _best_left(t: Any, seat: int, forbidden: int, tables: U8) -> tuple[int, int]:
    """Return the lowest shanten and the most useful tiles that a discard leaves."""
    rate_discards(t, seat, tables)
    lowest, most = 127, 0
    for kind in range(34):
        if forbidden >> kind & 1 == 0:
            lowest = min(lowest, int(t["after"][kind]))
    rate_useful(t, seat, lowest, tables)
    for kind in range(34):
        if forbidden >> kind & 1 == 0 and t["after"][kind] == lowest:
            most = max(most, int(t["useful_tiles"][kind]))
    return lowest, most
