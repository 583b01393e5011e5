"""What `manue play --log` keeps is viewed and reviewed, with the decisions in it."""

import asyncio
import json

import pytest

from manue.__main__ import main
from manue.errors import ConnectionLostError
from manue.game.events import GameStart
from manue.protocol.annotation import decisions_of
from manue.records import archive
from manue.records.formats import read_game, read_record, salvage
from manue.rules import EAST_ONLY, MAHJONG_SOUL
from manue.transports.driver import PlaySettings, _Series
from tests.captures import raw_lines
from tests.protocol.minds import RandomMind
from tests.transports.hosts import TcpHost, ruby_lines
from tests.transports.test_tcp import QUICK


async def test_a_recorded_game_is_reviewed_with_its_decisions(tmp_path, capsys):
    game = ruby_lines("tonnan-q20-client1")
    async with TcpHost(game) as host:
        settings = PlaySettings(QUICK, url=host.url, log=tmp_path / "talk.jsonl")
        await _Series(settings, RandomMind()).run()
    (path,) = tmp_path.iterdir()
    (read,) = read_record(path)
    said = [line["type"] for line in game]
    assert [entry.message.type for entry in read] == [kind for kind in said if kind != "hello"]
    assert main(["view", str(path), "-o", str(tmp_path / "page.html")]) == 0
    assert main(["review", str(path), "--agent", "tsumogiri", "--east"]) == 0
    assert "judged by tsumogiri" in capsys.readouterr().out


@pytest.mark.parametrize("said", [{}, {"rules": "tenhou", "kyoku_first": 0}])
async def test_a_recording_has_the_rules_and_the_length_that_the_player_was_given(tmp_path, said):
    start, *rest = ruby_lines("tonnan-q20-client1")
    host = TcpHost([start | said, *rest])
    async with host:
        given = PlaySettings(
            QUICK, url=host.url, log=tmp_path / "talk.jsonl", rules=MAHJONG_SOUL, last_round=EAST_ONLY
        )
        await _Series(given, RandomMind()).run()
    (path,) = tmp_path.iterdir()
    begun = read_game(path)[0].event
    assert isinstance(begun, GameStart)
    assert (begun.last_round, begun.rules) == (EAST_ONLY, said.get("rules", "mjsoul"))
    kept = [json.loads(line) for line in path.read_text().splitlines()]
    assert json.loads(kept[2]["line"]) == start | said  # what the host sent is kept as it came
    assert main(["convert", str(path), "-o", str(tmp_path / "game.mjson")]) == 0
    assert read_game(tmp_path / "game.mjson")[0].event == begun


def test_what_is_no_start_of_a_game_is_not_given(tmp_path):
    path = tmp_path / "talk.jsonl"
    for given in (None, 3, "mjsoul", {"type": "none"}, {"rules": "mjsoul"}):
        line = {"dir": "in", "line": '{"type":"start_game","id":1}', "given": given}
        path.write_text(json.dumps(line))
        assert read_game(path)[0].event == GameStart()


def test_a_name_may_end_in_half_a_character(tmp_path):
    """Regression: the start of such a game was left out."""
    path = tmp_path / "talk.jsonl"
    start = {"type": "start_game", "names": ["A", "B\ud83d", "C", "D"]}
    path.write_text(json.dumps({"dir": "in", "line": json.dumps(start)}))
    assert read_game(path)[0].event == GameStart(names=("A", "B\ufffd", "C", "D"))


@pytest.mark.parametrize("dialect", ["lines", "akagi"])
def test_the_decisions_stand_beside_the_events_they_answer(tmp_path, dialect):
    """Rebuilt as the recorder writes it: without an id the replies alone name the seat."""
    from manue.agents.registry import make_agent
    from manue.protocol.dialect import DIALECTS
    from manue.protocol.session import Session

    lines = [json.loads(line) for line in raw_lines("mjaiapp-hanchan-1.server-log")][:120]
    session = Session(make_agent("rules"), DIALECTS[dialect], complain=pytest.fail, seat=2)
    said, decided = [], 0
    for event in lines:
        line = json.dumps([event] if dialect == "akagi" else event)
        said.append({"time": "2026-01-01T00:00:00", "dir": "in", "line": line})
        reply = session.respond(line)
        if reply is not None:
            said.append({"time": "2026-01-01T00:00:00", "dir": "out", "line": reply})
            decided += "meta" in json.loads(reply)
    path = tmp_path / "talk.jsonl"
    path.write_text("\n".join(map(json.dumps, said)))
    entries = read_game(path)
    found = [decisions_of(entry.message.meta) for entry in entries]
    assert decided > 10
    assert sum(map(len, found)) == decided
    assert {seat for one in found for seat in one} == {2}
    answered = {entry.message.type for one, entry in zip(found, entries, strict=True) if one}
    assert answered <= {"tsumo", "dahai", "chi", "pon", "reach", "kakan"}
    # Regression: converted to Mjai they were lost
    assert main(["convert", str(path), "-o", str(tmp_path / "game.mjson")]) == 0
    converted = read_game(tmp_path / "game.mjson")
    assert [decisions_of(entry.message.meta) for entry in converted] == found
    assert [entry.message.logs for entry in converted] == [entry.message.logs for entry in entries]


async def test_a_refused_connection_leaves_no_recording(tmp_path):
    host = TcpHost([])
    async with host:
        url = host.url
    with pytest.raises(ConnectionLostError):
        await _Series(PlaySettings(QUICK, url=url, log=tmp_path / "talk.jsonl"), RandomMind()).run()
    server = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0)
    async with server:
        url = f"mjsonp://127.0.0.1:{server.sockets[0].getsockname()[1]}/default"
        with pytest.raises(ConnectionLostError):
            await _Series(PlaySettings(QUICK, url=url, log=tmp_path / "talk.jsonl"), RandomMind()).run()
    assert not list(tmp_path.iterdir())


def test_a_recording_cut_short_is_read_up_to_there(tmp_path):
    line = json.dumps({"time": "", "dir": "in", "line": '{"type":"start_game","id":1}'})
    path = tmp_path / "talk.jsonl"
    path.write_text(f"{line}\n{line[:-9]}")
    assert main(["view", str(path), "-o", str(tmp_path / "page.html")]) == 1


def test_a_recorded_game_without_end_is_refused_where_it_is_too_long(tmp_path, monkeypatch):
    """Regression: a recording filled memory with its one game, as long as there were lines."""
    path = tmp_path / "talk.jsonl"
    spoken = [
        {"type": "start_game", "id": 1},
        *[{"type": "dahai", "actor": 1, "pai": "C", "tsumogiri": True}] * 99,
    ]
    path.write_text("\n".join(json.dumps({"dir": "in", "line": json.dumps(one)}) for one in spoken))
    (talk,), _ = salvage(path)
    assert len(talk) == 100
    monkeypatch.setattr(archive, "MAX_GAME", sum(map(archive.memory_of, talk)) - 1)
    _, error = salvage(path)
    assert str(error) == f"{path}, line 100: more events than a game can have"
