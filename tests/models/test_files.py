"""Model files: what was written is read back; anything else gives one clear error."""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from manue.__main__ import main
from manue.errors import ModelError
from manue.features.feature import Feature
from manue.models import files as tables
from manue.models.afterstate import AfterstateModel
from manue.models.call_policy import CallPolicy
from manue.models.discard_policy import DiscardPolicy
from manue.models.fold import FoldModel
from manue.models.model_set import NAMES, Models
from manue.models.policy import NET_COLUMNS, load_policy
from tests.models.loaded import shipped


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "some.npz"
    tables.write_model(path, {"a": np.arange(500), "b": np.eye(3)}, {"note": "n"})
    return path


def test_round_trip(written):
    file = tables.read_model(written)
    assert np.array_equal(file.arrays["a"], np.arange(500))
    assert (file.name, file.meta["note"]) == ("some", "n")
    assert [path.name for path in written.parent.iterdir()] == ["some.npz"]


def test_a_model_that_does_not_fit_on_the_disk_left_half_of_itself(written, monkeypatch):
    def full(file, **_arrays):
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    before = written.read_bytes()
    monkeypatch.setattr(np, "savez_compressed", full)
    with pytest.raises(OSError, match="No space left on device") as caught:
        tables.write_model(written, {"a": np.arange(500)}, {})
    assert caught.value.filename == str(written)
    assert written.read_bytes() == before
    assert [path.name for path in written.parent.iterdir()] == ["some.npz"]


def test_the_error_for_a_missing_model_suggests_what_to_do(tmp_path):
    with pytest.raises(ModelError, match="run manue train"):
        tables.read_model(tmp_path / "none.npz")
    with pytest.raises(ModelError, match="run manue learn"):  # training does not make it
        tables.read_model(tmp_path / "policy.npz")


@pytest.mark.parametrize("keep", [0, 10, 200, 0.5, 0.99])
def test_truncated_file_is_refused(written, keep):
    whole = written.read_bytes()
    written.write_bytes(whole[: int(keep * len(whole)) if isinstance(keep, float) else keep])
    with pytest.raises(ModelError, match="some"):
        tables.read_model(written)


def test_every_flipped_byte_is_noticed_or_harmless(written):
    whole = written.read_bytes()
    expected = tables.read_model(written)
    flipped, noticed = range(0, len(whole), 7), 0
    for at in flipped:
        damaged = bytearray(whole)
        damaged[at] ^= 0x10
        written.write_bytes(damaged)
        try:
            file = tables.read_model(written)
        except ModelError:
            noticed += 1
            continue
        assert file.digest == expected.digest  # a byte of the archive's own bookkeeping
    assert noticed > len(flipped) / 2


def test_changed_content_has_another_digest(written):
    with np.load(written) as content:
        arrays = {name: content[name] for name in content.files}
    arrays["a"] = arrays["a"] + 1
    np.savez(written, **arrays)
    with pytest.raises(ModelError, match="digest"):
        tables.read_model(written)


def test_other_schema_is_refused(written):
    content = {"a": np.arange(3), "meta": np.array(json.dumps({"schema": tables.SCHEMA + 1}))}
    np.savez(written, **content, digest=np.array(tables.digest_of(content)))
    with pytest.raises(ModelError, match="schema"):
        tables.read_model(written)


def test_pickles_are_not_opened(written):
    np.savez(written, a=np.array([print], dtype=object))
    with pytest.raises(ModelError, match="damaged or not a model"):
        tables.read_model(written)


def test_other_features_are_refused(written):
    with pytest.raises(ModelError, match="other features"):
        tables.checked_columns(tables.read_model(written), (Feature("x", ""),))


def test_a_missing_array_is_named(written):
    with pytest.raises(ModelError, match="has no nothing"):
        tables.read_model(written).array("nothing", (1,))


