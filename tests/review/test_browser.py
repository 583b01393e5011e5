"""The page in a real browser: what it shows, how it is moved about, who can use it."""

import json
import random
import re
from collections import defaultdict
from pathlib import Path

import pytest

from manue.__main__ import main
from manue.game.events import GameStart, RoundEnd
from manue.game.state import RoundState
from manue.language.messages import messages
from manue.protocol.figures import COLUMNS
from manue.records.archive import read_log
from manue.review.page import page_html
from manue.review.summary import summarize
from manue.tiles import KINDS
from tests.browsing import SCREENSHOTS, STICKS_OUT, violations
from tests.conftest import FULL, game
from tests.review.annotated import annotate
from tests.review.conftest import READ_TABLE, applied, data_in, make_page
from tests.review.made_up import made_up_game, write_game

ROOT = Path(__file__).parents[2]


def moments(log):
    """Yield frame number and the four states after every event that the page shows."""
    states = [RoundState(seat) for seat in range(4)]
    at = 0
    for entry in read_log(log):
        for state in states:
            state.apply(entry.event)
        if isinstance(entry.event, GameStart | RoundEnd):
            continue
        yield at, states
        at += 1


def expected_table(states, view):
    public = states[0]
    seats = {}
    for seat, state in enumerate(states):
        player = public.players[seat]
        melds = [tile for meld in player.melds for tile in meld.tiles]
        for meld in player.melds:
            if meld.kind == "ankan":  # two of its tiles lie face down
                melds.remove(meld.tiles[0])
                melds.remove(meld.tiles[3])
                melds += ["back", "back"]
        seats[str(seat)] = {
            "hand": list(state.hand),
            "river": [tile.tile for tile in player.river],
            "melds": sorted(melds),
            "tsumogiri": sum(tile.from_draw for tile in player.river),
            "called": sum(tile.called_by is not None for tile in player.river),
            "lying": sum(tile.riichi for tile in player.river),
            "stick": int(player.riichi_accepted),
        }
    order = [(view + side) % 4 for side in range(4)]
    wind = {"E": "East", "S": "South", "W": "West", "N": "North"}[public.round_wind]
    texts = [f"{wind} {public.number}", f"Wall {public.tiles_left}", f"Honba {public.honba}"]
    texts += [f"Sticks {public.deposits}"]
    sides = [text for seat in order for text in (states[seat].seat_wind, f"{public.scores[seat]:,}")]
    return {"seats": seats, "dora": list(public.dora_indicators), "texts": sides + texts}


def compare_moments(shown, log, count, rng):
    total = sum(1 for _ in moments(log))
    chosen = {at: rng.randrange(4) for at in sorted(rng.sample(range(total), min(count, total)))}
    expected = [expected_table(states, chosen[at]) for at, states in moments(log) if at in chosen]
    order = list(range(len(expected)))
    rng.shuffle(order)
    places = list(chosen.items())
    found = shown.tour([f"#at={places[n][0]}&seat={places[n][1]}" for n in order], READ_TABLE)
    for number, table in zip(order, found, strict=True):
        assert table == expected[number], f"moment {places[number]}"


def test_200_random_moments_equal_the_state(show, made_up):
    log, page = made_up
    compare_moments(show(page), log, 200, random.Random(1))


def test_random_moments_of_a_record_equal_the_state(show, record):
    log, page = record
    compare_moments(show(page), log, 200, random.Random(2))


STEP_THROUGH = """() => {
  const slider = document.getElementById("slider"), seen = [];
  for (let step = 0; step <= Number(slider.max) + 1; step += 1) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    seen.push([Number(slider.value), document.getElementById("event").textContent]);
  }
  return seen;
}"""


def test_the_whole_game_can_be_stepped_through(show, made_up):
    shown = show(made_up[1])
    last = int(shown.page.get_attribute("#slider", "max"))
    seen = shown.page.evaluate(STEP_THROUGH)
    assert [at for at, _ in seen] == [*range(1, last + 1), last, last]
    assert all(text for _, text in seen)
    assert seen[-1][1] == "The game is over"


STEP = """at => {
  const slider = document.getElementById("slider");
  slider.value = String(at);
  slider.dispatchEvent(new Event("input"));
  document.body.getBoundingClientRect();
}"""
STEP_PARTS = {"ScriptDuration", "LayoutDuration", "RecalcStyleDuration"}


