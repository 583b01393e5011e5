"""The report of a match: well-formed, complete, without scripts, and safe against hostile names."""

import re
import resource
from html.parser import HTMLParser

import pytest

from manue.__main__ import main
from manue.language.messages import ENGLISH, LANGUAGES, messages
from manue.match.report import _HEIGHT, _WIDTH, Curves, _chart, _named, _situation, _written, write_report
from manue.match.summary import Summary
from tests.browsing import PAPER, browser, node_modules, violations  # noqa: F401  fixtures
from tests.match.test_summary import line, summary_of_two_games


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.tags, self.text = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name == "href"]

    def handle_data(self, data):
        self.text += data


def test_every_game_is_linked_and_names_do_no_harm(tmp_path):
    evil = "cmd:<script>alert(1)</script>'\""
    summary = Summary(block=4)
    lines = []
    for game in range(40):
        entry = line(game, game // 4, [evil, "b", "b", "b"], [1, 2, 3, 4], (40_000, 30_000, 20_000, 10_000))
        entry["log"] = f"games/{game:06}.mjson.gz"
        entry["faults"] = [{"seat": 0, "kind": "late"}] if game == 7 else []
        lines.append(entry)
        summary.add(entry)
    summary.finish()
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "000003.html").touch()
    page = Page(write_report(tmp_path, lines, summary.to_json()).read_text())
    assert len(page.links) == 40
    assert "game 0 is 000000" in page.text
    assert page.links[0] == "games/000000.mjson.gz"
    assert page.links[2:5] == ["games/000002.mjson.gz", "pages/000003.html", "games/000004.mjson.gz"]
    assert "script" not in page.tags
    assert evil in page.text
    assert "1.000" in page.text
    assert "late 1" in page.text
    assert page.tags.count("polyline") == 2
    assert not list(tmp_path.glob(".part*"))


def test_games_stand_in_order_and_those_that_do_not_count_are_in_no_curve(tmp_path):
    summary, lines = Summary(block=1), []
    for game in (1, 0, 2, 5, 4):
        scores = (40_000, 30_000, 20_000, 10_000)
        lines.append(line(game, game, list("abcd"), [1, 2, 3, 4], scores) | {"log": f"{game}", "faults": []})
    for entry in (lines[1], lines[0], lines[2]):
        summary.add(entry)
    summary.finish()
    page = Page(write_report(tmp_path, lines, summary.to_json()).read_text())
    assert page.links == ["0", "1", "2", "4", "5"]
    assert "after 3 games" in page.text  # the end of the curve
    assert "game 3" not in page.text, "the list, which counts from 0, has none"


def test_results_of_a_stand_in_are_named_and_every_fault_has_its_line(tmp_path):
    summary = Summary(block=1)
    scores = (40_000, 30_000, 20_000, 10_000)
    died = [{"seat": 0, "kind": "died", "lost": True}, {"seat": 1, "kind": "late", "lost": False}]
    entry = line(0, 0, list("abcd"), [1, 2, 3, 4], scores) | {"log": "0", "faults": died}
    summary.add(entry)
    summary.finish()
    text = write_report(tmp_path, [entry], summary.to_json()).read_text()
    assert "a failed in every game: these are the results of its stand-in" in text
    assert "1 of 1 game had faults" in text
    assert "a: died<br>b: late" in text


def test_every_figure_stands_below_its_heading(tmp_path):
    text = write_report(tmp_path, [], summary_of_two_games()).read_text()
    assert "2 games, 10 rounds; 40.0\u00a0% of the rounds drawn." in Page(text).text
    table = text.split("<h2>Players</h2>")[1].split("</table>")[0]
    heads = re.findall("<th>([^<]*)", table)
    cells = [Page(cell).text for cell in table.split("<tr>")[2].split("<td")[1:]]
    row = dict(zip(heads, (cell.split(">", 1)[-1].strip() for cell in cells), strict=True))
    assert row["agent"] == "a"
    assert row["places 1/2/3/4"] == "1 / 1 / 0 / 0"
    assert row["placement"].startswith("1.500 ± ")
    assert row["points"].startswith("36,000 ± ")
    wanted = {
        "seats": "2",
        "win": "20.0\u00a0%",
        "deal-in": "30.0\u00a0%",
        "riichi": "40.0\u00a0%",
        "call": "50.0\u00a0%",
        "points per win": "7,500",
        "paid per deal-in": "3,000",
    }
    assert {name: row[name] for name in wanted} == wanted


