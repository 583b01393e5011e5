"""Positions with kans: the state is that of the recorded moment described, and what cannot be is refused."""

import re
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import manue
from manue.errors import PositionError
from manue.game.actions import Call, Win
from manue.game.consistency import problems
from manue.game.events import Called, DoraRevealed, Draw
from manue.game.legal import legal_actions
from manue.game.position import Position
from manue.game.view import LIVE_WALL
from manue.records.decisions import recorded_decisions
from manue.rules import TENHOU
from manue.tiles import TILES, WINDS, parse_tiles
from tests.conftest import FULL, GAMES, events_of, game
from tests.game.describing import describable, described, known, timed

FOUR_KANS = {
    "E": ["ankan 9m 9m 9m 9m"],
    "S": ["ankan N N N N", "ankan 9s 9s 9s 9s"],
    "W": ["ankan F F F F"],
}
ONCE_AROUND = {"E": "1p", "S": "2p", "W": "W", "N": "W"}


def position(hand, draw=None, dora="W", **facts):
    return Position(hand=tuple(parse_tiles(hand)), draw=draw, dora=dora, **facts)


# ---- recorded moments


def decisions_with_kans(logs):
    for log in logs:
        for choice in recorded_decisions(events_of(log)):
            if choice.state.kan_count and describable(choice.state):
                yield choice


def compare(logs, agent, every):
    """Describe the decisions with kans, and return how many there were, were the same, and were valued."""
    total = same = valued = 0
    for choice in decisions_with_kans(logs):
        state = choice.state
        again = described(state).state(state.rules)
        assert known(again) == known(state)
        assert problems(again) == []
        total += 1
        if timed(again) != timed(state):
            continue
        same += 1
        assert legal_actions(again) == choice.actions
        if same % every == 0:
            valued += 1
            decision = agent.decide(state, choice.actions)
            assert agent.decide(again, choice.actions).reports == decision.reports
    return total, same, valued


def test_recorded_decisions_with_kans_are_described():
    """Games: 558 decisions, of which 507 depend on no more than a position says."""
    total, same, valued = compare(GAMES, manue.make_agent("manue:mc_draws=50"), every=20)
    assert total > 500
    assert same > 0.8 * total
    assert valued > 20


def test_decisions_with_kans_in_records_are_described(records):
    logs = sorted((records / "hanchan_selected").iterdir())
    total, same, _ = compare(logs if FULL else logs[::9], manue.make_agent("rules"), every=5)
    assert total > 100
    assert same > 0.3 * total


# ---- damaged descriptions


@cache
def recorded_positions():
    return [described(choice.state) for choice in decisions_with_kans([game("four-kans")])]


@st.composite
def damaged_positions(draw):
    damaged = draw(st.sampled_from(recorded_positions()))
    for _ in range(draw(st.integers(1, 3))):
        damaged = damage(damaged, draw(st.sampled_from(WINDS)), draw)
    return damaged


def damage(position, wind, draw):
    tile = draw(st.sampled_from(TILES))
    melds, river = position.melds[wind], position.rivers[wind]
    match draw(st.sampled_from(["kan", "kind", "order", "river", "indicators"])):
        case "kan":
            hand = position.hand[3:] if wind == position.seat else position.hand
            changed = {**position.melds, wind: [*melds, f"ankan {tile} {tile} {tile} {tile}"]}
            return replace(position, hand=hand, melds=changed)
        case "kind" if melds:
            *others, last = melds
            kind = draw(st.sampled_from(["ankan", "kakan", "daiminkan", "pon"]))
            changed = [*others, f"{kind} {last.partition(' ')[2]}"]
            return replace(position, melds={**position.melds, wind: changed})
        case "order":
            return replace(position, melds={**position.melds, wind: draw(st.permutations(melds))})
        case "river":
            changed = f"{river} {tile}{draw(st.sampled_from(['', '_', '!', '^S']))}"
            return replace(position, rivers={**position.rivers, wind: changed})
    return replace(position, kan_dora=tuple(draw(st.lists(st.sampled_from(TILES), max_size=5))))


@settings(max_examples=3_000 if FULL else 100)
@given(damaged_positions())
def test_a_damaged_description_is_refused_or_a_consistent_state(damaged):
    state = state_or_reason(damaged)
    if isinstance(state, str):
        assert "\n" not in state
    else:
        assert problems(state) == []
        legal_actions(state)


def state_or_reason(position):
    try:
        return position.state()
    except PositionError as error:
        return str(error)


