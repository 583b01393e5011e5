"""The page of a problem book: each problem as its position, asked first, then judged as the book says."""

import json
import re

import pytest

from manue.__main__ import main
from manue.agents.registry import make_agent
from manue.bench.problems import measure_problems
from manue.errors import ProblemError
from manue.game.legal import legal_actions
from manue.language.messages import LANGUAGES, messages
from manue.review.page import page_html
from manue.review.problem_book import DEFAULT_BOOK, accepts, load_book, state_of
from manue.review.problems_page import problems_data
from tests.browsing import violations
from tests.review.conftest import READ_TABLE, applied, data_in

BOOK = load_book(DEFAULT_BOOK)
ANSWERS = "#options .answer"


@pytest.fixture(scope="session")
def book_page(tmp_path_factory):
    page = tmp_path_factory.mktemp("problems") / "problems.html"
    assert main(["problems", "-o", str(page)]) == 0
    return page


@pytest.fixture(scope="session")
def data(book_page):
    return data_in(book_page)


def decision_at(data, at):
    (decision,) = (one for one in data["decisions"][data["problems"][at]["seat"]] if one["at"] == at)
    return decision


def frames_in(data):
    frames, frame = [], {}
    for step in data["frames"]:
        frame = applied(frame, step)
        frames.append(frame)
    return frames


def own_book(folder, **changes):
    """Write a book of one problem in no other language, with its own theme."""
    problem = {
        "id": "mine", "question": "What <b>now</b>?", "round": "E2", "seat": "S", "dora": "3m",
        "hand": "123m456p44s789s11z", "draw": "C", "rivers": {"E": "9p"}, "accept": ["C"],
        "why": "<i>Lone</i> & alone.", **changes,
    }  # fmt: skip
    book = folder / "mine.json"
    book.write_text(json.dumps({"theme": "my own", "problems": [problem]}), "utf-8")
    return book


def test_each_problem_is_one_moment_with_the_position_as_the_seat_sees_it(data):
    frames = frames_in(data)
    assert len(frames) == len(data["rounds"]) == len(data["events"]) == len(data["problems"]) == len(BOOK)
    for at, (problem, frame) in enumerate(zip(BOOK, frames, strict=True)):
        state = state_of(problem)
        asked = data["problems"][at]
        assert asked["seat"] == state.seat
        assert asked["theme"] == problem.theme
        assert frame["round"] == at
        assert frame["left"] == state.tiles_left
        assert frame["scores"] == list(state.scores)
        own = frame["players"][state.seat]
        assert sorted([*own["hand"], *filter(None, [own["drawn"]])]) == sorted(state.hand)
        for seat in range(4):
            river = [tile for tile, _ in frame["players"][seat]["river"]]
            assert river == [tile.tile for tile in state.players[seat].river]
            if seat != state.seat:
                assert set(frame["players"][seat]["hand"]) == {"?"}


def test_what_the_book_accepts_is_marked_and_what_manue_answers_is_what_the_bench_says(data):
    benched = measure_problems("manue", BOOK)
    for at, (problem, answered) in enumerate(zip(BOOK, benched, strict=True)):
        decision = decision_at(data, at)
        accepted = data["problems"][at]["accepted"]
        assert (decision["chosen"] in accepted) == answered.accepted, problem.id
        legal = {action.label for action in legal_actions(state_of(problem))}
        for number, option in enumerate(decision["options"]):
            if option["kind"] == "discard":
                assert (number in accepted) == accepts(problem, option["tiles"][0])
            elif option["kind"] == "riichi":
                assert (number in accepted) == accepts(problem, f"riichi {option['then']}")
            elif option["kind"] in ("pass", "win"):
                assert (number in accepted) == (option["kind"] in problem.accept)
            else:
                assert (number in accepted) == any(
                    accept.split()[0] == option["kind"] for accept in problem.accept
                ), legal
    assert sum(one.accepted for one in benched) > 70


def test_every_problem_of_our_book_is_put_in_every_language(data):
    for problem, asked in zip(BOOK, data["problems"], strict=True):
        for words in (asked["question"], asked["why"]):
            assert set(words) == set(LANGUAGES)
            assert len(set(words.values())) == 3, problem.id
        assert asked["why"]["en"] == problem.why


