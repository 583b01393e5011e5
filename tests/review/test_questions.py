"""The page as a trainer: decisions without their numbers until the reader has chosen."""

import re

import pytest

from manue.review.page import page_html
from tests.browsing import violations
from tests.review.conftest import READ_TABLE, data_in

ORDER = ["discard", "riichi", "win", "pon", "chi", "daiminkan", "ankan", "kakan", "nine_terminals", "pass"]
TILES = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)] + list("ESWNPFC")
ANSWERS = "#options .answer"


def asked(data, seat):
    """Return the decisions of a seat that are asked."""
    decisions = [one for one in data["decisions"][seat] if "named" not in one]
    return [one for one in decisions if one["chosen"] is not None and len(one["options"]) > 1]


def labels(page):
    return page.eval_on_selector_all(ANSWERS, "buttons => buttons.map(button => button.ariaLabel)")


def order(option):
    tiles = [*option["tiles"], *filter(None, [option.get("then")])]
    return ORDER.index(option["kind"]), [TILES.index(tile[:2]) for tile in tiles]


def by_value(data, option):
    """Return the points that an option is behind the best by value, without habit."""
    row = dict(zip(data["columns"], option["row"], strict=True))
    return row["gap"] - (row["habit"] or 0)


def test_nothing_that_the_player_thinks_is_shown_until_an_option_is_chosen(show, reviewed_record):
    page = show(reviewed_record[1]).page
    page.check("#ask")
    page.keyboard.press("d")
    page.click("#mistakes li a >> nth=0")
    page.wait_for_selector(ANSWERS)
    assert not page.locator("#options table").count()
    for part in ("#overlay", "#chart", "#reading", "#mistakes .mistake-moves >> nth=0", ".danger >> nth=0"):
        assert not page.is_visible(part)
    assert not re.search("%|tenpai", page.inner_text("#options") + page.inner_text("#table"))
    hands = page.evaluate(READ_TABLE)["seats"]
    assert sum(set(seat["hand"]) == {"back"} for seat in hands.values()) == 3
    page.click(f"{ANSWERS} >> nth=0")
    assert page.is_visible("#options table")
    assert page.is_visible("#chart")
    assert page.locator("#options tr:has(.badge.yours)").count() == 1
    assert "You" in page.inner_text("#options .verdict")
    assert page.inner_text("#answers").startswith("Your choices: ")
    page.uncheck("#ask")
    assert not page.is_checked("#hide")
    assert page.is_visible("#mistakes .mistake-moves >> nth=0")


def test_options_are_asked_in_the_order_of_their_tiles(show, made_up):
    """In the order of the game's data the best one comes first."""
    data = data_in(made_up[1])
    page = show(made_up[1]).page
    page.check("#ask")
    orders = set()
    for decision in asked(data, 0)[:40]:
        page.evaluate(f"location.hash = '#at={decision['at']}&seat=0'")
        page.wait_for_function(f"() => document.getElementById('slider').value === '{decision['at']}'")
        shown = labels(page)
        place = sorted(range(len(shown)), key=lambda at: order(decision["options"][at]))
        page.click(f"{ANSWERS} >> nth={place.index(0)}")  # the first in the data
        row = page.locator("#options tr:has(.badge.yours)")
        assert row.get_attribute("data-option") == "0"
        name = row.locator(".option-button").get_attribute("aria-label")
        assert name.removesuffix(", all numbers") == shown[place.index(0)]
        orders.add(place.index(0))
    assert len(orders) > 5, "the best one is anywhere"


def test_losses_of_what_is_chosen_are_added_up(show, reviewed_record):
    data = data_in(reviewed_record[1])
    seat = data["seat"]
    page = show(reviewed_record[1]).page
    page.check("#ask")
    lost = free = 0
    for number, decision in enumerate(asked(data, seat)[:12]):
        page.evaluate(f"location.hash = '#at={decision['at']}&seat={seat}'")
        page.wait_for_function(f"() => document.getElementById('slider').value === '{decision['at']}'")
        options = decision["options"]
        at = decision["chosen"] if number % 3 else len(options) - 1
        place = sorted(range(len(options)), key=lambda one: order(options[one])).index(at)
        page.click(f"{ANSWERS} >> nth={place}")
        loss = 0 if at == decision["chosen"] else max(-by_value(data, options[at]), 0)
        lost += loss
        free += loss < 1
        said = page.inner_text("#answers")
        assert said.startswith(f"Your choices: {free} of {number + 1} lose nothing, {round(lost):,} point")
    assert 0 < free < 12


