"""Mahjong Soul's own records: games written as its downloaders save them are read back event by event."""

import copy
import gzip
import json
from dataclasses import replace

import pytest

from manue.__main__ import main
from manue.errors import LogError
from manue.game.events import Discarded, DoraRevealed, GameEnd, GameStart, RoundDrawn, RoundStart, Won
from manue.game.state import RoundState
from manue.records.completed import completed
from manue.records.formats import read_game, read_record, salvaged_game
from manue.records.length import stated_length, with_length
from manue.records.mahjong_soul import YAKU_IDS, read_mahjong_soul, tile_of
from manue.rules import EAST_ONLY, HANCHAN, MAHJONG_SOUL
from manue.tiles import parse_tiles
from tests.conftest import game
from tests.records.mahjong_soul_writer import TENHOU_TO_SOUL, camel_case, name_of, without_defaults, written
from tests.records.test_convert import core


def record_of(log, shape="actions", length=HANCHAN):
    return written(completed(with_length(read_game(log), length), "test"), shape)


def save(path, value, **style):
    path.write_text(json.dumps(value, ensure_ascii=False, **style), "utf-8")
    return path


def events_of(path, length=HANCHAN):
    (game_read,) = read_record(path)
    return [entry.event for entry in with_length(game_read, length) if entry.event is not None]


def test_every_event_is_read_back(rare_logs, tmp_path):
    for log in rare_logs:
        path = save(tmp_path / "record.json", record_of(log))
        for number, (have, want) in enumerate(zip(events_of(path), events_of(log), strict=True)):
            valued = not isinstance(want, Won) or (want.fu and want.han)
            pair = [compared(event, valued=valued) for event in (have, want)]
            assert pair[0] == pair[1], f"{log.name}, event {number}"


def compared(event, *, valued):
    """An event without what the format lacks, points after changes, and what it alone says, the rules."""
    if isinstance(event, GameStart):
        event = replace(event, rules=None)
    return core(event, scores=False, valued=valued)


def test_a_record_says_by_which_rules_it_was_played(tmp_path):
    """Regression: a double yakuman was one yakuman unless the rules were given by hand."""
    path = save(tmp_path / "record.json", record_of(game("four-kans")))
    state = RoundState(0)
    state.apply(events_of(path)[0])
    assert state.rules == MAHJONG_SOUL


@pytest.mark.parametrize("shape", ["records", "camel", "bare"])
def test_every_shape_of_the_format_is_the_same_game(tmp_path, shape):
    for name in ("four-kans", "double-ron", "four-riichi"):
        path = save(tmp_path / "record.json", record_of(game(name)))
        other = save(tmp_path / "other.json", record_of(game(name), shape))
        pairs = list(zip(read_game(other), read_game(path), strict=True))[1:]  # a bare list has no names
        assert all(have.event == want.event for have, want in pairs[:-1])
        assert pairs[-1][0].message.type == "end_game"


def test_riichienv_scores_every_win_alike():
    """The writer of these tests is judged by another program's reader of the format."""
    riichienv = pytest.importorskip("riichienv")
    for name, wins in (("four-kans", 12), ("double-ron", 7), ("robbed-kan", 7)):
        rounds = []
        for record in record_of(game(name), "bare"):
            kind = record["name"].removeprefix(".lq.Record")
            if kind == "NewRound":
                rounds.append([])
            rounds[-1].append({"name": kind, "data": record["data"]})
        assert riichienv.MjSoulReplay.from_dict(rounds).verify() == (wins, 0), name


def test_tiles():
    assert [tile_of(name) for name in ("0m", "0p", "0s", "5m", "9s")] == ["5mr", "5pr", "5sr", "5m", "9s"]
    assert [tile_of(f"{number}z") for number in range(1, 8)] == list("ESWNPFC")
    for name in ("0z", "8z", "10m", "m5", "", "5", "?"):
        with pytest.raises(ValueError, match="is not a tile"):
            tile_of(name)


def test_wins_are_worth_what_they_were(tmp_path):
    """Two wins off one discard share what the record adds up."""
    path = save(tmp_path / "record.json", record_of(game("double-ron")))
    wins, want = (
        [entry.fields() for entry in read_game(log) if isinstance(entry.event, Won)]
        for log in (path, game("double-ron"))
    )
    for key in ("deltas", "yaku_ids", "yaku_han", "fu", "han", "hora_points", "ura_markers", "pai"):
        assert [win[key] for win in wins] == [win[key] for win in want], key


