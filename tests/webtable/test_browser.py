"""The table in a real browser: games by mouse, touch and keys, and everything that may happen to a page."""

import json
import queue
import threading
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import pytest

from manue.__main__ import main
from manue.errors import LogError
from manue.language.messages import LANGUAGES, messages
from manue.records.archive import read_log
from manue.webtable.game_review import GameReview
from manue.webtable.server import TableServer
from tests.browsing import SCREENSHOTS, STICKS_OUT, violations
from tests.webtable.players import WAIT
from tests.webtable.test_game_review import PausedReview
from tests.webtable.test_server import TOKEN, hosted

SETTLED = ", ".join(f"html[data-state={state}]" for state in ("choice", "proceed", "over"))
FAST = {"name": "manue-table", "value": quote('{"speed":"none","twice":false}')}

PLAY = """async most => {
  const root = document.documentElement;
  const find = selector => document.querySelector(selector);
  const settled = async () => {
    const pause = () => new Promise(done => setTimeout(done, 2));
    while (!["choice", "proceed", "over"].includes(root.dataset.state)) await pause();
    return root.dataset.state;
  };
  const seen = [];
  for (let step = 0; step < most; step += 1) {
    const state = await settled();
    seen.push(state);
    if (state === "over") break;
    const wanted = ["win", "riichi", "ankan", ...(step % 4 === 0 ? ["pon", "chi"] : []), "pass"];
    const action = wanted.map(kind => find(`#actions [data-kind=${kind}]`)).find(Boolean);
    const tile = [...document.querySelectorAll("#hand button:enabled")].at(-1);
    const best = find("#hand button:enabled:has(.best)");
    (state === "proceed" ? find("#actions button") : (action ?? best ?? tile)).click();
  }
  return seen;
}"""


class AtTable:
    """``manue table`` in a thread, and its page in the browser."""

    def __init__(self, browser, folder, links, *options, fast=True, **context):
        self.log = folder / "game.mjson.gz"
        arguments = ["table", "--seats", "me,greedy,tsumogiri,greedy", "--east", "--seed", "4"]
        arguments += ["--log", str(self.log), *options]
        self.code = None
        self._thread = threading.Thread(target=self._run, args=(arguments,), daemon=True)
        self._thread.start()
        self.url = links.get(timeout=WAIT)
        self.context = browser.new_context(**context)
        self.context.set_default_timeout(WAIT * 1000)
        if fast:
            self.context.add_cookies([{**FAST, "url": self.url}])
        self.requests, self.complaints = [], []
        self.context.on("request", lambda request: self.requests.append(request.url))
        self.page = self.open()

    def _run(self, arguments):
        self.code = main(arguments)

    def open(self):
        page = self.context.new_page()
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.goto(self.url)
        page.wait_for_selector(SETTLED)
        return page

    def play(self, most=10_000):
        return self.page.evaluate(PLAY, most)

    def play_to(self, selector):
        """Play until something is to be seen."""
        while not self.page.locator(selector).count():
            assert self.play(1) != ["over"]
            self.page.wait_for_selector(SETTLED)

    @property
    def state(self):
        return self.page.get_attribute("html", "data-state")

    def leave(self):
        if self._thread.is_alive():
            self.page.evaluate("""() => {
              const button = document.getElementById("leave");
              button.click();
              if (button.dataset.sure) button.click();
            }""")
        self._thread.join(WAIT)
        assert not self._thread.is_alive()
        return self.code


@pytest.fixture
def table(browser, tmp_path, monkeypatch):
    """Open a table; at the end nothing may have complained, and nothing been asked of anybody else."""
    links, opened = queue.Queue(), []
    monkeypatch.setattr("webbrowser.open", lambda url: links.put(url) or True)

    def open_table(*options, **context):
        opened.append(AtTable(browser, tmp_path, links, *options, **context))
        return opened[-1]

    yield open_table
    for at in opened:
        assert at.leave() == 0
        origin = at.url.split("?")[0]
        assert [url for url in at.requests if not url.startswith(origin)] == []
        at.context.close()
        assert at.complaints == []


def picture(page, name):
    if SCREENSHOTS:
        page.screenshot(path=Path(SCREENSHOTS) / f"table-{name}.png")


