"""The whole way from logs to models, on a few games."""

import contextlib
import gzip
import io
import json
import random
import shutil
from dataclasses import replace

import numpy as np
import pytest

from manue.__main__ import main
from manue.errors import EventError, LogError
from manue.game.actions import Discard
from manue.game.events import Discarded
from manue.models.files import models_dir, read_model, write_model
from manue.models.model_set import READERS
from manue.records.archive import read_log
from manue.records.decisions import recorded_decisions
from manue.tiles import KIND_OF, KINDS, TILES
from manue.training import dataset, pipeline, registry
from manue.training.framework import Run, _Gathered, held_kinds, sample
from manue.training.page import put_section
from manue.training.registry import TRAINERS
from tests.conftest import FULL, GAMES, events_of, game
from tests.training.conftest import learn
from tests.training.shapes import SHAPES_FILE
from tests.training.watchers import Silent


def test_writes_every_model_and_its_page(trained):
    page = (trained / "MODELS.md").read_text()
    for trainer in TRAINERS:
        file = read_model(trained / f"{trainer.name}.npz")
        assert file.digest in page
        assert file.meta["seed"] == 0
    assert "4 games (0 skipped)" in page
    assert not (trained / ".extracted").exists()


def test_same_logs_and_seed_give_the_same_files(games, trained, tmp_path):
    learn(games, tmp_path, workers=2)
    for trainer in TRAINERS:
        name = f"{trainer.name}.npz"
        assert (tmp_path / name).read_bytes() == (trained / name).read_bytes(), name


def test_the_sections_of_other_models_are_kept(games, tmp_path, monkeypatch):
    """A folder may hold models that this run does not learn; one that it cannot read is left out."""
    monkeypatch.setattr("manue.commands.train.TRAINERS", TRAINERS[:1])
    write_model(tmp_path / "policy.npz", {"weights": np.ones(2)}, {"report": "What it is worth."})
    write_model(tmp_path / "shapes.npz", {"weights": np.ones(2)}, {"report": "Of an earlier run."})
    (tmp_path / "broken.npz").write_bytes(b"no model")
    assert main(["train", str(games), "--out", str(tmp_path), "--workers", "1"]) == 0
    page = (tmp_path / "MODELS.md").read_text()
    assert [line for line in page.splitlines() if line.startswith("## ")] == ["## shapes", "## policy"]
    digest = read_model(tmp_path / "policy.npz").digest
    assert f"## policy\n\nDigest `{digest}`.\n\nWhat it is worth.\n" in page
    assert "earlier run" not in page


def test_a_page_that_is_written_anew_is_never_half_there(tmp_path):
    """Who stopped a run while the page was written lost the sections of all models."""
    for name in ("first", "second"):
        write_model(tmp_path / f"{name}.npz", {"weights": np.ones(2)}, {"report": f"Of the {name}."})
    put_section(tmp_path, "first")
    with (tmp_path / "MODELS.md").open() as opened:
        put_section(tmp_path, "second")
        assert "Of the second." not in opened.read()
    page = (tmp_path / "MODELS.md").read_text()
    assert "Of the first." in page
    assert "Of the second." in page


