"""Records from one format to another and back: every event survives."""

import dataclasses
import errno
import gzip
import json
import os
import re
from pathlib import Path

import pytest

from manue.__main__ import main
from manue.game.events import (
    Called,
    Discarded,
    GameEnd,
    GameStart,
    RiichiAccepted,
    RoundDrawn,
    RoundStart,
    Won,
)
from manue.game.state import RoundState
from manue.language.rounds import round_text
from manue.protocol.codec import message_to_event
from manue.protocol.parsing import parse_value
from manue.records.archive import LogEntry, entry_of
from manue.records.completed import completed, has_red_fives
from manue.records.drawn_rounds import tenpai_at_draw
from manue.records.formats import read_game, read_record
from manue.records.games import games_of
from manue.records.length import with_length
from manue.records.mjlog_writer import write_mjlog
from manue.records.results import round_results
from manue.records.tenhou_json import read_tenhou_json
from manue.records.tenhou_yaku import (
    TENHOU_YAKU,
    limit_of,
    names_every_yaku,
    numbered_yaku,
    yaku_names_of,
    yaku_of,
)
from manue.rules import EAST_ONLY, HANCHAN
from manue.tiles import parse_tiles
from tests.conftest import DATA, game
from tests.messages import start_kyoku

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
    if isinstance(event, GameStart):
        return dataclasses.replace(event, red_fives=None)  # Tenhou's formats say what others leave open
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


OTHERWISE = {
    "referee": {
        "fanpai": "exhaustive_draw",
        "kyushukyuhai": "kyushu_kyuhai",
        "suufonrenta": "sufuurenta",
        "suuchariichi": "suucha_riichi",
        "suukaikan": "suukansansen",
    },
    "original server": {"suufonrenta": "sufonrenta", "suuchariichi": "suchareach", "suukaikan": "sukaikan"},
    "nobody": {},
}


def drawn_as(line, said):
    """Return a line; of a draw without who was tenpai, and with the reason in the words of somebody."""
    fields = json.loads(line)
    if fields["type"] == "ryukyoku":
        reason = fields.pop("reason")
        fields.pop("tenpais", None)
        if said != "nobody":
            fields["reason"] = OTHERWISE[said].get(reason, reason)
    return json.dumps(fields)


@pytest.mark.parametrize("said", OTHERWISE)
@pytest.mark.parametrize("name", ["there.mjlog", "there.json"])
def test_draws_are_written_in_the_words_of_records(tmp_path, name, said):
    """Regression: of our own matches tenhou.net/6 had the result `exhaustive_draw`, which nobody reads, and
    mjlog showed no hand at an exhaustive draw; without a reason every draw became an exhaustive one."""
    found = set()
    for log in map(game, ("four-riichi", "four-kans", "double-riichi")):
        lines = gzip.decompress(log.read_bytes()).decode().splitlines()
        (tmp_path / "here.mjson").write_text("\n".join(drawn_as(line, said) for line in lines))
        assert main(["convert", str(tmp_path / "here.mjson"), "-o", str(tmp_path / name)]) == 0
        want, have = (
            [entry.event for entry in read_game(path) if isinstance(entry.event, RoundDrawn)]
            for path in (log, tmp_path / name)
        )
        assert [event.reason for event in have] == [event.reason for event in want]
        assert list(map(tenpai_at_draw, have)) == list(map(tenpai_at_draw, want))
        found |= {event.reason for event in want}
    assert found == set(OTHERWISE["referee"])


@pytest.mark.parametrize(
    ("deltas", "reason"),
    [([-2000, 8000, -4000, -2000], "nagashimangan"), ([-1000, 3000, -1000, -1000], "fanpai")],
)
def test_a_draw_with_the_last_tile_is_known_by_what_was_paid(deltas, reason):
    from manue.records.drawn_rounds import reason_of

    state = RoundState(0)
    state.tiles_left = 0
    assert reason_of(RoundDrawn("", tuple(deltas)), state) == reason


@pytest.mark.parametrize("name", ["east.mjlog", "east.json"])
def test_the_length_of_the_game_survives(tmp_path, name):
    first, second = tmp_path / "first.mjson", tmp_path / name
    events = gzip.decompress(game("east-rules").read_bytes())
    first.write_bytes(events.replace(b'"start_game"', b'"start_game","kyoku_first":4', 1))
    assert main(["convert", str(first), "-o", str(second)]) == 0
    assert read_game(second)[0].event.last_round == EAST_ONLY


