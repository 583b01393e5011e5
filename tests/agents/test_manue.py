"""The player: a pure function of the position, with a number for every option."""

import numpy as np
import pytest

from manue.agents.manue import WIN_MARGIN, Manue, _rank
from manue.agents.registry import make_agent
from manue.decision.afterstates import afterstates_of
from manue.decision.branches import branches_of, one_per_kind
from manue.decision.evaluation import evaluate_options, expected_values
from manue.decision.report import Report
from manue.decision.settings import FIRST, Settings, position_seed
from manue.decision.values import ValuedOption
from manue.errors import UsageError
from manue.features.afterstate import AT
from manue.features.wait_discard_rates import CLASSES
from manue.game.actions import Call, Discard, Pass, Riichi, Win
from manue.game.events import Discarded, Draw, RiichiAccepted, RiichiDeclared, RoundStart
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.game.win import score_of_win, scores_of_win
from manue.models.model_set import Models
from manue.tiles import KIND_OF, KINDS, parse_tiles

HIDDEN = (None,) * 13


def state_of(hand, *events, indicator="1m", seat=0):
    hands = tuple(tuple(parse_tiles(hand)) if i == seat else HIDDEN for i in range(4))
    state = RoundState(seat)
    state.apply(RoundStart("E", 1, 0, 0, 0, indicator, hands, (25_000,) * 4))
    for event in events:
        state.apply(event)
    return state


def decide(state, agent=None):
    return (agent or Manue(FIRST)).decide(state, legal_actions(state))


def test_every_discard_has_a_report_with_all_classic_numbers():
    state = state_of("123m406p789s1155z", Draw(0, "9m"))
    decision = decide(state)
    kinds = {action.tile[:2] for action in legal_actions(state) if isinstance(action, Discard)}
    silent = [report.action for report in decision.reports if isinstance(report.action, Discard)]
    assert {action.tile[:2] for action in silent} == kinds
    for report in decision.reports:
        assert 0 <= report.win_prob <= 1
        assert 0 <= report.deal_in_prob <= 1
        expected = (1 - report.deal_in_prob) * report.win_prob * report.win_points
        expected -= report.deal_in_prob * report.deal_in_points
        assert report.expected_points == pytest.approx(expected)
    values = [report.expected_points for report in decision.reports]
    assert values == sorted(values, reverse=True)


def test_the_same_position_gives_the_same_numbers_in_any_order():
    states = [state_of("1234m56p789s1155z", Draw(0, tile)) for tile in ("9m", "2s")]
    agent = Manue(FIRST)
    first = [decide(state, agent).reports for state in states]
    second = [decide(state, Manue(FIRST)).reports for state in reversed(states)][::-1]
    assert first == second


def test_another_seed_gives_other_draws():
    state = state_of("1234m56p789s1155z", Draw(0, "9m"))
    assert decide(state).reports != decide(state, Manue(Settings(policy="points-classic", seed=7))).reports


def test_the_discard_of_a_riichi_is_worth_what_the_riichi_was():
    """Regression: once declared, the stick was left out, and a draw seemed worth 1000 points more."""
    state = state_of("234m567p2256s11z7s", Draw(0, "P"))
    agent = Manue(Settings(details=True))
    declared = {report.discard: report for report in decide(state, agent).reports if report.discard}
    state.apply(RiichiDeclared(0))
    discards = decide(state, agent).reports
    assert len(discards) == len(declared) > 0
    for report in discards:
        before = declared[report.action]
        for name in ("expected_points", "expected_rank", "win_prob", "draw_prob", "draw_points"):
            assert getattr(report, name) == pytest.approx(getattr(before, name)), name
        assert report.details.outcome == before.details.outcome
        assert report.details.targets == before.details.targets
        assert "double riichi" in report.details.targets[0].yaku


