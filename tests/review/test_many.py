"""Reviews of several games: pages, the index, what cannot be read."""

import json
import re
from collections import Counter

import pytest

from manue.__main__ import main
from manue.language.messages import language_named, messages
from manue.records.results import round_results
from manue.review.index_page import ReviewedGame, index_html
from tests.browsing import PAPER, violations
from tests.conftest import events_of
from tests.conftest import game as sample
from tests.review.conftest import data_in
from tests.review.made_up import made_up_game, write_game

_BROKEN_CELLS = """() => [...document.querySelectorAll("td")].filter((cell) => {
  const text = document.createRange();
  text.selectNodeContents(cell);
  return text.getClientRects().length > 1;
}).map((cell) => cell.textContent)"""
"""The numbers and dates that stand on more than one line."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three games of Ann, and a file that is none."""
    folder = tmp_path_factory.mktemp("many")
    for seed, names in enumerate(
        (("Ann", "Bo", "Cy", "Di"), ("Ed", "Ann", "Fy", "Gu"), ("Hi", "Jo", "Ky", "Ann"))
    ):
        write_game(folder / f"game-{seed}.mjson", made_up_game(seed=seed, rounds=1, names=names))
    (folder / "notes.txt").write_text("milk, eggs")
    return folder


def test_a_folder_becomes_pages_and_an_index(folder, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["review", str(folder), "--agent", "greedy", "-o", str(out), "--json", "--lang", "en"]) == 1
    printed = capsys.readouterr()
    games = json.loads(printed.out)
    assert [game["name"] for game in games] == ["Ann"] * 3
    assert "notes.txt" in printed.err
    index = (out / "index.html").read_text()
    links = re.findall(r'href="([^"#]+)#seat=[0-3]"', index)
    assert sorted(links) == sorted(path.name for path in out.iterdir() if path.name != "index.html")
    assert len(links) == 3
    assert "notes.txt" in index
    rows = re.findall(r"</th>((?:<td>[^<]*</td>)+)", index)
    cells = [re.findall(r"<td>([^<]*)</td>", row) for row in rows]
    assert len(cells) == 4  # the last has the means
    for row in cells:  # greedy values nothing, so nothing measures loss, blunders and mistakes
        assert row[3] == row[4] == row[6] == row[7] == "-" != row[5]


def test_games_without_a_player_in_common_name_every_seat(tmp_path, capsys):
    for seed, names in enumerate((("Ann", "Bo", "Cy", "Di"), ("Ed", "Fy", "Gu", "Hi"))):
        write_game(tmp_path / f"game-{seed}.mjson", made_up_game(seed=seed, rounds=1, names=names))
    given = ["review", str(tmp_path), "--agent", "greedy", "--lang", "en"]
    assert main([*given, "-o", str(tmp_path / "out")]) == 0
    assert "2 games, 0 not read" in capsys.readouterr().err
    index = (tmp_path / "out" / "index.html").read_text()
    assert "<h1>Review of 2 games</h1>" in index
    assert "<svg" not in index
    assert re.findall(r"#seat=(\d)\">game-0.mjson · (\w+)<", index) == [
        *zip("0123", ("Ann", "Bo", "Cy", "Di"), strict=True)
    ]


def test_links_of_the_index_ask_the_costliest_choices_again(browser, folder, tmp_path, capsys):
    out = tmp_path / "out"
    files = [str(folder / f"game-{n}.mjson") for n in (0, 1)]
    assert main(["review", *files, "-o", str(out), "--lang", "en", "--json"]) == 0
    games = json.loads(capsys.readouterr().out)
    page = browser.new_page()
    page.goto((out / "index.html").as_uri())
    links = page.eval_on_selector_all("ol a", "links => links.map(link => link.getAttribute('href'))")
    choices = [(one["lost"], game["page"], one["at"]) for game in games for one in game["costliest"]]
    ranked = sorted(choices, key=lambda choice: -choice[0])[:20]  # equal ones in the order of the games
    assert len(links) == len(ranked) > 3
    for link, (lost, name, at) in zip(links, ranked, strict=True):
        seat = re.fullmatch(rf"{name}#at={at}&seat=([0-3])&ask=1&hide=1", link)[1]
        (decision,) = (one for one in data_in(out / name)["decisions"][int(seat)] if one["at"] == at)
        assert decision["played"] != decision["chosen"]
        assert lost > 0
    page.click("ol a >> nth=0")
    page.wait_for_selector("html[data-ready]")
    assert page.locator("#options .answer").count() > 1
    assert not page.locator("#options table").count()
    page.close()


