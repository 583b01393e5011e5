import asyncio
import json
import math
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

from manue.agents.base import Decision
from manue.decision.report import Report, Worth
from manue.errors import AgentError, HandError, IllegalActionError
from manue.game.actions import Discard, Pass
from manue.game.events import Draw, RoundStart
from manue.models.fold import Fold
from manue.player import Player, warm_up
from manue.protocol.annotation import decision_table, decision_to_meta, meta_to_decision
from tests.protocol.minds import FailingMind, Panic, RandomMind

HAND = tuple("1m 2m 3m 4m 5m 6m 7m 8m 9m E E W N".split())
START = RoundStart("E", 1, 0, 0, 0, "1s", (HAND, *[(None,) * 13] * 3))


class Equal:
    """Discards what it drew, by an action that is only equal to the legal one."""

    name = "equal"

    def __init__(self, from_draw):
        self.from_draw = from_draw

    def decide(self, state, actions):
        discard = Discard(state.drawn, self.from_draw)
        return Decision(discard, (Report(discard),))


class TimedMind(RandomMind):
    """Notes the time it was given."""

    def decide_within(self, state, actions, seconds):
        self.seconds = seconds
        return self.decide(state, actions)


class Cheat:
    name = "cheat"

    def decide(self, state, actions):
        return Decision(Pass())


def test_a_decision_is_made_where_there_is_a_choice_and_nowhere_else():
    player = Player(0, RandomMind())
    assert player.receive(START) is None
    decision = player.receive(Draw(0, "P"))
    assert decision.action in player.agent.asked[0]


def test_an_agent_that_chooses_what_is_not_legal_is_stopped():
    player = Player(0, Cheat())
    player.receive(START)
    with pytest.raises(IllegalActionError, match="cheat chose Pass"):
        player.receive(Draw(0, "P"))


@pytest.mark.parametrize("from_draw", [1, np.bool_(True)])  # noqa: FBT003 - a value of NumPy's
def test_an_action_that_equals_a_legal_one_went_to_the_host_as_it_was(from_draw):
    player = Player(0, Equal(from_draw))
    player.receive(START)
    decision = player.receive(Draw(0, "P"))
    assert decision.action.from_draw is True
    (report,) = decision_to_meta(decision, 0)["manue"]["candidates"]
    assert report["moves"][0]["tsumogiri"] is True


class Hasty:
    name = "hasty"

    def decide(self, state, actions):
        return actions[0]


def test_an_agent_that_returns_an_action_was_a_page_of_traceback():
    player = Player(0, Hasty())
    player.receive(START)
    with pytest.raises(IllegalActionError, match=r"hasty returned Discard.*, which is not a Decision"):
        player.receive(Draw(0, "P"))


class Awaited:
    name = "awaited"

    async def decide(self, state, actions):
        return Decision(actions[0])


def test_an_agent_that_must_be_awaited_is_refused():
    """Regression: the refusal was followed by a warning of Python's that a coroutine was never awaited."""
    with pytest.raises(IllegalActionError, match=r"awaited returned a coroutine.*may not be async"):
        warm_up(Awaited())


class TakesTooLittle:
    name = "short"

    def decide(self, state):
        return state


@pytest.mark.parametrize(
    ("agent", "what"),
    [
        (
            FailingMind(ValueError("boom\nand more")),
            r"failing failed: ValueError: boom \(minds.py, line \d+\)$",
        ),
        (FailingMind(KeyError()), r"failing failed: KeyError \(minds.py, line \d+\)$"),
        (FailingMind(SystemExit("bye")), r"failing failed: SystemExit: bye \(minds.py, line \d+\)$"),
        (FailingMind(Panic("no index")), r"failing failed: Panic: no index \(minds.py, line \d+\)$"),
        (FailingMind(asyncio.CancelledError()), r"failing failed: CancelledError \(minds.py, line \d+\)$"),
        (FailingMind(HandError("five 1m")), r"failing failed: HandError: five 1m \(minds.py, line \d+\)$"),
        (
            TakesTooLittle(),
            r"short failed: TypeError: .*decide\(\) takes 2 positional arguments but 3 were given$",
        ),
    ],
)
def test_what_an_agent_raises_names_it_and_the_line(agent, what):
    """Regression: in `manue review` and while agents were warmed up it was a traceback of this package."""
    with pytest.raises(AgentError, match=f"^agent {what}") as caught:
        warm_up(agent)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (AgentError, str(caught.value))


@pytest.mark.parametrize("error", [KeyboardInterrupt(), GeneratorExit()])
def test_what_ends_a_program_or_a_generator_is_no_failure_of_an_agent(error):
    with pytest.raises(type(error)):
        warm_up(FailingMind(error))


class Reporting:
    name = "reporting"

    def __init__(self, make):
        self.make = make

    def decide(self, state, actions):
        return Decision(actions[-1], self.make(actions[-1]))


@pytest.mark.parametrize(
    ("make", "flaw"),
    [
        (lambda _: None, "reports that are not a sequence: None"),
        (lambda _: ("best",), "'best' among its reports, which is not a Report"),
        (
            lambda action: (Report(action, win_prob="high"),),
            "a report whose win_prob is 'high', which is not a number",
        ),
        (
            lambda action: (Report(action, win_points=10**400),),
            f"a report whose win_points is {10**400}, which is not a number",
        ),
        (
            lambda action: (Report(action, shanten=10**5000),),
            "a report whose shanten is a value of type int, which is not a number",
        ),
        (lambda action: (Report(action, note=None),), "a report whose note is None, which is not a text"),
        (
            lambda action: (Report(action, note="\ud83c"),),
            r"a report whose note is '\ud83c', which is not a text",
        ),
        (
            lambda action: (Report(action, ukeire_kinds=2, ukeire_count=2.5),),
            "a report whose ukeire_count is 2.5, which is not a count",
        ),
        (lambda _: (Report("5m"),), "a report on '5m' and None, which are not options"),
        (
            lambda action: (Report(action, details="x"),),
            "a report whose details are 'x', which are not Details",
        ),
    ],
)
def test_a_report_that_nobody_can_print_ended_the_match_or_the_game(make, flaw):
    player = Player(0, Reporting(make))
    player.receive(START)
    with pytest.raises(IllegalActionError, match=f"^reporting returned {re.escape(flaw)}$"):
        player.receive(Draw(0, "P"))


