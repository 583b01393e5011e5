"""Counts and figures as text."""

import pytest

from manue.as_text import counted, known, percent


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 games"), (1, "1 game"), (2, "2 games"), (12_345, "12,345 games")]
)
def test_one_thing_is_named_in_the_singular(number, words):
    assert counted(number, "game") == words


def test_figures_in_their_form():
    assert (known(0.25, ".3f"), known(1234.5, ",.0f"), known(3, "d")) == ("0.250", "1,234", "3")
    assert (percent(0.0), percent(0.1234), percent(1)) == ("0.0 %", "12.3 %", "100.0 %")
    assert (percent(0.1234, 0), percent(0.1234, 2, signed=True)) == ("12 %", "+12.34 %")


def test_the_bias_of_a_constant_was_minus_0():
    assert (percent(-1e-16, 2, signed=True), percent(-0.0001)) == ("+0.00 %", "0.0 %")


@pytest.mark.parametrize("unknown", [None, float("nan")])
def test_what_is_not_known_is_a_dash(unknown):
    assert known(unknown, ".3f") == percent(unknown) == "-"