def test_names_scores_and_length_come_from_the_head(tmp_path):
    value = record_of(game("east-rules"), length=EAST_ONLY)
    value["head"]["accounts"][2]["nickname"] = "さくら"
    del value["head"]["accounts"][3]
    found = read_game(save(tmp_path / "record.json", value))
    assert stated_length(found) == EAST_ONLY
    assert found[0].event.names[2:] == ("さくら", "Seat 3")
    scores = found[-1].event.scores
    assert scores == read_game(game("east-rules"))[-1].event.scores
    for player in value["head"]["result"]["players"]:  # regression: no final scores, written so
        player["partPoint1"] = player.pop("part_point_1")
    assert read_game(save(tmp_path / "record.json", value))[-1].event.scores == scores


def test_a_win_with_a_yaku_of_another_game_names_none(tmp_path):
    value = record_of(game("four-riichi"), "bare")
    first_of(value, "Hule")["hules"][0]["fans"].append({"id": 9500, "val": 1})
    win = next(e for e in read_game(save(tmp_path / "r.json", value)) if isinstance(e.event, Won))
    assert "yaku_ids" not in win.fields()
    assert win.event.points == 3900


def test_every_yaku_has_the_number_that_the_writer_gives_it():
    assert {soul: tenhou for tenhou, soul in TENHOU_TO_SOUL.items()} == YAKU_IDS


def test_a_tile_like_the_one_drawn_may_come_from_the_hand(tmp_path):
    value = record_of(game("four-riichi"), "bare")
    drawn = [record["data"] for record in value if record["data"].get("moqie")]
    drawn[0]["moqie"] = False

    def as_drawn(path):
        return sum(isinstance(event, Discarded) and event.from_draw for event in events_of(path))

    assert as_drawn(save(tmp_path / "r.json", value)) == as_drawn(game("four-riichi")) - 1


@pytest.mark.parametrize("tenpai", [True, False])
def test_a_draw_without_payments_says_whether_all_or_none_were_tenpai(tmp_path, tenpai):
    value = record_of(game("east-rules"), "bare")
    value[3:] = [{"name": ".lq.RecordNoTile", "data": {"players": [{"tingpai": tenpai}] * 4}}]
    drawn = next(e for e in events_of(save(tmp_path / "r.json", value)) if isinstance(e, RoundDrawn))
    assert drawn.tenpai == (tenpai,) * 4


def test_a_draw_may_leave_out_who_was_tenpai(tmp_path):
    value = record_of(game("east-rules"), "bare")
    value[3:] = [{"name": ".lq.RecordNoTile", "data": {}}]
    drawn = next(e for e in events_of(save(tmp_path / "r.json", value)) if isinstance(e, RoundDrawn))
    assert drawn.tenpai is None


def test_the_indicator_of_an_open_kan_is_shown_before_the_next_kan():
    def tiles(text):
        return [text[at : at + 2] for at in range(0, len(text), 2)]

    hands = {"tiles0": "9p1z2z3z4z5z6z7z1p4p7p2s5s8s", "tiles1": "9p9p9p1m1m1m1m3m6m9m1s4s7s"}
    hands |= {"tiles2": "2m5m8m2p5p8p3s6s9s1z2z3z4z", "tiles3": "3m6m9m3p6p1s4s7s5z6z7z1z2z"}
    deal = {"scores": [25000] * 4, "doras": ["8m"]} | {seat: tiles(hand) for seat, hand in hands.items()}
    records = [
        ("NewRound", deal),
        ("DiscardTile", {"seat": 0, "tile": "9p"}),
        ("ChiPengGang", {"seat": 1, "type": 2, "tiles": ["9p"] * 4, "froms": [1, 1, 1, 0]}),
        ("DealTile", {"seat": 1, "tile": "5s"}),
        ("AnGangAddGang", {"seat": 1, "type": 3, "tiles": "1m", "doras": ["8m", "7p", "8p"]}),
        ("DealTile", {"seat": 1, "tile": "6s"}),
        ("DiscardTile", {"seat": 1}),
    ]
    value = [{"name": name, "data": data} for name, data in records]
    read = list(read_mahjong_soul(value, "test", cut=True))
    assert [fields["type"] for fields in read[4:]] == [
        "daiminkan",
        "tsumo",
        "dora",
        "ankan",
        "dora",
        "tsumo",
    ]


