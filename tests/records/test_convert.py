"""Records from one format to another and back: every event survives."""

import dataclasses
import gzip
import json

import pytest

from manue.__main__ import main
from manue.game.events import Called, GameEnd, GameStart, RiichiAccepted, RoundDrawn, Won
from manue.game.state import RoundState
from manue.records.formats import read_game, read_record
from manue.records.games import games_of
from manue.records.length import with_length
from manue.records.results import round_results
from manue.records.tenhou_yaku import yaku_names_of, yaku_of
from manue.rules import EAST_ONLY, HANCHAN
from tests.conftest import game

CONVERT = {"mjlog": ("record.mjlog", True), "tenhou": ("record.json.gz", False)}


def core(event, *, scores, valued):
    """What a format records of an event; a win's fu, han and points only where the source has them."""
    if isinstance(event, Called):
        call = dataclasses.replace(event.call, consumed=tuple(sorted(event.call.consumed)))
        return dataclasses.replace(event, call=call)
    known = {} if scores else {"scores": None}
    if isinstance(event, Won):
        hidden = {} if valued else {"fu": None, "han": None, "points": None}
        return dataclasses.replace(event, hand=None, tile=None, **known, **hidden)
    if isinstance(event, RoundDrawn):
        return dataclasses.replace(event, **known, **({} if scores else {"tenpai": None}))
    if isinstance(event, RiichiAccepted | GameEnd):
        return dataclasses.replace(event, **known)
    return event


@pytest.mark.parametrize("form", CONVERT)
def test_every_event_survives_the_way_there_and_back(rare_logs, tmp_path, form):
    name, keeps_scores = CONVERT[form]
    for log in rare_logs:
        assert main(["convert", str(log), "-o", str(tmp_path / name)]) == 0
        assert main(["convert", str(tmp_path / name), "-o", str(tmp_path / "back.mjson")]) == 0
        entries = [entry for entry in read_game(log) if entry.event is not None]
        there = [entry for entry in read_game(tmp_path / "back.mjson") if entry.event is not None]
        entries, there = (with_length(one, HANCHAN) for one in (entries, there))
        for number, (have, want) in enumerate(zip(there, entries, strict=True)):
            valued = not isinstance(want.event, Won) or (want.event.fu and want.event.han)
            scores = keeps_scores and getattr(want.event, "scores", None) is not None
            if isinstance(want.event, RoundDrawn):
                scores = scores and want.event.tenpai is not None
            pair = [core(entry.event, scores=scores, valued=valued) for entry in (have, want)]
            assert pair[0] == pair[1], f"{log.name}, event {number}"
        states = [RoundState(seat) for seat in range(4)]
        for entry in there:
            for state in states:
                state.apply(entry.event)


def test_draws_end_the_same_way_after_the_way_there_and_back(rare_logs, tmp_path):
    """Regression: read from tenhou.net/6, a round whose wall ran out counted as aborted."""
    drawn = 0
    for log in rare_logs:
        assert main(["convert", str(log), "-o", str(tmp_path / "record.json.gz")]) == 0
        before, after = (
            round_results(games_of(path)[0].events) for path in (log, tmp_path / "record.json.gz")
        )
        assert after == before
        drawn += sum(result.exhausted for result in before)
    assert drawn


@pytest.mark.parametrize(("tenpai", "name"), [((True,) * 4, "全員聴牌"), ((False,) * 4, "全員不聴")])
def test_a_draw_without_payments_says_whether_all_or_none_were_tenpai(tenpai, name):
    from manue.records.tenhou_json_writer import _Writer

    writer = _Writer("")
    writer.ryukyoku({"reason": "fanpai", "deltas": [0] * 4, "tenpais": list(tenpai)})
    assert writer._result == [name, [0] * 4]


@pytest.mark.parametrize("name", ["east.mjlog", "east.json"])
def test_the_length_of_the_game_survives(tmp_path, name):
    first, second = tmp_path / "first.mjson", tmp_path / name
    events = gzip.decompress(game("east-rules").read_bytes())
    first.write_bytes(events.replace(b'"start_game"', b'"start_game","kyoku_first":4', 1))
    assert main(["convert", str(first), "-o", str(second)]) == 0
    assert read_game(second)[0].event.last_round == EAST_ONLY


