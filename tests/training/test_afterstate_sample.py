"""Rows to learn from: every kind of option, with what followed in the round."""

import shutil
from dataclasses import replace

import numpy as np
import pytest

from manue.features.afterstate import AT
from manue.game.actions import Call, Discard, Pass
from manue.game.events import RiichiAccepted, RoundStart, Won
from manue.models.afterstate import AT_FACTS
from manue.records.decisions import recorded_decisions
from manue.records.results import round_results
from manue.training.afterstate_fits import fit_growth, fit_growth_by_kan, fit_silent_points
from manue.training.afterstate_report import Declared, declared_lines, unseen_lines
from manue.training.afterstate_sample import (
    DEAL_IN_LATER,
    DRAWN,
    OTHER_RON,
    OTHER_TSUMO,
    WIN,
    AfterstateSample,
    RatingModels,
    _rows_of_log,
    joined,
)
from manue.training.dataset import is_validation
from manue.training.export import constant_trees
from tests.conftest import events_of, game
from tests.models.loaded import shipped

EVEN = np.ones(2)
"""Silent tenpai hands win what the Monte Carlo draws say."""


def rows_of(log, discards=1.0):
    models = RatingModels(shipped().dangers, shipped().afterstate.win_statistics, shipped().discard_policy)
    return AfterstateSample.of(_rows_of_log(log, 0, discards, models))


@pytest.fixture(scope="module")
def log():
    return game("east-rules")


@pytest.fixture(scope="module")
def rows(log):
    return rows_of(log)


def test_discards_passes_and_kans_are_rows(rows, log):
    made = [one.chosen for one in recorded_decisions(events_of(log))]
    results = round_results(events_of(log))
    dealt_in = sum(result.fatal_discard > 0 for result in results)
    discards = sum(isinstance(chosen, Discard) for chosen in made) - dealt_in
    passes = sum(isinstance(chosen, Pass) for chosen in made)
    kans = sum(isinstance(chosen, Call) and "kan" in chosen.kind for chosen in made)
    assert len(rows.x) == discards + passes + kans
    waits = rows.x[:, AT.draws_before]
    assert (waits == 3).sum() == discards
    assert passes > 10


def test_what_followed_is_consistent(rows):
    assert ((rows.points > 0) == (rows.ending == WIN)).all()
    assert ((rows.paid > 0) == np.isin(rows.ending, (DEAL_IN_LATER, OTHER_TSUMO))).all()
    assert ((rows.winner >= 0) == np.isin(rows.ending, (DEAL_IN_LATER, OTHER_TSUMO, OTHER_RON))).all()
    assert not rows.exhausted[rows.ending != DRAWN].any()
    assert not rows.stick[rows.x[:, AT.open] > 0].any()
    assert rows.points[rows.ending == WIN].min() >= 1000


