"""Kernels of the kind features: how dangerous each kind looks against one opponent.

``opponent`` is its seat in the scene: 1 next, 2 across, 3 previous.
"""

import numpy as np

from manue.arrays import F32, F64, I16, U8
from manue.compiled import compiled
from manue.features.danger_columns import EARLY, FACTOR, KIND, OPPONENT
from manue.features.kind_columns import BEYOND_SUIT, LONG_AGO, NEVER
from manue.features.scene import ANKAN_MELD, CALLED_AWAY, CALLER_SHIFT, CHI_MELD, FROM_DRAW, yakuhai_of
from manue.tiles import EDGE_DISTANCE


@compiled
def waiting_shapes(scene: np.void, opponent: int, weights: F64, kinds: F32, out: F32) -> None:
    """Fill in the waiting shapes still possible: walls, suji, and each kind's share of all shapes."""
    safe = scene["safe"][opponent]
    unseen = 4 - scene["visible"]
    held = _holding(scene, opponent, weights)
    total = 0.0
    weight = np.zeros(34)
    for kind in range(34):
        row = kinds[kind]
        u = unseen[kind]
        row[KIND.unseen] = u
        row[KIND.number] = EDGE_DISTANCE[kind]
        pair, single = weights[FACTOR.pair], weights[FACTOR.single]
        if kind >= 27:
            pair, single = weights[FACTOR.honor_pair], weights[FACTOR.honor_single]
            row[KIND.yakuhai] = yakuhai_of(scene, opponent, kind)
            row[KIND.suji] = 2
        shapes = held[kind] * (pair * (u - 1) / 2 + single)
        if kind < 27:
            _lines(safe, unseen, kind, row)
            shapes += _run_waits(safe, held, kind, weights)
        if not safe[kind] and u > 0:
            weight[kind] = shapes
            total += shapes
    out[OPPONENT.combo_total] = total
    for kind in range(34):
        kinds[kind, KIND.combo_share] = weight[kind] / max(total, 1e-9)
        rank = 0
        for other in range(34):
            rank += weight[other] > weight[kind]
        kinds[kind, KIND.combo_rank] = rank
    for line in range(27):
        if line % 9 < 6:
            out[OPPONENT.suji_ruled_out] += safe[line] != 0 or safe[line + 3] != 0


@compiled
def _holding(scene: np.void, opponent: int, weights: F64) -> F64:
    """Weight the unseen copies of each kind by how likely the opponent is to hold them."""
    held = np.empty(34)
    for kind in range(34):
        held[kind] = 4 - scene["visible"][kind]
        for _ in range(scene["dora"][kind]):
            held[kind] *= weights[FACTOR.dora]
        if kind < 27 and kind % 9 == 4:
            held[kind] *= weights[FACTOR.five]
    index = scene["riichi_index"][opponent]
    end = index + 1 if index >= 0 else np.int64(scene["river_len"][opponent])
    for i in range(end):
        factor = weights[FACTOR.discarded_early] if i < EARLY else weights[FACTOR.discarded_late]
        held[scene["river"][opponent, i]] *= weights[FACTOR.riichi_tile] if i == index else factor
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
            row[KIND.open_sides] += ways > 0
    if 1 <= n <= 7:
        narrow += unseen[kind - 1] * unseen[kind + 1]
    row[KIND.suji] = 2 if ruled_out == sides else ruled_out
    row[KIND.two_sided] = two_sided
    row[KIND.narrow] = narrow


@compiled
def _run_waits(safe: U8, held: F64, kind: int, weights: F64) -> float:
    """Return the total weight of the waits of runs that are possible on a number tile."""
    n = kind % 9
    shapes = 0.0
    for step in (-1, 1):
        if 0 <= n + 2 * step <= 8:
            ways = held[kind + step] * held[kind + 2 * step]
            if not 0 <= n + 3 * step <= 8:
                shapes += weights[FACTOR.edge] * ways
            elif not safe[kind + 3 * step]:
                shapes += weights[FACTOR.two_sided] * ways
    if 1 <= n <= 7:
        shapes += weights[FACTOR.closed] * held[kind - 1] * held[kind + 1]
    return shapes