@pytest.mark.parametrize(
    ("width", "height", "scheme", "lang"), [(1400, 900, "light", "en"), (390, 844, "dark", "ja")]
)
def test_a_whole_game_is_played(table, node_modules, capsys, width, height, scheme, lang):
    at = table(
        "--help-level", "all", viewport={"width": width, "height": height}, color_scheme=scheme, locale=lang,
        has_touch=width < 500,
    )  # fmt: skip
    page = at.page

    def fits(name):
        """No part sticks out of another but the settings, which open over the page."""
        picture(page, f"{name}-{width}")
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        assert [found for found in page.evaluate(STICKS_OUT) if "DETAILS.settings" not in found] == []
        assert violations(page, node_modules) == []

    press = page.tap if width < 500 else page.click
    for _ in range(3):
        at.play_to("#hand button:enabled")
        press("#hand button:enabled >> nth=-1")
        page.wait_for_selector(SETTLED)
    at.play_to("#hand button:enabled")
    for level in ("all", "danger", "tiles", "none", "coach"):
        press(f"label[for=level-{level}]")
        page.wait_for_selector(f"#level-{level}:checked")
        if level in {"all", "danger", "tiles"}:
            page.wait_for_selector("#hint table")
            allowed = page.locator("#hand button:enabled")
            assert allowed.locator(".caption").count() == allowed.count()
        else:
            assert page.locator("#hint").is_hidden()
            assert page.locator("#hand .caption").count() == 0
        if level != "none":
            fits(level)
    judged = page.locator(".judgement").count()
    press("#hand button:enabled >> nth=0")
    page.wait_for_selector(SETTLED)
    assert page.locator(".judgement").count() == judged + 1
    at.play_to("#result:not([hidden])")
    fits("result")
    seen = at.play()
    assert seen[-1] == "over"
    fits("over")
    scores = next(e.event.scores for e in reversed(list(read_log(at.log))) if e.message.type == "end_game")
    shown = [int(text.replace(",", "")) for text in page.locator(".final b").all_inner_texts()]
    assert shown == sorted(scores, reverse=True)
    with at.context.expect_page() as opened:
        press("#review")
    opened.value.wait_for_selector("html[data-ready]", timeout=WAIT * 1000)
    press("#again")
    page.wait_for_selector("html[data-state=choice]")
    assert page.is_checked("#level-coach")
    assert page.locator("#result").is_hidden()
    at.play(3)
    assert at.leave() == 0
    page.wait_for_selector("html[data-state=left]")
    printed = capsys.readouterr()
    assert f"review: manue review {at.log} --seat 0\n" in printed.out
    second = at.log.with_name("game-2.mjson.gz")
    assert f"what was played is in {second}\n" in printed.err
    starts = [
        next(e.event for e in read_log(log) if e.message.type == "start_kyoku") for log in (at.log, second)
    ]
    assert starts[0].hands != starts[1].hands


def test_keys_play(table):
    at = table()
    page = at.page
    at.play_to("#hand .drawn:enabled")
    river = "[data-part=river] use"
    before = page.locator(f"g[data-seat='0'] {river}").count()
    page.keyboard.press("ArrowRight")
    first = page.get_attribute("#hand button >> nth=0", "data-tile")
    assert page.evaluate("() => document.activeElement.dataset.tile") == first
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("() => document.activeElement.dataset.drawn") == ""
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector(SETTLED)
    assert page.locator(f"g[data-seat='0'] {river}").count() == before + 1
    at.play_to("#hand .drawn:enabled")
    drawn = page.get_attribute("#hand .drawn", "data-tile")
    page.keyboard.press("d")
    page.wait_for_selector(SETTLED)
    assert page.locator(f"g[data-seat='0'] {river}").last.get_attribute("href") == f"#tile-{drawn}"
    for key, level in enumerate(("none", "tiles", "danger", "all", "coach")):
        page.keyboard.press(str(key))
        assert page.is_checked(f"#level-{level}")
    page.keyboard.press("1")
    at.play_to("#actions [data-kind=pass]")
    page.keyboard.press("x")
    page.wait_for_selector(SETTLED)
    at.play_to("#actions [data-kind=riichi], #actions [data-key=Enter]")
    if at.state == "choice":
        page.keyboard.press("r")
        assert page.locator("#hand button:enabled").count() < page.locator("#hand button").count()
        page.keyboard.press("Escape")
        assert page.locator("#hand button:disabled").count() == 0
    at.play_to("#actions [data-key=Enter]")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")
    page.wait_for_selector("html[data-state=choice]")


def test_nine_terminals_had_no_key(table):
    page = table("--seed", "112").page
    page.wait_for_selector("#actions [data-kind=nine_terminals]")
    page.keyboard.press("a")
    page.wait_for_selector("#result:not([hidden])")
    assert "nine terminals" in page.inner_text("#result")


def test_keys_play_after_the_help_was_chosen_by_mouse(table):
    """Regression: the button kept the focus, and all keys went to it."""
    at = table()
    at.play_to("#hand .drawn:enabled")
    at.page.click("label[for=level-tiles]")
    at.page.wait_for_selector("#hint table")
    river = at.page.locator("g[data-seat='0'] [data-part=river] use")
    before = river.count()
    at.page.keyboard.press("d")
    at.page.wait_for_selector(SETTLED)
    assert river.count() == before + 1


@pytest.mark.parametrize("key", ["d", "Enter"])
def test_a_key_that_is_held_down_answered_the_next_question_too(table, key):
    """With quick opponents it discarded tile after tile, and Enter went on past the result of the round."""
    at = table()
    for _ in range(2):  # the second time the key repeats
        at.page.wait_for_selector(SETTLED)
        at.play_to("#hand .drawn:enabled")
        at.page.focus("#hand .drawn")
        at.page.keyboard.down(key)
    assert at.page.locator("#hand .drawn:enabled").count() == 1
    at.page.keyboard.up(key)


PLACE = "() => [...document.querySelectorAll('#hand button')].indexOf(document.activeElement)"


def test_help_that_comes_leaves_the_chosen_tile_its_focus(table):
    """Regression: the focus went to the drawn tile, and Enter discarded that one."""
    at = table()
    page = at.page
    at.play_to("#hand .drawn:enabled")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    chosen = page.evaluate(PLACE)
    assert chosen == 3
    page.keyboard.press("1")
    page.wait_for_selector("#hint table")
    assert page.evaluate(PLACE) == chosen


