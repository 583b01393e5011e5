"""Paired rounds: against a twin that plays every seat, and what is printed of them."""

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from manue.__main__ import main
from manue.agents.base import Decision
from manue.agents.greedy import Greedy
from manue.agents.registry import make_agent
from manue.errors import LogError, SeatFault
from manue.game.actions import Action, Call, Discard, NineTerminals, Pass, Riichi, Win
from manue.game.events import GameEnd, RoundStart
from manue.game.state import RoundState
from manue.match import paired_rounds
from manue.match.paired_report import gains_table
from manue.match.paired_rounds import CHOICES, SAME, Gain, Start, gains, gains_of_round, starts_of
from manue.models.placement import RoundPosition
from manue.records.games import games_of
from manue.table.referee import Referee
from manue.table.table import event_of
from tests.conftest import game
from tests.project import ROOT

GAME = ROOT / "data/games/four-manue.mjson.gz"
LATE = Start(RoundPosition(6, 2, honba=2, deposits=1), (31_000, 20_500, 27_500, 20_000))
OPENING = Start(RoundPosition(0, 0), (25_000,) * 4)


def test_a_round_begins_as_it_did_in_the_record() -> None:
    start = next(message for message in Referee(5).start_at(*LATE) if message["type"] == "start_kyoku")
    shown = {name: start[name] for name in ("bakaze", "kyoku", "oya", "honba", "kyotaku", "scores")}
    assert shown == {
        "bakaze": "S",
        "kyoku": 3,
        "oya": 2,
        "honba": 2,
        "kyotaku": 1,
        "scores": [31_000, 20_500, 27_500, 20_000],
    }


def test_every_round_of_a_record_begins_again_as_it_did() -> None:
    """All that a record says of a start: wind, number, dealer, honba, sticks and points."""
    log = game("double-riichi")
    starts = [event for event in games_of(log)[0].events if isinstance(event, RoundStart)]
    assert any(start.honba != start.deposits > 0 for start in starts)
    for start, found in zip(starts, starts_of([log], len(starts), seed=1), strict=True):
        messages = Referee(5).start_at(*found)
        event = next(event_of(message) for message in messages if message["type"] == "start_kyoku")
        assert isinstance(event, RoundStart)
        assert replace(event, hands=start.hands, dora_indicator=start.dora_indicator) == start


def test_logs_are_read_in_random_order_until_there_are_enough_rounds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.mjson"
    broken.write_text("{}\n")
    reached = set()
    for seed in range(12):
        assert len(starts_of([game("east-rules"), broken], 1, seed)) == 1
        reached.add("skipped" in capsys.readouterr().err)
    assert reached == {True, False}


def test_every_round_has_a_wall_of_its_own_by_the_seed() -> None:
    """Rounds that begin alike are told apart by their walls alone."""
    with ThreadPoolExecutor(1) as pool:
        first, other = (list(gains("greedy", "tsumogiri", [OPENING] * 3, seed, pool)) for seed in (1, 2))
        back = list(gains("tsumogiri", "greedy", [OPENING] * 3, 1, pool))
    assert len({*first, *other}) > 3
    assert first != back


def test_the_seed_decides_the_wall() -> None:
    first, again, other = (Referee(seed).start_at(*LATE) for seed in (5, 5, 6))
    assert first == again
    assert first != other


@pytest.mark.parametrize("start", [OPENING, LATE])
def test_seats_that_choose_alike_are_not_played_again(start: Start) -> None:
    """A twin that plays the round anew for every seat finds the same gains."""
    usual, other = make_agent("rules"), Greedy()
    for wall in range(6):
        found = gains_of_round("greedy", "rules", start, wall)
        before = paired_rounds._result(start, wall, [usual] * 4)
        for seat, gain in enumerate(found):
            seats = [other if at == seat else usual for at in range(4)]
            change = (paired_rounds._result(start, wall, seats) - before)[seat]
            assert (gain.points, gain.place) == pytest.approx(tuple(change))
            assert gain.choice != SAME or not change.any()


def test_an_agent_gains_nothing_over_itself() -> None:
    assert gains_of_round("rules", "rules", LATE, 3) == (Gain(SAME, 0.0, 0.0),) * 4


class Bare:
    """An agent that returns the action alone."""

    def decide(self, _state: RoundState, actions: tuple[Action, ...]) -> Action:
        return actions[0]


@pytest.mark.parametrize("order", [1, -1])
def test_an_agent_that_returns_no_decision_is_told_so(order: int) -> None:
    """As in a match, and not that a discard has no attribute."""
    agents = [f"{__name__}:Bare", "tsumogiri"][::order]
    with pytest.raises(SeatFault, match=r"Bare returned Discard.*, which is not a Decision"):
        gains_of_round(agents[0], agents[1], OPENING, 3)


def test_points_and_places_add_up() -> None:
    """Only seats and sticks on the table have points; expected places are about 10 in all."""
    for wall in range(4):
        points, places = paired_rounds._result(LATE, wall, [Greedy()] * 4).T
        assert points.sum() in {100_000 - 1000 * sticks for sticks in range(6)}
        assert places.sum() == pytest.approx(10.0, abs=0.05)


class Scripted:
    """An agent that makes given choices."""

    name = "scripted"

    def __init__(self, *choices: Action) -> None:
        self._choices = iter(choices)

    def decide(self, _state: RoundState, _actions: tuple[Action, ...]) -> Decision:
        return Decision(next(self._choices))


