"""A folder is written to by one process at a time, and free again however that process ends."""

import fcntl
import os
import shutil
import subprocess
import sys

import pytest

from manue.__main__ import main
from manue.errors import UsageError
from manue.folder_lock import FolderLock, held
from manue.whole_files import whole_file

HOLD = "import sys, time, pathlib; from manue.folder_lock import FolderLock\n"
HOLD += "lock = FolderLock(pathlib.Path(sys.argv[1])); print('held', flush=True); time.sleep(1000)"


def test_the_lock_dies_with_its_process(tmp_path):
    with subprocess.Popen([sys.executable, "-c", HOLD, tmp_path], stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(UsageError, match="another run"):
            FolderLock(tmp_path)
        holder.kill()
    with held(tmp_path), pytest.raises(UsageError):
        FolderLock(tmp_path)
    with held(tmp_path):
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "command",
    [
        ["match", "--seats", "greedy,greedy,greedy,greedy", "--workers", "1", "--out"],
        ["match", "--seats", "greedy,greedy,greedy,greedy", "--workers", "1", "--resume", "--out"],
        ["serve", "--port", "0", "--fill", "tsumogiri", "--games", "1", "--log-dir"],
    ],
    ids=["match", "match --resume", "serve"],
)
def test_two_wrote_into_one_folder(command, tmp_path, capsys):
    pytest.importorskip("riichienv")
    with held(tmp_path / "out"):
        assert main([*command, str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert error.endswith(f"manue: {tmp_path}/out is being written to by another run of manue\n")


def test_two_trained_into_one_folder(tmp_path, capsys):
    log = tmp_path / "log.mjson"
    log.touch()
    with held(tmp_path / "out"):
        assert main(["train", str(log), "--out", str(tmp_path / "out")]) == 2
    assert "is being written to by another run of manue\n" in capsys.readouterr().err


def test_half_a_file_of_a_killed_run_was_left_for_good(tmp_path):
    """Regression: whoever was killed while writing left its part of a file, and nobody took it away."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    folders = [tmp_path, tmp_path / "games", tmp_path / "generations" / "001"]
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        with whole_file(folder / "model.npz") as part:
            part.write_text("whole")
            shutil.copy(part, folder / f".part-{ended.pid}-0")  # as that process would have left it
            shutil.copy(part, folder / f".part-{os.getpid()}-9999")  # as one that runs has not finished it
            shutil.copy(part, folder / ".part-of-mine")
    with held(tmp_path):
        for folder in folders:
            names = {path.name for path in folder.iterdir() if path.is_file()}
            assert names == {"model.npz", f".part-{os.getpid()}-9999", ".part-of-mine"}


def test_a_folder_made_for_nothing_was_left_behind(tmp_path):
    with held(tmp_path / "one"):
        assert (tmp_path / "one").is_dir()
    with held(tmp_path / "two"):
        (tmp_path / "two" / "file").touch()
    (tmp_path / "three").mkdir()
    with held(tmp_path / "three"):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == ["three", "two"]


@pytest.mark.parametrize("moment", ["open", "flock"])
def test_a_folder_that_its_holder_just_removed_was_held_by_two(moment, tmp_path, monkeypatch):
    """The second wrote to a folder that was no longer there, and a third could hold the one made anew."""
    folder = tmp_path / "new"
    holder = FolderLock(folder)
    module = {"open": os, "flock": fcntl}[moment]
    call = getattr(module, moment)

    def late(*args):
        holder.close()
        monkeypatch.undo()
        return call(*args)

    monkeypatch.setattr(module, moment, late)
    with held(folder):
        with pytest.raises(UsageError, match="another run"):
            FolderLock(folder)
        (folder / "file").touch()
    assert (folder / "file").exists()
