"""The whole way from logs to the policy net, on the sample games."""

import gzip
import json
import shutil

import numpy as np
import pytest

from manue.__main__ import main
from manue.agents.registry import make_agent
from manue.errors import LogError
from manue.models.files import models_dir, read_model
from manue.models.policy import load_policy
from manue.sim.columns import CALL_AT
from manue.sim.net import CALL_SIZE, CONTEXT_SIZE, SHAPES, WEIGHTS, WIDE_WEIGHTS
from manue.tiles import TILES
from manue.training.policy import _quality, learn_policy
from manue.training.policy_examples import TrainingExamples, examples_of
from tests.conftest import DATA, game


def test_learn_writes_the_net_and_its_section_once(tmp_path, capsys):
    (tmp_path / "MODELS.md").write_text(
        "# Models\n\n## danger\n\nText.\n\n## policy\n\nOld.\n\n## shapes\n\nMore.\n"
    )
    for _ in range(2):
        assert main(["learn", str(DATA / "games"), "--out", str(tmp_path), "--epochs", "1"]) == 0
    assert load_policy(tmp_path).shape == (WEIGHTS,)
    page = (tmp_path / "MODELS.md").read_text()
    assert [line for line in page.splitlines() if line.startswith("## ")] == [
        "## danger",
        "## shapes",
        "## policy",
    ]
    assert "Old." not in page
    assert read_model(tmp_path / "policy.npz").digest in page
    assert "| riichi |" in page
    assert make_agent(f"policy:models={tmp_path}").name == "policy"
    assert "epoch 1 of 1" in capsys.readouterr().err


def test_wide_nets_are_learned_and_played(tmp_path, capsys):
    assert main(["learn", str(DATA / "games"), "--out", str(tmp_path), "--epochs", "1", "--wide"]) == 0
    assert load_policy(tmp_path).shape == (WIDE_WEIGHTS,)
    spec = f"policy:models={tmp_path}"
    assert make_agent(spec).name == "policy"
    match = ["match", "--fast", "--games", "2", "--no-logs", "--workers", "1", "--out", f"{tmp_path}/match"]
    assert main([*match, "--seats", f"{spec},policy,greedy,policy"]) == 0
    learn = ["learn", "--generations", "1", "--rounds", "8", "--walls", "2", "--workers", "1"]
    for model in models_dir().glob("*.npz"):
        if model.stem != "policy":
            shutil.copy(model, tmp_path)
    assert main([*learn, "--models", str(tmp_path), "--out", str(tmp_path / "play")]) == 0
    capsys.readouterr()
    learned = load_policy(tmp_path / "play", "policy_selfplay")
    assert learned.shape == (WIDE_WEIGHTS,)


def test_a_size_of_nets_is_about_logs(tmp_path, capsys):
    assert main(["learn", "--generations", "1", "--wide", "--out", str(tmp_path)]) == 2
    assert "--wide is about LOGS" in capsys.readouterr().err


def test_workers_were_ignored_where_records_are_learned_from(tmp_path, capsys):
    given = ["learn", str(DATA / "games"), "--out", str(tmp_path / "out"), "--workers", "2"]
    assert main(given) == 2
    assert "--workers are about learning by playing" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_games_of_which_none_is_held_out(tmp_path):
    with pytest.raises(LogError, match="too few"):
        learn_policy([game("four-kans")], tmp_path / "out", epochs=1, seed=0, say=lambda _text: None)
    assert not (tmp_path / "out").exists()


def test_a_file_without_a_game_is_named(tmp_path, capsys):
    """It ended in a traceback."""
    empty = tmp_path / "empty.mjson"
    empty.touch()
    assert main(["learn", str(empty), "--out", str(tmp_path / "out")]) == 1
    few = "1 log is too few: none is left for training or for validation"
    assert capsys.readouterr().err == f"reading games\nmanue: {few} ({empty}: no events in this file)\n"


def test_games_in_which_nobody_could_declare_riichi(tmp_path, capsys):
    """The net for riichi was written as it was at random, with warnings of numpy and a loss of nan."""
    lines = gzip.decompress(game("after-a-kan").read_bytes()).decode().splitlines()
    starts = [at for at, line in enumerate(lines) if '"start_kyoku"' in line]
    (tmp_path / "after-a-kan-5.mjson").write_text(
        "\n".join([lines[0], *lines[starts[5] : starts[6]], lines[-1]])
    )
    shutil.copy(game("four-agents"), tmp_path)
    assert main(["learn", str(tmp_path), "--out", str(tmp_path / "out"), "--epochs", "1"]) == 1
    few = "2 logs are too few: no riichi was possible in the games for training"
    assert capsys.readouterr().err == f"reading games\nmanue: {few}\n"


def test_the_precision_of_calls_that_were_never_made_was_0():
    """Nor is there a recall where nobody called."""
    rows = np.zeros((2, CALL_SIZE), np.float16)
    rows[:, CALL_AT.chi] = 1
    passed = TrainingExamples(np.zeros((2, CONTEXT_SIZE), np.float16), rows, np.arange(3), np.array([-1, -1]))
    (line,) = _quality("call", passed, np.array([-1, -1]), np.full(2, 0.5))
    assert line == "| chi | 2 | 1.0000 | 0.6931 | - | - |"


def test_a_round_with_another_dealer_leaves_out_its_game_alone(tmp_path):
    """Nothing could then be learned from any other game."""
    log = tmp_path / "changed.mjson"
    log.write_text(gzip.decompress(game("four-kans").read_bytes()).decode().replace('"oya":0', '"oya":1'))
    alone, games, none = examples_of([game("robbed-kan")])
    examples, without, skipped = examples_of([log, game("robbed-kan")])
    assert none == []
    assert games == without == 1
    assert skipped == [f"{log}: seat 0 acts on the turn of seat 1"]
    assert [len(examples[name]) for name in SHAPES] == [len(alone[name]) for name in SHAPES]


def cut_in_the_second_round(lines):
    starts = [at for at, line in enumerate(lines) if '"start_kyoku"' in line]
    return lines[: starts[1] + 20]


def discard_of_a_tile_not_held(lines):
    at = next(at for at, line in enumerate(lines) if '"dahai"' in line)
    fields = json.loads(lines[at])
    hands = json.loads(next(line for line in lines if '"start_kyoku"' in line))["tehais"]
    held = {*hands[fields["actor"]], fields["pai"]}
    fields |= {"pai": next(tile for tile in TILES if tile not in held), "tsumogiri": False}
    return [*lines[:at], json.dumps(fields), *lines[at + 1 :]]


def more_draws_than_the_wall_has(lines):
    """Each seat goes on drawing and discarding what it drew."""
    at = next(at for at, line in enumerate(lines) if '"dahai"' in line)
    turns = [
        json.dumps({"type": kind, "actor": number % 4, "pai": "9p", **more})
        for number in range(80)
        for kind, more in (("tsumo", {}), ("dahai", {"tsumogiri": True}))
    ]
    return [*lines[: at + 1], *turns]


@pytest.mark.parametrize(
    "damage", [cut_in_the_second_round, discard_of_a_tile_not_held, more_draws_than_the_wall_has]
)
def test_a_record_that_breaks_off_or_cannot_be_teaches_nothing(tmp_path, damage):
    """What the scripted players did where the script did not fit was learned as if it had been chosen."""
    log = tmp_path / "damaged.mjson"
    log.write_text("\n".join(damage(gzip.decompress(game("four-kans").read_bytes()).decode().splitlines())))
    examples, games, skipped = examples_of([log])
    assert games == 0
    assert len(skipped) == 1
    assert not any(len(examples[name]) for name in SHAPES)
