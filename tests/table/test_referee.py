"""The referee's stream equals riichienv's own log; walls repeat; masks hide just what a seat cannot see."""

import gc
import json
import random
from dataclasses import replace

import pytest

from manue.__main__ import main
from manue.errors import UsageError
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.models.placement import RoundPosition
from manue.protocol.codec import message_to_event
from manue.protocol.parsing import parse_value
from manue.rules import MAHJONG_SOUL, RULES, TENHOU
from manue.table import seat_factory
from manue.table.referee import Referee, _means, masked, wall_seed
from manue.table.table import event_of
from manue.tiles import parse_tiles, tile_name

pytest.importorskip("riichienv")

EAGER = {"hora", "reach", "ankan", "kakan", "daiminkan"}


def play(referee, rng, *, eager=True):
    """Play a game of random legal moves; eager players declare, call and win whenever they can."""
    messages = referee.start()
    while not referee.over:
        replies = {}
        for seat in referee.asked:
            legal = sorted(referee.legal(seat), key=repr)
            wanted = [move for move in legal if move["type"] in EAGER]
            replies[seat] = rng.choice(wanted if eager and wanted else legal)
        messages += referee.step(replies)
    return messages


@pytest.mark.parametrize("length", ["hanchan", "east"])
@pytest.mark.parametrize("seed", range(4))
def test_the_stream_is_the_full_log(seed, length):
    referee = Referee(wall_seed(5, seed), length=length, names="abcd")
    messages = play(referee, random.Random(seed))
    log = referee.log()
    log[0] |= {"names": list("abcd"), "kyoku_first": 4 if length == "east" else 0, "aka_flag": True}
    log[-1]["scores"] = referee.scores()
    assert messages == log
    assert sum(referee.scores()) == 100_000
    assert sorted(referee.places()) == [1, 2, 3, 4]


def test_rules_that_riichienv_does_not_know_are_refused_in_one_line():
    with pytest.raises(UsageError, match="only the rules of Tenhou and of Mahjong Soul"):
        Referee(1, rules=replace(TENHOU, kiriage_mangan=True))


@pytest.mark.parametrize(
    "command",
    [
        ["match", "--seats", "greedy", "--format", "self", "--games", "1", "--out", "out"],
        ["serve", "--port", "0"],
        ["table", "--seats", "me,greedy", "--no-browser"],
    ],
    ids=lambda command: command[0],
)
def test_rules_without_a_referee_are_refused_before_anything_begins(command, tmp_path, monkeypatch, capsys):
    """A server with rules of an own set waited for players, and the table broke down with a traceback."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(RULES, "own", replace(TENHOU, kiriage_mangan=True))
    assert main([*command, "--rules", "own"]) == 2
    said = "manue: the referee knows only the rules of Tenhou and of Mahjong Soul\n"
    assert capsys.readouterr().err == said
    assert list(tmp_path.iterdir()) == []


def wall_of(*hands, draws):
    """Return riichienv's tiles of a wall that deals these hands to the first seats, and then these draws."""
    left = list(range(136))

    def taken(name=None):
        return left.pop(next(at for at, tile in enumerate(left) if name in (None, tile_name(tile))))

    dealt = [[taken(tile) for tile in parse_tiles(hand)] for hand in hands]
    drawn = [taken(tile) for tile in draws]
    dealt += [[taken() for _ in range(13)] for _ in range(4 - len(dealt))]
    blocks = [(0, 4), (4, 8), (8, 12), (12, 13)]
    return [tile for start, end in blocks for hand in dealt for tile in hand[start:end]] + drawn + left


@pytest.mark.parametrize("robs", [True, False])
def test_a_closed_kan_that_may_be_robbed_is_announced_first(robs):
    """Regression: whoever could rob it was asked without having heard of it, and the log left it out."""
    referee = Referee(1, rules=MAHJONG_SOUL)
    wall = wall_of("234m234p678s8s666z", "19m19p19s1234577z", draws=["F"])
    start = {"oya": 0, "round_wind": 0, "scores": [25_000] * 4, "honba": 0, "kyotaku": 0}
    messages = referee._advance(referee._env.reset(**start, wall=wall))
    kan = {"type": "ankan", "actor": 0, "consumed": ["F"] * 4}
    announced = referee.step({0: kan})
    assert [message["type"] for message in announced] == ["ankan"]
    assert list(referee.asked) == [1]
    choice = "hora" if robs else "none"
    following = referee.step({1: next(move for move in referee.legal(1) if move["type"] == choice)})
    assert following[0]["type"] == ("hora" if robs else "dora")
    state = RoundState(1, MAHJONG_SOUL)
    for message in [*messages, *announced]:
        state.apply(event_of(message))
    assert len(legal_actions(state)) == 2
    state.apply(event_of(following[0]))


def rounds_of(messages):
    return [message for message in messages if message["type"] == "start_kyoku"]


