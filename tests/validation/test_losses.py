"""The distribution that a review rates a player against."""

import pytest

from manue.agents.registry import make_agent
from manue.records.formats import read_game
from manue.records.length import known_length
from manue.review.annotate import annotate
from manue.review.page import page_data
from manue.review.summary import MIN_DECISIONS, summarize
from manue.validation import losses
from manue.validation.losses import SeatLosses, _seat_losses, distribution_of, losses_of_log, losses_table
from tests.conftest import game


def test_quantiles_are_those_of_seats_and_weights_those_of_decisions():
    """Seat k of 0 .. 100 loses k points by each of its decisions; the seat that loses most is first."""
    found = distribution_of([SeatLosses([float(k)] * 20, 1 - k / 100) for k in range(100, -1, -1)], 26)
    assert (found["games"], found["seats"], found["decisions"]) == (26, 101, 2020)
    assert found["lost"] == [float(k) for k in range(101)]
    assert found["agreement"] == [k / 100 for k in range(101)]
    assert found["weights"] == {"inaccuracy": 90, "mistake": 97, "blunder": 99}
    assert "| 95 % | 5.0 | 95.0 % |\n| 75 % | 25.0 | 75.0 % |" in losses_table(found)


def test_a_seat_counts_by_its_mean_and_by_each_of_its_decisions():
    found = distribution_of([SeatLosses([0.0, 30.0], 0.5), SeatLosses([1.0, 2.0, 3.0, 94.0], 0.75)], 1)
    assert (found["lost"][0], found["lost"][50], found["lost"][100]) == (15.0, 20.0, 25.0)
    assert found["decisions"] == 6


def test_every_seat_lost_what_its_review_says(monkeypatch):
    agent = make_agent("manue:mc_draws=10")
    monkeypatch.setattr(losses, "_judge", lambda: agent)
    log = game("east-rules")
    (found,) = losses_of_log(log, None)
    entries, _ = known_length(read_game(log))
    review = summarize(page_data(annotate(entries, agent), source="", title=""), range(4), "manue")
    assert len(found) == 4
    for (lost, agreement), seat in zip(found, review["seats"], strict=True):
        assert len(lost) >= MIN_DECISIONS
        assert sum(lost) == pytest.approx(seat["lost"], abs=0.1)
        assert agreement == seat["agreement"]


AGREED = {"chosen": 0, "played": 0, "options": [{}, {}]}


@pytest.mark.parametrize(("decisions", "found"), [(19, None), (20, ([0.0] * 20, 1.0))])
def test_a_seat_with_too_few_decisions_for_a_rating_is_left_out(decisions, found):
    assert _seat_losses([AGREED] * decisions) == found


def test_a_decision_with_its_loss_unknown_counts_for_the_agreement():
    unknown = {"chosen": 0, "played": 1, "options": [{"kind": "discard"}, {"kind": "riichi", "row": None}]}
    assert _seat_losses([*[AGREED] * 20, *[unknown] * 5]) == ([0.0] * 20, 0.8)