def test_a_double_riichi_counts_its_second_han():
    """Regression: its hands were worth those of a riichi."""
    later = [Draw(0, "W"), Discarded(0, "W", from_draw=True)]
    for seat in (1, 2, 3):
        later += [Draw(seat, None), Discarded(seat, "W", from_draw=True)]
    points = []
    for turns in ([], later):
        state = state_of("234m567p2256s11z7s", *turns, Draw(0, "P"), indicator="9m")
        reports = decide(state, Manue(Settings(details=True))).reports
        riichi = next(report for report in reports if report.action == Riichi())
        points.append({hand.tiles: hand.points for hand in riichi.details.targets})
        assert riichi.win_points == pytest.approx(np.mean([*points[-1].values()]), rel=0.3)
    double, single = points
    assert double.keys() == single.keys()
    assert len(double) == 2
    for tiles, most in double.items():
        assert 1.2 * single[tiles] < most < 2.0 * single[tiles]
    state = state_of("234m567p2256s11z7s", Draw(0, "P"), indicator="9m")
    state.apply(RiichiDeclared(0))
    declared = decide(state, Manue(Settings(details=True))).reports[0]
    assert {hand.tiles: hand.points for hand in declared.details.targets} == double


def test_of_equal_values_a_red_five_is_kept_and_then_the_safer_tile_goes():
    def option(tile, value, danger):
        return ValuedOption(value, Report(Discard(tile), deal_in_prob=danger))

    def riichi(tile):
        return ValuedOption(100.0, Report(Riichi(), Discard(tile), deal_in_prob=0.0))

    best_first = [
        option("5sr", 100.1, 0.9),
        riichi("1m"),
        option("9p", 100.0 + 1e-9, 0.01),
        option("8p", 100.0, 0.02),
        riichi("5pr"),
        option("5mr", 100.0, 0.01),
        option("1s", 99.9, 0.0),
    ]
    shuffled = [best_first[at] for at in (3, 0, 6, 2, 5, 1, 4)]
    assert sorted(shuffled, key=_rank, reverse=True) == best_first


@pytest.mark.parametrize(
    ("seconds", "mc_draws", "extra"), [(1.0, 1000, 1), (0.25, 1000, 1), (0.125, 500, 0), (0, 100, 0)]
)
def test_in_a_hurry_fewer_draws_look_for_the_nearest_hands_alone(monkeypatch, seconds, mc_draws, extra):
    asked = []

    def noting(state, actions, seed, settings, models):
        asked.append(settings)
        return evaluate_options(state, actions, seed, settings, models)

    monkeypatch.setattr("manue.agents.manue.evaluate_options", noting)
    state = state_of("1234m56p789s1155z", Draw(0, "9m"))
    Manue(Settings(mc_draws=1000, extra=1)).decide_within(state, legal_actions(state), seconds)
    assert [(settings.mc_draws, settings.extra) for settings in asked] == [(mc_draws, extra)]


@pytest.mark.parametrize("seconds", [1.0, 0.0])
def test_a_complete_hand_may_win_on_the_very_tile_that_it_discards(seconds):
    """Regression: drawing the discarded tile again was no win, and in a hurry nothing was."""
    state = state_of("234m567p2256s111z", Draw(0, "7s"))
    decision = Manue(Settings(details=True)).decide_within(state, legal_actions(state), seconds)
    assert isinstance(decision.action, Win)
    drawn = Discard("7s", from_draw=True)
    riichi, silent = (
        next(report for report in decision.reports if drawn in choice(report))
        for choice in (lambda report: (report.discard,), lambda report: (report.action,))
    )
    tanki = next(report for report in decision.reports if report.discard == Discard("2s"))
    assert tanki.win_prob > 0.15
    for report in (riichi, silent):
        assert report.win_prob > 0.4
    if seconds:
        lasts = [set(hand.tiles) - set(state.hand[:-1]) for hand in riichi.details.targets]
        assert {"7s"} in lasts
        assert {"4s"} in lasts


def test_nobody_folds_in_riichi():
    """Regression: what folding would cost was reported there, too."""
    state = state_of("234m567p2256s11z7s", Draw(0, "P"))
    assert decide(state).fold is not None
    state.apply(RiichiDeclared(0))
    assert decide(state).fold is None


def test_a_win_is_taken():
    state = state_of("123m456p789s1155z", Draw(0, "E"))
    assert decide(state).action == Win("E", 0)