@pytest.mark.parametrize(
    ("model", "name", "key"),
    [
        (AfterstateModel, "afterstate", "columns"),
        (AfterstateModel, "afterstate", "growth_columns"),
        (CallPolicy, "call_policy", "columns"),
        (DiscardPolicy, "discard_policy", "columns"),
        (DiscardPolicy, "discard_policy", "planes"),
        (FoldModel, "fold", "columns"),
    ],
)
def test_columns_in_another_order_are_refused(model, name, key):
    file = tables.read_model(tables.models_dir() / f"{name}.npz")
    model.of(file)
    remedy = f"{file.path} was learned from other features: run manue train "
    with pytest.raises(ModelError, match=re.escape(remedy)):
        model.of(replace(file, meta={**file.meta, key: file.meta[key][::-1]}))


def test_discard_rates_of_waits_for_other_classes_are_refused():
    file = tables.read_model(tables.models_dir() / "afterstate.npz")
    arrays = {**file.arrays, "wait_discard_rates": np.zeros((3, 4, 6, 3, 4))}
    with pytest.raises(ModelError, match="rates as float64"):
        AfterstateModel.of(replace(file, arrays=arrays))
    del arrays["wait_discard_rates"]
    with pytest.raises(ModelError, match="has no wait_discard_rates"):
        AfterstateModel.of(replace(file, arrays=arrays))


@pytest.mark.parametrize("weights", [np.float32(1.0), np.ones((2, 3), np.float32)])
def test_a_policy_net_that_is_no_row_of_weights_is_refused(tmp_path, weights):
    tables.write_model(tmp_path / "policy.npz", {"weights": weights}, {"columns": NET_COLUMNS})
    with pytest.raises(ModelError, match=r"policy.npz has weights as float32.*: run manue learn"):
        load_policy(tmp_path)


def test_a_policy_net_learned_from_other_features_is_refused(tmp_path):
    columns = {**NET_COLUMNS, "riichi": []}
    tables.write_model(tmp_path / "policy.npz", {"weights": np.ones(1)}, {"columns": columns})
    with pytest.raises(ModelError, match=r"policy.npz was learned from other features: run manue learn"):
        load_policy(tmp_path)


def test_models_of_the_repository_load():
    assert shipped().dangers.kinds.riichi.roots.size > 1
    assert shipped().dangers.opponents.sizes.shape == (2, 8, 3)
    assert shipped().fold.trees.roots.size > 1


def _truncate(path):
    path.write_bytes(path.read_bytes()[:5000])


def _remove(path):
    path.unlink()


def _change(path):
    with np.load(path) as content:
        arrays = {name: content[name] for name in content.files}
    arrays["riichi.value"] = arrays["riichi.value"] * 2
    np.savez(path, **arrays)


def _of_the_future(path):
    content = {"meta": np.array(json.dumps({"schema": tables.SCHEMA + 1}))}
    np.savez(path, **content, digest=np.array(tables.digest_of(content)))


def _of_other_features(path):
    model = tables.read_model(path)
    tables.write_model(path, model.arrays, {**model.meta, "columns": ["x"]})


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (_truncate, "damaged"),
        (_remove, "manue train"),
        (_change, "digest"),
        (_of_the_future, "schema"),
        (_of_other_features, "other features"),
    ],
)
def test_a_bad_model_file_gives_one_clear_line(damage, words, tmp_path, monkeypatch, capsys):
    models = tmp_path / "models"
    shutil.copytree(tables.models_dir(), models)
    damage(models / "danger.npz")
    log = Path(__file__).parents[2] / "data/games/four-manue.mjson.gz"
    monkeypatch.setenv("MANUE_MODELS", str(models))
    assert main(["review", str(log), "--seat", "0", "-o", str(tmp_path / "page.html")]) == 1
    lines = [line for line in capsys.readouterr().err.splitlines() if "danger" in line]
    assert len(lines) == 1
    assert lines[0].startswith("manue: ")
    assert words in lines[0]


