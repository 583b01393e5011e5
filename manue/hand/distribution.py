"""How far from tenpai a starting hand is: sampled, exact, and as once published.

The exact distribution counts all C(136, 13) deals. All that matters about a suit is its number of tiles, its
row id (``manue.hand.tables``), how many kinds and pairs it has, and the same for its terminals. Suits that
agree in these are counted together, so the four groups combine in seconds.
"""

from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np

from manue.arrays import F64, I64, U8
from manue.compiled import compiled
from manue.hand.shanten import TABLES, shanten_batch
from manue.pictures import figure_class
from manue.tiles import Counts

HAND_TILES = 13
LEVELS = 9
_CHUNK = 100_000

PUBLISHED: tuple[int, ...] = (5, 484, 6688, 24873, 37662, 23684, 6030, 563, 11)
"""Hands of 0..8-shanten among 100 000 random starting hands, from the documentation of SimSaladin/TiraLabra.

No standard definition gives these numbers: their mean is 3.978, the exact mean of the regular form 3.786.
The closest is a count in which a pair only serves as the head, never as part of a set: mean 4.01 in 4 000
hands.
"""


class Distribution(NamedTuple):
    """Numbers of hands by shanten 0..8.

    Attributes
    ----------
    hands : int
        Number of hands counted.
    regular : int64[9]
        By the shanten of the regular form.
    least : int64[9]
        By the lowest shanten of the three forms.
    """

    hands: int
    regular: I64
    least: I64


def sample_distribution(
    hands: int, seed: int = 0, progress: Callable[[int], None] | None = None
) -> Distribution:
    """Deal random starting hands of 13 tiles and count them by shanten.

    Parameters
    ----------
    hands : int
        How many to deal.
    seed : int
        The same seed gives the same hands.
    progress : callable, optional
        Called now and then with the number of hands dealt since its last call.
    """
    regular, least = np.zeros(LEVELS, np.int64), np.zeros(LEVELS, np.int64)
    rng = np.random.default_rng(seed)
    for done in range(0, hands, _CHUNK):
        now = min(_CHUNK, hands - done)
        forms = shanten_batch(_deal(rng.random((now, HAND_TILES))), forms=True)
        regular += np.bincount(forms[:, 0], minlength=LEVELS)
        least += np.bincount(forms.min(axis=1), minlength=LEVELS)
        if progress is not None:
            progress(now)
    return Distribution(hands, regular, least)


def random_hands(hands: int, tiles: int = HAND_TILES, seed: int = 0) -> Counts:
    """Deal each hand from a full wall: int8[hands, 34]."""
    return _deal(np.random.default_rng(seed).random((hands, tiles)))


