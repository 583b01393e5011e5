import pytest

from manue.agents.registry import OLD_NAMES, make_agent, parse_spec
from manue.errors import UsageError


def test_agents_are_built_by_name():
    assert make_agent("greedy").name == "greedy"
    assert make_agent("tsumogiri").name == "tsumogiri"


def test_specs_are_split_into_name_and_options():
    assert parse_spec("manue:policy=points,mc_draws=500") == (
        "manue",
        {"policy": "points", "mc_draws": "500"},
    )
    assert parse_spec("greedy") == ("greedy", {})


@pytest.mark.parametrize(
    "spec", ["", "nobody", "greedy:x", "greedy:x=1", "manue:mc_draws=1,mc_draws=2", "greedy:=1"]
)
def test_unknown_names_and_options_give_one_clear_line(spec):
    with pytest.raises(UsageError) as caught:
        make_agent(spec)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) > 10


@pytest.mark.parametrize("old", OLD_NAMES)
def test_old_names_of_options_are_accepted(old):
    assert make_agent(f"manue:{old}=1").settings == make_agent(f"manue:{OLD_NAMES[old]}=1").settings
    with pytest.raises(UsageError, match="the same option"):
        make_agent(f"manue:{old}=1,{OLD_NAMES[old]}=1")