def test_a_win_is_reported_with_what_it_brings():
    """The dealer's first draw completes the hand: everybody pays 16 000."""
    state = state_of("123m456p789s1155z", Draw(0, "E"))
    report = decide(state, Manue(Settings())).reports[0]
    assert isinstance(report.action, Win)
    assert report.expected_points == report.win_points == 3 * 16_000
    assert report.win_prob == 1.0
    assert 1.0 < report.expected_rank < 2.0


@pytest.mark.parametrize("policy", ["placement", "points"])
@pytest.mark.parametrize("own", [5_000, 25_000])
def test_a_win_that_seals_the_last_place_is_declined(own, policy):
    """With 5000 points a win of about 2600 overtakes nobody, and nothing is worse than ending last."""
    state = RoundState(0)
    hands = (tuple(parse_tiles("123m456p678s5522z")), HIDDEN, HIDDEN, HIDDEN)
    rest = (100_000 - own) // 3
    scores = (own, rest, rest, 100_000 - own - 2 * rest)
    for event in (
        RoundStart("S", 4, 0, 0, 3, "1m", hands, scores),
        Draw(3, None),
        Discarded(3, "S", from_draw=True),
    ):
        state.apply(event)
    decision = Manue(Settings(policy=policy)).decide(state, legal_actions(state))
    wins = [isinstance(report.action, Win) for report in decision.reports]
    if own == 5_000 and policy == "placement":
        assert wins == [False] * (len(wins) - 1) + [True]
        assert decision.reports[-1].expected_rank == 4.0
        assert "last place" in decision.reports[0].note
    else:
        assert wins[0]


@pytest.mark.parametrize("policy", ["placement", "points"])
def test_passing_on_a_win_was_judged_by_points_alone(policy):
    """Where places count evenly, what options are worth goes by their mean place; the win's did not count."""
    state = state_of("123m456p678s5522z", Draw(0, "S"))
    settings = Settings(policy=policy, uma="club", discard_policy=0, call_policy=0)
    decision = Manue(settings).decide(state, legal_actions(state))
    win, *others = zip(decision.reports, decision.worths, strict=True)
    assert isinstance(win[0].action, Win)
    figure = "expected_rank" if policy == "placement" else "expected_points"
    slopes = [
        (win[1].value - worth.value) / (getattr(win[0], figure) - getattr(report, figure))
        for report, worth in others
    ]
    assert slopes == pytest.approx([slopes[0]] * len(others))
    assert slopes[0] < 0 if policy == "placement" else slopes[0] == pytest.approx(1.0)


@pytest.mark.parametrize(
    "settings", [Settings(), Settings(details=True), FIRST], ids=["", "details", "first"]
)
def test_a_win_that_is_all_there_is_was_a_traceback(settings):
    """A host may allow nothing else, and the win may end the game in last place."""
    state = RoundState(0)
    hands = (tuple(parse_tiles("123m456p678s5522z")), HIDDEN, HIDDEN, HIDDEN)
    start = RoundStart("S", 4, 0, 0, 3, "1m", hands, (5_000, 31_600, 31_600, 31_800))
    for event in (start, Draw(3, None), Discarded(3, "S", from_draw=True)):
        state.apply(event)
    decision = Manue(settings).decide(state, (Win("S", 3),))
    assert [report.action for report in decision.reports] == [decision.action] == [Win("S", 3)]


def last_round_in_riichi(scores):
    """South 4, in riichi on 2-5-8 of pinzu, and one of them is discarded: 7700 points without ura-dora."""
    state = RoundState(0)
    hands = (tuple(parse_tiles("234m345p34567s88s")), HIDDEN, HIDDEN, HIDDEN)
    events = [
        RoundStart("S", 4, 0, 0, 3, "N", hands, scores),
        Draw(3, None),
        Discarded(3, "W", from_draw=True),
    ]
    events += [Draw(0, "W"), RiichiDeclared(0), Discarded(0, "W", from_draw=True), RiichiAccepted(0)]
    for seat in (1, 2, 3):
        events += [Draw(seat, None), Discarded(seat, "N", from_draw=True)]
    events += [
        Draw(0, "E"),
        Discarded(0, "E", from_draw=True),
        Draw(1, None),
        Discarded(1, "8s", from_draw=True),
    ]
    for event in events:
        state.apply(event)
    return state