def test_a_problem_is_asked_before_anything_is_shown(show, book_page, data):
    shown = show(book_page)
    page = shown.page
    for at in (2, 13, 40, 79):
        shown.open(f"#at={at}")
        assert page.inner_text("#options .verdict") == BOOK[at].question
        assert not page.inner_text("#book")
        assert not page.locator("#options table").count()
        assert not re.search("%|tenpai [0-9]", page.inner_text("main"))
        assert BOOK[at].why not in page.content().split("<script")[0]
        seen = page.evaluate(READ_TABLE)["seats"]
        own = str(data["problems"][at]["seat"])
        assert [seat for seat, one in seen.items() if set(one["hand"]) != {"back"}] == [own]


def test_an_answer_is_judged_by_the_book_and_by_what_it_loses(show, book_page, data):
    page = show(book_page).page
    right = 0
    for at in range(12):
        accepted = data["problems"][at]["accepted"]
        buttons = page.locator(ANSWERS)
        take = at % buttons.count()
        buttons.nth(take).click()
        row = page.locator("#options tr:has(.badge.yours)")
        answered = int(row.get_attribute("data-option"))
        right += answered in accepted
        said = page.inner_text("#book")
        assert said.startswith("Right. " if answered in accepted else "The book accepts: ")
        assert BOOK[at].why in said
        assert page.inner_text("#answers").startswith(f"Your answers: {right} of {at + 1} accepted; ")
        mark = "✓" if answered in accepted else "✗"
        assert page.inner_text(f"#round option >> nth={at}") == f"{at + 1}. Calls {mark}"
        page.keyboard.press(("ArrowRight", "ArrowDown", "PageDown")[at % 3])
    assert 0 < right < 12
    page.keyboard.press("ArrowUp")
    assert page.inner_text("#book"), "an answer stays given"


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("en", "The book accepts: Riichi, discarding South / Discard 4 sou."),
        ("ja", "認められる答え：立直、打南／打4索。"),
        ("zh", "题集认可的答案：立直，切南／切4索。"),
    ],
)
def test_the_answers_that_the_book_accepts_ran_into_one_another(show, tmp_path, locale, said):
    page_file = tmp_path / "mine.html"
    book = own_book(tmp_path, hand="123m456p44s789s12z", draw="E", accept=["4s", "riichi S"])
    assert main(["problems", str(book), "-o", str(page_file)]) == 0
    page = show(page_file, locale=locale).page
    page.uncheck("#ask")
    assert page.inner_text("#book .verdict") == said


@pytest.mark.parametrize("locale", LANGUAGES)
def test_the_tab_of_a_book_had_an_english_title_in_every_language(show, book_page, locale):
    page = show(book_page, locale=locale).page
    assert page.title() == f"{messages(locale).text('problem.title')} - manue"
    assert page.inner_text("h1") == messages(locale).text("problem.title")


def test_the_answers_of_a_book_were_lost_with_a_reload(show, book_page):
    page = show(book_page).page
    page.click(f"{ANSWERS} >> nth=0")
    mark, said = page.inner_text("#round option >> nth=0"), page.inner_text("#answers")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.inner_text("#round option >> nth=0") == mark
    assert page.inner_text("#answers") == said
    assert page.locator("#options .yours").count() == 1


def test_players_are_named_from_the_seat_that_is_asked(show, book_page, data):
    shown = show(book_page)
    page = shown.page
    seats = {problem["seat"]: at for at, problem in enumerate(data["problems"])}
    assert len(seats) == 4
    for seat, at in seats.items():
        shown.open(f"#at={at}")
        plates = {plate.split()[-1] for plate in page.locator("#table .plate-name").all_text_contents()}
        assert plates == {"Player", "Right", "Across", "Left"}
        actor = data["events"][at].get("actor")
        if actor is not None:
            name = ("Player", "Right", "Across", "Left")[(actor - seat) % 4]
            assert page.inner_text("#event").startswith(name)


def test_keys_of_reviews_were_explained_where_they_do_nothing(show, book_page):
    page = show(book_page).page
    page.click("details.help:has([data-text='help.keys']) summary")
    shown = page.inner_text("details.help:has([data-text='help.keys'])")
    assert "← → problem · Home, End · a choose first" in shown
    assert "mistake" not in shown
    page.keyboard.press("h")
    assert "hide=1" not in page.get_attribute("#link", "href")


