"""Speed of scoring, compared with two libraries on the same random wins in the same run."""

import random
from importlib.util import find_spec
from typing import TypeAlias

import numpy as np

from manue.bench.timing import Row, best_time, each_call
from manue.hand.score import score_win
from manue.hand.shape import TRIPLET
from manue.hand.value import REGULAR, value_targets, win_context
from manue.tiles import COPIES, KINDS

SEED = 0
"""Of the random hands."""
TARGETS = 4_000
CALLS = 1_000

Sets: TypeAlias = tuple[list[int], int]
"""Four set codes and the kind of the pair."""


def measure_score() -> list[Row]:
    """Measure the values of target hands in batches, and single wins here and in the installed libraries.

    The wins are closed hands of random sets (three runs to one triplet) with riichi and one indicator.
    """
    rng = random.Random(SEED)
    hands = [_random_sets(rng) for _ in range(TARGETS)]
    wins = [_tiles(hand) for hand in hands[:CALLS]]
    return [
        _target_values(hands, rng),
        each_call("score a win, one call", _score, wins),
        *_libraries(wins),
    ]


def _score(win: list[str]) -> object:
    return score_win(win, (), win[0], riichi=True, dora_indicators=("3m",))


def _random_sets(rng: random.Random) -> Sets:
    while True:
        runs = [rng.randrange(3) * 9 + rng.randrange(7) for _ in range(4)]
        sets = [run if rng.random() < 0.75 else rng.randrange(34) + TRIPLET for run in runs]
        pair = rng.randrange(34)
        tiles = _tiles((sets, pair))
        if max(tiles.count(tile) for tile in tiles) <= COPIES:
            return sets, pair


def _tiles(hand: Sets) -> list[str]:
    sets, pair = hand
    kinds = [pair, pair]
    for code in sets:
        kinds += [code - TRIPLET] * 3 if code >= TRIPLET else [code, code + 1, code + 2]
    return [KINDS[kind] for kind in kinds]


def _target_values(hands: list[Sets], rng: random.Random) -> Row:
    """Value every hand four ways: the mean over three kinds that may come last."""
    n = len(hands)
    sets = np.array([codes for codes, _ in hands], np.int16)
    pairs = np.array([pair for _, pair in hands], np.int8)
    lasts = np.array([sum({1 << KINDS.index(rng.choice(_tiles(hand))) for _ in range(3)}) for hand in hands])
    dora = np.array([float(rng.randrange(3)) for _ in hands], np.float32)
    forms, kinds, out = np.full(n, REGULAR, np.int8), np.zeros(n, np.int64), np.empty((n, 4), np.float32)
    scene = win_context("S", "E", np.ones(34, np.float32), riichi_han=(0.7, 0.2, 0.1))
    seconds = best_time(lambda: value_targets(forms, sets, pairs, kinds, lasts, dora, scene, out))
    return "value of a target hand, four ways to win, batch", seconds / n * 1e9, "ns a target hand"


def _libraries(wins: list[list[str]]) -> list[Row]:
    """Measure the libraries, with tile numbers prepared beforehand."""
    numbers = [_numbers(win) for win in wins]
    rows = []
    if find_spec("mahjong"):
        from mahjong.hand_calculating.hand import HandCalculator  # noqa: PLC0415  optional: an oracle
        from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules  # noqa: PLC0415  as above

        config = HandConfig(is_riichi=True, options=OptionalRules(has_open_tanyao=True))
        rows.append(
            each_call(
                "mahjong: score a win, one call",
                lambda win: HandCalculator.estimate_hand_value(win, win[0], None, [8], config),
                numbers,
            )
        )
    if find_spec("riichienv"):
        import riichienv  # noqa: PLC0415  optional, as above

        riichi = riichienv.Conditions(riichi=True)
        rows.append(
            each_call(
                "riichienv: score a win, one call",
                lambda win: riichienv.HandEvaluator(win[1:], []).calc(win[0], [8], riichi, []),
                numbers,
            )
        )
    return rows


def _numbers(win: list[str]) -> list[int]:
    """Return the libraries' tile numbers 0..135, using red fives (the first copies) last."""
    used: dict[str, int] = {}
    numbers = []
    for tile in win:
        copy = used[tile] = used.get(tile, 4) - 1
        numbers.append(4 * KINDS.index(tile) + copy)
    return numbers
