"""A fast match gives the games of the referee: equal results, digests and events, all but times."""

import numpy as np
import pytest

from manue.__main__ import main
from manue.errors import MissingExtraError, UsageError
from manue.match.fast import check_fast, play_fast
from manue.match.games import MatchSettings, play_fixture
from manue.match.match import Match
from manue.match.schedule import fixed_seats
from manue.models.files import write_model
from manue.models.policy import NAME, NET_COLUMNS, SELFPLAY, load_policy
from manue.records.archive import read_log

pytest.importorskip("riichienv")

TIMED = {"timings", "seconds"}


@pytest.mark.parametrize(
    ("seats", "length"),
    [(["greedy", "policy", "greedy", "policy"], "hanchan"), (["policy", "tsumogiri"] * 2, "east")],
)
def test_the_same_games(seats, length, tmp_path):
    assert_same_games(seats, length, 2, tmp_path)


def test_nets_of_several_folders_at_one_table(tmp_path):
    """Each seat plays by its own net: equal to the referee's games, which differ from those of one net."""
    folders = [tmp_path / name for name in ("one", "other")]
    for at, folder in enumerate(folders):
        folder.mkdir()
        weights = load_policy() * np.float32(1 - 2 * at)
        for name in (NAME, SELFPLAY):
            write_model(folder / f"{name}.npz", {"weights": weights}, {"columns": NET_COLUMNS})
    one, other = (f"policy:models={folder}" for folder in folders)
    seats = [one, f"policy@selfplay:models={folders[1]}", "greedy", other]
    assert_same_games(seats, "east", 1, tmp_path)
    settings = MatchSettings(fixed_seats([one, one, "greedy", one]), seed=9, length="east", logs=False)
    changed = MatchSettings(fixed_seats(seats), seed=9, length="east", logs=False)
    lines = [play_fast(each, each.schedule.fixture(0))[0] for each in (settings, changed)]
    assert lines[0]["scores"] != lines[1]["scores"]


def assert_same_games(seats, length, games, tmp_path):
    settings = MatchSettings(fixed_seats(seats), seed=9, length=length)
    for game in range(games):
        fixture = settings.schedule.fixture(game)
        slow, slow_log = play_fixture(settings, fixture)
        fast, fast_log = play_fast(settings, fixture)
        assert {key: fast[key] for key in fast.keys() - TIMED} == {
            key: slow[key] for key in slow.keys() - TIMED
        }
        events = []
        for name, log in (("slow", slow_log), ("fast", fast_log)):
            (tmp_path / f"{name}.mjson.gz").write_bytes(log)
            events.append([entry.event for entry in read_log(tmp_path / f"{name}.mjson.gz")])
        assert events[0] == events[1]


@pytest.mark.parametrize(
    ("seats", "rules", "named"),
    [
        (["greedy", "rules"], "tenhou", "rules"),
        (["greedy"] * 2, "mjsoul", "Tenhou"),
        (["greedy", "policy:heat=1"], "tenhou", "heat"),
    ],
)
def test_what_cannot_be_played_fast(seats, rules, named, tmp_path):
    settings = MatchSettings(fixed_seats(seats * 2), rules=rules)
    with pytest.raises(UsageError, match=named):
        check_fast(settings)
    with pytest.raises(UsageError, match=named):
        Match(settings, tmp_path / "out", 1, fast=True)
    assert not (tmp_path / "out").exists()


def test_a_table_in_compiled_code_needed_the_referee_that_it_does_without(monkeypatch, tmp_path):
    def missing(_rules):
        raise MissingExtraError("riichienv", "arena")

    monkeypatch.setattr("manue.commands.match.engine_rules", missing)
    command = ["match", "--seats", "tsumogiri", "--format", "self", "--games", "1", "--east", "--no-logs"]
    assert main([*command, "--workers", "1", "--out", str(tmp_path / "slow")]) == 2
    assert main([*command, "--workers", "1", "--fast", "--out", str(tmp_path / "fast")]) == 0