def test_help_that_comes_leaves_the_button_its_focus(table):
    """Regression: nothing had the focus any more, so Enter made no call."""
    at = table()
    page = at.page
    at.play_to("#actions [data-kind=pass]")
    page.focus("#actions [data-kind=pass]")
    page.keyboard.press("3")
    page.wait_for_selector("#hint:not(:empty)")
    assert page.evaluate("() => document.activeElement.dataset.kind") == "pass"


def test_the_key_of_several_calls_goes_from_one_to_the_next(table):
    """Regression: C took the first chi of several, whichever that was."""
    at = table()
    page = at.page
    at.play_to("#actions [data-kind=pass]")
    page.evaluate("""() => {
      const twin = document.querySelector("#actions button").cloneNode(true);
      twin.dataset.key = "x";
      document.getElementById("actions").prepend(twin);
    }""")
    places = []
    for _ in range(3):
        page.keyboard.press("x")
        places.append(
            page.evaluate(
                "() => [...document.querySelectorAll('[data-key=x]')].indexOf(document.activeElement)"
            )
        )
    assert places == [0, 1, 0]
    assert at.state == "choice"


HEAR = """messages => {
  for (const message of messages) window.line.dispatchEvent(new MessageEvent("message", { data: message }));
}"""
LINE = """() => {
  const Real = WebSocket;
  window.WebSocket = class extends Real { constructor(...args) { super(...args); window.line = this; } };
}"""


def test_a_refusal_is_said_until_there_is_another_choice(table):
    """Regression: the choice asked for anew wrote over it at once."""
    at = table()
    page = at.page
    at.context.add_init_script(f"({LINE})()")
    page.reload()
    at.play_to("#hand .drawn:enabled")
    notice = page.inner_text("#notice")
    page.evaluate("""() => window.line.send('{"type":"choose","request":0,"option":0}')""")
    page.wait_for_function("old => document.getElementById('notice').textContent !== old", arg=notice)
    page.wait_for_timeout(100)
    assert page.inner_text("#notice") != notice
    page.keyboard.press("d")
    at.play_to("#hand .drawn:enabled")
    assert page.inner_text("#notice") == notice


def at_a_discard_with_help(table):
    """Open a table with all help, up to the first discard whose help is there; the test may speak for it."""
    at = table("--help-level", "all")
    at.context.add_init_script(f"({LINE})()")
    at.page.reload()
    at.play_to("#hand .drawn:enabled")
    at.page.wait_for_selector("#hand .caption")
    return at


def test_below_a_tile_stands_what_it_is_worth_with_riichi_once_riichi_is_chosen(table):
    """Regression: it was what it is worth without, and a star marked the tile of the best riichi before."""
    at = at_a_discard_with_help(table)
    page = at.page
    tile = page.get_attribute("#hand .drawn", "data-tile")
    plain = {"kind": "discard", "tiles": [tile], "drawn": True, "row": [-900, 0]}
    riichi = {"kind": "riichi", "tiles": [], "then": tile, "row": [0, 0]}
    unknown = dict.fromkeys(("played", "tenpai", "trials", "seed", "ms", "fold", "log"))
    opinion = {
        "decision": {"options": [riichi, plain], "chosen": 0, **unknown},
        "texts": [],
        "columns": ["gap", "habit"],
    }
    ask = {"kind": "choice", "options": [plain, riichi], "then": [{"tile": tile, "drawn": True}]}
    messages = [
        {"type": "ask", "id": 99, **ask},
        {"type": "hint", "id": 99, "level": "all", "opinion": opinion},
    ]
    page.evaluate(HEAR, [json.dumps(message) for message in messages])
    caption = page.locator("#hand .drawn .caption")
    assert caption.inner_text() == "\u2212900"
    page.keyboard.press("r")
    assert caption.inner_text() == "\u2605"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [320, 360, 414, 1280])
def test_the_settings_opened_beyond_the_left_edge_of_a_phone(table, lang, width):
    page = table("--lang", lang, viewport={"width": width, "height": 740}).page
    page.click(".settings summary")
    box = page.locator(".settings > div").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


@pytest.mark.parametrize(("width", "height"), [(360, 740), (768, 900), (900, 600), (1280, 600)])
def test_the_hand_is_in_view_below_the_table(table, width, height):
    """Regression: in a window up to 960 px wide, and not much higher, one scrolled for each choice."""
    page = table("--help-level", "tiles", viewport={"width": width, "height": height}).page
    page.wait_for_selector("#hand .caption")
    hand, shown = (page.locator(part).bounding_box() for part in ("#hand", "#table"))
    assert shown["y"] >= 0
    assert hand["y"] + hand["height"] <= height


SIDEWAYS = [(844, 390), (667, 375), (640, 300), (480, 320), (1280, 540)]
"""Phones held sideways, and windows at 200 %."""