def test_an_indicator_that_only_the_win_has_is_shown_before_it(tmp_path):
    value = record_of(game("four-riichi"), "bare")
    first_of(value, "Hule")["hules"][0]["doras"].append("9s")
    events = events_of(save(tmp_path / "r.json", value))
    won = next(at for at, event in enumerate(events) if isinstance(event, Won))
    assert events[won - 1] == DoraRevealed("9s")


@pytest.fixture(scope="module")
def whole():
    return record_of(game("east-rules"), length=EAST_ONLY)


def test_indented_and_packed_records_are_read(whole, tmp_path):
    plain = read_game(save(tmp_path / "plain.json", whole))
    save(tmp_path / "paipu.txt", whole, indent=2)
    (tmp_path / "packed.json.gz").write_bytes(gzip.compress((tmp_path / "paipu.txt").read_bytes()))
    for name in ("paipu.txt", "packed.json.gz"):
        assert [entry.text for entry in read_game(tmp_path / name)] == [entry.text for entry in plain]


def test_several_records_in_one_file(whole, tmp_path):
    assert len(read_record(save(tmp_path / "array.json", [whole, whole]))) == 2
    lines = tmp_path / "lines.json"
    lines.write_text("\n".join([json.dumps(whole)] * 3), "utf-8")
    assert len(read_record(lines)) == 3