@pytest.mark.parametrize("number", [1.0, "1", [1], None, 55])
def test_a_yaku_with_a_number_that_is_none_was_a_traceback(number):
    fields = {"yaku_ids": [number, 8], "yaku_han": [1, 1]}
    assert yaku_names_of(fields) == ["断幺九(1飜)"]
    assert not names_every_yaku(fields)


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


def test_a_format_that_contradicts_the_name_of_the_file_was_written_under_it(tmp_path, capsys):
    log, out = str(game("four-riichi")), tmp_path / "one.json"
    assert main(["convert", log, "-o", str(out), "--to", "mjlog"]) == 2
    said = capsys.readouterr().err
    assert said == f"manue: --to mjlog contradicts the name {out}, which means tenhou\n"
    assert not out.exists()
    assert main(["convert", log, "-o", str(out), "--to", "tenhou"]) == 0


def test_a_single_conversion_said_nothing_and_replaces_what_was_there(tmp_path, capsys):
    out = tmp_path / "one.mjlog"
    out.write_text("something else")
    assert main(["convert", str(game("four-riichi")), "-o", str(out)]) == 0
    assert capsys.readouterr().err.splitlines()[-1] == f"{out}: 13 rounds"
    assert out.read_text().startswith("<mjloggm")


@pytest.mark.parametrize("name", ["one.mjsn", "one.mjlgo.gz", "-"])
def test_a_name_that_says_no_format_became_a_folder(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    log = str(game("four-riichi"))
    assert main(["convert", log, "-o", name]) == 2
    assert capsys.readouterr().err.startswith(f"manue: the name {name} says no format (.mjson, ")
    assert not Path(name).exists()
    Path("games.2026").mkdir()
    assert main(["convert", log, "-o", "games.2026"]) == 0
    assert main(["convert", log, log, "-o", "new.2026"]) == 0


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
    assert "junk.mjson: no game record (Mjai, Tenhou mjlog or tenhou.net/6, Mahjong Soul)" in said
    assert "three.json: a three-player game" in said
    assert said.endswith("2 games in " + str(tmp_path / "out") + ", 2 not converted\n")
    assert len(list((tmp_path / "out").iterdir())) == 2


@pytest.mark.parametrize("form", ["json", "mjlog"])
def test_a_round_without_a_result_was_lost_without_a_word(tmp_path, capsys, form):
    lines = gzip.decompress((DATA / "games" / "double-ron.mjson.gz").read_bytes()).splitlines(keepends=True)
    starts = [at for at, line in enumerate(lines) if b'"start_kyoku"' in line]
    cut, first = tmp_path / "cut.mjson", tmp_path / "first.mjson"
    cut.write_bytes(b"".join(lines[: starts[2] + 9]))
    first.write_bytes(b"".join(lines[: starts[0] + 9]))
    assert main(["convert", str(cut), "-o", str(tmp_path / f"cut.{form}")]) == 0
    assert "cut: left out, without a result: " in capsys.readouterr().err
    back = read_game(tmp_path / f"cut.{form}")
    assert sum(isinstance(entry.event, RoundStart) for entry in back) == 2
    assert main(["convert", str(first), "-o", str(tmp_path / f"first.{form}")]) == 1
    assert capsys.readouterr().err.endswith("first: no round of the game has a result\n")
    assert not (tmp_path / f"first.{form}").exists()


@pytest.mark.parametrize("form", ["json", "mjlog"])
@pytest.mark.parametrize("said", ["deltas", "scores"])
def test_the_penalty_of_an_illegal_action_is_no_abortive_draw(tmp_path, capsys, form, said):
    """Regression: riichienv's penalty became nine terminals for which seat 0 pays 12,000."""
    lines = gzip.decompress((DATA / "games" / "double-ron.mjson.gz").read_bytes()).splitlines(keepends=True)
    second = [at for at, line in enumerate(lines) if b'"start_kyoku"' in line][1]
    opening = [json.loads(line) for line in lines[:3]]
    start = opening[1]
    paid = [-12_000, 4_000, 4_000, 4_000]
    after = [points + change for points, change in zip(start["scores"], paid, strict=True)]
    penalty = {"type": "ryukyoku", "reason": "Error: Illegal Action by Player 0"}
    penalty |= {"deltas": paid} if said == "deltas" else {"scores": after}
    events = [*opening, penalty, {"type": "end_kyoku"}]
    written = "".join(json.dumps(event) + "\n" for event in events).encode()
    (tmp_path / "fault.mjson").write_bytes(written + b"".join(lines[second:]))
    assert main(["convert", str(tmp_path / "fault.mjson"), "-o", str(tmp_path / f"there.{form}")]) == 0
    left_out = round_text(start["bakaze"], start["kyoku"], start["honba"])
    assert f"fault: left out, without a result: {left_out}\n" in capsys.readouterr().err
    back = [entry.event for entry in read_game(tmp_path / f"there.{form}")]
    starts = [event for event in back if isinstance(event, RoundStart)]
    assert starts[0].scores == tuple(json.loads(lines[second])["scores"])
    assert len(starts) == sum(b'"start_kyoku"' in line for line in lines) - 1


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


WORTH = ("han", "fu", "hora_points", "hora_tehais", "yaku_ids", "yaku_han", "pai")


def bare(entry, **more):
    """A win as our referee writes it, without a word on what it was worth."""
    fields = {key: value for key, value in entry.fields().items() if key not in WORTH} | more
    message = parse_value(fields)
    return LogEntry(entry.where, message, message_to_event(message), json.dumps(fields).encode())


@pytest.mark.parametrize("name", ["four-agents", "double-ron", "robbed-kan", "four-kans", "thirteen-orphans"])
def test_wins_without_a_word_on_their_worth_are_scored(name):
    """Regression: in mjlog such wins had 0 fu and the yaku "dora, 0 han", in tenhou.net/6 no yaku at all."""
    log = [entry for entry in read_game(game(name)) if entry.event is not None]
    stripped = [bare(entry) if isinstance(entry.event, Won) else entry for entry in log]
    wins = 0
    for have, want in zip(completed(stripped, name), completed(log, name), strict=True):
        if want["type"] == "hora":
            wins += 1
            assert [have[key] for key in ("han", "fu", "hora_points")] == [
                want[key] for key in ("han", "fu", "hora_points")
            ]
            assert named(have) == named(want)
    assert wins


@pytest.mark.parametrize(("points", "han"), [(32_000, 13), (64_000, 26)])
def test_a_double_yakuman_of_mahjong_soul_lost_its_yaku(points, han):
    hands = [parse_tiles(hand) for hand in ("1234789m1236p11z", "19m19p19s1234567z")]
    hands += [parse_tiles(hand) for hand in ("222555888m2222p", "333666s3333m777p")]
    messages = [
        start_kyoku(tehais=hands, dora_marker="9s", scores=[25_000] * 4),
        {"type": "tsumo", "actor": 0, "pai": "5p"},
        {"type": "dahai", "actor": 0, "pai": "E", "tsumogiri": False},
        {"type": "hora", "actor": 1, "target": 0, "deltas": [-points, points, 0, 0]},
    ]
    *_, win = completed([entry_of(f"event {at}", fields) for at, fields in enumerate(messages)], "game")
    assert (win["han"], named(win)) == (han, [("kokushi musou 13-wait", han)])


def named(win):
    """The yaku of a win by our names: the sample games number every wind as East."""
    return sorted((TENHOU_YAKU[number], han) for number, han in yaku_of(win) if han)


@pytest.mark.parametrize(("seat", "table", "numbers"), [("E", "E", [10, 14]), ("N", "S", [13, 15])])
def test_winds_have_the_number_of_the_wind(seat, table, numbers):
    yaku = numbered_yaku([("seat wind", 1), ("round wind", 1), ("dora", 2)], seat, table)
    assert yaku == [(numbers[0], 1), (numbers[1], 1), (52, 2)]


def test_yaku_named_by_others_are_numbered_and_points_that_differ_leave_the_win_as_it_was():
    log = [entry for entry in read_game(game("double-ron")) if entry.event is not None]
    at = next(at for at, entry in enumerate(log) if isinstance(entry.event, Won))
    *_, win = completed([*log[:at], bare(log[at], yaku_names=["Riichi(1飜)"])], "game")
    assert "立直(1飜)" in yaku_names_of(win)
    *_, win = completed([*log[:at], bare(log[at], hora_points=100)], "game")
    assert not yaku_of(win)
    assert win["han"] is None


def test_a_win_with_one_yaku_of_unknown_name_is_numbered_by_its_hand(tmp_path):
    """Regression: of records saved from Mahjong Soul, mjlog lacked the winds and a double riichi."""
    assert main(["convert", str(game("double-riichi")), "-o", str(tmp_path / "here.json")]) == 0
    text = (tmp_path / "here.json").read_text()
    renamed = re.sub("自風 [東南西北]", "役牌:自風牌", re.sub("場風 [東南西北]", "役牌:場風牌", text))
    renamed = renamed.replace("両立直", "ダブル立直")
    assert {"役牌:自風牌", "役牌:場風牌", "ダブル立直"} <= set(re.findall(r'"([^"()]+)\(', renamed))
    (tmp_path / "soul.json").write_text(renamed)
    assert main(["convert", str(tmp_path / "soul.json"), "-o", str(tmp_path / "there.mjlog")]) == 0
    want, have = (
        [named(entry.fields()) for entry in read_game(path) if isinstance(entry.event, Won)]
        for path in (game("double-riichi"), tmp_path / "there.mjlog")
    )
    assert have == want


@pytest.mark.parametrize(
    ("points", "dealer", "limit"),
    [
        (7700, False, 0),
        (7900, False, 0),
        (8000, False, 1),
        (11_600, True, 0),
        (12_000, True, 1),
        (12_000, False, 2),
        (16_000, False, 3),
        (24_000, False, 4),
        (36_000, True, 4),
        (32_000, False, 5),
        (96_000, True, 5),
    ],
)
def test_the_limit_of_a_win_follows_from_its_points(points, dealer, limit):
    assert limit_of(points, dealer=dealer) == limit


def test_a_yakuman_counted_by_its_han_keeps_them(rare_logs, tmp_path):
    """Regression: its yaku were written as if each were a yakuman; a yakuman read from mjlog as none."""
    log = gzip.decompress(game("four-riichi").read_bytes()).decode().splitlines()
    at = next(at for at, line in enumerate(log) if '"hora"' in line[:16])
    for ids, han in (([1, 2, 52], [1, 1, 11]), ([47], [13])):
        win = json.loads(log[at]) | {"yaku_ids": ids, "yaku_han": han, "han": 13, "fu": 30}
        actor = win["actor"]
        start = json.loads(next(line for line in reversed(log[:at]) if '"start_kyoku"' in line))
        win["hora_points"] = 48_000 if start["oya"] == actor else 32_000
        events = [*log[:at], json.dumps(win), *log[at + 1 :]]
        (tmp_path / "one.mjson").write_text("\n".join(events))
        for name in ("two.mjlog", "three.mjlog", "four.json", "five.mjlog"):
            before = tmp_path / {"two": "one.mjson", "three": "two.mjlog", "four": "three.mjlog"}.get(
                name.split(".")[0], "four.json"
            )
            assert main(["convert", str(before), "-o", str(tmp_path / name)]) == 0
            (back,) = read_record(tmp_path / name)
            found = next(entry.fields() for entry in back if isinstance(entry.event, Won))
            assert yaku_of(found) == list(zip(ids, han, strict=True)), name
        assert ',5"' in (tmp_path / "five.mjlog").read_text().split("<AGARI")[1]


def test_sticks_left_at_the_end_are_in_the_final_scores(tmp_path):
    """Regression: tenhou.net/6 has the final scores beside the rounds; they were not read, nor written."""
    lines = gzip.decompress(game("four-riichi").read_bytes()).decode().splitlines()
    stop = next(at for at, line in enumerate(lines) if "suuchariichi" in line)
    events = [entry.event for entry in read_game(game("four-riichi")) if entry.event is not None]
    state = RoundState(0)
    for event in events[: stop + 1]:
        state.apply(event)
    assert state.deposits == 4
    final = list(state.scores)
    final[0] += 4000
    first = tmp_path / "first.mjson"
    end = [json.dumps({"type": "end_kyoku"}), json.dumps({"type": "end_game", "scores": final})]
    first.write_text("\n".join([*lines[: stop + 1], *end]))
    assert main(["convert", str(first), "-o", str(tmp_path / "there.json")]) == 0
    assert json.loads((tmp_path / "there.json").read_text())["sc"][::2] == final
    assert list(read_game(tmp_path / "there.json")[-1].event.scores) == final


@pytest.mark.parametrize("scores", [None, [], [1, 2], ["x"] * 8, [True, 0] * 4, [0.5, 0] * 4, {"0": 1}])
def test_final_scores_that_cannot_be_read_are_left_out(tmp_path, scores):
    assert main(["convert", str(game("four-riichi")), "-o", str(tmp_path / "there.json")]) == 0
    value = json.loads((tmp_path / "there.json").read_text()) | {"sc": scores}
    (tmp_path / "there.json").write_text(json.dumps(value))
    assert read_game(tmp_path / "there.json")[-1].event == GameEnd()


@pytest.mark.parametrize("name", ["there.mjlog", "there.json"])
@pytest.mark.parametrize("red", [False, True])
def test_records_of_tenhou_say_whether_there_are_red_fives(tmp_path, name, red):
    text = gzip.decompress(game("four-riichi").read_bytes()).decode()
    if not red:
        text = text.replace("5mr", "5m").replace("5pr", "5p").replace("5sr", "5s")
    (tmp_path / "here.mjson").write_text(text)
    assert main(["convert", str(tmp_path / "here.mjson"), "-o", str(tmp_path / name)]) == 0
    assert read_game(tmp_path / name)[0].fields()["aka_flag"] is red


@pytest.mark.parametrize("name", ["there.mjlog", "there.json"])
@pytest.mark.parametrize("red", [False, True])
@pytest.mark.parametrize("tanyao", [False, True])
def test_records_of_tenhou_said_that_tanyao_counts_with_an_open_hand_where_it_does_not(
    tmp_path, name, red, tanyao
):
    text = gzip.decompress(game("four-riichi").read_bytes()).decode()
    flags = f'"type":"start_game","kyoku_first":0,"aka_flag":{str(red).lower()}'
    text = text.replace('"type":"start_game"', flags + ("" if tanyao else ',"kuitan_flag":false'), 1)
    if not red:
        text = text.replace("5mr", "5m").replace("5pr", "5p").replace("5sr", "5s")
    (tmp_path / "here.mjson").write_text(text)
    assert main(["convert", str(tmp_path / "here.mjson"), "-o", str(tmp_path / name)]) == 0
    start = read_game(tmp_path / name)[0].event
    assert (start.red_fives, start.open_tanyao) == (red, None if tanyao else False)
    state = RoundState(0)
    state.apply(start)
    assert state.rules.open_tanyao is tanyao


@pytest.mark.parametrize(
    ("shown", "open_tanyao"),
    [
        ("若南祝0", None),
        ("琥東速祝２", None),
        ("銀東速祝2", None),
        ("般南喰赤暗", None),
        ("般南赤暗", False),
        ("鳳東赤速", False),
        ("四上南", False),
        ("東京リーグ", None),
    ],
)
def test_the_rooms_of_a_parlour_have_open_tanyao_without_saying_so(shown, open_tanyao):
    """Regression: 若南祝0, which leaves out 喰 and 赤, was a room where tanyao needs a closed hand."""
    record = {"name": list("abcd"), "rule": {"disp": shown}, "log": []}
    start = message_to_event(parse_value(next(read_tenhou_json(record, "record"))))
    assert start.open_tanyao is open_tanyao


@pytest.mark.parametrize("name", ["there.mjlog", "there.json"])
def test_a_game_with_red_fives_that_nobody_saw_keeps_them(tmp_path, name):
    """Regression: tenhou.net/6 and mjlog denied that there are any if none was seen, as in a single round."""
    hand = ["1m", "9m", "1p", "9p", "1s", "9s", "E", "S", "W", "N", "P", "F", "2m"]
    sets = [[f"{number}{suit}" for number in (2, 3, 4, 6) for _ in range(3)] for suit in "mps"]
    events = [
        {"type": "start_game", "names": ["a", "b", "c", "d"], "aka_flag": True},
        start_kyoku(dora_marker="9m", scores=[25_000] * 4, tehais=[hand, *([*tiles, "C"] for tiles in sets)]),
        {"type": "tsumo", "actor": 0, "pai": "7m"},
        {"type": "ryukyoku", "reason": "kyushukyuhai", "deltas": [0] * 4},
        {"type": "end_kyoku"},
        {"type": "end_game"},
    ]
    (tmp_path / "here.mjson").write_text("\n".join(map(json.dumps, events)))
    assert main(["convert", str(tmp_path / "here.mjson"), "-o", str(tmp_path / name)]) == 0
    assert read_game(tmp_path / name)[0].event.red_fives is True


@pytest.mark.parametrize("name", ["there.mjlog", "there.json"])
@pytest.mark.parametrize("from_draw", [False, True])
def test_which_of_two_copies_was_discarded_survives(tmp_path, name, from_draw):
    """Of a tile drawn and held, too, either may go."""
    hands = [parse_tiles(hand) for hand in ("1258m258p258s123z", *["369m369p369s4567z"] * 3)]
    events = [
        {"type": "start_game", "names": ["a", "b", "c", "d"]},
        start_kyoku(dora_marker="9m", scores=[25_000] * 4, tehais=hands),
        {"type": "tsumo", "actor": 0, "pai": "1m"},
        {"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": from_draw},
        {"type": "tsumo", "actor": 1, "pai": "1p"},
        {"type": "ryukyoku", "reason": "kyushukyuhai", "deltas": [0] * 4},
        {"type": "end_kyoku"},
        {"type": "end_game"},
    ]
    (tmp_path / "here.mjson").write_text("\n".join(map(json.dumps, events)))
    assert main(["convert", str(tmp_path / "here.mjson"), "-o", str(tmp_path / name)]) == 0
    (discard,) = (entry.event for entry in read_game(tmp_path / name) if isinstance(entry.event, Discarded))
    assert discard == Discarded(0, "1m", from_draw=from_draw)


def test_a_red_five_may_be_seen_as_the_indicator_of_a_kan_alone():
    start = start_kyoku(dora_marker="9m", tehais=[["1m"] * 13] * 4)
    drawn, shown = {"type": "tsumo", "actor": 0, "pai": "5p"}, {"type": "dora", "dora_marker": "5pr"}
    assert has_red_fives([start, drawn, shown])
    assert has_red_fives([start, drawn | {"pai": "5pr"}])
    assert not has_red_fives([start, drawn, shown | {"dora_marker": "5p"}])


@pytest.mark.parametrize("name", ["robbed-kan", "two-manue", "four-kans"])
def test_wins_are_written_with_melds_indicators_and_sticks_as_tenhou_does(tmp_path, name):
    """Regression: the melds of the winner, the indicators and the sticks won were left out."""
    assert main(["convert", str(game(name)), "-o", str(tmp_path / "there.mjlog")]) == 0
    text = (tmp_path / "there.mjlog").read_text()
    for one in text.split("<INIT")[1:]:
        calls = re.findall(r'<N who="(\d)" m="(\d+)"', one)
        indicators = [re.search(r'seed="(?:\d+,){5}(\d+)"', one)[1], *re.findall(r'<DORA hai="(\d+)"', one)]
        for win in re.findall("<AGARI[^>]*>", one):
            who = re.search(r'who="(\d)"', win)[1]
            mine = [int(code) for seat, code in calls if seat == who]
            added = {code // 512 // 3 for code in mine if code & 0x1C == 0x10}
            kept = [code for code in mine if not (code & 0x1C == 8 and code // 512 // 3 in added)]
            found = re.search(r' m="([\d,]+)"', win)
            assert (found[1] if found else "") == ",".join(map(str, kept))
            assert re.search(r'doraHai="([\d,]+)"', win)[1] == ",".join(indicators)
            changes = list(map(int, re.search(r' sc="([-\d,]+)"', win)[1].split(",")))[1::2]
            assert re.search(r'ba="\d+,(\d+)"', win)[1] == str(sum(changes) // 10)
            points, limit = map(int, re.search(r' ten="\d+,(\d+),(\d)"', win).groups())
            mangan = 12_000 if f'oya="{who}"' in one else 8_000
            assert limit == sum(points >= mangan * share for share in (1, 1.5, 2, 3, 4))


def test_a_win_with_its_yaku_unknown_has_its_han_as_dora_in_mjlog():
    events = list(completed([one for one in read_game(game("double-ron")) if one.event is not None], "game"))
    win = next(event for event in events if event["type"] == "hora")
    unknown = {key: value for key, value in win.items() if not key.startswith("yaku")} | {"han": 3}
    text = write_mjlog([unknown if event is win else event for event in events])
    assert text.count('yaku="52,3"') == 1


@pytest.mark.parametrize("name", ["there.mjson", "there.mjson.gz", "there.json", "there.mjlog"])
def test_what_cannot_be_written_leaves_the_file_that_was_there(tmp_path, monkeypatch, capsys, name):
    """Regression: Mjai was written line by line over the file that was there."""
    path = tmp_path / name
    path.write_bytes(b"before")
    write = Path.write_bytes

    def full(self, data):
        write(self, data[:100])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert main(["convert", str(game("four-riichi")), "-o", str(path)]) == 1
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]
    assert str(path) in capsys.readouterr().err


def test_the_case_of_an_ending_does_not_matter(tmp_path):
    """Regression: THERE.JSON became a folder."""
    path = tmp_path / "THERE.JSON.GZ"
    assert main(["convert", str(game("four-riichi")), "-o", str(path)]) == 0
    assert json.loads(gzip.decompress(path.read_bytes()))["log"]


@pytest.mark.parametrize("red", [False, True])
def test_the_name_of_the_rules_says_whether_there_are_red_fives(tmp_path, red):
    """Regression: tenhou.net/6 named every game one with red fives, beside a number that denied it."""
    text = gzip.decompress(game("four-riichi").read_bytes()).decode()
    if not red:
        text = text.replace("5mr", "5m").replace("5pr", "5p").replace("5sr", "5s")
    (tmp_path / "here.mjson").write_text(text)
    assert main(["convert", str(tmp_path / "here.mjson"), "-o", str(tmp_path / "there.json")]) == 0
    rule = json.loads((tmp_path / "there.json").read_text())["rule"]
    assert rule == {"disp": "南喰赤" if red else "南喰", "aka": int(red)}


def test_a_file_may_have_a_name_that_is_no_text(tmp_path):
    """Regression: such a name, which becomes the title of the record, ended in a traceback."""
    here = os.fsencode(tmp_path) + b"/h\xe9re.mjson.gz"
    Path(os.fsdecode(here)).write_bytes(game("four-agents").read_bytes())
    assert main(["convert", os.fsdecode(here), "-o", str(tmp_path / "there.json")]) == 0
    assert json.loads((tmp_path / "there.json").read_text())["title"] == ["h?re", ""]


GRADES = {"dan": [17, 16, 18, 20], "rate": [2144.0, 2061.5, 2123.25, 2031.0]}


@pytest.mark.parametrize(
    ("given", "dan", "rate"),
    [
        ({}, "0,0,0,0", "1500.00,1500.00,1500.00,1500.00"),
        (GRADES, "17,16,18,20", "2144.00,2061.50,2123.25,2031.00"),
        ({"dan": ["八段", "1級", "天鳳位", "新人"]}, "17,9,20,0", "1500.00,1500.00,1500.00,1500.00"),
        ({"dan": ["八段", "雀豪★3", "七段", "七段"]}, "0,0,0,0", "1500.00,1500.00,1500.00,1500.00"),
        ({"dan": [1, 2, 3], "rate": "high"}, "0,0,0,0", "1500.00,1500.00,1500.00,1500.00"),
        ({"dan": [10**400, 0, 0, 0], "rate": [None] * 4}, "0,0,0,0", "1500.00,1500.00,1500.00,1500.00"),
    ],
)
def test_players_in_mjlog_have_the_grades_that_its_readers_rely_on(tmp_path, given, dan, rate):
    """Regression: other programs ended at the players, for whom dan, rate and sex were missing."""
    first, *rest = gzip.decompress(game("four-riichi").read_bytes()).decode().splitlines()
    here, there, back = (tmp_path / name for name in ("here.mjson", "there.mjlog", "back.mjson"))
    here.write_text("\n".join([json.dumps(json.loads(first) | given), *rest]))
    assert main(["convert", str(here), "-o", str(there)]) == 0
    players = re.search("<UN [^>]*>", there.read_text())[0]
    assert f' dan="{dan}" rate="{rate}" sx="' in players
    if given is GRADES:
        assert main(["convert", str(there), "-o", str(back)]) == 0
        assert GRADES.items() <= read_game(back)[0].fields().items()


def test_grades_survive_the_way_to_json_and_back(tmp_path):
    """They were lost: the format has them, by name."""
    first, *rest = gzip.decompress(game("four-riichi").read_bytes()).decode().splitlines()
    here, there, back = (tmp_path / name for name in ("here.mjson", "there.json", "back.mjson"))
    here.write_text("\n".join([json.dumps(json.loads(first) | GRADES), *rest]))
    assert main(["convert", str(here), "-o", str(there)]) == 0
    record = json.loads(there.read_text())
    assert record["dan"] == ["八段", "七段", "九段", "天鳳位"]
    assert record["rate"] == GRADES["rate"]
    assert main(["convert", str(there), "-o", str(back)]) == 0
    assert GRADES.items() <= read_game(back)[0].fields().items()
    for other in (["雀豪★3"] * 4, ["八段"] * 3):  # those of Mahjong Soul are no grades at Tenhou
        there.write_text(json.dumps(record | {"dan": other}))
        assert not {"dan", "rate"} & read_game(there)[0].fields().keys()


def test_grades_that_cannot_be_read_are_left_out(tmp_path):
    path = tmp_path / "here.mjlog"
    assert main(["convert", str(game("four-riichi")), "-o", str(path)]) == 0
    path.write_text(path.read_text().replace('dan="0,0,0,0"', 'dan="0,0,?,0"').replace("1500.00,", "", 1))
    assert not {"dan", "rate"} & read_game(path)[0].fields().keys()


@pytest.mark.parametrize("name", ["there.mjlog", "there.json"])
@pytest.mark.parametrize(
    ("kind", "odd"),
    [
        ("ryukyoku", lambda _: {"tehais": [None, ["1m"], [], []]}),
        ("start_kyoku", lambda fields: {"dora_marker": [fields["dora_marker"]]}),
        ("start_game", lambda _: {"names": ["a", None, "c", "d"]}),
        ("hora", lambda _: {"pao": "nobody"}),
    ],
)
def test_what_a_record_may_write_otherwise_is_converted(tmp_path, name, kind, odd):
    """Regression: hidden hands as `null`, an indicator in a list, a player without a name: tracebacks."""
    text = gzip.decompress(game("four-riichi").read_bytes()).decode()
    events = [json.loads(re.sub("5([mps])r", r"5\1", line)) for line in text.splitlines()]
    given = [fields | odd(fields) if fields["type"] == kind else fields for fields in events]
    assert any(fields["type"] == kind for fields in given)
    here = tmp_path / "here.mjson"
    here.write_text("\n".join(map(json.dumps, given)))
    assert main(["convert", str(here), "-o", str(tmp_path / name)]) == 0
    first, *_ = read_record(tmp_path / name)
    assert first[0].event.names[0] == ("a" if kind == "start_game" else given[0]["names"][0])
    assert len(first) == len(given)


@pytest.mark.parametrize("name", ["record.mjlog", "record.json"])
def test_that_a_game_was_by_mahjong_souls_rules_was_lost_without_a_word(tmp_path, capsys, name):
    log = tmp_path / "game.mjson"
    lines = gzip.decompress(game("two-manue").read_bytes()).decode().splitlines(keepends=True)
    log.write_text(lines[0].replace("{", '{"rules":"mjsoul",', 1) + "".join(lines[1:]))
    assert main(["convert", str(log), "-o", str(tmp_path / name)]) == 0
    assert (
        "this format does not name Mahjong Soul's rules; read it with --rules mjsoul"
        in capsys.readouterr().err
    )
    assert main(["convert", str(game("two-manue")), "-o", str(tmp_path / name)]) == 0
    assert "Mahjong Soul" not in capsys.readouterr().err
