"""What a match counts of each seat, against the lines of the record, round by round."""

import gzip
import json

import pytest

from manue.records.formats import read_game
from manue.table.tally import GameTally, SeatTally
from tests.conftest import game

GAMES = ("double-ron", "four-riichi", "four-kans", "robbed-kan", "after-a-kan", "two-manue")


def rounds_of(log):
    """The lines of each round, as the record has them."""
    rounds = []
    for line in gzip.decompress(log.read_bytes()).decode().splitlines():
        fields = json.loads(line)
        if fields["type"] == "start_kyoku":
            rounds.append([])
        if rounds:
            rounds[-1].append(fields)
    return rounds


def counted(rounds, seat):
    found = dict.fromkeys(SeatTally().to_json(), 0) | {"rounds": len(rounds)}
    for lines in rounds:
        wins = [line for line in lines if line["type"] == "hora"]
        own = [line for line in wins if line["actor"] == seat]
        lost = [line for line in wins if line["target"] == seat and line["actor"] != seat]
        mine = {line["type"] for line in lines if line.get("actor") == seat}
        found["wins"] += len(own)
        found["tsumo_wins"] += sum(line["target"] == seat for line in own)
        found["win_points"] += sum(line["deltas"][seat] for line in own)
        found["deal_ins"] += bool(lost)
        found["deal_in_points"] -= sum(line["deltas"][seat] for line in lost)
        found["riichi"] += "reach" in mine
        found["riichi_wins"] += "reach" in mine and bool(own)
        found["calls"] += bool(mine & {"chi", "pon", "daiminkan"})
    return found


@pytest.fixture(scope="module")
def tallies():
    found = {}
    for name in GAMES:
        found[name] = GameTally()
        for entry in read_game(game(name)):
            if entry.event is not None:
                found[name].apply(entry.event)
    return found


def test_every_count_is_that_of_the_lines(tallies):
    for name, tally in tallies.items():
        rounds = rounds_of(game(name))
        assert [seat.to_json() for seat in tally.seats] == [counted(rounds, seat) for seat in range(4)], name
        assert tally.rounds == len(rounds)
        assert tally.draws == sum(any(line["type"] == "ryukyoku" for line in lines) for lines in rounds)


def test_tallies_add_up(tallies):
    total = SeatTally()
    for tally in tallies.values():
        for seat in tally.seats:
            total.add(seat)
    seats = [seat.to_json() for tally in tallies.values() for seat in tally.seats]
    assert total.to_json() == {name: sum(seat[name] for seat in seats) for name in seats[0]}
