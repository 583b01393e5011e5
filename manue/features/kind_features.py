"""Kernels of the kind features: how dangerous each kind looks against one opponent."""

import numpy as np

from manue.arrays import F32, F64, I16, U8
from manue.compiled import compiled
from manue.features.danger_columns import (
    AIDA_4_KEN,
    CHANGES_SINCE,
    CLOSED_WEIGHT,
    COMBO_RANK,
    COMBO_SHARE,
    COMBO_TOTAL,
    DORA,
    DORA_BOOST,
    DORA_NEAR,
    EARLY,
    EARLY_DISCOUNT,
    EDGE_WEIGHT,
    FIVE_BOOST,
    GAP_DISCARDS,
    HONOR_PAIR_WEIGHT,
    HONOR_SINGLE_WEIGHT,
    INNER_AGE,
    INNER_SUJI_AGE,
    LAST_CALL_DISTANCE,
    LAST_DISTANCE,
    LATE_DISCOUNT,
    MATAGI_SUJI,
    NARROW,
    NEXT_DISCARDS,
    NUMBER,
    OPEN_SIDES,
    OTHER_MELDS,
    OUTSIDE_EARLY,
    PAIR_WEIGHT,
    PASSED,
    PREVIOUS_DISTANCE,
    RIICHI_SUJI,
    RIICHI_TILE_DISCOUNT,
    SENKI_SUJI,
    SINGLE_WEIGHT,
    SUIT_MELDS,
    SUIT_SHARE,
    SUJI,
    SUJI_CHANGES_SINCE,
    SUJI_RULED_OUT,
    TWO_SIDED,
    TWO_SIDED_WEIGHT,
    UNSEEN,
    UNSEEN_INNER,
    URA_SUJI,
    YAKUHAI,
)
from manue.features.kind_columns import FAR, LONG_AGO, NEVER
from manue.features.scene import CALLED_AWAY, CALLER_SHIFT, FROM_DRAW, yakuhai_of
from manue.tiles import EDGE_DISTANCE


@compiled
def waiting_shapes(scene: np.void, o: int, weights: F64, kinds: F32, out: F32) -> None:
    """Fill in the waiting shapes still possible: walls, suji, and each kind's share of all shapes."""
    safe = scene["safe"][o]
    unseen = 4 - scene["visible"]
    held = _holding(scene, o, weights)
    total = 0.0
    weight = np.zeros(34)
    for kind in range(34):
        row = kinds[kind]
        u = unseen[kind]
        row[UNSEEN] = u
        row[NUMBER] = EDGE_DISTANCE[kind]
        pair, single = weights[PAIR_WEIGHT], weights[SINGLE_WEIGHT]
        if kind >= 27:
            pair, single = weights[HONOR_PAIR_WEIGHT], weights[HONOR_SINGLE_WEIGHT]
            row[YAKUHAI] = yakuhai_of(scene, o, kind)
            row[SUJI] = 2
        shapes = held[kind] * (pair * (u - 1) / 2 + single)
        if kind < 27:
            _lines(safe, unseen, kind, row)
            shapes += _sequences(safe, held, kind, weights)
        if not safe[kind] and u > 0:
            weight[kind] = shapes
            total += shapes
    out[COMBO_TOTAL] = total
    for kind in range(34):
        kinds[kind, COMBO_SHARE] = weight[kind] / max(total, 1e-9)
        rank = 0
        for other in range(34):
            rank += weight[other] > weight[kind]
        kinds[kind, COMBO_RANK] = rank
    for line in range(27):
        if line % 9 < 6:
            out[SUJI_RULED_OUT] += safe[line] != 0 or safe[line + 3] != 0


@compiled
def _holding(scene: np.void, o: int, weights: F64) -> F64:
    """Weight the unseen copies of each kind by how likely the opponent is to hold them."""
    held = np.empty(34)
    for kind in range(34):
        held[kind] = 4 - scene["visible"][kind]
        for _ in range(scene["dora"][kind]):
            held[kind] *= weights[DORA_BOOST]
        if kind < 27 and kind % 9 == 4:
            held[kind] *= weights[FIVE_BOOST]
    index = scene["riichi_index"][o]
    end = index + 1 if index >= 0 else np.int64(scene["river_len"][o])
    for i in range(end):
        factor = weights[EARLY_DISCOUNT] if i < EARLY else weights[LATE_DISCOUNT]
        held[scene["river"][o, i]] *= weights[RIICHI_TILE_DISCOUNT] if i == index else factor
    return held