def is_in_view(part, height):
    """Whether a part, which is not empty, is in view without scrolling."""
    box = part.bounding_box()
    return box["height"] > 0 and box["y"] >= 0 and box["y"] + box["height"] <= height


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_on_a_phone_held_sideways_one_scrolled_for_each_choice(table, node_modules, lang):
    at = table("--help-level", "all", "--lang", lang)
    page = at.page

    def seen_at_every_size(*parts):
        for width, height in SIDEWAYS:
            page.set_viewport_size({"width": width, "height": height})
            picture(page, f"sideways-{lang}-{width}-{len(parts)}")
            missed = [part for part in parts if not is_in_view(page.locator(part).last, height)]
            assert missed == [], (width, height)
            assert page.evaluate("() => [scrollX, document.documentElement.scrollWidth]") == [0, width]
            assert page.evaluate("() => document.documentElement.scrollHeight") == height
            scrolled = ("DETAILS.settings", "DIV.scroll")
            assert [found for found in page.evaluate(STICKS_OUT) if not any(map(found.count, scrolled))] == []

    at.play_to("#hand .drawn:enabled")
    page.wait_for_selector("#hint:not(:empty)")
    seen_at_every_size("#table", "#hand", "#hand button", "#notice")
    assert violations(page, node_modules) == []
    at.play_to("#actions [data-kind=chi]")
    page.wait_for_selector("#hint:not(:empty)")
    seen_at_every_size("#table", "#hand", "#hand button", "#actions", "#actions button")
    at.play_to("#result:not([hidden])")
    seen_at_every_size("#table", "#actions button")


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1024, 700), (1280, 720), (568, 320), (844, 390)])
def test_lines_below_tiles_ran_into_each_other_on_a_small_table(table, width, height):
    """Regression: "-864-2k-862"; and their width made some tiles larger than others."""
    page = table("--help-level", "all", viewport={"width": width, "height": height}).page
    page.wait_for_selector("#hand .caption")
    tiles, words = page.evaluate("""() => {
      const captions = [...document.querySelectorAll("#hand .caption")];
      for (const caption of captions) caption.textContent = "\u2212888";
      const boxes = captions.map(caption => {
        const range = document.createRange();
        range.selectNodeContents(caption);
        return range.getBoundingClientRect();
      });
      const tiles = [...document.querySelectorAll("#hand .tile")];
      const widths = tiles.map(tile => tile.getBoundingClientRect().width);
      return [widths, boxes.map(box => [box.left, box.right])];
    }""")
    assert len(tiles) == len(words) == 14
    assert max(tiles) - min(tiles) < 0.5
    if width >= 360:
        targets = page.eval_on_selector_all("#hand button", "all => all.map(one => one.offsetWidth)")
        assert min(targets) >= 24  # the least that WCAG 2.2 asks for
    assert [one for one, two in pairwise(words) if one[1] > two[0]] == []


def test_the_tile_to_win_on_stood_nowhere_once_an_indicator_had_followed_the_kan(table):
    at = table()
    at.context.add_init_script(f"({LINE})()")
    at.page.reload()
    at.play_to("#actions [data-kind=pass]")
    options = [{"kind": "win", "tiles": ["5mr"], "drawn": False}, {"kind": "pass", "tiles": []}]
    ask = {"type": "ask", "id": 99, "kind": "choice", "options": options, "then": []}
    at.page.evaluate(HEAR, [json.dumps(ask)])
    assert at.page.get_attribute("#actions [data-kind=win]", "aria-label") == "Ron, red 5 man"


@pytest.mark.parametrize(("number", "level"), [(98, "tiles"), (99, "danger")])
def test_help_for_a_choice_made_by_then_or_of_a_kind_not_wanted_any_more_was_shown(table, number, level):
    at = table("--help-level", "tiles")
    page = at.page
    at.context.add_init_script(f"({LINE})()")
    page.reload()
    at.play_to("#hand .drawn:enabled")
    page.wait_for_selector("#hint table")
    ask = {"type": "ask", "id": 99, "kind": "choice", "options": [], "then": []}
    help_ = {"type": "hint", "level": level, "tiles": {"shanten": 7, "useful": []}}
    wanted = {**help_, "id": 99, "level": "tiles", "tiles": {"shanten": 6, "useful": []}}
    messages = [ask, wanted, {**help_, "id": number}]
    page.evaluate(HEAR, [json.dumps(message) for message in messages])
    assert page.inner_text("#hint").startswith("6-shanten")