def step_times(page, moments):
    """Return milliseconds of processor time of each step: the work of others is not in them."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent():
        metrics = session.send("Performance.getMetrics")["metrics"]
        return 1000 * sum(metric["value"] for metric in metrics if metric["name"] in STEP_PARTS)

    times = []
    for at in moments:
        before = spent()
        page.evaluate(STEP, at)
        times.append(spent() - before)
    return times


@pytest.fixture(scope="module")
def largest(tmp_path_factory):
    """The longest sample game, every decision annotated, and its page."""
    folder = tmp_path_factory.mktemp("largest")
    log = folder / "largest.mjson.gz"
    annotate(game("double-riichi"), log)
    return log, make_page(log, folder / "largest.html")


@pytest.mark.timeout(3600)
def test_a_step_of_the_largest_page_takes_at_most_10_ms_in_the_median(show, largest):
    """Each step is taken three times; the least says what it costs, the rest what shared caches add to it."""
    page = show(largest[1]).page
    last = int(page.get_attribute("#slider", "max"))
    step_times(page, range(50))  # compiles the scripts
    moments = [at for at in range(last + 1) if FULL or at % 100 < 5]
    passes = [step_times(page, moments) for _ in range(3)]
    steps = zip(moments, map(min, *passes), strict=True)
    times = sorted(took for at, took in steps if at - 1 in moments)  # without the leaps between runs of steps
    median, late = times[len(times) // 2], times[len(times) * 99 // 100]
    print(f"{len(times)} steps: median {median:.1f} ms, 99 % {late:.1f} ms, worst {times[-1]:.1f} ms")
    assert median <= 10


def test_the_largest_hanchan_with_all_annotations_is_at_most_3_mb_and_opens(show, largest):
    log, page = largest
    print(f"largest page: {page.stat().st_size / 1e6:.2f} MB")
    assert page.stat().st_size < 3_000_000
    shown = show(page)
    assert shown.page.locator("#round option").count() == 17
    compare_moments(shown, log, 2000 if FULL else 50, random.Random(3))


def test_buttons_keys_slider_and_rounds_move(show, made_up):
    shown = show(made_up[1])
    page = shown.page
    page.click("#next-event")
    assert shown.at == 1
    page.click("#next-round")
    second_round = shown.at
    assert "East 2" in page.text_content("[data-part=centre]")
    page.click("#previous-event")
    assert "East 1" in page.text_content("[data-part=centre]")
    page.select_option("#round", "1")
    assert shown.at == second_round
    page.focus("body")
    page.keyboard.press("Home")
    assert shown.at == 0
    page.keyboard.press("PageDown")
    assert shown.at == second_round
    page.keyboard.press("ArrowDown")
    decision = shown.at
    assert decision > second_round
    assert page.locator(".options tbody tr").count() > 0
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert shown.at == decision
    page.fill("#slider", "3")
    assert shown.at == 3
    page.wait_for_url(re.compile("#at=3&seat=0$"))  # once the reader rests


@pytest.mark.parametrize(("width", "height"), [(844, 390), (640, 450), (768, 1024), (390, 844)])
def test_the_whole_table_is_seen_above_the_buttons(show, made_up, width, height):
    """Regression: on a phone on its side, and enlarged, it was twice as high as the window."""
    page = show(made_up[1], viewport={"width": width, "height": height}).page
    page.evaluate("document.getElementById('table').scrollIntoView()")
    table, buttons = (page.locator(part).bounding_box() for part in ("#table", ".controls"))
    assert table["height"] >= 320
    assert table["y"] + table["height"] <= buttons["y"] + 1


@pytest.mark.parametrize(("width", "height"), [(1280, 640), (1366, 720), (1920, 1000)])
def test_table_and_buttons_are_in_view_at_first(show, made_up, width, height):
    """Regression: on a laptop the own hand was cut off and the buttons were out of view."""
    page = show(made_up[1], viewport={"width": width, "height": height}).page
    buttons = page.locator(".controls").bounding_box()
    assert buttons["y"] + buttons["height"] <= height + 12, "which is space below them"


def test_a_deep_link_opens_its_moment_and_seat(show, made_up):
    shown = show(made_up[1])
    shown.open("#at=77&seat=2&hide=1")
    assert shown.at == 77
    assert shown.page.is_checked("#seat-2")
    assert shown.page.is_checked("#hide")
    shown.open("#at=99999&seat=9&hide=x&nonsense")
    assert shown.at == int(shown.page.get_attribute("#slider", "max"))
    assert shown.page.is_checked("#seat-3")


OWN_SIDE = "#table g[data-seat]:not([data-part]) >> nth=0"


def test_seat_choice_turns_the_table_and_hiding_hides_the_others(show, made_up):
    shown = show(made_up[1])
    page = shown.page
    page.click("label[for=seat-1]")
    assert page.get_attribute(OWN_SIDE, "data-seat") == "1"
    page.keyboard.press("4")
    assert page.get_attribute(OWN_SIDE, "data-seat") == "3"
    before = page.evaluate(READ_TABLE)["seats"]
    page.check("#hide")
    after = page.evaluate(READ_TABLE)["seats"]
    assert after["3"] == before["3"]
    assert all(set(after[seat]["hand"]) == {"back"} for seat in "012")
    labels = page.eval_on_selector_all("[data-part=hand]", "parts => parts.map(part => part.ariaLabel)")
    assert sum("hidden tiles" in label for label in labels) == 3


def test_a_hidden_draw_is_not_shown(show, made_up):
    shown = show(made_up[1])
    shown.open("#at=1&seat=1&hide=1")
    assert shown.page.inner_text("#event") == "Ann draws a tile"
    shown.open("#at=1&seat=0&hide=1")
    assert shown.page.inner_text("#event") != "Ann draws a tile"


def test_a_decision_shows_options_best_first_and_the_whole_row_on_demand(show, made_up):
    shown = show(made_up[1])
    page = shown.page
    page.focus("body")
    page.keyboard.press("ArrowDown")
    gaps = page.locator(".options tbody tr td.gap .bar-text").all_inner_texts()
    values = [int(text.replace("\u2212", "-").replace(",", "")) for text in gaps]
    assert values == sorted(values, reverse=True)
    assert page.locator(".badge.chosen").count() == 1
    assert page.locator(".badge.played").count() == 1
    page.click(".option-button >> nth=0")
    more = page.inner_text(".more")
    for words in ("Expected placement", "Danger, opponent by opponent", "Most frequent winning hands"):
        assert words in more
    assert "of 8,214" in more
    page.click("button.sort[data-sort=risk]")
    risks = page.locator(".options tbody tr[data-option] .of-now").all_inner_texts()
    shares = [float(text.split()[0]) for text in risks]
    assert shares == sorted(shares)


def test_what_playing_on_said_stands_above_the_options(show, made_up):
    shown = show(made_up[1], locale="en")
    decision = next(one for one in data_in(made_up[1])["decisions"][0] if len(one["options"]) > 2)
    shown.open(f"#at={decision['at']}&seat=0")
    clear, unclear = shown.page.locator("p.rollout").all_inner_texts()
    assert re.fullmatch(r"Played on in 4,000 worlds: .+ \u22121,250 ± 90 points beside .+", clear)
    best = clear.split(" beside ")[1]
    assert unclear.endswith(f"+40 ± 120 points beside {best}: this says nothing about which is better")


def test_the_chart_is_clickable(show, made_up):
    shown = show(made_up[1])
    box = shown.page.locator("svg.chart").bounding_box()
    shown.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    end = data_in(made_up[1])["rounds"][0]["end"]
    assert abs(shown.at - end / 2) < end / 8


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 360])
def test_nothing_sticks_out_and_axe_is_content(show, made_up, node_modules, scheme, width):
    shown = show(made_up[1], color_scheme=scheme, viewport={"width": width, "height": 800})
    page = shown.page
    for keys in (["ArrowDown"], ["ArrowDown", "ArrowDown"], ["End"]):
        for key in keys:
            page.keyboard.press(key)
        if page.locator(".option-button:enabled").count():
            page.click(".option-button >> nth=0")
        assert violations(page, node_modules) == []
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [1280, 1440, 1920])
def test_the_options_need_no_scrolling_sideways(show, made_up, width):
    page = show(made_up[1], viewport={"width": width, "height": 900}).page
    for _ in range(10):
        page.keyboard.press("ArrowDown")
        page.evaluate("document.querySelector('.option-button:enabled')?.click()")
        assert page.evaluate(
            "() => { const box = document.querySelector('#options .scroll');"
            " return box.scrollWidth <= box.clientWidth; }"
        )
        page.evaluate("document.activeElement.blur()")


@pytest.mark.parametrize("width", [390, 768, 1000, 1280, 1400])
def test_a_discard_takes_one_line(show, made_up, width):
    """Regression: between 960 and 1360 pixels arrow, word and tile stood below each other."""
    page = show(made_up[1], viewport={"width": width, "height": 900}).page
    page.keyboard.press("ArrowDown")
    heights = page.eval_on_selector_all(
        ".option-button:has(.usual)",
        "buttons => buttons.map(one => one.clientHeight / one.querySelector('.tile').clientHeight)",
    )
    assert heights
    assert max(heights) < 1.7


def test_the_buttons_stuck_out_of_the_narrowest_phone(show, made_up):
    page = show(made_up[1], viewport={"width": 320, "height": 640}).page
    assert [found for found in page.evaluate(STICKS_OUT) if "BUTTON" in found or "INPUT" in found] == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("width", [360, 768, 1000, 1400])
@pytest.mark.parametrize(
    ("game", "kinds"), [("made_up", {"chi", "pon", "daiminkan"}), ("record", {"chi", "pon", "riichi", "win"})]
)
def test_no_element_overflows_its_container(show, request, tmp_path, width, game, kinds):
    """Decisions of every kind, opened, and the tables of a review."""
    data = data_in(request.getfixturevalue(game)[1])
    data["review"] = summarize(data, [0, 1, 2, 3], "manue")
    reviewed = tmp_path / "reviewed.html"
    reviewed.write_text(page_html(data), "utf-8")
    page = show(reviewed, viewport={"width": width, "height": 800}).page
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert page.evaluate(STICKS_OUT) == []
    met = set()
    for decision in (decision for seat in data["decisions"] for decision in seat):
        new = {(option["kind"], "then" in option) for option in decision["options"]} - met
        if not new:
            continue
        met |= new
        seat = next(seat for seat in range(4) if decision in data["decisions"][seat])
        page.evaluate("fragment => { location.hash = fragment }", f"#at={decision['at']}&seat={seat}")
        page.wait_for_function(
            "at => document.getElementById('slider').value === at", arg=str(decision["at"])
        )
        page.evaluate("document.querySelectorAll('.option-button:enabled').forEach(button => button.click())")
        assert page.evaluate(STICKS_OUT) == [], new
    assert kinds <= {kind for kind, _ in met}


OVERLAPS = """() => {
  const found = [];
  for (const plate of document.querySelectorAll("[data-part=plate]")) {
    const boxes = [...plate.querySelectorAll("text, use")].filter(part => part.getBBox().width > 0);
    const frames = [...plate.querySelectorAll("rect")].map(rect => rect.getBoundingClientRect());
    const right = Math.max(...frames.map(frame => frame.right));
    boxes.forEach((part, at) => {
      const one = part.getBoundingClientRect();
      if (one.right > right) found.push(`${plate.ariaLabel}: ${part.textContent} sticks out`);
      for (const other of boxes.slice(at + 1)) {
        const two = other.getBoundingClientRect();
        const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
        const tall = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
        if (wide > 1 && tall > 3) found.push(`${plate.ariaLabel}: ${part.textContent} is overlapped`);
      }
    });
  }
  return found;
}"""


@pytest.mark.parametrize("locale", ["en-US", "ja-JP", "zh-CN"])
def test_nothing_on_a_plate_overlaps(show, record, locale):
    """Above all the tiles waited for: beside ``riichi declared``, with furiten, with many of them."""
    shown = show(record[1], viewport={"width": 1400, "height": 1100}, locale=locale)
    frames, frame = [], {}
    for step in data_in(record[1])["frames"]:
        frame = applied(frame, step)
        frames.append(frame)
    waiting = [at for at, frame in enumerate(frames) if any(player["waits"] for player in frame["players"])]
    declared = [at for at in waiting if any(player["riichi"] == 1 for player in frames[at]["players"])]
    widest = max(waiting, key=lambda at: max(len(player["waits"]) for player in frames[at]["players"]))
    furiten = [at for at in waiting if any(player["furiten"] for player in frames[at]["players"])]
    moments = [*declared[:20], *furiten[:20], *waiting[::20], widest]
    assert len(declared) > 0 < len(furiten)
    assert [found for found in shown.tour([f"#at={at}&seat=0" for at in moments], OVERLAPS) if found] == []


CROWDED = """() => {
  const box = part => part.getBoundingClientRect();
  const parts = "[data-part=hand] use, [data-part=melds] use, [data-part=plate] rect, [data-part=river] use";
  const shown = [...document.querySelector("#table").querySelectorAll(parts)];
  const named = part => `${part.closest("[data-part]").ariaLabel.slice(0, 30)} ${part.getAttribute("href")}`;
  return shown.flatMap((one, at) => shown.slice(at + 1).filter(two => {
    if (one.closest("[data-part]") === two.closest("[data-part]")) return false;
    const wide = Math.min(box(one).right, box(two).right) - Math.max(box(one).left, box(two).left);
    const tall = Math.min(box(one).bottom, box(two).bottom) - Math.max(box(one).top, box(two).top);
    return wide > 0.5 && tall > 0.5;
  }).map(two => `${named(one)} over ${named(two)}`));
}"""


def kans(kind, source):
    """Four kans of one player, fed by one other."""
    called = [["5p", "5p", "5pr", "5p"], ["1s"] * 4, ["7m"] * 4, ["C"] * 4]
    return [{"kind": kind, "tiles": tiles, "called": tiles[0], "source": source} for tiles in called]


@pytest.mark.parametrize("kind", ["kakan", "daiminkan"])
@pytest.mark.parametrize("fed", [1, 2, 3])
def test_kans_covered_a_hand_and_a_plate(show, made_up, tmp_path, kind, fed):
    """Regression: the tile added to a pon lay on the first tile of the hand beside it, or on a plate."""
    data = data_in(made_up[1])
    for seat, player in enumerate(data["frames"][0]["players"]):
        player["melds"] = kans(kind, (seat + fed) % 4)
        player["hand"], player["drawn"] = ["1m"], "9m"
        player["river"] = [["1m", "r"], *([["1m", ""]] * 23)]
        player["waits"] = ["1m"]
    data["frames"][0]["doraTiles"] = ["5p", "5pr"]
    page = tmp_path / "kans.html"
    page.write_text(page_html(data), "utf-8")
    shown = show(page, viewport={"width": 1400, "height": 1100}).page
    assert shown.evaluate(CROWDED) == []
    assert shown.locator("[data-part=melds] .dora").count() == 16, "the called ones too"


def test_scores_are_read_out_as_they_are_written(show, made_up):
    """Regression: "25000 points" beside 25,000, and points below 0 with a hyphen."""
    read = "plates => plates.map(one => [one.ariaLabel, one.querySelector('.plate-score').textContent])"
    for label, score in show(made_up[1]).page.locator("[data-part=plate]").evaluate_all(read):
        assert f", {score} points" in label


def test_the_printed_link_opens_the_printed_decision(show, made_up, tmp_path, capsys):
    assert main(["view", str(made_up[0]), "-o", str(tmp_path / "game.html"), "--table"]) == 0
    printed = capsys.readouterr().out
    name, table = printed.splitlines()[0].split(" (seat ")[0], printed.splitlines()[2:]
    link = re.search(r"^page: file://(\S+)(#at=(\d+)&seat=(\d))", printed, re.MULTILINE)
    assert link[1] == str(tmp_path / "game.html")
    shown = show(tmp_path / "game.html")
    shown.open(link[2])
    assert shown.page.inner_text(f"label[for=seat-{link[4]}]") == name
    points = shown.page.locator(".options tbody tr td.points").all_inner_texts()
    plain = [int(text.replace("\u2212", "-").replace(",", "")) for text in points]
    assert plain == [int(re.split(r"  +", line)[1]) for line in table[: len(plain)]]
    assert all(re.search(rf"^{column.wire} +\w", printed, re.MULTILINE) for column in COLUMNS)


def test_a_first_visit_finds_a_decision_and_its_meaning(show, made_up):
    page = show(made_up[1]).page
    page.click("#options button >> text=Next decision of Ann")
    assert page.locator(".badge.chosen").count() == 1
    verdict = page.inner_text(".verdict")
    assert verdict.startswith("\u2605 ")
    assert ("It was played" in verdict) == (page.locator(".is-chosen.is-played").count() == 1)
    page.click("text=How to read the options")
    for heading in ("Value", "How the round ends", "Points", "Place"):
        assert page.locator("#reading dt", has_text=heading).is_visible()
    page.keyboard.press("ArrowDown")
    assert page.locator("#reading dl").is_visible()
    page.keyboard.press("End")
    assert page.locator("#options button").count() == 0


def test_a_verdict_tells_what_another_choice_gave_up(show, made_up):
    data = data_in(made_up[1])
    gap = data["columns"].index("gap")
    decision = next(
        decision
        for decision in data["decisions"][0]
        if decision["options"][decision["played"]]["row"][gap] < -1
        and decision["options"][decision["played"]]["tiles"]
        != decision["options"][decision["chosen"]]["tiles"]
    )
    lost = -decision["options"][decision["played"]]["row"][gap]
    shown = show(made_up[1])
    shown.open(f"#at={decision['at']}&seat=0")
    verdict = shown.page.inner_text(".verdict")
    assert f"{lost:,} points lost" in verdict


def test_habit_is_said_to_decide_only_beyond_a_close_call(show, made_up, tmp_path):
    """Options a few points apart by value are a close call; what was lost is said with habit and without."""
    data = data_in(made_up[1])
    gap, habit = data["columns"].index("gap"), data["columns"].index("habit")
    decision = next(one for one in data["decisions"][0] if len(one["options"]) > 2)
    decision["played"] = 1
    for option, numbers in zip(decision["options"], [(0, 0), (-27, 447), (-496, -500)], strict=False):
        option["row"][gap], option["row"][habit] = numbers
    page = tmp_path / "habit.html"
    page.write_text(page_html(data), "utf-8")
    shown = show(page)
    shown.open(f"#at={decision['at']}&seat=0")
    verdict = shown.page.inner_text(".verdict")
    assert "Habit decides" not in verdict
    assert "474 points lost by value (27 with strong players' habit)" in verdict
    decision["played"], far = 2, decision["options"][2]["row"]
    far[gap], far[habit] = -471, -459
    page.write_text(page_html(data), "utf-8")
    near_call = show(page)
    near_call.open(f"#at={decision['at']}&seat=0")
    assert "(within 30 points); strong players' habit decides, by 459 points." in near_call.page.inner_text(
        ".verdict"
    )
    far[gap], far[habit] = -496, -600
    page.write_text(page_html(data), "utf-8")
    again = show(page)
    again.open(f"#at={decision['at']}&seat=0")
    assert "Habit decides" in again.page.inner_text(".verdict")


def verdict_of(show, data, page, decision):
    page.write_text(page_html(data), "utf-8")
    shown = show(page)
    shown.open(f"#at={decision['at']}&seat=0")
    return shown.page.inner_text(".verdict").replace("\u00a0", " ")


def test_a_choice_without_a_value_is_not_called_as_good_as_the_best(show, made_up, tmp_path):
    """Regression: a red five played beside a plain one was "worth as much" as whatever was best."""
    data = data_in(made_up[1])
    decision = next(one for one in data["decisions"][0] if len(one["options"]) > 2)
    decision["played"] = 1
    decision["options"][1] |= {"row": None, "kind": "discard", "tiles": ["5mr"]}
    verdict = verdict_of(show, data, tmp_path / "unvalued.html", decision)
    assert verdict.count("red 5 man") == 1
    assert verdict.endswith("Played: Discard red 5 man.")


def two_options(data, first, second):
    """Return a decision of whose options two have a row, with these figures and no others."""
    decision = next(one for one in data["decisions"][0] if len(one["options"]) > 2)
    decision["chosen"], decision["played"] = 0, 1
    decision["options"] = decision["options"][:2]
    for option, figures in zip(decision["options"], (first, second), strict=True):
        option |= {key: figures.pop(key) for key in ("kind", "tiles", "then") if key in figures}
        option["row"] = [figures.get(column) for column in data["columns"]]
    return decision


def test_what_hardly_explains_the_value_is_not_given_as_the_reason(show, made_up, tmp_path):
    """Regression: what was worth 33 points was the only reason for 1,275, where the places decided."""
    data = data_in(made_up[1])
    best = {"expPt": 0, "avgRank": 2.5, "gap": 0, "horaProb": 0.1, "unsafeProb": 0.0, "avgHoraPt": 4000}
    other = {**best, "expPt": -50, "avgRank": 2.57, "gap": -1275, "unsafeProb": 0.006, "avgHojuPt": 5500}
    page = tmp_path / "places.html"
    assert "place 0.07 better, deal-in 0.0 % against 0.6 %." in verdict_of(
        show, data, page, two_options(data, best, other)
    )


def test_a_verdict_names_what_the_best_is_compared_with(show, made_up, tmp_path):
    """Regression: "46 useful tiles against 40", without a word of what has 40, where the best was played."""
    data = data_in(made_up[1])
    best = {"kind": "discard", "tiles": ["1m"], "expPt": 0, "gap": 0, "shanten": 1, "ukeireCount": 46}
    decision = two_options(data, best, {**best, "tiles": ["E"], "gap": -100, "ukeireCount": 40})
    decision["played"] = 0
    assert "Discard 1 man rather than Discard East: 46 useful tiles against 40." in verdict_of(
        show, data, tmp_path / "named.html", decision
    )


def test_figures_are_the_differences_of_those_in_the_table(show, made_up, tmp_path):
    """Regression: "place 0.01 better" beside 2.45 and 2.45; "1.3 % more wins" beside 12.3 % and 11.1 %."""
    data = data_in(made_up[1])
    best = {"kind": "discard", "tiles": ["1m"], "expPt": 10, "avgRank": 2.4463, "gap": 0, "unsafeProb": 0.0}
    best |= {"horaProb": 0.12345, "avgHoraPt": 4000}
    other = {**best, "tiles": ["E"], "avgRank": 2.4537, "gap": -300, "horaProb": 0.11055}
    decision = two_options(data, best, {**other, "expPt": 0})
    assert ": 10 more points, wins 12.3 % against 11.1 %." in verdict_of(
        show, data, tmp_path / "shown.html", decision
    )


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("en-GB", "★ Win on 5 pin: a win is taken. Played: Pass"),
        ("ja-JP", "★ 5筒で和了：和了できるので和了する。実戦：見送り"),
        ("zh-CN", "★ 和5饼：能和就和。实战：过"),
    ],
)
def test_a_win_was_taken_because_a_win_is_taken(show, made_up, tmp_path, locale, said):
    """Regression: "Win 5 pin: the win is taken"; in Japanese "win: wins"."""
    data = data_in(made_up[1])
    win = {"kind": "win", "tiles": ["5p"], "expPt": 8000, "gap": 0}
    decision = two_options(data, win, {"kind": "pass", "tiles": [], "expPt": 0, "gap": -8000})
    page = tmp_path / "win.html"
    page.write_text(page_html(data), "utf-8")
    shown = show(page, locale=locale)
    shown.open(f"#at={decision['at']}&seat=0")
    assert shown.page.inner_text(".verdict").startswith(said)


@pytest.mark.parametrize(
    ("tiles", "said"),
    [(["C"] * 4, "Open kan Red dragon"), (["5p", "5p", "5pr"], "Open kan 5 pin, 5 pin, red 5 pin")],
)
def test_the_kind_of_a_kan_was_named_four_times(show, made_up, tmp_path, tiles, said):
    data = data_in(made_up[1])
    kan = {"kind": "daiminkan", "tiles": tiles, "expPt": 1, "gap": 0}
    decision = two_options(data, kan, {"kind": "pass", "tiles": [], "expPt": 0, "gap": -100})
    assert f"{said} rather than Pass" in verdict_of(show, data, tmp_path / "kan.html", decision)


def test_a_win_passed_over_for_the_last_place_is_said_to_be(show, made_up, tmp_path):
    """Regression: it was compared with a chi, as if habit decided, and nothing was said of the win."""
    data = data_in(made_up[1])
    best = {"kind": "pass", "tiles": [], "expPt": 1610, "gap": 0, "habit": 0}
    other = {
        "kind": "chi",
        "tiles": ["6s", "7s", "8s"],
        "then": "8m",
        "expPt": 398,
        "gap": -2328,
        "habit": -2328,
    }
    decision = two_options(data, best, other)
    decision["options"][0]["note"] = "the win would seal the last place"
    verdict = verdict_of(show, data, tmp_path / "last.html", decision)
    assert verdict.startswith("\u2605 Pass: the win would seal the last place. Played: Chi")


def test_value_without_a_figure_of_its_own_is_not_called_points(show, made_up, tmp_path):
    """Regression: "67 more points" beside a column of points in which the best had 6 less."""
    data = data_in(made_up[1])
    best = {"kind": "discard", "tiles": ["1m"], "expPt": -6, "avgRank": 2.4, "gap": 0}
    other = {**best, "tiles": ["E"], "expPt": 0, "avgRank": 2.404, "gap": -67}
    verdict = verdict_of(show, data, tmp_path / "value.html", two_options(data, best, other))
    assert "Discard East: worth 67 points more by value." in verdict


@pytest.mark.parametrize(
    ("points", "rank", "said"),
    [
        (-600, 2.4, "place 0.15 better, but 600 fewer points."),
        (-50, 2.4, "place 0.15 better."),
        (1200, 2.6, "1,200 more points, but place 0.05 worse."),
        (-60, 2.548, "worth 100 points more by value, but 60 fewer points."),
    ],
)
def test_the_points_that_the_best_option_gives_up_were_hidden(show, made_up, tmp_path, points, rank, said):
    """Regression: "place 0.15 better" beside a column of points in which the best had 600 less."""
    data = data_in(made_up[1])
    best = {"kind": "discard", "tiles": ["1m"], "expPt": points, "avgRank": rank, "gap": 0}
    other = {**best, "tiles": ["E"], "expPt": 0, "avgRank": 2.55, "gap": -100}
    verdict = verdict_of(show, data, tmp_path / "fewer.html", two_options(data, best, other))
    assert f"Discard East: {said}" in verdict


def test_what_draws_bring_can_be_the_reason(show, made_up, tmp_path):
    """Regression: near the end of the wall, that a hand stays in tenpai was not said."""
    data = data_in(made_up[1])
    best = {"expPt": 500, "gap": 0, "horaProb": 0.0, "ryukyokuProb": 0.9, "ryukyokuAvgPt": 1500}
    best |= {"otherHoraProb": 0.1, "hojuLaterProb": 0.0}
    other = {**best, "expPt": -1500, "gap": -2000, "ryukyokuAvgPt": -1000}
    page = tmp_path / "draws.html"
    assert ": draws worth 2,500 more." in verdict_of(show, data, page, two_options(data, best, other))


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("pon", "but strong players' habit speaks for the former."),
        ("pass", "but strong players' habit speaks for the former (Pon: 57.1 % of them)."),
    ],
)
def test_the_share_that_calls_says_nothing_between_two_calls(show, made_up, tmp_path, kind, said):
    """Regression: "strong players do as here (42.9 % declare it)", even beside the same call."""
    data = data_in(made_up[1])
    best = {"kind": "pon", "tiles": ["E", "E", "E"], "then": "1m", "expPt": 0, "gap": 0, "habit": 0}
    other = {**best, "kind": kind, "tiles": ["E", "E", "E"] if kind == "pon" else [], "then": "2m"}
    decision = two_options(data, {**best, "playedProb": 0.571}, {**other, "gap": -100, "habit": -300})
    assert said in verdict_of(show, data, tmp_path / "calls.html", decision)


DECLARED = (
    "but 42.9 % of strong players choose Pon, more than the share from which it counts as their choice."
)


@pytest.mark.parametrize(
    ("other", "said"),
    [("pass", DECLARED), ("chi", "but strong players' habit speaks for the former.")],
)
def test_a_habit_of_fewer_than_half_contradicted_its_own_number(show, made_up, tmp_path, other, said):
    """Regression: "strong players' habit speaks for the former (Pon: 42.9 % of them)": 57.1 % pass."""
    data = data_in(made_up[1])
    best = {"kind": "pon", "tiles": ["E", "E", "E"], "then": "1m", "expPt": 0, "gap": 0, "habit": 0}
    beside = {**best, "kind": other, "tiles": ["1m", "2m", "3m"] if other == "chi" else [], "then": "1m"}
    decision = two_options(data, {**best, "playedProb": 0.429}, {**beside, "gap": -100, "habit": -300})
    assert said in verdict_of(show, data, tmp_path / "share.html", decision)


def test_a_choice_that_habit_passed_over_is_said_to_be_worth_more(show, made_up, tmp_path):
    """Regression: beside the figure by which it was ahead it was called "worth as much"."""
    data = data_in(made_up[1])
    gap, habit = data["columns"].index("gap"), data["columns"].index("habit")
    decision = next(one for one in data["decisions"][0] if len(one["options"]) > 2)
    decision["played"] = 1
    decision["options"][1] |= {"kind": "discard", "tiles": ["9m"]}
    decision["options"][1]["row"][gap], decision["options"][1]["row"][habit] = -100, -233
    verdict = verdict_of(show, data, tmp_path / "passed.html", decision)
    assert "133 points behind Discard 9 man" in verdict
    assert verdict.endswith("Played: Discard 9 man, worth 133 points more by value.")


DOTS = """() => ({
  chart: [...document.querySelectorAll("#chart .curve.win title")]
    .map(title => title.textContent.split(/\\s/)[1]),
  bar: document.querySelector("#options .is-played .of-win")?.textContent.split(/\\s/)[0],
})"""


def test_the_chart_has_the_figures_of_the_options(show, made_up):
    """Regression: it drew P(win) provided that the discard passes, beside bars without that condition."""
    data = data_in(made_up[1])
    first = data["rounds"][0]
    places = [d for d in data["decisions"][0] if first["start"] <= d["at"] <= first["end"]]
    found = show(made_up[1]).tour([f"#at={decision['at']}&seat=0" for decision in places], DOTS)
    bars = [one["bar"] for one in found]
    assert len(bars) > 5
    assert found[0]["chart"] == bars


SUM_OF_PARTS = """() => [...document.querySelectorAll("#options .chances .bar-track")].map(track =>
  Number(track.style.background.match(/([0-9.]+)%\\)$/)[1]) / 100)"""


def some_of_each_kind(decisions):
    """Return decisions and their seats: of each set of kinds of options 60 at most; all with MANUE_FULL."""
    groups = defaultdict(list)
    for seat in range(4):
        for decision in decisions[seat]:
            groups[frozenset(option["kind"] for option in decision["options"])].append((decision, seat))
    steps = {kinds: 1 if FULL else -(-len(group) // 60) for kinds, group in groups.items()}
    places = [place for kinds, group in groups.items() for place in group[:: steps[kinds]]]
    return sorted(places, key=lambda place: (place[1], place[0]["at"]))  # as somebody who reads on


@pytest.mark.parametrize("game", ["made_up", "record"])
def test_the_chances_of_every_option_add_up_to_1(show, request, game):
    page = request.getfixturevalue(game)[1]
    places = some_of_each_kind(data_in(page)["decisions"])
    found = show(page).tour([f"#at={decision['at']}&seat={seat}" for decision, seat in places], SUM_OF_PARTS)
    options = sum(option["row"] is not None for decision, _ in places for option in decision["options"])
    sums = [total for part in found for total in part]
    assert len(sums) == options > 500
    assert all(abs(total - 1) < 1e-6 for total in sums)


@pytest.mark.parametrize(("locale", "sign"), [("en-GB", "\u00a0%"), ("ja-JP", "%"), ("zh-CN", "%")])
def test_a_share_was_torn_apart_at_the_end_of_a_line(show, made_up, locale, sign):
    shown = show(made_up[1], locale=locale)
    shown.page.keyboard.press("ArrowDown")
    shares = shown.page.locator("#options .of-win").all_text_contents()
    assert len(shares) > 5
    assert [share for share in shares if not re.fullmatch(rf"\d+\.\d{sign}", share)] == []


@pytest.mark.parametrize(
    ("locale", "words"),
    [("ja-JP", "他家の手牌を伏せる"), ("zh-CN", "隐藏他家手牌"), ("de-DE", "Hide the others' hands")],
)
def test_the_page_follows_the_language_of_the_browser(show, made_up, locale, words):
    shown = show(made_up[1], locale=locale)
    shown.page.keyboard.press("ArrowDown")
    assert words in shown.page.inner_text("header")
    assert (
        shown.page.evaluate("document.documentElement.lang")
        == {"ja": "ja", "zh": "zh-Hans", "de": "en"}[locale[:2]]
    )
    shown.page.select_option("#language", "ja")
    shown.page.wait_for_selector("html[lang=ja][data-ready]")


def test_a_page_in_one_language_stays_in_it(show, made_up, tmp_path):
    page = tmp_path / "ja.html"
    page.write_text(page_html(data_in(made_up[1]), "ja"), "utf-8")
    shown = show(page, locale="en-US")
    assert "リンク" in shown.page.inner_text("#link")
    assert not shown.page.is_visible("#language")


def test_a_review_without_values_counts_no_mistakes(show, tmp_path):
    """Regression: of an agent that values nothing it counted 0 mistakes, and drew skill and luck of 0."""
    page = tmp_path / "greedy.html"
    assert main(["review", str(game("robbed-kan")), "--agent", "greedy", "--seat", "0", "-o", str(page)]) == 0
    shown = show(page).page
    said = shown.inner_text("#review")
    assert "agreement over" in said
    assert "lost" not in said
    assert "\u2013" not in said
    assert shown.locator("#review caption").all_inner_texts()[-1] == "Results, by round"
    for part in ("#mistakes", ".weights", ".rating", ".skill"):
        assert shown.locator(part).count() == 0
    assert "skill is minus the points lost" not in shown.inner_text("#review")
    shown.keyboard.press("n")
    assert shown.input_value("#slider") == "0"


@pytest.mark.parametrize("rated", [True, False])
def test_weights_by_other_values_were_as_rare_as_those_of_manue(show, reviewed_record, tmp_path, rated):
    """Whoever judged, an inaccuracy was called what strong players lose by 10 of 100 decisions."""
    data = json.loads(json.dumps(reviewed_record[0]))
    data["review"] |= {"rated": rated, "agent": "manue@first"}
    page = tmp_path / "other.html"
    page.write_text(page_html(data), "utf-8")
    said = show(page, locale="en").page.inner_text("#review details[open] .weights + .note")
    assert said.startswith("Inaccuracy: from 96 points lost")
    assert ("10 of 100 decisions of strong players" in said) is rated
    assert ("by the numbers of manue@first is not known" in said) is not rated


def test_a_decision_without_chances_was_a_table_of_dashes(show, tmp_path):
    page = tmp_path / "greedy.html"
    assert main(["review", str(game("robbed-kan")), "--agent", "greedy", "--seat", "0", "-o", str(page)]) == 0
    data = data_in(page)
    weighed = [one for one in data["decisions"][0] if sum(o["row"] is not None for o in one["options"]) > 3]
    for decision in weighed[:3]:
        decision["ms"] = 0.01
    page.write_text(page_html(data), "utf-8")
    shown = show(page)
    shown.open(f"#at={weighed[2]['at']}&seat=0")
    headings = shown.page.locator(".options thead th").all_inner_texts()
    shanten, kinds = "Shanten (exchanges to tenpai)", "Kinds of useful tiles"
    assert headings == ["Option", shanten, kinds, "Unseen useful tiles"]
    best = weighed[2]["options"][0]["row"]
    numbers = [str(best[data["columns"].index(name)]) for name in ("shanten", "ukeireKinds", "ukeireCount")]
    assert shown.page.locator(".options tbody tr >> nth=0 >> td").all_inner_texts() == numbers
    options = shown.page.locator("#options")
    assert options.locator(".legend, .bar, [aria-sort]").count() == 0
    assert " ms" not in options.inner_text()
    assert shown.page.get_by_text("The log has no numbers").count() == 0
    shown.page.set_viewport_size({"width": 1400, "height": 900})
    badges = [shown.page.locator(f".badge.{kind}").bounding_box() for kind in ("chosen", "played")]
    assert badges[0]["y"] == badges[1]["y"], "best and played stand in one line"


@pytest.mark.parametrize(
    ("locale", "said", "sums"),
    [
        ("en", "By its values in the log, Mortal would choose: {}.", "Mortal's choice"),
        ("ja", "Mortalの選択（牌譜の値による）：{}。", "Mortalの選択"),
        ("zh", "Mortal的选择（据牌谱中的值）：{}。", "Mortal的选择"),
    ],
)
def test_what_mortal_would_have_chosen_was_not_on_the_page(
    show, reviewed_record, tmp_path, node_modules, locale, said, sums
):
    data = json.loads(json.dumps(reviewed_record[0]))
    first, second = [one for one in data["decisions"][1] if len(one["options"]) > 2][:2]
    first["mortal"] = [-0.5, None, 1.25, *[None] * (len(first["options"]) - 3)]
    data["review"] = summarize(data, [0, 1, 2, 3], "manue", asked=1)
    page = tmp_path / "mortal.html"
    page.write_text(page_html(data), "utf-8")
    shown = show(page, locale=locale)
    shown.open(f"#at={first['at']}&seat=1")
    options = shown.page.locator("#options")
    name = shown.page.get_attribute("[data-option='2'] .option-button", "aria-label").split(", ")[0]
    assert options.locator(".mortal").inner_text().startswith(said.split("{}")[0])
    assert locale != "en" or options.locator(".mortal").inner_text() == said.format(name)
    assert "◆ Mortal" in options.locator("[data-option='2']").inner_text()
    assert options.get_by_text("◆ Mortal").count() == 1
    shown.page.click("[data-option='2'] .option-button")
    assert "1.25" in options.locator(".more").inner_text()
    assert violations(shown.page, node_modules) == []
    assert sums in shown.page.inner_text("#review details[open]")
    shown.open(f"#at={second['at']}&seat=1")
    assert "Mortal" not in options.inner_text()


def test_an_agent_without_numbers_was_taken_for_a_log_without(show, made_up, tmp_path):
    """Its page said that `manue review`, which had made it, adds them."""
    data = data_in(made_up[1])
    judged, unjudged = data["decisions"][0][:2]
    for decision in (judged, unjudged):
        bare = [{name: option[name] for name in ("kind", "tiles")} for option in decision["options"]]
        decision["options"] = [option | {"row": None} for option in bare]
    unjudged["chosen"] = None
    page = tmp_path / "page.html"
    page.write_text(page_html(data), "utf-8")
    shown = show(page, locale="en")
    for decision, key in ((judged, "column.none.agent"), (unjudged, "column.none")):
        shown.open(f"#at={decision['at']}&seat=0")
        notes = shown.page.locator("#options .note").all_inner_texts()
        assert messages("en").text(key) in notes


def test_a_heading_that_sorts_nothing_was_said_to_sort(show, made_up, tmp_path):
    data = data_in(made_up[1])
    first, second = data["decisions"][0][:2]
    for option in second["options"]:
        option["row"][data["columns"].index("avgRank")] = None
    page = tmp_path / "page.html"
    page.write_text(page_html(data), "utf-8")
    shown = show(page)
    shown.open(f"#at={first['at']}&seat=0")
    shown.page.click("[data-sort=place]")
    assert shown.page.locator("[aria-sort]").count() == 1
    shown.page.fill("#slider", str(second["at"]))
    assert shown.page.locator("[aria-sort]").count() == 0


@pytest.mark.parametrize("column", ["value", "place", "win", "risk", "points"])
def test_options_without_a_number_were_sorted_before_all_others(show, made_up, tmp_path, column):
    data = data_in(made_up[1])
    decision = next(one for one in data["decisions"][0] if len(one["options"]) > 3)
    without = len(decision["options"]) - 2
    decision["options"][without]["row"] = None
    page = tmp_path / "page.html"
    page.write_text(page_html(data), "utf-8")
    shown = show(page)
    shown.open(f"#at={decision['at']}&seat=0")
    shown.page.click(f"[data-sort={column}]")
    rows = shown.page.locator(".options tbody tr[data-option]")
    assert rows.last.get_attribute("data-option") == str(without)


def test_mistakes_are_filtered_and_stepped_through(show, reviewed_record):
    data, path = reviewed_record
    page = show(path).page
    mine = data["review"]["seats"][1]["mistakes"]
    places = [mistake["at"] for mistake in mine]
    assert page.locator("#mistakes li").count() == min(len(mine), 40) > 3
    page.focus("body")
    for at in places[:3]:
        page.keyboard.press("n")
        assert page.input_value("#slider") == str(at)
    page.keyboard.press("p")
    assert page.input_value("#slider") == str(places[1])
    page.select_option("#by-weight", "blunder")
    page.select_option("#by-turn", "early")
    page.check("#by-riichi")
    fitting = [one for one in mine if one["weight"] == "blunder" and one["turn"] <= 6 and one["riichi"]]
    assert page.locator("#mistakes li").count() == min(len(fitting), 40)
    page.uncheck("#by-mine")
    every = [one for seat in data["review"]["seats"] for one in seat["mistakes"]]
    fitting = [one for one in every if one["weight"] == "blunder" and one["turn"] <= 6 and one["riichi"]]
    assert page.locator("#mistakes li").count() == min(len(fitting), 40)


def test_next_mistake_did_nothing_at_the_last(show, reviewed_record):
    data, path = reviewed_record
    page = show(path).page
    places = [mistake["at"] for mistake in data["review"]["seats"][1]["mistakes"]]
    previous, following = page.locator(".mistake-steps button").all()
    for at, before, after in ((0, False, True), (places[0], False, True), (places[-1], True, False)):
        page.fill("#slider", str(at))
        assert (previous.is_enabled(), following.is_enabled()) == (before, after)
    page.fill("#slider", "0")
    page.select_option("#by-round", str(len(data["rounds"]) - 1))
    last_round = [at for at in places if at >= data["rounds"][-1]["start"]]
    for _ in last_round:
        assert following.is_enabled()
        page.keyboard.press("n")
    assert following.is_disabled()
    following.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement === document.querySelectorAll('.mistake-steps button')[1]")


def test_the_button_for_the_next_decision_took_the_focus_with_it(show, made_up):
    shown = show(made_up[1])
    shown.open("#at=0&seat=2")
    shown.page.focus("#options button")
    shown.page.keyboard.press("Enter")
    assert shown.page.evaluate("document.activeElement.className") == "option-button"


def test_a_page_without_a_decision_offered_to_ask(show, made_up, tmp_path):
    plain = make_page(made_up[0].with_name("plain.mjson"), tmp_path / "plain.html")
    page = show(plain).page
    assert not page.is_visible("#ask")
    page.keyboard.press("a")
    assert not page.is_checked("#hide")


@pytest.mark.parametrize(("language", "name"), [("en", "Seat {}"), ("ja", "席{}"), ("zh-Hans", "{}号位")])
def test_seats_without_a_name_had_english_ones(show, made_up, tmp_path, language, name):
    lines = made_up[0].with_name("plain.mjson").read_text().splitlines(keepends=True)
    nameless = tmp_path / "nameless.mjson"
    nameless.write_text('{"type":"start_game","names":["","","",""]}\n' + "".join(lines[1:]))
    page = show(make_page(nameless, tmp_path / "nameless.html"), locale=language).page
    assert page.locator("#seats label").all_inner_texts() == [name.format(seat) for seat in range(4)]


def test_one_hand_alone_names_the_others_as_it_sees_them(show, tmp_path):
    page = tmp_path / "page.html"
    hand = ["--hand", "2m4568p34567s11z9s5z", "--seat", "S"]
    assert main(["position", *hand, "--river", "E=9p", "--agent", "rules", "-o", str(page)]) == 0
    shown = show(page, locale="ja-JP").page
    assert shown.locator("#seats label").all_inner_texts() == ["上家", "自家", "下家", "対面"]


def test_keys_were_dead_with_caps_lock(show, made_up):
    page = show(made_up[1]).page
    page.focus("body")
    for key in "DUW":
        page.keyboard.press(key)
    assert page.locator("#overlay [aria-pressed=true]").count() == 3
    page.keyboard.press("H")
    assert page.is_checked("#hide")


@pytest.mark.parametrize("width", [1400, 390])
def test_a_mistake_chosen_from_the_list_comes_into_view(show, reviewed_record, width):
    """Who tapped a mistake further down the page saw nothing of it."""
    page = show(reviewed_record[1], viewport={"width": width, "height": 844}).page
    for choice in ("#mistakes li a >> nth=1", "#mistakes .mistake-steps button >> nth=1"):
        before = page.inner_text("#event")
        page.click(choice)
        page.wait_for_function("old => document.getElementById('event').textContent !== old", arg=before)
        for part in ("#table", ".verdict"):
            assert 0 <= page.locator(part).bounding_box()["y"] < 844


@pytest.mark.parametrize("width", [1400, 390])
def test_axe_is_content_with_a_review(show, reviewed_record, node_modules, width):
    page = show(reviewed_record[1], viewport={"width": width, "height": 844}).page
    assert violations(page, node_modules) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(
    ("locale", "played"), [("ja-JP", "。実戦"), ("zh-CN", "。实战"), ("en-US", ". Played")]
)
def test_sentences_follow_each_other_as_the_language_has_it(show, reviewed_record, locale, played):
    page = show(reviewed_record[1], locale=locale).page
    page.click("#mistakes li a >> nth=0")
    assert played in page.inner_text(".verdict")


LABELS = """() => {
  const charts = [...document.querySelectorAll(".chart")].filter(chart => chart.checkVisibility());
  return charts.flatMap(chart => {
    const box = part => part.getBoundingClientRect();
    const labels = [...chart.querySelectorAll("text")].filter(label => box(label).width);
    const clash = (one, two) => one.left < two.right && two.left < one.right
      && one.top + 2 < two.bottom && two.top + 2 < one.bottom;
    return labels.flatMap((one, at) => [
      ...(box(one).height < 10 ? [`${one.textContent} is ${box(one).height} px high`] : []),
      ...(box(one).left < box(chart).left ? [`${one.textContent} is cut off`] : []),
      ...labels.slice(at + 1).filter(two => clash(box(one), box(two))).map(two => `on ${two.textContent}`),
    ]);
  });
}"""


@pytest.mark.parametrize("width", [1400, 360])
@pytest.mark.parametrize(("first", "others"), [(400, -4500), (-400, -4500), (9000, -4500), (4500, 200)])
def test_figures_of_charts_were_too_small_on_a_phone_or_on_each_other(
    show, reviewed_record, tmp_path, width, first, others
):
    data = json.loads(json.dumps(reviewed_record[0]))
    for round_number, entry in enumerate(data["review"]["seats"][1]["rounds"]):
        entry["result"], entry["skill"], entry["luck"] = (0, 0, others if round_number else first)
    page = tmp_path / "curve.html"
    page.write_text(page_html(data), "utf-8")
    shown = show(page, viewport={"width": width, "height": 844})
    shown.open(f"#at={data['decisions'][1][0]['at']}&seat=1")
    assert shown.page.locator(".chart:visible").count() == 2
    assert shown.page.evaluate(LABELS) == []


def test_the_legend_below_the_curves_adds_up(show, reviewed_record):
    """It had the result, skill and luck, but not the points expected, which belong to the sum."""
    page = show(reviewed_record[1]).page
    for legend in page.locator("#review .skill .legend").all_text_contents():
        figures = [
            int(one.replace(",", "").replace("\u2212", "-"))
            for one in re.findall(r"[+\u2212]?[\d,]+", legend)
        ]
        result, *parts = figures
        assert len(parts) == 3
        assert abs(result - sum(parts)) <= 2  # each is rounded


def test_names_that_are_whole_are_no_stops_of_the_tab_key(show, made_up, tmp_path):
    """All four were, without anything to do there."""
    page = show(made_up[1]).page
    cut, stops = (
        page.eval_on_selector_all(".player", f"all => all.map(one => {what})")
        for what in ("one.scrollWidth > one.clientWidth", "one.tabIndex === 0")
    )
    assert cut == stops
    assert not all(stops)


def test_where_the_system_chooses_colours_the_chosen_seat_is_marked(show, made_up):
    page = show(made_up[1], forced_colors="active").page
    labels = page.eval_on_selector_all(
        "#seats label", "all => all.map(one => getComputedStyle(one).backgroundColor)"
    )
    assert len(labels) > 1
    assert len(set(labels)) == 2


def test_the_seat_asked_for_is_open_and_the_others_folded(show, reviewed_record):
    page = show(reviewed_record[1]).page
    opened = page.eval_on_selector_all("#review details", "parts => parts.map(part => part.open)")
    assert opened == [False, True, False, False]
    assert "better than" in page.inner_text("#review .rating >> nth=1")


def test_the_open_section_of_the_review_follows_the_seat(show, reviewed_record):
    """Regression: the summary of the seat chosen stayed folded below that of another."""
    opened = "parts => parts.map(part => part.open)"
    shown = show(reviewed_record[1])
    shown.page.keyboard.press("3")
    assert shown.page.eval_on_selector_all("#review details", opened) == [False, False, True, False]
    shown.page.locator("#seats label").nth(3).click()
    assert shown.page.eval_on_selector_all("#review details", opened) == [False, False, False, True]
    shown.open("#at=0&seat=0")
    assert shown.page.eval_on_selector_all("#review details", opened) == [True, False, False, False]


def test_what_playing_on_said_was_missing_in_the_review(show, made_up, tmp_path):
    """It was in the data of the page and on the terminal; links lead to the decisions that it found wrong."""
    data = data_in(made_up[1])
    decision = next(one for one in data["decisions"][1] if len(one["options"]) > 2)
    decision["options"][1]["rollout"] = [4000, 1300, 95]
    data["review"] = summarize(data, [1], "manue")
    data["seat"] = 1
    page = tmp_path / "rollouts.html"
    page.write_text(page_html(data), "utf-8")
    table = show(page).page.locator("#review table").filter(has_text="played on in 4,000 worlds each")
    assert table.locator("th").all_inner_texts()[1:4] == ["best", "another", "gain"]
    assert table.locator("tbody tr").count() == 1
    assert table.locator("td").last.inner_text() == "+1,300 ± 95"
    assert table.locator("a").get_attribute("href") == f"#at={decision['at']}&seat=1"


def test_a_game_of_a_match_had_an_english_title(show, made_up, tmp_path):
    page = tmp_path / "000002.html"
    page.write_text(page_html(data_in(made_up[1]) | {"title": None, "number": "000002"}), "utf-8")
    for locale, title in (("ja-JP", "対局 000002"), ("zh-CN", "对局 000002"), ("en-GB", "Game 000002")):
        shown = show(page, locale=locale).page
        assert (shown.inner_text("h1"), shown.title()) == (title, f"{title} - manue")


def test_keys_show_danger_useful_tiles_and_waits(show, made_up):
    page = show(made_up[1]).page
    page.focus("body")
    page.keyboard.press("ArrowDown")
    assert page.locator(".danger").count() == 0
    for key in "duw":
        page.keyboard.press(key)
    assert page.locator("#overlay [aria-pressed=true]").count() == 3
    assert page.locator("#table rect.danger").count() >= 3
    assert page.locator("#overlay .tile").count() > 0
    assert page.get_by_text("the chance in % that it deals in").is_visible()
    page.keyboard.press("d")
    assert page.locator("#table rect.danger").count() == 0


ABOVE_TILES = """() => {
  const hand = document.querySelector("#table .own [data-part=hand]");
  const tiles = [...hand.querySelectorAll("use")].map(use => use.getAttribute("href").slice(6));
  const sums = [...hand.querySelectorAll(".danger-sum")].map(sum => sum.textContent);
  return tiles.map((tile, at) => [tile, sums[at]]);
}"""


def test_the_danger_above_a_tile_differed_from_that_of_its_discard(show, made_up, tmp_path):
    """Regression: 14.9 above a tile, from rounded dangers, beside a deal-in now of 15.0 %."""
    data = data_in(made_up[1])
    decision = data["decisions"][0][0]
    one, other = decision["options"][0]["tiles"][0], decision["options"][1]["tiles"][0]
    decision["options"] = [option for option in decision["options"] if option["tiles"] != [other]]
    for option in decision["options"]:
        if option["tiles"][0][:2] == one[:2]:
            option["row"][data["columns"].index("unsafeProb")] = 0.1504
    decision["danger"] = [None, *[{**dict.fromkeys(KINDS, 100), one[:2]: 49}] * 3]
    page = tmp_path / "danger.html"
    page.write_text(page_html(data), "utf-8")
    shown = show(page)
    shown.open(f"#at={decision['at']}&seat=0")
    shown.page.keyboard.press("d")
    assert {one: "15.0", other: "27.1"}.items() <= dict(shown.page.evaluate(ABOVE_TILES)).items()


def test_what_is_not_known_is_said_once(show, made_up):
    """At the deal, danger and waits each said so."""
    page = show(made_up[1]).page
    page.focus("body")
    for key in "dw":
        page.keyboard.press(key)
    assert page.locator("#overlay .note").all_inner_texts() == ["Nothing is known of danger here."]
    page.keyboard.press("d")
    assert page.locator("#overlay .note").all_inner_texts() == ["Nothing is known of danger here."]


def test_danger_known_to_be_none_was_called_unknown(show, made_up, tmp_path):
    data = data_in(made_up[1])
    decision = data["decisions"][0][0]
    decision["danger"] = [None] * 4
    page_file = tmp_path / "safe.html"
    page_file.write_text(page_html(data), "utf-8")
    shown = show(page_file)
    shown.open(f"#at={decision['at']}&seat=0")
    shown.page.focus("body")
    for keys in ("d", "w", "d"):
        shown.page.keyboard.press(keys)
        notes = shown.page.locator("#overlay .note").all_inner_texts()
        assert notes == ["No opponent threatens here: hardly any danger."]


def test_the_page_of_a_position_opens_at_its_decision(show, tmp_path):
    page = tmp_path / "position.html"
    log = game("double-riichi")
    assert main(["position", f"{log}:East-1.3", "--seat", "1", "--agent", "rules", "-o", str(page)]) == 0
    shown = show(page)
    assert shown.at == int(shown.page.get_attribute("#slider", "max")) > 0
    assert shown.page.locator("#options tr").count() > 3


def test_the_page_of_a_position_by_hand_said_you_draws(show, tmp_path):
    page = tmp_path / "position.html"
    assert main(["position", "--hand", "123m406p789s1122z9m", "--agent", "rules", "-o", str(page)]) == 0
    assert show(page).page.inner_text("#event") == "Player draws 9 man"


def test_the_end_shows_standings(show, record):
    page = show(record[1]).page
    page.keyboard.press("End")
    rows = page.locator(".standings tr").all_inner_texts()
    game = data_in(record[1])["game"]
    assert [row.split()[1] for row in rows] == ["1", "2", "3", "4"]
    assert f"{max(game['scores']):,}" in rows[0]
    assert abs(sum(game["results"])) < 0.35


LINES = """cells => cells.map((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
})"""


@pytest.mark.parametrize("locale", ["en", "ja", "zh"])
def test_standings_were_broken_letter_by_letter_on_a_phone(show, record, tmp_path, locale):
    """The uma was named in every row, which left no room for the players."""
    data = data_in(record[1])
    data["names"] = ["long_name_1234", "右折するひつじさん", "a", "another name"]
    page = tmp_path / "standings.html"
    page.write_text(page_html(data), "utf-8")
    page = show(page, locale=locale, viewport={"width": 360, "height": 740}).page
    page.keyboard.press("End")
    assert set(page.eval_on_selector_all(".standings th, .standings td", LINES)) == {1}
    said = page.inner_text("#result")
    words = {"en": "Tenhou's uma", "ja": "天鳳のウマ", "zh": "天凤马点"}
    assert said.count(words[locale]) == 1


def test_the_head_gave_places_in_a_record_that_breaks_off(show, tmp_path):
    log = write_game(tmp_path / "left.mjson", made_up_game(seed=5, rounds=1)[:-3])
    head = show(make_page(log, tmp_path / "left.html")).page.locator("#game")
    assert head.locator(".place").all_inner_texts() == ["\u2013"] * 4
    assert head.locator(".player").all_inner_texts() == ["Ann", "Bo", "Cy", "Di"]
    assert "breaks off before the end" in head.inner_text()


def test_long_names_keep_clear_of_the_winds(show, made_up, tmp_path):
    data = data_in(made_up[1])
    data["names"] = [
        "右折するひつじさん",
        "メタルはまっち☆",
        "WWWWWWWWWWWWWWWWWWWW",
        "iiiiiiiiiiiiiiiiiiiiiiii",
    ]
    page = tmp_path / "long.html"
    page.write_text(page_html(data), "utf-8")
    for width in (390, 1400):
        shown = show(page, viewport={"width": width, "height": 844})
        assert shown.page.evaluate(OVERLAPS) == []
        assert shown.page.evaluate("() => document.documentElement.scrollWidth") <= width
        assert "右折するひつじさん" in shown.page.inner_text("#game")


NAME_TO_WIND = """() => [...document.querySelectorAll("#table [data-part=plate]")].map((plate) => {
  const box = (part) => plate.querySelector(part).getBoundingClientRect();
  return box(".wind").left - box(".plate-name").right;
})"""


@pytest.mark.parametrize("locale", ["en", "ja"])
def test_names_in_wide_letters_ran_over_the_winds(show, made_up, tmp_path, locale):
    """The width of each letter was guessed."""
    data = data_in(made_up[1])
    data["names"] = ["OOOOOOOO", "ШШШШШШШШШШШШ", "&&&&&&&&&&&&", "mmmmmmmm"]
    page = tmp_path / "wide.html"
    page.write_text(page_html(data), "utf-8")
    shown = show(page, locale=locale).page
    assert min(shown.evaluate(NAME_TO_WIND)) > 0
    plates = shown.locator("#table .plate-name")
    names = plates.evaluate_all("names => names.map(name => name.lastChild.data)")
    assert sum("…" in name for name in names) >= 2
    assert all(len(name) > 6 for name in names), "as much of each as there is room for"


def test_names_turn_nothing_around_them(show, made_up, tmp_path):
    """Regression: a name with a mark of direction reversed the figures behind it."""
    data = data_in(made_up[1])
    data["names"] = ["\u202eevil", "\u05e9\u05dc\u05d5\u05dd", "\u2069\u202ea", "<b>b</b>"]
    data["review"] = summarize(data, [0, 1, 2, 3], "manue")
    page = tmp_path / "turned.html"
    page.write_text(page_html(data), "utf-8")
    shown = show(page).page
    direction = "names => names.map(name => getComputedStyle(name).direction)"
    for names in (".player", "#seats label"):
        assert shown.eval_on_selector_all(names, direction).count("rtl") == 1, "else its beginning is cut off"
    marks = "\u202a\u202b\u202c\u202d\u202e"
    assert not set(marks) & set(shown.content())
    heads = shown.locator("#review summary").all_inner_texts()
    assert heads[0].startswith("evil: ")
    assert heads[1].startswith("\u2068\u05e9\u05dc\u05d5\u05dd\u2069: ")
    assert heads[2].startswith("a: ")
    assert heads[3].startswith("<b>b</b>: ")


def test_a_yakuman_is_named_and_not_counted_in_han(show, made_up, tmp_path):
    data = data_in(made_up[1])
    at = next(at for at, event in enumerate(data["events"]) if event["type"] == "exhausted")
    win = {"type": "win", "actor": 0, "source": 1, "tile": "5m", "hand": ["5m"], "han": 26, "fu": 40}
    data["events"][at] = win | {"points": 64_000, "yaku": [["daisangen", 13], ["tsuuiisou", 13]]}
    page = tmp_path / "yakuman.html"
    page.write_text(page_html(data), "utf-8")
    shown = show(page)
    shown.open(f"#at={at}")
    words = shown.page.inner_text("#result")
    assert "2-fold yakuman \u00b7 64,000 points" in words
    assert "big three dragons, all honors" in words
    assert " han" not in words


@pytest.mark.parametrize(
    ("locale", "pao", "nagashi"),
    [
        ("en", "Pao: Di", "nagashi mangan: Bo, Cy"),
        ("ja", "責任払い（パオ）：Di", "流し満貫：Bo、Cy"),
        ("zh", "包牌：Di", "流局满贯：Bo、Cy"),
    ],
)
def test_a_result_named_neither_who_was_liable_nor_whose_the_nagashi_mangan_was(
    show, made_up, tmp_path, locale, pao, nagashi
):
    data = data_in(made_up[1])
    win, draw = [at for at, event in enumerate(data["events"]) if event["type"] == "exhausted"][:2]
    data["events"][win] = {"type": "win", "actor": 0, "source": 0, "hand": ["5m"], "pao": 3}
    gained = {"reason": "nagashimangan", "deltas": [-8_000, 8_000, 4_000, -4_000]}
    data["events"][draw] = {"type": "exhausted", **gained}
    page = tmp_path / "liable.html"
    page.write_text(page_html(data), "utf-8")
    shown = show(page, locale=locale)
    for at, words in ((win, pao), (draw, nagashi)):
        shown.open(f"#at={at}")
        assert words in shown.page.locator("#result p").all_inner_texts()


def shown_result(show, made_up, page, event, locale="en-GB", honba=0):
    """Return the page at the end of the first round, which ends with this event."""
    data = data_in(made_up[1])
    at = next(at for at, event in enumerate(data["events"]) if event["type"] == "exhausted")
    data["events"][at] = event
    data["frames"][at]["honba"] = honba
    page.write_text(page_html(data), "utf-8")
    shown = show(page, locale=locale)
    shown.open(f"#at={at}")
    return shown.page


RON = {"type": "win", "actor": 1, "source": 0, "tile": "5m", "hand": ["5m"]}
TSUMO = {**RON, "source": 1}
DEALER = {"actor": 0, "source": 0}


@pytest.mark.parametrize(
    ("win", "locale", "words"),
    [
        ({**RON, "han": 4, "fu": 40, "points": 8000}, "en", "4 han · 40 fu · mangan · 8,000 points"),
        ({**RON, "han": 4, "fu": 30, "points": 8000}, "en", "4 han · 30 fu · mangan · 8,000 points"),
        ({**RON, "han": 4, "fu": 30, "points": 7700}, "en", "4 han · 30 fu · 7,700 points"),
        ({**RON, "han": 6, "fu": 30, "points": 12000}, "ja", "6翻 · 30符 · 跳満 · 12,000点"),
        ({**TSUMO, "han": 3, "fu": 20, "points": 2700}, "en", "3 han · 20 fu · 700/1,300"),
        ({**TSUMO, "han": 3, "fu": 40, "points": 5200}, "zh", "3番 · 40符 · 1,300/2,600点"),
        ({**TSUMO, "han": 8, "fu": 30, "points": 16000}, "ja", "8翻 · 30符 · 倍満 · 4,000・8,000点"),
        ({**TSUMO, **DEALER, "han": 3, "fu": 30, "points": 6000}, "ja", "3翻 · 30符 · 2,000点オール"),
        ({**TSUMO, **DEALER, "han": 11, "points": 36000}, "zh", "11番 · 三倍满 · 各12,000点"),
        (
            {**RON, "han": 13, "points": 32000, "yaku": [["chinitsu", 6], ["dora", 7]]},
            "en",
            "13 han · counted yakuman · 32,000 points",
        ),
        ({**TSUMO, "points": 32000, "yaku": [["daisangen", 13]], "pao": 2}, "en", "yakuman · 32,000 points"),
    ],
)
def test_a_win_was_shown_without_its_limit_and_what_each_pays(show, made_up, tmp_path, win, locale, words):
    page = shown_result(show, made_up, tmp_path / "win.html", win, locale)
    assert words in page.locator("#result p").all_inner_texts()


@pytest.mark.parametrize(
    ("deltas", "words"),
    [
        ([-5_800, 7_800, 0, 0], ["Honba 2: +600 · Riichi sticks 2: +2,000"]),
        ([-5_800, 5_800, 0, 0], ["Honba 2: +600"]),
        ([-5_200, 5_200, 0, 0], []),  # the other winner of the discard got both
    ],
)
def test_what_a_winner_gets_beside_the_hand_was_not_said(show, made_up, tmp_path, deltas, words):
    """Regression: 5,200 points above a gain of 7,800."""
    win = {**RON, "han": 3, "fu": 40, "points": 5200, "deltas": deltas}
    page = shown_result(show, made_up, tmp_path / "honba.html", win, honba=2)
    said = page.locator("#result p").all_inner_texts()
    assert [line for line in said if "Honba" in line or "sticks" in line] == words


def test_a_long_name_pushed_the_decision_down(show, reviewed_record, tmp_path):
    data = json.loads(json.dumps(reviewed_record[0]))
    data["names"] = ["x" * 300, "あ" * 300, "Cy", "x" * 20]
    page = tmp_path / "names.html"
    page.write_text(page_html(data), "utf-8")
    at = next(at for at, event in enumerate(data["events"]) if event.get("actor") == 1)
    shown = show(page)
    shown.open(f"#at={at}&seat=0")
    assert shown.page.inner_text("#event").startswith("あ" * 10 + "\u2026 ")
    assert shown.page.get_attribute("#event", "title").startswith("あ" * 300)
    heads = shown.page.locator("#review summary").all_inner_texts()
    assert [head.split(":")[0] for head in heads] == [
        "x" * 20 + "\u2026",
        "あ" * 10 + "\u2026",
        "Cy",
        "x" * 20,
    ]
    assert shown.page.inner_text("#mistakes .filters label >> nth=-1") == "Only " + "x" * 20 + "\u2026"


def test_every_mark_of_an_option_is_explained(show, made_up):
    shown = show(made_up[1], locale="en").page
    marks = shown.locator("#reading dt").all_text_contents()
    assert {"★ best", "✓ played", "● yours", "◆ Mortal"} <= set(marks)


def test_the_hand_of_a_win_lacked_its_called_sets(show, made_up, tmp_path):
    data = data_in(made_up[1])
    frame = {}
    ends = []
    for at, (event, step) in enumerate(zip(data["events"], data["frames"], strict=True)):
        frame = applied(frame, step)
        if event["type"] == "exhausted":
            ends += [(at, seat) for seat in range(4) if frame["players"][seat]["melds"]]
    at, winner = ends[0]
    win = {"type": "win", "actor": winner, "source": winner, "tile": "5m", "hand": ["5m"]}
    data["events"][at] = win
    page = tmp_path / "called.html"
    page.write_text(page_html(data), "utf-8")
    shown = show(page)
    shown.open(f"#at={at}")
    assert shown.page.locator("#result p:first-of-type .tiles").count() > 2, "hand, tile and called sets"


def test_hands_shown_at_a_draw_stand_with_their_players(show, made_up, tmp_path):
    data = data_in(made_up[1])
    at = next(at for at, event in enumerate(data["events"]) if event["type"] == "exhausted")
    data["events"][at]["hands"] = [None, ["1m", "5pr", "E"], None, None]
    page = tmp_path / "drawn.html"
    page.write_text(page_html(data), "utf-8")
    shown = show(page)
    shown.open(f"#at={at}")
    (hand,) = [line for line in shown.page.locator("#result p").all() if line.locator("svg").count()]
    assert hand.locator("svg").count() == 3
    assert hand.inner_text().startswith(data["names"][1])


def test_points_below_0_have_a_real_minus(show, made_up, tmp_path):
    data = data_in(made_up[1])
    data["game"]["scores"][0] = -3_100
    page = tmp_path / "bust.html"
    page.write_text(page_html(data), "utf-8")
    assert "\u22123,100" in show(page).page.inner_text("#game")


def test_another_language_keeps_what_is_shown(show, made_up):
    """Regression: the others' hands were shown again."""
    page = show(made_up[1], locale="en").page
    page.check("#hide")
    page.select_option("#language", "ja")
    page.wait_for_selector("html[lang=ja][data-ready]")
    assert page.is_checked("#hide")


