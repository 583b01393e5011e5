"""A review as mjai-reviewer reads it: its rules for the lines of an engine, rebuilt."""

import json

import pytest

from manue.agents.registry import make_agent
from manue.protocol.dialect import DIALECTS
from manue.protocol.session import Session
from manue.tiles import KIND_OF, KINDS, RED_FIVES
from tests.captures import raw_lines

EVENTS = [json.loads(line) for line in raw_lines("mjaiapp-hanchan-1.server-log")]
BOUNDARIES = {"start_game", "start_kyoku", "end_kyoku", "end_game"}
ACTIONS = [*KINDS, *RED_FIVES, "reach", "low", "middle", "high", "pon", "kan", "hora", "ryukyoku", "none"]
UNITS = {"ankan": "kan", "kakan": "kan", "daiminkan": "kan"}


def label_of(event):
    kind = event["type"]
    if kind == "dahai":
        return ACTIONS.index(event["pai"])
    if kind == "chi":
        own, called = sorted(KIND_OF[tile] for tile in event["consumed"]), KIND_OF[event["pai"]]
        return 38 + (called > own[0]) + (called > own[1])
    name = UNITS.get(kind, kind)
    return ACTIONS.index(name) if name in ACTIONS else 45


def what_the_player_did(later, seat):
    """Return the player's action among the events to come; ``None`` if another went first."""
    later = [event for event in later if event["type"] not in {"dora", "reach_accepted"}]
    if later[0]["type"] == "tsumo":
        return {"type": "none"}
    if later[0]["type"] == "hora":
        return next((event for event in later[:3] if event.get("actor") == seat), None)
    return later[0] if later[0].get("actor", seat) == seat else None


def review(agent, seat, events):
    """Read an engine's lines as the reviewer does; return rank and number of options of what was played."""
    session = Session(make_agent(agent), DIALECTS["mortal"], complain=pytest.fail, seat=seat)
    found = []
    for at, event in enumerate(events):
        reply = json.loads(session.respond(json.dumps(event)))
        assert "log" not in reply
        if event["type"] in BOUNDARIES or "meta" not in reply:
            continue
        meta = reply["meta"]
        labels = [label for label in range(46) if meta["mask_bits"] >> label & 1]
        assert meta["mask_bits"] < 1 << 46
        assert len(labels) == len(meta["q_values"])
        assert -1 <= meta["shanten"] <= 6
        values = dict(zip(labels, meta["q_values"], strict=True))
        assert values[label_of(reply)] == max(values.values())
        done = what_the_player_did(events[at + 1 :], seat)
        if done is not None and done["type"] == "ryukyoku" and label_of(done) not in labels:
            assert labels == [
                43,
                45,
            ]  # a win passed on at the end of the wall, which the reviewer cannot read
            continue
        if len(labels) > 1 and done is not None:
            order = sorted(labels, key=values.get, reverse=True)
            found.append((order.index(label_of(done)), len(labels)))
    return found, json.loads(session.last_line())


def test_the_mortal_dialect_gives_every_line_an_answer_that_the_reviewer_takes():
    for seat in range(4):
        found, last = review("greedy", seat, EVENTS)
        assert len(found) > 50
        rounds = [event for event in EVENTS if event["type"] == "start_kyoku"]
        assert last["model_tag"] == "greedy"
        assert len(last["phi_matrix"]) == len(rounds)
        for places in last["phi_matrix"]:
            assert [len(row) for row in places] == [4] * 4
            assert all(sum(row) == pytest.approx(1, abs=1e-3) for row in places)


def test_the_values_are_ordered_as_ours():
    end = [event["type"] for event in EVENTS].index("end_kyoku") + 1
    found, last = review("manue:mc_draws=30", 0, EVENTS[:end])
    assert found
    assert len(last["phi_matrix"]) == 1


def test_other_dialects_have_no_last_line():
    assert Session(make_agent("greedy"), DIALECTS["review"], complain=pytest.fail).last_line() is None