@pytest.mark.parametrize("kind", ["riichi", "pon"])
def test_the_coach_named_the_discard_after_a_call_before_it_was_chosen(table, kind):
    """It told the player what to discard, and spoke as if that had been done."""
    at = table("--help-level", "coach")
    at.context.add_init_script(f"({LINE})()")
    at.page.reload()
    at.page.wait_for_selector(SETTLED)
    option = {"kind": kind, "tiles": ["9s"] * 3 if kind == "pon" else [], "then": "1m", "row": []}
    unknown = dict.fromkeys(("tenpai", "trials", "seed", "ms", "fold", "log"))
    decision = {"options": [option], "chosen": 0, "played": 0, **unknown}
    opinion = {"decision": decision, "texts": [], "columns": []}
    at.page.evaluate(HEAR, [json.dumps({"type": "judged", "opinion": opinion, "agrees": True})])
    said = at.page.inner_text(".judgement >> nth=0")
    assert ("1 man" in said) == (kind == "riichi")


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "✓ Chi 7 sou, 8 sou, 9 sou: manue would do the same."),
        ("ja", "✓ チー 7索 8索 9索：manueも同じ選択です。"),
        ("zh-Hans", "✓ 吃 7索 8索 9索：manue也会这样选。"),
    ],
)
def test_the_tiles_of_a_call_ran_into_one_another(table, lang, words):
    at = table("--help-level", "coach", "--lang", lang)
    at.context.add_init_script(f"({LINE})()")
    at.page.reload()
    at.page.wait_for_selector(SETTLED)
    option = {"kind": "chi", "tiles": ["7s", "8s", "9s"], "then": "1m", "row": []}
    unknown = dict.fromkeys(("tenpai", "trials", "seed", "ms", "fold", "log"))
    decision = {"options": [option], "chosen": 0, "played": 0, **unknown}
    opinion = {"decision": decision, "texts": [], "columns": []}
    at.page.evaluate(HEAR, [json.dumps({"type": "judged", "opinion": opinion, "agrees": True})])
    assert at.page.inner_text(".judgement >> nth=0") == words


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "Discard {} (just drawn), "),
        ("ja", "{}（ツモ牌）を切る、"),
        ("zh-Hans", "切{}（刚摸到）、"),
    ],
)
def test_a_tile_of_the_hand_is_named_with_the_punctuation_of_its_language(table, lang, words):
    """Regression: "1萬 (ツモ牌)を切る, ..."."""
    page = table("--help-level", "tiles", "--lang", lang).page
    page.wait_for_selector("#hand .drawn .caption")
    drawn = page.locator("#hand .drawn")
    tile = page.evaluate(
        "tile => import('/static/review/words.js').then(words => words.tileName(tile))",
        drawn.get_attribute("data-tile"),
    )
    assert drawn.get_attribute("aria-label").startswith(words.format(tile))


def test_the_coach_says_where_habit_and_not_value_decides(table):
    """Regression: the figures alone spoke for what was played: "manue: North (-109 points, win -1.8 %)"."""
    at = table("--help-level", "coach")
    page = at.page
    at.context.add_init_script(f"({LINE})()")
    page.reload()
    at.play_to("#hand .drawn:enabled")
    unknown = dict.fromkeys(("tenpai", "trials", "seed", "ms", "fold", "log"))
    said = []
    declined = {"note": "the win would seal the last place"}
    for gap, habit, note in ((-300, -409, {}), (-500, -490, {}), (-500, 0, {}), (-500, 0, declined)):
        options = [
            {"kind": "discard", "tiles": ["N"], "row": [0, 0], **note},
            {"kind": "discard", "tiles": ["4p"], "row": [gap, habit]},
        ]
        decision = {"options": options, "chosen": 0, "played": 1, **unknown}
        opinion = {"decision": decision, "texts": [], "columns": ["gap", "habit"]}
        page.evaluate(HEAR, [json.dumps({"type": "judged", "opinion": opinion, "agrees": False})])
        said.append(page.inner_text("#judged .judgement >> nth=0"))
    assert said == [
        "Discard 4 pin. manue: Discard North, by strong players' habit (\u2212109 points).",
        "Discard 4 pin. manue: Discard North, by strong players' habit (+10 points).",
        "Discard 4 pin. manue: Discard North (+500 points).",
        "Discard 4 pin. manue: Discard North, as the win would seal the last place.",
    ]


def heard_by(at):
    """Load the page of a table anew, and return the list that what it is sent is added to."""
    heard = []

    def note(frame):
        heard.append(frame)

    at.page.on("websocket", lambda line: line.on("framereceived", note))
    at.context.add_init_script(f"({LINE})()")
    at.page.reload()
    return heard


def test_plates_had_the_payment_of_the_last_of_two_wins_alone(table):
    at = table()
    page, heard = at.page, heard_by(at)
    at.play_to("#hand .drawn:enabled")
    last = [event for event in map(json.loads, heard) if event["type"] in {"event", "table"}][-1]
    event = last if last["type"] == "event" else last["event"]
    wins = [(3, [0, -3200, 0, 3200]), (0, [1500, -1500, 0, 0])]
    for actor, deltas in wins:
        facts = {"type": "win", "actor": actor, "target": 1, "tile": "7m", "deltas": deltas}
        frame = {**event["frame"], "deltas": deltas, "actor": actor}
        page.evaluate(HEAR, [json.dumps({**event, "type": "event", "facts": facts, "frame": frame})])
    own = page.locator("#table .gain, #table .loss")
    assert sorted(own.all_text_contents()) == sorted(["+1,500", "+3,200", "\u22124,700"])


def test_the_points_of_the_standings_broke_beside_a_long_name(table):
    at = table()
    page, heard = at.page, heard_by(at)
    page.set_viewport_size({"width": 360, "height": 740})
    at.play_to("#hand .drawn:enabled")
    last = next(one for one in map(json.loads, heard) if one["type"] == "table")
    over = {"type": "over", "scores": [-12_300, 50_000, 31_200, 31_100], "places": [4, 1, 2, 3]}
    over |= {"log": "game.mjson.gz", "game": 0}
    facts = {"type": "exhausted", "deltas": [-1_000, 3_000, -1_000, -1_000]}
    page.evaluate(HEAR, [json.dumps({**last, "names": ["W" * 60] * 4, "over": over, "results": [facts]})])
    page.wait_for_selector(".final")
    lines = """parts => parts.map(part => {
      const range = document.createRange();
      range.selectNodeContents(part);
      return range.getClientRects().length;
    })"""
    assert page.eval_on_selector_all(".final b, .payments b", lines) == [1] * 8
    space = "card => parseFloat(getComputedStyle(card).marginTop)"
    assert page.eval_on_selector("#result .note + .result", space) > 0


