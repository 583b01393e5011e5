"""The index over several reviews, of measures written down by hand."""

import re
from dataclasses import replace
from statistics import fmean

import pytest

from manue.review.decisions import ROW
from manue.review.index_page import (
    IndexedChoice,
    ReviewedGame,
    common_name,
    count_games,
    index_html,
    reviewed_game,
)
from manue.review.summary import summarize

GAME = ReviewedGame("1.html", 2, "one", "2009-03-07", "Me", 1, 40_000, 10.0, 0.5, 0.75, 1, 0, 3, 1)
LOST = [10.0, 40.0, 25.0, None, 5.0, 60.0, 30.0]
AGREEMENT = [0.75, 0.62, 0.7, 0.8, 0.9, 0.68, 0.71]
PLACES = [1, 4, 2, 3, 1, 2, 4]
GAMES = [
    replace(GAME, page=f"{at}.html", lost=lost, agreement=agreement, place=place)
    for at, (lost, agreement, place) in enumerate(zip(LOST, AGREEMENT, PLACES, strict=True))
]


def index_of(games):
    return index_html(games, "manue", [], [], "en")


def test_the_last_line_of_the_index_has_the_means_of_its_columns():
    other = replace(
        GAME,
        page="2.html",
        place=4,
        score=10_500,
        lost=25.0,
        better=0.1,
        agreement=0.5,
        mistakes=4,
        blunders=3,
        wins=0,
        deal_ins=2,
    )
    unmeasured = replace(
        GAME, page="3.html", place=2, score=25_000, lost=None, better=None, mistakes=None, blunders=None
    )
    foot = re.findall("<td>([^<]*)</td>", index_of([GAME, other, unmeasured]).partition("<tfoot>")[2])
    assert foot == ["", "2.33", "25,167", "17.5", "30.0\u00a0%", "66.7\u00a0%", "1.5", "2.5", "2.0", "1.3"]


def test_a_record_that_breaks_off_had_a_final_place():
    """Regression: it was listed with the place and score of its last moment, which entered the means."""
    left = replace(GAME, page="2.html", place=None, score=None)
    page = index_of([replace(GAME, place=3, score=20_000), left])
    foot = re.findall("<td>([^<]*)</td>", page.partition("<tfoot>")[2])
    assert foot[1:3] == ["3.00", "20,000"]
    assert ">one</a>" in page
    row = page.partition(">one · breaks off before the end</a>")[2]
    assert re.findall("<td>([^<]*)</td>", row)[1:3] == ["-", "-"]
    only = index_of([left]).partition("<tfoot>")[2]
    assert re.findall("<td>([^<]*)</td>", only)[1:3] == ["-", "-"]


def test_the_costliest_choices_of_all_games_are_asked_again():
    games = [
        replace(
            GAME,
            page=f"{at}.html",
            title=f"game {at}",
            costliest=tuple(
                IndexedChoice(
                    at=10 * at + one, wind="S", number=4, honba=one, turn=one + 1, lost=1000.0 * one + at
                )
                for one in (3, 2, 1, 0)
            ),
        )
        for at in range(7)
    ]
    items = re.findall("<li>(.*?)</li>", index_of(games))
    assert len(items) == 20
    lost = [int(re.search("> ([0-9,]+) points lost", item)[1].replace(",", "")) for item in items]
    every = [choice.lost for game in games for choice in game.costliest]
    assert lost == sorted(every, reverse=True)[:20]
    assert items[0] == (
        '<a href="6.html#at=63&amp;seat=2&amp;ask=1&amp;hide=1">game 6 · South 4, honba 3, turn 4</a> '
        "3,006 points lost"
    )
    assert "costliest" not in index_of(GAMES), "there are none"
    assert "南4局 3本場 4巡目" in index_html(games, "manue", [], [], "ja")