def test_a_cut_record_is_read_up_to_the_damage(whole, tmp_path):
    path = save(tmp_path / "record.json", whole)
    text = path.read_text("utf-8")
    path.write_text(text[: len(text) * 6 // 10], "utf-8")
    rounds, trouble = salvaged_game(path)
    assert trouble is not None
    assert rounds[-1].message.type == "end_kyoku"
    want = read_game(game("east-rules"))
    assert [entry.message.type for entry in rounds] == [entry.message.type for entry in want[: len(rounds)]]
    assert len(rounds) > 50


def cut_after(value, moves):
    """Leave only the first moves of a record."""
    return value[:moves] if isinstance(value, list) else value | {"data": value["data"][:moves]}


def ends_of_rounds(moves):
    ends = ("Hule", "NoTile", "LiuJu")
    return [at for at, move in enumerate(moves, 1) if move["name"].removeprefix(".lq.Record") in ends]


@pytest.mark.parametrize("shape", ["bare", "camel"])
def test_moves_that_stop_after_a_round_are_no_finished_game(tmp_path, shape):
    """Regression: every record whose JSON is whole had an end, so that its points were the final ones."""
    value = record_of(game("four-riichi"), shape)
    if shape == "camel":
        del value["head"]["result"]
    second, last = (ends_of_rounds(value if shape == "bare" else value["data"])[at] for at in (1, -1))
    excerpt, trouble = salvaged_game(save(tmp_path / "early.json", cut_after(value, second)))
    assert trouble is None
    assert excerpt[-1].message.type == "end_kyoku"
    whole, _ = salvaged_game(save(tmp_path / "whole.json", cut_after(value, last)))
    assert whole[-1].event == GameEnd()


@pytest.mark.parametrize("shape", ["bare", "camel"])
def test_moves_that_stop_within_a_round_are_damage(tmp_path, shape):
    """Regression: such a record was read as whole, with its last round left out or counted as nothing."""
    value = record_of(game("four-riichi"), shape)
    second = ends_of_rounds(value if shape == "bare" else value["data"])[1]
    rounds, trouble = salvaged_game(save(tmp_path / "early.json", cut_after(value, second + 5)))
    assert f"the moves end within a round, at record {second + 5}" in str(trouble)
    assert rounds[-1].message.type == "end_kyoku"
    assert sum(isinstance(entry.event, RoundStart) for entry in rounds) == 2


def first_of(value, name):
    return next(record["data"] for record in value if record["name"].endswith(name))


def three_scores(value):
    first_of(value, "NewRound")["scores"] = [35000] * 3


def north(value):
    value.insert(9, {"name": ".lq.RecordBaBei", "data": {"seat": 0}})


def another_game(value):
    value.insert(9, {"name": ".lq.RecordRevealTile", "data": {"seat": 0}})


def five_sides(value):
    first_of(value, "DealTile")["tile"] = "10m"


def nobody(value):
    first_of(value, "DiscardTile")["seat"] = 4


def own_tiles(value):
    """Regression: a traceback."""
    data = {"seat": 1, "type": 1, "tiles": ["1m"] * 3, "froms": [1] * 3}
    value.insert(2, {"name": ".lq.RecordChiPengGang", "data": data})


def somebody_elses(value):
    first_of(value, "DiscardTile")["tile"] = "7z"


def no_pon(value):
    tile = first_of(value, "NewRound")["tiles0"][0]
    value.insert(1, {"name": ".lq.RecordAnGangAddGang", "data": {"seat": 0, "type": 2, "tiles": tile}})


def no_hands(value):
    del first_of(value, "NewRound")["tiles2"]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (three_scores, "a three-player game (sanma): not supported"),
        (north, "a three-player game (sanma): not supported"),
        (another_game, "record 10 (RevealTile): no record of four-player riichi"),
        (five_sides, "record 3 (DealTile): '10m' is not a tile"),
        (nobody, "record 2 (DiscardTile): 4 is not a seat"),
        (own_tiles, "record 3 (ChiPengGang): seat 1 calls no tile of another seat"),
        (somebody_elses, "record 2 (DiscardTile): seat 0 does not hold C"),
        (no_pon, "record 2 (AnGangAddGang): seat 0 has no pon to add"),
        (no_hands, "record 1 (NewRound): no 'tiles2'"),
    ],
)
def test_damage_is_one_clear_line(tmp_path, capsys, damage, words):
    value = record_of(game("east-rules"), "bare")
    damage(value)
    path = save(tmp_path / "damaged.json", value)
    with pytest.raises(LogError) as caught:
        read_record(path)
    assert words in str(caught.value)
    assert main(["view", str(path), "-o", str(tmp_path / "page.html")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_damaged_head_is_named(tmp_path):
    """Regression: a seat that is no number ended in a traceback."""
    value = record_of(game("east-rules"), length=EAST_ONLY)
    value["head"]["result"]["players"][0]["seat"] = []
    with pytest.raises(LogError, match=r"the head: \[\] is not a seat"):
        read_record(save(tmp_path / "damaged.json", value))


@pytest.mark.parametrize(
    "value",
    [
        {"head": {}, "data": ""},
        {"head": {"result": {"players": [1, None]}}, "data": {"name": ".lq.GameDetailRecords", "data": {}}},
        {"head": {}, "data": {"data": {"version": 210715, "actions": [{"type": 1, "result": "CgB="}]}}},
        {"head": None, "data": [1, [], "x"]},
    ],
)
def test_a_record_without_moves_says_so(tmp_path, capsys, value):
    path = save(tmp_path / "empty.json", value)
    assert main(["convert", str(path), "-o", str(tmp_path / "game.mjson")]) == 1
    assert capsys.readouterr().err.endswith(
        "a Mahjong Soul record without its moves: it was not downloaded whole\n"
    )


def test_a_game_of_three_is_known_by_its_head(whole, tmp_path):
    value = copy.deepcopy(whole)
    value["head"]["config"]["mode"]["mode"] = 12
    with pytest.raises(LogError, match="three-player"):
        read_record(save(tmp_path / "three.json", value))


@pytest.mark.parametrize(
    ("room", "red", "tanyao"),
    [
        ({"dora_count": 0, "shiduan": 1, "init_point": 25000}, False, True),
        ({"dora_count": 3, "shiduan": 0, "init_point": 25000}, True, False),
        ({"shiduan": 1, "init_point": 25000}, False, True),  # zeros may be left out
        ({"dora_count": 3, "init_point": 25000}, True, False),
        ({"dora_count": 0, "shiduan": 0, "init_point": 0}, True, True),  # nothing was set
        ({}, True, True),
        (None, True, True),
    ],
)
def test_the_rules_of_a_room_of_friends_were_not_read(whole, tmp_path, room, red, tanyao):
    value = copy.deepcopy(whole)
    value["head"]["config"]["mode"]["detail_rule"] = room
    state = RoundState(0)
    state.apply(read_game(save(tmp_path / "room.json", value))[0].event)
    assert (state.rules.red_fives, state.rules.open_tanyao) == (red, tanyao)


def test_a_second_red_five_looked_like_damage(whole, tmp_path):
    value = copy.deepcopy(whole)
    value["head"]["config"]["mode"]["detailRule"] = {"doraCount": 4}
    with pytest.raises(LogError, match="a game with four red fives, which manue does not know"):
        read_record(save(tmp_path / "four.json", value))


def test_it_is_converted_reviewed_and_viewed(whole, tmp_path, capsys):
    path = save(tmp_path / "record.json", whole)
    assert main(["convert", str(path), "-o", str(tmp_path / "game.mjlog")]) == 0
    assert [type(event) for event in events_of(tmp_path / "game.mjlog")] == [
        type(event) for event in events_of(game("east-rules"))
    ]
    assert main(["view", str(path), "-o", str(tmp_path / "page.html")]) == 0
    assert main(["review", str(path), "--agent", "tsumogiri", "--seat", "0"]) == 0
    assert "agreement over" in capsys.readouterr().out


def test_text_files_of_a_folder_are_records_if_they_begin_as_such(whole, tmp_path):
    folder = tmp_path / "paipu"
    folder.mkdir()
    save(folder / "game.txt", whole)
    (folder / "notes.txt").write_text("milk, eggs")
    assert main(["convert", str(folder), "-o", str(tmp_path / "out")]) == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["game.mjson.gz"]


def test_who_was_liable_for_a_second_win_paid_nothing_for_it(tmp_path):
    """Regression: the first winner's change was then short of that, and the payer seemed to gain."""
    wins = [
        {"seat": 1, "hu_tile": "1m", "point_rong": 1000, "fans": [], "count": 1, "fu": 30},
        {"seat": 2, "hu_tile": "1m", "point_rong": 32_000, "fans": [{"id": 37, "val": 1}], "yiman": True}
        | {"count": 1, "fu": 40, "baopai": 4},
    ]
    value = record_of(game("east-rules"), "bare")
    at = next(at for at, one in enumerate(value) if one["data"].get("seat") == 0 and "Discard" in one["name"])
    payments = [-17_000, 1000, 32_000, -16_000]
    value[at + 1 :] = [{"name": ".lq.RecordHule", "data": {"delta_scores": payments, "hules": wins}}]
    paid = [event.deltas for event in events_of(save(tmp_path / "r.json", value)) if isinstance(event, Won)]
    assert paid == [(-1000, 1000, 0, 0), (-16_000, 0, 32_000, -16_000)]


HEAVENLY = parse_tiles("123456m067p77s999m")


def heavenly(dealer, named, **win):
    """A round that its dealer wins at once, with 9m as the last of the 14 tiles."""
    hands = [HEAVENLY if seat == dealer else parse_tiles("147m258p369s1234z") for seat in range(4)]
    tiles = {f"tiles{seat}": [name_of(tile) for tile in hand] for seat, hand in enumerate(hands)}
    start = {"ju": dealer, "scores": [25_000] * 4, "doras": ["1s"], **tiles}
    win = {"seat": dealer, "hu_tile": named, "zimo": True, "yiman": True, "count": 1, **win}
    win |= {"fans": [{"id": 35, "val": 1}], "point_zimo_xian": 16_000}
    payments = [-16_000 + 64_000 * (seat == dealer) for seat in range(4)]
    return [
        {"name": ".lq.RecordNewRound", "data": start},
        {"name": ".lq.RecordHule", "data": {"delta_scores": payments, "hules": [win]}},
    ]


@pytest.mark.parametrize("dealer", [0, 2])
@pytest.mark.parametrize("shape", [lambda value: value, camel_case, without_defaults])
@pytest.mark.parametrize(("named", "drawn"), [("9m", "9m"), ("7s", "7s"), ("0p", "5pr")])
def test_a_heavenly_hand_is_read_with_the_tile_it_is_named_for(tmp_path, dealer, shape, named, drawn):
    """Regression: the dealer's first draw was the last of its 14 tiles, and the win impossible."""
    path = save(tmp_path / "record.json", shape(heavenly(dealer, named)))
    game_read, trouble = salvaged_game(path)
    start, draw, won = (entry.event for entry in game_read[1:4])
    assert trouble is None
    assert (draw.actor, draw.tile, won.actor, won.tile) == (dealer, drawn, dealer, drawn)
    assert sorted([*start.hands[dealer], drawn]) == sorted(HEAVENLY)


@pytest.mark.parametrize("win", [{"zimo": False}, {"seat": 1}, {"hu_tile": "1z"}, {"hu_tile": 5}])
def test_only_the_dealers_self_draw_names_its_first_tile(win):
    records = heavenly(0, "7s", **win)
    assert next(one["pai"] for one in read_mahjong_soul(records, "test") if one["type"] == "tsumo") == "9m"