# ---- one kan


def test_a_closed_kan_on_the_first_turn():
    state = position("456p789s1122z", "9m", kan_dora=("3s",), melds={"E": ["ankan 1m 1m 1m 1m"]}).state()
    assert state.dora_indicators == ["W", "3s"]
    assert (state.tiles_left, state.after_kan, state.me.is_closed) == (LIVE_WALL - 2, True, True)


def test_a_called_kan_is_the_last_thing_that_happened():
    facts = {"seat": "W", "melds": {"W": ["daiminkan C C C + C"]}, "rivers": {"E": "C^W"}}
    state = position("123m456p78s44s", "7m", **facts).state()
    assert (state.tiles_left, state.after_kan) == (LIVE_WALL - 2, True)
    assert state.me.melds[0].called == "C"


def test_an_added_kan_comes_after_its_pon_and_its_indicator_before_the_discard():
    rivers = {"E": "C^W 9s 1p", "S": "1s 2s", "W": "9p 9p_", "N": "1m 3s"}
    facts = {"seat": "W", "melds": {"W": ["kakan C C C + C"]}, "rivers": rivers}
    events = position("123m456p78s44s", "7m", kan_dora=("1m",), **facts).events()
    calls = [at for at, event in enumerate(events) if isinstance(event, Called)]
    assert [events[at].call.kind for at in calls] == ["pon", "kakan"]
    assert events[calls[1] - 1] == Draw(2, "C")
    assert events[calls[1] + 1 : calls[1] + 3] == [Draw(2, "9p"), DoraRevealed("1m")]


def test_a_kan_disturbs_no_ippatsu_where_it_can_come_before_the_riichi():
    rivers = {"E": "9s 1p", "S": "1s 2s", "W": "9p 9m!", "N": "1m 3s"}
    facts = {"melds": {"N": ["ankan C C C C"]}, "rivers": rivers}
    assert position("123m456p789s1p122z", "7m", **facts).state().players[2].ippatsu
    at_once = facts | {"rivers": {"E": "9s", "S": "1s", "W": "9p!", "N": "1m"}}
    assert not position("123m456p789s1p122z", "7m", **at_once).state().players[2].ippatsu


def test_an_added_tile_makes_nobody_furiten_where_it_can_come_before_the_own_discard():
    hand, melds = "34m456p789s11p222z", {"N": ["kakan 5m 5m 5m + 5mr"]}
    rivers = {"E": "9s 1p 2p", "S": "5m^N 2s 2s", "W": "4p 4p", "N": "1m 3s 4s"}
    assert not position(hand, "7m", melds=melds, rivers=rivers).state().furiten
    rivers = {"E": "9s 1p", "S": "5m^N 2s", "W": "4p", "N": "1m 3s"}
    assert position(hand, "7m", melds=melds, rivers=rivers).state().furiten


def test_indicators_of_kans_may_be_still_to_come():
    melds = {"E": ["ankan 1m 1m 1m 1m", "ankan 2m 2m 2m 2m"]}
    for revealed in ((), ("3s",), ("3s", "4s")):
        state = position("789s1122z", "9m", kan_dora=revealed, melds=melds).state()
        assert state.dora_indicators == ["W", *revealed]


@pytest.mark.parametrize("kan", ["ankan 5p 5p 5p 5p", "kakan 5p 5p 5p + 5p", "daiminkan 5p 5p 5p + 5p"])
def test_a_kan_of_fives_has_the_red_one(kan):
    """Regression: four plain fives were accepted, of which there are three."""
    reason = f"{kan!r} of N is without the red five: one is 5pr"
    with pytest.raises(PositionError, match=f"^{re.escape(reason)}$"):
        position("34m789s1122z", "7m", melds={"N": [kan]}).state()


def test_a_pon_of_plain_fives_and_a_kan_in_a_game_without_red_ones_may_be():
    rivers = {"E": "9s 1p", "S": "5m^N 2s", "W": "4p", "N": "1m 3s"}
    for meld, rules in (
        ("pon 5m 5m + 5m", TENHOU),
        ("kakan 5m 5m 5m + 5m", replace(TENHOU, red_fives=False)),
    ):
        state = position("34m456p789s11p222z", "7m", melds={"N": [meld]}, rivers=rivers).state(rules)
        assert len(state.players[3].melds) == 1


# ---- four kans


