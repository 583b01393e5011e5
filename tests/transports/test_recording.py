"""What `manue play --log` does where the files cannot be written."""

import json
import shutil
import zlib
from types import SimpleNamespace

import pytest

from manue.errors import LogError
from manue.game.events import GameStart
from manue.records.formats import read_game
from manue.transports.recording import MAX_FAILURES, ConversationFiles, FailureKeeper


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "talks"
    made.mkdir()
    return made


def test_a_folder_that_was_removed_between_two_games_cost_the_second(folder, capsys):
    files = ConversationFiles(folder / "talk.jsonl")
    files.keep("in", '{"type":"hello"}')
    files.close()
    shutil.rmtree(folder)
    for _ in range(2):
        files.keep("in", '{"type":"hello"}')
        files.close()
    assert capsys.readouterr().err == (
        f"manue: {folder / 'talk-2.jsonl'}: No such file or directory; the recording ends here\n"
    )


def test_a_recording_of_an_earlier_run_is_kept(folder):
    for line in ("first", "second"):
        files = ConversationFiles(folder / "talk.jsonl")
        files.keep("out", line)
        files.close()
    kept = {path.name: json.loads(path.read_text())["line"] for path in folder.iterdir()}
    assert kept == {"talk-1.jsonl": "first", "talk-2.jsonl": "second"}


def test_a_recording_named_as_gzipped_was_none_and_stood_where_no_search_finds_it(folder):
    files = ConversationFiles(folder / "talk.mjson.gz")
    for line in ('{"type":"start_game","id":0}', '{"type":"end_game"}'):
        files.keep("in", line)
    (path,) = folder.iterdir()
    assert path.name == "talk-1.mjson.gz"
    flushed = zlib.decompressobj(wbits=31).decompress(path.read_bytes())
    assert [json.loads(line)["dir"] for line in flushed.splitlines()] == ["in"] * 2  # while it is open
    files.close()
    assert [entry.message.type for entry in read_game(path)] == ["start_game", "end_game"]


def test_an_agent_that_fails_at_every_turn_fills_no_disk(folder, capsys):
    keeper = FailureKeeper(folder)
    for _ in range(MAX_FAILURES + 5):
        keeper(SimpleNamespace(position=lambda: [{"type": "start_game"}]), "out of ideas")
    assert len(list(folder.iterdir())) == MAX_FAILURES
    said = capsys.readouterr().err.splitlines()
    assert len(said) == MAX_FAILURES
    assert said[0].startswith(f"manue: out of ideas; the position is in {folder}")


def test_a_recording_that_cannot_begin_is_an_error(folder):
    files = ConversationFiles(folder / "talk.jsonl")
    shutil.rmtree(folder)
    with pytest.raises(LogError, match=r"talk-1\.jsonl: No such file or directory"):
        files.keep("in", '{"type":"hello"}')


def test_a_start_with_long_names_before_its_type_began_no_file(folder):
    names = [letter * 60 for letter in "abcd"]
    start = json.dumps({"names": names, "id": 0, "type": "start_game"})
    files = ConversationFiles(folder / "talk.jsonl", GameStart(last_round=3))
    for line in (start, '{"type":"end_game"}', f"[{start}]"):
        files.keep("in", line)
    files.close()
    assert [path.name for path in sorted(folder.iterdir())] == ["talk-1.jsonl", "talk-2.jsonl"]
    assert all("given" in json.loads(path.read_text().splitlines()[0]) for path in folder.iterdir())


def test_a_request_that_quotes_the_start_of_its_game_begins_no_file(folder):
    files = ConversationFiles(folder / "talk.jsonl")
    start = {"type": "start_game", "id": 0}
    for line in (
        start,
        {"type": "request_action", "events": [start]},
        {"type": "end_game", "why": "start_game"},
    ):
        files.keep("in", json.dumps(line))
    files.keep("in", '{"type":"start_game"')
    files.close()
    assert [path.name for path in folder.iterdir()] == ["talk-1.jsonl"]
