"""Readings against brute force, against the divider of `mahjong`, and by example."""

import random
from collections import Counter

import pytest
from mahjong.hand_calculating.divider import HandDivider

from manue.errors import HandError
from manue.hand.readings import (
    Block,
    ankan_allowed_in_riichi,
    combined_wait,
    final_block,
    is_open,
    readings,
)
from manue.hand.shanten import shanten, ukeire
from manue.tiles import KIND_OF, KINDS, Meld, counts_of, parse_tiles
from tests.conftest import FULL
from tests.oracles import partitions
from tests.oracles.situations import situation

HANDS = 10_000 if FULL else 800


def kinds_of(tiles):
    return tuple(KIND_OF[tile] for tile in tiles)


def raw(reading):
    """A reading in the form of the oracle."""
    blocks = tuple(sorted((b.kind, kinds_of(b.tiles)) for b in reading.blocks if b.meld is None))
    if reading.wait is None:
        return reading.form, blocks
    return reading.form, blocks, reading.wait.kind, kinds_of(reading.wait.held), kinds_of(reading.wait.tiles)


def hands(seed):
    """Complete hands of all kinds, and hands of one suit with many readings."""
    rng = random.Random(seed)
    for number in range(HANDS):
        if number % 3:
            case = situation(rng)
            yield case.closed, case.melds
        else:
            while not readings(tiles := [f"{n}s" for n in sorted(rng.sample([*range(1, 10)] * 4, 14))]):
                pass
            yield tiles, []


def test_complete_hands_agree_with_brute_force_and_with_mahjong():
    for tiles, melds in hands(1):
        ours = readings(tiles, melds)
        assert len(set(map(raw, ours))) == len(ours)
        regular = {raw(r) for r in ours if r.form != "thirteen orphans"}
        expected = partitions.complete_readings(kinds_of(tiles), len(melds))
        assert regular == {r for r in expected if r[0] != "thirteen orphans"}, tiles
        assert {r.form for r in ours} == {r[0] for r in expected}
        if melds or any(r.form == "thirteen orphans" for r in ours):
            continue
        divided = {
            tuple(sorted(tuple(block) for block in blocks))
            for blocks in HandDivider.divide_hand(counts_of(tiles).tolist())
        }
        assert divided == {tuple(sorted(block for _, block in r[1])) for r in regular}, tiles


def test_ready_hands_agree_with_brute_force():
    rng = random.Random(2)
    for complete, melds in hands(3):
        tiles = list(complete)
        tiles.remove(rng.choice(tiles))
        own = Counter(kinds_of([*tiles, *(t for meld in melds for t in meld.tiles)]))
        ours = readings(tiles, melds)
        assert len(set(map(raw, ours))) == len(ours)
        regular = {raw(r) for r in ours if r.form == "regular"}
        assert regular == partitions.ready_readings(kinds_of(tiles), own, len(melds)), tiles


def test_waits_agree_with_shanten():
    rng = random.Random(4)
    for complete, melds in hands(5):
        tiles = list(complete)
        tiles.remove(rng.choice(tiles))
        counts = counts_of(tiles)
        own = counts_of([*tiles, *(t for meld in melds for t in meld.tiles)])
        wait = combined_wait(readings(tiles, melds))
        assert shanten(counts, len(melds)) == 0 or not wait
        useful = ukeire(counts, len(melds))
        assert wait == tuple(KINDS[k] for k in range(34) if useful[k] and own[k] < 4), tiles


def test_not_ready_has_no_reading():
    assert readings(parse_tiles("147m258p369sESWN")) == []
    assert readings(parse_tiles("147m258p369sESWNP")) == []


@pytest.mark.parametrize(
    ("text", "kind", "held", "waits"),
    [
        ("123456m34599p56s", "ryanmen", "56s", "47s"),
        ("123456m34599p46s", "kanchan", "46s", "5s"),
        ("123456m34599p12s", "penchan", "12s", "3s"),
        ("123456m34599p89s", "penchan", "89s", "7s"),
        ("123456m34599pEE", "shanpon", "99pEE", "9pE"),
        ("123456m345999pE", "tanki", "E", "E"),
    ],
)
def test_wait_kinds(text, kind, held, waits):
    wait = readings(parse_tiles(text))[0].wait
    assert (wait.kind, list(wait.held), list(wait.tiles)) == (kind, parse_tiles(held), parse_tiles(waits))


def test_seven_pairs_beside_a_regular_reading():
    found = readings(parse_tiles("112233m445566p7s"))
    assert {(r.form, r.wait.kind) for r in found} == {("regular", "tanki"), ("seven pairs", "tanki")}
    assert combined_wait(found) == ("7s",)


def test_thirteen_orphans_waits():
    (single,) = readings(parse_tiles("119m19p19sESWNPF"))
    assert (single.wait.kind, single.wait.tiles) == ("single", ("C",))
    assert single.blocks == (Block("pair", ("1m", "1m")),)
    (open_to_all,) = readings(parse_tiles("19m19p19sESWNPFC"))
    assert open_to_all.wait.kind == "thirteen-sided"
    assert len(open_to_all.wait.tiles) == 13


