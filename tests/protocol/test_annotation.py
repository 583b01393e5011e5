import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manue.agents.base import Decision
from manue.decision.report import Details, Reason, Report, WinningHand, Worth
from manue.errors import ProtocolError
from manue.game.actions import Call, Discard, NineTerminals, Pass, Riichi, Win
from manue.models.fold import Fold
from manue.protocol.annotation import (
    COLUMNS,
    annotation_of,
    decision_table,
    decision_to_meta,
    decisions_of,
    meta_to_decision,
)

DECISION = Decision(
    action=Riichi(),
    reports=(
        Report(
            Riichi(),
            Discard("3m"),
            expected_points=1234.56,
            expected_rank=2.1,
            win_prob=0.4567891,
            win_points=7700.0,
            deal_in_prob=0.05,
            deal_in_points=5200.0,
            draw_prob=0.1,
            draw_points=-300.0,
            others_win_prob=0.2,
            shanten=0,
            ukeire_kinds=2,
            ukeire_count=6,
            win_prob_error=0.01,
            win_points_error=55.0,
        ),
        Report(Discard("5mr", from_draw=True), expected_points=-80.25, shanten=1, note="keeps the dora"),
    ),
    tenpai_probs=(None, 0.1, 0.98, 0.0),
    mc_draws=1000,
    seed=7,
    elapsed_ms=12.345,
)
ORDER = (
    "action expPt avgRank horaProb avgHoraPt unsafeProb avgHojuPt ryukyokuProb ryukyokuAvgPt otherHoraProb"
    " shanten ukeire"
)


def test_the_data_have_the_published_names_in_their_order():
    data = decision_to_meta(DECISION, 0)["manue"]
    assert list(data["candidates"][0])[:12] == ORDER.split()
    assert data["candidates"][0]["ukeire"] == [2, 6]
    assert {"tenpaiProbs", "trials", "seed", "elapsed_ms"} <= set(data)


def test_the_table_is_aligned_and_drops_empty_columns():
    header, riichi, discard, foot = decision_table(DECISION).split("\n")
    assert header.split() == [*ORDER.split(), "note"]
    assert riichi.split() == "riichi 3m 1235 2.100 0.457 7700 0.050 5200 0.100 -300 0.200 0 2/6".split()
    assert discard.startswith("5mr drawn    -80        -         -")
    assert discard.endswith("        1       -  keeps the dora")
    assert foot == "chosen riichi; tenpaiProbs - 0.100 0.980 0.000; Monte Carlo draws 1000, seed 7; 12.3 ms"
    ends = [riichi.index(cell) + len(cell) for cell in ("1235", "2.100", "0.457", "7700")]
    assert ends == [header.index(name) + len(name) for name in ORDER.split()[1:5]]
    plain = Decision(Discard("E"), (Report(Discard("E"), shanten=3, ukeire_kinds=4, ukeire_count=15),))
    assert decision_table(plain) == "action  shanten  ukeire\nE             3    4/15\nchosen E; 0.0 ms"


@pytest.mark.parametrize(
    ("action", "discard", "text"),
    [
        (Pass(), None, "pass"),
        (Riichi(), Discard("1m", from_draw=True), "riichi 1m drawn"),
        (Call("pon", ("5pr", "5p"), "5p", 0), Discard("1m"), "pon 5pr 5p + 5p, 1m"),
        (Call("ankan", ("E",) * 4), None, "ankan E E E E"),
        (Win("3s", 1), None, "win 3s"),
        (NineTerminals(), None, "nine terminals"),
    ],
)
def test_options_are_printed_in_a_few_words(action, discard, text):
    report = Report(action, discard)
    assert report.label == text
    assert Decision(action, (report,)).label == text
    assert Decision(action).label == action.label


TILES = st.sampled_from("1m 5m 5mr 9s E C".split())
DISCARDS = st.builds(Discard, TILES, st.booleans())
ACTIONS = st.one_of(
    DISCARDS,
    st.just(Pass()),
    st.just(Riichi()),
    st.just(NineTerminals()),
    st.builds(Win, TILES, st.integers(0, 3)),
    st.builds(lambda a, b, s: Call("pon", (a, a), b, s), TILES, TILES, st.integers(0, 3)),
    st.builds(lambda a: Call("ankan", (a,) * 4), TILES),
    st.builds(lambda a, b: Call("kakan", (a,) * 3, b), TILES, TILES),
)
NUMBERS = st.none() | st.floats(-50_000, 50_000)
WHOLE = st.none() | st.integers(0, 120)


SHARES = st.integers(0, 1000).map(lambda n: n / 1000)
WORDS = st.lists(st.text(max_size=5), max_size=3).map(tuple)
REASONS = st.builds(
    Reason,
    WORDS,
    st.none() | SHARES,
    st.none() | st.integers(0, 10**6),
    st.none() | SHARES,
    st.lists(st.tuples(st.text(max_size=5), st.none() | st.integers(0, 18), SHARES), max_size=3).map(tuple),
)
HANDS = st.builds(
    WinningHand,
    st.lists(TILES, max_size=3).map(tuple),
    st.none() | SHARES,
    st.none() | st.integers(0, 48_000).map(float),
    WORDS,
)
DETAILS = st.builds(
    Details,
    st.just(()) | st.tuples(*[st.none() | REASONS] * 4),
    st.lists(HANDS, max_size=2).map(tuple),
    st.lists(st.tuples(st.integers(-48_000, 48_000).map(float), SHARES), max_size=3).map(tuple),
    st.lists(TILES, max_size=3).map(tuple),
)


