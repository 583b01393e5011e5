"""Learning by playing: it raises what is rewarded, goes on where it stopped, and rates what is learned."""

import resource
import shutil
import time
import xml.etree.ElementTree as ET
from collections import deque
from itertools import count, islice
from types import SimpleNamespace

import numpy as np
import pytest

from manue.__main__ import main
from manue.agents.registry import make_agent
from manue.errors import UsageError
from manue.models.files import models_dir, read_model, write_model
from manue.models.model_set import Models
from manue.models.policy import load_policy
from manue.selfplay import part
from manue.selfplay.curve import curve_svg
from manue.selfplay.generations import Generation
from manue.selfplay.learn import CURVE, _write, learn_from_play, line_of
from manue.selfplay.learner import Learner
from manue.selfplay.rating import LINEUPS, MeanGain, Rater
from manue.selfplay.rewards import POINTS, POINTS_OF_A_PLACE, rewards_of
from manue.selfplay.seating import LEARNER, new_games
from manue.selfplay.settings import SelfPlaySettings
from manue.sim.kit import new_kit
from manue.sim.net import SHAPES
from manue.sim.players import POLICY
from manue.sim.trajectories import new_trajectories, play_noted

TINY = SelfPlaySettings(seed=4, generation=24, small_batch=12, head_start=0)


def learn(out, generations, *, workers=1, resume=False, settings=TINY, models=None):
    return learn_from_play(
        models,
        out,
        settings,
        walls=6,
        workers=workers,
        resume=resume,
        goes_on=lambda number, _seconds: number < generations,
        say=lambda _text: None,
        note=lambda _text: None,
    )


def played(seed=1, rounds=10, mixed_share=0.5):
    tables = new_games(np.random.default_rng(seed), 6, mixed_share, 0.6)
    kit, notes = new_kit(nets=[load_policy()] * 3, examples=True, hidden=True), new_trajectories()
    assert play_noted(tables, kit, notes, rounds) == rounds
    return tables, notes


def test_what_is_rewarded_becomes_more_frequent(monkeypatch):
    """A reward for every call: it is learned within a few thousand choices, whoever wins the rounds."""
    calls = []

    def for_calls(notes, _placement, _share):
        used, reward = notes["call"]["used"], np.zeros((int(notes["rounds"]), 4), np.float32)
        number, seat, chosen = (notes["call"][field][:used] for field in ("round", "seat", "chosen"))
        made = chosen >= 0
        np.add.at(reward, (number, seat), made)
        calls.append(made.mean())
        return reward

    monkeypatch.setattr(part, "rewards_of", for_calls)
    settings = SelfPlaySettings(small_batch=100, head_start=0, rate=5e-3, kl_weight=0.0, mixed_share=0.0)
    learner = Learner(load_policy(), settings, Models.load().placement)
    for _ in range(10):
        learner.step(learner.start, 100)
    assert np.mean(calls[-4:]) > 1.5 * np.mean(calls[:4])


def test_an_interrupted_course_goes_on_to_the_same_nets(tmp_path):
    whole = learn(tmp_path / "whole", 2, workers=2)
    learn(tmp_path / "parts", 1)
    parts = learn(tmp_path / "parts", 2, resume=True)
    for number in (1, 2):
        one, other = (
            read_model(tmp_path / name / "generations" / f"00{number}" / "policy.npz").arrays
            for name in ("whole", "parts")
        )
        assert one.keys() == other.keys()
        for name, array in one.items():
            np.testing.assert_array_equal(array, other[name], err_msg=name)
    assert [(one.rounds, one.rating) for one in whole] == [(one.rounds, one.rating) for one in parts]
    assert not np.array_equal(load_policy(), load_policy(tmp_path / "parts", "policy_selfplay"))
    with pytest.raises(UsageError, match="it had another seed, number of rounds or version"):
        learn(tmp_path / "parts", 3, resume=True, settings=SelfPlaySettings(seed=5, generation=24))
    with pytest.raises(UsageError, match="--resume"):
        learn(tmp_path / "parts", 3)
    with pytest.raises(UsageError, match="no generation"):
        learn(tmp_path / "empty", 3, resume=True)


