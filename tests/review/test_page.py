"""Pages from logs: frames as steps, played options, hostile texts, foreign files."""

import gzip
import json
import re
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manue.__main__ import main
from manue.agents.base import Decision
from manue.decision.report import Report
from manue.errors import LogError
from manue.game.actions import Discard
from manue.hand.shanten import ukeire
from manue.protocol.annotation import decision_to_meta
from manue.records.archive import entry_of, read_games
from manue.review.decisions import ROW, SharedValues, _decision_data
from manue.review.frames import replay, step_between, steps_of
from manue.review.game_facts import game_facts
from manue.review.page import MODULES, bundle, page_data, page_html
from manue.rules import TENHOU, Rules
from manue.tiles import KIND_OF, KINDS, parse_tiles
from tests.messages import start_kyoku
from tests.review.conftest import applied, data_in, make_page
from tests.review.made_up import made_up_game, write_game
from tests.review.test_browser import moments

HOSTILE = '</script><!--<script><img src=x onerror="document.title=`owned`"> {{SCRIPT}} \u2028'


def data_of(log):
    game = next(read_games(log))
    return page_data(game, source=str(log), title=log.name)


players = st.fixed_dictionaries(
    {"hand": st.lists(st.sampled_from("ab?"), max_size=4), "riichi": st.integers(0, 2)}
)
deltas = st.none() | st.lists(st.integers(), max_size=2)
pairs = st.lists(players, min_size=2, max_size=2)
frames = st.lists(
    st.fixed_dictionaries({"left": st.integers(0, 70), "deltas": deltas, "players": pairs}), max_size=6
)


@given(frames)
def test_steps_lead_through_all_frames(frames):
    frame = {}
    for step, expected in zip(steps_of(frames), frames, strict=True):
        frame = applied(frame, json.loads(json.dumps(step)))
        assert frame == expected


def facts_of(*events, scores=(25_000,) * 4, title="", rules=TENHOU):
    game = [entry_of(line, fields) for line, fields in enumerate(events, 1)]
    return game_facts(game, SimpleNamespace(frames=[{"scores": scores}]), title, rules)


START_GAME, END_GAME = {"type": "start_game", "names": list("abcd")}, {"type": "end_game"}


def test_results_are_counted_from_30_000_with_uma_and_oka():
    facts = facts_of(START_GAME, END_GAME, scores=(18_300, 41_700, 20_000, 20_000))
    assert (facts["cut"], facts["places"]) == (False, [4, 1, 2, 3])
    assert facts["results"] == [-31.7, 51.7, 0.0, -20.0]
    broken_off = facts_of(START_GAME, scores=(18_300, 41_700, 20_000, 20_000))
    assert (broken_off["cut"], broken_off["places"], broken_off["results"]) == (True, None, None)


def test_the_day_is_in_the_name_that_tenhou_gives_a_game_or_in_that_of_the_record():
    named = START_GAME | {"log_id": "2009030701gm-00a9-0000-0dfd07b3"}
    assert facts_of(named, title="2010123123gm-00a9-0000-0dfd07b3")["date"] == "2009-03-07"
    assert facts_of(START_GAME, title="2010123123gm-00a9-0000-0dfd07b3.mjlog")["date"] == "2010-12-31"
    assert facts_of(START_GAME, title="12010123123gm-00a9")["date"] is None


@pytest.mark.parametrize(
    ("fields", "east"),
    [({}, False), ({"kyoku_first": 0}, False), ({"kyoku_first": 4}, True)],
)
def test_a_game_of_east_alone_says_so_at_its_start(fields, east):
    assert facts_of(START_GAME | fields, END_GAME)["east"] is east


def test_whether_a_game_breaks_off_depends_on_its_rules():
    """After the last planned round nobody has 30,000 points: a game without a target is over."""
    hands = [parse_tiles("19m19p19s1234567z"), *[["?"] * 13] * 3]
    start = start_kyoku(bakaze="S", kyoku=4, oya=3, tehais=hands, scores=[25_000] * 4)
    discard = {"type": "dahai", "actor": 3, "pai": "E", "tsumogiri": True}
    win = {"type": "hora", "actor": 1, "target": 3, "deltas": [0, 1_000, 0, -1_000]}
    events = [START_GAME, start, {"type": "tsumo", "actor": 3, "pai": "?"}, discard, win]
    assert facts_of(*events)["cut"] is True
    assert facts_of(*events, rules=Rules(target_points=0))["cut"] is False


