"""Agents by spec: those of the package, and any class by module and name."""

import json
import re
import sys
from dataclasses import replace

import pytest

from manue.__main__ import main
from manue.agents import registry
from manue.agents.registry import make_agent, parse_spec, with_options
from manue.decision.settings import FIRST, Settings
from manue.errors import ModelError, UsageError
from manue.models.placement import UMA
from manue.table.specs import with_mc_draws

OWN = '''
from manue.agents.base import Decision
from manue.game.actions import Discard

class Drawn:
    def __init__(self, style="plain", level="1"):
        if style not in ("plain", "wild"):
            raise ValueError(f"no such style: {style}")
        self.style, self.level = style, level

    def decide(self, state, actions):
        return Decision(actions[-1])

class Named(Drawn):
    name = "somebody"

class Mute:
    """No agent: it decides nothing."""

class Leaving(Drawn):
    def __init__(self):
        raise SystemExit(4)

class Panic(BaseException):
    """What a library in Rust raises."""

class Panicking(Drawn):
    def __init__(self):
        raise Panic("no index")

class Fixed(Drawn):
    __slots__ = ()
    name = property(lambda self: None)

number = 7
'''


@pytest.fixture
def own(tmp_path, monkeypatch, request):
    """Return the name of a package in the current folder, which nothing else is to find."""
    package = f"bots_{abs(hash(request.node.name))}"
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").touch()
    (tmp_path / package / "own.py").write_text(OWN)
    (tmp_path / package / "broken.py").write_text("1 / 0\n")
    (tmp_path / package / "leaves.py").write_text("import sys\nsys.exit(3)\n")
    (tmp_path / package / "panics.py").write_text("import asyncio\nraise asyncio.CancelledError\n")
    (tmp_path / package / "missing.py").write_text("import no_such_library\n")
    (tmp_path / f"{package}_alone.py").write_text(OWN)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    return package


# ---- agents of the package


@pytest.mark.parametrize(
    ("spec", "meant"),
    [
        ("bots/cautious.py:Cautious", "write bots.cautious:Cautious"),
        ("./bots/cautious.py", "write bots.cautious:CLASS"),
        ("bots.cautious.Cautious", "write bots.cautious:Cautious"),
        ("maneu", "did you mean manue?"),
        ("manue:mc_draw=5", "did you mean mc_draws?"),
        ("rules:model=out", "did you mean models?"),
    ],
)
def test_what_was_probably_meant_was_not_said(spec, meant):
    with pytest.raises(UsageError, match=re.escape(f"({meant})")):
        make_agent(spec)


@pytest.mark.parametrize("spec", ["xyzzy", "no_such_module:X", "a-b.c"])
def test_nothing_is_guessed_where_nothing_is_like_it(spec):
    with pytest.raises(UsageError) as caught:
        make_agent(spec)
    assert " (" not in str(caught.value)


def test_agents_are_built_by_name():
    assert make_agent("greedy").name == "greedy"
    assert make_agent("tsumogiri").name == "tsumogiri"


def test_specs_are_split_into_name_and_options():
    assert parse_spec("manue:policy=points,mc_draws=500") == (
        "manue",
        {"policy": "points", "mc_draws": "500"},
    )
    assert parse_spec("greedy") == ("greedy", {})
    assert parse_spec("a.b:C") == ("a.b:C", {})
    assert parse_spec("a.b:C:k=v,l=w:x") == ("a.b:C", {"k": "v", "l": "w:x"})
    assert parse_spec("mine:C:k=v") == ("mine:C", {"k": "v"})
    assert parse_spec("mine:k=v") == ("mine", {"k": "v"})
    assert parse_spec("manue:models=C:x") == ("manue", {"models": "C:x"})


def test_options_are_added_where_they_belong():
    assert with_options("manue", {}) == "manue"
    assert with_options("manue", {"seed": "3"}) == "manue:seed=3"
    assert with_options("manue:policy=points", {"seed": "3"}) == "manue:policy=points,seed=3"
    assert with_options("manue:seed=1", {"seed": "3"}) == "manue:seed=3"
    assert with_options("a.b:C", {"seed": "3"}) == "a.b:C:seed=3"
    assert with_options("a.b:C:k=v", {"seed": "3"}) == "a.b:C:k=v,seed=3"


