import pytest

from manue.agents.registry import make_agent, parse_spec
from manue.errors import UsageError


def test_names_become_agents():
    assert make_agent("greedy").name == "greedy"
    assert make_agent("tsumogiri").name == "tsumogiri"


def test_options():
    assert parse_spec("manue:policy=points,trials=500") == ("manue", {"policy": "points", "trials": "500"})
    assert parse_spec("greedy") == ("greedy", {})


@pytest.mark.parametrize(
    "spec", ["", "nobody", "greedy:x", "greedy:x=1", "manue:trials=1,trials=2", "greedy:=1"]
)
def test_unknown_names_and_options_are_one_clear_line(spec):
    with pytest.raises(UsageError) as caught:
        make_agent(spec)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) > 10
