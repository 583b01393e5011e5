"""Programs that run bots: their folders and calls."""

import json
import subprocess
import sys

import pytest

from manue.agents.rules import RulePlayer
from manue.bot import MessageBot
from tests.captures import lines_of
from tests.messages import start_kyoku
from tests.project import ROOT, tomllib

TENPAI = "2m 3m 4m 5m 6m 7m 2p 3p 4p 6s 7s 8s E".split()
START = start_kyoku(scores=[25_000] * 4, tehais=[TENPAI, *[["?"] * 13] * 3])


def test_a_bot_for_dicts_answers_where_there_is_something_to_say():
    bot = MessageBot(0, RulePlayer())
    assert bot.react({"type": "start_game", "id": 0, "names": ["a", "b", "c", "d"]}) is None
    assert bot.react(START) is None
    assert bot.react({"type": "tsumo", "actor": 0, "pai": "W"})["type"] in {"dahai", "reach"}
    assert bot.react({"type": "dahai", "actor": 0, "pai": "W", "tsumogiri": True}) is None
    for seat, tile in ((1, "1p"), (2, "1p"), (3, "1s")):
        assert bot.react({"type": "tsumo", "actor": seat, "pai": "?", "can_act": False}) is None
        discard = {"type": "dahai", "actor": seat, "pai": tile, "tsumogiri": True}
        assert bot.react(discard | {"can_act": False}) is None


def riichi_of(bot):
    hand = "2m 3m 4m 5m 6m 7m 2p 3p 4p 6s 7s E E".split()
    bot.react({"type": "start_game", "id": 0})
    bot.react(START | {"tehais": [hand, *[["?"] * 13] * 3]})
    return bot.react({"type": "tsumo", "actor": 0, "pai": "9m"})


def test_the_discard_comes_with_the_riichi():
    reply = riichi_of(MessageBot(0, RulePlayer()))
    assert reply["type"] == "reach"
    assert reply["reach_dahai"] == {"type": "dahai", "actor": 0, "pai": "9m", "tsumogiri": True}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("akagi") / "mjai_bot" / "manue"
    subprocess.run([sys.executable, ROOT / "scripts" / "akagi-folder", made], check=True, capture_output=True)
    return made


def test_the_akagi_folder_has_what_akagi_reads(folder):
    project = tomllib.loads((folder / "pyproject.toml").read_text())
    assert project["tool"]["uv"]["package"] is False
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert set(project["project"]["dependencies"]) <= set(ours)
    manifest = tomllib.loads((folder / "manifest.toml").read_text())
    assert manifest["manifest_version"] == 1
    assert manifest["bot"]["name"] == folder.name
    assert manifest["bot"]["supported_modes"] == ["4p"]


def test_the_akagi_folder_plays_and_ends_with_the_game(folder):
    lines = list(lines_of("mjaiapp-hanchan-1"))
    batches = [line["msg"] for line in lines if line.get("seat") == 2 and line["dir"] == "in"]
    more = [{"type": "start_game", "id": 2}]
    ran = subprocess.run(
        [sys.executable, "bot.py", "2", "--agent", "rules"],
        input="".join(json.dumps(batch) + "\n" for batch in [*batches, more]),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    replies = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(replies) == len(batches)
    cards = [reply["meta"]["show"] for reply in replies if "meta" in reply]
    assert len(cards) > 50
    for card in cards:
        assert 1 <= len(card["items"]) <= 5
        assert all(isinstance(item["label"], str) for item in card["items"])
        assert all(isinstance(tile, str) for item in card["items"] for tile in item["pais"])
