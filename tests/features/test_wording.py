"""Every range of every feature reads as English, and says what it means."""

import math
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manue.features import danger_columns as c
from manue.features.kind_columns import FAR, KIND_FEATURES, LONG_AGO, NEVER
from manue.features.opponent_columns import OPPONENT_FEATURES
from manue.features.scene import scene_of
from manue.features.wording import Counted, Lead, Measured
from manue.game.events import Draw
from manue.game.state import RoundState
from manue.models.danger import CLASSES, Explainer
from manue.records.archive import read_log
from manue.tiles import dora_of
from tests.models.loaded import MODELS

BEST = "the best other player"
GAME = Path(__file__).parents[2] / "data/games/four-manue.mjson.gz"
WORDS = dict(zip(c.ROW_NAMES, c.ROW_WORDS, strict=True))
VALUES = {
    **dict.fromkeys(c.ROW_NAMES, range(20)),
    **dict.fromkeys(("number", "last_number"), range(6)),
    **dict.fromkeys(("suji", "open_sides", "yakuhai", "riichi"), range(3)),
    **dict.fromkeys(("riichi_suji", "aida_4_ken", "passed", "dealer", "ippatsu"), range(2)),
    **dict.fromkeys(("unseen", "unseen_inner", "unseen_inner_2", "melds", "suit_melds"), range(5)),
    **dict.fromkeys(("other_melds", "tanyao_melds", "triplet_melds"), range(5)),
    **dict.fromkeys(("unseen_outer", "unseen_outer_2"), range(-1, 5)),
    **dict.fromkeys(("riichi_turn", "since_riichi"), range(-1, 20)),
    **{name: [*range(20), NEVER] for name in ("inner_age", "inner_2_age", "outer_age", "outer_2_age")},
    **{name: [-1, *range(20), NEVER] for name in ("inner_suji_age", "outer_suji_age")},
    **{name: [*range(9), FAR] for name in ("last_distance", "previous_distance", "last_call_distance")},
    **{name: [*range(19), LONG_AGO] for name in ("changes_since", "suji_changes_since")},
    **{name: np.linspace(0, 1, 14).tolist() for name in ("combo_share", "suit_share", "one_suit")},
    "score_lead": [-30.5, -8.0, -0.3, 0.0, 0.2, 7.0, 41.1],
    "dora_near": range(4),
    "others_melds": range(13),
    "other_riichi": range(4),
    "round_number": range(16),
    "suji_ruled_out": range(19),
    "safe_kinds": range(35),
    "combo_rank": range(34),
    "combo_total": [0.0, 0.7, 3.25, 19.5, 210.0],
}
"""What a column may hold, by its computation."""


def ranges_of(name):
    """All (low, high) that part the values of a column, with those that hold at each."""
    values = list(VALUES[name])
    cuts = [-math.inf, *((a + b) / 2 for a, b in pairwise(values)), math.inf]
    return {
        (low, high): tuple(value for value in values if low < value <= high)
        for i, low in enumerate(cuts)
        for high in cuts[i + 1 :]
    }


def check_english(phrase):
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 ,.:/%-]*[a-z0-9%]", phrase), phrase
    assert "  " not in phrase
    assert not re.search(r"\b(inf|nan|e\+)", phrase), phrase
    plural = "copies|tiles|melds|discards|turns|hand changes|ways|honors|others|players|waits|fives"
    assert not re.search(rf"\b(at most|at least|^)\s?(1|no) ([\w-]+ )?({plural})\b", phrase), phrase
    singular = "copy|tile|meld|discard|turn|hand change|way|honor|player|two-sided wait"
    assert not re.search(rf"\b([02-9]|\d\d) ((early|safe|unsafe|drawn) )?({singular})\b", phrase), phrase


@pytest.mark.parametrize("feature", c.ROW_FEATURES, ids=c.ROW_NAMES)
def test_every_range_reads_as_english_and_as_no_other(feature):
    phrases = {}
    for (low, high), values in ranges_of(feature.name).items():
        phrase = feature.words.phrase(low, high)
        if len(values) == len(VALUES[feature.name]):
            assert phrase == ""
            continue
        check_english(phrase)
        assert phrases.setdefault(phrase, values) == values
        if feature.honor is not None:
            assert feature.honor.phrase(low, high) == "an honor" or feature.name in {
                "suit_share",
                "suit_melds",
                "other_melds",
            }
            check_english(feature.honor.phrase(low, high))