def test_the_best_option_that_was_played_was_named_behind_the_answer_as_if_that_had_been(show, made_up):
    data = data_in(made_up[1])
    decision = next(one for one in asked(data, 0) if one["played"] == one["chosen"])
    shown = show(made_up[1])
    shown.open(f"#at={decision['at']}&seat=0&ask=1")
    options = decision["options"]
    places = sorted(range(len(options)), key=lambda at: order(options[at]))
    shown.page.click(f"{ANSWERS} >> nth={places.index(len(options) - 1)}")
    said = shown.page.inner_text("#options .verdict")
    assert 0 < said.index("It was played.") < said.index("You: ")


def test_losses_that_are_unknown_were_added_up_as_none(show, made_up, tmp_path):
    data = data_in(made_up[1])
    first, second = asked(data, 0)[:2]
    for option in first["options"]:
        option["row"] = None
    page_file = tmp_path / "page.html"
    page_file.write_text(page_html(data), "utf-8")
    page = show(page_file).page
    page.check("#ask")
    unknown = "Choices of unknown loss: 1"
    known = "Your choices: 1 of 1 lose nothing, 0 points lost in all"
    for decision, wrong, said in ((first, True, unknown), (second, False, f"{known} · {unknown}")):
        page.evaluate(f"location.hash = '#at={decision['at']}&seat=0'")
        page.wait_for_function(f"() => document.getElementById('slider').value === '{decision['at']}'")
        options = decision["options"]
        places = sorted(range(len(options)), key=lambda at: order(options[at]))
        answer = next(at for at in places if (at != decision["chosen"]) == wrong)
        page.click(f"{ANSWERS} >> nth={places.index(answer)}")
        assert page.inner_text("#answers") == said


def test_a_link_asks_and_a_reload_and_another_language_still_do(show, made_up):
    shown = show(made_up[1])
    page = shown.page
    at = asked(data_in(made_up[1]), 0)[3]["at"]
    shown.open(f"#at={at}&seat=0&ask=1&hide=1")
    assert page.is_checked("#ask")
    assert page.locator(ANSWERS).count() > 1
    page.select_option("#language", "ja")
    page.wait_for_selector("html[lang=ja][data-ready]")
    assert page.inner_text("#options .verdict") == "あなたなら？"
    page.keyboard.press("a")
    assert not page.locator(ANSWERS).count()


def test_answers_were_lost_with_another_language_and_a_reload(show, made_up, tmp_path):
    data = data_in(made_up[1])
    page_file = tmp_path / "page.html"
    page_file.write_text(page_html(data), "utf-8")
    first, second = asked(data, 0)[:2]
    shown = show(page_file)
    page = shown.page
    shown.open(f"#at={first['at']}&seat=0&ask=1")
    assert page.is_hidden("#restart")
    page.click(f"{ANSWERS} >> nth=0")
    said = page.inner_text("#answers")
    answered = page.locator("tr:has(.yours)").get_attribute("data-option")
    page.select_option("#language", "ja")
    page.wait_for_selector("html[lang=ja][data-ready]")
    assert page.locator("tr:has(.yours)").get_attribute("data-option") == answered
    assert page.inner_text("#answers").startswith("自分の選択：1回のうち")
    page.select_option("#language", "en")
    page.wait_for_selector("html[lang=en][data-ready]")
    assert page.inner_text("#answers") == said
    shown.open(f"#at={second['at']}&seat=0&ask=1")
    page.click(f"{ANSWERS} >> nth=0")
    assert page.inner_text("#answers").startswith("Your choices: ")
    assert " of 2 " in page.inner_text("#answers")
    page.click("#restart")
    page.wait_for_selector(ANSWERS)
    assert page.inner_text("#answers") == ""