@compiled
def _lines(safe: U8, unseen: I16, kind: int, row: F32) -> None:
    """Fill in which two-sided waits suji and walls rule out, and in how many ways others are possible."""
    n = kind % 9
    two_sided = narrow = 0.0
    ruled_out = sides = 0
    for step in (-1, 1):
        if not 0 <= n + 2 * step <= 8:
            continue
        ways = unseen[kind + step] * unseen[kind + 2 * step]
        if not 0 <= n + 3 * step <= 8:
            narrow += ways
            continue
        sides += 1
        if safe[kind + 3 * step]:
            ruled_out += 1
        else:
            two_sided += ways
            row[OPEN_SIDES] += ways > 0
    if 1 <= n <= 7:
        narrow += unseen[kind - 1] * unseen[kind + 1]
    row[SUJI] = 2 if ruled_out == sides else ruled_out
    row[TWO_SIDED] = two_sided
    row[NARROW] = narrow


@compiled
def _sequences(safe: U8, held: F64, kind: int, weights: F64) -> float:
    """Return the total weight of the possible sequence waits on a suit tile."""
    n = kind % 9
    shapes = 0.0
    for step in (-1, 1):
        if 0 <= n + 2 * step <= 8:
            ways = held[kind + step] * held[kind + 2 * step]
            if not 0 <= n + 3 * step <= 8:
                shapes += weights[EDGE_WEIGHT] * ways
            elif not safe[kind + 3 * step]:
                shapes += weights[TWO_SIDED_WEIGHT] * ways
    if 1 <= n <= 7:
        shapes += weights[CLOSED_WEIGHT] * held[kind - 1] * held[kind + 1]
    return shapes