def test_the_page_speaks_the_language_chosen(show, book_page):
    for language, title, word in (("ja", "何切る問題集", "自家"), ("zh-Hans", "何切题集", "自家")):
        shown = show(book_page)
        page = shown.page
        shown.open(f"#at=5&lang={language}")
        assert page.inner_text("#title") == title
        assert page.inner_text("#options .verdict") == BOOK[5].translations[language].question
        page.click(f"{ANSWERS} >> nth=0")
        assert BOOK[5].translations[language].why in page.inner_text("#book")
        assert word in page.inner_html("#table")


def test_a_tile_is_an_answer_and_a_switch_shows_all_answers(show, book_page, node_modules):
    shown = show(book_page)
    page = shown.page
    shown.open("#at=13")
    assert violations(page, node_modules) == []
    page.click("#table .own [data-part=hand] use >> nth=0")
    assert page.locator("#options tr:has(.badge.yours)").count() == 1
    page.keyboard.press("ArrowRight")
    assert page.locator(ANSWERS).count() > 1
    page.uncheck("#ask")
    assert BOOK[14].why in page.inner_text("#book")
    assert page.locator("#options table").count() == 1
    assert violations(page, node_modules) == []
    for control in ("#seats", "#hide", "#chart", "#next-round", "#next-decision"):
        assert not page.is_visible(control)
    assert page.get_attribute("#next-event", "aria-label") == "Next problem"


def test_a_book_of_ones_own_says_what_it_says(show, tmp_path):
    page = tmp_path / "page.html"
    assert main(["problems", str(own_book(tmp_path)), "-o", str(page), "--lang", "ja"]) == 0
    shown = show(page).page
    assert shown.inner_text("#title") == "mine.json"
    assert shown.inner_text("#round option") == "1. my own"
    assert shown.inner_text("#options .verdict") == "What <b>now</b>?"
    shown.click(f"{ANSWERS} >> nth=0")
    assert "<i>Lone</i> & alone." in shown.inner_text("#book")


def test_the_page_says_how_many_problems_it_has(tmp_path, capsys):
    page = tmp_path / "page.html"
    assert main(["problems", str(own_book(tmp_path)), "-o", str(page)]) == 0
    assert re.fullmatch(r".*page\.html: 1 problem, 0\.\d MB\n", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("changes", "arguments", "said"),
    [
        ({}, ["--agent", "rules"], "--agent rules: only manue values every option of a problem"),
        ({}, ["--agent", "nobody"], "nobody"),
        ({"accept": ["9s", "9m"]}, [], "accepts '9m', which is not legal"),
        ({"translations": {"fr": {"question": "?", "why": "!"}}}, [], "problem 'mine', translations, fr"),
        ({"translations": {"ja": {"question": ""}}}, [], "problem 'mine', translations, ja"),
    ],
)
def test_what_makes_no_page_is_said_in_one_line(tmp_path, capsys, changes, arguments, said):
    page = tmp_path / "page.html"
    assert main(["problems", str(own_book(tmp_path, **changes)), "-o", str(page), *arguments]) != 0
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not page.exists()


def test_a_page_does_not_replace_its_book(tmp_path):
    book = own_book(tmp_path)
    before = book.read_bytes()
    assert main(["problems", str(book), "-o", str(book)]) == 2
    assert book.read_bytes() == before


def test_an_agent_that_values_no_accepted_answer_is_refused(tmp_path):
    book = load_book(own_book(tmp_path, hand="123m456p44s78s11z1s", draw="E", accept=["riichi 1s"]))
    with pytest.raises(ProblemError, match="problem 'mine': the agent values none of the accepted answers"):
        problems_data(book, make_agent("tsumogiri"))


def test_equal_books_make_equal_pages(data, book_page):
    again = problems_data(BOOK, make_agent("manue").explaining())
    for one in (data, again):
        for decision in (decision for seat in one["decisions"] for decision in seat):
            del decision["ms"]
    assert json.loads(json.dumps(again)) == data
    assert "<script" in page_html(again, "ja")