def test_what_is_open_below_the_coach_stays_open_while_the_others_play(table):
    """Regression: every event closed the option that was being read, and took the focus."""
    at = table("--help-level", "coach")
    page = at.page
    at.context.add_init_script(f"({LINE})()")
    page.reload()
    at.play_to("#judged .judgement")
    page.click("#judged summary")
    page.click("#judged .option-button >> nth=0")
    page.evaluate(HEAR, ['{"type":"refused","reason":"stale"}'])  # as any message, it draws the page
    assert page.locator("#judged .more").count() == 1
    assert page.evaluate("() => document.activeElement.className") == "option-button"


def test_a_page_that_is_opened_again_keeps_the_seat(table):
    at = table("--help-level", "tiles")
    look = "() => [...document.querySelectorAll('#hand button, #actions button')].map(b => b.ariaLabel)"
    at.play(5)
    at.page.wait_for_selector("html[data-state=choice]")
    at.page.wait_for_selector("#hint table, #hint p")
    before = at.page.evaluate(look)
    at.page.reload()
    at.page.wait_for_selector("#hint table, #hint p")
    assert at.page.evaluate(look) == before
    second = at.open()
    at.page.wait_for_selector("html[data-state=elsewhere]")
    assert at.page.locator("#hand button:enabled").count() == 0
    assert second.evaluate(look) == before
    at.page.keyboard.press("0")
    at.page.click("#levels label >> nth=0", force=True)
    assert at.page.is_checked("#level-tiles"), "help is chosen where the game is played"
    at.page.click("#actions button >> text=Play here")
    second.wait_for_selector("html[data-state=elsewhere]")
    at.page.wait_for_selector("html[data-state=choice]")
    assert at.page.evaluate(look) == before
    second.close()


def test_a_lost_connection_comes_back_by_itself(table):
    at = table()
    at.play_to("#hand button:enabled")
    count = at.page.evaluate("""() => {
      const made = [];
      const Real = WebSocket;
      window.WebSocket = class extends Real { constructor(...args) { super(...args); made.push(this); } };
      window.made = made;
      const root = document.documentElement;
      window.states = [];
      new MutationObserver(() => window.states.push(root.dataset.state)).observe(root, { attributes: true });
      return document.querySelectorAll("#hand button").length;
    }""")
    at.page.evaluate("""() => {
      const level = document.getElementById("level-all");
      for (let n = 0; n < 400; n += 1) level.dispatchEvent(new Event("change"));
    }""")
    at.page.wait_for_function("() => window.states.includes('lost')")  # for less than a second
    at.page.wait_for_selector("html[data-state=choice]")
    assert at.page.evaluate("() => window.made.length") == 1
    assert at.page.locator("#hand button").count() == count