def test_another_placement_model_is_another_course(tmp_path):
    """It says what a round brings: with another one the net would have learned something else."""
    for name in ("first", "other"):
        shutil.copytree(models_dir(), tmp_path / name)
    placement = read_model(tmp_path / "other" / "placement.npz")
    arrays = {**placement.arrays, "spread": placement.arrays["spread"] + 0.5}
    write_model(tmp_path / "other" / "placement.npz", arrays, placement.meta)
    learn(tmp_path / "out", 1, models=tmp_path / "first")
    with pytest.raises(UsageError, match="of another course: it had another placement model"):
        learn(tmp_path / "out", 2, models=tmp_path / "other", resume=True)
    assert len(learn(tmp_path / "out", 1, models=tmp_path / "first", resume=True)) == 1


def test_a_folder_of_a_net_alone_is_enough_to_begin_with(tmp_path):
    """What `manue learn LOGS` had written was refused for want of models that nothing here needs."""
    (tmp_path / "net").mkdir()
    shutil.copy(models_dir() / "policy.npz", tmp_path / "net")
    assert len(learn(tmp_path / "out", 1, models=tmp_path / "net")) == 1
    assert len(learn(tmp_path / "out", 1, models=models_dir(), resume=True)) == 1  # the same course


def test_choices_of_foreign_seats_are_not_noted():
    tables, notes = played(mixed_share=1.0)
    assert notes["rounds"] == 10
    learns = (tables["player"] == POLICY) & (tables["net"] == LEARNER)
    assert (learns.sum(axis=1) == 2).all()
    of_games = np.cumsum([0, *notes["over"][:10]])[:10]
    for name in SHAPES:
        used = notes[name]["used"]
        game, seat = of_games[notes[name]["round"][:used]], notes[name]["seat"][:used]
        assert learns[game, seat].all()
    assert notes["discard"]["used"] > 100


def test_choices_are_noted_in_order():
    _, notes = played(mixed_share=0.0)
    fields = ("round", "order", "chosen")
    noted = {
        name: np.stack([notes[name][field][: notes[name]["used"]] for field in fields], axis=1)
        for name in SHAPES
    }
    for choices in noted.values():
        keys = choices[:, 0] * 1000 + choices[:, 1]
        assert (np.diff(keys) > 0).all()
    places = {tuple(row[:2]) for choices in noted.values() for row in choices.tolist()}
    assert len(places) == sum(map(len, noted.values()))


def test_rewards_are_points_and_places():
    _, notes = played()
    placement = Models.load().placement
    changed = notes["scores"][:10, 1] - notes["scores"][:10, 0]
    assert rewards_of(notes, placement, 0.0) == pytest.approx(changed / POINTS, abs=1e-5)
    places = rewards_of(notes, placement, 1.0) * POINTS / POINTS_OF_A_PLACE
    assert np.abs(places.sum(axis=1)).max() < 0.02
    assert (places[changed > 4000] > 0).all()


def test_a_rating_knows_a_bad_net_from_the_start():
    start = load_policy()
    rater = Rater(start, 60)
    assert all(gain == MeanGain(0.0, 0.0) for gain in rater.rate(start).values())
    backwards = start.copy()
    backwards[SHAPES["discard"].end - SHAPES["discard"].last - 1 : SHAPES["discard"].end] *= -1
    for gain in rater.rate(backwards).values():
        assert gain.points + 2 * gain.error < 0


def test_the_curve_has_a_mark_for_each_rating():
    rating = {lineup: MeanGain(100.0 - 120 * at, 20.0) for at, lineup in enumerate(LINEUPS)}
    done = [Generation(number, 1000 * number, 1.0, {}, rating) for number in (1, 2, 3)]
    marks = [
        element.attrib
        for element in ET.fromstring(curve_svg(done)).iter("{http://www.w3.org/2000/svg}circle")
    ]
    assert len(marks) == 3 * len(LINEUPS)
    heights = [float(mark["cy"]) for mark in marks[::3]]
    assert heights == sorted(heights)
    assert heights[0] < heights[2]


def test_the_last_figure_of_the_curve_was_cut_off():
    rating = dict.fromkeys(LINEUPS, MeanGain(100.0, 20.0))
    picture = ET.fromstring(curve_svg([Generation(1, 3_000_000, 1.0, {}, rating)]))
    (last,) = [part for part in picture.iter("{http://www.w3.org/2000/svg}text") if part.text == "3,000,000"]
    right = float(last.attrib["x"]) + len(last.text) * 7 / 2
    assert right <= float(picture.attrib["viewBox"].split()[2])


