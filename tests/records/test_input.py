"""What people have on their disks: cut short, packed, in other encodings, of three players, links."""

import bz2
import gzip
import json
import lzma
from pathlib import Path
from urllib.parse import quote

import pytest

from manue.__main__ import main
from manue.errors import LogError, UsageError
from manue.game.events import Discarded, GameEnd, RoundEnd
from manue.records.formats import read_game, read_record, salvaged_game
from tests.conftest import game
from tests.messages import start_kyoku

LOG = game("double-riichi")


@pytest.fixture(scope="module")
def formats(tmp_path_factory):
    """One game in every format, as text."""
    folder = tmp_path_factory.mktemp("formats")
    for name in ("game.mjson", "game.mjlog", "game.json"):
        assert main(["convert", str(LOG), "-o", str(folder / name)]) == 0
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def texts(path):
    return [entry.text for one in read_record(path) for entry in one]


ENCODINGS = {
    "bom": lambda text: text.encode("utf-8-sig"),
    "utf-16": lambda text: text.encode("utf-16"),
    "utf-16-be": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "utf-16 without a mark": lambda text: text.encode("utf-16-le"),
    "gzip": lambda text: gzip.compress(text.encode()),
    "gzip of utf-16": lambda text: gzip.compress(text.encode("utf-16")),
}


