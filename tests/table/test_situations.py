"""Situations against a slow reading of the events; their changes add up to the final placement."""

import json
import math
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from manue.__main__ import main
from manue.errors import ProtocolError
from manue.game.actions import Call
from manue.game.events import Called, Discarded, RiichiDeclared, RoundDrawn, RoundStart, Won
from manue.language.messages import ENGLISH
from manue.match import tables
from manue.match.executors import local_executor
from manue.match.games import MatchSettings, play_fixture
from manue.match.match import Match
from manue.match.report import write_report
from manue.match.schedule import fixed_seats
from manue.match.situation_sums import total_change
from manue.match.summary import Summary
from manue.models.placement import RoundPosition
from manue.records.archive import read_log
from manue.table.situations import DIVISIONS, UNIT, Situations, parts_of
from tests.match.test_report import Page
from tests.match.test_summary import line
from tests.models.loaded import shipped
from tests.oracles.round_kinds import round_kind

HANDS = ((None,) * 13,) * 4


def start(wind="E", number=1, honba=0, scores=(25_000,) * 4):
    return RoundStart(wind, number, honba, 0, number - 1, "1m", HANDS, scores)


def discard(actor, tile):
    return Discarded(actor, tile, from_draw=False)


def seats_of(events, scores=(25_000,) * 4, places=(1, 2, 3, 4), last=7):
    situations = Situations()
    for event in events:
        situations.apply(event)
    return situations.to_json(scores, places, last)


def cells_of(*events):
    """Return the cell of each seat in a single round."""
    return [next(iter(seat["cells"])) for seat in seats_of([start(), *events])]


PON = Called(1, Call("pon", ("5m", "5m"), "5mr", 0))
KAKAN = Called(1, Call("kakan", ("5m", "5m", "5mr"), "5m"))
ANKAN = Called(1, Call("ankan", ("E", "E", "E", "E")))


def test_nobody_does_anything():
    assert cells_of(RoundDrawn()) == ["closed/none/draw/early"] * 4


def test_a_chase_that_deals_in_while_one_folds_and_one_pushes():
    assert cells_of(
        *(discard(0, "9s"), discard(2, "1p"), RiichiDeclared(0), discard(0, "1m")),
        *(discard(1, "9s"), discard(2, "1m"), discard(3, "7p")),
        *(RiichiDeclared(2), discard(2, "7p"), discard(1, "1p"), discard(2, "E"), Won(0, 2)),
    ) == [
        "riichi/after/win/early",
        "closed/risk/away/early",
        "riichi/before/deal-in/early",
        "closed/risk/away/early",
    ]


def test_what_somebody_else_discarded_since_the_riichi_is_safe_and_what_was_before_is_not():
    before, since = discard(2, "5sr"), discard(2, "6s")
    riichi = (RiichiDeclared(0), discard(0, "1m"))
    ending = (Won(0, 0),)
    assert cells_of(before, *riichi, since, discard(1, "6s"), *ending)[1] == "closed/safe/paid/early"
    assert cells_of(before, *riichi, since, discard(1, "5s"), *ending)[1] == "closed/risk/paid/early"


def test_a_tile_added_to_a_pon_is_a_risk_and_a_closed_kan_no_call():
    riichi = (RiichiDeclared(0), discard(0, "1m"))
    assert cells_of(PON, *riichi, discard(1, "1m"), RoundDrawn())[1] == "open/safe/draw/early"
    assert cells_of(PON, *riichi, KAKAN, Won(0, 1))[1] == "open/risk/deal-in/early"
    assert cells_of(ANKAN, RoundDrawn())[1] == "closed/none/draw/early"


def test_two_may_win_off_one():
    endings = [parts_of(cell).ending for cell in cells_of(Won(1, 3), Won(2, 3))]
    assert endings == ["away", "win", "win", "deal-in"]


@pytest.mark.parametrize(
    ("wind", "number", "planned", "time"),
    [
        ("S", 3, 7, "early"),
        ("S", 4, 7, "last"),
        ("W", 2, 7, "last"),
        ("E", 3, 3, "early"),
        ("E", 4, 3, "last"),
    ],
)
def test_the_last_round(wind, number, planned, time):
    (cell,) = seats_of([start(wind, number), RoundDrawn()], last=planned)[0]["cells"]
    assert cell.endswith(time)


