"""A hand and the tiles it may draw: what a win estimate depends on, taken from a state or a scene."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from manue.arrays import F64, Bool
from manue.features.scene import MELD_CODES, Scenes
from manue.hand.score import score_win
from manue.rules import Rules
from manue.tiles import (
    COPIES,
    KIND_OF,
    KINDS,
    RED_OF,
    Counts,
    Kind,
    Meld,
    MeldKind,
    Tile,
    Wind,
    counts_of,
    is_red,
    red_counts,
    tiles_in,
)


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand and the tiles it may draw: everything that a win estimate depends on.

    Parameters
    ----------
    counts : int8[34]
        Concealed tiles: 3n + 2 where a discard follows, 3n + 1 where a draw does.
    reds : tuple of int
        Red fives of m, p, s among them.
    melds : tuple of Meld
    unseen : int8[34]
        Copies this seat has not seen.
    unseen_reds : tuple of int
        Red fives among them.
    own_draws : int
        This seat's remaining draws.
    dora : tuple of int
        Han per tile of each kind, by the indicators on the table.
    seat_wind, round_wind : str
    """

    counts: Counts
    reds: tuple[int, int, int]
    melds: tuple[Meld, ...]
    unseen: Counts
    unseen_reds: tuple[int, int, int]
    own_draws: int
    dora: tuple[int, ...]
    seat_wind: Wind
    round_wind: Wind


def meld_dora(melds: Sequence[Meld], dora: F64) -> float:
    """Count the dora and red fives of called sets."""
    return float(sum(dora[KIND_OF[tile]] + is_red(tile) for meld in melds for tile in meld.tiles))


def hand_view(scene: Scenes, tiles: Sequence[Tile], melds: Sequence[Meld], own_draws: int) -> HandView:
    """Return the view of a hand that a seat may come to hold, given what that seat sees now.

    Parameters
    ----------
    scene : SCENE[1]
        What it sees.
    tiles, melds
        Concealed tiles and sets after the action in question.
    own_draws : int
        This seat's remaining draws.
    """
    here = scene[0]
    red_m, red_p, red_s = (1 - int(seen) for seen in here["reds_visible"])
    return HandView(
        counts_of(tiles),
        red_counts(tiles),
        tuple(melds),
        np.maximum(COPIES - here["visible"], 0).astype(np.int8),
        (red_m, red_p, red_s),
        own_draws,
        tuple(here["dora"].tolist()),
        KINDS[int(here["seat_wind"][0])],
        KINDS[int(here["round_wind"])],
    )


def view_of_scene(scene: Scenes) -> HandView:
    """Return the view of the hand in a scene, SCENE[1], before its discard."""
    here = scene[0]
    red_m, red_p, red_s = (int(held) for held in here["hand_reds"])
    tiles = tiles_in(here["hand"], (red_m, red_p, red_s))
    return hand_view(scene, tiles, _own_melds(scene), int(here["tiles_left"]) // 4)


def _own_melds(scene: Scenes) -> list[Meld]:
    """Return the observer's melds in a scene, which does not know what was called from whom."""
    here = scene[0]
    names: dict[int, MeldKind] = {code: kind for kind, code in MELD_CODES.items()}
    melds = []
    for i in range(int(here["meld_len"][0])):
        kind = names[int(here["meld_kind"][0, i])]
        first, reds = int(here["meld_first"][0, i]), int(here["meld_reds"][0, i])
        size = 4 if "kan" in kind else 3
        kinds = [first, first + 1, first + 2] if kind == "chi" else [first] * size
        tiles = [KINDS[k] for k in kinds]
        for at in range(size):
            if reds and kinds[at] in RED_OF:
                tiles[at] = RED_OF[kinds[at]]
                reds -= 1
        melds.append(Meld(kind, tuple(tiles)))
    return melds


def ron_waits(view: HandView, thrown: Kind | None, waits: Bool, *, riichi: bool, rules: Rules) -> int:
    """Return the unseen waits that allow ron, by a yaku or in riichi, as a mask: bit k for kind k.

    Parameters
    ----------
    view : HandView
        Before the discard.
    thrown : int or None
        The kind discarded.
    waits : bool[34]
        Kinds that complete the remaining hand.
    riichi : bool
    rules : Rules
    """
    kinds = [int(kind) for kind in np.flatnonzero(waits & (view.unseen > 0))]
    if not riichi:
        counts = view.counts.copy()
        if thrown is not None:
            counts[thrown] -= 1
        hand = [KINDS[kind] for kind in range(34) for _ in range(counts[kind])]
        kinds = [kind for kind in kinds if _has_yaku(view, hand, KINDS[kind], rules)]
    return sum(1 << kind for kind in kinds)


def _has_yaku(view: HandView, hand: Sequence[Tile], tile: Tile, rules: Rules) -> bool:
    seat_wind, round_wind = view.seat_wind, view.round_wind
    won = score_win([*hand, tile], view.melds, tile, seat_wind=seat_wind, round_wind=round_wind, rules=rules)
    return won is not None
