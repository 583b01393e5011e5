"""Which files of a folder are records."""

import errno
import os
from pathlib import Path

import pytest

from manue.__main__ import main
from manue.errors import LogError
from manue.records.finding import files_below, find_logs

TEXT = b'{"type":"start_game","names":["a","b","c","d"]}\n{"type":"end_kyoku"}\n'


def put_log(folder, name="game.mjson"):
    path = folder / name
    path.write_bytes(TEXT)
    return path


def test_what_is_not_there_and_a_folder_without_logs_are_clear_errors(tmp_path):
    with pytest.raises(LogError, match="no such file"):
        find_logs([tmp_path / "none"])
    with pytest.raises(LogError, match="no game logs"):
        find_logs([tmp_path])


def test_links_in_a_circle_were_a_traceback(tmp_path, monkeypatch, capsys):
    put_log(tmp_path)
    monkeypatch.chdir(tmp_path)
    circle = Path("circle.mjson")
    circle.symlink_to(circle)
    for output in ("out.xml", "out"):
        assert main(["convert", str(circle), "-o", output]) == 1
        assert capsys.readouterr().err == "manue: circle.mjson: no such file or folder\n"
    assert [path.name for path in find_logs(["."])] == ["circle.mjson", "game.mjson"]
    assert main(["view", "circle.mjson", "-o", "page.html"]) == 1
    assert capsys.readouterr().err == "manue: circle.mjson: Too many levels of symbolic links\n"


@pytest.mark.parametrize("command", [["convert", "-o", "converted"], ["review", "-o", "pages"]])
def test_a_folder_that_cannot_be_looked_into_was_left_out(tmp_path, monkeypatch, capsys, command):
    put_log(tmp_path)
    shut = tmp_path / "inside" / "shut"
    shut.mkdir(parents=True)
    scandir = os.scandir

    def refused(folder):
        if Path(folder) == shut:  # as the system does, but for root
            raise PermissionError(errno.EACCES, "Permission denied", str(folder))
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", refused)
    monkeypatch.chdir(tmp_path)
    assert main([*command, str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"manue: {shut}: Permission denied\n"


def test_the_results_of_a_match_were_taken_for_damaged_records(tmp_path):
    match = tmp_path / "out" / "match"
    (match / "games").mkdir(parents=True)
    log = match / "games" / "000000.mjson"
    log.write_bytes(TEXT)
    for name in ("match.json", "results.jsonl", "summary.json"):
        (match / name).write_text('{"format": 1, "schedule": [["a", "a", "a", "a"]], "seed": 0}')
    for place in (match, tmp_path):
        assert find_logs([place]) == files_below(place) == [log]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}', "[" * 100_000, None])
def test_records_may_be_called_as_the_results_of_a_match_are(tmp_path, text):
    names = ["match.json", "results.jsonl", "summary.json"]
    for name in names:
        (tmp_path / name).write_bytes(TEXT)
    (tmp_path / "match.json").unlink()
    if text is None:
        (tmp_path / "match.json").symlink_to("match.json")
    else:
        (tmp_path / "match.json").write_text(text)
    assert [path.name for path in find_logs([tmp_path])] == names


def test_a_log_that_is_given_twice_is_read_once(tmp_path, monkeypatch):
    path = put_log(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert find_logs([path, tmp_path, path.name, tmp_path / "." / path.name]) == [path]


def test_endings_in_capitals_were_passed_over_in_folders(tmp_path):
    path = put_log(tmp_path, "GAME.MJSON")
    assert find_logs([tmp_path]) == [path]