def test_wait_on_a_fifth_copy_is_removed():
    assert readings(parse_tiles("1111m234p456p789s")) == []
    found = readings(parse_tiles("1233334455m789p"))
    assert combined_wait(found) == ("4m", "5m", "6m")  # not 3m, which 12m 33m 345m 345m lacks
    pon = Meld("pon", ("E", "E", "E"))
    assert combined_wait(readings(parse_tiles("123456789mE"), [pon])) == ()


def test_red_fives_return_once():
    (reading,) = readings(parse_tiles("340m055p67s999sEE"))
    tiles = [tile for block in reading.blocks for tile in block.tiles] + list(reading.wait.held)
    assert sorted(tiles) == sorted(parse_tiles("340m055p67s999sEE"))


def test_melds_are_attached_and_open_the_hand():
    chi = Meld("chi", ("3s", "1s", "2s"), "3s", 3)
    kan = Meld("ankan", ("E",) * 4)
    (reading,) = readings(parse_tiles("123m55p67s"), [chi, kan])
    assert [block.meld for block in reading.blocks[-2:]] == [chi, kan]
    assert [block.kind for block in reading.blocks] == ["run", "pair", "run", "kan"]
    assert is_open(reading)
    assert not is_open(readings(parse_tiles("123m456p55p67s"), [kan])[0])


def test_final_block():
    low, high = readings(parse_tiles("123456m99p34067s"))  # 34 waiting beside 567, 67 beside 345
    assert final_block(low, "8s") is None
    assert final_block(low, "2s") == Block("run", ("2s", "3s", "4s"))
    assert final_block(high, "8s") == Block("run", ("6s", "7s", "8s"))
    assert final_block(low, "5s") == Block("run", ("3s", "4s", "5s"))
    assert final_block(high, "9s") is None
    (shanpon,) = readings(parse_tiles("123456m34599pEE"))
    assert final_block(shanpon, "E") == Block("triplet", ("E", "E", "E"))
    (orphans,) = readings(parse_tiles("119m19p19sESWNPF"))
    assert final_block(orphans, "C") == Block("single", ("C",))
    (thirteen,) = readings(parse_tiles("19m19p19sESWNPFC"))
    assert final_block(thirteen, "C") == Block("pair", ("C", "C"))
    (complete,) = readings(parse_tiles("123456m34599pEEE"))
    assert final_block(complete, "E") is None


@pytest.mark.parametrize(
    ("tiles", "drawn", "allowed"),
    [
        ("EEE123m456p7899s", "E", True),
        ("EEE123m456p7899s", "9s", False),  # not three in the hand
        ("33345m123p456s99s", "3m", False),  # 33 + 345
        ("111m23m456p789sEE", "1m", False),  # 11 + 123 as well
        ("222m345m678p55sEE", "2m", True),
        ("222m3m456p789s345s", "2m", False),  # 22 + 23 waits on 1m and 4m as well
        ("111222333m5699s", "2m", False),  # three runs are another reading
        ("99m555m678p34sEEE", "5m", True),
        ("5556667778889m", "5m", False),
    ],
)
def test_ankan_in_riichi(tiles, drawn, allowed):
    assert ankan_allowed_in_riichi(parse_tiles(tiles), [], drawn) is allowed


def test_ankan_in_riichi_by_its_definition():
    """Allowed only if the three tiles are a triplet in every reading and the wait stays."""
    rng, allowed = random.Random(6), Counter()
    for complete, melds in hands(7):
        if any(meld.kind != "ankan" for meld in melds):
            continue
        tiles = list(complete)
        tiles.remove(rng.choice(tiles))
        before = readings(tiles, melds)
        for kind, copies in Counter(kinds_of(tiles)).items():
            if copies != 3 or not before:
                continue
            three = [t for t in tiles if KIND_OF[t] == kind]
            fixed = all(any(kinds_of(b.tiles) == (kind,) * 3 for b in r.blocks) for r in before)
            rest = [t for t in tiles if KIND_OF[t] != kind]
            after = readings(rest, [*melds, Meld("ankan", (*three, KINDS[kind]))])
            expected = fixed and combined_wait(after) == combined_wait(before)
            assert ankan_allowed_in_riichi(tiles, melds, KINDS[kind]) is expected, (tiles, KINDS[kind])
            allowed[expected] += 1
    assert min(allowed[True], allowed[False]) > 20


@pytest.mark.parametrize(
    ("tiles", "melds", "message"),
    [
        ("123m456p789s12s", [], "12|11 concealed"),
        ("11111m456p789s12s", [], "5 copies of 1m"),
        ("1m", [Meld("pon", (t,) * 3) for t in "ESWNP"], "5 melds"),
        ("1m", [Meld("pon", ("P",) * 3)], "1 concealed tile with 1 meld;"),  # they were "1 tiles, 1 melds"
    ],
)
def test_bad_input(tiles, melds, message):
    with pytest.raises(HandError, match=message):
        readings(parse_tiles(tiles), melds)