def test_a_finger_presses_a_tile_twice(table):
    at = table(fast=False, has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    page = at.page
    page.click(".settings summary")
    page.select_option("#speed", "none")
    assert page.is_checked("#twice")
    page.click(".settings summary")
    page.wait_for_selector("#hand button:enabled")
    page.tap("#hand button:enabled >> nth=0")
    assert page.locator("#hand .raised").count() == 1
    assert at.state == "choice"
    page.tap("#hand .raised")
    page.wait_for_selector("#hand:not(:has(.raised))")


def test_calls_can_be_passed_by_themselves_and_sounds_are_off(table):
    at = table()
    page = at.page
    page.evaluate(
        "() => { window.heard = 0; window.AudioContext = class { constructor() { window.heard += 1; } }; }"
    )
    assert not page.is_checked("#sound")
    page.evaluate("document.querySelector('#no-calls').click()")
    offers = page.evaluate("""() => {
      window.offers = 0;
      new MutationObserver(() => {
        const kinds = [...document.querySelectorAll("#actions [data-kind]")].map(one => one.dataset.kind);
        if (kinds.includes("pon") && document.documentElement.dataset.state === "choice") window.offers += 1;
      }).observe(document.getElementById("actions"), { childList: true });
      return window.offers;
    }""")
    at.play(40)
    assert page.evaluate("() => window.offers") == offers == 0
    assert page.evaluate("() => window.heard") == 0


def test_passing_on_calls_did_not_pass_on_the_one_that_was_open(table):
    at = table()
    at.play_to("#actions [data-kind=chi]:not(#actions:has([data-kind=win]) *)")
    left = at.page.evaluate("""() => {
      document.getElementById("no-calls").click();
      return document.querySelectorAll("#actions button").length;
    }""")
    assert left == 0
    at.page.wait_for_selector(SETTLED)
    assert not at.page.locator("#actions [data-kind=chi], #actions [data-kind=pon]").count()


def test_an_offer_passed_by_itself_sounded_as_a_choice(table):
    at = table()
    page = at.page
    page.evaluate("""() => {
      const volume = { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} };
      window.tones = [];
      window.AudioContext = class {
        currentTime = 0;
        createGain() { return volume; }
        createOscillator() {
          const frequency = { set value(pitch) { window.tones.push(pitch); } };
          return { frequency, connect: () => volume, start() {}, stop() {} };
        }
      };
      for (const id of ["no-calls", "sound"]) document.getElementById(id).click();
    }""")
    answered = at.play(40)
    page.wait_for_selector(SETTLED)
    assert len(answered) == 40
    assert (
        page.evaluate("() => window.tones").count(880) == 40
    )  # each but the first, and the one that is open


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_the_page_speaks_the_language_that_is_asked_for(table, lang):
    at = table("--lang", lang, locale="en", viewport={"width": 390, "height": 844})
    page = at.page
    assert page.get_attribute("html", "lang") == lang
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert [found for found in page.evaluate(STICKS_OUT) if "DETAILS.settings" not in found] == []
    own = "header, #notice, #actions, .help"
    latin = page.eval_on_selector_all(own, "parts => parts.map(part => part.innerText).join(' ')")
    assert not {"Help", "None", "Settings", "turn", "Keys"} & set(latin.split())


def test_help_that_comes_lowered_the_tile_that_is_raised(table):
    """With a tile to be pressed twice, the second press only raised it again."""
    at = table(has_touch=True, fast=False)
    page = at.page
    at.play_to("#hand .drawn:enabled")
    page.evaluate("() => document.querySelector('#hand .drawn').click()")
    page.wait_for_selector("#hand .drawn.raised")
    page.keyboard.press("1")
    page.wait_for_selector("#hint table")
    assert page.locator("#hand .drawn.raised").count() == 1
    page.evaluate("() => document.querySelector('#hand .drawn').click()")
    page.wait_for_selector("#hand:not(:has(.raised))")


def test_arrow_keys_after_a_click_on_help_chose_other_help(table):
    at = table()
    page = at.page
    at.play_to("#hand .drawn:enabled")
    page.click("label[for=level-tiles]")
    page.wait_for_selector("#hint table")
    page.keyboard.press("ArrowRight")
    assert page.is_checked("#level-tiles")
    assert page.evaluate(PLACE) == 0


def test_escape_with_open_settings_passed_an_offer(table):
    at = table()
    page = at.page
    at.play_to("#actions [data-kind=pass]")
    page.click("#settings summary")
    page.keyboard.press("Escape")
    assert page.get_attribute("#settings", "open") is None
    assert page.locator("#actions [data-kind=pass]").count() == 1
    page.click("#settings summary")
    page.mouse.click(5, 400)
    assert page.get_attribute("#settings", "open") is None


def test_the_hand_lost_its_focus_with_each_discard(table):
    at = table()
    page = at.page
    at.play_to("#hand .drawn:enabled")
    page.focus("#hand .drawn")
    page.keyboard.press("Enter")
    page.wait_for_selector(SETTLED)
    while not page.locator("#hand button:enabled").count():
        page.keyboard.press("x")
        page.wait_for_selector(SETTLED)
    assert page.evaluate("() => document.querySelector('#hand').contains(document.activeElement)")


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "win +13.8 percentage points"),
        ("ja", "和了率 +13.8ポイント"),
        ("zh-Hans", "和牌率 +13.8个百分点"),
    ],
)
def test_the_coach_does_not_write_how_far_chances_are_apart_as_a_chance(table, lang, words):
    """It was "win +13.8 %", which may be read as 13.8 % more often."""
    at = table("--help-level", "coach", "--lang", lang)
    page = at.page
    at.context.add_init_script(f"({LINE})()")
    page.reload()
    at.play_to("#hand .drawn:enabled")
    options = [
        {"kind": "discard", "tiles": [tile], "row": [win, 0]} for tile, win in (("N", 0.448), ("4p", 0.31))
    ]
    decision = {"options": options, "chosen": 0, "played": 1}
    decision |= dict.fromkeys(("tenpai", "trials", "seed", "ms", "fold", "log"))
    opinion = {"decision": decision, "texts": [], "columns": ["horaProb", "unsafeProb"]}
    page.evaluate(HEAR, [json.dumps({"type": "judged", "opinion": opinion, "agrees": False})])
    assert words in page.inner_text("#judged .judgement >> nth=0")


def test_where_the_system_chooses_colours_the_chosen_help_is_marked(table):
    page = table("--help-level", "all", forced_colors="active").page
    page.wait_for_selector("#hand .caption")
    colours = page.eval_on_selector_all(
        "#levels label", "all => all.map(one => getComputedStyle(one).backgroundColor)"
    )
    assert len(set(colours)) == 2
    filled = page.eval_on_selector_all(
        "#hint .bar-fill", "all => all.map(one => getComputedStyle(one).forcedColorAdjust)"
    )
    assert filled
    assert set(filled) == {"none"}