@pytest.mark.parametrize(
    ("name", "low", "high", "phrase"),
    [
        ("unseen", -math.inf, 2.5, "at most 2 copies unseen"),
        ("unseen", -math.inf, 0.5, "no copy unseen"),
        ("unseen", 0.5, math.inf, "at least 1 copy unseen"),
        ("unseen", 0.5, 2.5, "1 or 2 copies unseen"),
        ("turn", 6.5, 11.5, "turn 7 to 11"),
        ("turn", -math.inf, 8.5, "turn 8 or earlier"),
        ("suji", 0.5, math.inf, "suji or half suji"),
        ("suji", 1.5, math.inf, "suji"),
        ("open_sides", -math.inf, 0.5, "no two-sided wait left"),
        ("dora", 0.5, math.inf, "dora"),
        ("dora_near", 1.5, math.inf, "dora or next to it"),
        ("suit_melds", -math.inf, 0.5, "called nothing in this suit"),
        ("number", -math.inf, 2.5, "honor, 1/9 or 2/8"),
        ("number", 0.5, math.inf, "a number tile"),
        ("passed", 0.5, math.inf, "passed since the hand changed"),
        ("unseen_outer_2", -0.5, math.inf, "a 3 to 7"),
        ("changes_since", 7.5, math.inf, "at least 8 hand changes since anybody discarded it, or nobody did"),
        ("changes_since", 18.0, 19.5, "19 or more hand changes since anybody discarded it"),
        ("last_distance", 8.5, math.inf, "not in the suit of the last discard from hand"),
        ("previous_distance", -math.inf, 3.0, "at most 3 away from the discard from hand before the last"),
        ("riichi_turn", -math.inf, 5.5, "riichi after at most 5 discards, or no riichi"),
        ("suit_share", 0.134, 0.25, "13.4% to 25% of the discards in this suit"),
        ("suit_share", 0.3, math.inf, "over 30% of the discards in this suit"),
        ("round_number", 4.5, math.inf, "South 2 or later"),
        ("round_number", 1.5, 4.5, "East 3 to South 1"),
        ("score_lead", -math.inf, -12.45, "at least 12,500 points behind the best other player"),
        ("score_lead", -6.75, 2.55, f"between 6,700 points behind and 2,500 points ahead of {BEST}"),
        ("score_lead", 7.45, 9.95, "7,500 to 9,900 points ahead of the best other player"),
        ("score_lead", -9.95, -7.45, "7,500 to 9,900 points behind the best other player"),
        ("score_lead", -math.inf, 0.05, "not ahead of the best other player"),
        ("combo_total", 3.25, 7, "3.25 to 7 waiting shapes possible, weighted"),
    ],
)  # fmt: skip
def test_words_by_hand(name, low, high, phrase):
    assert WORDS[name].phrase(low, high) == phrase


@given(low=st.integers(-1, 33), high=st.integers(0, 34))
def test_amounts_are_the_whole_numbers_of_the_range(low, high):
    """Read the phrase back."""
    phrase = WORDS["safe_kinds"].phrase(low + 0.5, high + 0.5)
    held = [value for value in range(35) if low < value <= high]
    if not held or len(held) == 35:
        return
    numbers = [int(number) for number in re.findall(r"\d+", phrase)] or [0]
    first = 0 if phrase.startswith("at most") else numbers[0]
    last = 34 if phrase.startswith("at least") else numbers[-1]
    assert (first, last) == (held[0], held[-1])


@given(threshold=st.floats(-60, 60, width=32), value=st.integers(-600, 600))
def test_a_lead_lies_on_its_side_of_the_threshold(threshold, value):
    """The hundreds of points in the phrase agree with how a row of float32 is compared."""
    phrase = Lead("X").phrase(-math.inf, threshold)
    points = int(re.sub(r"\D", "", phrase) or 0) // 100
    most = -points if phrase.startswith("at least") else points
    assert (np.float32(value / 10) <= threshold) == (value <= most)


def test_wordings_that_share_a_range_differ():
    texts = [
        feature.words.text for feature in c.ROW_FEATURES if isinstance(feature.words, Counted | Measured)
    ]
    texts = [text for text in texts if text]
    assert len(set(texts)) == len(texts)
    assert c.ROW_FEATURES == KIND_FEATURES + OPPONENT_FEATURES


@pytest.mark.parametrize("name", CLASSES)
def test_every_path_of_the_trees_in_use_reads_as_english(name):
    tree = MODELS.dangers.kinds.readable[name]
    rng = np.random.default_rng(5)
    for _ in range(200):
        row = np.array([rng.choice(VALUES[column]) for column in c.ROW_NAMES], np.float32)
        for words in (c.ROW_WORDS, c.HONOR_WORDS):
            phrases = tree.describe(row, words)
            assert phrases
            assert len(set(phrases)) == len(phrases)
            for phrase in phrases:
                check_english(phrase)


def test_reasons_hold_for_the_decision_they_explain():
    """What is plain to see on the table agrees with the words, over the decisions of a game."""
    checked = dict.fromkeys(("unseen", "turn", "dora", "wall", "dealer"), 0)
    for state, seat, kind, reasons in explained(GAME):
        opponent = state.players[seat]
        doras = [dora_of(tile) for tile in state.dora_indicators]
        for phrase in reasons:
            if found := re.fullmatch(r"(at most|at least) (\d) (copy|copies) unseen", phrase):
                assert within(found, 4 - state.visible[kind])
                checked["unseen"] += 1
            if found := re.fullmatch(r"turn (\d+) or (earlier|later)", phrase):
                turn = len(opponent.river)
                assert turn <= int(found[1]) if found[2] == "earlier" else turn >= int(found[1])
                checked["turn"] += 1
            if phrase in {"dora", "not dora"}:
                assert (kind in doras) == (phrase == "dora")
                checked["dora"] += 1
            if found := re.fullmatch(r"(at most|at least) (\d+) tiles? left in the wall", phrase):
                assert within(found, state.tiles_left)
                checked["wall"] += 1
            if phrase in {"the dealer", "not the dealer"}:
                assert (seat == state.dealer) == (phrase == "the dealer")
                checked["dealer"] += 1
            assert (phrase == "an honor") <= (kind >= 27)
    assert sum(count > 0 for count in checked.values()) >= 3


def within(found, value):
    return value <= int(found[2]) if found[1] == "at most" else value >= int(found[2])


def explained(path):
    """Yield (state, seat, kind, reasons) for the hand of seat 0 at each of its draws."""
    state = RoundState(0)
    for entry in read_log(path):
        if entry.event is None:
            continue
        state.apply(entry.event)
        if not isinstance(entry.event, Draw) or entry.event.actor != 0:
            continue
        scene = scene_of(state)
        explainer = Explainer.of(MODELS.dangers, scene, 0, MODELS.dangers.read(scene, 0))
        for seat in (1, 2, 3):
            for kind in np.flatnonzero(state.counts).tolist():
                if not state.players[seat].safe[kind]:
                    yield state, seat, kind, explainer.explain(seat, kind).reasons
