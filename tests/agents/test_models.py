"""Agents with models of their own: two sets at one table in one process."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import manue
from manue.agents.registry import make_agent
from manue.errors import ModelError
from manue.match.games import MatchSettings, play_fixture
from manue.match.schedule import Fixture, fixed_seats
from manue.models.files import models_dir, read_model, write_model
from manue.models.model_set import Models
from manue.table.seat_factory import make_seat_player

HAND = "123m406p789s1122z 9m"
LAST_ROUND = {"round": "S4", "seat": "N", "scores": (31_000, 30_000, 24_000, 15_000), "dora": "9p"}
OPTIONS = "mc_draws=50,discard_policy=0,call_policy=0"


@pytest.fixture(scope="module")
def same(tmp_path_factory):
    """Return a folder with the models of the package."""
    folder = tmp_path_factory.mktemp("same") / "models"
    shutil.copytree(models_dir(), folder)
    return folder


@pytest.fixture(scope="module")
def other(tmp_path_factory, same):
    """Return a folder whose placement model expects hardly any points to come."""
    folder = tmp_path_factory.mktemp("other") / "models"
    shutil.copytree(same, folder)
    file = read_model(folder / "placement.npz")
    arrays = {**file.arrays, "spread": np.full(8, -3.0)}
    write_model(folder / "placement.npz", arrays, file.meta)
    return folder


def figures(agent):
    return [replace(report, note="") for report in manue.evaluate(HAND, agent=agent, **LAST_ROUND).reports]


def spec_of(folder):
    return f"manue:{OPTIONS},models={folder}"


def test_two_sets_of_models_serve_side_by_side(same, other):
    plain, one, two = (make_agent(spec) for spec in (f"manue:{OPTIONS}", spec_of(same), spec_of(other)))
    assert one.models is not two.models
    assert np.array_equal(two.models.placement.spread, np.full(8, -3.0))
    first = figures(one)
    assert first == figures(plain)
    second = figures(two)
    ranks = [{str(report.action): report.expected_rank for report in reports} for reports in (first, second)]
    assert ranks[0].keys() == ranks[1].keys()
    assert all(ranks[0][action] != ranks[1][action] for action in ranks[0])
    assert figures(one) == first, "the other set has left no trace"
    assert figures(two) == second


def test_an_untouched_model_is_read_once_and_a_changed_one_again(same, tmp_path):
    folder = tmp_path / "models"
    shutil.copytree(same, folder)
    before = Models.load(folder)
    assert Models.load(folder) is before
    file = read_model(folder / "placement.npz")
    write_model(folder / "placement.npz", {**file.arrays, "spread": np.full(8, -3.0)}, file.meta)
    assert not np.array_equal(Models.load(folder).placement.spread, before.placement.spread)


def test_the_variable_counts_whenever_an_agent_is_made(same, other, monkeypatch):
    """No process has to be started again for it."""
    monkeypatch.delenv("MANUE_MODELS", raising=False)
    usual = figures(f"manue:{OPTIONS}")
    monkeypatch.setenv("MANUE_MODELS", str(other))
    assert figures(f"manue:{OPTIONS}") == figures(spec_of(other)) != usual
    assert figures(spec_of(same)) == usual, "an agent that names its models keeps them"
    monkeypatch.setenv("MANUE_MODELS", str(other / "nowhere"))
    with pytest.raises(ModelError, match="nowhere"):
        make_agent("manue")
    monkeypatch.delenv("MANUE_MODELS")
    assert figures(f"manue:{OPTIONS}") == usual


def test_rules_take_models_too(same, other):
    assert make_agent(f"rules:models={same}").name == "rules"
    with pytest.raises(ModelError):
        make_agent("rules", models=other / "nowhere")
    assert make_agent("manue", models=other).settings.models == str(other)


# ---- at one table


def game(*specs):
    """Play a game in which the players are called by their seats, whoever they are; return its line."""
    pytest.importorskip("riichienv")
    names = ("one", "two", "three", "four")

    def make(name, seat, rules, limits, *, details):
        return make_seat_player(specs[names.index(name)], seat, rules, limits, details=details)

    settings = MatchSettings(fixed_seats(list(names)), length="east", logs=False)
    line, _ = play_fixture(settings, Fixture(0, 0, names), make)
    assert line["faults"] == []
    return line


def test_the_same_models_in_another_folder_play_the_same_game_and_others_do_not(same, other):
    usual, copied, changed = f"manue:{OPTIONS}", spec_of(same), spec_of(other)
    expected = game(usual, "rules", usual, "rules")["digest"]
    assert game(copied, "rules", usual, f"rules:models={same}")["digest"] == expected
    assert game(changed, "rules", usual, "rules")["digest"] != expected
    mixed = game(copied, changed, copied, changed)["digest"]
    assert game(copied, changed, copied, changed)["digest"] == mixed


def test_the_variable_counts_for_the_next_match_of_a_process(same, other, monkeypatch):
    usual = f"manue:{OPTIONS}"
    monkeypatch.setenv("MANUE_MODELS", str(same))
    first = game(usual, "rules", "greedy", "greedy")["digest"]
    monkeypatch.setenv("MANUE_MODELS", str(other))
    assert (
        game(usual, "rules", "greedy", "greedy")["digest"]
        == game(spec_of(other), "rules", "greedy", "greedy")["digest"]
    )
    assert Path(other).is_dir()
    assert game(spec_of(same), "rules", "greedy", "greedy")["digest"] == first
