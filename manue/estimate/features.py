"""Readable features of a scene: one definition each, for training and for play.

Two groups, computed together by compiled code for the three opponents of the observer:

- *opponent features* ``[3, len(OPPONENT_FEATURES)]``: how far along an opponent looks;
- *kind features* ``[3, 34, len(KIND_FEATURES)]``: how a kind stands against that opponent.

A danger model sees the kind's features followed by the opponent's: `ROW_FEATURES`.

The tile-reading vocabulary (suji, ura-suji, matagi-suji, senki-suji, aida-4-ken, no-chance and one-chance
walls) is standard riichi theory; which features to ask for follows the public description of the Mjai Manue
player. ``combo_share`` is the share of the waiting shapes still possible that would win on the kind.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from manue.compiled import compiled
from manue.estimate.scene import CALLED_AWAY, CALLER_SHIFT, FROM_DRAW, RED, Scenes

Floats = npt.NDArray[np.float32]
Weights = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int16]
Masks = npt.NDArray[np.uint8]

EARLY = 6  # own discards that count as early
FAR = 9  # "distance" to a tile of another suit
MAX_STEPS = 128  # more than the discards of any round
LONG_AGO = 20  # hand changes since a kind was last discarded, when it never was


@dataclass(frozen=True, slots=True)
class Feature:
    """A column: its name, and how a person reads ``name <= threshold`` and its opposite."""

    name: str
    meaning: str


KIND_FEATURES = (
    Feature("number", "distance from the edge: 1 for 1/9 .. 5 for 5; 0 for honors"),
    Feature("yakuhai", "yaku this honor would give the opponent: 0, 1, 2"),
    Feature("unseen", "copies the observer does not see"),
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
    Feature("passed", "it went by since the opponent last changed its hand"),
    Feature("changes_since", "hand changes of the opponent since it was last discarded by anybody"),
    Feature("suji_changes_since", "hand changes since a suji tile of it was last discarded"),
    Feature("last_distance", "distance from the opponent's last discard from hand"),
    Feature("previous_distance", "distance from the discard from hand before that"),
    Feature("last_call_distance", "distance from the nearest tile of the opponent's last call"),
)
OPPONENT_FEATURES = (
    Feature("riichi", "0 none, 1 riichi, 2 double riichi"),
    Feature("turn", "discards so far"),
    Feature("tiles_left", "tiles left in the wall"),
    Feature("melds", "melds, closed kans included"),
    Feature("since_call", "own discards since the last call"),
    Feature("hand_changes", "discards from hand"),
    Feature("streak", "discards straight from the draw, at the end of the river"),
    Feature("since_change", "tiles discarded by anybody since the hand last changed"),
    Feature("suji_ruled_out", "of the 18 two-sided lines, those ruled out by safe tiles"),
    Feature("safe_kinds", "kinds that cannot win for the opponent"),
    Feature("riichi_turn", "own discards before the riichi tile, -1 without"),
    Feature("since_riichi", "own discards after the riichi tile, -1 without"),
    Feature("ippatsu", "within one turn after the riichi"),
    Feature("dealer", "the opponent is the dealer"),
    Feature("yakuhai_melds", "yaku certain from melds of honors"),
    Feature("dora_melds", "dora and red fives in the melds"),
    Feature("tanyao_melds", "melds without terminals and honors"),
    Feature("triplet_melds", "melds of one kind"),
    Feature("one_suit", "melds in one suit and honors only, and few discards of it: 0..1"),
    Feature("suit_discards_least", "discards in the suit discarded least"),
    Feature("honor_discards", "honors discarded"),
    Feature("middle_early", "3-7 among the early discards"),
    Feature("last_number", "edge distance of the last discard from hand, 0 for an honor"),
    Feature("dora_discards", "dora and red fives discarded"),
    Feature("pushes", "discards that were not safe against another's riichi"),
    Feature("folds", "discards that were safe against another's riichi"),
    Feature("other_riichi", "other opponents and the observer in riichi"),
    Feature("others_melds", "melds of the other three"),
    Feature("score_lead", "the opponent's points less the best of the others, thousands"),
    Feature("round_number", "0-3 East, 4-7 South, ..."),
    Feature("combo_total", "waiting shapes still possible, weighted"),
    Feature("dora_unseen", "dora and red fives the observer does not see"),
)
ROW_FEATURES = KIND_FEATURES + OPPONENT_FEATURES
K, G = len(KIND_FEATURES), len(OPPONENT_FEATURES)

(
    NUMBER, YAKUHAI, UNSEEN, SUJI, RIICHI_SUJI, OPEN_SIDES, TWO_SIDED, NARROW, COMBO_SHARE, COMBO_RANK, DORA,
    DORA_NEAR, OUTSIDE_EARLY, URA_SUJI, MATAGI_SUJI, SENKI_SUJI, AIDA_4_KEN, NEXT_DISCARDS, GAP_DISCARDS,
    SUIT_SHARE, SUIT_MELDS, OTHER_MELDS, PASSED, CHANGES_SINCE, SUJI_CHANGES_SINCE, LAST_DISTANCE,
    PREVIOUS_DISTANCE, LAST_CALL_DISTANCE,
) = range(K)  # fmt: skip
(
    RIICHI, TURN, TILES_LEFT, MELDS, SINCE_CALL, HAND_CHANGES, STREAK, SINCE_CHANGE, SUJI_RULED_OUT,
    SAFE_KINDS, RIICHI_TURN, SINCE_RIICHI, IPPATSU, DEALER, YAKUHAI_MELDS, DORA_MELDS, TANYAO_MELDS,
    TRIPLET_MELDS, ONE_SUIT, SUIT_DISCARDS_LEAST, HONOR_DISCARDS, MIDDLE_EARLY, LAST_NUMBER, DORA_DISCARDS,
    PUSHES, FOLDS, OTHER_RIICHI, OTHERS_MELDS, SCORE_LEAD, ROUND_NUMBER, COMBO_TOTAL, DORA_UNSEEN,
) = range(G)  # fmt: skip

SHAPE_WEIGHTS = np.array([1.0, 0.3, 0.35, 1.0, 1.0, 0.2, 0.6])
"""Weight of a wait: two-sided, closed, edge; pair in a suit, in honors; single in a suit, in honors."""


def features(scenes: Scenes, weights: Weights = SHAPE_WEIGHTS) -> tuple[Floats, Floats]:
    """Compute every feature of every scene.

    Parameters
    ----------
    scenes : numpy.ndarray
        Shape (n,), dtype `SCENE`.
    weights : numpy.ndarray
        float64[7], see `SHAPE_WEIGHTS`.

    Returns
    -------
    kinds : numpy.ndarray
        float32[n, 3, 34, K]; opponents in the order next, across, previous.
    opponents : numpy.ndarray
        float32[n, 3, G].
    """
    kinds = np.zeros((len(scenes), 3, 34, K), np.float32)
    opponents = np.zeros((len(scenes), 3, G), np.float32)
    _fill(scenes, weights, kinds, opponents)
    return kinds, opponents


@compiled
def _fill(scenes: Scenes, weights: Weights, kinds: Floats, opponents: Floats) -> None:
    timeline = np.zeros((MAX_STEPS, 3), np.int16)
    for i in range(len(scenes)):
        steps = _timeline(scenes[i], timeline)
        for o in range(3):
            _opponent_now(scenes[i], o + 1, opponents[i, o])
            _opponent_past(scenes[i], o + 1, timeline, steps, opponents[i, o])
            _against_riichi(scenes[i], o + 1, timeline, steps, opponents[i, o])
            _shapes(scenes[i], o + 1, weights, kinds[i, o], opponents[i, o])
            _tile(scenes[i], o + 1, kinds[i, o])
            _river_reading(scenes[i], o + 1, kinds[i, o])
            _passing(scenes[i], o + 1, timeline, steps, kinds[i, o])


@compiled
def _timeline(scene: np.void, timeline: Ints) -> int:
    """List all discards of the round in order: seat, kind, flags. Calls tell who went next."""
    at = np.zeros(4, np.int64)
    seat = scene["dealer"] % 4
    steps = 0
    while at[seat] < scene["river_len"][seat] and steps < MAX_STEPS:
        flag = scene["river_flag"][seat, at[seat]]
        timeline[steps, 0] = seat
        timeline[steps, 1] = scene["river"][seat, at[seat]]
        timeline[steps, 2] = flag
        at[seat] += 1
        steps += 1
        seat = (flag >> CALLER_SHIFT) & 3 if flag & CALLED_AWAY else (seat + 1) % 4
    return steps


@compiled
def _opponent_now(scene: np.void, o: int, out: Floats) -> None:
    """Fill what stands on the table: riichi, melds, seat, points."""
    out[RIICHI] = scene["riichi"][o]
    out[TURN] = scene["river_len"][o]
    out[TILES_LEFT] = scene["tiles_left"]
    out[MELDS] = scene["meld_len"][o]
    out[IPPATSU] = scene["ippatsu"][o]
    out[DEALER] = scene["dealer"] == o
    out[ROUND_NUMBER] = scene["round_number"]
    best = -32768
    for seat in range(4):
        if seat != o:
            best = max(best, scene["scores"][seat])
            out[OTHERS_MELDS] += scene["meld_len"][seat]
            out[OTHER_RIICHI] += scene["riichi"][seat] > 0
    out[SCORE_LEAD] = (scene["scores"][o] - best) / 10.0
    for kind in range(34):
        out[SAFE_KINDS] += scene["safe"][o, kind] != 0
        out[DORA_UNSEEN] += scene["dora"][kind] * (4 - scene["visible"][kind])
    for suit in range(3):
        out[DORA_UNSEEN] += 1 - scene["reds_visible"][suit]
    _melds(scene, o, out)


@compiled
def _melds(scene: np.void, o: int, out: Floats) -> None:
    suits = np.zeros(4, np.int64)
    for m in range(np.int64(scene["meld_len"][o])):
        first = scene["meld_first"][o, m]
        code = scene["meld_kind"][o, m]
        suits[first // 9] += 1
        last = first + 2 if code == 1 else first
        out[DORA_MELDS] += scene["meld_reds"][o, m]
        for kind in range(first, last + 1):
            copies = 1 if code == 1 else 3 if code == 2 else 4
            out[DORA_MELDS] += scene["dora"][kind] * copies
        out[TRIPLET_MELDS] += code != 1
        if first < 27 and first % 9 != 0 and last % 9 != 8:
            out[TANYAO_MELDS] += 1
        if first >= 27:
            out[YAKUHAI_MELDS] += _yakuhai(scene, o, first)
    colours = (suits[0] > 0) + (suits[1] > 0) + (suits[2] > 0)
    discards = np.zeros(4, np.int64)
    for i in range(np.int64(scene["river_len"][o])):
        discards[scene["river"][o, i] // 9] += 1
    out[HONOR_DISCARDS] = discards[3]
    out[SUIT_DISCARDS_LEAST] = min(discards[0], discards[1], discards[2])
    if scene["meld_len"][o] > 0 and colours <= 1:
        others = discards[0] + discards[1] + discards[2]
        least = out[SUIT_DISCARDS_LEAST]
        for suit in range(3):
            if suits[suit] > 0:
                least = discards[suit]
        out[ONE_SUIT] = 1.0 - least / max(others, 1)


@compiled
def _yakuhai(scene: np.void, o: int, kind: int) -> int:
    if kind >= 31:
        return 1
    return int(kind == scene["round_wind"]) + int(kind == scene["seat_wind"][o])


@compiled
def _opponent_past(scene: np.void, o: int, timeline: Ints, steps: int, out: Floats) -> None:
    """Fill what the river tells: hand changes, calls, riichi turn, early middle tiles."""
    length = np.int64(scene["river_len"][o])
    for i in range(length):
        kind = scene["river"][o, i]
        flag = scene["river_flag"][o, i]
        if flag & FROM_DRAW:
            out[STREAK] += 1
        else:
            out[STREAK] = 0
            out[HAND_CHANGES] += 1
            out[LAST_NUMBER] = _edge(kind)
        out[MIDDLE_EARLY] += i < EARLY and _edge(kind) >= 3
        out[DORA_DISCARDS] += scene["dora"][kind] + ((flag & RED) != 0)
    index = np.int64(scene["riichi_index"][o])
    out[RIICHI_TURN] = index
    out[SINCE_RIICHI] = length - 1 - index if index >= 0 else -1
    own = 0
    call_at = -1
    change_step = -1
    for step in range(steps):
        flag = timeline[step, 2]
        if timeline[step, 0] == o:
            own += 1
            if not flag & FROM_DRAW:
                change_step = step
        elif flag & CALLED_AWAY and (flag >> CALLER_SHIFT) & 3 == o:
            call_at = own
            change_step = step
    out[SINCE_CALL] = own - call_at if call_at >= 0 else own + 1
    out[SINCE_CHANGE] = steps - 1 - change_step


@compiled
def _edge(kind: int) -> int:
    return 0 if kind >= 27 else min(kind % 9, 8 - kind % 9) + 1


@compiled
def _against_riichi(scene: np.void, o: int, timeline: Ints, steps: int, out: Floats) -> None:
    """Count discards of the opponent that were and were not safe against somebody else's riichi."""
    for other in range(4):
        index = np.int64(scene["riichi_index"][other])
        if other == o or index < 0:
            continue
        safe = np.zeros(34, np.bool_)
        own = 0
        for step in range(steps):
            seat, kind = timeline[step, 0], timeline[step, 1]
            if seat == other:
                own += 1
            elif own > index and seat == o:
                if safe[kind]:
                    out[FOLDS] += 1
                else:
                    out[PUSHES] += 1
            if seat == other or own > index:
                safe[kind] = True


