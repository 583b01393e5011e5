"""Programs that run bots: their folders and calls."""

import json
import os
import subprocess
import sys
import time
from itertools import pairwise
from unittest.mock import ANY

import pytest

import manue.bot
from manue.agents.rules import RulePlayer
from manue.bot import Bot, MessageBot
from manue.protocol.mortal import RIICHI, values_in
from manue.table.referee import Referee, masked
from tests.captures import lines_of
from tests.conftest import FULL
from tests.messages import start_kyoku
from tests.project import ROOT, tomllib

TENPAI = "2m 3m 4m 5m 6m 7m 2p 3p 4p 6s 7s 8s E".split()
START = start_kyoku(scores=[25_000] * 4, tehais=[TENPAI, *[["?"] * 13] * 3])


def test_measuring_first_answers_ends_with_a_player_that_cannot_play(tmp_path):
    ran = subprocess.run(
        [sys.executable, ROOT / "scripts" / "first-answers"],
        env={**os.environ, "MANUE_MODELS": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ran.returncode == 1
    assert ran.stderr.startswith("a player ended, with exit code 1")


def test_no_players_were_measured_without_end():
    ran = made_by("first-answers", "--players", "0")
    assert ran.returncode == 2
    assert ran.stderr.endswith("error: --players: 1 or more, not 0\n")


def made_by(script, *arguments):
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


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


def class_of_the_page():
    """Return the class that docs/hosts.md shows for Akagi 2, in the namespace it was made in."""
    page = (ROOT / "docs" / "hosts.md").read_text()
    namespace = {}
    exec(page[page.index("# mjai_bot/manue/bot.py") :].split("```")[0], namespace)
    return namespace["Bot"]


def test_akagi_2_makes_the_class_of_the_page_and_calls_react_alone(monkeypatch):
    monkeypatch.setattr(manue.bot, "agent_at_once", lambda *_: RulePlayer())
    bot = class_of_the_page()()
    assert bot.react('[{"type":"start_game","id":2}]') == '{"type":"none"}'
    assert bot.player_id == 2


def test_the_displays_of_programs_find_mortals_values_beside_ours():
    bot = MessageBot(0, RulePlayer())
    reply = riichi_of(bot)
    values = values_in(reply["meta"])
    assert max(values, key=values.get) == RIICHI
    assert reply["meta"]["manue"]["candidates"]


@pytest.mark.parametrize("alone", [True, False], ids=["alone", "with-its-discard"])
def test_a_riichi_told_by_the_button_and_again_as_it_happened_counts_once(alone, caplog):
    bot = MessageBot(0, RulePlayer())
    planned = riichi_of(bot)["reach_dahai"]
    riichi = {"type": "reach", "actor": 0}
    assert bot.react(riichi)["pai"] == planned["pai"]
    assert bot.react(riichi if alone else riichi | {"can_act": False}) == (None if not alone else ANY)
    assert bot.react(planned) is None
    for message in (
        {"type": "reach_accepted", "actor": 0},
        {"type": "tsumo", "actor": 1, "pai": "?"},
    ):
        assert bot.react(message) is None
    assert bot.react({"type": "dahai", "actor": 1, "pai": "5s", "tsumogiri": True})["type"] == "hora"
    assert not caplog.records


def passive(legal):
    """The reply of those who call nothing and discard what is named last: the drawn tile."""
    return next((reply for reply in legal if reply["type"] == "none"), legal[-1])


def play_a_game(seed, seat, react):
    """Play a hanchan, telling ``react`` what is new to a seat; return its replies where it is asked."""
    referee, replies = Referee(seed), []
    news = referee.start()
    while not referee.over:
        heard = [masked(message, seat) for message in news]
        chosen = {other: passive(referee.legal(other)) for other in referee.asked}
        reply = react(heard)
        if seat in chosen:
            assert referee.is_legal(seat, reply), (reply, referee.legal(seat))
            replies.append(reply)
            chosen[seat] = reply
        else:
            assert reply["type"] == "none"
        news = referee.step(chosen)
    assert react([masked(message, seat) for message in news])["type"] == "none"
    return replies


@pytest.mark.parametrize("seed", range(20 if FULL else 2))
def test_programs_that_embed_a_bot_get_legal_replies_through_whole_games(seed):
    seat = seed % 4
    by_text, by_dict = Bot(seat, RulePlayer()), MessageBot(seat, RulePlayer())

    def react(messages):
        reply = [by_dict.react(message) for message in messages][-1] or {"type": "none"}
        answer = json.loads(by_text.react(json.dumps(messages)))
        assert answer == {key: value for key, value in reply.items() if key != "reach_dahai"} | volatile(
            answer
        )
        return reply

    replies = play_a_game(seed, seat, react)
    assert len(replies) > 50
    for reply, after in pairwise(replies):
        if reply["type"] == "reach":
            assert reply["reach_dahai"]["pai"] == after["pai"]


def without_first_draw(messages, seat):
    """Return what Akagi 2 tells of the start of a round: the first draw of another dealer is left out."""
    heard, left_out = [], None
    for message in messages:
        if message["type"] == "start_kyoku":
            left_out = message["oya"] if message["oya"] != seat else None
        elif message["type"] == "tsumo" and message["actor"] == left_out:
            left_out = None
            continue
        heard.append(message)
    return heard


@pytest.mark.parametrize("seed", range(8 if FULL else 2))
def test_akagi_2_leaves_out_the_first_draw_of_others_and_the_bot_was_blind(seed, caplog):
    """Regression: to the end of the round it then discarded what it drew, without a call, riichi or win."""
    seat = 1 + seed % 3
    bots = [Bot(seat, RulePlayer()) for _ in range(2)]

    def react(messages):
        told = messages, without_first_draw(messages, seat)
        replies = [json.loads(bot.react(json.dumps(part))) for bot, part in zip(bots, told, strict=True)]
        assert [reply | volatile(replies[0]) for reply in replies] == [replies[0]] * 2
        return replies[1]

    replies = play_a_game(seed, seat, react)
    assert any(reply["type"] in {"chi", "pon", "reach", "hora"} for reply in replies)
    assert not caplog.records


HELD = "2m 3m 4m 5m 6m 7m 2p 3p 4p C C 8s N".split()


@pytest.fixture
def tell(caplog):
    """A bot at the table of East, seat 0, which takes one message or several in an array."""
    bot = Bot(0, RulePlayer(), rules="mjsoul")

    def send(*messages):
        return json.loads(bot.react(json.dumps(messages)))

    send({"type": "start_game", "id": 0}, START | {"tehais": [HELD, *[["?"] * 13] * 3]})
    yield send
    assert not caplog.get_records("call")


def acts(kind, actor, pai, **more):
    return {"type": kind, "actor": actor, "pai": pai, **more}


def turn(actor, pai, *, drawn=True):
    return acts("tsumo", actor, "?"), acts("dahai", actor, pai, tsumogiri=drawn)


def still_sees(tell):
    """Whether the bot has a view of the round: it is offered the pon of a pair of dragons."""
    return tell(*turn(1, "C"))["type"] == "pon"


@pytest.mark.parametrize("flag", [True, False])
def test_a_wrong_tsumogiri_left_the_bot_without_a_view_of_the_round(tell, flag):
    tell(acts("tsumo", 0, "9s"))
    tell(acts("dahai", 0, "9s", tsumogiri=flag))  # one 9s, just drawn: either way that one
    pon = acts("pon", 3, "9s", target=0, consumed=["9s", "9s"])
    tell(pon, acts("dahai", 3, "1p", tsumogiri=flag))
    tell(acts("tsumo", 0, "9m"))
    tell(acts("dahai", 0, "N", tsumogiri=flag))
    tell(acts("tsumo", 1, "?"), {"type": "reach", "actor": 1}, acts("dahai", 1, "1s", tsumogiri=False))
    tell({"type": "reach_accepted", "actor": 1}, *turn(2, "S"), *turn(3, "W"))
    tell(acts("tsumo", 0, "W"))
    tell(acts("dahai", 0, "W", tsumogiri=True))
    assert tell(acts("tsumo", 1, "?"), acts("dahai", 1, "C", tsumogiri=flag))["type"] in {"pon", "none"}
    assert tell(*turn(2, "N"), *turn(3, "1m"), acts("tsumo", 0, "F"))["type"] == "dahai"


def test_a_call_of_a_wrong_seat_left_the_bot_without_a_view_of_the_round(tell):
    tell(acts("tsumo", 0, "9s"))
    tell(acts("dahai", 0, "9s", tsumogiri=True))
    tell(acts("pon", 3, "9s", target=3, consumed=["9s", "9s"]), acts("dahai", 3, "1p", tsumogiri=False))
    tell(acts("tsumo", 0, "9m"))
    tell(acts("dahai", 0, "9m", tsumogiri=True))
    assert still_sees(tell)


def test_a_red_five_in_a_kan_where_there_is_none_left_the_bot_without_a_view_of_the_round(caplog):
    bot = Bot(0, RulePlayer())
    hand = "5m 5m 5m 2p 3p 4p 7p 8p C C 8s N N".split()
    start = {"type": "start_game", "id": 0, "aka_flag": False}
    tell = lambda *messages: json.loads(bot.react(json.dumps(messages)))  # noqa: E731
    tell(start, START | {"tehais": [hand, *[["?"] * 13] * 3]}, acts("tsumo", 0, "5m"))
    tell({"type": "ankan", "actor": 0, "consumed": ["5mr", "5m", "5m", "5m"]})
    tell({"type": "dora", "dora_marker": "1s"}, acts("tsumo", 0, "9m"))
    tell(
        acts("dahai", 0, "9m", tsumogiri=True), acts("tsumo", 1, "?"), acts("dahai", 1, "5p", tsumogiri=True)
    )
    tell(acts("pon", 2, "5p", target=1, consumed=["5p", "5p"]), acts("dahai", 2, "E", tsumogiri=False))
    tell(*turn(3, "E"), acts("tsumo", 0, "9p"))
    tell(acts("dahai", 0, "9p", tsumogiri=True), *turn(1, "W"), acts("tsumo", 2, "?"))
    tell(acts("kakan", 2, "5p", consumed=["5pr", "5p", "5p"]), acts("tsumo", 2, "?"))
    reply = tell(acts("dahai", 2, "C", tsumogiri=True))
    assert reply["type"] == "pon"
    assert not caplog.records


def test_an_indicator_after_the_discard_took_the_offer_away(tell):
    tell(acts("tsumo", 0, "9s"))
    tell(acts("dahai", 0, "9s", tsumogiri=True), acts("tsumo", 1, "?"))
    tell({"type": "ankan", "actor": 1, "consumed": ["9p"] * 4}, acts("tsumo", 1, "?"))
    assert tell(acts("dahai", 1, "C", tsumogiri=True), {"type": "dora", "dora_marker": "1s"})["type"] == "pon"


def test_a_riichi_reported_late_by_the_button_was_answered_out_of_turn(tell):
    assert tell(acts("tsumo", 0, "6s"))["type"] == "reach"
    riichi = {"type": "reach", "actor": 0}
    tell(riichi, acts("dahai", 0, "N", tsumogiri=False))
    assert tell(riichi) == {"type": "none"}
    assert tell({"type": "reach_accepted", "actor": 0}, *turn(1, "7s"))["type"] == "hora"


@pytest.mark.parametrize(("discarded", "drawn"), [("N", "9m"), ("2m", "2m")])
def test_a_riichi_that_the_player_did_not_make_left_the_bot_in_riichi(tell, discarded, drawn):
    """The button of Akagi asks the bot for the discard of a riichi that the person may decide against."""
    assert tell(acts("tsumo", 0, "6s"))["type"] == "reach"
    tell({"type": "reach", "actor": 0})
    tell(acts("dahai", 0, discarded, tsumogiri=False), *turn(1, "1s"), *turn(2, "S"), *turn(3, "W"))
    assert tell(acts("tsumo", 0, drawn))["type"] == "reach"


def test_a_riichi_that_the_player_did_not_make_took_points_that_deltas_alone_had_given():
    bot = Bot(0, RulePlayer())
    tell = lambda *messages: json.loads(bot.react(json.dumps(messages)))  # noqa: E731
    deal = {**START, "tehais": ["1m 2m 3m 4p 5p 6p 7s 8s 9s E E S S".split(), *[["?"] * 13] * 3]}
    deal.pop("scores", None)
    drawn = {"type": "ryukyoku", "deltas": [3000, -1000, -1000, -1000]}
    tell({"type": "start_game", "id": 0}, deal, *turn(0, "9p"), drawn, {"type": "end_kyoku"})
    tell({**deal, "honba": 1}, acts("tsumo", 0, "9m"))
    tell({"type": "reach", "actor": 0})
    tell(acts("dahai", 0, "1m", tsumogiri=False), acts("tsumo", 1, "?"))
    state = bot._session._game.player.state
    assert not state.me.riichi
    assert (state.scores, state.total_points) == ([28_000, 24_000, 24_000, 24_000], 100_000)


def test_a_kan_instead_of_a_riichi_that_was_reported_left_the_bot_without_a_view_of_the_round(tell):
    tell(acts("tsumo", 0, "C"))
    tell(acts("dahai", 0, "8s", tsumogiri=False), *turn(1, "9s"), *turn(2, "9s"), *turn(3, "9s"))
    tell(acts("tsumo", 0, "C"))
    tell({"type": "reach", "actor": 0})
    tell({"type": "ankan", "actor": 0, "consumed": ["C"] * 4}, acts("tsumo", 0, "6s"))
    tell({"type": "dora", "dora_marker": "1s"}, acts("dahai", 0, "N", tsumogiri=False))
    tell(*turn(1, "9s"), *turn(2, "S"), *turn(3, "W"))
    assert tell(acts("tsumo", 0, "6s"))["type"] == "hora"


def volatile(reply):
    """Return what differs between two answers of the same player: the time that they took."""
    return {key: reply[key] for key in ("log", "meta") if key in reply}


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
    assert manifest["bot"]["version"] == project["project"]["version"] == manue.__version__
    assert manifest["bot"]["name"] == folder.name
    assert manifest["bot"]["supported_modes"] == ["4p"]


def test_modules_of_an_earlier_version_stayed_in_the_akagi_folder(folder):
    old = folder / "manue" / "of_old.py"
    old.touch()
    assert made_by("akagi-folder", folder).returncode == 0
    assert not old.exists()


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_an_akagi_folder_below_a_file_was_a_traceback(place, tmp_path):
    (tmp_path / "file").touch()
    ran = made_by("akagi-folder", tmp_path / place)
    assert ran.returncode == 1
    assert ran.stderr.startswith(str(tmp_path / place))
    assert ran.stderr.count("\n") == 1


def test_an_akagi_folder_replaces_nothing_but_the_package(tmp_path):
    (tmp_path / "manue").mkdir()
    (tmp_path / "manue" / "bot.py").touch()  # the folder of all bots, in place of one in it
    ran = made_by("akagi-folder", tmp_path)
    assert "is not the package of an earlier version" in ran.stderr
    assert (tmp_path / "manue" / "bot.py").exists()
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "manue").symlink_to(ROOT / "manue")
    assert "is not the package of an earlier version" in made_by("akagi-folder", tmp_path / "ours").stderr


AKAGI_SECONDS = 5.0
"""How long Akagi 3 waits for an answer."""


def play_as_akagi(folder, environment, seed):
    """Play a hanchan as Akagi 3 does; return the seconds of all answers, and numbers of decisions.

    The first is of those given while the kernels were compiled or loaded, the second of all.
    """
    command = [sys.executable, "bot.py", str(seed % 4)]
    seconds, notes = [], []
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:

        def react(messages):
            started = time.monotonic()
            process.stdin.write(json.dumps(messages) + "\n")
            process.stdin.flush()
            reply = json.loads(process.stdout.readline())
            seconds.append(time.monotonic() - started)
            notes.append("note" in reply.get("meta", {}).get("manue", {}))
            return reply

        decisions = len(play_a_game(seed, seed % 4, react))
    assert process.returncode == 0
    return seconds, sum(notes), decisions


@pytest.mark.skipif(not FULL, reason="plays twenty hanchan, and compiles meanwhile")
@pytest.mark.timeout(7200)
def test_akagi_gets_its_answers_in_time(folder, tmp_path):
    """The first ten games begin with an empty cache, the others when all kernels are compiled."""
    environment, late = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}, 0
    for seed in range(20):
        if seed == 10:
            subprocess.run([sys.executable, "-m", "manue", "warm"], cwd=folder, env=environment, check=True)
        seconds, meanwhile, decisions = play_as_akagi(folder, environment, seed)
        late += sum(taken > AKAGI_SECONDS for taken in seconds)
        first, *others = seconds
        print(f"{seed}: {decisions} decisions, {meanwhile} while warming up, ", end="")
        print(f"first answer after {first:.2f} s, slowest after it {max(others):.2f} s")
    assert late == 0


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