def test_an_unchanged_frame_is_an_empty_step():
    assert step_between({"a": [1]}, {"a": [1]}) == {}


def test_steps_of_a_game_are_much_smaller_than_its_frames(tmp_path):
    log = write_game(tmp_path / "game.mjson", made_up_game())
    game = next(read_games(log))
    frames = replay(game).frames
    assert 6 * len(json.dumps(steps_of(frames))) < len(json.dumps(frames))


def may_pass(decision):
    return any(option["kind"] == "pass" for option in decision["options"])


def test_the_played_option_of_every_decision_is_found(made_up):
    data = data_of(made_up[0])
    decisions = [decision for seat in data["decisions"] for decision in seat]
    assert len(decisions) > 300
    assert all(decision["played"] is not None or may_pass(decision) for decision in decisions)
    assert all(len(option["row"]) == len(ROW) for decision in decisions for option in decision["options"])


def test_what_was_played_is_what_the_next_event_says(made_up):
    data = data_of(made_up[0])
    for seat, decisions in enumerate(data["decisions"]):
        for decision in decisions:
            if decision["played"] is None:  # another seat came first
                continue
            option = decision["options"][decision["played"]]
            following = data["events"][decision["at"] + 1 :]
            later = next(event for event in following if event["type"] not in {"dora", "accepted"})
            if option["kind"] == "discard":
                assert (later["actor"], later["tile"]) == (seat, option["tiles"][0])
            elif option["kind"] == "pass":
                assert later.get("actor") != seat or later["type"] == "draw"
            else:
                assert (later["type"], later["actor"]) == ("call", seat)


def test_numbers_that_are_none_are_shown_as_none(made_up, tmp_path):
    text = made_up[0].read_text().replace('"expPt":', '"expPt":NaN,"old":', 50)
    log = tmp_path / "nan.mjson"
    log.write_text(text)
    data = data_of(log)
    assert any(option["row"][0] is None for d in data["decisions"][0] for option in d["options"])
    assert data_in(make_page(log, tmp_path / "page.html")) == json.loads(json.dumps(data))


def test_plain_discards_tell_their_useful_tiles(tmp_path):
    """Against the one-hand function, for every discard of a game."""
    log = write_game(tmp_path / "game.mjson", made_up_game(seed=3))
    data = data_of(log)
    checked = 0
    for at, states in moments(log):
        for seat, state in enumerate(states):
            decision = next((d for d in data["decisions"][seat] if d["at"] == at), None)
            for option in decision["options"] if decision else ():
                if option["kind"] == "discard":
                    left = state.counts.copy()
                    left[KIND_OF[option["tiles"][0]]] -= 1
                    useful = ukeire(left, len(state.me.melds)) & (state.unseen > 0)
                    kinds = [KINDS[kind] for kind in np.flatnonzero(useful)]
                    assert data["texts"][option["useful"]].split() == kinds
                    checked += 1
    assert checked > 1000


def test_annotations_are_optional(tmp_path):
    data = data_of(write_game(tmp_path / "game.mjson", made_up_game(seed=3)))
    options = [option for seat in data["decisions"] for decision in seat for option in decision["options"]]
    assert options
    assert all(option["row"] is None for option in options)


def test_a_file_name_that_is_no_text_makes_a_page(tmp_path):
    log = write_game(tmp_path / "odd-\udcff.mjson", made_up_game(rounds=1))
    assert "odd-" in make_page(log, tmp_path / "page.html").read_text("utf-8")