def test_points_and_placements_of_a_game_of_two_rounds():
    after = (24_000, 33_000, 20_000, 23_000)
    final = (24_000, 21_000, 32_000, 23_000)
    events = [start(), Won(1, 2), start("S", 4, 1, after), Won(2, 1)]
    model = shipped().placement
    first, second = (
        model.final_places(scores, position) @ np.arange(1, 5)
        for scores, position in (((25_000,) * 4, RoundPosition(0, 0)), (after, RoundPosition(7, 3, 1)))
    )
    seat = seats_of(events, final, (2, 4, 1, 3))[1]
    assert seat["start"] == round(UNIT * first[1])
    rounds, points, moved = seat["cells"]["closed/none/win/early"]
    assert (rounds, points) == (1, 8_000)
    assert moved == pytest.approx(UNIT * (second[1] - first[1]), abs=1)
    assert seat["cells"]["closed/none/deal-in/last"] == [1, -12_000, 4 * UNIT - round(UNIT * second[1])]


def test_a_round_without_points_is_refused():
    with pytest.raises(ProtocolError, match="points"):
        Situations().apply(start(scores=None))


@st.composite
def rounds(draw):
    """A round, not necessarily legal, with few kinds of tile so that the same ones recur."""
    tiles = st.sampled_from(["1m", "2m", "5m", "5mr", "E"])
    seat = st.integers(0, 3)
    calls = st.sampled_from([PON.call, KAKAN.call, ANKAN.call])
    acts = st.one_of(
        st.builds(discard, seat, tiles), st.builds(Called, seat, calls), st.builds(RiichiDeclared, seat)
    )
    events, declared = [], set()
    for event in draw(st.lists(acts, max_size=25)):
        if isinstance(event, RiichiDeclared) and event.actor in declared:
            continue
        if isinstance(event, RiichiDeclared):
            declared.add(event.actor)
        events.append(event)
    source = draw(seat)
    winners = draw(st.sets(seat, max_size=3))
    return [*events, *([Won(source, source)] if source in winners else [Won(one, source) for one in winners])]


@given(st.lists(rounds(), min_size=1, max_size=3))
def test_cells_are_those_of_slow_reading(played):
    found = seats_of([event for events in played for event in (start(), *events)])
    for seat in range(4):
        slow = Counter(round_kind(events, seat, last=False) for events in played)
        assert {cell: sums[0] for cell, sums in found[seat]["cells"].items()} == slow


@pytest.fixture(scope="module", params=["hanchan", "east"])
def games(request, tmp_path_factory):
    """Lines of results of played games, with their events by round."""
    pytest.importorskip("riichienv")
    settings = MatchSettings(fixed_seats(["rules", "greedy", "rules", "tsumogiri"]), 3, length=request.param)
    path = tmp_path_factory.mktemp("games") / "log.mjson.gz"
    found = []
    for game in range(4):
        result, log = play_fixture(settings, settings.schedule.fixture(game))
        path.write_bytes(log)
        played = []
        for entry in read_log(path):
            if isinstance(entry.event, RoundStart):
                played.append([])
            if played:
                played[-1].append(entry.event)
        found.append((result, played, 7 if request.param == "hanchan" else 3))
    return found


def test_changes_of_played_games_add_up_to_the_placement(games):
    for result, _, _ in games:
        starts = 0
        for seat, found in enumerate(result["situations"]):
            counts, points, moved = (sum(column) for column in zip(*found["cells"].values(), strict=True))
            assert found["start"] + moved == UNIT * result["placements"][seat]
            assert points == result["scores"][seat] - 25_000
            assert counts == result["rounds"]
            starts += found["start"]
        assert abs(starts - 10 * UNIT) <= 2  # four rounded numbers


def test_cells_of_played_games_are_those_of_slow_reading_and_agree_with_the_tally(games):
    kinds = set()
    for result, played, last in games:
        for seat, found in enumerate(result["situations"]):
            slow = Counter()
            for events in played:
                index = "ESWN".index(events[0].round_wind) * 4 + events[0].number - 1
                slow[round_kind(events, seat, last=index >= last)] += 1
            assert {cell: sums[0] for cell, sums in found["cells"].items()} == slow
            kinds |= set(slow)
            tally = result["seats"][seat]
            assert sum(count for cell, count in slow.items() if cell.startswith("riichi")) == tally["riichi"]
            assert sum(count for cell, count in slow.items() if cell.startswith("open")) == tally["calls"]
            assert sum(count for cell, count in slow.items() if "/win/" in cell) == tally["wins"]
            assert sum(count for cell, count in slow.items() if "/deal-in/" in cell) == tally["deal_ins"]
    assert len(kinds) > 20


