"""Speed of the hand mathematics, compared with two libraries on the same random hands in the same run."""

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

import numpy as np

from manue.bench.timing import CALLS, Row, best_time, each_call
from manue.hand.blocks import block_shanten
from manue.hand.distribution import random_hands
from manue.hand.shanten import shanten, shanten_batch, shanten_forms, ukeire, ukeire_batch, ukeire_by_discard
from manue.hand.tables import build_tables, load_tables
from manue.hand.wait_tree import wait_tree
from manue.tiles import Counts

SEED = 0
"""Of the random hands."""
HANDS = 100_000
TREES = 20


def measure_hand() -> list[Row]:
    """Measure tables, batches and single calls of this package, and single calls of the installed libraries.

    Each figure is the best of several runs on one thread, with everything compiled beforehand.
    """
    hands13, hands14 = random_hands(HANDS, 13, SEED), random_hands(HANDS, 14, SEED)
    return [
        *_tables(),
        *_batches(hands13, hands14),
        *_single_calls(hands13, hands14),
        *_libraries(hands13),
        *_wait_trees(hands14),
    ]


def _tables() -> list[Row]:
    return [
        ("load the shanten tables", best_time(load_tables) * 1e3, "ms"),
        ("build the shanten tables", best_time(build_tables, repeats=1), "s"),
    ]


def _batches(hands13: Counts, hands14: Counts) -> list[Row]:
    batches: dict[str, Callable[[], object]] = {
        "shanten, regular form, batch": lambda: shanten_batch(hands14, forms="regular"),
        "shanten, least of three forms, batch": lambda: shanten_batch(hands14),
        "shanten, three forms apart, batch": lambda: shanten_batch(hands14, forms=True),
        "useful tiles of 13, batch": lambda: ukeire_batch(hands13),
    }
    return [(name, best_time(run) / HANDS * 1e9, "ns a hand") for name, run in batches.items()]


def _single_calls(hands13: Counts, hands14: Counts) -> list[Row]:
    return [
        each_call("shanten, one call", shanten, list(hands14)),
        each_call("shanten_forms, one call", shanten_forms, list(hands14)),
        each_call("ukeire, one call", ukeire, list(hands13)),
        each_call("ukeire_by_discard, one call", ukeire_by_discard, list(hands14)),
        each_call("block_shanten, one call", block_shanten, list(hands14)),
    ]


def _libraries(hands: Counts) -> list[Row]:
    """Measure the libraries, with their input prepared beforehand."""
    rows = []
    if find_spec("xiangting"):
        import xiangting  # noqa: PLC0415  optional: measured only if it is installed

        lists, four = [hand.tolist() for hand in hands[:CALLS]], xiangting.PlayerCount.FOUR
        rows += [
            each_call(
                "xiangting: shanten, one call",
                lambda x: xiangting.calculate_replacement_number(x, four),
                lists,
            ),
            each_call(
                "xiangting: useful tiles, one call",
                lambda x: xiangting.calculate_necessary_tiles(x, four),
                lists,
            ),
        ]
    if find_spec("riichienv"):
        import riichienv  # noqa: PLC0415  optional, as above

        copies = np.arange(136).reshape(34, 4)
        ids = [copies[np.arange(4) < hand[:, None]].tolist() for hand in hands[:CALLS]]
        rows.append(each_call("riichienv: shanten, one call", riichienv.calculate_shanten, ids))
    return rows


def _wait_trees(hands: Counts) -> list[Row]:
    """Measure the wait trees of up to twenty random hands of 14 tiles for each shanten from 0 to 4."""
    rows = []
    levels = shanten_batch(hands)
    for level in range(5):
        chosen = hands[levels == level][:TREES]
        trees = [wait_tree(hand) for hand in chosen]
        figures: dict[str, list[float]] = {
            "nodes": [len(tree.hands) for tree in trees],
            "edges": [len(tree.edges) for tree in trees],
            "leaves": [len(tree.leaves) for tree in trees],
            "ms": [best_time(partial(wait_tree, hand), repeats=1) * 1e3 for hand in chosen],
        }
        for unit, sizes in figures.items():
            rows += [
                (f"wait tree of {level}-shanten, mean", float(np.mean(sizes)), unit),
                (f"wait tree of {level}-shanten, largest", float(np.max(sizes)), unit),
            ]
    return rows