OPTIONS = (
    "call_policy, call_thresholds, decline_wins, details, discard_policy, extra, kans, mc_draws, models, "
    "nine_terminals, policy, seed, uma"
)
AGENTS = (
    "greedy, manue, manue@first, policy, policy@selfplay, rules, tsumogiri, "
    "or MODULE:CLASS for an agent of your own"
)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("", f"unknown agent ''; known: {AGENTS}"),
        ("nobody", f"unknown agent 'nobody'; known: {AGENTS}"),
        ("a.b", f"unknown agent 'a.b' (write a:b); known: {AGENTS}"),
        ("a.b:k=v", f"unknown agent 'a.b' (write a:b); known: {AGENTS}"),
        (":", f"unknown agent ''; known: {AGENTS}"),
        ("greedy:x", "agent 'greedy:x': 'x' is not key=value, or is given twice"),
        ("greedy:=1", "agent 'greedy:=1': '=1' is not key=value, or is given twice"),
        ("greedy:x=1", "agent 'greedy:x=1': takes no options, but got 'x'"),
        ("rules:models=m,x=1", "agent 'rules:models=m,x=1': unknown option 'x'; known: models"),
        (
            "manue:mc_draws=1,mc_draws=2",
            "agent 'manue:mc_draws=1,mc_draws=2': 'mc_draws=2' is not key=value, or is given twice",
        ),
        (
            "manue:draws=1",
            f"agent 'manue:draws=1': unknown option 'draws' (did you mean mc_draws?); known: {OPTIONS}",
        ),
        ("manue:mc_draws=x", "agent 'manue:mc_draws=x': mc_draws must be a whole number, not 'x'"),
        ("manue:kans=yes", "agent 'manue:kans=yes': kans must be 0 or 1, not 'yes'"),
        ("manue:extra=4", "agent 'manue:extra=4': extra must be 0..3, not 4"),
    ],
)
def test_unknown_names_and_options_give_one_clear_line(spec, reason):
    with pytest.raises(UsageError) as caught:
        make_agent(spec)
    assert str(caught.value) == reason


def test_every_option_of_manue_is_read_by_its_type():
    uma = list(UMA)[-1]
    settings = make_agent(f"manue:policy=points,mc_draws=70,seed=3,uma={uma},kans=0,details=1").settings
    assert settings == Settings(policy="points", mc_draws=70, seed=3, uma=uma, kans=False, details=True)
    assert make_agent("manue").settings == Settings()
    assert make_agent("manue@first").settings == FIRST
    assert make_agent("manue@first").name == "manue@first"
    assert make_agent("manue@first:mc_draws=70").settings == replace(FIRST, mc_draws=70)


@pytest.mark.parametrize("spec", ["manue", "rules"])
def test_models_come_from_the_folder_that_is_named(spec, tmp_path):
    for place in (f"{spec}:models={tmp_path}", spec):
        with pytest.raises(ModelError, match=re.escape(str(tmp_path))):
            make_agent(place, models=None if ":" in place else tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "value", "set_to"),
    [
        ("trials", "mc_draws", "70", 70),
        ("practice", "discard_policy", "70", 70),
        ("offers", "call_policy", "70", 70),
        ("levels", "call_thresholds", "0", False),
    ],
)
def test_old_names_of_options_are_understood_with_one_notice(old, new, value, set_to, capsys):
    registry._current_name.cache_clear()
    assert getattr(make_agent(f"manue:{old}={value}").settings, new) == set_to
    assert capsys.readouterr().err == f"manue: the option {old!r} is now called {new!r}\n"
    assert make_agent(f"manue:{old}={value}").settings == make_agent(f"manue:{new}={value}").settings
    assert capsys.readouterr().err == "", "a second notice"
    with pytest.raises(UsageError, match=f"'{new}' is given twice, once by its old name"):
        make_agent(f"manue:{new}={value},{old}={value}")


def test_an_option_of_the_command_goes_before_its_old_name_in_a_spec():
    """Regression: refused with "'mc_draws' and 'mc_draws' are the same option"."""
    assert registry.with_options("manue:trials=7,seed=3", {"mc_draws": "9"}) == "manue:seed=3,mc_draws=9"
    assert with_mc_draws("manue:trials=7", 9) == "manue:trials=7"