@compiled
def _deal(uniform: F64) -> Counts:
    """Deal one hand for each row, one tile for each number in [0, 1): int8[n, 34].

    Each tile is one step of a shuffle of the wall, which carries over from one hand to the next.
    """
    counts = np.zeros((len(uniform), 34), np.int8)
    wall = np.arange(136)
    for row in range(len(uniform)):
        for at in range(uniform.shape[1]):
            other = at + int(uniform[row, at] * (136 - at))
            wall[at], wall[other] = wall[other], wall[at]
            counts[row, wall[at] // 4] += 1
    return counts


def exact_distribution() -> Distribution:
    """Count all C(136, 13) starting hands by shanten."""
    suit, suit_ways = _groups(9, TABLES.suit_ids, terminals=(0, 8))
    honor, honor_ways = _groups(7, TABLES.honor_ids, terminals=tuple(range(7)))
    left, left_ways = _joined((suit, suit_ways), (suit, suit_ways), TABLES.two_suits)
    right, right_ways = _joined((suit, suit_ways), (honor, honor_ways), TABLES.suit_honors)
    regular, least = np.zeros(LEVELS, np.int64), np.zeros(LEVELS, np.int64)
    for features, ways in zip(left, left_ways, strict=True):
        fitting = right[:, _SIZE] == HAND_TILES - features[_SIZE]
        others, number = right[fitting], right_ways[fitting] * ways
        forms = _shanten_of_features(features, others)
        np.add.at(regular, forms[0], number)
        np.add.at(least, np.minimum.reduce(forms), number)
    return Distribution(comb(136, HAND_TILES), regular, least)


_SIZE, _ROW, _KINDS, _PAIRS, _ORPHANS, _ORPHAN_PAIR = range(6)


def _groups(kinds: int, ids: U8, terminals: tuple[int, ...]) -> tuple[I64, I64]:
    """Return the distinct features of a group of tiles, and the number of ways to draw each."""
    codes = np.arange(5**kinds)
    copies = np.stack([(codes // 5**kind % 5).astype(np.int8) for kind in range(kinds)], axis=1)
    small = copies.sum(axis=1) <= HAND_TILES
    copies = copies[small]
    ways = np.array([comb(4, n) for n in range(5)])[copies].prod(axis=1)
    held, paired = copies > 0, copies > 1
    features = np.stack(
        [
            copies.sum(axis=1),
            ids[small],
            held.sum(axis=1),
            paired.sum(axis=1),
            held[:, terminals].sum(axis=1),
            paired[:, terminals].any(axis=1),
        ],
        axis=1,
    )
    return _merged(features.astype(np.int64), ways)


def _merged(features: I64, ways: I64) -> tuple[I64, I64]:
    bases = features.max(axis=0) + 1
    keys, index = np.unique(np.ravel_multi_index(tuple(features.T), tuple(bases)), return_inverse=True)
    total = np.zeros(len(keys), np.int64)
    np.add.at(total, index, ways)
    return np.stack(np.unravel_index(keys, tuple(bases)), axis=1).astype(np.int64), total


def _joined(left: tuple[I64, I64], right: tuple[I64, I64], rows: U8) -> tuple[I64, I64]:
    """Combine every group on the left with every group on the right, up to 13 tiles in total."""
    parts = []
    for features, ways in zip(*left, strict=True):
        fitting = right[0][:, _SIZE] <= HAND_TILES - features[_SIZE]
        both = right[0][fitting] + features
        both[:, _ROW] = rows[features[_ROW], right[0][fitting, _ROW]]
        both[:, _ORPHAN_PAIR] = np.minimum(both[:, _ORPHAN_PAIR], 1)
        parts.append(_merged(both, right[1][fitting] * ways))
    return _merged(np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts]))


def _shanten_of_features(features: I64, others: I64) -> list[I64]:
    """Return the shanten of the three forms for one half of a hand combined with each other half."""
    both = others + features
    regular = TABLES.final[0, features[_ROW], others[:, _ROW]].astype(np.int64) - 1
    seven_pairs = 6 - both[:, _PAIRS] + np.maximum(0, 7 - both[:, _KINDS])
    orphans = 13 - both[:, _ORPHANS] - np.minimum(both[:, _ORPHAN_PAIR], 1)
    return [regular, seven_pairs, orphans]


def plot_distribution(path: Path, sample: Distribution, exact: Distribution) -> None:
    """Plot the shares of the regular form: sampled, exact and published, on linear and logarithmic scales.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    series = {
        f"{sample.hands:,} random hands": sample.regular / sample.hands,
        "exact": exact.regular / exact.hands,
        "published table (another definition)": np.array(PUBLISHED) / sum(PUBLISHED),
    }
    figure = figure_class()(figsize=(11, 4.5), layout="constrained")
    figure.suptitle("Shanten of 13 random tiles, regular form")
    for axes, scale in zip(figure.subplots(1, 2), ("linear", "log"), strict=True):
        for at, (label, shares) in enumerate(series.items()):
            axes.bar(np.arange(LEVELS) + 0.27 * (at - 1), shares, 0.27, label=label)
        axes.set(xlabel="shanten", ylabel="share of hands", yscale=scale, xticks=range(LEVELS))
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.savefig(path, dpi=120, format="png")