def test_a_mistake_chosen_from_the_list_shows_no_hidden_hands(show, reviewed_record):
    """Regression: its link had no word of them, and the others' hands were shown again."""
    page = show(reviewed_record[1]).page
    page.check("#hide")
    page.click("#mistakes li a >> nth=0")
    page.wait_for_url(re.compile("hide=1"))  # nor does the page opened again
    assert page.is_checked("#hide")


def test_a_mistake_chosen_from_the_list_kept_no_language_in_the_address(show, reviewed_record):
    page = show(reviewed_record[1]).page
    page.select_option("#languages select", "ja")
    page.wait_for_url(re.compile("lang=ja"))
    page.click("#mistakes li a >> nth=0")
    page.wait_for_function("() => location.hash.includes('lang=ja') && location.hash.includes('at=')")
    page.reload()
    assert page.get_attribute("html", "lang") == "ja"


def test_a_heading_that_sorts_keeps_the_focus(show, made_up):
    """Regression: who sorted by keys was at the top of the page again."""
    page = show(made_up[1]).page
    page.focus("body")
    page.keyboard.press("ArrowDown")
    for _ in range(2):
        page.focus("[data-sort=risk]")
        page.keyboard.press("Enter")
        assert page.evaluate("() => document.activeElement.dataset.sort") == "risk"