def test_several_files_and_a_language(folder, tmp_path, capsys):
    files = [str(folder / f"game-{n}.mjson") for n in (0, 1)]
    assert main(["review", *files, "--agent", "greedy", "--lang", "ja", "-o", str(tmp_path / "out")]) == 0
    assert "位" in capsys.readouterr().out
    assert '<html lang="ja">' in (tmp_path / "out" / "index.html").read_text()


def test_pages_of_the_review_before_give_way(folder, tmp_path):
    """Regression: they stayed beside the new ones, and nothing led to them."""
    out = tmp_path / "out"
    given = ["review", "--agent", "greedy", "--lang", "en", "-o", str(out)]
    files = [str(folder / f"game-{n}.mjson") for n in range(3)]
    assert main([*given, *files]) == 0
    (out / "0009-mine.html").write_text("something else")
    assert main([*given, *files[1:]]) == 0
    links = re.findall(r'href="([^"#]+)#seat=[0-3]"', (out / "index.html").read_text())
    assert sorted(links) == ["0001-game-1.html", "0002-game-2.html"]
    assert sorted(path.name for path in out.iterdir()) == [*sorted(links), "0009-mine.html", "index.html"]


def test_games_of_one_file_are_told_apart(folder, tmp_path):
    """Regression: all had the name of the file."""
    both = tmp_path / "both.mjson"
    both.write_text("".join((folder / f"game-{n}.mjson").read_text() for n in range(2)))
    out = tmp_path / "out"
    given = ["review", str(both), str(folder / "game-2.mjson"), "--agent", "greedy", "--lang", "en"]
    assert main([*given, "-o", str(out)]) == 0
    titles = re.findall(r"#seat=\d\">([^<]*)<", (out / "index.html").read_text())
    assert sorted(titles) == ["both.mjson (1/2)", "both.mjson (2/2)", "game-2.mjson"]
    assert "<title>both.mjson (2/2) - manue</title>" in (out / "0002-both.html").read_text()


def test_a_name_that_turns_what_follows_is_written_out(tmp_path):
    """Regression: behind it the line on who judged stood in reverse."""
    write_game(tmp_path / "a.mjson", made_up_game(seed=1, rounds=1, names=("\u202eAnn", "B", "C", "D")))
    given = ["review", str(tmp_path), "--seat", "0", "--agent", "greedy", "-o", str(tmp_path / "out")]
    assert main(given) == 0
    index = (tmp_path / "out" / "index.html").read_text()
    assert "\u202e" not in index
    assert "\\u202eAnn, judged by greedy" in index