def test_a_riichi_win_that_ura_dora_may_lift_off_the_last_place_is_taken():
    """Regression: ura-dora were left out, and the win was declined as one that seals the last place."""
    state = last_round_in_riichi((11_800, 36_000, 32_600, 19_600))
    decision = Manue(Settings(decline_wins=False)).decide(state, legal_actions(state))
    assert isinstance(decision.action, Win)
    assert 3.0 < decision.reports[0].expected_rank < 4.0
    far = last_round_in_riichi((1_800, 36_000, 33_000, 29_200))
    assert Manue(Settings()).decide(far, legal_actions(far)).action == Pass()


@pytest.mark.parametrize("policy", ["placement", "points"])
def test_a_win_is_left_where_something_else_is_worth_far_more(policy):
    """A third of the ura-dora lift the win off the last place; a self-draw, two in three, always does."""
    state = last_round_in_riichi((11_800, 36_000, 32_600, 19_600))
    decision = Manue(Settings(policy=policy)).decide(state, legal_actions(state))
    first, last = decision.worths[0], decision.worths[-1]
    if policy == "points":
        assert isinstance(decision.action, Win)
        return
    assert decision.action == Pass()
    assert decision.reports[0].note == "it is worth more than the win"
    assert first.value - last.value >= WIN_MARGIN
    close = last_round_in_riichi((25_000, 30_000, 25_000, 20_000))
    assert isinstance(Manue(Settings()).decide(close, legal_actions(close)).action, Win)


def test_the_chances_of_ura_dora_are_those_of_all_indicators():
    state = last_round_in_riichi((11_800, 36_000, 32_600, 19_600))
    found = list(scores_of_win(state, "8s", 1))
    assert sum(chance for chance, _ in found) == pytest.approx(1.0)
    left = {kind: 4 - int(count) for kind, count in zip(KINDS, state.visible, strict=True)}
    slow = sum(
        copies * score_of_win(state, "8s", 1, ura_indicators=(kind,)).total for kind, copies in left.items()
    )
    fast = sum(chance * score.total for chance, score in found)
    assert fast == pytest.approx(slow / sum(left.values()))


def test_who_passes_on_a_win_in_riichi_wins_by_self_draw_alone():
    """Regression: the pass was valued as if the hand could still win by ron."""
    state = last_round_in_riichi((11_800, 36_000, 32_600, 19_600))
    found = expected_values(state, (Pass(),), 0, Settings(), Models.load())
    state.apply(Draw(2, None))
    assert state.furiten
    (afterwards,) = branches_of(state, (Pass(),))
    rows = afterstates_of(found.scene, found.options, found.danger, 0, np.full(CLASSES, 0.5)).rows
    assert afterwards.missed is None
    assert (rows[0, AT.furiten], rows[0, AT.ron_share]) == (1, 0)
    assert found.options[0].ways[1].sum() == 0.0


def test_a_riichi_in_furiten_wins_by_self_draw_alone():
    """Regression: half of its wins were by ron, without the han of a self-draw."""
    ways, points = [], []
    for passed in ("3s", "E"):
        turns = [Draw(0, passed), Discarded(0, passed, from_draw=True)]
        for seat in (1, 2, 3):
            turns += [Draw(seat, None), Discarded(seat, "W", from_draw=True)]
        state = state_of("123m456p789p4588s", *turns, Draw(0, "P"), indicator="9s")
        found = expected_values(state, legal_actions(state), 0, Settings(), Models.load())
        riichi, silent = (
            next(
                option
                for option in found.options
                if option.kind == KIND_OF["P"] and option.riichi == declared
            )
            for declared in (True, False)
        )
        assert silent.ways[1].sum() > 0.0
        ways.append(riichi.ways.sum(axis=1))
        points.append(riichi.mc_win_points)
    assert ways[0] == pytest.approx([1.0, 0.0])
    assert 0.0 < ways[1][0] < 1.0
    assert points[0] > 1.1 * points[1]