@compiled
def tile_values(scene: np.void, o: int, kinds: F32) -> None:
    """Fill in dora and the suits of the opponent's melds and discards."""
    suits = np.zeros(4, np.int64)
    for m in range(np.int64(scene["meld_len"][o])):
        suits[scene["meld_first"][o, m] // 9] += 1
    discards = np.zeros(4, np.int64)
    length = np.int64(scene["river_len"][o])
    for i in range(length):
        discards[scene["river"][o, i] // 9] += 1
    call = -1
    for m in range(np.int64(scene["meld_len"][o])):
        if scene["meld_kind"][o, m] != 5:
            call = m
    for kind in range(34):
        row = kinds[kind]
        suit = kind // 9
        row[DORA] = scene["dora"][kind]
        row[SUIT_SHARE] = discards[suit] / max(length, 1)
        row[SUIT_MELDS] = suits[suit]
        row[OTHER_MELDS] = suits[0] + suits[1] + suits[2] - (suits[suit] if suit < 3 else 0)
        row[LAST_CALL_DISTANCE] = FAR
        if call >= 0:
            first = scene["meld_first"][o, call]
            row[LAST_CALL_DISTANCE] = _distance(kind, first)
            if scene["meld_kind"][o, call] == 1:
                row[LAST_CALL_DISTANCE] = min(row[LAST_CALL_DISTANCE], _distance(kind, first + 2))
        for dora in range(34):
            if scene["dora"][dora]:
                row[DORA_NEAR] = max(row[DORA_NEAR], 3 - _distance(kind, dora))


@compiled
def _distance(kind: int, other: int) -> int:
    if kind == other:
        return 0
    if kind >= 27 or other >= 27 or kind // 9 != other // 9:
        return FAR
    return abs(kind - other)


@compiled
def river_reading(scene: np.void, o: int, kinds: F32) -> None:
    """Fill in the classic readings of the opponent's discards, up to the riichi tile."""
    length = np.int64(scene["river_len"][o])
    index = np.int64(scene["riichi_index"][o])
    end = index + 1 if index >= 0 else length
    discarded = np.zeros(34, np.bool_)
    kinds[:, LAST_DISTANCE] = FAR
    kinds[:, PREVIOUS_DISTANCE] = FAR
    for i in range(end):
        tile = scene["river"][o, i]
        discarded[tile] = True
        from_hand = not scene["river_flag"][o, i] & FROM_DRAW
        for kind in range(34):
            row = kinds[kind]
            away = _distance(kind, tile)
            if from_hand:
                row[PREVIOUS_DISTANCE] = row[LAST_DISTANCE]
                row[LAST_DISTANCE] = away
            if away in (0, FAR):
                continue
            row[NEXT_DISCARDS] += away == 1
            row[GAP_DISCARDS] += away == 2
            row[RIICHI_SUJI] += i == index and away == 3
            _line_reading(kind, tile, i < EARLY, from_hand, row)
    for kind in range(27):
        n = kind % 9
        for start in range(max(n - 4, 0), min(n, 4)):
            low = kind - n + start
            between = kind - low
            if between in (1, 4) and discarded[low] and discarded[low + 5]:
                kinds[kind, AIDA_4_KEN] = 1


@compiled
def _line_reading(kind: int, tile: int, early: bool, from_hand: bool, row: F32) -> None:  # noqa: FBT001 (kernel)
    """Count ura-suji, matagi-suji, senki-suji and outside-of-early for one discard in the kind's suit."""
    n, t = kind % 9, tile % 9
    inner = 4 - t
    if early and inner * (t - n) >= 0 and abs(4 - n) > abs(inner):
        row[OUTSIDE_EARLY] += 1
    if from_hand:
        row[URA_SUJI] += _on_line(n, t + 1) or _on_line(n, t - 4)
        row[MATAGI_SUJI] += not early and (_on_line(n, t - 2) or _on_line(n, t - 1))
    row[SENKI_SUJI] += early and (_on_line(n, t + 2) or _on_line(n, t - 5))


@compiled
def _on_line(n: int, low: int) -> bool:
    """Return whether ``n`` (0..8) is an end of the two-sided line (low, low + 3), if there is such a line."""
    return 0 <= low <= 5 and n in (low, low + 3)


@compiled
def passing(scene: np.void, o: int, timeline: I16, steps: int, kinds: F32) -> None:
    """Fill in what passed since the last hand change, and how many changes ago each kind was discarded."""
    changes = 0
    seen_at = np.full(34, -1)
    for step in range(steps):
        seat, kind, flag = timeline[step, 0], timeline[step, 1], timeline[step, 2]
        if seat == o and not flag & FROM_DRAW:
            changes += 1
        seen_at[kind] = changes
        if flag & CALLED_AWAY and (flag >> CALLER_SHIFT) & 3 == o:
            changes += 1
    for kind in range(34):
        row = kinds[kind]
        row[PASSED] = scene["passed"][o, kind] != 0
        row[CHANGES_SINCE] = changes - seen_at[kind] if seen_at[kind] >= 0 else LONG_AGO
        row[SUJI_CHANGES_SINCE] = LONG_AGO
        if kind < 27:
            for other in (kind - 3, kind + 3):
                if 0 <= other < 27 and other // 9 == kind // 9 and seen_at[other] >= 0:
                    row[SUJI_CHANGES_SINCE] = min(row[SUJI_CHANGES_SINCE], changes - seen_at[other])


@compiled
def neighbours(scene: np.void, o: int, kinds: F32) -> None:
    """Fill in how many copies of a tile's neighbours are unseen, and how long ago they were discarded."""
    index = scene["riichi_index"][o]
    end = np.int64(index) if index >= 0 else np.int64(scene["river_len"][o]) - 1
    age = np.full(34, NEVER)
    for i in range(end + 1):
        age[scene["river"][o, i]] = end - i
    for kind in range(34):
        row = kinds[kind]
        n = kind % 9
        for side in range(2):
            step = (1 if side == 0 else -1) * (1 if n <= 4 else -1)
            for away in range(1, 4):
                inside = kind < 27 and 0 <= n + away * step <= 8
                other = kind + away * step if inside else kind
                if away < 3:
                    at = side * 2 + away - 1
                    row[UNSEEN_INNER + at] = 4 - scene["visible"][other] if inside else -1
                    row[INNER_AGE + at] = age[other] if inside else NEVER
                elif inside and age[other] == NEVER and scene["safe"][o, other]:
                    row[INNER_SUJI_AGE + side] = -1
                else:
                    row[INNER_SUJI_AGE + side] = age[other] if inside else NEVER
