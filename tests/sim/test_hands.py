"""Shanten, useful tiles and waits from codes kept tile by tile equal those of `manue.hand`."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from manue.game.waits import waits_of
from manue.hand.shanten import TABLES, shanten, ukeire_by_discard
from manue.sim.hands import add_tile, find_waits, rate_discards, rate_useful, shanten_at_rest, take_tile
from manue.sim.table import new_tables
from manue.sim.wall import TILE_OF_PHYSICAL
from manue.tiles import KIND_OF, TILES

HANDS = st.integers(0, 4).flatmap(
    lambda melds: st.tuples(
        st.just(melds),
        st.lists(st.integers(0, 135), min_size=14 - 3 * melds, max_size=14 - 3 * melds, unique=True),
    )
)


@given(HANDS, st.integers(0, 2**34 - 1))
@settings(max_examples=150)
def test_after_every_discard(hand, visible):
    melds, physical = hand
    t = new_tables(1)[0]
    tiles = [int(TILE_OF_PHYSICAL[tile]) for tile in physical]
    t["meld_len"][2] = melds
    t["public"][:] = [min(visible >> kind & 1, 4 - tiles.count(kind)) for kind in range(34)]
    for tile in tiles:
        add_tile(t, 2, tile)
    counts = np.bincount([KIND_OF[TILES[tile]] for tile in tiles], minlength=34).astype(np.int8)
    assert t["hand"][2].tolist() == counts.tolist()
    after, useful = ukeire_by_discard(counts, melds)
    assert rate_discards(t, 2, TABLES.packed) == after.min()
    assert t["after"].tolist() == after.tolist()
    rate_useful(t, 2, 126, TABLES.packed)
    unseen = np.maximum(4 - t["public"].astype(int) - counts, 0)
    for kind in np.flatnonzero(counts):
        assert [t["useful"][kind] >> k & 1 for k in range(34)] == useful[kind].tolist()
        assert t["useful_tiles"][kind] == useful[kind] @ unseen
    take_tile(t, 2, tiles[0])
    counts[KIND_OF[TILES[tiles[0]]]] -= 1
    assert shanten_at_rest(t, 2, TABLES.packed) == shanten(counts, melds)
    find_waits(t, 2, TABLES.packed)
    assert [kind for kind in range(34) if t["waits"][2] >> kind & 1] == list(waits_of(counts, melds))
    assert t["reds"][2].sum() == sum(tile >= 34 for tile in tiles[1:])
