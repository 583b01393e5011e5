"""A review as mjai-reviewer reads it."""

import gzip
import json

import pytest

from manue.agents.registry import make_agent
from manue.protocol.dialect import DIALECTS
from manue.protocol.mortal import values_in
from manue.protocol.session import Session
from manue.tiles import KIND_OF
from tests.captures import raw_lines
from tests.conftest import DATA, FULL, GAMES
from tests.messages import start_kyoku
from tests.protocol.reviewer import bits, label_of, review

EVENTS = [json.loads(line) for line in raw_lines("mjaiapp-hanchan-1.server-log")]


def sample(name):
    packed = (DATA / "games" / f"{name}.mjson.gz").read_bytes()
    return [json.loads(line) for line in gzip.decompress(packed).splitlines()]


def session_of(agent, seat):
    return Session(make_agent(agent), DIALECTS["mortal"], complain=pytest.fail, seat=seat)


def reviewed(agent, seat, events):
    """Review a record as the tool does; return what it found, the replies and the last line."""
    session, replies = session_of(agent, seat), []

    def ask(line):
        replies.append(session.respond(line))
        return replies[-1]

    found = review(events, seat, ask, session.last_line)
    return found, [json.loads(reply) for reply in replies], json.loads(session.last_line())


def metas_of(replies):
    return [(reply, reply["meta"]) for reply in replies if "meta" in reply]


def test_the_mortal_dialect_gives_every_line_an_answer_that_the_reviewer_takes():
    for seat in range(4):
        found, replies, last = reviewed("greedy", seat, EVENTS)
        assert len(found) > 50
        assert len(replies) == len(EVENTS)
        assert last["model_tag"] == "greedy"
        for places in last["phi_matrix"]:
            assert all(sum(row) == pytest.approx(1, abs=1e-3) for row in places)


def test_what_is_taken_has_the_highest_value():
    _, replies, _ = reviewed("greedy", 0, EVENTS)
    assert metas_of(replies)
    for reply, meta in metas_of(replies):
        labels = bits(meta["mask_bits"])
        values = dict(zip(labels, meta["q_values"], strict=True))
        assert values[label_of(reply)] == max(values.values())
        assert "log" not in reply


@pytest.mark.parametrize("name", ["four-kans", "double-riichi", "four-riichi", "robbed-kan"])
def test_the_reviewer_finds_a_kan_that_was_made_by_its_kind(name):
    events = sample(name)
    kans = [event for event in events if event["type"] in {"ankan", "kakan"}]
    assert kans
    for seat in range(4):
        _, replies, _ = reviewed("greedy", seat, events)
        made = [event for event in kans if event["actor"] == seat]
        asked = [
            bits(meta["kan_select"]["mask_bits"]) for _, meta in metas_of(replies) if "kan_select" in meta
        ]
        kinds = {KIND_OF[event["consumed"][0]] for event in made}
        assert kinds <= {kind for offered in asked for kind in offered}


def test_every_kind_of_a_kan_has_a_value_of_its_own():
    hand = "1m 1m 1m 1m 5p 5p 5pr 5p 2s 3s 4s 7s 8s".split()
    session = session_of("manue:mc_draws=30", 0)
    session.respond(json.dumps({"type": "start_game", "names": ["a", "b", "c", "d"]}))
    session.respond(
        json.dumps(start_kyoku(scores=[25_000] * 4, dora_marker="9s", tehais=[hand, *[["?"] * 13] * 3]))
    )
    meta = json.loads(session.respond('{"type":"tsumo","actor":0,"pai":"W"}'))["meta"]
    assert bits(meta["kan_select"]["mask_bits"]) == [KIND_OF["1m"], KIND_OF["5p"]]
    both = meta["kan_select"]["q_values"]
    assert len(set(both)) == 2
    root = dict(zip(bits(meta["mask_bits"]), meta["q_values"], strict=True))
    assert root[42] == max(both)


def test_a_wait_among_the_own_discards_is_furiten():
    hand = "2m 3m 4m 5m 6m 7m 2p 3p 4p 6s 7s 8s E".split()
    session = session_of("greedy", 0)
    session.respond(json.dumps({"type": "start_game", "names": ["a", "b", "c", "d"]}))
    session.respond(json.dumps(start_kyoku(scores=[25_000] * 4, tehais=[hand, *[["?"] * 13] * 3])))
    drawn = json.loads(session.respond('{"type":"tsumo","actor":0,"pai":"9m"}'))
    assert drawn["meta"]["at_furiten"] is False
    session.respond('{"type":"dahai","actor":0,"pai":"E","tsumogiri":false}')  # waits for 9m now
    for seat, tile in ((1, "1p"), (2, "1p"), (3, "1p")):
        session.respond(json.dumps({"type": "tsumo", "actor": seat, "pai": "?"}))
        session.respond(json.dumps({"type": "dahai", "actor": seat, "pai": tile, "tsumogiri": True}))
    session.respond('{"type":"tsumo","actor":0,"pai":"E"}')
    session.respond('{"type":"dahai","actor":0,"pai":"9m","tsumogiri":false}')  # and for E now
    for seat, tile in ((1, "1p"), (2, "1s"), (3, "1s")):
        session.respond(json.dumps({"type": "tsumo", "actor": seat, "pai": "?"}))
        session.respond(json.dumps({"type": "dahai", "actor": seat, "pai": tile, "tsumogiri": True}))
    again = json.loads(session.respond('{"type":"tsumo","actor":0,"pai":"N"}'))
    assert again["meta"]["at_furiten"] is True


@pytest.mark.skipif(not FULL, reason="MANUE_FULL is not set")
@pytest.mark.parametrize("log", GAMES, ids=lambda log: log.name)
def test_the_reviewer_reads_whole_games_of_the_full_player(log):
    events = sample(log.name.removesuffix(".mjson.gz"))
    found, _, _ = reviewed("manue", GAMES.index(log) % 4, events)
    assert found


def test_the_values_are_ordered_as_ours():
    end = [event["type"] for event in EVENTS].index("end_kyoku") + 1
    found, _, last = reviewed("manue:mc_draws=30", 0, EVENTS[:end])
    assert found
    assert len(last["phi_matrix"]) == 1


def test_other_dialects_have_no_last_line():
    assert Session(make_agent("greedy"), DIALECTS["review"], complain=pytest.fail).last_line() is None


@pytest.mark.parametrize("value", [10**400, -(10**400), float("inf"), float("nan")])
def test_a_value_beyond_all_numbers_was_a_traceback(value):
    assert values_in({"q_values": [value, -0.5], "mask_bits": 0b101}) == {2: -0.5}


@pytest.mark.parametrize("meta", [None, {"q_values": [1]}, {"q_values": ["1"], "mask_bits": 1}])
def test_what_has_no_values_of_mortals_gives_none(meta):
    assert values_in(meta) == {}