def made_up_lines(walls=3):
    """Two agents on walls of two games, with random rounds whose changes add up as they must."""
    rng = random.Random(4)
    hands, endings, times = (list(parts) for parts in DIVISIONS.values())
    lines = []
    for game in range(2 * walls):
        names = ["a", "b", "b", "b"] if game % 2 else ["b", "b", "b", "a"]
        places = rng.sample([1, 2, 3, 4], 4)
        seats = []
        for place in places:
            cells, left = {}, UNIT * place - 25_000
            for at in range(6):
                moved = left if at == 5 else rng.randint(-5_000, 5_000)
                left -= moved
                cell = f"{rng.choice(hands)}/{rng.choice(endings)}/{rng.choice(times)}"
                old = cells.get(cell, [0, 0, 0])
                cells[cell] = [old[0] + 1, old[1] + 100 * rng.randint(-80, 80), old[2] + moved]
            seats.append({"start": 25_000, "cells": cells})
        lines.append(line(game, game // 2, names, places) | {"situations": seats, "log": None})
    return lines


def summary_of(lines):
    summary = Summary(block=2)
    for entry in lines:
        summary.add(entry)
    summary.finish()
    return summary.to_json()


def test_every_division_of_the_summary_adds_up():
    summary = summary_of(made_up_lines())
    (pair,) = summary["paired"]
    one, other = summary["agents"][pair["agent"]], summary["agents"][pair["against"]]
    for division in DIVISIONS:
        for agent in (one, other):
            table = agent["situations"]
            change = sum(part["per_game"] for part in table[division].values())
            assert table["start"] + change == pytest.approx(agent["mean_placement"], abs=2e-4)
            assert sum(part["share"] for part in table[division].values()) == pytest.approx(1, abs=1e-4)
        total = sum(part["per_game"] for part in pair["situations"][division].values())
        assert total == pytest.approx(pair["placement_difference"], abs=2e-4)
        for part, difference in pair["situations"][division].items():
            each = [agent["situations"][division].get(part, {"per_game": 0}) for agent in (one, other)]
            assert difference["per_game"] == pytest.approx(
                each[0]["per_game"] - each[1]["per_game"], abs=2e-5
            )
    changes = sum(
        agent["games"] * part["per_game"]
        for agent in (one, other)
        for part in agent["situations"]["time"].values()
    )
    assert changes == pytest.approx(0, abs=1e-3)


def test_the_parts_of_the_summary_against_plain_arithmetic():
    lines = made_up_lines()
    found = summary_of(lines)["agents"]["b"]["situations"]["hand"]["closed/risk"]
    rounds, points, moved, ended, walls = 0, 0, 0, Counter(), Counter()
    for entry in lines:
        for name, seat in zip(entry["agents"], entry["situations"], strict=True):
            for cell, sums in seat["cells"].items():
                if name == "b" and cell.startswith("closed/risk/"):
                    rounds, points, moved = rounds + sums[0], points + sums[1], moved + sums[2]
                    ended[parts_of(cell).ending] += sums[0]
                    walls[entry["wall"]] += sums[2]
    assert found["rounds"] == rounds > 5
    assert found["share"] == pytest.approx(rounds / (18 * 6), abs=1e-5)
    assert ended["win"] != ended["deal-in"] > 0
    assert found["win_rate"] == pytest.approx(ended["win"] / rounds, abs=1e-5)
    assert found["deal_in_rate"] == pytest.approx(ended["deal-in"] / rounds, abs=1e-5)
    assert found["points"] == pytest.approx(points / rounds, abs=0.05)
    assert found["placement"] == pytest.approx(moved / rounds / UNIT, abs=1e-5)
    assert found["per_game"] == pytest.approx(moved / 18 / UNIT, abs=1e-5)
    means = [walls[wall] / 6 / UNIT for wall in range(3)]  # equal walls: the textbook's interval
    error = 4.303 * np.std(means, ddof=1) / math.sqrt(3)
    assert found["ci95"] == pytest.approx(error, rel=1e-3)


def test_a_situation_that_neither_agent_was_in_has_no_difference(tmp_path, capsys):
    """Regression: it was +0.000 ± 0.000, as if both had gained the same in such rounds."""
    lines = made_up_lines()
    for entry in lines:
        for seat in entry["situations"]:
            seat["cells"] = {
                cell: sums for cell, sums in seat["cells"].items() if not cell.startswith("closed/")
            }
    summary = summary_of(lines)
    (pair,) = summary["paired"]
    assert not [part for part in pair["situations"]["hand"] if part.startswith("closed/")]
    assert [part for part in pair["situations"]["hand"] if part.startswith("riichi/")]
    tables.print_situations(summary)
    page = write_report(tmp_path, lines, summary).read_text()
    row = ENGLISH.text("situation.closed/none")
    differences = page.split("<table class=tight>")[1]
    assert f"<td>{row}<td>-\n" in differences
    (shown,) = (text for text in capsys.readouterr().out.splitlines() if row in text)
    assert [cell.strip() for cell in shown.split("│")[2:-1]] == ["-"] * 5


def test_the_differences_were_lost_behind_games_of_an_earlier_version(tmp_path):
    """Their order is that of the first game, though it has no situations; the total is that of the rows."""
    lines = made_up_lines(walls=4)
    for entry in lines[:3]:
        del entry["situations"]  # the first that has them names "a" first, the match "b"
    summary = summary_of(lines)
    (pair,) = summary["paired"]
    assert (pair["agent"], pair["situations"] is None) == ("b", False)
    rest = summary_of(lines[4:])["paired"][0]["placement_difference"]
    assert total_change(pair["situations"]) == pytest.approx(rest, abs=2e-4)
    assert rest != pytest.approx(pair["placement_difference"], abs=1e-3)
    assert rest == pytest.approx(0.0, abs=5e-4)  # a report writes this 0 without a sign
    assert "<td>0.000</table>" in write_report(tmp_path, lines, summary).read_text()


def test_results_of_an_earlier_version_are_read(tmp_path):
    settings = MatchSettings(fixed_seats(["greedy", "tsumogiri", "greedy", "tsumogiri"]), 11, length="east")

    def play(path, games, **options):
        return Match(settings, path, games, **options).run(lambda: local_executor(1), 1)

    pytest.importorskip("riichienv")
    play(tmp_path, 2)
    results = tmp_path / "results.jsonl"
    old = [json.loads(text) for text in results.read_text().splitlines()]
    for entry in old:
        del entry["situations"]
    results.write_text("".join(json.dumps(entry) + "\n" for entry in old))
    assert play(tmp_path, 2, resume=True)["agents"]["greedy"]["situations"] is None
    assert "by situation" not in (tmp_path / "report.html").read_text()
    summary = play(tmp_path, 4, resume=True)
    assert summary["agents"]["greedy"]["games"] == 8
    assert summary["agents"]["greedy"]["situations"]["games"] == 4
    assert "by situation" in (tmp_path / "report.html").read_text()


def test_the_report_and_the_terminal_show_the_table(tmp_path, monkeypatch, capsys):
    lines = [entry | {"log": None, "faults": []} for entry in made_up_lines()]
    summary = summary_of(lines)
    page = Page(write_report(tmp_path, lines, summary).read_text())
    tables.print_situations(summary)
    shown = capsys.readouterr().out
    part = summary["agents"]["a"]["situations"]["hand"]["riichi/before"]
    for text in (page.text.replace("\u2212", "-"), shown):
        for label in (ENGLISH.text(f"situation.{part}") for parts in DIVISIONS.values() for part in parts):
            assert label in text
        assert f"{part['per_game']:.3f}" in text
        assert f"{part['share'] * 100:.1f}" in text
    for columns in (80, 60):
        monkeypatch.setattr(tables, "Console", lambda columns=columns, **_: Console(width=columns))
        tables.print_situations(summary)
        narrow = capsys.readouterr().out
        assert max(map(len, narrow.splitlines())) <= columns
        assert f"{part['per_game']:+.3f}" in narrow


def test_a_match_that_is_over_shows_its_table_when_asked(tmp_path, capsys):
    pytest.importorskip("riichienv")
    command = ["match", "--seats", "greedy,tsumogiri,greedy,tsumogiri", "--games", "2", "--east", "--no-logs"]
    command += ["--workers", "1", "--out", str(tmp_path / "m")]
    assert main(command) == 0
    assert "by situation" not in capsys.readouterr().out
    assert main([*command, "--resume", "--situations"]) == 0
    assert "by situation" in capsys.readouterr().out


def test_a_long_command_leaves_room_for_the_shares_and_differences(capsys):
    bot = "cmd:/opt/somewhere/python -m somebody.bot --seat {seat} --with a long command"
    lines = [
        entry | {"agents": [bot if name == "b" else name for name in entry["agents"]]}
        for entry in made_up_lines()
    ]
    summary = summary_of(lines)
    tables.print_situations(summary)
    shown = capsys.readouterr().out
    assert "rounds %" in shown
    (pair,) = summary["paired"]
    assert f"{pair['situations']['ending']['win']['ci95']:.3f}" in shown
