"""Shanten and useful tiles: errors, known hands, and what must hold for any hand."""

import numpy as np
import pytest

from manue.errors import HandError
from manue.hand.shanten import (
    shanten,
    shanten_batch,
    shanten_forms,
    ukeire,
    ukeire_batch,
    ukeire_by_discard,
)
from manue.tiles import KINDS, counts_of, parse_tiles


def hand(text):
    return counts_of(parse_tiles(text))


def names(mask):
    return " ".join(KINDS[kind] for kind in np.flatnonzero(mask))


@pytest.mark.parametrize(
    ("text", "melds", "forms"),
    [
        ("123m456p789s11122z", 0, (-1, 4, 8)),
        ("123m456p789s1112z", 0, (0, 5, 8)),
        ("1122m3344p5566s7z", 0, (3, 0, 10)),
        ("19m19p19s12345677z", 0, (7, 5, -1)),
        ("19m19p19s1234567z", 0, (8, 6, 0)),
        ("147m258p369s1234z", 0, (8, 6, 7)),
        ("1111m2222p3333s4z", 0, (2, 6, 10)),
        ("1111p4p6666p8888s", 0, (2, 6, 11)),  # the fifth 6p would make it 1
        ("1111m", 3, (1, 127, 127)),
        ("11m", 4, (-1, 127, 127)),
        ("1m", 4, (0, 127, 127)),
        ("147m1z", 3, (2, 127, 127)),
    ],
)
def test_known_hands(text, melds, forms):
    assert shanten_forms(hand(text), melds) == forms
    assert shanten(hand(text), melds) == min(forms)


@pytest.mark.parametrize(
    ("text", "melds", "useful"),
    [
        ("123m456p789s1112z", 0, "S"),
        ("1122m3344p5566s7z", 0, "C"),
        ("1112345678999m", 0, "1m 2m 3m 4m 5m 6m 7m 8m 9m"),
        ("19m19p19s1234567z", 0, "1m 9m 1p 9p 1s 9s E S W N P F C"),
        ("123m456p789s11122z", 0, ""),
        ("1m", 4, "1m"),
        ("123m456p23s11222z", 0, "1s 4s"),  # 14 tiles: after the best discard
        ("1111m", 3, " ".join(KINDS[1:])),
    ],
)
def test_known_useful_tiles(text, melds, useful):
    assert names(ukeire(hand(text), melds)) == useful


def test_useful_tiles_of_every_discard():
    after, useful = ukeire_by_discard(hand("123m456p23s112223z"))
    assert {KINDS[kind]: int(after[kind]) for kind in np.flatnonzero(after < 127)} == {
        **dict.fromkeys(["1m", "2m", "3m", "4p", "5p", "6p", "2s", "3s"], 1),
        "E": 1,
        "S": 1,
        "W": 0,
    }
    assert names(useful[KINDS.index("W")]) == "1s 4s"
    assert not useful[KINDS.index("9s")].any()


@pytest.mark.parametrize(
    ("text", "melds", "message"),
    [
        ("11111m123p456s12z", 0, "5 copies of 1m: there are 4 of each kind"),
        ("123m456p789s111z", 0, "12 tiles with 0 melds: 13 or 14 concealed tiles are needed"),
        ("123m456p789s111222z", 0, "15 tiles with 0 melds: 13 or 14 concealed tiles are needed"),
        ("123m456p789s1112z", 1, "13 tiles with 1 meld: 10 or 11 concealed tiles are needed"),
        ("1m", 5, "5 melds: a hand has 0 to 4"),
        ("1m", -1, "-1 melds: a hand has 0 to 4"),
    ],
)
def test_impossible_hands(text, melds, message):
    for function in (shanten, shanten_forms, ukeire):
        with pytest.raises(HandError, match=f"^{message}$"):
            function(hand(text), melds)
    for batch in (shanten_batch, ukeire_batch):
        with pytest.raises(HandError, match=f"^hand 1: {message}$"):
            batch([hand("1m") if melds == 4 else hand("123m456p789s1112z"), hand(text)], [0, melds])


def test_discards_need_fourteen_tiles():
    with pytest.raises(HandError, match="13 tiles with 0 melds: 14 concealed tiles are needed"):
        ukeire_by_discard(hand("123m456p789s1112z"))


@pytest.mark.parametrize(
    "counts", [[1] * 13, np.ones((2, 17), np.int8), np.ones(34), np.array(1), [300] + [0] * 33, ["E"] * 34]
)
def test_counts_of_the_wrong_kind(counts):
    with pytest.raises(HandError):
        shanten(counts)
    with pytest.raises(HandError):
        shanten_batch(counts)


def test_any_integer_type_will_do():
    counts = hand("123m456p789s1112z")
    for other in (
        counts.tolist(),
        counts.astype(np.uint8),
        counts.astype(np.int64),
        np.repeat(counts, 2)[::2],
    ):
        assert shanten(other) == 0
        assert shanten_batch([other])[0] == 0
    counts.flags.writeable = False
    assert shanten(counts) == 0
    assert ukeire_by_discard(hand("123m456p789s11123z"))[0].min() == 0


def test_batches_of_no_hands():
    empty = np.zeros((0, 34), np.int8)
    assert shanten_batch(empty).shape == (0,)
    assert shanten_batch(empty, forms=True).shape == (0, 3)
    assert ukeire_batch(empty).shape == (0, 34)