@pytest.mark.parametrize(
    ("habit", "below", "said"), [(-1000, "+100", "\u2212100"), (-300, "\u2212600", "+600")]
)
def test_the_figure_below_a_tile_contradicted_the_coach(table, habit, below, said):
    """It counted strong players' habit, which the coach leaves out of what a discard is worth."""
    at = at_a_discard_with_help(table)
    page = at.page
    tile = page.get_attribute("#hand .drawn", "data-tile")
    options = [
        {"kind": "discard", "tiles": ["1m" if tile != "1m" else "2m"], "row": [0, 0]},
        {"kind": "discard", "tiles": [tile], "drawn": True, "row": [-900, habit]},
    ]
    unknown = dict.fromkeys(("tenpai", "trials", "seed", "ms", "fold", "log"))
    decision = {"options": options, "chosen": 0, "played": 1, **unknown}
    opinion = {"decision": decision, "texts": [], "columns": ["gap", "habit"]}
    ask = {"kind": "choice", "options": options[1:], "then": []}
    messages = [
        {"type": "ask", "id": 99, **ask},
        {"type": "hint", "id": 99, "level": "all", "opinion": opinion},
        {"type": "judged", "opinion": opinion, "agrees": False},
    ]
    page.evaluate(HEAR, [json.dumps(message) for message in messages])
    assert page.inner_text("#hand .drawn .caption") == below
    assert f"{below} points" in page.get_attribute("#hand .drawn", "aria-label")
    page.keyboard.press("4")
    assert f"{said} points" in page.inner_text(".judgement >> nth=0")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_of_a_review_says_how_far_it_is_and_becomes_the_review(browser, node_modules, lang):
    """Regression: an empty tab until the review was computed."""
    paused = PausedReview("<!DOCTYPE html><title>the review</title>")
    with hosted() as host, browser.new_context(locale=lang) as context:
        host.reviews.append(GameReview(paused))
        page = context.new_page()
        page.goto(f"{host.origin}/review?{host.url.query}")
        share = messages(lang).text("percent", n=25)
        page.wait_for_function(f"() => document.getElementById('share').textContent === '{share}'")
        picture(page, f"waiting-{lang}")
        assert page.inner_text("#state") == messages(lang).text("sit.review.computing")
        assert page.get_attribute("html", "lang") == lang
        assert page.get_attribute("#bar", "value") == "0.25"
        assert violations(page, node_modules) == []
        assert page.evaluate(STICKS_OUT) == []
        paused.go_on.release()
        page.wait_for_function("() => document.title === 'the review'")
    assert paused.calls == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_of_a_review_says_why_there_is_none(browser, lang):
    """Regression: the reason was in English in every language."""
    paused = PausedReview(LogError("game.mjson.gz: No such file or directory"), "the review")
    with hosted() as host, browser.new_context(locale=lang) as context:
        host.reviews.append(GameReview(paused))
        page = context.new_page()
        page.goto(f"{host.origin}/review?{host.url.query}")
        paused.go_on.release()
        page.wait_for_selector("html[data-state=failed]")
        assert page.inner_text("#state") == messages(lang).text("sit.review.failed.log")
        assert page.locator("progress").is_hidden()


def test_the_page_of_a_review_says_that_the_table_is_closed(browser):
    paused = PausedReview("the review")
    with browser.new_context() as context:
        with hosted() as host:
            host.reviews.append(GameReview(paused))
            page = context.new_page()
            page.goto(f"{host.origin}/review?{host.url.query}")
            page.wait_for_selector("progress")
        page.wait_for_selector("html[data-state=failed]")
        assert page.inner_text("#state") == messages("en").text("sit.line.gone")
    paused.go_on.release()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_page_whose_table_was_closed_waited_for_it(browser, lang):
    """After Ctrl-C it said "trying again" for ever."""
    with browser.new_context(locale=lang) as context:
        with hosted() as host:
            page = context.new_page()
            page.goto(host.server.url)
            page.wait_for_selector("html[data-state=waiting]")
        page.wait_for_selector("html[data-state=gone]")
        assert page.inner_text("#notice") == messages(lang).text("sit.line.gone")
        assert page.is_disabled("#leave")


BREAKS = """() => {
  const Real = WebSocket;
  window.WebSocket = class extends Real {
    addEventListener(name, act) {
      super.addEventListener(name, name === "close" ? () => act({ code: 1006 }) : act);
    }
  };
}"""
"""Lines are lost without a word of the table."""


def test_another_game_wished_while_the_line_was_lost_could_not_be_wished_again(browser):
    with hosted() as host, browser.new_context() as context:
        context.add_init_script(f"({BREAKS})()")
        standing = {"scores": [40_000, 30_000, 20_000, 10_000], "places": [1, 2, 3, 4]}
        host.screen.finish({**standing, "log": "x.mjson", "game": 1})
        page = context.new_page()
        page.goto(host.server.url)
        page.wait_for_selector("#again:enabled")
        host.server.close()
        page.wait_for_selector("html[data-state=lost]")
        assert page.is_disabled("#again"), "nobody would hear it"
        host.server = TableServer("127.0.0.1", host.url.port, host.screen, TOKEN, host.reviews)
        host.server.start()
        page.wait_for_selector("html[data-state=over]")
        page.wait_for_selector("#again:enabled")


def test_a_page_whose_seat_was_taken_elsewhere_offered_another_game_that_nobody_heard(browser):
    with hosted() as host, browser.new_context() as context:
        standing = {"scores": [40_000, 30_000, 20_000, 10_000], "places": [1, 2, 3, 4]}
        host.screen.finish({**standing, "log": "x.mjson", "game": 1})
        first, second = context.new_page(), context.new_page()
        first.goto(host.server.url)
        first.wait_for_selector("#again:enabled")
        second.goto(host.server.url)
        first.wait_for_selector("html[data-state=elsewhere]")
        assert first.is_disabled("#again")
        first.click("#actions button >> text=Play here")
        first.wait_for_selector("#again:enabled")