def test_the_fourth_kan_of_several_seats_comes_last():
    state = position("406m22p456p77s", "E", melds=FOUR_KANS, rivers=ONCE_AROUND).state()
    assert state.kan_count == 4
    assert not any(isinstance(action, Call) for action in legal_actions(state))
    won = position("456m22p456p7s7s", "2p", melds=FOUR_KANS, rivers=ONCE_AROUND).state()
    assert any(isinstance(action, Win) for action in legal_actions(won))


def test_four_kans_of_several_seats_end_the_round_with_a_discard():
    melds = {seat: FOUR_KANS[seat] for seat in "SW"} | {"N": ["ankan 9m 9m 9m 9m"]}
    with pytest.raises(
        PositionError, match=r"^the round ended by four kans of several seats when N discarded$"
    ):
        position("406m222p456p778s2z", "E", melds=melds, rivers=ONCE_AROUND).state()


def test_four_kans_of_one_seat_end_nothing():
    melds = {"N": [f"ankan {tile} {tile} {tile} {tile}" for tile in ("9m", "8m", "1s", "9s")]}
    state = position("406m222p456p778s2z", "E", melds=melds, rivers=ONCE_AROUND).state()
    assert state.kan_count == 4


# ---- what cannot be


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"melds": {"S": ["ankan C C C P"]}}, r"'ankan C C C P' of S is not a kan: its tiles differ"),
        ({"melds": {"S": ["ankan 5p 5pr 5pr 5p"]}}, r"'ankan 5p .* of S has more than one red five"),
        ({"melds": {"S": ["ankan C C C"]}}, r"'ankan C C C' of S is not a meld, as 'chi 6s 7s \+ 5s', .*"),
        ({"melds": {"S": ["kakan C C + C"]}}, r"'kakan C C \+ C' of S is not a meld, .*"),
        (
            {"melds": {"S": ["ankan 1m 1m 1m 1m"]}},
            r"'ankan 1m 1m 1m 1m' of S has all four of its kind, but one is in the hand of E",
        ),
        (
            {"melds": {"S": ["ankan W W W W"]}},
            r"'ankan W W W W' of S has all four of its kind, but one is among the dora indicators",
        ),
        (
            {"melds": {"S": ["ankan 2p 2p 2p 2p"]}},
            r"'ankan 2p 2p 2p 2p' of S has all four of its kind, but one is in the river of S",
        ),
        (
            {"melds": {"S": ["ankan C C C C"], "W": ["ankan C C C C"]}},
            r"'ankan C C C C' of S has all four of its kind, but one is in 'ankan C C C C' of W",
        ),
        ({"melds": {"S": ["daiminkan C C C + C"]}}, r"no discard is marked as called for 'daiminkan .*"),
        ({"melds": {"S": ["kakan C C C + C"]}}, r"no discard is marked as called for 'kakan .*' of S"),
        ({"kan_dora": ("1s",)}, r"2 dora indicators with 0 kans: one, and one more for each kan"),
        (
            {"melds": {"S": ["ankan C C C C"]}, "kan_dora": ("1s", "2s")},
            r"3 dora indicators with 1 kan: one, and one more for each kan",
        ),
        (
            {"melds": {"S": [f"ankan {t} {t} {t} {t}" for t in ("C", "P", "F", "9m", "8m")]}},
            r"5 kans; a round has at most 4",
        ),
        (
            {"melds": {"S": ["kakan C C C + C"]}, "rivers": ONCE_AROUND | {"E": "C^S"}},
            r"S had no turn for 'kakan C C C \+ C': melds are given in the order .*",
        ),
        (
            {
                "melds": {"S": ["kakan 9p 9p 9p + 9p"]},
                "rivers": {"E": "9p^S 9m", "S": "2p 3p!", "W": "W 9m", "N": "W 9m"},
            },
            r"S declares riichi with an open hand",
        ),
    ],
)  # fmt: skip
def test_impossible_kans_are_refused_in_one_line(facts, reason):
    given = {"rivers": ONCE_AROUND} | facts
    with pytest.raises(PositionError, match=f"^{reason}$"):
        position("123m456p789s1p122z", "7m", **given).state()


def test_a_kan_that_changes_the_waits_of_a_hand_in_riichi():
    melds = FOUR_KANS | {"E": ["ankan 5m 5m 5mr 5m"]}
    rivers = {"E": "1p!", "S": "2p", "W": "W", "N": "W"}
    with pytest.raises(
        PositionError, match=r"^'ankan 5m 5m 5mr 5m' of E changes the waits of a hand in riichi$"
    ):
        position("46m22p456p777s", "E", melds=melds, rivers=rivers).state()
