"""Tiles: names, kinds, parsing and printing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manue.errors import TileError
from manue.tiles import (
    KIND_OF,
    KINDS,
    TERMINALS_AND_HONORS,
    TILES,
    Meld,
    counts_of,
    dora_of,
    format_tiles,
    order,
    parse_tile,
    parse_tiles,
    seat_wind,
)

tiles = st.lists(st.sampled_from(TILES), max_size=20)


def test_there_are_34_kinds_and_37_tiles():
    assert (len(set(KINDS)), len(set(TILES))) == (34, 37)
    assert [KINDS[kind] for kind in TERMINALS_AND_HONORS] == "1m 9m 1p 9p 1s 9s E S W N P F C".split()


def test_compact_notation_knows_red_fives_and_honors():
    assert parse_tiles("123m406p789s1z") == ["1m", "2m", "3m", "4p", "5pr", "6p", "7s", "8s", "9s", "E"]


@given(tiles)
def test_compact_notation_round_trips(hand):
    assert sorted(parse_tiles(format_tiles(hand)), key=order) == sorted(hand, key=order)


@given(tiles)
def test_mjai_names_round_trip(hand):
    assert parse_tiles(" ".join(hand)) == hand


@given(tiles)
def test_counts_ignore_red(hand):
    expected = np.bincount([KIND_OF[tile] for tile in hand], minlength=34)
    assert (counts_of(hand) == expected).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("123x", "unknown tile 'x' at position 4 of '123x'"),
        ("12", "no suit after '1' at position 1 of '12'"),
        ("m", "no number before 'm' at position 1 of 'm'"),
        ("8z", "unknown tile '8z' at position 1 of '8z'"),
        ("0z", "unknown tile '0z' at position 1 of '0z'"),
        ("4mr", "only fives can be red, not '4mr' at position 3 of '4mr'"),
        ("1m Q", "unknown tile 'Q' at position 4 of '1m Q'"),
    ],
)
def test_a_bad_tile_is_named_with_its_position(text, message):
    with pytest.raises(TileError) as caught:
        parse_tiles(text)
    assert message in str(caught.value)


@given(st.text(max_size=12))
def test_any_text_is_tiles_or_a_tile_error(text):
    try:
        parsed = parse_tiles(text)
    except TileError:
        return
    assert all(tile in TILES for tile in parsed)


def test_one_name_is_checked():
    assert parse_tile("5sr") == "5sr"
    with pytest.raises(TileError, match="'5z' is not a tile"):
        parse_tile("5z")


def test_dora_follows_its_indicator():
    follows = {"1m": "2m", "9m": "1m", "5pr": "6p", "9s": "1s", "E": "S", "N": "E", "P": "F", "C": "P"}
    assert {tile: KINDS[dora_of(tile)] for tile in follows} == follows


def test_seat_winds_turn_with_the_dealer():
    assert [seat_wind(seat, 2) for seat in range(4)] == ["W", "N", "E", "S"]


def test_a_meld_knows_what_it_is():
    chi = Meld("chi", ("3m", "4m", "2m"), "2m", 1)
    kan = Meld("ankan", ("E",) * 4)
    assert (chi.is_open, chi.is_kan, chi.first_kind) == (True, False, 1)
    assert (kan.is_open, kan.is_kan, kan.first_kind) == (False, True, 27)
