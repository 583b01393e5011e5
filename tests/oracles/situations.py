"""Random wins of every kind.

A *situation* is drawn from a theme: a way to choose sets and pair that makes one family of yaku likely.
Themes are mixed with random melds, kans, red fives, winds, indicators and circumstances.
"""

import random
from collections import Counter
from dataclasses import dataclass, field

from manue.tiles import KINDS, RED_OF, Meld

SIMPLES = [k for k in range(27) if k % 9 not in (0, 8)]
OUTSIDE = [k for k in range(34) if k >= 27 or k % 9 in (0, 8)]
TERMINALS = [k for k in OUTSIDE if k < 27]
HONORS = list(range(27, 34))
DRAGONS = [31, 32, 33]
WIND_KINDS = [27, 28, 29, 30]
RUNS = [k for k in range(27) if k % 9 <= 6]
GREEN = [19, 20, 21, 23, 25, 32]


@dataclass
class Situation:
    closed: list[str]
    melds: list[Meld]
    win_tile: str
    circumstances: dict[str, object] = field(default_factory=dict)


Set = tuple[str, int]  # ("run" | "triplet", first kind)


def _runs(rng: random.Random, n: int, among: list[int] = RUNS) -> list[Set]:
    return [("run", rng.choice(among)) for _ in range(n)]


def _triplets(rng: random.Random, n: int, among: list[int]) -> list[Set]:
    return [("triplet", kind) for kind in rng.sample(among, n)]


def _any_sets(
    rng: random.Random, n: int, kinds: list[int], runs: list[int], share_of_runs: float
) -> list[Set]:
    sets: list[Set] = []
    for _ in range(n):
        take_run = runs and rng.random() < share_of_runs
        sets.append(("run", rng.choice(runs)) if take_run else ("triplet", rng.choice(kinds)))
    return sets


def _suit(rng: random.Random) -> int:
    return rng.randrange(3) * 9


def _random(rng):
    return _any_sets(rng, 4, list(range(34)), RUNS, 0.7), rng.randrange(34)


def _pinfu(rng):
    return _runs(rng, 4), rng.randrange(34)


def _tanyao(rng):
    runs = [k for k in RUNS if k % 9 not in (0, 6)]
    return _any_sets(rng, 4, SIMPLES, runs, 0.7), rng.choice(SIMPLES)


def _identical_four(rng):
    a, b = rng.choice(RUNS), rng.choice(RUNS)
    return [("run", a)] * 2 + [("run", b)] * 2, rng.randrange(34)


def _identical_two(rng):
    a = rng.choice(RUNS)
    return [("run", a)] * 2 + _any_sets(rng, 2, list(range(34)), RUNS, 0.5), rng.randrange(34)


def _three_in_a_row(rng):
    """111222333, which can be read as runs or as triplets."""
    a = rng.choice(RUNS)
    return [("run", a)] * 3 + _any_sets(rng, 1, list(range(34)), RUNS, 0.5), rng.randrange(34)


def _straight(rng):
    s = _suit(rng)
    return [
        ("run", s),
        ("run", s + 3),
        ("run", s + 6),
        *_any_sets(rng, 1, list(range(34)), RUNS, 0.6),
    ], rng.randrange(34)


def _three_suits(rng):
    n = rng.randrange(7)
    return [
        ("run", n),
        ("run", n + 9),
        ("run", n + 18),
        *_any_sets(rng, 1, list(range(34)), RUNS, 0.6),
    ], rng.randrange(34)


def _three_suits_triplets(rng):
    n = rng.randrange(9)
    sets = [("triplet", n), ("triplet", n + 9), ("triplet", n + 18)]
    return sets + _any_sets(rng, 1, list(range(34)), RUNS, 0.5), rng.randrange(34)


def _outside(rng):
    kinds = TERMINALS if rng.random() < 0.5 else OUTSIDE
    return _any_sets(rng, 4, kinds, [k for k in RUNS if k % 9 in (0, 6)], 0.6), rng.choice(kinds)


def _terminals_and_honors(rng):
    kinds = rng.choice((OUTSIDE, OUTSIDE, TERMINALS, HONORS))
    *sets, pair = rng.sample(kinds, 5)
    return [("triplet", k) for k in sets], pair


def _all_triplets(rng):
    *sets, pair = rng.sample(range(34), 5)
    return [("triplet", k) for k in sets], pair


def _three_triplets(rng):
    return _triplets(rng, 3, list(range(34))) + _runs(rng, 1), rng.randrange(34)


def _half_flush(rng):
    s = _suit(rng)
    kinds = [*range(s, s + 9), *HONORS]
    return _any_sets(rng, 4, kinds, [s + k for k in range(7)], 0.5), rng.choice(kinds)


def _flush(rng):
    s = _suit(rng)
    return _any_sets(rng, 4, list(range(s, s + 9)), [s + k for k in range(7)], 0.7), rng.randrange(s, s + 9)


def _dragons(rng):
    n = rng.choice((2, 2, 3))
    sets = _triplets(rng, n, DRAGONS)
    left = [k for k in DRAGONS if ("triplet", k) not in sets]
    return sets + _any_sets(rng, 4 - n, list(range(34)), RUNS, 0.7), rng.choice(left or range(27))