def test_a_round_has_the_same_wall_whatever_happened_before():
    games = [rounds_of(play(Referee(77), random.Random(seed), eager=seed % 2 == 0)) for seed in range(4)]
    for number in range(min(len(game) for game in games)):
        dealt = [game[number] for game in games]
        assert len({start["dora_marker"] for start in dealt}) == 1
        assert (
            len({str([start["tehais"][(start["oya"] + wind) % 4] for wind in range(4)]) for start in dealt})
            == 1
        )


def test_neighbouring_seeds_share_walls_and_wall_seeds_do_not():
    """What riichienv does with neighbouring seeds is why `wall_seed` exists."""
    first = rounds_of(play(Referee(7), random.Random(0)))
    shifted = rounds_of(play(Referee(8), random.Random(0)))
    assert first[1]["dora_marker"] == shifted[0]["dora_marker"]
    dealt = {
        (number, str(start["tehais"]))
        for wall in range(3)
        for number, start in enumerate(rounds_of(play(Referee(wall_seed(1, wall)), random.Random(0))))
    }
    assert len({hands for _, hands in dealt}) == len(dealt)
    assert len({wall_seed(seed, wall) for seed in range(20) for wall in range(500)}) == 10_000


def test_masks():
    referee = Referee(3, names="abcd")
    start, deal, draw = referee.start()
    said = {"names": list("abcd"), "kyoku_first": 0, "aka_flag": True}
    assert masked(start, 2) == {"type": "start_game", **said, "id": 2}
    seen = masked(deal, 2)["tehais"]
    assert seen[2] == deal["tehais"][2]
    assert [seen[seat] for seat in (0, 1, 3)] == [["?"] * 13] * 3
    assert masked(draw, 0) == draw
    assert masked(draw, 1)["pai"] == "?"
    assert "?" not in deal["tehais"][0]


def test_the_start_names_rules_other_than_tenhous():
    assert "rules" not in Referee(3).start()[0]
    assert Referee(3, rules=MAHJONG_SOUL).start()[0]["rules"] == "mjsoul"


def test_replies_of_any_shape_are_judged():
    referee = Referee(3)
    *_, draw = referee.start()
    assert referee.is_legal(0, {"type": "dahai", "actor": 0, "pai": draw["pai"], "tsumogiri": True})
    for reply in (
        {},
        {"type": "none"},
        {"type": 5},
        {"type": "dahai"},
        {"type": "dahai", "pai": ["1m"]},
        {"type": "x"},
    ):
        assert not referee.is_legal(0, reply), reply


def kinds_compared(legal):
    """Check that an action means exactly the replies equal to its own; return the kinds of action."""
    for action, own in legal:
        for _, reply in legal:
            same = own["type"] == reply["type"]
            same &= sorted(own.get("consumed", ())) == sorted(reply.get("consumed", ()))
            same &= own["type"] != "dahai" or own["pai"] == reply.get("pai")
            assert _means(action, reply) == same, (own, reply)
    return {own["type"] for _, own in legal}


def legal_with_replies(observation):
    return [(action, json.loads(action.to_mjai())) for action in observation.legal_actions()]


def test_an_action_matches_exactly_the_replies_equal_to_its_own():
    """Checked among the legal replies at every choice, by how riichienv writes each action."""
    referee, rng = Referee(wall_seed(7, 0), length="east"), random.Random(7)
    referee.start()
    met = set()
    while not referee.over:
        replies = {}
        for seat, observation in referee.asked.items():
            legal = legal_with_replies(observation)
            met |= kinds_compared(legal)
            replies[seat] = rng.choice([own for _, own in legal])
        referee.step(replies)
    assert met >= {"dahai", "none", "chi", "pon"}


def test_a_win_is_not_taken_for_a_riichi_or_a_kan():
    referee = Referee(1)
    referee.start_at(RoundPosition(0, 0), [25_000] * 4, wall_of("123m456p789s1112z", draws=["E"]))
    legal = legal_with_replies(referee.asked[0])
    assert kinds_compared(legal) >= {"dahai", "reach", "ankan"}
    referee.start_at(RoundPosition(0, 0), [25_000] * 4, wall_of("123m456p789s1112z", draws=["S"]))
    legal = legal_with_replies(referee.asked[0])
    assert kinds_compared(legal) == {"dahai", "reach", "hora"}


@pytest.mark.parametrize("seed", range(2))
def test_events_read_without_checking_are_those_of_the_codec(seed):
    messages = play(Referee(wall_seed(8, seed), length="east"), random.Random(seed))
    assert {"tsumo", "dahai", "end_kyoku"} <= {message["type"] for message in messages}
    for message in messages:
        assert event_of(message) == message_to_event(parse_value(message))


def test_the_collector_is_spared_what_an_agent_loads(monkeypatch):
    monkeypatch.setattr(seat_factory, "warm_up", lambda _agent: None)  # compiling takes long
    gc.unfreeze()
    try:
        agent = seat_factory._warm_agent.__wrapped__("manue", None, details=False)
        assert gc.is_tracked(agent)
        assert not any(one is agent for one in gc.get_objects())
    finally:
        gc.unfreeze()
