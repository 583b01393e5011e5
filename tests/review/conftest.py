"""Pages open in the browser, and games with their pages."""

import base64
import gzip
import json

import pytest

from manue.records.archive import read_games
from manue.review.page import page_data, page_html
from manue.review.summary import summarize
from tests.browsing import browser, node_modules
from tests.conftest import game
from tests.review.annotated import annotate
from tests.review.made_up import made_up_game, write_game

__all__ = ["browser", "node_modules"]


READ_TABLE = """() => {
  const uses = part => part ? [...part.querySelectorAll("use")] : [];
  const tiles = part => uses(part).map(use => use.getAttribute("href").slice(6));
  const seats = {};
  for (const group of document.querySelectorAll("#table g[data-seat]:not([data-part])")) {
    const part = name => group.querySelector(`[data-part=${name}]`);
    const river = part("river");
    seats[group.dataset.seat] = {
      hand: tiles(part("hand")), river: tiles(river), melds: tiles(part("melds")).sort(),
      tsumogiri: river.querySelectorAll(".tsumogiri").length,
      called: river.querySelectorAll(".called").length,
      lying: river.querySelectorAll("g[transform]").length,
      stick: group.querySelectorAll(".stick").length,
    };
  }
  const centre = document.querySelector("[data-part=centre]");
  const texts = [...centre.querySelectorAll("text")].map(text => text.textContent);
  return { seats, dora: tiles(centre).filter(tile => tile !== "back"), texts };
}"""
"""What the drawing of the table shows."""


class Shown:
    """A page open in the browser, and everything it complained about."""

    def __init__(self, browser, path, **options):
        self.context = browser.new_context(offline=True, **options)
        self.page = self.context.new_page()
        self.complaints = []
        self.page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.url = path.as_uri()
        self.open("")

    def open(self, fragment):
        self.page.goto("about:blank")
        self.page.goto(self.url + fragment)
        self.page.wait_for_selector("html[data-ready]", timeout=120_000)

    def tour(self, fragments, look):
        """Go to each fragment in turn; return what the script ``look`` finds there."""
        return self.page.evaluate(
            """async fragments => {
                 const found = [];
                 for (const fragment of fragments) {
                   if (location.hash !== fragment) {
                     const changed = new Promise(done =>
                       addEventListener("hashchange", done, { once: true }));
                     location.hash = fragment;
                     await changed;
                   }
                   found.push(window.look());
                 }
                 return found;
               }""".replace("window.look", f"({look})"),
            fragments,
        )

    @property
    def at(self):
        return int(self.page.input_value("#slider"))


@pytest.fixture
def show(browser):
    """Open a page file; at the end nothing may have complained."""
    opened = []

    def open_page(path, **options):
        shown = Shown(browser, path, **options)
        opened.append(shown)
        return shown

    yield open_page
    for shown in opened:
        shown.context.close()
    assert [complaint for shown in opened for complaint in shown.complaints] == []


def make_page(log, page, seat=None):
    """Make a page of the first game of a log."""
    game = next(read_games(log))
    page.write_text(page_html(page_data(game, source=log.name, title=log.name, seat=seat)), "utf-8")
    return page


def applied(old, step):
    """The slow twin of the page's own function of this name."""
    if not isinstance(step, dict):
        return step
    if "+" in step:
        return old + step["+"]
    if "@" in step:
        return [
            applied(value, step["@"].get(str(at), value)) if str(at) in step["@"] else value
            for at, value in enumerate(old)
        ]
    return {**old, **{key: applied(old.get(key), change) for key, change in step.items()}}


def data_in(page):
    """Read the data back out of a page file, without the tables of messages."""
    letters = page.read_text("utf-8").split('id="data">')[1].split("</script>")[0]
    data = json.loads(gzip.decompress(base64.b64decode(letters, validate=True)))
    del data["languages"]
    return data


@pytest.fixture(scope="session")
def made_up(tmp_path_factory):
    """An annotated random game and its page."""
    folder = tmp_path_factory.mktemp("made-up")
    plain = write_game(folder / "plain.mjson", made_up_game(seed=5))
    log = folder / "game.mjson"
    annotate(plain, log)
    return log, make_page(log, folder / "game.html")


@pytest.fixture(scope="session")
def record(tmp_path_factory):
    """An annotated sample game and its page."""
    folder = tmp_path_factory.mktemp("record")
    log = folder / "record.mjson.gz"
    annotate(game("four-riichi"), log)
    return log, make_page(log, folder / "record.html")


@pytest.fixture(scope="session")
def reviewed_record(record, tmp_path_factory):
    """The sample game with its review; many mistakes, for its numbers mean nothing."""
    data = data_in(record[1])
    data["review"] = summarize(data, [0, 1, 2, 3], "manue", asked=1)
    data["seat"] = 1
    page = tmp_path_factory.mktemp("reviewed") / "reviewed.html"
    page.write_text(page_html(data), "utf-8")
    return data, page