@pytest.mark.parametrize(
    ("figures", "written"),
    [
        ("25733 ± 1204", "25,733 ± 1,204"),
        ("-1.016 ± 0.200", "\u22121.016 ± 0.200"),
        ("+0", "0"),
        ("-0.000 ± 0.022", "0.000 ± 0.022"),
        ("+0.001", "+0.001"),
        ("-12300", "\u221212,300"),
        ("1000000", "1,000,000"),
        ("-", "-"),
    ],
)
def test_figures_are_written_as_on_all_pages(figures, written):
    assert _written(figures) == written


def test_figures_of_a_report_had_neither_thousands_apart_nor_a_minus(tmp_path):
    """Regression: "25733", "-1.016" and "+0", and a note at the right end of a row of figures."""
    seats = ["--seats", "greedy,tsumogiri,tsumogiri,tsumogiri", "--games", "2", "--east", "--workers", "1"]
    assert main(["match", *seats, "--out", str(tmp_path / "m")]) == 0
    text = (tmp_path / "m" / "report.html").read_text()
    cells = re.findall("<td[^>]*>(?:<span[^>]*></span>)?([^<]*)", text.split("<h2>Games</h2>")[0])
    assert len(cells) > 100
    assert [cell for cell in cells if re.search(r"\d{4}|-\d|[+-]0(\.0+)?( |$)", cell)] == []
    assert re.search(r"<td colspan=4 class=names>from \d\.\d{3} at the start", text)


def test_shares_of_rounds_were_headed_as_numbers_of_rounds(tmp_path):
    seats = ["--seats", "greedy,tsumogiri,tsumogiri,tsumogiri", "--games", "1", "--east", "--workers", "1"]
    assert main(["match", *seats, "--out", str(tmp_path / "m")]) == 0
    text = (tmp_path / "m" / "report.html").read_text()
    table = text.split("<h2>Placement by situation</h2>")[1].split("</table>")[0]
    headings = re.findall("<th>([^<]*)", table)
    cells = re.search("<tr[^>]*><td>(?!<)[^<]*<td>.*", table)[0].split("<td>")[1:]
    assert headings[2] == "share of rounds"
    assert cells[2].endswith("\u00a0%")


def test_one_game_has_no_curve(tmp_path):
    summary = Summary(block=4)
    entry = line(0, 0, list("abcd"), [1, 2, 3, 4], (40_000, 30_000, 20_000, 10_000)) | {
        "log": None,
        "faults": [],
    }
    summary.add(entry)
    summary.finish()
    page = Page(write_report(tmp_path, [entry], summary.to_json()).read_text())
    assert "1 game," in page.text
    assert "svg" not in page.tags


def test_curves_stay_small_and_end_at_the_mean():
    curves = Curves()
    for game in range(5000):
        curves.add({"agents": ["a", "b", "b", "b"], "scores": [game, 0, 0, 30_000]})
    assert all(len(curve) <= 400 for curve in curves.curves.values())
    games, mean = curves.curves["a"][-1]
    assert games > 4900
    assert mean == sum(range(games)) / games


def test_the_points_of_all_curves_are_after_the_same_games():
    """An agent that is in no lineup of the first game had its points after others."""
    curves = Curves()
    for game in range(5000):
        third = "c" if game else "b"
        curves.add({"agents": ["a", "b", "b", third], "scores": [game, 0, 0, 30_000]})
    a, b, c = ([after for after, _ in curves.curves[name]] for name in "abc")
    assert a == b == c == list(range(a[0], 5001, a[0]))


def test_gains_are_green_and_losses_red():
    part = {"share": 0.1, "win_rate": 0.2, "deal_in_rate": 0.1, "points": 100.0}
    gain, loss = (_situation({**part, "per_game": change}, 0.5, ENGLISH) for change in (-0.25, 0.25))
    assert "width:20.0px;background:#2e7d32" in gain  # a place nearer to the first
    assert "width:20.0px;background:#c62828" in loss


def test_pages_are_made_and_linked(tmp_path):
    seats = "greedy,tsumogiri,tsumogiri,tsumogiri"
    arguments = ["--games", "2", "--east", "--workers", "1", "--out", str(tmp_path / "m"), "--pages"]
    assert main(["match", "--seats", seats, *arguments]) == 0
    page = Page((tmp_path / "m" / "report.html").read_text())
    assert page.links == ["pages/000000.html", "pages/000001.html"]
    assert all((tmp_path / "m" / link).stat().st_size > 10_000 for link in page.links)