def test_the_old_names_are_these_and_every_new_one_exists():
    assert registry.OLD_NAMES.keys() == {"trials", "practice", "offers", "levels"}
    settings = make_agent("manue").settings
    assert all(hasattr(settings, name) for name in registry.OLD_NAMES.values())


# ---- agents of one's own


def test_a_class_is_named_by_its_module(own):
    agent = make_agent(f"{own}.own:Drawn")
    assert (agent.name, agent.style, agent.level) == ("Drawn", "plain", "1")
    assert type(agent).__module__ == f"{own}.own"
    wild = make_agent(f"{own}.own:Drawn:style=wild,level=3")
    assert (wild.style, wild.level) == ("wild", "3")
    assert make_agent(f"{own}.own:Named").name == "somebody"
    assert make_agent(f"{own}_alone:Named").name == "somebody"


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        (".nowhere:Drawn", "there is no module {own}.nowhere"),
        ("_nowhere:Drawn", "there is no module {own}_nowhere"),
        ("_nowhere.deep:Drawn", "there is no module {own}_nowhere"),
        (
            ".missing:Drawn",
            "importing {own}.missing fails: ModuleNotFoundError: No module",
        ),
        (".broken:Drawn", "importing {own}.broken fails: ZeroDivisionError: division by zero"),
        (".leaves:Drawn", "importing {own}.leaves fails: SystemExit: 3"),
        (".own:Leaving", "Leaving refuses to be made without options: SystemExit: 4"),
        (".own:Panicking", "Panicking refuses to be made without options: Panic: no index"),
        (".panics:Drawn", "importing {own}.panics fails: CancelledError"),
        (".own:Nobody", "module {own}.own has no class Nobody"),
        (".own:number", "module {own}.own has no class number"),
        (".own:Mute", "Mute has no method decide(state, actions)"),
        (".own:Fixed", "Fixed has no name, and none can be set"),
        (".own:Drawn:style=strange", "Drawn refuses style=strange: ValueError: no such style: strange"),
        (".own:Drawn:colour=red", "Drawn refuses colour=red: TypeError: "),
        (".own:Drawn:x", "'x' is not key=value, or is given twice"),
        ("/own:Drawn", "there is no module {own}/own"),
    ],
)
def test_what_is_no_agent_is_one_clear_line(own, place, reason):
    spec = f"{own}{place}"
    with pytest.raises(UsageError) as caught:
        make_agent(spec)
    assert str(caught.value).startswith(f"agent {spec!r}: {reason.format(own=own)}")
    assert "\n" not in str(caught.value)


def test_models_are_no_matter_of_agents_that_take_none(tmp_path):
    with pytest.raises(UsageError, match="takes no options, but got 'models'"):
        make_agent("greedy", models=tmp_path)


def test_an_own_agent_plays_a_match_in_several_processes(own, tmp_path, capsys):
    pytest.importorskip("riichienv")
    seats = f"{own}.own:Drawn:style=wild,level=2,{own}_alone:Named,greedy,greedy"
    command = [
        "match",
        "--seats",
        seats,
        "--games",
        "2",
        "--east",
        "--workers",
        "2",
        "--out",
        str(tmp_path / "out"),
    ]
    assert main(command) == 0, capsys.readouterr().err
    lines = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()]
    assert len(lines) == 2
    assert all(line["faults"] == [] for line in lines)
    assert f"{own}.own:Drawn:style=wild,level=2" in lines[0]["agents"]


def test_an_own_agent_reviews_a_record(own, capsys):
    from tests.test_api import SAMPLE

    assert main(["review", str(SAMPLE), "--seat", "0", "--agent", f"{own}.own:Named", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seats"][0]["decisions"] > 50


def test_the_command_line_says_in_one_line_what_is_wrong(own, tmp_path, capsys):
    seats = ",".join([f"{own}.own:Nobody"] * 4)
    assert main(["match", "--seats", seats, "--out", str(tmp_path / "out")]) == 2
    assert (
        capsys.readouterr().err == f"manue: agent '{own}.own:Nobody': module {own}.own has no class Nobody\n"
    )
