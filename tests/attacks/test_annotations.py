"""No annotation in a log ends the page of its game, whatever stands under our key."""

import json
import sys
from pathlib import Path

import pytest

from manue.__main__ import main
from manue.protocol.annotation import KEY
from manue.protocol.parsing import parse_choice
from manue.table.lines import answer_of
from tests.review.made_up import made_up_game, write_game

HUGE = 10**400
CHOSEN = {"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": False}
WHOLE = {
    "chosen": CHOSEN,
    "candidates": [{"moves": [CHOSEN]}],
    "tenpaiProbs": [None, 0.1, 0.1, 0.1],
    "trials": 1,
    "seed": 1,
    "elapsed_ms": 1.0,
}
VALUES = [
    1,
    "x",
    [],
    {},
    {"chosen": None},
    WHOLE | {"trials": HUGE},
    WHOLE | {"seed": HUGE},
    WHOLE | {"elapsed_ms": HUGE},
    WHOLE | {"elapsed_ms": float("nan")},
    WHOLE | {"tenpaiProbs": [float("inf"), HUGE, None, None]},
    WHOLE | {"fold": {"unsafeProb": float("nan"), "avgHojuPt": 1}},
    WHOLE | {"candidates": [{"moves": [CHOSEN], "expPt": HUGE}]},
    WHOLE | {"candidates": [{"moves": [CHOSEN], "shanten": HUGE, "ukeire": [HUGE, HUGE]}]},
    WHOLE | {"candidates": [{"moves": [CHOSEN], "ukeire": 7}]},
    WHOLE | {"candidates": [{"moves": [CHOSEN], "outcome": [[float("inf"), 1]]}]},
    WHOLE | {"candidates": [{"moves": [CHOSEN], "goals": [{"tiles": ["1m"], "prob": HUGE, "points": 1}]}]},
    WHOLE | {"candidates": [{"moves": [CHOSEN], "explain": 3}]},
    WHOLE | {"candidates": [{"moves": [CHOSEN], "useful": ["9z"]}]},
]


@pytest.fixture(scope="module")
def plain_game(tmp_path_factory):
    path = tmp_path_factory.mktemp("game") / "game.mjson"
    return write_game(path, made_up_game(rounds=1)).read_text().splitlines()


@pytest.mark.parametrize("value", VALUES, ids=lambda value: json.dumps(value)[:60])
def test_a_bots_annotation_under_our_key_ended_the_page(value, plain_game, tmp_path):
    at = next(n for n, line in enumerate(plain_game) if '"tsumo"' in line)
    event = json.loads(plain_game[at])
    event["meta"] = [{KEY: value}] * 4
    log = tmp_path / "log.mjson"
    log.write_text("\n".join([*plain_game[:at], json.dumps(event), *plain_game[at + 1 :]]))
    assert main(["view", str(log), "-o", str(tmp_path / "page.html")]) == 0
    assert (tmp_path / "page.html").exists()


def test_our_key_from_an_outsider_is_dropped():
    reply = {"type": "none", "meta": {KEY: {"chosen": 1}, "q_values": [1]}}
    assert answer_of(parse_choice(json.dumps(reply)), 0.0).meta == {"q_values": [1]}
    assert answer_of(parse_choice('{"type":"none","meta":{"manue":1}}'), 0.0).meta is None


def test_pages_of_a_match_with_a_forging_bot(tmp_path):
    pytest.importorskip("riichienv")
    bot = Path(__file__).parent.parent / "table" / "bots" / "bot.py"
    seats = f"cmd:{sys.executable} {bot} line {{seat}} forge,tsumogiri,tsumogiri,tsumogiri"
    options = ["--games", "1", "--east", "--workers", "1", "--pages", "--out", str(tmp_path / "m")]
    assert main(["match", "--seats", seats, *options]) == 0
    assert (tmp_path / "m" / "pages" / "000000.html").exists()