def masked(path, log, seat):
    with gzip.open(path, "wt") as file:
        for line in log.read_text().splitlines():
            event = json.loads(line)
            if event["type"] == "start_kyoku":
                event["tehais"] = [
                    hand if at == seat else ["?"] * 13 for at, hand in enumerate(event["tehais"])
                ]
            if event["type"] == "tsumo" and event["actor"] != seat:
                event["pai"] = "?"
            file.write(json.dumps(event) + "\n")
    return path


def test_equal_names_are_distinguished_by_their_seats(tmp_path):
    log = write_game(tmp_path / "game.mjson", made_up_game(rounds=1, names=("manue", "manue", "", "greedy")))
    assert data_of(log)["names"] == ["manue 0", "manue 1", "Seat 2", "greedy"]


def test_hidden_hands_stay_hidden(tmp_path):
    log = write_game(tmp_path / "game.mjson", made_up_game(seed=3))
    data = data_of(masked(tmp_path / "masked.mjson.gz", log, 2))
    assert data["open"] == [False, False, True, False]
    assert data["seat"] == 2
    whole = data_of(log)
    old, new = {}, {}
    for hidden, shown in zip(data["frames"], whole["frames"], strict=True):
        old, new = applied(old, hidden), applied(new, shown)
        for seat in range(4):
            pair = old["players"][seat], new["players"][seat]
            assert len(pair[0]["hand"]) == len(pair[1]["hand"])
            assert set(pair[0]["hand"]) <= {"?"} if seat != 2 else pair[0] == pair[1]
            assert (pair[0]["drawn"] is None) == (pair[1]["drawn"] is None)


def test_a_seat_without_a_hand_cannot_be_chosen(tmp_path, capsys):
    log = masked(tmp_path / "masked.mjson.gz", write_game(tmp_path / "a.mjson", made_up_game(rounds=1)), 2)
    assert main(["view", str(log), "-o", str(tmp_path / "p.html"), "--seat", "1"]) == 2
    assert "hides the hand of seat 1" in capsys.readouterr().err


def test_modules_share_one_scope_without_clashes():
    assert len(MODULES) == len(set(MODULES))
    for script in (bundle(), bundle(("language.js", "index.js"))):
        names = re.findall(r"^(?:async )?(?:function|const|let|class) (\w+)", script, re.MULTILINE)
        assert len(names) == len(set(names))
        assert not re.search(r"^(import|export)\b", script, re.MULTILINE)


@pytest.fixture
def hostile(made_up, tmp_path):
    """A log and page whose every free text attacks the page."""
    path = tmp_path / "hostile.mjson"
    with path.open("w") as file:
        for line in made_up[0].read_text().splitlines():
            event = json.loads(line)
            if event["type"] == "start_game":
                event["names"] = [HOSTILE, "__proto__", "x" * 5000, "\u202egnirts"]
            if event["type"] == "ryukyoku":
                event["reason"] = HOSTILE
            for meta in filter(None, event.get("meta") or []):
                candidate = meta["manue"]["candidates"][0]
                candidate["note"] = HOSTILE
                candidate["explain"] = [{"path": [HOSTILE]}, None, None, None]
                candidate["goals"][0]["yaku"] = [HOSTILE]
            file.write(json.dumps(event) + "\n")
    return make_page(path, tmp_path / "hostile.html")


def test_data_are_letters_alone_and_the_same_twice(hostile):
    data = data_in(hostile)
    assert data["names"][0] == HOSTILE
    assert page_html(data) == page_html(data) == hostile.read_text("utf-8")
    block = hostile.read_text("utf-8").split('id="data">')[1].split("</script>")[0]
    assert re.fullmatch(r"[A-Za-z0-9+/=]+", block)


