import gzip
import json

import pytest

from manue.errors import LogError
from manue.game.events import Draw
from manue.records.archive import read_games, read_log

LINES = [
    {"type": "start_game", "names": ["a", "b", "c", "d"]},
    {"type": "tsumo", "actor": 0, "pai": "1m", "extra": [1]},
    {"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": True},
    {"type": "end_kyoku"},
]
TEXT = b"".join(json.dumps(line).encode() + b"\n" for line in LINES)


def events_before_error(path):
    entries = []
    with pytest.raises(LogError) as caught:
        entries.extend(read_log(path))  # extend keeps what came before the error
    return entries, str(caught.value)


@pytest.fixture
def place(tmp_path):
    def put(data, name="game.mjson"):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return put


@pytest.mark.parametrize(
    "data",
    [
        TEXT,
        TEXT.rstrip(),
        TEXT.replace(b"\n", b"\r\n"),
        TEXT.replace(b"\n", b"\n\n"),
        gzip.compress(TEXT),
        gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:]),
        gzip.compress(TEXT + b"\n" * 150_000) + gzip.compress(b"\n" * 150_000),
        json.dumps(LINES).encode(),
        json.dumps(LINES, indent=2).encode(),
        gzip.compress(json.dumps(LINES, indent=2).encode()),
        json.dumps(LINES[:2]).encode() + b"\n" + json.dumps(LINES[2:]).encode(),
    ],
    ids="plain no-end crlf blank gzip members large-members array pretty pretty-gzip array-per-line".split(),
)
def test_every_way_to_store_a_log_reads_the_same(place, data):
    entries = list(read_log(place(data)))
    assert [entry.fields() for entry in entries] == LINES
    assert entries[1].event == Draw(0, "1m")


def test_line_numbers_count_lines(place):
    places = [entry.where for entry in read_log(place(TEXT.replace(b"\n", b"\n\n")))]
    assert places == ["line 1", "line 3", "line 5", "line 7"]


def test_a_bad_line_is_named(place):
    entries, error = events_before_error(place(TEXT + b'{"type":"foo"}\n' + TEXT))
    assert error.endswith("game.mjson, line 5: unknown message type 'foo'")
    assert len(entries) == 4


def test_a_bad_element_of_an_array_is_named(place):
    entries, error = events_before_error(place(json.dumps([*LINES, {"type": "tsumo"}]).encode()))
    assert error.endswith("line 1, element 5 of the array: missing field 'actor' of 'tsumo'")
    assert len(entries) == 4


def test_a_half_written_last_line_gives_all_before(place):
    entries, error = events_before_error(place(TEXT[:-10]))
    assert "line 4: not JSON" in error
    assert len(entries) == 3


def test_a_cut_array_gives_its_whole_elements(place):
    entries, error = events_before_error(place(json.dumps(LINES, indent=1).encode()[:-20]))
    assert "not JSON: EOF" in error
    assert [entry.fields() for entry in entries] == LINES[:3]


def test_a_cut_gzip_gives_its_complete_events(place):
    many = gzip.compress(TEXT * 500)
    entries, error = events_before_error(place(many[: len(many) // 2], "game.mjson.gz"))
    assert len(entries) > 500
    assert "cut short" in error or "not JSON" in error


@pytest.mark.parametrize("keep", range(1, 60, 7))
def test_any_cut_of_a_gzip_is_a_clear_error(place, keep):
    _, error = events_before_error(place(gzip.compress(TEXT)[:keep], "game.mjson.gz"))
    assert "game.mjson.gz" in error


def test_damaged_gzip_is_a_clear_error(place):
    data = bytearray(gzip.compress(TEXT * 50))
    data[len(data) // 2] ^= 0xFF
    _, error = events_before_error(place(bytes(data), "game.mjson.gz"))
    assert "game.mjson.gz" in error


def test_a_missing_file_is_a_clear_error(tmp_path):
    _, error = events_before_error(tmp_path / "none.mjson")
    assert error.endswith("none.mjson: No such file or directory")


def test_games_are_separated_and_a_cut_one_comes_before_the_error(place):
    path = place(TEXT + TEXT + TEXT[:-10])
    games = []
    with pytest.raises(LogError, match="line 12"):
        games.extend(read_games(path))
    assert [len(game) for game in games] == [4, 4, 3]


def test_a_line_longer_than_any_event_is_a_clear_error(place):
    data = TEXT + b'{"type":"none","x":"' + b"a" * 5_000_000
    for content in (data, gzip.compress(data)):
        entries, error = events_before_error(place(content))
        assert len(entries) == 4
        assert "longer, or more data, than a game log can hold" in error


def test_a_long_array_on_one_line_reads_in_linear_time(place):
    events = [LINES[1] | {"note": "x" * 500}] * 20_000
    entries = list(read_log(place(json.dumps(events).encode())))
    assert len(entries) == 20_000


@pytest.mark.parametrize("before", [b" ", b"\n \t"])
def test_white_space_before_an_array_was_damage(place, before):
    text = before + json.dumps(LINES, indent=2).encode()
    assert [entry.fields() for entry in read_log(place(text, "game.json"))] == LINES