def test_pages_stayed_in_their_language_where_another_was_asked_for(tmp_path):
    seats = ["--seats", "greedy,tsumogiri,tsumogiri,tsumogiri", "--games", "1", "--east", "--workers", "1"]
    given = ["match", *seats, "--out", str(tmp_path / "m"), "--pages"]
    page = tmp_path / "m" / "pages" / "000000.html"
    assert main([*given, "--lang", "zh-Hans"]) == 0
    for options in (["--lang", "ja"], []):
        assert main([*given, "--resume", *options]) == 0
        assert '<html lang="ja">' in page.read_text()
        assert "<title>対局 000000 - manue</title>" in page.read_text()


def test_a_curve_over_two_games_starts_at_the_left_and_long_names_are_shortened():
    drawn = _chart({"a": [(1, 20000.0), (2, 30000.0)]}, ENGLISH)
    assert "points='84.0," in drawn
    ends = re.findall(r"([\d.]+),([\d.]+)", re.search("points='([^']+)'", drawn)[1])
    (left, bottom), (right, top) = [(float(x), float(y)) for x, y in ends]
    assert 0 < left < right < _WIDTH
    assert 0 < top < bottom < _HEIGHT  # the mean grew
    assert _named("cmd:" + 40 * "x").count("x") == 27 + 40
    assert _named("manue") == "manue"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_report_speaks_the_language_asked_for(tmp_path, language):
    """The report knew English alone; a text of another language stands in none of them."""
    out = tmp_path / "m"
    seats = ["--seats", "greedy,tsumogiri,tsumogiri,tsumogiri", "--games", "2", "--east", "--workers", "1"]
    assert main(["match", *seats, "--out", str(out), "--lang", language]) == 0
    text = (out / "report.html").read_text()
    words = messages(language)
    for key in ("match.section.players", "match.column.perdealin", "situation.open/risk", "match.note.games"):
        assert words.text(key) in text
    assert f"<html lang={language}>" in text
    plain = re.sub(r"(?s)<style>.*?</style>", "", text)
    shown = Page(plain).text
    if language != "en":
        assert set(re.findall("[a-z]{4,}", shown)) <= {"manue", "view", "greedy", "tsumogiri"}


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (390, "dark")])
def test_axe_is_content_and_four_agents_with_long_commands_fit(
    browser,  # noqa: F811  a fixture
    node_modules,  # noqa: F811  a fixture
    tmp_path,
    width,
    scheme,
):
    seats = "cmd:false " + 8 * "--a-long-option /and/a/long/path " + ",rules,greedy,tsumogiri"
    arguments = ["--games", "2", "--east", "--workers", "1", "--out", str(tmp_path / "m")]
    main(["match", "--seats", seats, *arguments])  # the command fails: the page has a line of faults
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto((tmp_path / "m" / "report.html").as_uri())
    assert violations(page, node_modules) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    boxes = page.locator(".scroll")
    wide = "boxes => boxes.filter(box => box.scrollWidth > box.clientWidth).length"
    assert width < 1400 or boxes.evaluate_all(wide) == 0
    drawing = page.locator("svg").bounding_box()
    labels = [label.bounding_box() for label in page.locator("svg text").all()]
    assert len(labels) == 3
    assert [box for box in labels if box["height"] < 9 or box["x"] < drawing["x"]] == [], (
        "5 px high on a phone"
    )
    page.close()


def test_printed_the_report_lost_columns_and_which_line_is_whose(browser, tmp_path):  # noqa: F811  a fixture
    arguments = ["--games", "2", "--east", "--workers", "1", "--out", str(tmp_path / "m")]
    assert main(["match", "--seats", "greedy,tsumogiri,tsumogiri,tsumogiri", *arguments]) == 0
    page = browser.new_page(viewport=PAPER)
    page.emulate_media(media="print")
    page.goto((tmp_path / "m" / "report.html").as_uri())
    assert max(table.bounding_box()["width"] for table in page.locator("table").all()) <= PAPER["width"]
    colors = "bars => bars.map(bar => getComputedStyle(bar).printColorAdjust)"
    assert set(page.locator(".bar").evaluate_all(colors)) == {"exact"}
    page.close()


def test_a_report_that_does_not_fit_left_half_of_it_and_named_no_file(tmp_path):
    summary = Summary(block=1)
    entry = line(0, 0, list("abcd"), [1, 2, 3, 4], (40_000, 30_000, 20_000, 10_000)) | {
        "log": "0",
        "faults": [],
    }
    summary.add(entry)
    summary.finish()
    (tmp_path / "report.html").write_text("the one before")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(OSError, match="File too large") as raised:
            write_report(tmp_path, [entry], summary.to_json())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert raised.value.filename == str(tmp_path / "report.html")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert (tmp_path / "report.html").read_text() == "the one before"