def test_hostile_texts_stay_texts(show, hostile):
    shown = show(hostile)
    page = shown.page
    page.keyboard.press("ArrowDown")
    page.click(".option-button >> nth=0")
    assert HOSTILE[:60] in page.inner_text(".more")
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowLeft")
    assert HOSTILE[:60] in page.inner_text("#result")
    assert HOSTILE[:60] in page.text_content("label[for=seat-0]")
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    assert "owned" not in page.title()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_texts_of_foreign_logs_are_shown(show, tmp_path):
    """The original server's logs have texts and no data."""
    plain, log = write_game(tmp_path / "plain.mjson", made_up_game(rounds=1)), tmp_path / "texts.mjson"
    with log.open("w") as file:
        for line in plain.read_text().splitlines():
            event = json.loads(line)
            if event["type"] == "tsumo":
                event["logs"] = ["<b>a table</b>" if seat == event["actor"] else None for seat in range(4)]
            file.write(json.dumps(event) + "\n")
    shown = show(make_page(log, tmp_path / "texts.html"))
    shown.page.keyboard.press("ArrowDown")
    shown.page.click("text=Text in the log")
    assert shown.page.inner_text("pre") == "<b>a table</b>"
    assert "has no numbers" in shown.page.inner_text("#options")


def test_the_policy_stops_injected_scripts_styles_and_loads(show, made_up):
    shown = show(made_up[1])
    shown.page.evaluate(
        """() => {
             const script = document.createElement("script");
             script.textContent = "document.title = 'owned'";
             document.body.append(script);
             const picture = document.createElement("img");
             picture.src = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
             document.body.append(picture);
             document.body.setAttribute("onclick", "document.title = 'owned'");
             document.body.click();
           }"""
    )
    while len(shown.complaints) < 3:
        shown.page.wait_for_timeout(10)
    assert "owned" not in shown.page.title()
    blocked = [complaint for complaint in shown.complaints if "Content Security Policy" in complaint]
    assert len(blocked) == len(shown.complaints) == 3
    shown.complaints.clear()


# ---- files that are no logs


def view(tmp_path, text, capsys):
    log = tmp_path / "bad.mjson"
    log.write_bytes(text if isinstance(text, bytes) else text.encode())
    code = main(["view", str(log), "-o", str(tmp_path / "bad.html")])
    err = capsys.readouterr().err
    assert code == 1
    assert err.count("\n") == 1, err
    assert not (tmp_path / "bad.html").exists()
    return err


START = '{"type":"start_game","names":["a","b","c","d"]}\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no events"),
        ("<html></html>\n", "line 1"),
        (START, "no round"),
        (START + '{"type":"tsumo","actor":0,"pai":"1m"}\n', "no round"),
        (START + '{"type":"dahai","actor":0,"pai":"0z","tsumogiri":true}\n', "line 2"),
        (b"\x1f\x8b\x08nonsense", "gzip"),
        (b"\x00\x01\x02PNG", "no game record"),
    ],
)
def test_a_foreign_file_is_one_clear_line(tmp_path, capsys, text, words):
    assert words in view(tmp_path, text, capsys)


def test_a_truncated_log_names_its_line(tmp_path, capsys):
    text = write_game(tmp_path / "game.mjson", made_up_game(rounds=1)).read_text()
    lines = text.splitlines(keepends=True)
    assert "line 41" in view(tmp_path, "".join(lines[:40]) + lines[40][:17], capsys)
    missing = "".join(lines[:30] + lines[31:])
    assert re.search(r"line 3[1-3]:", view(tmp_path, missing, capsys))


def test_a_damaged_annotation_is_left_out_and_named(made_up, tmp_path, caplog):
    lines = made_up[0].read_text().splitlines(keepends=True)
    number = next(at for at, line in enumerate(lines) if '"goals"' in line)
    lines[number] = lines[number].replace('"prob":0.05', '"prob":"much"', 1)
    log, page = tmp_path / "damaged.mjson", tmp_path / "page.html"
    log.write_text("".join(lines))
    assert main(["view", str(log), "-o", str(page), "--table"]) == 0
    where = f"{log}, line {number + 1}"
    assert f"{where}: damaged annotation: goals.0.prob: Input should be a valid number" in caplog.text
    assert page.stat().st_size > 10_000


def test_the_damage_of_a_record_was_not_reported_where_no_decision_could_be_printed(tmp_path, capsys):
    log, page = write_game(tmp_path / "damaged.mjson", made_up_game(rounds=2)), tmp_path / "page.html"
    log.write_text(log.read_text().rsplit('{"type":"end_kyoku"', 1)[0] + "{")
    assert main(["view", str(log), "-o", str(page), "--table"]) == 0
    said = capsys.readouterr().err
    assert "shown is the one whole round before it: East 1" in said
    assert "no decision of this log has numbers; no table is printed" in said


