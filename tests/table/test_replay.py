"""riichienv's own replay of the games it refereed gives the same rounds, points and payments."""

import json

import pytest

from manue.match.games import MatchSettings, play_fixture
from manue.match.schedule import fixed_seats
from manue.records.archive import read_log

riichienv = pytest.importorskip("riichienv")

LIVE_TILES = 70
"""Draws in a round, including those after kans."""
MATCHES = [("tenhou", 3), ("tenhou", 11), ("mjsoul", 3)]


def rounds_of(events):
    """Split a game into its rounds, each from its deal to its end."""
    rounds = []
    for event in events:
        if event["type"] == "start_kyoku":
            rounds.append([])
        if rounds and event["type"] not in {"end_kyoku", "end_game"}:
            rounds[-1].append(event)
    return rounds


def of_type(events, *kinds):
    return [event for event in events if event["type"] in kinds]


def score_after(events):
    """Return the points at the end of a round, from the payments and the sticks put down."""
    scores = list(events[0]["scores"])
    for event in of_type(events, "reach_accepted"):
        scores[event["actor"]] -= 1000
    for event in of_type(events, "hora", "ryukyoku"):
        scores = [score + delta for score, delta in zip(scores, event["deltas"], strict=True)]
    return scores


def value_of(context, *, last):
    """Value a win in the state that the replay has reached.

    The replay of a Mjai log takes every win for one on the last tile (riichienv 0.4.11), so set those flags.
    """
    conditions = context.conditions
    conditions.haitei = last and conditions.tsumo and not conditions.rinshan
    conditions.houtei = last and not conditions.tsumo
    return context.calculate(context.create_calculator(), conditions)


def paid(win, hora, start, sticks, honba):
    """Return the payments that follow from the value of a win."""
    actor, target, oya = hora["actor"], hora["target"], start["oya"]
    deltas = [0] * 4
    for seat in {0, 1, 2, 3} - {actor} if actor == target else {target}:
        if actor != target:
            deltas[seat] = -win.ron_agari - 300 * honba
        else:
            from_dealer = seat == oya and actor != oya
            deltas[seat] = -(win.tsumo_agari_oya if from_dealer else win.tsumo_agari_ko) - 100 * honba
    deltas[actor] = 1000 * sticks - sum(deltas)
    return deltas


@pytest.mark.parametrize(("rules", "seed"), MATCHES)
def test_riichienv_replays_the_games_with_the_same_payments(rules, seed, tmp_path):
    settings = MatchSettings(fixed_seats(["greedy", "rules"] * 2), seed=seed, rules=rules)
    wins = 0
    for game in range(2):
        line, log = play_fixture(settings, settings.schedule.fixture(game))
        (tmp_path / "game.mjson.gz").write_bytes(log)
        events = [entry.fields() for entry in read_log(tmp_path / "game.mjson.gz")]
        plain = tmp_path / "plain.jsonl"
        plain.write_text("".join(json.dumps(event) + "\n" for event in events))
        replay = riichienv.MjaiReplay.from_jsonl(str(plain), rule=rules)
        assert replay.num_rounds() == line["rounds"]
        for kyoku, happened in zip(replay.take_kyokus(), rounds_of(events), strict=True):
            start, scores = happened[0], score_after(happened)
            assert list(kyoku.scores) == start["scores"]
            assert list(kyoku.end_scores) == scores
            assert sum(1 for _ in kyoku.steps()) > 0
            last = len(of_type(happened, "tsumo")) == LIVE_TILES
            sticks = start["kyotaku"] + len(of_type(happened, "reach_accepted"))
            contexts = list(kyoku.take_win_result_contexts())
            for number, (context, hora) in enumerate(zip(contexts, of_type(happened, "hora"), strict=True)):
                extra = (0, 0) if number else (sticks, start["honba"])
                assert context.seat == hora["actor"]
                assert paid(value_of(context, last=last), hora, start, *extra) == hora["deltas"], hora
                wins += 1
        left = 100_000 - sum(scores)  # sticks nobody won go to the first
        scores[max(range(4), key=lambda seat: scores[seat])] += left
        assert scores == line["scores"]
    assert wins > 5