@compiled
def tile_values(scene: np.void, opponent: int, kinds: F32) -> None:
    """Fill in dora and the suits of the opponent's melds and discards.

    ``kinds`` is float32[34, KIND columns].
    """
    suits = np.zeros(4, np.int64)
    for m in range(np.int64(scene["meld_len"][opponent])):
        suits[scene["meld_first"][opponent, m] // 9] += 1
    discards = np.zeros(4, np.int64)
    length = np.int64(scene["river_len"][opponent])
    for i in range(length):
        discards[scene["river"][opponent, i] // 9] += 1
    call = -1
    for m in range(np.int64(scene["meld_len"][opponent])):
        if scene["meld_kind"][opponent, m] != ANKAN_MELD:
            call = m
    for kind in range(34):
        row = kinds[kind]
        suit = kind // 9
        row[KIND.dora] = scene["dora"][kind]
        row[KIND.suit_share] = discards[suit] / max(length, 1)
        row[KIND.suit_melds] = suits[suit]
        row[KIND.other_melds] = suits[0] + suits[1] + suits[2] - (suits[suit] if suit < 3 else 0)
        row[KIND.last_call_distance] = BEYOND_SUIT
        if call >= 0:
            first = scene["meld_first"][opponent, call]
            row[KIND.last_call_distance] = _distance(kind, first)
            if scene["meld_kind"][opponent, call] == CHI_MELD:
                row[KIND.last_call_distance] = min(row[KIND.last_call_distance], _distance(kind, first + 2))
        for dora in range(34):
            if scene["dora"][dora]:
                row[KIND.dora_near] = max(row[KIND.dora_near], 3 - _distance(kind, dora))


@compiled
def _distance(kind: int, other: int) -> int:
    if kind == other:
        return 0
    if kind >= 27 or other >= 27 or kind // 9 != other // 9:
        return BEYOND_SUIT
    return abs(kind - other)


@compiled
def river_reading(scene: np.void, opponent: int, kinds: F32) -> None:
    """Fill in the classic readings of the opponent's discards, up to the riichi tile.

    ``kinds`` is float32[34, KIND columns].
    """
    length = np.int64(scene["river_len"][opponent])
    index = np.int64(scene["riichi_index"][opponent])
    end = index + 1 if index >= 0 else length
    discarded = np.zeros(34, np.bool_)
    kinds[:, KIND.last_distance] = BEYOND_SUIT
    kinds[:, KIND.previous_distance] = BEYOND_SUIT
    for i in range(end):
        tile = scene["river"][opponent, i]
        discarded[tile] = True
        from_hand = not scene["river_flag"][opponent, i] & FROM_DRAW
        for kind in range(34):
            row = kinds[kind]
            away = _distance(kind, tile)
            if from_hand:
                row[KIND.previous_distance] = row[KIND.last_distance]
                row[KIND.last_distance] = away
            if away in (0, BEYOND_SUIT):
                continue
            row[KIND.next_discards] += away == 1
            row[KIND.gap_discards] += away == 2
            row[KIND.riichi_suji] += i == index and away == 3
            _line_reading(kind, tile, i < EARLY, from_hand, row)
    for kind in range(27):
        n = kind % 9
        for start in range(max(n - 4, 0), min(n, 4)):
            low = kind - n + start
            between = kind - low
            if between in (1, 4) and discarded[low] and discarded[low + 5]:
                kinds[kind, KIND.aida_4_ken] = 1


@compiled
def _line_reading(kind: int, tile: int, early: bool, from_hand: bool, row: F32) -> None:  # noqa: FBT001 (kernel)
    """Count ura-suji, matagi-suji, senki-suji and outside-of-early for one discard in the kind's suit."""
    n, t = kind % 9, tile % 9
    inner = 4 - t
    if early and inner * (t - n) >= 0 and abs(4 - n) > abs(inner):
        row[KIND.outside_early] += 1
    if from_hand:
        row[KIND.ura_suji] += _on_line(n, t + 1) or _on_line(n, t - 4)
        row[KIND.matagi_suji] += not early and (_on_line(n, t - 2) or _on_line(n, t - 1))
    row[KIND.senki_suji] += early and (_on_line(n, t + 2) or _on_line(n, t - 5))


@compiled
def _on_line(n: int, low: int) -> bool:
    """Return whether ``n`` (0..8) is an end of the two-sided line (low, low + 3), if there is such a line."""
    return 0 <= low <= 5 and n in (low, low + 3)


@compiled
def passing(scene: np.void, opponent: int, timeline: I16, steps: int, kinds: F32) -> None:
    """Fill in what passed since the last hand change, and how many changes ago each kind was discarded.

    ``kinds`` is float32[34, KIND columns], ``timeline`` as in `timeline_of`.
    """
    changes = 0
    seen_at = np.full(34, -1)
    for step in range(steps):
        seat, kind, flag = timeline[step, 0], timeline[step, 1], timeline[step, 2]
        if seat == opponent and not flag & FROM_DRAW:
            changes += 1
        seen_at[kind] = changes
        if flag & CALLED_AWAY and (flag >> CALLER_SHIFT) & 3 == opponent:
            changes += 1
    for kind in range(34):
        row = kinds[kind]
        row[KIND.passed] = scene["passed"][opponent, kind] != 0
        row[KIND.changes_since] = changes - seen_at[kind] if seen_at[kind] >= 0 else LONG_AGO
        row[KIND.suji_changes_since] = LONG_AGO
        if kind < 27:
            for other in (kind - 3, kind + 3):
                if 0 <= other < 27 and other // 9 == kind // 9 and seen_at[other] >= 0:
                    row[KIND.suji_changes_since] = min(row[KIND.suji_changes_since], changes - seen_at[other])


@compiled
def neighbours(scene: np.void, opponent: int, kinds: F32) -> None:
    """Fill in how many copies of a tile's neighbours are unseen, and how long ago they were discarded.

    ``kinds`` is float32[34, KIND columns].
    """
    index = scene["riichi_index"][opponent]
    end = np.int64(index) if index >= 0 else np.int64(scene["river_len"][opponent]) - 1
    age = np.full(34, NEVER)
    for i in range(end + 1):
        age[scene["river"][opponent, i]] = end - i
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
                    row[KIND.unseen_inner + at] = 4 - scene["visible"][other] if inside else -1
                    row[KIND.inner_age + at] = age[other] if inside else NEVER
                elif inside and age[other] == NEVER and scene["safe"][opponent, other]:
                    row[KIND.inner_suji_age + side] = -1
                else:
                    row[KIND.inner_suji_age + side] = age[other] if inside else NEVER