def test_a_log_without_a_choice_among_many_options_had_no_table_and_exit_code_2(made_up, tmp_path, capsys):
    """The page was written all the same. Some logs have few options to a decision, others no points."""
    fewer = [json.loads(line) for line in made_up[0].read_text().splitlines()]
    for event in fewer:
        for meta in filter(None, event.get("meta") or []):
            del meta["manue"]["candidates"][3:]
    points_left_out = json.loads(json.dumps(fewer))
    for event in points_left_out:
        for meta in filter(None, event.get("meta") or []):
            for candidate in meta["manue"]["candidates"]:
                candidate.pop("expPt", None)
    log = tmp_path / "few.mjson"
    for events in (fewer, points_left_out):
        log.write_text("".join(f"{json.dumps(event)}\n" for event in events))
        assert main(["view", str(log), "-o", str(tmp_path / "page.html"), "--table"]) == 0
        assert "chosen " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lang", "moment", "title"),
    [
        ("en", "Seat {}, moment ", "Seat 1, judged by greedy"),
        ("ja", "席{}、", "席1（検討：greedy）"),
        ("zh-Hans", "{}号位，第", "1号位（复盘：greedy）"),
    ],
)
def test_seats_without_a_name_had_english_ones_and_their_number_twice(
    made_up, tmp_path, capsys, lang, moment, title
):
    lines = made_up[0].read_text().splitlines(keepends=True)
    log, page = tmp_path / "nameless.mjson", tmp_path / "page.html"
    log.write_text('{"type":"start_game","names":["","","",""]}\n' + "".join(lines[1:]))
    assert main(["view", str(log), "-o", str(page), "--table", "--lang", lang]) == 0
    said = capsys.readouterr().out
    assert said.startswith(moment.format(re.search(r"&seat=(\d)", said)[1]))
    given = ["--seat", "1", "--agent", "greedy", "--lang", lang]
    assert main(["review", str(log), *given]) == 0
    assert capsys.readouterr().out.splitlines()[0] == title
    folder = tmp_path / "reviews"
    assert main(["review", str(log), str(log), *given, "-o", str(folder)]) == 0
    assert title.split("1")[0] in capsys.readouterr().out
    assert title in (folder / "index.html").read_text()


def test_several_games_need_a_choice(tmp_path, capsys):
    one = write_game(tmp_path / "one.mjson", made_up_game(rounds=1)).read_text()
    log = tmp_path / "two.mjson"
    log.write_text(one + one)
    page = tmp_path / "two.html"
    assert main(["view", str(log), "-o", str(page)]) == 2
    assert "holds 2 games" in capsys.readouterr().err
    assert main(["view", str(log), "-o", str(page), "--game", "2"]) == 0
    assert main(["view", str(log), "-o", str(page), "--game", "3"]) == 2


def test_selected_records_become_pages(rare_logs, tmp_path):
    for log in rare_logs:
        data = data_of(log)
        assert len(data["rounds"]) >= 1
        decisions = [decision for seat in data["decisions"] for decision in seat]
        assert all(decision["played"] is not None or may_pass(decision) for decision in decisions)
        make_page(log, tmp_path / "page.html")


def test_read_errors_are_log_errors(tmp_path):
    with pytest.raises(LogError, match=r"missing\.mjson"):
        list(read_games(tmp_path / "missing.mjson"))


@pytest.mark.parametrize("dangers", [(), ({},) * 4, ({}, {}, {"5m": 0.0412}, {})])
def test_that_nobody_threatens_was_lost(dangers):
    """Regression: a decision at which no seat is dangerous was like one that says nothing of danger."""
    actions = (Discard("5m"),)
    decision = Decision(actions[0], (Report(actions[0]),), dangers=dangers)
    found = _decision_data(None, decision_to_meta(decision, 0), actions, SharedValues())
    assert found.get("danger") == ([dict.fromkeys(one, 41) or None for one in dangers] or None)