def _winds(rng):
    n = rng.choice((2, 3, 3, 4))
    sets = _triplets(rng, n, WIND_KINDS)
    left = [k for k in WIND_KINDS if ("triplet", k) not in sets]
    return sets + _any_sets(rng, 4 - n, list(range(34)), RUNS, 0.5), rng.choice(
        left
    ) if left else rng.randrange(34)


def _green(rng):
    return _any_sets(rng, 4, GREEN, [19], 0.3), rng.choice(GREEN)


def _nine_gates(rng):
    s = _suit(rng)
    extra = rng.randrange(9)
    return [s, s, s, *range(s + 1, s + 8), s + 8, s + 8, s + 8, s + extra], None


def _seven_pairs(rng):
    s = _suit(rng)
    kinds = rng.choice(
        (
            list(range(34)),
            list(range(34)),
            SIMPLES,
            OUTSIDE,
            HONORS,
            [*range(s, s + 9), *HONORS],
            list(range(s, s + 9)),
        )
    )
    return [k for k in rng.sample(kinds, 7) for _ in range(2)], None


def _pairs_or_runs(rng):
    n = _suit(rng) + rng.randrange(3)
    m = _suit(rng) + rng.randrange(7)
    return [k for k in [*range(n, n + 4), *range(m, m + 3)] for _ in range(2)], None


def _orphans(rng):
    return [*OUTSIDE, rng.choice(OUTSIDE)], None


THEMES = (
    _random, _pinfu, _pinfu, _tanyao, _identical_four, _identical_two, _three_in_a_row, _straight,
    _three_suits, _three_suits_triplets, _outside, _terminals_and_honors, _all_triplets, _three_triplets,
    _half_flush,
    _flush, _dragons, _winds, _green, _nine_gates, _seven_pairs, _pairs_or_runs, _orphans,
)  # fmt: skip


def situation(rng: random.Random) -> Situation:
    """Sample until the tiles can exist together."""
    while True:
        shape, pair = rng.choice(THEMES)(rng)
        made = _flat(rng, shape) if pair is None else _with_melds(rng, shape, pair)
        if made is not None:
            closed, melds = made
            win_tile = rng.choice(closed)
            return Situation(closed, melds, win_tile, _circumstances(rng, melds))


def _flat(rng, kinds: list[int]):
    if max(Counter(kinds).values()) > 4:
        return None
    return _named(rng, [kinds])[0], []


def _with_melds(rng, sets: list[Set], pair: int):
    share = rng.choice((0.0, 0.0, 0.3, 0.7, 1.0))
    kan_share = rng.choice((0.0, 0.2, 0.9))
    concealed, melds = [pair, pair], []
    for kind, first in sets:
        tiles = [first, first + 1, first + 2] if kind == "run" else [first] * 3
        if kind == "triplet" and rng.random() < kan_share:
            melds.append((rng.choice(("ankan", "ankan", "daiminkan", "kakan")), [first] * 4))
        elif rng.random() < share:
            melds.append(("chi" if kind == "run" else "pon", tiles))
        else:
            concealed += tiles
    if max(Counter([*concealed, *(k for _, tiles in melds for k in tiles)]).values()) > 4:
        return None
    closed, *called = _named(rng, [concealed, *(tiles for _, tiles in melds)])
    return closed, [Meld(kind, tuple(tiles)) for (kind, _), tiles in zip(melds, called, strict=True)]


def _named(rng, groups: list[list[int]]) -> list[list[str]]:
    """Name the tiles; one five of a suit is red when all four are there, else by chance."""
    everything = [k for group in groups for k in group]
    named = [[KINDS[k] for k in group] for group in groups]
    for kind, red in RED_OF.items():
        copies = everything.count(kind)
        if copies and rng.random() < copies / 4:
            where = [(g, i) for g, group in enumerate(groups) for i, k in enumerate(group) if k == kind]
            g, i = rng.choice(where)
            named[g][i] = red
    return named


def _circumstances(rng, melds: list[Meld]) -> dict[str, object]:
    tsumo = rng.random() < 0.5
    opened = any(m.is_open for m in melds)
    kan = any(m.is_kan for m in melds)
    chosen: dict[str, object] = {
        "tsumo": tsumo,
        "seat_wind": rng.choice("ESWN"),
        "round_wind": rng.choice("ESWN"),
    }
    extra = rng.random()
    if not melds and extra < 0.05 and (tsumo or chosen["seat_wind"] != "E"):
        chosen["first_turn"] = tsumo
    elif not opened and rng.random() < 0.5:
        chosen["riichi"] = True
        chosen["double_riichi"] = rng.random() < 0.2
        chosen["ippatsu"] = rng.random() < 0.3
    if not chosen.get("first_turn"):
        if tsumo and extra > 0.9:
            chosen["haitei"] = True
        elif tsumo and kan and extra > 0.6 and not chosen.get("ippatsu"):
            chosen["rinshan"] = True
        elif not tsumo and extra > 0.9:
            chosen["houtei"] = True
        elif not tsumo and extra > 0.8:
            chosen["chankan"] = True
    chosen["dora_indicators"] = tuple(rng.choice(KINDS) for _ in range(rng.choice((1, 1, 2, 4))))
    chosen["ura_indicators"] = tuple(rng.choice(KINDS) for _ in range(len(chosen["dora_indicators"])))
    chosen["honba"] = rng.choice((0, 0, 1, 3))
    return chosen