def test_the_first_other_choice_of_a_seat_counts() -> None:
    usual, other = Discard("1m"), Discard("2m")
    reference, challenger = Scripted(*[usual] * 4), Scripted(usual, Riichi(), other)
    shadow = paired_rounds._Shadow(reference, challenger)
    state = RoundState(2)
    for _ in range(4):
        assert shadow.decide(state, (usual, other, Riichi())).action == usual
    assert shadow.first == {2: CHOICES.index("riichi")}


def test_who_has_most_points_is_expected_to_be_first() -> None:
    scores = (22_000, 41_000, 18_000, 19_000)
    over = paired_rounds._standing([GameEnd(scores)])
    assert over.tolist() == [[22_000, 2], [41_000, 1], [18_000, 4], [19_000, 3]]
    start = next(event_of(message) for message in Referee(5).start_at(LATE.position, scores)[1:])
    points, places = paired_rounds._standing([start]).T
    assert points.tolist() == list(scores)
    assert np.argsort(places).tolist() == [1, 0, 3, 2]


@pytest.mark.parametrize(
    ("first", "second", "choice"),
    [
        (Discard("1m"), Discard("2m"), "discard"),
        (Riichi(), Discard("2m"), "riichi"),
        (Call("ankan", ("1m",) * 4), Riichi(), "riichi"),
        (Pass(), Call("chi", ("1m", "2m"), "3m", 0), "chi"),
        (Call("pon", ("1m", "1m"), "1m", 0), Pass(), "pon"),
        (Call("chi", ("1m", "2m"), "3m", 0), Call("daiminkan", ("3m",) * 3, "3m", 0), "kan"),
        (Discard("1m"), Call("kakan", ("1m",) * 3, "1m"), "kan"),
        (Pass(), Win("1m", 2), "other"),
        (Discard("1m"), NineTerminals(), "other"),
    ],
)
def test_what_a_choice_is_about(first: Discard, second: Discard, choice: str) -> None:
    assert CHOICES[paired_rounds._choice(first, second)] == choice


def test_starts_are_those_of_the_logs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.mjson"
    broken.write_text("{}\n")
    starts = [event for event in games_of(GAME)[0].events if isinstance(event, RoundStart)]
    rounds = starts_of([GAME, broken], 2 * len(starts) + 1, seed=1)
    assert [one.scores for one in rounds] == [start.scores for start in starts] * 2 + [starts[0].scores]
    assert [one.position.dealer for one in rounds[: len(starts)]] == [start.dealer for start in starts]
    assert capsys.readouterr().err.startswith(f"manue: skipped {broken}, line 1: ")
    with pytest.raises(LogError, match=r"no round to start with: .*broken"):
        starts_of([broken], 5, seed=1)


def test_means_and_intervals() -> None:
    """Three rounds: the seats of a round count together."""
    none = Gain(SAME, 0.0, 0.0)
    rounds = [
        (Gain(0, 1000.0, -0.1), Gain(1, 3000.0, -0.3), none, none),
        (none, none, none, none),
        (none, Gain(0, -2000.0, 0.4), none, none),
    ]
    lines = gains_table(rounds, "a", "b").splitlines()
    sums = np.array([4000.0, 0.0, -2000.0])
    error = 4.303 * np.sqrt(((sums - sums.mean()) ** 2).sum() * 3 / 2) / 12
    assert lines[4].startswith(f"| all | 12 | +167 ± {error:.0f} | +0.0000 ± ")
    assert lines[5].startswith("| discard | 2 (16.7 %) | -500 ± ")
    assert lines[6] == "| riichi | 1 (8.3 %) | +3000 | -0.3000 |"
    assert not any(line.startswith("| pon") for line in lines)


def test_seats_are_counted_in_thousands() -> None:
    lines = gains_table([(Gain(0, 100.0, 0.0),) * 4] * 300, "a", "b").splitlines()
    assert lines[0] == "a instead of b in one seat, 300 rounds dealt, 1,200 seats"
    assert lines[4].startswith("| all | 1,200 | +100 ")
    assert lines[5].startswith("| discard | 1,200 (100.0 %) | +100 ")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compare", "greedy", "rules", str(GAME), "--rounds", "6", "--workers", "1"]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert out.startswith("greedy instead of rules in one seat, 6 rounds dealt, 24 seats\n")
    assert main([*arguments, "--workers", "2"]) == 0
    assert capsys.readouterr().out == out


def test_bad_arguments_cost_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["compare", "nobody", "rules", str(GAME)]) == 2
    assert "unknown agent 'nobody'" in capsys.readouterr().err
    assert main(["compare", "cmd:true", "rules", str(GAME)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert main(["compare", "greedy", "rules", str(tmp_path / "none")]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_an_interrupted_comparison_prints_the_rounds_it_has() -> None:
    command = [sys.executable, "-m", "manue", "compare", "greedy", "rules", str(GAME), "--rounds", "20000"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, text=True, cwd=ROOT) as run:
        assert run.stderr is not None
        assert any(line.startswith("rounds:") for line in run.stderr)  # it may compile before, and say so
        run.send_signal(signal.SIGINT)
        out, err = run.communicate()
    assert run.returncode == 130, err
    assert "| all |" in out
    assert err.splitlines()[-1] == "manue: interrupted"
