"""Words for the facts behind a danger."""

import numpy as np
import pytest

from manue.features.danger_columns import ROW_NAMES
from manue.features.kind_columns import NEVER
from manue.features.reasons import AT, GROUPS, by_group, word_of
from manue.language.messages import ENGLISH, values_named


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
            word, number = word_of(group, row)
            met.add(word)
            assert ("n" in values_named(ENGLISH.table[f"reason.{word}"])) <= (number is not None)
    texts = {key.removeprefix("reason.") for key in ENGLISH.table if key.startswith("reason.")}
    assert texts - met == {"safe", "more", "less"}


def row_of(**values):
    row = np.zeros(len(ROW_NAMES), np.float32)
    for name, value in values.items():
        row[getattr(AT, name)] = value
    return row


@pytest.mark.parametrize(
    ("group", "values", "words"),
    [
        ("suji", {"number": 5, "open_sides": 2}, "no-suji 5"),
        ("suji", {"number": 4, "suji": 1}, "half suji"),
        ("suji", {"number": 1, "suji": 2}, "suji"),
        ("calls", {"melds": 3, "one_suit": 0.9}, "an open flush"),
        ("calls", {"melds": 2, "suit_melds": 2}, "2 calls in this suit"),
        ("calls", {"melds": 2, "suit_melds": 1}, "1 call in this suit"),
        ("calls", {"melds": 1, "suit_melds": 1, "one_suit": 0.9, "turn": 5, "since_call": 6}, "no calls"),
        ("melds", {"melds": 1, "dora_melds": 4, "turn": 5, "since_call": 6}, "1 closed kan"),
        ("melds", {"melds": 2, "turn": 5, "since_call": 5}, "2 calls"),
        ("unseen", {"unseen": 1}, "1 copy unseen"),
        ("wall", {"number": 3, "unseen_inner": 0, "unseen_outer": 4}, "a neighbour is all seen (no-chance)"),
        ("riichi", {"riichi": 1, "riichi_turn": 5}, "riichi on turn 6"),
    ],
)
def test_words_of_players(group, values, words):
    word, number = word_of(group, row_of(**values))
    assert ENGLISH.text(f"reason.{word}", n=number) == words