def test_a_bare_checkout_without_models_was_a_traceback(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.delenv("MANUE_MODELS", raising=False)
    monkeypatch.setattr(tables, "files", missing)
    with pytest.raises(ModelError, match="install the package"):
        tables.models_dir()


def test_another_folder_can_be_named(tmp_path, monkeypatch):
    monkeypatch.setenv("MANUE_MODELS", str(tmp_path))
    with pytest.raises(ModelError, match=str(tmp_path)):
        Models.load()


@pytest.mark.parametrize("folder", ["x" * 300, "a\0b", "/dev/null"])
def test_a_folder_that_the_system_refuses_was_an_error_of_the_system(folder):
    """Regression: "File name too long" was an OSError."""
    with pytest.raises(ModelError):
        Models.load(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may become somebody else")
def test_a_folder_that_may_not_be_read_was_an_error_of_the_system(tmp_path):
    hidden = tmp_path / "hidden"
    hidden.mkdir(mode=0)
    program = (
        "import os, sys; from manue.models.files import version_of, read_model; from pathlib import Path\n"
    )
    program += "from manue.errors import ModelError; path = Path(sys.argv[1]); os.seteuid(65534)\n"
    program += "assert version_of(path) == 0\ntry: read_model(path)\nexcept ModelError: print('refused')"
    command = [sys.executable, "-c", program, str(hidden / "placement.npz")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("refused\n", "")


def test_unchanged_files_are_read_once_and_changed_ones_again(tmp_path):
    models = tmp_path / "models"
    shutil.copytree(tables.models_dir(), models)
    first = Models.load(models)
    assert Models.load(models) is first
    file = tables.read_model(models / "placement.npz")
    tables.write_model(
        models / "placement.npz", {**file.arrays, "shape": file.array("shape", (5,)) * 2}, file.meta
    )
    changed = Models.load(models)
    assert changed.placement.shape == pytest.approx(2 * first.placement.shape)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_model_with_nan_was_loaded(tmp_path, bad):
    tables.write_model(tmp_path / "bad.npz", {"weights": np.array([1.0, bad])}, {})
    with pytest.raises(ModelError, match="weights holds numbers that are not finite"):
        tables.read_model(tmp_path / "bad.npz")


def test_a_small_file_became_gigabytes(tmp_path):
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, zeros=np.zeros(tables.MAX_MODEL + 1, np.int8))
    assert path.stat().st_size < 100_000
    with pytest.raises(ModelError, match="more data than a model has"):
        tables.read_model(path)


def _variants(array):
    """What may stand in the place of an array: each of another shape or type."""
    yield "missing", None
    yield "empty", np.zeros((0, *array.shape[1:]), array.dtype) if array.ndim else np.zeros(0)
    yield "one axis more", array[None]
    yield "text", np.full(array.shape, "x")
    yield "integers", np.zeros(array.shape, np.uint64)
    if array.ndim:
        yield "one less", array[:-1]
        yield "twice", np.concatenate([array, array])
    if array.ndim > 1:
        yield "flat", array.ravel()
        yield "transposed", np.ascontiguousarray(array.T)
        yield "one column less", array[..., :-1]


def _whole_set():
    return {name: tables.read_model(tables.models_dir() / f"{name}.npz") for name in NAMES}


WHOLE = _whole_set()
ARRAYS = [(name, key) for name, file in WHOLE.items() for key in sorted(file.arrays)]


@pytest.mark.parametrize(("name", "key"), ARRAYS, ids=[f"{name}-{key}" for name, key in ARRAYS])
def test_arrays_of_another_shape_or_type_were_loaded(name, key):
    """Kernels address memory by these numbers: whatever does not fit ends in one clear line."""
    file = WHOLE[name]
    loaded = []
    for what, array in _variants(np.asarray(file.arrays[key])):
        arrays = {**file.arrays, key: array}
        if array is None:
            del arrays[key]
        with suppress(ModelError):
            Models.of({**WHOLE, name: replace(file, arrays=arrays)})
            loaded.append(what)
    assert loaded == []


@pytest.mark.parametrize(("key", "value"), [("feature", 16), ("feature", -2), ("children", 0), ("roots", 1)])
def test_nodes_that_lead_out_of_their_arrays_were_loaded(key, value):
    file = WHOLE["fold"]
    array = np.array(file.arrays[f"fold.{key}"])
    array.flat[0] = value
    with pytest.raises(ModelError, match=r"features that no row has|do not form trees"):
        Models.of({**WHOLE, "fold": replace(file, arrays={**file.arrays, f"fold.{key}": array})})