def test_another_index_is_not_written_over(folder, tmp_path, capsys):
    index = tmp_path / "index.html"
    index.write_text("<h1>My pages</h1>")
    assert main(["review", str(folder), "--agent", "greedy", "-o", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith(f"{index} is not the index of a review; choose another folder\n")
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]
    assert index.read_text() == "<h1>My pages</h1>"


@pytest.mark.parametrize("extra", [["--log", "x.mjson"], ["--game", "1"], ["-o", "page.html"]])
def test_options_of_one_game_are_refused(folder, extra, capsys):
    assert main(["review", str(folder), "--agent", "greedy", *extra]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_folder_without_records_is_one_line(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("nothing")
    assert main(["review", str(tmp_path), "--agent", "greedy"]) == 1
    assert "a.txt" in capsys.readouterr().err


def test_where_nothing_is_reviewed_every_reason_is_named(folder, tmp_path, capsys):
    """The first one alone was: that of a damaged file, though nobody had the name that was asked for."""
    bad = tmp_path / "a.mjson"
    bad.write_text("nothing")
    good = folder / "game-0.mjson"
    assert main(["review", str(bad), str(good), "--agent", "greedy", "--seat", "Nobody"]) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"manue: {bad}: no game record (Mjai, ")
    assert second.startswith(f"manue: {good}: --seat: nobody is called 'Nobody'")


def test_a_name_that_two_others_share_does_not_hide_the_player(tmp_path, capsys):
    """Regression: where two had no name, the third was looked for by its name and its seat."""
    for seed, names in enumerate((("N", "N", "me", "X"), ("N", "Y", "me", "N"), ("A", "B", "C", "me"))):
        write_game(tmp_path / f"game-{seed}.mjson", made_up_game(seed=seed, rounds=1, names=names))
    assert main(["review", str(tmp_path), "--agent", "greedy", "--json"]) == 0
    assert [one["name"] for one in json.loads(capsys.readouterr().out)] == ["me"] * 3


def test_a_double_ron_is_one_deal_in(tmp_path, capsys):
    """Regression: the index counted it as two."""
    log = sample("double-ron")
    (tmp_path / log.name).write_bytes(log.read_bytes())
    assert main(["review", str(tmp_path), "--agent", "greedy", "--json"]) == 0
    counted = {one["seat"]: one["deal_ins"] for one in json.loads(capsys.readouterr().out)}
    paid = Counter(result.payer for result in round_results(events_of(log)))
    assert counted == {seat: paid[seat] for seat in range(4)}


def test_a_damaged_record_is_read_in_part_not_unread(tmp_path, capsys):
    write_game(tmp_path / "whole.mjson", made_up_game(seed=0, rounds=2))
    lines = (tmp_path / "whole.mjson").read_text().splitlines(keepends=True)
    (tmp_path / "cut.mjson").write_text("".join(lines[:-3]) + '{"type": "tsu')
    assert (
        main(["review", str(tmp_path), "--agent", "greedy", "--seat", "0", "-o", str(tmp_path / "out")]) == 0
    )
    printed = capsys.readouterr().err
    assert "2 games, 0 not read" in printed
    assert "cut.mjson, line" in printed
    assert "; shown is the one whole round before it: East 1" in printed
    index = (tmp_path / "out" / "index.html").read_text()
    assert "<h2>Read in part</h2>" in index
    assert "<h2>Not read</h2>" not in index


def test_what_is_printed_of_a_record_that_breaks_off_had_a_final_place(tmp_path, capsys):
    """Regression: "Place 1  25,000" of a game left in its first round."""
    write_game(tmp_path / "left.mjson", made_up_game(seed=0, rounds=1)[:-3])
    command = ["review", str(tmp_path), "--agent", "greedy", "--seat", "0"]
    assert main(command) == 0
    assert "  breaks off before the end  -  " in capsys.readouterr().out
    assert main([*command, "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)
    assert one["place"] is one["score"] is None


def test_records_in_the_folders_of_a_folder_are_reviewed(tmp_path, capsys):
    (tmp_path / "2009" / "03").mkdir(parents=True)
    write_game(tmp_path / "2009" / "03" / "deep.mjson", made_up_game(seed=0, rounds=1))
    assert main(["review", str(tmp_path), "--agent", "greedy", "--seat", "0"]) == 0
    assert "deep.mjson" in capsys.readouterr().out


def game(name="<b>x", **changes):
    values = {
        "page": "p.html", "seat": 0, "title": "<i>t", "date": None, "name": name, "place": 2, "score": 25000,
        "lost": 40.0,
        "better": 0.4, "agreement": 0.7, "mistakes": 1, "blunders": 0, "wins": 1, "deal_ins": 2,
    }  # fmt: skip
    return ReviewedGame(**{**values, **changes})


def test_the_index_is_safe_and_has_means():
    text = index_html([game(), game(place=3, lost=None, agreement=None)], "manue", ["<s>"], ["<u>"], "en")
    assert "<b>x" not in text
    assert "<i>t" not in text
    assert "<u>" not in text
    assert "<s>" not in text
    assert "<td>2.50</td>" in text
    assert text.count("<script") == 1


def test_the_course_has_axes_with_values_that_can_be():
    """Regression: first place stood below fourth, and games all alike between 99.5 and 100.5."""
    alike = [game(lost=0.0, agreement=1.0, place=1), game(lost=0.0, agreement=1.0, place=1)]
    different = [game(lost=40.0, agreement=0.7, place=2), game(lost=62.5, agreement=0.82, place=4)]
    for games, lost, agreement in (
        (alike, ["0.0", "1.0"], "90\u00a0%"),
        (different, ["0.0", "62.5"], "70\u00a0%"),
    ):
        figures = index_html(games, "manue", [], [], "en").split("<figure>")[1:]
        axes = [re.findall(r">([\d.]+(?:\s%)?)</text>", figure) for figure in figures]
        assert axes == [lost, [agreement, "100\u00a0%"], ["4", "1"]]
        first_place, fourth_place = (
            float(y) for y in re.findall(r'<line[^>]* y1="([\d.]+)"', figures[2])[::-1]
        )
        assert first_place < fourth_place, "higher up"


def test_the_index_passes_axe_and_fits(browser, node_modules, tmp_path):
    page = tmp_path / "index.html"
    page.write_text(index_html([game(lost=n) for n in (30.0, 50.0, 20.0)], "manue", [], ["a.txt: no"], "ja"))
    for width in (390, 1400):
        context = browser.new_context(offline=True, viewport={"width": width, "height": 800})
        shown = context.new_page()
        shown.goto(page.as_uri())
        assert violations(shown, node_modules) == []
        assert shown.evaluate("() => document.documentElement.scrollWidth") <= width
        context.close()


def test_printed_the_index_lost_its_last_columns(browser, tmp_path):
    page = tmp_path / "index.html"
    page.write_text(index_html([game(title="000001.mjson.gz", date="2009-03-07")] * 2, "manue", [], []))
    shown = browser.new_page(viewport=PAPER)
    shown.emulate_media(media="print")
    shown.goto(page.as_uri())
    assert shown.locator("table >> visible=true").bounding_box()["width"] <= PAPER["width"]
    shown.close()


@pytest.mark.parametrize("locale", ["ja-JP", "zh-TW", "de-DE"])
def test_the_index_speaks_the_language_of_the_browser(browser, tmp_path, locale):
    page = tmp_path / "index.html"
    page.write_text(index_html([game()], "manue", [], []))
    context = browser.new_context(offline=True, locale=locale)
    shown = context.new_page()
    shown.goto(page.as_uri())
    words = messages(language_named(locale) or "en")
    heading = words.text("index.title", n=1)
    assert shown.locator("h1:visible").all_inner_texts() == [heading]
    assert shown.title() == f"{heading} - manue"
    assert shown.evaluate("() => document.documentElement.lang") == words.language
    context.close()


def test_the_numbers_of_the_index_stay_whole_on_a_phone(browser, tmp_path):
    page = tmp_path / "index.html"
    one = game(date="2009-03-07", title="2009030701gm-00a9-0000-0dfd07b3.mjson.gz", score=-43200)
    page.write_text(index_html([one], "manue", [], [], "ja"))
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 800})
    shown = context.new_page()
    shown.goto(page.as_uri())
    assert shown.evaluate(_BROKEN_CELLS) == []
    assert shown.evaluate("() => document.querySelector('tbody tr').offsetHeight") < 150
    assert shown.evaluate("() => document.documentElement.scrollWidth") <= 390
    context.close()
