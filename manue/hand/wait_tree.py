"""The wait tree: every way from a hand to tenpai by useful exchanges, as a graph over distinct hands.

Each edge is one exchange (a tile drawn, another discarded) that lowers the shanten by one, and each leaf is a
tenpai hand. A real tree, in which every order of the same exchanges is a separate path, explodes, as the
documentation of SimSaladin/TiraLabra found; in the graph each hand appears once.
"""

from dataclasses import dataclass

import numpy as np

from manue.arrays import I32, I64, U8
from manue.compiled import compiled
from manue.hand.counts import CountsLike, as_counts, checked_hand
from manue.hand.shanten import TABLES, shanten, shanten_of, ukeire, ukeire_by_discard, useful_of
from manue.tiles import COPIES, Counts, Kind

MAX_EDGES = 3_000_000
_NODES_AT_ONCE = 4_096
_EXCHANGES = 34 * 14
NO_DRAW = -1


@dataclass(frozen=True, slots=True)
class WaitTree:
    """A graph of hands, from the given one (node 0) to tenpai.

    Attributes
    ----------
    hands : int8[nodes, 34]
        The distinct hands, by descending shanten.
    shanten : int8[nodes]
    edges : int64[edges, 4]
        Parent, child, kind drawn, kind discarded; ordered by parent. The first discards from 14 tiles have
        ``NO_DRAW`` for the kind drawn.
    melds : int
    complete : bool
        Whether the graph goes all the way to tenpai.
    note : str
        Empty, or one line explaining where it was cut.
    """

    hands: Counts
    shanten: Counts
    edges: I64
    melds: int
    complete: bool
    note: str

    @property
    def leaves(self) -> I64:
        """The tenpai nodes, int64[n], without those that still have to discard."""
        return np.flatnonzero((self.shanten == 0) & (self.hands.sum(axis=1) % 3 == 1))

    def children(self, node: int) -> list[tuple[Kind, Kind, int]]:
        """Return (kind drawn, kind discarded, node reached) for every exchange from a node."""
        first, end = np.searchsorted(self.edges[:, 0], [node, node + 1])
        return [(draw, discard, child) for _, child, draw, discard in self.edges[first:end].tolist()]

    def waits(self, leaf: int) -> tuple[Kind, ...]:
        """Return the kinds that complete a leaf."""
        return tuple(np.flatnonzero(ukeire(self.hands[leaf], self.melds)).tolist())

    def orders(self) -> int:
        """Return how many leaves the tree would have if every order of the exchanges were separate."""
        ways = np.zeros(len(self.hands), np.int64)
        ways[0] = 1
        first = self.edges[:, 2] == NO_DRAW
        from_level = np.where(first, 127, self.shanten[self.edges[:, 0]])
        for level in sorted(set(from_level.tolist()), reverse=True):
            step = self.edges[from_level == level]
            np.add.at(ways, step[:, 1], ways[step[:, 0]])
        return int(ways[self.leaves].sum())


def wait_tree(
    counts: CountsLike, melds: int = 0, unseen: CountsLike | None = None, max_edges: int = MAX_EDGES
) -> WaitTree:
    """Find all ways from a hand to tenpai in as few exchanges as possible.

    Parameters
    ----------
    counts : int8[34]
        Concealed tiles by kind. A hand of 14 begins with the discards that keep its shanten.
    melds : int
        Called sets and kans, 0..4.
    unseen : int8[34], optional
        Tiles that may be drawn; by default all copies that are not in the hand.
    max_edges : int
        The graph is cut before the level that would exceed this, and its note says so. A 3-shanten hand has
        about 6 000 edges, a 5-shanten hand a million, a 6-shanten hand more than the default.

    Raises
    ------
    HandError
        As for ``shanten``.
    """
    hand = checked_hand(counts, melds)
    supply = (COPIES - hand if unseen is None else as_counts(unseen)) + hand
    levels = [shanten(hand, melds)]
    hands, edges = [hand[None]], [np.zeros((0, 4), np.int64)]
    level = max(0, levels[0])
    if hand.sum(dtype=int) % 3 == 2:
        edges.append(_discards(hand, melds, level))
        hands.append(hand - _one_hot(edges[-1][:, 3]))
        levels.append(level)
    start, total, note = len(hands) - 1, len(edges[-1]), ""
    for from_level in range(level, 0, -1):
        found = _exchanges(hands[-1], from_level, melds, supply, max_edges - total)
        if total + len(found) > max_edges:
            note = (
                f"cut at {from_level}-shanten: more than {max_edges} exchanges, {total} of them to that level"
            )
            break
        below, child = _distinct(hands[-1], found)
        end = start + len(hands[-1])
        found[:, 0] += start
        found[:, 1] = end + child
        hands.append(below)
        edges.append(found)
        levels.append(from_level - 1)
        start, total = end, total + len(found)
    by_node = np.repeat(np.array(levels, np.int8), [len(part) for part in hands])
    return WaitTree(np.concatenate(hands), by_node, np.concatenate(edges), melds, not note, note)