@pytest.mark.parametrize("name", ["game.mjson", "game.mjlog", "game.json"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding_reads_the_same(formats, tmp_path, name, encoding):
    plain, other = tmp_path / "plain", tmp_path / "other"
    plain.write_text(formats[name], "utf-8")
    other.write_bytes(ENCODINGS[encoding](formats[name]))
    assert texts(other) == texts(plain)


@pytest.mark.parametrize("name", ["game.mjson", "game.json"])
def test_a_name_may_end_in_half_a_character(formats, tmp_path, name):
    """Regression: "not JSON: unexpected end of hex escape"."""
    plain, cut = tmp_path / "plain", tmp_path / "cut"
    first = json.loads(formats["game.mjson"].split("\n")[0])["names"][0]
    plain.write_text(formats[name].replace(f'"{first}"', f'"{first}\\ufffd"'), "utf-8")
    cut.write_text(formats[name].replace(f'"{first}"', f'"{first}\\ud83d"'), "utf-8")
    assert texts(cut) == texts(plain)
    assert plain.read_text("utf-8") != formats[name]


@pytest.mark.parametrize("encoding", ["shift-jis", "euc-jp", "gbk"])
def test_a_record_of_tenhou_in_another_encoding_was_said_to_lack_a_type(formats, tmp_path, encoding):
    path = tmp_path / "game.json"
    path.write_bytes(formats["game.json"].encode(encoding))
    with pytest.raises(LogError, match="the text is not in UTF-8: save it in that"):
        read_record(path)


FORMS = {
    "lines": lambda events: "\n".join(json.dumps(event, ensure_ascii=False) for event in events),
    "array": lambda events: json.dumps(events, ensure_ascii=False),
    "pretty": lambda events: "\n".join(json.dumps(event, ensure_ascii=False, indent=1) for event in events),
    "pretty array": lambda events: json.dumps(events, ensure_ascii=False, indent=1),
}


@pytest.mark.parametrize("encoding", ["shift-jis", "euc-jp", "gbk"])
@pytest.mark.parametrize("form", FORMS)
def test_names_may_be_in_another_encoding(formats, tmp_path, encoding, form):
    """Regression: "invalid unicode code point", though a host's line with such a name was read."""
    path = tmp_path / "record.mjson"
    events = [json.loads(line) for line in formats["game.mjson"].splitlines()]
    events[0]["names"] = ["麻雀", "太郎", "花子", "Four"]
    path.write_bytes(FORMS[form](events).encode(encoding))
    first, *others = [entry.fields() for entry in read_game(path)]
    assert others == events[1:]
    assert [name.count("\ufffd") > 0 for name in first["names"]] == [True, True, True, False]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("was", "damaged"),
    [
        (b'"tsumo"', b'"tsum\x82"'),
        (b'"actor"', b'"\x82ctor"'),
        (b'"pai": "', b'"pai": "\x82'),
        (b"{", b"\x82{"),
    ],
    ids=["type", "field", "tile", "between"],
)
def test_a_damage_is_one_in_any_encoding(formats, tmp_path, form, was, damaged):
    path = tmp_path / "record.mjson"
    text = FORMS[form]([json.loads(line) for line in formats["game.mjson"].splitlines()]).encode()
    before, first, after = text.partition(b'"tsumo"')
    path.write_bytes(before + (first + after).replace(was, damaged, 1))
    with pytest.raises(LogError, match=r"record\.mjson, line "):
        read_game(path)


def test_an_xml_that_says_utf_16_is_read(formats, tmp_path):
    path = tmp_path / "record.xml"
    path.write_bytes(('<?xml version="1.0" encoding="UTF-16"?>\r\n' + formats["game.mjlog"]).encode("utf-16"))
    assert len(texts(path)) > 100


def test_pretty_printed_events_are_read(formats, tmp_path):
    plain, pretty = tmp_path / "plain", tmp_path / "pretty"
    plain.write_text(formats["game.mjson"], "utf-8")
    events = [json.loads(line) for line in formats["game.mjson"].splitlines()]
    pretty.write_text("\n".join(json.dumps(event, indent=2) for event in events), "utf-8")
    assert [json.loads(text) for text in texts(pretty)] == [json.loads(text) for text in texts(plain)]
    pretty.write_text(json.dumps(json.loads(formats["game.json"]), indent=2), "utf-8")
    plain.write_text(formats["game.json"], "utf-8")
    assert texts(pretty) == texts(plain)


@pytest.mark.parametrize(
    "together",
    [
        lambda formats: formats["game.mjson"] * 2,
        lambda formats: formats["game.mjlog"] * 2,
        lambda formats: formats["game.json"] * 2,
        lambda formats: f"[{formats['game.json']},{formats['game.json']}]",
    ],
    ids=["mjai", "mjlog", "a line each", "array"],
)
def test_several_games_of_one_file(formats, tmp_path, together):
    path = tmp_path / "two"
    path.write_text(together(formats), "utf-8")
    first, second = read_record(path)
    assert [entry.text for entry in first] == [entry.text for entry in second]
    with pytest.raises(UsageError, match="holds 2 games"):
        read_game(path)
    assert len(read_game(path, 2)) == len(second)


@pytest.mark.parametrize(
    "link",
    [
        lambda text: "https://tenhou.net/6/#json=" + quote(text),
        lambda text: "http://tenhou.net/6/#json=" + quote(text, safe='"[]{}:,') + "&ts=0&tw=1\r",
        lambda text: "https://tenhou.net/6/#json=" + text,
        quote,
    ],
    ids=["link", "link with its view", "link as it is", "what follows json="],
)
def test_a_link_that_holds_the_record_is_read_from_a_file(formats, tmp_path, link):
    """Regression: what follows json=, saved as we advise, was no JSON."""
    path = tmp_path / "record.json"
    path.write_text(formats["game.json"], "utf-8")
    (want,) = read_record(path)
    line = link(json.dumps(json.loads(formats["game.json"]), ensure_ascii=False))
    path.write_text(f"{line}\n{line}\n", "utf-8")
    first, second = read_record(path)
    assert [entry.event for entry in first] == [entry.event for entry in second]
    assert [entry.event for entry in first] == [entry.event for entry in want]


def test_links_to_the_rounds_of_a_game_are_one_game(formats, tmp_path):
    """Regression: other programs write a link for each round, and each was a game of its own."""
    path = tmp_path / "links.txt"
    whole = json.loads(formats["game.json"])
    del whole["sc"]
    path.write_text(json.dumps(whole), "utf-8")
    (want,) = read_record(path)
    rounds = [whole | {"log": [one]} for one in whole["log"]]
    lines = ["https://tenhou.net/6/#json=" + quote(json.dumps(one)) for one in rounds]
    path.write_text("\n".join(lines * 2), "utf-8")
    first, second = read_record(path)
    assert [entry.event for entry in first] == [entry.event for entry in second]
    assert [entry.event for entry in first] == [entry.event for entry in want]
    rounds[3]["log"][0][1] = [25_000] * 4
    for apart in (
        rounds[2:4],
        rounds[1::-1],
        [rounds[0], rounds[1] | {"name": ["a", "b", "c", "d"]}],
        rounds[:1] * 2,
    ):
        path.write_text("\n".join(map(json.dumps, apart)), "utf-8")
        assert len(read_record(path)) == 2


@pytest.mark.parametrize("name", ["game.mjson", "game.mjlog", "game.json"])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_cut_record_is_read_up_to_the_damage(formats, tmp_path, name, packed):
    path = tmp_path / name
    data = formats[name].encode()
    if packed:
        data = gzip.compress(data)
    path.write_bytes(data[: len(data) * 6 // 10])
    with pytest.raises(LogError):
        read_record(path)
    rounds, trouble = salvaged_game(path)
    whole = read_game(LOG)
    assert trouble is not None
    assert rounds[-1].message.type == "end_kyoku"
    assert 50 < len(rounds) < len(whole)
    assert [entry.message.type for entry in rounds] == [e.message.type for e in whole[: len(rounds)]]


@pytest.mark.parametrize("name", ["game.mjson", "game.mjlog", "game.json"])
def test_a_cut_record_is_reviewed_and_says_which_rounds(formats, tmp_path, capsys, name):
    path = tmp_path / name
    path.write_text(formats[name][: len(formats[name]) // 2], "utf-8")
    assert main(["review", str(path), "--agent", "tsumogiri", "--seat", "0", "--hanchan"]) == 0
    err = capsys.readouterr().err
    assert str(path) in err
    assert "whole rounds before it: East 1 to " in err


def test_a_record_cut_in_its_first_round_is_refused(formats, tmp_path, capsys):
    for name, text in formats.items():
        path = tmp_path / name
        path.write_text(text[:600], "utf-8")
        assert main(["review", str(path), "--agent", "tsumogiri"]) == 1
        assert capsys.readouterr().err.count("\n") == 1


def test_a_damaged_round_in_the_middle_ends_the_review_before_it(formats, tmp_path):
    record = json.loads(formats["game.json"])
    record["log"][2][5] = [11, 12]
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record), "utf-8")
    rounds, trouble = salvaged_game(path)
    assert "round 3 of the log" in str(trouble)
    assert sum(entry.message.type == "start_kyoku" for entry in rounds) == 2


@pytest.mark.parametrize("name", ["game.mjson", "game.json"])
def test_something_impossible_ends_a_game_before_its_round(formats, tmp_path, capsys, name):
    """Regression: the whole page was refused where one draw was missing."""
    lines = formats["game.mjson"].splitlines()
    third = [at for at, line in enumerate(lines) if '"start_kyoku"' in line][2]
    missing = next(at for at in range(third + 4, len(lines)) if '"tsumo"' in lines[at])
    if name == "game.mjson":
        text, place = "\n".join(lines[:missing] + lines[missing + 1 :]), f"line {missing + 1}"
    else:
        record = json.loads(formats[name])
        hand = record["log"][2][4]
        hand[0] = next(tile for tile in hand if tile != hand[0])  # which is there once too often now
        text, place = json.dumps(record), "event "
    path = tmp_path / name
    path.write_text(text, "utf-8")
    rounds, trouble = salvaged_game(path)
    assert str(trouble).startswith(f"{path}, {place}")
    assert sum(entry.message.type == "start_kyoku" for entry in rounds) == 2
    assert main(["view", str(path), "-o", str(tmp_path / "page.html")]) == 0
    assert "shown are the 2 whole rounds before it" in capsys.readouterr().err


@pytest.mark.parametrize("hidden", [(), (1, 2, 3)], ids=["open", "hidden"])
def test_a_position_of_the_editor_of_tenhou_had_no_known_result(formats, tmp_path, capsys, hidden):
    """Its round ends where somebody is to decide (不明), and the hands of others may be left empty."""
    record = json.loads(formats["game.json"])
    part = record["log"][0]
    assert part[0][0] == 0
    for seat in range(4):
        draws, discards = (part[at + 3 * seat][:1] for at in (5, 6))
        assert all(isinstance(entry, int) for entry in draws + discards)
        part[5 + 3 * seat : 7 + 3 * seat] = draws, discards
    part[5].append(11)  # the dealer's second draw
    for seat in hidden:
        part[4 + 3 * seat] = []
    part[16] = ["不明"]
    path = tmp_path / "position.json"
    path.write_text(json.dumps({"name": record["name"], "log": [part]}), "utf-8")
    (entries,) = read_record(path)
    assert not any(isinstance(entry.event, RoundEnd | GameEnd) for entry in entries)
    assert sum(isinstance(entry.event, Discarded) for entry in entries) == 4
    assert main(["review", str(path), "--seat", "0", "--agent", "greedy"]) == 0
    out = capsys.readouterr().out
    assert "over 1 decision" in out
    assert "East 1" not in out  # a table of results of which none is known


START = start_kyoku()
NO_NORTH = [[0, 0, 0], [35000] * 3, [11], [], *[[11], [], []] * 3, [], [], [], []]
THREE = {
    "mjlog": '<mjloggm ver="2.3"><GO type="185"/></mjloggm>',
    "names": '{"type":"start_game","names":["a","b","c"]}',
    "number": '{"type":"start_game","num_players":3}',
    "hands": json.dumps(START | {"tehais": [["?"] * 13] * 3}),
    "points": json.dumps(START | {"tehais": [["?"] * 13] * 4, "scores": [35000, 35000, 35000, 0]}),
    "tenhou rule": '{"name":["a","b","c",""],"rule":{"disp":"三般南喰赤"},"log":[]}',
    "soul rule": '{"name":["a","b","c","AI"],"rule":{"disp":"3-Player Gold Room South"},"log":[]}',
    "empty hand": json.dumps({"name": list("abcd"), "log": [NO_NORTH]}),
}  # fmt: skip


@pytest.mark.parametrize("name", THREE)
def test_three_players_are_named_in_one_line(tmp_path, capsys, name):
    path = tmp_path / "three"
    path.write_text(THREE[name], "utf-8")
    assert main(["review", str(path)]) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert err.endswith("a three-player game (sanma): not supported\n")


@pytest.mark.parametrize(
    ("link", "words"),
    [
        (
            "https://tenhou.net/0/?log=2019050417gm-0029-0000-4f2a8622&tw=2",
            "save it as 2019050417gm-0029-0000-4f2a8622.mjlog and give that file with --seat 2",
        ),
        ("2019050417gm-0029-0000-4f2a8622", "https://tenhou.net/0/log/?2019050417gm-0029-0000-4f2a8622"),
        ('https://tenhou.net/6/#json={"title":[]}', "save what follows json= as record.json"),
        ("https://game.mahjongsoul.com/?paipu=220101-abc_a1", "tensoul"),
        ("https://game.maj-soul.com/1/?paipu=220101-abc_a1", "downloadlogs.js"),
        ("http://example.org/x", "save the record as a file"),
    ],
)
@pytest.mark.parametrize(
    "command", [["review"], ["view", "-o", "page.html"], ["calibrate"]], ids=lambda c: c[0]
)
def test_a_link_is_answered_by_what_to_save(capsys, link, words, command):
    assert main([command[0], link, *command[1:]]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "command",
    [["review"], ["view", "-o", "page.html"], ["convert", "-o", "game.json"], ["calibrate"]],
    ids=lambda c: c[0],
)
def test_standard_input_is_said_to_hold_no_record(capsys, tmp_path, monkeypatch, command):
    """It was a file that does not exist."""
    monkeypatch.chdir(tmp_path)
    assert main([command[0], "-", *command[1:]]) == 2
    assert capsys.readouterr().err == "manue: -: a record is read from a file, not from standard input\n"


def test_folders_give_records_of_every_format(formats, tmp_path):
    from manue.records.finding import find_logs

    for name, text in formats.items():
        (tmp_path / name).write_text(text, "utf-8")
    assert {path.name for path in find_logs([tmp_path])} == set(formats)


@pytest.mark.parametrize(
    ("given", "seat"), [("rules", 1), ("RULES", 1), ("3", 3)], ids=["name", "another case", "number"]
)
def test_a_seat_goes_by_the_name_of_its_player(tmp_path, capsys, given, seat):
    events = [json.loads(line) for line in gzip.decompress(LOG.read_bytes()).splitlines()]
    events[0]["names"] = ["greedy", "rules", "a", "A"]
    path = tmp_path / "game.mjson"
    path.write_text("\n".join(map(json.dumps, events)), "utf-8")
    options = ["--agent", "tsumogiri", "--json", "--hanchan"]
    assert main(["review", str(path), "--seat", given, *options]) == 0
    assert [one["seat"] for one in json.loads(capsys.readouterr().out)["seats"]] == [seat]
    assert main(["review", str(path), "--seat", "a", *options]) == 0
    assert main(["view", str(path), "--seat", given, "-o", str(tmp_path / "page.html"), "--hanchan"]) == 0
    capsys.readouterr()
    assert main(["review", str(path), "--seat", "Nobody", *options]) == 2
    assert (
        "nobody is called 'Nobody' (0 to 3, or a name: 0 greedy, 1 rules, 2 a, 3 A)"
        in capsys.readouterr().err
    )


def test_a_seat_goes_by_the_name_that_the_review_prints(tmp_path, capsys):
    """`manue review` printed "seat 2 same 2", and knew nobody of that name."""
    events = [json.loads(line) for line in gzip.decompress(LOG.read_bytes()).splitlines()]
    events[0]["names"] = ["same", "", "same", "other"]
    path = tmp_path / "game.mjson"
    path.write_text("\n".join(map(json.dumps, events)), "utf-8")
    for seat in range(4):
        arguments = ["review", str(path), "--agent", "tsumogiri", "--hanchan", "--seat"]
        assert main([*arguments, str(seat)]) == 0
        first = capsys.readouterr().out.splitlines()[0]
        printed = first.removeprefix(f"seat {seat} ").removesuffix(", judged by tsumogiri")
        assert main([*arguments, printed]) == 0
        assert capsys.readouterr().out.splitlines()[0] == first


def test_a_greeting_is_no_game_and_an_id_beside_open_hands_no_error(formats, tmp_path, capsys):
    lines = formats["game.mjson"].splitlines()
    start = json.loads(lines[0]) | {"id": 2}
    hello = '{"type":"hello","protocol":"mjsonp","protocol_version":3}'
    path: Path = tmp_path / "game.mjson"
    path.write_text("\n".join([hello, json.dumps(start), *lines[1:]]), "utf-8")
    assert len(read_record(path)) == 1
    assert main(["view", str(path), "-o", str(tmp_path / "page.html"), "--hanchan"]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (b"PK\x03\x04\x14\0", "zip"),
        (lzma.compress(b"{}"), "xz"),
        (bz2.compress(b"{}"), "bzip2"),
        (b"\x28\xb5\x2f\xfd\x04", "zstd"),
    ],
)
def test_what_is_packed_in_another_way_says_so(tmp_path, capsys, start, name):
    """Regression: it was "not JSON"."""
    path = tmp_path / "game.mjson"
    path.write_bytes(start + bytes(100))
    assert main(["convert", str(path), "-o", str(tmp_path / "out.mjson")]) == 1
    said = f"packed by {name}: unpack it first (gzip alone is read as it is)"
    assert capsys.readouterr().err == f"manue: {path}: {said}\n"
