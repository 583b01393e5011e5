"""Words for the facts behind a danger."""

import numpy as np
import pytest

from manue.features.danger_columns import ROW_NAMES
from manue.features.kind_columns import NEVER
from manue.features.reasons import AT, GROUPS, by_group, word_of
from manue.language.messages import ENGLISH
from tests.texts import values_named


def test_every_column_is_in_one_group():
    columns = [name for names in GROUPS.values() for name in names]
    assert sorted(columns) == sorted(ROW_NAMES)


def test_groups_add_up():
    values = np.random.default_rng(1).normal(size=len(ROW_NAMES))
    assert sum(by_group(values).values()) == pytest.approx(values.sum())


def test_every_word_has_a_text_with_its_number():
    rng = np.random.default_rng(2)
    met = set()
    for _ in range(3000):
        row = rng.integers(-1, 4, len(ROW_NAMES)).astype(np.float32)
        row[AT.number] = rng.integers(0, 6)
        for name in ("combo_rank", "turn", "changes_since", "inner_age"):
            row[getattr(AT, name)] = rng.integers(0, 31)
        row[AT.one_suit] = rng.random()
        if rng.random() < 0.5:
            row[[getattr(AT, name) for name in GROUPS["beside"]]] = NEVER
        for group in GROUPS:
            word, number = word_of(group, row, {"melds": int(rng.integers(0, 2))})
            met.add(word)
            assert ("n" in values_named(ENGLISH.table[f"reason.{word}"])) <= (number is not None)
    texts = {key.removeprefix("reason.") for key in ENGLISH.table if key.startswith("reason.")}
    assert texts - met == {"safe", "more", "less"}


def row_of(**values):
    row = np.zeros(len(ROW_NAMES), np.float32)
    for name, value in values.items():
        row[getattr(AT, name)] = value
    return row


def walls(number, inner, inner_2, outer, outer_2):
    return {"number": number} | dict(zip(GROUPS["wall"], (inner, inner_2, outer, outer_2), strict=True))


def beside(number, inner_age):
    return {"number": number} | dict.fromkeys(GROUPS["beside"], NEVER) | {"inner_age": inner_age}


@pytest.mark.parametrize(
    ("group", "values", "words"),
    [
        ("suji", {"number": 5, "open_sides": 2}, "no-suji 5"),
        ("suji", {"number": 4, "suji": 1}, "half suji"),
        ("suji", {"number": 1, "suji": 2}, "suji"),
        ("calls", {"melds": 3, "one_suit": 0.9}, "looks like an open flush"),
        # regression: one call, and a third of the discards in its suit, was "an open flush"
        ("calls", {"number": 4, "melds": 1, "suit_melds": 1, "one_suit": 0.67}, "1 call in this suit"),
        # regression: a called honor was "called in other suits" or "in this suit"
        ("calls", {"number": 4, "melds": 1}, "1 call of honors"),
        ("calls", {"number": 0, "melds": 2, "suit_melds": 1, "other_melds": 1}, "1 call of honors"),
        ("calls", {"number": 4, "melds": 2, "other_melds": 1}, "called in other suits"),
        ("calls", {"number": 4, "melds": 2, "suit_melds": 2}, "2 calls in this suit"),
        ("calls", {"number": 4, "melds": 2, "suit_melds": 1}, "1 call in this suit"),
        ("melds", {"melds": 2}, "2 calls"),
        ("unseen", {"unseen": 1}, "1 copy unseen"),
        ("wall", walls(3, 0, 4, 4, 4), "no neighbour left for a two-sided wait (no-chance)"),
        ("wall", walls(3, 4, 1, 4, 4), "one neighbour left (one-chance)"),
        # regression: these were no-chance or one-chance, though a two-sided wait was left
        ("wall", walls(2, 4, 4, 0, -1), "a wall on one side"),
        ("wall", walls(5, 0, 3, 4, 4), "a wall on one side"),
        ("wall", walls(5, 0, 3, 4, 1), "one neighbour left (one-chance)"),
        ("wall", walls(5, 0, 3, 0, 4), "no neighbour left for a two-sided wait (no-chance)"),
        ("wall", walls(1, 2, 2, -1, -1), "the neighbours are alive"),
        ("beside", beside(3, 2), "a neighbour discarded 2 turns before"),
        # regression: "0 turns before", and turns before the riichi as if they were turns ago
        ("beside", beside(3, 0), "near the last discard"),
        ("beside", beside(3, 0) | {"riichi": 1}, "near the riichi tile"),
        ("beside", beside(3, 1) | {"riichi": 1}, "a neighbour discarded 1 turn before the riichi"),
        # regression: one call, for which fewer than half of strong players have a flush
        ("calls", {"number": 4, "melds": 1, "suit_melds": 1, "one_suit": 1.0}, "1 call in this suit"),
        ("calls", {"number": 4, "melds": 2, "suit_melds": 1, "one_suit": 1.0}, "looks like an open flush"),
        ("fight", {"pushes": 1, "folds": 4, "other_riichi": 1}, "4 safe discards against another riichi"),
        # regression: 13 safe discards of a player who had made 8 since the first of two riichi
        ("fight", {"folds": 13, "other_riichi": 2}, "mostly safe discards against the others' riichi"),
        ("fight", {"pushes": 3, "other_riichi": 2}, "mostly unsafe discards against the others' riichi"),
        # regression: an unlikely wait without riichi, where more kinds can win, was said to add to the danger
        ("shapes", {"combo_rank": 15}, "a possible wait"),
        ("shapes", {"combo_rank": 15, "riichi": 1}, "an unlikely wait"),
        ("riichi", {"riichi": 1, "riichi_turn": 5}, "riichi on turn 6"),
        # regression: "a late discard" on the third turn
        (
            "last",
            {"turn": 3, "last_distance": 9, "previous_distance": 2},
            "near one of the last two discards from hand",
        ),
    ],
)
def test_words_of_players(group, values, words):
    word, number = word_of(group, row_of(**values))
    assert ENGLISH.text(f"reason.{word}", n=number) == words


@pytest.mark.parametrize(
    ("group", "values", "closed_kans", "words"),
    [
        ("calls", {"melds": 1, "suit_melds": 1, "one_suit": 0.9}, {"melds": 1, "suit_melds": 1}, "no calls"),
        ("melds", {"melds": 1, "dora_melds": 4}, {"melds": 1}, "1 closed kan"),
        ("melds", {"melds": 2}, {"melds": 2}, "2 closed kans"),
        # regression: an opponent with a pon and a closed kan was explained by "2 calls"
        ("melds", {"melds": 2}, {"melds": 1}, "1 call"),
        # regression: such a kan was "2 calls in this suit", "called in other suits" or "2 calls of honors"
        (
            "calls",
            {"number": 4, "melds": 2, "suit_melds": 2},
            {"melds": 1, "suit_melds": 1},
            "1 call in this suit",
        ),
        (
            "calls",
            {"number": 4, "melds": 2, "other_melds": 1},
            {"melds": 1, "other_melds": 1},
            "1 call of honors",
        ),
        ("calls", {"number": 4, "melds": 2}, {"melds": 1}, "1 call of honors"),
        (
            "calls",
            {"number": 4, "melds": 2, "suit_melds": 1},
            {"melds": 1, "suit_melds": 1},
            "1 call of honors",
        ),
    ],
)
def test_closed_kans_are_no_calls(group, values, closed_kans, words):
    word, number = word_of(group, row_of(**values), closed_kans)
    assert ENGLISH.text(f"reason.{word}", n=number) == words