def test_yaku_survive_between_the_formats_of_tenhou(tmp_path):
    fields = {"yaku_ids": [1, 8, 52, 53, 39], "yaku_han": [1, 1, 2, 0, 13]}
    names = yaku_names_of(fields)
    assert names == ["立直(1飜)", "断幺九(1飜)", "ドラ(2飜)", "大三元(役満)"]
    assert yaku_of({"yaku_names": names}) == [(1, 1), (8, 1), (52, 2), (39, 13)]


@pytest.mark.parametrize(
    ("dealer", "winner", "paid", "total", "text"),
    [
        (0, 1, [-2100, 4300, -1100, -1100], 4000, "1000-2000点"),
        (1, 1, [-2100, 6300, -2100, -2100], 6000, "2000点∀"),
    ],
)
def test_payments_of_self_draws_are_written_as_tenhou_does(dealer, winner, paid, total, text):
    from manue.records.tenhou_json_writer import _Writer

    writer = _Writer("")
    writer._dealer = dealer
    win = {"actor": winner, "target": winner, "deltas": paid, "hora_points": total, "honba": 1}
    assert writer._points(win) == text


def test_several_games_go_into_a_folder(tmp_path, capsys):
    logs = [str(game("four-riichi")), str(game("robbed-kan"))]
    assert main(["convert", *logs, "-o", str(tmp_path / "one.json")]) == 2
    assert "2 games do not go into one file" in capsys.readouterr().err
    assert main(["convert", *logs, "-o", str(tmp_path / "out"), "--to", "mjlog"]) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "four-riichi.mjlog",
        "robbed-kan.mjlog",
    ]
    (tmp_path / "out" / "robbed-kan.mjlog").unlink()
    assert main(["convert", *logs, "-o", str(tmp_path / "out"), "--to", "mjlog"]) == 1
    said = capsys.readouterr().err
    assert "four-riichi.mjlog is there already" in said
    assert (tmp_path / "out" / "robbed-kan.mjlog").exists()
    assert said.endswith(f"1 game in {tmp_path / 'out'}, 1 not converted\n")


def test_a_record_that_cannot_be_read_does_not_keep_the_others_of_a_folder(tmp_path, capsys):
    folder = tmp_path / "records"
    folder.mkdir()
    for name in ("four-riichi", "robbed-kan"):
        (folder / f"{name}.mjson.gz").write_bytes(game(name).read_bytes())
    (folder / "junk.mjson").write_text("milk, eggs")
    (folder / "three.json").write_text(
        '{"name": ["A", "B", "C", ""], "rule": {"disp": "三南喰赤"}, "log": [[]]}'
    )
    assert main(["convert", str(folder), "-o", str(tmp_path / "out"), "--to", "mjlog"]) == 1
    said = capsys.readouterr().err
    assert "junk.mjson, line 1: not JSON" in said
    assert "three.json: a three-player game" in said
    assert said.endswith("2 games in " + str(tmp_path / "out") + ", 2 not converted\n")
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_a_record_is_not_written_over_itself(tmp_path, capsys):
    path = tmp_path / "game.mjson"
    path.write_bytes(gzip.decompress(game("four-riichi").read_bytes()))
    before = path.read_bytes()
    assert main(["convert", str(path), "-o", str(path)]) == 2
    assert path.read_bytes() == before
    assert capsys.readouterr().err.count("\n") == 1


def test_hidden_hands_cannot_be_written_as_tenhou_does(tmp_path, capsys):
    path = tmp_path / "game.mjson"
    start = {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0}
    start |= {"dora_marker": "1m", "tehais": [["?"] * 13] * 4}
    path.write_text(json.dumps(start))
    assert main(["convert", str(path), "-o", str(tmp_path / "game.mjlog")]) == 1
    assert capsys.readouterr().err.strip().endswith("this format shows all hands; one is hidden")
    assert not (tmp_path / "game.mjlog").exists()


def test_games_without_red_fives_stay_without(tmp_path):
    text = gzip.decompress(game("four-riichi").read_bytes()).decode()
    text = text.replace("5mr", "5m").replace("5pr", "5p").replace("5sr", "5s")
    (tmp_path / "plain.mjson").write_text(text)
    assert main(["convert", str(tmp_path / "plain.mjson"), "-o", str(tmp_path / "plain.mjlog")]) == 0
    (back,) = read_record(tmp_path / "plain.mjlog")
    assert not any(b"r" in entry.text.split(b'"pai":')[-1][:6] for entry in back if b'"pai"' in entry.text)
    assert isinstance(back[0].event, GameStart)