@compiled
def _shapes(scene: np.void, o: int, weights: Weights, kinds: Floats, out: Floats) -> None:
    """Fill the waiting shapes that are still possible: walls, suji, and each kind's share of all shapes."""
    safe = scene["safe"][o]
    unseen = 4 - scene["visible"]
    total = 0.0
    weight = np.zeros(34)
    for kind in range(34):
        row = kinds[kind]
        u = unseen[kind]
        row[UNSEEN] = u
        honor = kind >= 27
        row[NUMBER] = _edge(kind)
        if honor:
            row[YAKUHAI] = _yakuhai(scene, o, kind)
            row[SUJI] = 2
            shapes = weights[4] * u * (u - 1) / 2 + weights[6] * u
        else:
            shapes = (
                weights[3] * u * (u - 1) / 2 + weights[5] * u + _sequences(safe, unseen, kind, weights, row)
            )
        if not safe[kind]:
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
def _sequences(safe: Masks, unseen: Ints, kind: int, weights: Weights, row: Floats) -> float:
    """Weigh the sequence waits on a suit tile and note which two-sided ones are left."""
    n = kind % 9
    two_sided = narrow = shapes = 0.0
    ruled_out = sides = 0
    for step in (-1, 1):
        if not 0 <= n + 2 * step <= 8:
            continue
        ways = unseen[kind + step] * unseen[kind + 2 * step]
        if not 0 <= n + 3 * step <= 8:
            narrow += ways
            shapes += weights[2] * ways
            continue
        sides += 1
        if safe[kind + 3 * step]:
            ruled_out += 1
        else:
            two_sided += ways
            shapes += weights[0] * ways
            row[OPEN_SIDES] += ways > 0
    if 1 <= n <= 7:
        ways = unseen[kind - 1] * unseen[kind + 1]
        narrow += ways
        shapes += weights[1] * ways
    row[SUJI] = 2 if ruled_out == sides else ruled_out
    row[TWO_SIDED] = two_sided
    row[NARROW] = narrow
    return shapes


@compiled
def _tile(scene: np.void, o: int, kinds: Floats) -> None:
    """Fill dora and the suits of the opponent's melds and discards."""
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
def _river_reading(scene: np.void, o: int, kinds: Floats) -> None:
    """Fill the classic readings of the opponent's own discards, up to the riichi tile."""
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
def _line_reading(kind: int, tile: int, early: bool, from_hand: bool, row: Floats) -> None:  # noqa: FBT001 (kernel)
    """Note ura-suji, matagi-suji, senki-suji and outside-of-early for one discard in the kind's suit."""
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
    """Tell whether ``n`` (0..8) is an end of the two-sided line (low, low + 3), if the suit has that line."""
    return 0 <= low <= 5 and n in (low, low + 3)


@compiled
def _passing(scene: np.void, o: int, timeline: Ints, steps: int, kinds: Floats) -> None:
    """Fill what went by: since the last hand change, and how many changes ago each kind was discarded."""
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