def test_another_page_at_the_same_address_is_asked_anew(show, made_up, tmp_path):
    data = data_in(made_up[1])
    page_file = tmp_path / "page.html"
    page_file.write_text(page_html(data), "utf-8")
    shown = show(page_file)
    place = f"#at={asked(data, 0)[0]['at']}&seat=0&ask=1"
    shown.open(place)
    shown.page.click(f"{ANSWERS} >> nth=0")
    page_file.write_text(page_html({**data, "title": "another"}), "utf-8")
    shown.open(place)
    assert shown.page.locator(ANSWERS).count() > 1
    assert shown.page.inner_text("#answers") == ""


def test_a_browser_that_keeps_nothing_asks_again(show, made_up):
    shown = show(made_up[1])
    shown.context.add_init_script(
        "Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('refused'); } })"
    )
    place = f"#at={asked(data_in(made_up[1]), 0)[0]['at']}&seat=0&ask=1"
    shown.open(place)
    shown.page.click(f"{ANSWERS} >> nth=0")
    assert shown.page.inner_text("#answers").startswith("Your choices: ")
    shown.open(place)
    assert shown.page.locator(ANSWERS).count() > 1


def test_questions_are_answered_by_keys_and_read_out(show, made_up, node_modules):
    page = show(made_up[1]).page
    page.focus("body")
    page.keyboard.press("a")
    page.keyboard.press("ArrowDown")
    assert violations(page, node_modules) == []
    page.focus(f"{ANSWERS} >> nth=1")
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.closest('tr').querySelector('.yours') !== null")
    assert violations(page, node_modules) == []
    page.keyboard.press("ArrowDown")
    assert page.locator(ANSWERS).count() > 1


@pytest.mark.parametrize("without", ["a best option", "a choice"])
def test_what_is_no_question_is_not_asked(show, made_up, tmp_path, without):
    data = data_in(made_up[1])
    decision = asked(data, 0)[0]
    if without == "a choice":
        del decision["options"][1:]
        decision["played"] = decision["chosen"] = 0
    else:
        decision["chosen"] = None
        for option in decision["options"]:
            option.pop("rollout", None)
    page = tmp_path / "page.html"
    page.write_text(page_html(data), "utf-8")
    shown = show(page)
    shown.open(f"#at={decision['at']}&seat=0&ask=1")
    assert not shown.page.locator(ANSWERS).count()
    assert shown.page.locator("#options table").count() == 1


def test_a_discard_that_a_riichi_or_call_named_is_not_asked_again(show, reviewed_record):
    """Regression: whoever had chosen a riichi and its discard was asked for that discard once more."""
    data = data_in(reviewed_record[1])
    seat, named = next(
        (seat, one)
        for seat in range(4)
        for one in data["decisions"][seat]
        if "named" in one and one["chosen"] is not None and len(one["options"]) > 1
    )
    before = max(one["at"] for one in data["decisions"][seat] if one["at"] < named["at"])
    shown = show(reviewed_record[1])
    shown.open(f"#at={before}&seat={seat}&ask=1")
    assert shown.page.locator(ANSWERS).count() > 1
    shown.page.keyboard.press("ArrowDown")
    assert not shown.page.locator(ANSWERS).count()
    assert shown.page.locator("#options tr[data-option]").count() > 1


def test_a_tile_of_the_hand_is_an_answer_too(show, made_up):
    data = data_in(made_up[1])
    shown = show(made_up[1])
    page = shown.page
    turns = [one for one in asked(data, 0) if {option["kind"] for option in one["options"]} == {"discard"}]
    shown.open(f"#at={turns[5]['at']}&seat=0&ask=1&hide=1")
    other = page.locator("#table .own [data-part=river] use, #table [data-seat='1'] [data-part=hand] use")
    other.first.dispatch_event("click")
    assert page.locator(ANSWERS).count() > 1, "which are not ours to discard"
    tile = page.locator("#table .own [data-part=hand] use >> nth=3")
    name = tile.get_attribute("href").removeprefix("#tile-")
    tile.click()
    row = page.locator("#options tr:has(.badge.yours)")
    assert turns[5]["options"][int(row.get_attribute("data-option"))]["tiles"] == [name]
    tile.click()
    assert " of 1 " in page.inner_text("#answers"), "a tile is no answer where nothing is asked"
