"""Kernels of the opponent features: riichi, melds, the river and what it suggests about tenpai.

``opponent`` is its seat in the scene: 1 next, 2 across, 3 previous.
"""

import numpy as np

from manue.arrays import F32, I16
from manue.compiled import compiled
from manue.features.danger_columns import EARLY, MAX_STEPS, OPPONENT
from manue.features.scene import CALLED_AWAY, CALLER_SHIFT, CHI_MELD, FROM_DRAW, PON_MELD, RED, yakuhai_of
from manue.tiles import EDGE_DISTANCE


@compiled
def timeline_of(scene: np.void, timeline: I16) -> int:
    """List all discards of the round in order, using the calls to find who was next; return their number.

    Parameters
    ----------
    scene : SCENE
    timeline : int16[MAX_STEPS, 3]
        Filled with seat, kind and flags of each discard.
    """
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
def opponent_now(scene: np.void, opponent: int, out: F32) -> None:
    """Fill in what is visible on the table: riichi, melds, seat, points.

    ``out`` is float32[OPPONENT columns].
    """
    out[OPPONENT.riichi] = scene["riichi"][opponent]
    out[OPPONENT.turn] = scene["river_len"][opponent]
    out[OPPONENT.tiles_left] = scene["tiles_left"]
    out[OPPONENT.melds] = scene["meld_len"][opponent]
    out[OPPONENT.ippatsu] = scene["ippatsu"][opponent]
    out[OPPONENT.dealer] = scene["dealer"] == opponent
    out[OPPONENT.round_number], out[OPPONENT.rounds_left] = scene["round_number"], scene["rounds_left"]
    best = -32768
    for seat in range(4):
        if seat != opponent:
            best = max(best, scene["scores"][seat])
            out[OPPONENT.others_melds] += scene["meld_len"][seat]
            out[OPPONENT.other_riichi] += scene["riichi"][seat] > 0 and scene["riichi_index"][seat] >= 0
    out[OPPONENT.score_lead] = (scene["scores"][opponent] - best) / 10.0
    for kind in range(34):
        out[OPPONENT.safe_kinds] += scene["safe"][opponent, kind] != 0
        out[OPPONENT.dora_unseen] += scene["dora"][kind] * (4 - scene["visible"][kind])
    for suit in range(3):
        out[OPPONENT.dora_unseen] += 1 - scene["reds_visible"][suit]
    _melds(scene, opponent, out)


@compiled
def _melds(scene: np.void, opponent: int, out: F32) -> None:
    suits = np.zeros(4, np.int64)
    for m in range(np.int64(scene["meld_len"][opponent])):
        first = scene["meld_first"][opponent, m]
        code = scene["meld_kind"][opponent, m]
        suits[first // 9] += 1
        last = first + 2 if code == CHI_MELD else first
        out[OPPONENT.dora_melds] += scene["meld_reds"][opponent, m]
        for kind in range(first, last + 1):
            copies = 1 if code == CHI_MELD else 3 if code == PON_MELD else 4
            out[OPPONENT.dora_melds] += scene["dora"][kind] * copies
        out[OPPONENT.triplet_melds] += code != CHI_MELD
        if first < 27 and first % 9 != 0 and last % 9 != 8:
            out[OPPONENT.tanyao_melds] += 1
        if first >= 27:
            out[OPPONENT.yakuhai_melds] += yakuhai_of(scene, opponent, first)
    colours = (suits[0] > 0) + (suits[1] > 0) + (suits[2] > 0)
    discards = np.zeros(4, np.int64)
    for i in range(np.int64(scene["river_len"][opponent])):
        discards[scene["river"][opponent, i] // 9] += 1
    out[OPPONENT.honor_discards] = discards[3]
    out[OPPONENT.suit_discards_least] = min(discards[0], discards[1], discards[2])
    if scene["meld_len"][opponent] > 0 and colours <= 1:
        others = discards[0] + discards[1] + discards[2]
        least = out[OPPONENT.suit_discards_least]
        for suit in range(3):
            if suits[suit] > 0:
                least = discards[suit]
        out[OPPONENT.one_suit] = 1.0 - least / max(others, 1)


@compiled
def opponent_past(scene: np.void, opponent: int, timeline: I16, steps: int, out: F32) -> None:
    """Fill in what the river shows: hand changes, calls, riichi turn, early middle tiles.

    ``out`` is float32[OPPONENT columns], ``timeline`` as in `timeline_of`.
    """
    length = np.int64(scene["river_len"][opponent])
    for i in range(length):
        kind = scene["river"][opponent, i]
        flag = scene["river_flag"][opponent, i]
        if flag & FROM_DRAW:
            out[OPPONENT.streak] += 1
        else:
            out[OPPONENT.streak] = 0
            out[OPPONENT.hand_changes] += 1
            out[OPPONENT.last_number] = EDGE_DISTANCE[kind]
        out[OPPONENT.middle_early] += i < EARLY and EDGE_DISTANCE[kind] >= 3
        out[OPPONENT.dora_discards] += scene["dora"][kind] + ((flag & RED) != 0)
    index = np.int64(scene["riichi_index"][opponent])
    out[OPPONENT.riichi_turn] = index
    out[OPPONENT.since_riichi] = length - 1 - index if index >= 0 else -1
    own = 0
    call_at = -1
    change_step = -1
    for step in range(steps):
        flag = timeline[step, 2]
        if timeline[step, 0] == opponent:
            own += 1
            if not flag & FROM_DRAW:
                change_step = step
        elif flag & CALLED_AWAY and (flag >> CALLER_SHIFT) & 3 == opponent:
            call_at = own
            change_step = step
    out[OPPONENT.since_call] = own - call_at if call_at >= 0 else own + 1
    out[OPPONENT.since_change] = steps - 1 - change_step


@compiled
def opponent_against_riichi(scene: np.void, opponent: int, timeline: I16, steps: int, out: F32) -> None:
    """Count the opponent's discards that were safe and unsafe against another player's riichi.

    ``out`` is float32[OPPONENT columns], ``timeline`` as in `timeline_of`.
    """
    for other in range(4):
        index = np.int64(scene["riichi_index"][other])
        if other == opponent or index < 0:
            continue
        safe = np.zeros(34, np.bool_)
        own = 0
        for step in range(steps):
            seat, kind = timeline[step, 0], timeline[step, 1]
            if seat == other:
                own += 1
            elif own > index and seat == opponent:
                if safe[kind]:
                    out[OPPONENT.folds] += 1
                else:
                    out[OPPONENT.pushes] += 1
            if seat == other or own > index:
                safe[kind] = True