def test_the_error_of_a_generation_passed_for_an_interval():
    rating = dict.fromkeys(LINEUPS, MeanGain(-4.0, 20.0))
    said = line_of(Generation(2, 3000, 1.5, {}, rating))
    assert said.startswith("generation 2, 3,000 rounds, 2 s: -4 ± 20 against three of the start; ")
    assert said.endswith("-4 ± 20 against two of the start (± one standard error)")


def test_the_command(tmp_path, capsys):
    out = tmp_path / "out"
    given = ["learn", "--out", str(out), "--rounds", "12", "--walls", "4", "--workers", "1"]
    assert main([*given, "--generations", "1"]) == 0
    said, noted = capsys.readouterr()
    assert "generation 1, 12 rounds" in said
    assert "rating the net at the start on 4 walls" in noted
    assert main([*given, "--minutes", "0", "--resume"]) == 0
    said, noted = capsys.readouterr()
    assert noted == ""  # nothing is to be rated
    assert "1 generation, " in said
    page = (out / "MODELS.md").read_text()
    assert read_model(out / "policy_selfplay.npz").digest in page
    assert "| 1 | 12 |" in page
    assert make_agent(f"policy@selfplay:models={out}").name == "policy@selfplay"
    assert make_agent(f"policy:models={out}/generations/001").name == "policy"
    assert (out / "generations" / "curve.svg").read_text().startswith("<svg")


def test_time_begins_with_the_first_generation(tmp_path, monkeypatch):
    """Where compiling took longer than the time given, nothing was learned, and nothing said of it."""
    rate, clock = Rater.__init__, count(step=0.2)  # seconds from look to look

    def slowly(self, *given):
        rate(self, *given)
        deque(islice(clock, 1000), 0)  # 200 s

    monkeypatch.setattr(Rater, "__init__", slowly)
    fake = SimpleNamespace(monotonic=lambda: next(clock), process_time=time.process_time)
    monkeypatch.setattr("manue.selfplay.learn.time", fake)
    out = tmp_path / "out"
    given = ["learn", "--out", str(out), "--rounds", "12", "--walls", "4", "--workers", "1"]
    assert main([*given, "--minutes", "0.005"]) == 0
    assert (out / "generations" / "001" / "policy.npz").exists()


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ([], "give LOGS"),
        (["logs", "--hours", "1"], "--hours is about learning by playing; it does not go with LOGS"),
        (["--hours", "1", "--epochs", "3"], "--epochs"),
        (["--hours", "1", "--walls", "1"], "--walls"),
        (["--hours", "1", "--rounds", "1"], "a generation"),
        (["--minutes", "0"], "--minutes 0 leaves no room for a generation"),
        (["--generations", "0"], "--generations 0 leaves no room"),
        (["--generations", "-1", "--walls", "1"], "'-1' is not a whole number from 0"),  # was accepted
        (["--hours", "inf", "--walls", "1"], "'inf' is not a time"),  # never ended
        (["--hours", "nan", "--walls", "1"], "'nan' is not a time"),
        (["--minutes=-1", "--walls", "1"], "'-1' is not a time"),
        (["logs", "--resume"], "--resume"),
        (["logs", "--rounds", "5"], "--rounds"),  # was ignored
        (["logs", "--walls", "5"], "--walls"),
    ],
)
def test_what_cannot_be_learned(given, error, tmp_path, capsys):
    assert main(["learn", "--out", str(tmp_path / "out"), *given]) == 2
    assert error in capsys.readouterr().err


def test_a_curve_that_does_not_fit_replaced_the_one_before(tmp_path, monkeypatch):
    for other in ("write_model", "put_section", "_report"):
        monkeypatch.setattr(f"manue.selfplay.learn.{other}", lambda *_: "")
    rating = {lineup: MeanGain(0.0, 20.0) for lineup in LINEUPS}
    curve = tmp_path / CURVE
    curve.parent.mkdir()
    curve.write_text("the one before")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            _write(tmp_path, None, [Generation(1, 1000, 1.0, {}, rating)], "start")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert curve.read_text() == "the one before"
