"""Help in figures, against slow and obvious ways to the same numbers."""

import numpy as np
import pytest

from manue.game.actions import Call, Discard, Riichi
from manue.game.events import Called, Discarded, Draw, RiichiAccepted, RiichiDeclared, RoundStart
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.hand.shanten import shanten
from manue.protocol.codec import event_to_fields
from manue.protocol.parsing import parse_value
from manue.records.archive import LogEntry
from manue.tiles import COPIES, KIND_OF, KINDS, counts_of, parse_tiles
from manue.webtable.hints import Advisor, Question, dangers, options_data, useful_tiles
from tests.webtable.players import ADVISOR

UNSEEN = (None,) * 13


def state_after(hand, *events):
    state = RoundState(0)
    start = RoundStart(
        "E", 1, 0, 0, 0, "1m", (tuple(parse_tiles(hand)), UNSEEN, UNSEEN, UNSEEN), (25_000,) * 4
    )
    for event in (start, *events):
        state.apply(event)
    return state


def slowly(tiles, visible):
    """The shanten and the useful kinds of 13 tiles, by trying every kind."""
    counts = counts_of(tiles)
    now = shanten(counts)
    useful = []
    for kind, name in enumerate(KINDS):
        left = COPIES - visible[kind]
        if left > 0:
            counts[kind] += 1
            if counts[kind] <= COPIES and shanten(counts) < now:
                useful.append([name, left])
            counts[kind] -= 1
    return now, useful


@pytest.mark.parametrize(
    ("hand", "drawn"), [("234m567p34s678sEE", "9m"), ("158m269p1378sSWF", "2s"), ("1155m2288p3377sE", "W")]
)
def test_useful_tiles_are_those_found_by_trying(hand, drawn):
    state = state_after(hand, Draw(0, drawn))
    found = useful_tiles(state)["discards"]
    assert set(found) == {KINDS[KIND_OF[tile]] for tile in state.hand}
    for kind, after in found.items():
        left = list(state.hand)
        left.remove(next(tile for tile in left if KINDS[KIND_OF[tile]] == kind))
        assert (after["shanten"], after["useful"]) == slowly(left, state.visible.tolist())


def test_useful_tiles_without_a_discard():
    state = state_after("234m567p34s678sEE", Draw(0, "9m"), Discarded(0, "9m", from_draw=True))
    assert useful_tiles(state) == {"shanten": 0, "useful": [["2s", 4], ["5s", 4]]}


def after_a_chi(hand, tile, consumed):
    """The seat has called a tile of the player before it, and has to discard."""
    events = [Draw(0, "9m"), Discarded(0, "9m", from_draw=True)]
    for seat, discard in ((1, "9p"), (2, "9p"), (3, tile)):
        events += [Draw(seat, None), Discarded(seat, discard, from_draw=True)]
    return state_after(hand, *events, Called(0, Call("chi", consumed, tile, 3)))


def test_help_speaks_of_no_tile_that_a_call_forbids_to_discard():
    """Regression: 4m was called the best, because it would leave tenpai, and all others worse."""
    state = after_a_chi("234m567p34s678sEE", "1m", ("2m", "3m"))
    allowed = {KINDS[KIND_OF[action.tile]] for action in legal_actions(state)}
    assert "4m" not in allowed
    assert set(useful_tiles(state)["discards"]) == allowed
    assert set(dangers(state, ADVISOR.models.dangers)["kinds"]) == allowed


def test_help_in_riichi_speaks_of_the_drawn_tile_alone():
    events = [Draw(0, "9m"), RiichiDeclared(0), Discarded(0, "9m", from_draw=True), RiichiAccepted(0)]
    for seat in (1, 2, 3):
        events += [Draw(seat, None), Discarded(seat, "9p", from_draw=True)]
    state = state_after("234m567p34s678sEE", *events, Draw(0, "1p"))
    assert set(useful_tiles(state)["discards"]) == {"1p"}
    assert set(dangers(state, ADVISOR.models.dangers)["kinds"]) == {"1p"}


def riichi_against(hand):
    events = [Draw(0, "9m"), Discarded(0, "9m", from_draw=True), Draw(1, None), RiichiDeclared(1)]
    events += [Discarded(1, "1s", from_draw=False), RiichiAccepted(1)]
    for seat, tile in ((2, "E"), (3, "E")):
        events += [Draw(seat, None), Discarded(seat, tile, from_draw=True)]
    return state_after(hand, *events, Draw(0, "5p"))


def test_danger_is_that_of_the_opponents():
    state = riichi_against("234m467p14s678sEE")
    found = dangers(state, ADVISOR.models.dangers)
    assert found["tenpai"][0] is None
    assert found["tenpai"][1] == 1.0
    assert found["kinds"]["1s"]["seats"][1] == 0.0  # its own discard
    for kind in found["kinds"].values():
        assert kind["total"] == pytest.approx(1 - np.prod([1 - p for p in kind["seats"]]))
        assert kind["seats"][0] == 0.0
    assert found["kinds"]["5p"]["total"] > 0.02


def question(state):
    event = state.last_event
    entry = LogEntry("event 0", parse_value(event_to_fields(event)), event, b"{}")
    return Question(entry, state, legal_actions(state))


def test_an_opinion_is_that_of_the_agent():
    asked = question(riichi_against("234m467p14s678sEE"))
    hint = Advisor(ADVISOR).hint(asked, "all")
    decision = hint["opinion"]["decision"]
    best = ADVISOR.decide(asked.state, asked.actions).action
    chosen = decision["options"][decision["chosen"]]
    assert chosen["tiles"] == [best.tile]
    assert decision["played"] is None
    assert any("goals" in option for option in decision["options"])  # it explains itself


def test_an_opinion_has_an_option_for_every_riichi():
    """The page shows, below a tile to be discarded with riichi, what that is worth."""
    asked = question(state_after("234m567p34s678sEE", Draw(0, "9m")))
    decision = Advisor(ADVISOR).hint(asked, "all")["opinion"]["decision"]
    riichi = [option for option in decision["options"] if option["kind"] == "riichi"]
    assert [option["then"] for option in riichi] == ["9m"]
    assert all(option["row"] is not None for option in riichi)


def test_every_legal_action_finds_itself_among_the_options_of_an_opinion():
    asked = question(state_after("234m567p34s678sEE", Draw(0, "9m")))
    advisor = Advisor(ADVISOR)
    plain = options_data(asked)["decision"]["options"]
    assert len(plain) == len(asked.actions)
    for action, option in zip(asked.actions, plain, strict=True):
        decision = advisor.judge(asked, [action])["opinion"]["decision"]
        found = decision["options"][decision["played"]]
        assert (found["kind"], found["tiles"]) == (option["kind"], option["tiles"])


@pytest.mark.parametrize(("tile", "then"), [("5p", "5p"), ("5pr", "5p"), ("9p", "9p")])
def test_a_riichi_with_a_red_five_passed_for_the_best_riichi(tile, then):
    asked = question(state_after("234m567m345s5679p", Draw(0, "5pr")))
    judged = Advisor(ADVISOR).judge(asked, [Riichi(), Discard(tile, from_draw=tile == "5pr")])
    decision = judged["opinion"]["decision"]
    found = decision["options"][decision["played"]]
    assert (found["kind"], found["then"]) == ("riichi", then)
    assert judged["agrees"] is (decision["played"] == decision["chosen"])