def test_numbers_of_a_report_may_be_those_of_numpy():
    player = Player(
        0, Reporting(lambda action: [Report(action, win_prob=np.float32(0.5), shanten=np.int64(2))])
    )
    player.receive(START)
    assert "0.500        2" in decision_table(player.receive(Draw(0, "P")))


class Saying:
    name = "saying"

    def __init__(self, **fields):
        self.fields = fields

    def decide(self, state, actions):
        return Decision(actions[0], (Report(actions[0]),), **self.fields)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seed", "1"),
        ("seed", 1 << 70),
        ("mc_draws", 1.5),
        ("elapsed_ms", None),
        ("elapsed_ms", math.nan),
        ("elapsed_ms", 10**400),
        ("note", 5),
        ("note", "\ud83c"),
        ("fold", 3),
        ("fold", Fold(10**400, 1.0)),
        ("worths", (1.0,)),
        ("worths", (Worth(10**400, 0.0),)),
        ("tenpai_probs", (0.5,)),
        ("tenpai_probs", (10**400,) * 4),
        ("dangers", ({"1m": 0.5},)),
        ("dangers", ({"1m": 10**400}, {}, {}, {})),
        ("dangers", ({"1x": 0.5}, {}, {}, {})),
        ("dangers", ({"1m": "high"}, {}, {}, {})),
    ],
)
def test_a_decision_that_nobody_can_log_ended_the_match(field, value):
    player = Player(0, Saying(**{field: value}))
    player.receive(START)
    with pytest.raises(IllegalActionError, match=f"^saying returned a decision whose {field} cannot be"):
        player.receive(Draw(0, "P"))


def test_a_decision_with_numbers_of_numpy_could_not_be_logged():
    number = np.float32(0.5)
    fields = {
        "seed": np.int64(3), "mc_draws": np.int64(5), "elapsed_ms": number, "tenpai_probs": [number] * 4,
        "fold": Fold(number, number), "worths": (Worth(number, number),), "dangers": [{"1m": number}] * 4,
    }  # fmt: skip
    player = Player(0, Saying(**fields))
    player.receive(START)
    meta = decision_to_meta(player.receive(Draw(0, "P")), 0)
    assert json.loads(json.dumps(meta)) == meta
    assert meta_to_decision(meta).fold == Fold(0.5, 0.5)


class Trying(RandomMind):
    """Takes a tile out of the hand that it is shown, to see what is left, and does not put it back."""

    def decide(self, state, actions):
        state.hand.pop()
        state.scores.clear()
        return super().decide(state, actions)


def test_an_agent_that_tried_a_discard_on_the_hand_it_was_shown_broke_the_round():
    """It lost its seat, and in a review the record was said to be impossible."""
    player = Player(0, Trying())
    player.observe(START)
    player.receive(Draw(0, "P"))
    assert sorted(player.state.hand) == sorted([*HAND, "P"])
    assert len(player.state.scores) == 4


def test_only_a_timed_agent_gets_the_time():
    for mind, seconds in ((TimedMind(), 0.5), (RandomMind(), None)):
        player = Player(0, mind)
        actions = player.observe(START) or player.observe(Draw(0, "P"))
        player.decide(actions, 0.5)
        assert getattr(mind, "seconds", None) == seconds


def test_a_fork_goes_on_alone():
    player = Player(0, RandomMind())
    player.observe(START)
    other = player.fork()
    assert Discard("P", from_draw=True) in other.observe(Draw(0, "P"))
    assert (player.state.drawn, other.state.drawn) == (None, "P")
    assert other.agent is player.agent


def test_a_rehearsal_asks_for_every_kind_of_decision():
    mind = RandomMind()
    assert warm_up(mind) == len(mind.asked)
    kinds = {type(action).__name__ for actions in mind.asked for action in actions}
    assert kinds >= {"Discard", "Riichi", "Call", "Pass", "Win"}


PLAYED = """
import json, sys
from numba.core.dispatcher import Dispatcher
from manue.agents.registry import make_agent
from manue.player import warm_up
from manue.protocol.dialect import REVIEW
from manue.protocol.session import Session

def compiled():
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("manue.")]
    names = {value for module in modules for value in vars(module).values() if isinstance(value, Dispatcher)}
    return {(kernel.__name__, str(known)) for kernel in names for known in kernel.signatures}

agent = make_agent(sys.argv[1])
warm_up(agent)
before = compiled()
session = Session(agent, REVIEW, complain=print)
for line in sys.stdin:
    session.respond(line)
assert session.games == 4, session.games
print(sorted(compiled() - before))
"""


@pytest.mark.parametrize("agent", ["manue", "manue@first", "rules"])
def test_nothing_is_compiled_in_a_game_after_a_rehearsal(agent):
    """A kernel first called in a game would cost its turn up to a minute on a fresh machine."""
    from tests.transports.hosts import ruby_lines

    lines = [json.dumps(m) for seat in range(4) for m in ruby_lines(f"tonnan-h8-client{seat}")]
    played = subprocess.run(
        [sys.executable, "-c", PLAYED, agent],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.stdout == "[]\n", played.stderr
