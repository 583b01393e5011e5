"""Copies of a record are found by what they hold."""

import gzip
import os

import pytest

from manue.records.copies import find_distinct_logs

GAME = b'{"type":"start_game"}\n{"type":"end_game"}\n'


def test_copies_were_games_of_their_own(tmp_path, capsys):
    """Learned from under one name, held out under another; now the first name counts, in whatever order."""
    for name, content in (("b.mjson", GAME), ("a.mjson.gz", gzip.compress(GAME)), ("c.mjson", GAME + b"\n")):
        (tmp_path / name).write_bytes(content)
    names = ("c.mjson", "b.mjson", "a.mjson.gz")
    found = find_distinct_logs([tmp_path / name for name in names])
    assert [log.name for log in found] == [
        "c.mjson",
        "a.mjson.gz",
    ]
    assert capsys.readouterr().err == "manue: 1 of 3 logs left out: copies of others\n"
    assert len(find_distinct_logs([tmp_path / "c.mjson", tmp_path / "c.mjson"])) == 1
    assert capsys.readouterr().err == ""


def test_archives_of_thousands_of_games_were_copies_where_their_first_ones_are(tmp_path):
    games = [gzip.compress(GAME, 1)] * 4300
    (tmp_path / "a.mjson.gz").write_bytes(b"".join(games))
    (tmp_path / "b.mjson.gz").write_bytes(b"".join(games) + gzip.compress(b"\n"))
    assert len(find_distinct_logs([tmp_path])) == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_cannot_be_read_is_no_copy_and_nobody_waits_for_it(tmp_path):
    (tmp_path / "a.mjson.gz").write_bytes(gzip.compress(GAME)[:-9])
    (tmp_path / "b.mjson.gz").write_bytes(gzip.compress(GAME)[:-9])
    os.mkfifo(tmp_path / "c.mjson")
    (tmp_path / "d.mjson").mkdir()  # a folder like any other
    (tmp_path / "e.mjson").symlink_to("nothing")
    assert len(find_distinct_logs([tmp_path])) == 4