@st.composite
def reports(draw):
    numbers = {c.name: draw(NUMBERS) for c in COLUMNS if c.name != "shanten"}
    ukeire = draw(st.none() | st.tuples(st.integers(0, 34), st.integers(0, 130))) or (None, None)
    return Report(
        draw(ACTIONS),
        draw(st.none() | DISCARDS),
        **numbers,
        shanten=draw(WHOLE),
        ukeire_kinds=ukeire[0],
        ukeire_count=ukeire[1],
        note=draw(st.text(max_size=5)),
        details=draw(st.none() | DETAILS),
    )


WORTHS = st.none() | st.builds(Worth, st.integers(-9999, 9999), st.integers(-99, 99))


@given(st.lists(st.tuples(reports(), WORTHS), max_size=3))
def test_what_decided_survives_the_way_to_data_and_back(options):
    worths = tuple(worth for _, worth in options)
    decision = Decision(Pass(), tuple(report for report, _ in options), worths=worths)
    read = decisions_of(annotation_of({1: decision})[1])[1]
    assert read.worths == (worths if any(worths) else ())


@given(ACTIONS, st.lists(reports(), max_size=3), st.integers(0, 3), st.integers(0, 2**63))
def test_decisions_survive_the_way_to_data_and_back(action, options, seat, seed):
    decision = Decision(action, tuple(options), (None, 0.5, 1.0, 0.25), 1000, seed, 1.5, Fold(0.125, 5200.0))
    logs, meta = annotation_of({seat: decision})
    read = decisions_of(json.loads(json.dumps(meta)))
    assert list(read) == [seat]
    assert [log is None for log in logs] == [other != seat for other in range(4)]
    again = decision_to_meta(read[seat], seat)
    assert again == meta[seat]
    assert read[seat].action == action
    assert read[seat].fold == decision.fold
    assert [(r.action, r.discard, r.note, r.shanten, r.details) for r in read[seat].reports] == [
        (r.action, r.discard, r.note, r.shanten, r.details) for r in options
    ]
    for ours, theirs in zip(options, read[seat].reports, strict=True):
        for column in COLUMNS:
            value = getattr(ours, column.name)
            assert getattr(theirs, column.name) == (
                None if value is None else pytest.approx(value, abs=1 / column.scale)
            )


def test_foreign_and_missing_annotations_are_no_decisions():
    assert meta_to_decision(None) is None
    assert meta_to_decision({"q_values": [1, 2]}) is None
    assert decisions_of({"mask_bits": 0}) == {}
    assert decisions_of([None, {"mask_bits": 0}]) == {}


@pytest.mark.parametrize(
    "change",
    [
        {"chosen": {"type": "dahai"}},
        {"chosen": None},
        {"candidates": [{"moves": []}]},
        {"candidates": 3},
        {"trials": "many"},
        {"tenpaiProbs": [True]},
        {"fold": {}},
        {"fold": {"unsafeProb": None, "avgHojuPt": 1}},
        {"candidates": [{"moves": [{"type": "none"}], "goals": [{"tiles": ["10m"]}]}]},
        {"candidates": [{"moves": [{"type": "none"}], "explain": [{"path": [], "prob": 2}]}]},
        {"candidates": [{"moves": [{"type": "none"}], "outcome": [[0, float("nan")]]}]},
        {"candidates": [{"moves": [{"type": "none"}], "useful": 3}]},
        {"candidates": [{"moves": [{"type": "none"}, {"type": "none"}]}]},
        {"danger": [{}, {}, {}]},
        {"danger": [{"1m": 1.1}, {}, {}, {}]},
        {"danger": [{"1m": None}, {}, {}, {}]},
        {"danger": [{"5mr": 0.1}, {}, {}, {}]},
        {"seed": 1 << 64},
        {"trials": -(1 << 64)},
        {"trials": 1.5},
    ],
)
def test_damaged_annotations_are_a_clear_error(change):
    data = decision_to_meta(DECISION, 0)["manue"] | change
    with pytest.raises(ProtocolError):
        meta_to_decision({"manue": data})
    with pytest.raises(ProtocolError, match="damaged"):
        meta_to_decision({"manue": []})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"trials": "many"}, "'many' is not a whole number"),
        ({"chosen": {"type": "dahai"}}, "incomplete 'dahai'"),
        ({"candidates": [{"moves": [{"type": "none"}], "useful": 3}]}, "useful: Input should be a valid"),
    ],
)
def test_a_damaged_annotation_was_described_as_python_prints_errors(change, words):
    data = decision_to_meta(DECISION, 0)["manue"] | change
    with pytest.raises(ProtocolError, match=f"^damaged annotation: {words}"):
        meta_to_decision({"manue": data})


def test_a_damaged_annotation_names_the_field_that_is_missing():
    data = decision_to_meta(DECISION, 0)["manue"]
    del data["seed"]
    with pytest.raises(ProtocolError, match="damaged annotation: no field 'seed'"):
        meta_to_decision({"manue": data})


def test_what_is_not_finite_is_left_out():
    odd = replace(DECISION.reports[0], expected_points=float("nan"), win_points=float("inf"))
    data = decision_to_meta(replace(DECISION, reports=(odd,)), 0)
    assert data["manue"]["candidates"][0].get("expPt") is None
    assert json.loads(json.dumps(data, allow_nan=False)) == data