def test_everything_is_printed(show, reviewed_record):
    """Regression: of the mistakes only those in view were on paper, and controls lay over the text."""
    page = show(reviewed_record[1]).page
    page.keyboard.press("ArrowDown")
    page.click(".option-button >> nth=0")
    page.emulate_media(media="print")
    whole = page.eval_on_selector("tr:has(.whole-row)", "row => getComputedStyle(row).breakInside")
    assert whole == "auto", "a sheet for each opened option"
    heights = page.eval_on_selector(".mistakes", "list => [list.scrollHeight, list.clientHeight]")
    assert heights[0] <= heights[1]
    for control in (".controls", ".picks", ".filters"):
        assert not page.locator(control).first.is_visible()
    assert page.locator("#table svg").is_visible()


def test_reasons_point_to_the_opponents(show, made_up):
    page = show(made_up[1]).page
    page.keyboard.press("ArrowDown")
    page.click(".option-button >> nth=0")
    marks = [text[0] for text in page.locator(".reasons b").all_inner_texts()]
    assert sorted(marks) == sorted("\u25b6\u25b2\u25c0")


def test_the_scheme_is_followed(show, made_up):
    def paper(scheme):
        page = show(made_up[1], color_scheme=scheme).page
        return page.evaluate("() => getComputedStyle(document.body).backgroundColor")

    assert paper("light") != paper("dark")


def test_pictures_are_taken(show, made_up, tmp_path):
    folder = Path(SCREENSHOTS) if SCREENSHOTS else tmp_path
    for name, width, height, scheme in (("wide", 1400, 900, "dark"), ("phone", 390, 844, "light")):
        shown = show(made_up[1], color_scheme=scheme, viewport={"width": width, "height": height})
        shown.page.keyboard.press("ArrowDown")
        path = folder / f"page-{name}.png"
        shown.page.screenshot(path=path)
        assert path.stat().st_size > 20_000
