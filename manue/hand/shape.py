"""A reading of a complete hand, folded into masks.

A *reading* of a complete hand is four sets and a pair. A set is one small integer, its *code*::

    code = first kind (0..33) + RUN | TRIPLET | KAN (+ OPEN for a called set)

so ``0`` is 1m2m3m in the hand, ``27 + TRIPLET + OPEN`` a called pon of E, ``31 + KAN`` a closed kan of P.
A reading is folded once into a `Shape`, from which `manue.hand.yaku` finds its patterns.
"""

from typing import NamedTuple, TypeAlias

from manue.compiled import inlined

SetCodes: TypeAlias = tuple[int, int, int, int]
"""The four sets of a hand; a tuple, because passing arrays between kernels costs reference counting."""

RUN, TRIPLET, KAN, OPEN = 0, 64, 128, 256
KIND_PART, TYPE_PART = 63, 192

HONOR_MASK = 0x7F << 27
TERMINAL_MASK = sum(1 << kind for kind in (0, 8, 9, 17, 18, 26))
OUTSIDE_MASK = TERMINAL_MASK | HONOR_MASK
"""Masks of kinds: one bit each."""


class Shape(NamedTuple):
    """A reading folded into masks; nothing in it depends on the winning tile."""

    runs: int
    """Bit of the first kind of every run."""
    triplets: int
    """Bit of the kind of every triplet or kan."""
    kinds: int
    """Bit of every kind in the hand."""
    pair: int
    """Kind of the pair (-1 in seven pairs)."""
    identical: int
    """How many times two runs are the same: 0, 1 or 2."""
    n_triplets: int
    """Triplets and kans."""
    n_concealed: int
    """Concealed triplets and closed kans; a triplet completed by ron still counts here."""
    n_kans: int
    set_fu: int
    """Fu of all sets, with every triplet in the hand taken as concealed."""
    digits: int
    """Four bits for each number 1..9: how many tiles have it (used when all tiles are of one suit)."""
    outside: bool
    """Every set and the pair holds a terminal or an honor."""
    closed: bool
    """No set is called; closed kans are allowed."""


@inlined
def regular_shape(sets: SetCodes, pair: int) -> Shape:
    """Fold four set codes and the kind of the pair into a shape."""
    runs = triplets = odd_runs = 0
    identical = n_triplets = n_concealed = n_kans = set_fu = 0
    kinds = 1 << pair
    digits = 2 << 4 * (pair % 9)
    outside = (OUTSIDE_MASK >> pair) & 1 == 1
    closed = True
    for i in range(4):
        code = sets[i]
        kind = code & KIND_PART
        bit = 1 << kind
        number = kind % 9
        called = code & OPEN != 0
        if called:
            closed = False
        if code & TYPE_PART == RUN:
            if odd_runs & bit:
                identical += 1
            odd_runs ^= bit
            runs |= bit
            kinds |= 7 << kind
            digits += 0x111 << 4 * number
            outside = outside and (number in (0, 6))
        else:
            triplets |= bit
            kinds |= bit
            digits += 3 << 4 * number
            n_triplets += 1
            n_concealed += not called
            n_kans += code & TYPE_PART == KAN
            outside = outside and OUTSIDE_MASK & bit != 0
            set_fu += _triplet_fu(code)
    triples = (n_triplets, n_concealed, n_kans)
    return Shape(runs, triplets, kinds, pair, identical, *triples, set_fu, digits, outside, closed)


@inlined
def _triplet_fu(code: int) -> int:
    """Return the fu of a triplet or kan; a concealed one counts as drawn."""
    fu = 4 if OUTSIDE_MASK >> (code & KIND_PART) & 1 else 2
    if code & OPEN == 0:
        fu *= 2
    return 4 * fu if code & TYPE_PART == KAN else fu


@inlined
def seven_pairs_shape(kinds: int) -> Shape:
    """Return the shape of seven pairs from the mask of their kinds."""
    outside, closed = False, True
    return Shape(0, 0, kinds, -1, 0, 0, 0, 0, 0, 0, outside, closed)
