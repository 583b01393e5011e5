"""What a seat does not see: crafted hands, and dealt ones against the hand mathematics."""

import numpy as np

from manue.features.scene import CHI_MELD
from manue.hand.shanten import shanten
from manue.sim.codes import TILE_NUMBER
from manue.sim.columns import HIDDEN_COLUMNS
from manue.sim.deal import deal, shuffle
from manue.sim.hands import add_tile, find_waits
from manue.sim.hidden import fill_hidden
from manue.sim.kit import new_kit
from manue.sim.net import HIDDEN_SIZE
from manue.sim.table import new_tables
from manue.tiles import parse_tiles


def hidden_of(t, seat, kit):
    row = np.ones(HIDDEN_SIZE, np.float32)
    fill_hidden(t, seat, kit["tables"], row)
    return {column.name: float(value) for column, value in zip(HIDDEN_COLUMNS, row, strict=True)}


def give(t, seat, text, kit):
    for tile in parse_tiles(text):
        add_tile(t, seat, TILE_NUMBER[tile])
    find_waits(t, seat, kit["tables"])


def test_crafted_hands():
    """Seat 1 waits on 1p and 4p, of which it sees one; seat 0 holds a 4p; seat 3 has a chi with two dora."""
    t, kit = new_tables(1)[0], new_kit()
    give(t, 0, "4p258s369m1234567z", kit)
    give(t, 1, "123m456m789s2p3p11z", kit)
    give(t, 2, "147m258p369s1234z", kit)
    give(t, 3, "123m0p667s789s", kit)
    t["meld_kind"][3, 0], t["meld_first"][3, 0], t["meld_len"][3] = CHI_MELD, 0, 1
    t["dora"][0], t["dora"][1] = 1, 1
    t["public"][9] = 1
    t["riichi"][0] = 1
    row = hidden_of(t, 0, kit)
    assert row["ready_next"] == 1
    assert row["shanten_next"] == 0
    assert row["live_next"] == np.float32(7 / 8)
    assert row["caught_next"] == np.float32(1 / 2)
    assert row["dora_held_next"] == np.float32(2 / 4)
    assert row["ready_across"] == row["live_across"] == row["caught_across"] == 0
    assert row["shanten_across"] == 1
    assert row["dora_held_previous"] == np.float32((2 + 1 + 2) / 4)
    assert row["in_riichi"] == row["bias"] == 1
    seen_by_next = hidden_of(t, 1, kit)
    assert seen_by_next["own_live"] == np.float32(7 / 8)
    assert seen_by_next["in_riichi"] == seen_by_next["ready_next"] == 0


def test_dealt_hands():
    t, kit = new_tables(1)[0], new_kit()
    for seed in range(20):
        t["seed"] = seed
        shuffle(t)
        deal(t, kit)
        row = hidden_of(t, 2, kit)
        for who, seat in (("next", 3), ("across", 0), ("previous", 1)):
            hand = t["hand"][seat]
            assert row[f"shanten_{who}"] == min(shanten(hand), 4) / 4
            dora = int((hand * t["dora"]).sum() + t["reds"][seat].sum())
            assert row[f"dora_held_{who}"] == dora / 4