def test_resume_keeps_what_is_finished(games, trained, tmp_path, monkeypatch):
    """After an interruption following the extraction and one model, neither is done again."""
    out = tmp_path / "models"
    monkeypatch.setattr("manue.commands.train.TRAINERS", TRAINERS[:3])
    with monkeypatch.context() as patch:
        patch.setattr(type(TRAINERS[1]), "fit", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        assert main(["train", str(games), "--out", str(out), "--workers", "1"]) == 130
    monkeypatch.setattr(type(TRAINERS[0]), "fit", None)
    monkeypatch.setattr(dataset, "_write_block", None)
    # a worker process does not see the patch, so the files it needs must exist
    assert list((out / ".extracted").glob("*.npz"))
    assert main(["train", str(games), "--out", str(out), "--workers", "1", "--resume"]) == 0
    assert (out / "danger.npz").read_bytes() == (trained / "danger.npz").read_bytes()


def test_an_interruption_before_the_first_game_leaves_nothing(games, tmp_path, monkeypatch, capsys):
    """Regression: it was said that what is done is kept, and the same command was refused afterwards."""
    monkeypatch.setattr("manue.commands.train.TRAINERS", TRAINERS[:1])
    command = ["train", str(games), "--out", str(tmp_path / "models"), "--workers", "1"]
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "extract", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        assert main(command) == 130
    assert "--resume" not in capsys.readouterr().err
    assert not (tmp_path / "models").exists()
    assert main(command) == 0


def test_some_models_are_learned_and_the_others_kept(games, tmp_path, monkeypatch):
    out, own, usual = tmp_path / "out", tmp_path / "out" / "opponents.npz", models_dir()
    out.mkdir()
    file = read_model(usual / "opponents.npz")
    write_model(own, file.arrays, {**file.meta, "report": "Of an earlier run."})
    kept, before = own.read_bytes(), {name: (usual / f"{name}.npz").read_bytes() for name in READERS}
    monkeypatch.setattr("manue.commands.train.TRAINERS", [one for one in TRAINERS if one.name in READERS])
    assert main(["train", str(games), "--only", "shapes", "--out", str(out), "--workers", "1"]) == 0
    assert own.read_bytes() == kept
    for name in READERS:
        same = (out / f"{name}.npz").read_bytes() == before[name]
        assert same == (name not in {"shapes", "opponents"})
        assert (usual / f"{name}.npz").read_bytes() == before[name]
    page = (out / "MODELS.md").read_text()
    places = [
        page.index(text) for text in ("- Of other runs: opponents, danger", "## shapes", "## opponents")
    ]
    assert places == sorted(places)
    assert "Of an earlier run." in page


def test_a_model_that_is_none_is_not_learned(games, tmp_path, capsys):
    assert main(["train", str(games), "--only", "fold,nonsense", "--out", str(tmp_path)]) == 2
    assert "--only: there is no model 'nonsense', only shapes, " in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_kept_model_must_fit_before_anything_is_learned(games, tmp_path, capsys):
    file = read_model(models_dir() / "fold.npz")
    write_model(tmp_path / "fold.npz", file.arrays, {**file.meta, "columns": []})
    assert main(["train", str(games), "--only", "shapes", "--out", str(tmp_path)]) == 1
    assert f"{tmp_path}/fold.npz was learned from other features" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["fold.npz"]


def test_resume_learns_anew_what_follows_another_model(games, tmp_path, monkeypatch):
    """A model is kept only if those learned before it are the ones that it was learned after."""
    command = ["train", str(games), "--out", str(tmp_path), "--workers", "1"]
    monkeypatch.setattr("manue.commands.train.TRAINERS", TRAINERS[:3])
    with monkeypatch.context() as patch:
        patch.setattr(type(TRAINERS[2]), "fit", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        assert main(command) == 130
    opponents = (tmp_path / "opponents.npz").read_bytes()
    write_model(tmp_path / "shapes.npz", {"weights": np.ones(12)}, {"report": "Of another run."})
    assert main([*command, "--resume"]) == 0
    assert read_model(tmp_path / "shapes.npz").meta["report"] != "Of another run."
    shapes = read_model(tmp_path / "shapes.npz").digest
    assert read_model(tmp_path / "opponents.npz").meta["models"] == shapes[:12]
    assert (tmp_path / "opponents.npz").read_bytes() == opponents


def test_resume_learns_anew_what_was_learned_from_other_features(games, tmp_path, monkeypatch):
    """After a change of a feature the model was kept, and the run ended in the advice to train it again."""
    command = ["train", str(games), "--out", str(tmp_path), "--workers", "1"]
    monkeypatch.setattr("manue.commands.train.TRAINERS", TRAINERS[:3])
    with monkeypatch.context() as patch:
        patch.setattr(type(TRAINERS[2]), "fit", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        assert main(command) == 130
    path = tmp_path / "opponents.npz"
    opponents, file = path.read_bytes(), read_model(path)
    write_model(path, file.arrays, {**file.meta, "columns": file.meta["columns"][1:]})
    assert main([*command, "--resume"]) == 0
    assert path.read_bytes() == opponents


def test_a_finished_run_is_not_resumed(games, tmp_path, monkeypatch, capsys):
    """Its models would be learned anew, which takes hours."""
    command = ["train", str(games), "--out", str(tmp_path), "--workers", "1", "--resume"]
    monkeypatch.setattr("manue.commands.train.TRAINERS", TRAINERS[:1])
    assert main(command) == 0
    before = (tmp_path / "shapes.npz").stat().st_mtime_ns
    assert main(command) == 2
    assert "holds no unfinished run" in capsys.readouterr().err
    assert (tmp_path / "shapes.npz").stat().st_mtime_ns == before
    assert main(command[:-1]) == 0


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (["--seed", "5"], "another seed"),
        (["--extra", str(game("four-kans"))], "other --extra"),
        ([], "other LOGS"),
    ],
)
def test_another_run_is_not_resumed(games, tmp_path, monkeypatch, capsys, other, said):
    """Its models would be learned anew, and those that are finished be lost."""
    command = ["train", str(games), "--out", str(tmp_path / "out"), "--workers", "1"]
    monkeypatch.setattr("manue.commands.train.TRAINERS", TRAINERS[:2])
    with monkeypatch.context() as patch:
        patch.setattr(type(TRAINERS[1]), "fit", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        assert main(command) == 130
    shapes = (tmp_path / "out" / "shapes.npz").stat().st_mtime_ns
    command[1:2] = command[1:2] if other else map(str, sorted(games.iterdir())[1:])
    assert main([*command, *other, "--resume"]) == 2
    assert f"holds an unfinished run with {said}\n" in capsys.readouterr().err
    assert (tmp_path / "out" / "shapes.npz").stat().st_mtime_ns == shapes


@pytest.mark.parametrize("note", ["x", "[1]", "\udcff"])
def test_a_damaged_note_of_a_run_was_a_traceback(games, tmp_path, capsys, note):
    file = tmp_path / ".extracted" / "run.json"
    file.parent.mkdir()
    file.write_text(note, errors="surrogateescape")
    assert main(["train", str(games), "--out", str(tmp_path), "--workers", "1", "--resume"]) == 2
    said = capsys.readouterr().err
    assert f"{file} is damaged: delete {file.parent} and begin again without --resume" in said
    assert said.count("\n") == 1


def test_further_games_are_learned_from_and_never_measured_on(games, tmp_path):
    logs = sorted(games.iterdir(), key=lambda path: dataset.is_validation(path.name))
    parts = [logs[:1] + logs[-1:], logs[1:2] + logs[-2:-1]]
    data, extra = (
        dataset.extract(part, tmp_path, seed=0, workers=1, progress=lambda _games: None) for part in parts
    )

    def rows(main, more=None, **options):
        run = Run(main, 0, 1, Silent(), {"shapes": SHAPES_FILE}, extra=more)
        return sample(run, "x", held_kinds, 10**6, **options)

    alone, both = rows(data), rows(data, extra)
    assert np.array_equal(both.x, np.concatenate([alone.x, rows(extra).x]))
    assert not set(both.group[: len(alone.x)]) & set(both.group[len(alone.x) :])
    assert np.array_equal(rows(data, extra, validation=True).x, rows(data, validation=True).x)
    further = [log for log in parts[1] if not dataset.is_validation(log.name)]
    assert sorted(Run(data, 0, 1, Silent(), extra=extra).logs()) == sorted([*parts[0], *further])


def test_thinned_misses_leave_every_hit(games, tmp_path):
    data = dataset.extract(sorted(games.iterdir()), tmp_path, seed=0, workers=1, progress=lambda _games: None)
    run = Run(data, 0, 1, Silent(), {"shapes": SHAPES_FILE})
    whole = sample(run, "x", held_kinds, 10**6)
    for misses in (0.5, 0.1):
        thinned = sample(run, "x", held_kinds, 10**6, misses=misses)
        assert np.array_equal(thinned.x[thinned.wins], whole.x[whole.wins])
        assert (~thinned.wins).sum() == pytest.approx(misses * (~whole.wins).sum(), rel=0.05)
    fewer = sample(run, "x", held_kinds, 500, misses=0.1)
    assert len(fewer.wins) == pytest.approx(500, rel=0.1)
    assert fewer.wins.mean() == pytest.approx(thinned.wins.mean(), rel=0.2)


@pytest.mark.parametrize("limit", [0, 1, 50])
def test_a_sample_stays_within_its_limit(games, tmp_path, limit):
    data = dataset.extract(sorted(games.iterdir()), tmp_path, seed=0, workers=1, progress=lambda _games: None)
    run = Run(data, 0, 1, Silent(), {"shapes": SHAPES_FILE})
    rows = sample(run, "x", held_kinds, limit)
    assert len({len(getattr(rows, name)) for name in ("x", "wins", "points", "group")}) == 1
    assert len(rows.wins) <= 2 * limit


def test_rows_beyond_the_room_are_dropped():
    gathered = _Gathered(5)
    for start in (0, 2, 4, 6):
        numbers = np.arange(start, start + 2)
        gathered.add((numbers[:, None], *[numbers] * 5))
    rows = gathered.sample()
    assert rows.x.tolist() == [[0], [1], [2], [3], [4]]
    assert rows.group.tolist() == [0, 1, 2, 3, 4]


def test_bad_logs_are_named_skipped_and_counted(games, tmp_path, capsys, monkeypatch):
    folder = tmp_path / "mixed"
    folder.mkdir()
    good = [
        next(path for path in sorted(games.iterdir()) if dataset.is_validation(path.name) == v)
        for v in (0, 1)
    ]
    for path in good:
        shutil.copy(path, folder / path.name)
    (folder / "broken.mjson").write_text('{"type":"start_game"')
    (folder / "foreign.json").write_text('{"hello": [1, 2]}')
    (folder / "cut.mjson.gz").write_bytes(good[0].read_bytes()[:-300])
    (folder / "empty.jsonl").touch()
    (folder / "noise.mjson.gz").write_bytes(bytes(range(256)) * 20)
    lines = gzip.decompress(good[0].read_bytes()).decode().splitlines()
    (folder / "hidden.mjson").write_text("\n".join(map(_hide, lines)))
    at = next(i for i, line in enumerate(lines) if '"dahai"' in line)
    (folder / "gap.mjson").write_text("\n".join(lines[:at] + lines[at + 1 :]))
    monkeypatch.setattr("manue.commands.train.TRAINERS", ())
    assert main(["train", str(folder), "--out", str(tmp_path / "m"), "--workers", "1"]) == 0
    captured = capsys.readouterr()
    assert "2 games, 7 skipped" in captured.out
    for path in folder.iterdir():
        named = [line for line in captured.err.splitlines() if path.name in line]
        assert len(named) == (path.name not in {log.name for log in good}), path.name
    assert "Traceback" not in captured.err


def _hide(line):
    fields = json.loads(line)
    if fields["type"] == "start_kyoku":
        fields["tehais"][1] = ["?"] * 13
    return json.dumps(fields)


def test_a_missing_discard_makes_a_log_unusable(games, tmp_path):
    """A hand of 14 tiles once reached the scoring of a win and stopped the whole training."""
    lines = gzip.decompress(min(games.iterdir()).read_bytes()).decode().splitlines()
    refused = 0
    discards = [i for i, line in enumerate(lines) if '"dahai"' in line][:60]
    for at in discards:
        path = tmp_path / "gap.mjson"
        path.write_text("\n".join(lines[:at] + lines[at + 1 :]))
        with pytest.raises((EventError, LogError)):
            dataset.replay([entry.event for entry in read_log(path) if entry.event is not None], "x", 0)
        refused += 1
    assert refused == 60


def test_damaged_logs_are_read_or_refused(games, tmp_path):
    """Lines dropped, doubled, swapped or changed: what is impossible raises one of our errors."""
    path = tmp_path / "damaged.mjson"
    read = refused = 0
    for seed in range(600 if FULL else 200):
        path.write_text("\n".join(_damaged_lines(games, random.Random(seed))))
        try:
            dataset.replay([entry.event for entry in read_log(path) if entry.event is not None], "x", 0)
            read += 1
        except (EventError, LogError):  # anything else fails the test
            refused += 1
    assert read > 0
    assert refused > 0


def _damaged_lines(games, rng):
    lines = gzip.decompress(rng.choice(sorted(games.iterdir())).read_bytes()).decode().splitlines()
    lines = lines[: 2 + next(i for i, line in enumerate(lines) if '"end_kyoku"' in line)]
    for _ in range(rng.choice((1, 1, 3))):
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        match rng.randrange(4):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, lines[other])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                lines[at] = _changed(lines[at], rng)
    return lines


def _changed(line, rng):
    fields = json.loads(line)
    key = rng.choice(sorted(fields))
    value = fields[key]
    if isinstance(value, list) and value and rng.random() < 0.8:
        value[rng.randrange(len(value))] = rng.choice((*TILES, 0, -1, None))
    else:
        fields[key] = rng.choice((*TILES, "?", 0, 5, -1, None, [], 99999))
    return json.dumps(fields)


def test_logs_without_a_usable_game_give_one_clear_line(tmp_path, capsys):
    (tmp_path / "a.mjson").write_text("{}\n")
    assert main(["train", str(tmp_path), "--out", str(tmp_path / "m"), "--workers", "1"]) == 1
    assert "no game with open hands among 1 log:" in capsys.readouterr().err


def test_hidden_hands_are_refused(games):
    events = [entry.event for entry in read_log(min(games.iterdir())) if entry.event is not None]
    import dataclasses

    at = next(i for i, event in enumerate(events) if hasattr(event, "hands"))
    events[at] = dataclasses.replace(events[at], hands=((None,) * 13, *events[at].hands[1:]))
    with pytest.raises(EventError, match="hidden"):
        dataset.replay(events, "x", 0)


def test_recorded_rons_are_wins_in_the_truth():
    """A recorded ron is a win in the truth of that discard, for the same points."""
    from manue.game.events import Discarded, RoundStart, Won

    compared = 0
    for path in GAMES:
        events = events_of(path)
        _, truths = dataset.replay(events, path.name, 0)
        row = -1
        for at, event in enumerate(events):
            if isinstance(event, Discarded):
                row += 1
            elif (
                isinstance(event, Won)
                and event.source != event.actor
                and isinstance(events[at - 1], Discarded)
            ):
                opponent = (event.actor - event.source) % 4 - 1
                truth = truths[row]
                assert truth["seat"] == event.source
                won = truth["win_points"][opponent, truth["discarded"]]
                assert won > 0
                if events[at - 1].tile[-1] != "r":  # the truth is for plain tiles
                    assert won * 100 == event.points
                    compared += 1
        assert sum(isinstance(event, RoundStart) for event in events) == truths["round"].max() + 1
    assert compared > 20


def test_validation_games_do_not_depend_on_the_others():
    names = [f"game{i}" for i in range(2000)]
    share = np.mean([dataset.is_validation(name) for name in names])
    assert 0.10 < share < 0.15


def test_few_games_are_said_to_be_few_and_a_one_sided_split_what_it_is(games, tmp_path, capsys):
    logs = [log for log in games.iterdir() if not dataset.is_validation(log.name)]
    assert main(["train", *map(str, logs), "--out", str(tmp_path), "--workers", "1"]) == 1
    err = capsys.readouterr().err
    assert f"of {len(logs)} games none is for validation: by the names of their files one in 8" in err
    assert "add games, or give a file another name" in err


def test_games_in_one_file_are_to_be_split(tmp_path, capsys):
    """Another name was advised, with which all of them would have been held out, or none as before."""
    both = tmp_path / "both.mjson"
    both.write_bytes(
        b"".join(gzip.decompress(game(name).read_bytes()) for name in ("four-kans", "four-riichi"))
    )
    assert main(["train", str(both), "--out", str(tmp_path / "out"), "--workers", "1"]) == 1
    assert "split the file (manue convert FILE -o FOLDER)" in capsys.readouterr().err


def test_further_games_that_are_among_the_logs_are_learned_from_once(games, tmp_path, capsys, monkeypatch):
    """They counted twice without a word, whether given by the same path or as a copy of another name."""
    monkeypatch.setattr("manue.commands.train.TRAINERS", ())
    copies = tmp_path / "copies"
    copies.mkdir()
    shutil.copy(game("east-rules"), copies / "again.mjson.gz")
    shutil.copy(game("thirteen-orphans"), copies)
    places = [str(copies), str(games / game("robbed-kan").name)]
    out = ["--out", str(tmp_path / "m"), "--workers", "1"]
    assert main(["train", str(games), "--extra", *places, *out]) == 0
    printed = capsys.readouterr()
    assert "manue: 2 of the 3 logs of --extra left out: they are among LOGS\n" in printed.err
    assert printed.out.startswith("5 games, 0 skipped;")


def test_a_log_that_is_given_twice_is_learned_from_once(games, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("manue.commands.train.TRAINERS", ())
    twice = [str(games), str(games / "." / game("robbed-kan").name)]
    assert main(["train", *twice, "--out", str(tmp_path), "--workers", "1"]) == 0
    assert capsys.readouterr().out.startswith("4 games, 0 skipped;")


def test_equal_names_in_two_folders_may_come_in_either_order(games, tmp_path, monkeypatch):
    """Of two files of one name the one given first came first, and all that was learned depended on it."""
    monkeypatch.setattr("manue.commands.train.TRAINERS", ())
    for folder, name in (("a", "thirteen-orphans"), ("b", "four-kans")):
        (tmp_path / folder).mkdir()
        shutil.copy(game(name), tmp_path / folder / "game.mjson.gz")
    pages = []
    for folders in ("ab", "ba"):
        places = [str(games), *(str(tmp_path / folder) for folder in folders)]
        out = tmp_path / f"models-{folders}"
        assert main(["train", *places, "--out", str(out), "--workers", "1"]) == 0
        pages += [line for line in (out / "MODELS.md").read_text().splitlines() if "digest" in line]
    assert len(pages) == 2
    assert pages[0] == pages[1]


def test_held_out_games_among_further_ones_are_not_rated(games, tmp_path, monkeypatch):
    """The sample of discards once rated them, and left them out afterwards."""
    from manue.training import discard_policy

    monkeypatch.setattr(discard_policy, "_rate", lambda *_args: (None, 0, None, None))
    data = dataset.extract(sorted(games.iterdir()), tmp_path, seed=0, workers=1, progress=lambda _games: None)

    def sampled(held_out):
        settings = {"rate": 1.0, "dangers": None, "win_statistics": None, "held_out": held_out}
        parts = (discard_policy._shard_rows(path, 0, **settings) for path in data.shards)
        return [decision for part in parts for decision in part]

    whole, part = sampled(held_out=True), sampled(held_out=False)
    assert len(part) == sum(not dataset.is_validation(one.game) for one in whole)
    assert 0 < len(part) < len(whole)
    assert not any(dataset.is_validation(one.game) for one in part)


def test_few_games_are_warned_of():
    from manue.training.pipeline import _few_games

    none = dataset.Extraction((), (), 0, (), "", (0, 0))
    few = dataset.Extraction((), (), 10, (), "", (5000, 700))
    assert "few games (10)" in _few_games(few, none)
    assert "(afterstate)" in _few_games(few, none)
    many = dataset.Extraction((), (), 3000, (), "", (1_500_000, 200_000))
    assert _few_games(many, none) == ""
    assert _few_games(few, many) == ""  # further games fill the samples as well


@pytest.mark.parametrize(
    ("seconds", "models", "line"),
    [
        ((1.0, 3.0), 2, "model 2 of 2, opponents; about 180 min left"),
        # of a trainer that is new no seconds are listed: that was a traceback as the second model began
        ((1.0, 3.0), 3, "model 2 of 3, opponents; about 300 min left"),
        # the first compiles: of 24 games it was said that 92 minutes were left, and the run took 15
        ((1.0, 99.0), 2, "model 2 of 2, opponents"),
    ],
    ids=["listed", "new", "small"],
)
def test_the_time_left_follows_from_the_models_before(monkeypatch, capsys, seconds, models, line):
    from rich.console import Console

    from manue.commands import train

    of_ten = {name: (each, 90.0) for name, each in zip(("shapes", "opponents"), seconds, strict=True)}
    display = train._Display(Console(), 10, [trainer.name for trainer in TRAINERS[:models]])
    monkeypatch.setattr(registry, "SECONDS", of_ten)
    display.begin("shapes")
    display._begun["shapes"] -= 3600.0
    display.begin("opponents")
    assert capsys.readouterr().err.splitlines() == [f"model 1 of {models}, shapes", line]


@pytest.mark.parametrize(("games", "minutes"), [(1, 3), (10, 3), (1016, 46.5), (2022, 90), (5000, 90)])
def test_the_time_left_goes_by_the_number_of_games(monkeypatch, games, minutes):
    """Guessed by what ten games took, it was 666 minutes where two hours were left."""
    monkeypatch.setattr(registry, "SECONDS", {"opponents": (3.0, 90.0)})
    assert registry.seconds_of("opponents", games) == registry.seconds_of("new", games) == minutes


def test_parts_of_a_step_are_counted_on_a_pipe(monkeypatch, capsys):
    """Steps of twenty minutes showed nothing while they lasted."""
    from rich.console import Console

    from manue import progress
    from manue.commands import train

    monkeypatch.setattr(progress, "EVERY_SECONDS", 0.0)
    display = train._Display(Console(), 10, [])
    run = Run(None, 0, 1, display)
    assert list(run.counted("decisions", "abc", 1_200)) == ["a", "b", "c"]
    run.step("trees")
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == ["decisions", "decisions: 1 of 1,200"]
    assert [line.startswith(f"decisions: {at} of 1,200") for at, line in enumerate(lines[2:4], 2)] == [
        True
    ] * 2
    assert lines[4:] == ["trees"]


def test_parts_of_a_step_are_counted_on_a_terminal():
    from rich.console import Console

    from manue.commands import train

    display = train._Display(Console(force_terminal=True, file=io.StringIO()), 10, [])
    display.step("decisions", 5)
    display.advance(2)
    (task,) = display._progress.tasks
    assert (task.description, task.completed, task.total) == ("decisions", 2, 5)
    display.step("trees")
    (task,) = display._progress.tasks
    assert (task.description, task.completed, task.total) == ("trees", 0, None)


def test_forbidden_discards_of_the_truth_are_those_that_are_not_legal():
    """After a chi or pon the kinds held without the forbidden ones are those of the legal discards."""
    forbade = 0
    for path in GAMES:
        events = events_of(path)
        made = discards_with_legal_kinds(events)
        for (legal, riichi), scene, truth in zip(made, *dataset.replay(events, path.name, 0), strict=True):
            held = set(np.flatnonzero(scene["hand"]).tolist())
            assert riichi or held - set(truth["forbidden"].tolist()) == legal
            forbade += not riichi and held != legal
    assert forbade > 5


def discards_with_legal_kinds(events):
    """Yield the kinds that could be discarded at each discard, and whether in riichi."""
    for made in recorded_decisions(events):
        if isinstance(made.chosen, Discard):
            legal = {KIND_OF[action.tile] for action in made.actions if isinstance(action, Discard)}
            yield legal, made.state.me.riichi


def test_a_table_without_the_rule_against_swap_calls_forbids_nothing():
    """A discard that the rule forbids, and that was made all the same, is one that could be made."""
    for path in GAMES:
        events = list(events_of(path))
        discards = [at for at, event in enumerate(events) if isinstance(event, Discarded)]
        for at, scene, truth in zip(discards, *dataset.replay(events, path.name, 0), strict=True):
            for kind in truth["forbidden"].tolist():
                if kind < 0 or not scene["hand"][kind]:
                    continue
                swap = [*events[:at], replace(events[at], tile=KINDS[kind])]
                with contextlib.suppress(EventError):  # the hand may hold the red five alone
                    _, truths = dataset.replay(swap, path.name, 0)
                    assert truths["forbidden"][-1].tolist() == [-1, -1]
                    return
    pytest.fail("no call that forbids a discard")