def test_the_discard_after_a_riichi_is_the_one_that_was_planned():
    state = state_of("123m456p2378s22z1z", Draw(0, "4s"))
    decision = decide(state)
    assert decision.action == Riichi()
    planned = decision.reports[0].discard
    seed = position_seed(state, 0)
    state.apply(RiichiDeclared(0))
    assert position_seed(state, 0) == seed
    assert decide(state).action == planned


def test_a_yakuhai_pon_is_compared_with_passing():
    state = state_of("234m456p78s5577z1m", Draw(0, "9p"), Discarded(0, "9p", from_draw=True), Draw(1, None))
    state.apply(Discarded(1, "P", from_draw=False))
    decision = decide(state)
    kinds = {type(report.action) for report in decision.reports}
    assert kinds == {Pass, Call}
    pons = [report for report in decision.reports if isinstance(report.action, Call)]
    assert all(report.discard is not None for report in pons)


def test_after_a_call_the_forbidden_swaps_are_not_options():
    state = state_of("2345m456p78s5577z", Draw(0, "9p"), Discarded(0, "9p", from_draw=True), Draw(1, None))
    for seat in (1, 2):
        state.apply(Discarded(seat, "N", from_draw=False))
        state.apply(Draw(seat + 1, None))
    state.apply(Discarded(3, "1m", from_draw=False))
    branches = branches_of(state, legal_actions(state))
    calls = {branch.action.consumed: branch for branch in branches if branch.discards}
    discards = {discard.tile for discard in calls["2m", "3m"].discards}
    assert "4m" not in discards
    assert "5m" in discards


def test_a_red_five_is_kept_while_a_plain_one_can_go():
    discards = [Discard("5mr"), Discard("5m"), Discard("5m", from_draw=True), Discard("5pr")]
    assert one_per_kind(discards) == (Discard("5m", from_draw=True), Discard("5pr"))


def test_after_a_kan_a_draw_follows():
    state = state_of("1111m456p78s5577z", Draw(0, "9p"), indicator="9s")
    branches = branches_of(state, legal_actions(state))
    kans = [branch for branch in branches if branch.action is not None]
    assert len(kans) == 1
    assert kans[0].discards == ()
    assert len(kans[0].tiles) == 10
    assert kans[0].own_draws == 1 + (state.tiles_left - 1) // 4


@pytest.mark.parametrize(
    "spec",
    ["manue:mc_draws=0", "manue:policy=x", "manue:uma=x", "manue:extra=9", "manue:x=1", "manue:mc_draws=a"],
)
def test_settings_out_of_range_are_refused(spec):
    with pytest.raises(UsageError):
        make_agent(spec)


def test_the_first_version_stays_selectable():
    agent = make_agent("manue@first:mc_draws=100")
    assert (agent.name, agent.settings.policy, agent.settings.mc_draws) == (
        "manue@first",
        "points-classic",
        100,
    )


def test_more_monte_carlo_draws_give_the_same_with_smaller_errors():
    state = state_of("1234m56p789s1155z", Draw(0, "9m"))
    few, many = (
        decide(state, Manue(Settings(policy="points-classic", mc_draws=mc_draws)))
        for mc_draws in (500, 20_000)
    )
    by_action = {report.action: report for report in many.reports}
    gaps = [
        (report.win_prob - by_action[report.action].win_prob) / max(report.win_prob_error, 1e-3)
        for report in few.reports
    ]
    assert np.abs(gaps).max() < 5
    assert all(report.win_prob_error < 0.004 for report in many.reports)


def test_short_of_time_it_makes_fewer_monte_carlo_draws():
    state = state_of("1234m56p789s1155z", Draw(0, "9m"))
    agent, actions = Manue(FIRST), legal_actions(state)
    assert agent.decide_within(state, actions, 10.0).mc_draws == 1000
    assert agent.decide_within(state, actions, 0.05).mc_draws == 200
    assert agent.decide_within(state, actions, 0.0).mc_draws == 100
    assert agent.decide_within(state, actions, 0.0).action in actions