def _one_hot(kinds: I64) -> Counts:
    ones: Counts = np.eye(34, dtype=np.int8)[kinds]
    return ones


def _discards(hand: Counts, melds: int, level: int) -> I64:
    """Return the edges from a 14-tile root: the discards that keep its shanten."""
    kinds = np.flatnonzero(ukeire_by_discard(hand, melds)[0] == level)
    edges = np.zeros((len(kinds), 4), np.int64)
    edges[:, 1], edges[:, 2], edges[:, 3] = np.arange(1, len(kinds) + 1), NO_DRAW, kinds
    return edges


def _exchanges(hands: Counts, level: int, melds: int, supply: Counts, room: int) -> I64:
    """Return (parent, 0, draw, discard) for all useful exchanges, stopping soon after ``room`` of them."""
    parts = [np.zeros((0, 4), np.int64)]
    found = np.zeros((_NODES_AT_ONCE * _EXCHANGES, 3), np.int32)
    total = 0
    for first in range(0, len(hands), _NODES_AT_ONCE):
        size = _find_exchanges(
            hands[first : first + _NODES_AT_ONCE].copy(), level, melds, supply, TABLES.packed, found
        )
        part = np.zeros((size, 4), np.int64)
        part[:, 0], part[:, 2], part[:, 3] = found[:size, 0] + first, found[:size, 1], found[:size, 2]
        parts.append(part)
        total += size
        if total > room:
            break
    return np.concatenate(parts)


@compiled
def _find_exchanges(hands: Counts, level: int, melds: int, supply: Counts, tables: U8, found: I32) -> int:
    size = 0
    useful = np.zeros(34, np.bool_)
    for node in range(len(hands)):
        hand = hands[node]
        useful_of(hand, melds, tables, useful)
        for draw in range(34):
            if not useful[draw] or hand[draw] >= supply[draw]:
                continue
            hand[draw] += 1
            for discard in range(34):
                if hand[discard] == 0 or discard == draw:
                    continue
                hand[discard] -= 1
                if shanten_of(hand, melds, tables) < level:
                    found[size, 0], found[size, 1], found[size, 2] = node, draw, discard
                    size += 1
                hand[discard] += 1
            hand[draw] -= 1
    return size


def _distinct(parents: Counts, edges: I64) -> tuple[Counts, I64]:
    """Return the distinct hands that the exchanges lead to, and which one each edge reaches."""
    weights = np.array([5**kind for kind in range(27)] + [5**kind for kind in range(7)], np.int64)
    codes = np.stack([parents[:, :27] @ weights[:27], parents[:, 27:] @ weights[27:]], axis=1)[edges[:, 0]]
    for column, sign in ((2, 1), (3, -1)):
        honor = edges[:, column] >= 27
        change = sign * weights[edges[:, column]]
        codes[:, 0] += np.where(honor, 0, change)
        codes[:, 1] += np.where(honor, change, 0)
    order = np.lexsort((codes[:, 1], codes[:, 0]))
    new = np.ones(len(order), np.bool_)
    new[1:] = (codes[order][1:] != codes[order][:-1]).any(axis=1)
    child = np.empty(len(order), np.int64)
    child[order] = np.cumsum(new) - 1
    first = order[new]
    chosen = edges[first]
    return parents[chosen[:, 0]] + _one_hot(chosen[:, 2]) - _one_hot(chosen[:, 3]), child