class Chart:
    """A chart of the index, read back by the labels of its axis."""

    def __init__(self, figure):
        lines = re.findall(r'x1="([\d.]+)" x2="([\d.]+)" y1="([\d.]+)" y2="([\d.]+)"', figure)
        labels = re.findall(r'x="([\d.]+)" y="([\d.]+)" text-anchor="end">([\d.]+)(\s%)?<', figure)
        assert all(y1 == y2 for _, _, y1, y2 in lines)
        assert all(float(y) > float(line[2]) for (_, y, _, _), line in zip(labels, lines, strict=True))
        self.left, self.right = (float(x) for x in lines[0][:2])
        assert all(0 < float(x) < self.left for x, *_ in labels)
        (self._y0, self.bottom), (self._y1, self.top) = (
            (float(line[2]), float(number) / (100 if percent else 1))
            for line, (_, _, number, percent) in zip(lines, labels, strict=True)
        )
        assert self._y0 > self._y1
        self.dots = self._read(re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', figure))
        points = re.search('points="([^"]*)"', figure)[1].split()
        self.means = self._read(point.split(",") for point in points)

    def _read(self, places):
        """Return each place as its share of the way from left to right, and its value."""
        return [
            ((float(x) - self.left) / (self.right - self.left), self._value_at(float(y))) for x, y in places
        ]

    def _value_at(self, y):
        return self.bottom + (y - self._y0) / (self._y1 - self._y0) * (self.top - self.bottom)


@pytest.mark.parametrize(("number", "values"), list(enumerate((LOST, AGREEMENT, PLACES))))
def test_the_course_of_a_measure_has_every_game_and_the_mean_of_five(number, values):
    page = index_of(GAMES)
    chart = Chart(re.findall("<figure>.*?</figure>", page)[number])
    known = [(at, value) for at, value in enumerate(values) if value is not None]
    near = 0.01 * (max(value for _, value in known) - min(value for _, value in known))
    assert [at for at, _ in chart.dots] == pytest.approx([at / 6 for at, _ in known], abs=0.01)
    assert [value for _, value in chart.dots] == pytest.approx([value for _, value in known], abs=near)
    means = [
        fmean(value for value in values[max(0, at - 4) : at + 1] if value is not None) for at in range(7)
    ]
    assert [at for at, _ in chart.means] == pytest.approx([at / 6 for at in range(7)], abs=0.01)
    assert [value for _, value in chart.means] == pytest.approx(means, abs=near)


def test_the_first_place_is_at_the_top_of_a_course_and_full_agreement_too():
    perfect = [replace(game, agreement=1.0) for game in GAMES]
    _, agreement, places = (Chart(one) for one in re.findall("<figure>.*?</figure>", index_of(perfect)))
    assert (places.bottom, places.top) == (4.0, 1.0)
    assert (agreement.bottom, agreement.top) == (0.9, 1.0)
    assert [value for _, value in agreement.dots] == pytest.approx([1.0] * len(GAMES))


def test_a_game_judged_for_several_seats_is_one():
    assert count_games([GAME, replace(GAME, seat=3), replace(GAME, page="2.html")]) == 2


def test_games_of_several_players_are_listed_with_their_names():
    assert ">one</a>" in index_of([GAME])
    assert ">one · Me</a>" in index_of([GAME, replace(GAME, name="You")])


def test_only_several_games_of_one_player_have_a_course():
    assert index_of(GAMES).count("<figure>") == 3
    assert index_of(GAMES[:2]).count("<figure>") == 3
    assert "<figure>" not in index_of(GAMES[:1])
    assert "<figure>" not in index_of([*GAMES, replace(GAME, name="You")])
    assert index_of([replace(game, lost=None) for game in GAMES]).count("<figure>") == 2


@pytest.mark.parametrize(
    ("games", "name"),
    [
        ([["a", "b"], ["a", "c"]], "a"),
        ([], None),
        ([["a", "b"], ["a", "c"], ["d", "e"]], "a"),
        ([["a", "b"], ["a", "c"], ["d", "e"], ["f", "g"]], None),
        ([["a", "b"], ["a", "b"]], None),
        ([["a", "a"], ["b", "c"]], None),
        ([*[["a"]] * 4, ["b"], ["c"]], "a"),
    ],
)
def test_whose_games_they_are_is_said_by_the_one_name_in_more_than_half(games, name):
    assert common_name(games) == name


def test_rounds_are_counted_not_the_winners_of_a_deal_in():
    seat = {"seat": 2, "perDecision": None, "better": None, "agreement": 0.5, "weights": {}, "costliest": []}
    won = [(0, 2), None, (1, 2), (3, 2), None, (2, 2), None, (2, 1)]
    none = {"type": "draw"}
    events = [
        none if one is None else {"type": "win"} | dict(zip(("actor", "source"), one, strict=True))
        for one in won
    ]
    data = {
        "title": "t",
        "game": {"date": None, "places": [1, 2, 3, 4], "scores": [1, 2, 3, 4]},
        "names": ["a", "b", "c", "d"],
        "nameless": [],
        "decisions": [[], [], [], []],
        "review": {"seats": [{**seat, "seat": 0}, seat]},
        "events": events,
    }
    found = reviewed_game(data, 2, "1.html")
    assert (found.name, found.place, found.score) == ("c", 3, 3)
    assert (found.wins, found.deal_ins, found.mistakes, found.blunders) == (2, 2, None, None)
    data["review"]["seats"][1] |= {"perDecision": 12.5, "weights": {"mistake": 5, "blunder": 2}}
    found = reviewed_game(data, 2, "1.html")
    assert (found.lost, found.mistakes, found.blunders) == (12.5, 5, 2)


def test_a_game_gave_no_more_than_ten_of_the_twenty_costliest_choices():
    def decision(at):
        rows = ([0.0] * len(ROW), [-100.0 - at if name == "gap" else 0.0 for name in ROW])
        options = [{"kind": "discard", "tiles": [f"{n}m"], "row": row} for n, row in enumerate(rows, 1)]
        return {"at": at, "turn": at, "options": options, "chosen": 0, "played": 1}

    data = {
        "title": "t",
        "game": {"date": None, "places": None},
        "names": ["a", "b", "c", "d"],
        "nameless": [],
        "decisions": [[decision(at) for at in range(25)], [], [], []],
        "rounds": [{"start": 0, "end": 99, "wind": "E", "number": 1, "honba": 0, "result": [0] * 4}],
        "events": [{"type": "draw"}] * 30,
    }
    data["review"] = summarize(data, [0], "manue")
    choices = reviewed_game(data, 0, "1.html").costliest
    assert [one.at for one in choices] == list(range(24, 4, -1))
    assert [one.lost for one in choices] == [100.0 + at for at in range(24, 4, -1)]