def test_payments_are_those_of_the_record_without_honba_and_stick(rows, log):
    """The changes that the record names with the win have honba, and no stick of who paid."""
    honba, wins, accepted = [], [], []
    for event in events_of(log):
        match event:
            case RoundStart():
                honba.append(event.honba)
                wins.append(None)
                accepted.append(set())
            case RiichiAccepted(actor=actor):
                accepted[-1].add(actor)
            case Won():
                assert wins[-1] is None  # nobody won together with another
                wins[-1] = event
    with_honba = set()
    for at, (index, seat) in enumerate(zip(rows.group // 4, rows.group % 4, strict=True)):
        win = wins[index]
        of_honba = 100 if win.source == win.actor else 300
        lost = win.deltas[seat] < 0
        assert rows.paid[at] == (-win.deltas[seat] - of_honba * honba[index] if lost else 0)
        assert rows.winner[at] == (-1 if win.actor == seat else (win.actor - seat) % 4 - 1)
        waits = rows.x[at, AT.riichi] == 0 or rows.x[at, AT.declares] > 0
        assert rows.stick[at] == (seat in accepted[index] and waits)
        if lost and honba[index]:
            with_honba.add(of_honba)
    assert with_honba


def test_preference_compares_the_discard_made_with_the_best_by_the_draws(rows):
    """What people prefer to the hand that is best by the draws is above 0; what is that hand is at 0."""
    same = (rows.x == rows.best).all(axis=1)
    assert (rows.preference[same] == 0.0).all()
    waits = rows.x[:, AT.draws_before]
    assert (rows.preference[(waits != 3) | (rows.x[:, AT.riichi] > 0)] == 0.0).all()
    assert (np.abs(rows.preference) <= 6.0).all()
    assert (rows.preference > 0.0).sum() > 30
    assert (rows.preference < 0.0).sum() > 10


def test_a_thinner_sample_is_part_of_the_whole_and_weighs_more(rows, log):
    some = rows_of(log, 0.5)
    assert 0 < len(some.x) < len(rows.x)
    assert set(some.weight) == {1.0, 2.0}
    whole = {row.tobytes() for row in rows.x}
    assert all(row.tobytes() in whole for row in some.x)


def test_rows_of_validation_games_are_thinned_to_the_density_of_others(log, tmp_path):
    """At a density above a half they cannot be twice as dense."""
    held_out = next(tmp_path / f"{i}.mjson.gz" for i in range(99) if is_validation(f"{i}.mjson.gz"))
    shutil.copy(log, held_out)
    for discards, even in ((0.25, 0.5), (0.8, 0.8), (1.0, 1.0)):
        found = rows_of(held_out, discards)
        plain = (found.x[:, AT.draws_before] == 3) & (found.x[:, AT.declares] == 0)
        assert plain.any()
        assert set(found.even[plain]) == {even}
    assert set(rows_of(log, 0.8).even) == {1.0}


def growing_wins(columns, size, kan):
    """Silent hands that win twice their size, in self-draws three times; after a kan half as much again."""
    rng = np.random.default_rng(0)
    opponents = np.zeros((size, 3, len(AT_FACTS)))
    opponents[:, :, AT_FACTS.size] = rng.uniform(2000, 8000, (size, 3))
    drawn = rng.random(size) < 0.5
    winner = rng.integers(0, 3, size)
    worth = opponents[np.arange(size), winner, AT_FACTS.size]
    return AfterstateSample(
        np.zeros((size, columns), np.float32),
        np.zeros((size, columns), np.float32),
        np.zeros(size),
        np.where(drawn, OTHER_TSUMO, DEAL_IN_LATER).astype(np.int8),
        np.zeros(size),
        worth * np.where(drawn, 3.0 / 4.0, 2.0) * np.where(kan, 1.5, 1.0) * rng.uniform(0.8, 1.2, size),
        np.zeros(size, np.bool_),
        np.zeros((size, 4), np.bool_),
        np.zeros(size, np.bool_),
        winner.astype(np.int8),
        opponents,
        np.ones(size),
        np.zeros(size, np.bool_),
        np.arange(size),
        kan,
        np.ones(size),
    )


def test_the_growth_of_hands_is_found(rows):
    trees = fit_growth(growing_wins(rows.x.shape[1], 4_000, np.zeros(4_000, np.bool_)))
    facts = np.zeros((2, len(AT_FACTS) + 1), np.float32)
    facts[:, AT_FACTS.size], facts[1, -1] = 5000, 1
    assert trees.sums(facts) == pytest.approx([2.0, 3.0], rel=0.05)


def test_the_growth_by_a_kan_is_found_and_few_wins_change_little(rows):
    """Own wins of 6,000 points where the trees, which know of no kan, expect 5,000."""
    columns, size = rows.x.shape[1], 4_000
    growth = fit_growth(growing_wins(columns, size, np.zeros(size, np.bool_)))
    trees = {"growth": growth, "win_points": constant_trees(5000.0, 100)}
    kans = growing_wins(columns, size, np.ones(size, np.bool_))
    own = np.arange(size) % 4 == 0
    kans = replace(
        kans,
        ending=np.where(own, WIN, kans.ending).astype(np.int8),
        points=np.where(own, 6000.0, 0.0),
        paid=np.where(own, 0.0, kans.paid),
    )
    found = fit_growth_by_kan(kans, trees, EVEN)
    assert found.growth == pytest.approx((1.2, 1.5), rel=0.03)
    assert (found.own_wins, found.others_wins) == (own.sum(), (~own).sum())
    few = fit_growth_by_kan(kans.part(np.arange(size) < 20), trees, EVEN).growth
    assert 1.0 < few.own < 1.1
    assert 1.0 < few.others < 1.3
    assert fit_growth_by_kan(kans.part(np.zeros(size, np.bool_)), trees, EVEN).growth == (1.0, 1.0)


def test_the_points_of_silent_tenpai_hands_are_found(rows):
    """Closed hands win 1.1 times what the draws say, open ones 0.9 times; others do not count."""
    size, random = 4_000, np.random.default_rng(3)
    wins = growing_wins(rows.x.shape[1], size, np.zeros(size, np.bool_))
    kind = np.arange(size) % 4  # closed, open, in riichi, without a yaku
    x = wins.x.copy()
    x[:, AT.open], x[:, AT.riichi], x[:, AT.ron_tiles] = kind == 1, kind == 2, np.where(kind == 3, 0, 4)
    x[:, AT.mc_win_points] = random.uniform(1_000, 9_000, size)
    factor = np.array([1.1, 0.9, 3.0, 3.0])[kind]
    wins = replace(wins, x=x, ending=np.full(size, WIN, np.int8), points=factor * x[:, AT.mc_win_points])
    found = fit_silent_points(wins)
    assert found.points == pytest.approx([1.1, 0.9], rel=0.01)
    assert found.wins == (1_000, 1_000)
    assert fit_silent_points(wins.part(np.zeros(size, np.bool_))).points.tolist() == [1.0, 1.0]


def test_joined_samples_keep_their_games_apart(rows):
    both = joined((rows, rows))
    first, second = both.game[: len(rows.x)], both.game[len(rows.x) :]
    assert set(first).isdisjoint(second)
    assert (np.diff(first) == np.diff(second)).all()
    assert len(set(rows.group)) > 8


def test_without_a_declared_riichi_its_figures_were_nan_and_0(rows):
    none = rows.part(np.zeros(len(rows.x), np.bool_))
    text = "\n".join(declared_lines({"validation games": Declared.of(none, np.zeros(0))}))
    assert "The mean prediction is -, the observed share -. " in text
    assert "nan" not in text
    assert "0.0000" not in text


def test_hands_are_checked_by_kind_beside_what_exact_predictions_would_show(rows):
    many = joined([rows] * 3)
    share = float((many.ending == WIN).mean())
    lines = list(unseen_lines(many, np.full(len(many.x), share + 0.02)))
    cells = {line.split("|")[1].strip(): line.split("|")[2:-1] for line in lines if line.startswith("| ")}
    every = [cell.strip() for cell in cells["all"]]
    assert every[:4] == [f"{len(many.x):,}", f"{share + 0.02:.4f}", f"{share:.4f}", "+0.0200"]
    assert float(every[4]) == pytest.approx(0.0, abs=1e-4)  # three games that went alike
    assert float(every[6]) == pytest.approx(0.02, abs=1e-4)
    assert float(every[7]) > 0.0
    passed = int((many.x[:, AT.draws_before] < 3).sum())
    assert cells["after a pass or a kan"][0].strip() == f"{passed:,}"
