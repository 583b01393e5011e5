"""What each ending pays, and the round that follows it, against the rules ending by ending."""

import numpy as np
import pytest

from manue.decision.endings import COUNT
from manue.decision.payoffs import ScoreSituation, payoffs_of, payoffs_of_deal_ins
from manue.decision.values import value_of_abort, value_of_win
from manue.game.actions import NineTerminals, Win
from manue.game.events import Discarded, Draw, RoundStart
from manue.game.state import RoundState
from manue.models import placement
from manue.models.placement import PlacementModel, RoundPosition
from manue.tiles import parse_tiles
from tests.models.loaded import shipped
from tests.oracles.payoffs import deal_in, endings_by_rules

HIDDEN = (None,) * 13
SCORES = (31_200, 18_900, 27_400, 22_500)
OPPONENT_POINTS = np.array(
    [
        [[1000, 2600, 7700], [1300, 3900, 8000], [1500, 5200, 12_000]],
        [[1100, 2700, 7900], [1300, 4000, 8100], [1600, 5300, 12_100]],
    ],
    np.float64,
)


@pytest.fixture
def asked(monkeypatch):
    """What the placement model is asked: the scores and next rounds, and whether the game is over then."""
    found = []
    places_at, game_over = PlacementModel.places_at, placement.game_over

    def noting_places(self, scores, index, dealer, honba, last, seats):
        found.append([scores, np.stack([index, dealer, honba], axis=1)])
        return places_at(self, scores, index, dealer, honba, last, seats)

    def noting_ends(scores, stays, position, rules, aborted):
        found[-1].append(np.broadcast_to(aborted, len(scores)))
        return game_over(scores, stays, position, rules, aborted)

    monkeypatch.setattr(PlacementModel, "places_at", noting_places)
    monkeypatch.setattr(placement, "game_over", noting_ends)
    return found


@pytest.mark.parametrize("pays_stick", [False, True])
@pytest.mark.parametrize("dealer", range(4))
def test_every_ending_pays_by_the_rules_and_leads_to_the_next_round(asked, dealer, pays_stick):
    position = RoundPosition(4 + dealer, dealer, honba=2, deposits=2)
    situation = ScoreSituation(1, SCORES, position, OPPONENT_POINTS, pays_stick)
    (payoffs,) = payoffs_of([situation], shipped().placement)
    endings = list(endings_by_rules(situation))
    ((scores, next_rounds, aborted),) = asked
    assert len(endings) == len(payoffs.deltas) == COUNT
    for at, ending in enumerate(endings):
        assert payoffs.deltas[at].tolist() == pytest.approx(ending.changes), at
        assert payoffs.points[at] == pytest.approx(ending.changes[1])
        assert scores[at].tolist() == pytest.approx(np.array(SCORES) + ending.changes)
        assert tuple(next_rounds[at].tolist()) == ending.next_round, at
        assert aborted[at] == (ending.ended == placement.ABORTED)


@pytest.mark.parametrize("dealer", range(4))
def test_dealing_in_with_a_tile_pays_by_the_rules_and_leads_to_the_next_round(asked, dealer):
    position = RoundPosition(4 + dealer, dealer, honba=2, deposits=2)
    situation = ScoreSituation(1, SCORES, position, OPPONENT_POINTS)
    results = payoffs_of_deal_ins(OPPONENT_POINTS, SCORES, position, 1, shipped().placement)
    ((scores, next_rounds, aborted),) = asked
    endings = [
        deal_in(situation, (1 + step) % 4, points)
        for tile in OPPONENT_POINTS.tolist()
        for step, sizes in zip((1, 2, 3), tile, strict=True)
        for points in sizes
    ]
    assert results.shape == (2, 9, 5)
    assert not aborted.any()
    for at, ending in enumerate(endings):
        assert results[at // 9, at % 9, 0] == pytest.approx(ending.changes[1])
        assert scores[at].tolist() == pytest.approx(np.array(SCORES) + ending.changes), at
        assert tuple(next_rounds[at].tolist()) == ending.next_round, at
    places = shipped().placement.places_after(
        np.array(SCORES) + [ending.changes for ending in endings],
        [ending.next_round[1] == dealer for ending in endings],
        position,
        1,
    )
    assert results[..., 1:].reshape(-1, 4) == pytest.approx(places)


def round_of(dealer, hand, *events, number=1, wind="E", scores=SCORES):
    """The state of seat 0 in a round with two honba and two sticks."""
    state = RoundState(0)
    hands = (tuple(parse_tiles(hand)), HIDDEN, HIDDEN, HIDDEN)
    for event in (RoundStart(wind, number, 2, 2, dealer, "N", hands, scores), *events):
        state.apply(event)
    return state


@pytest.mark.parametrize(("dealer", "won", "next_round"), [(0, 2000, (0, 0, 3)), (3, 1300, (4, 0, 0))])
def test_a_win_brings_honba_and_sticks_and_keeps_the_deal_of_a_dealer(asked, dealer, won, next_round):
    """A triplet of white dragons off seat 3: one han of 40 fu."""
    turns = []
    for seat in range(dealer, 4):
        thrown = "P" if seat == 3 else "N"
        turns += [Draw(seat, None if seat else thrown), Discarded(seat, thrown, from_draw=True)]
    state = round_of(dealer, "123m456p678s2255z", *turns, number=dealer + 1)
    valued = value_of_win(state, Win("P", 3), shipped().placement, None)
    points = won + 2 * 300 + 2 * 1000
    assert valued.report.expected_points == valued.value == points
    ((scores, next_rounds, _),) = asked
    assert next_rounds.tolist() == [list(next_round)]
    assert scores.tolist() == [[SCORES[0] + points, *SCORES[1:3], SCORES[3] - won - 600]]


def test_nine_terminals_are_played_again_even_with_a_leading_dealer_in_the_last_round(asked):
    scores = (22_500, 18_900, 16_400, 40_200)
    state = round_of(3, "19m19p19s1234567z", number=4, wind="S", scores=scores)
    for seat, leads in ((0, False), (3, True)):
        state.seat = seat
        valued = value_of_abort(state, NineTerminals(), shipped().placement, None)
        assert asked[-1][1].tolist() == [[7, 3, 3]]
        assert asked[-1][2].tolist() == [True]
        assert (1.0 < valued.report.expected_rank < 1.5) == leads
