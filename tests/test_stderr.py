"""Lines for people come whole, whoever else writes."""

import io
import sys
import threading

import pytest

from manue.__main__ import main
from manue.progress import lines_of_progress
from manue.stderr import note, report
from tests.conftest import game


class Slow(io.StringIO):
    """A stream on which another thread gets its turn after every piece that is written."""

    def write(self, text):
        super().write(text)
        threading.Event().wait(0.001)
        return len(text)


class Closed(io.StringIO):
    """A stream whose reader has gone."""

    def write(self, text):
        raise BrokenPipeError(text)


def test_lines_of_two_threads_ran_into_each_other(monkeypatch):
    stream = Slow()
    monkeypatch.setattr(sys, "stderr", stream)
    threads = [
        threading.Thread(target=lambda name=name: [report(name) for _ in range(50)])
        for name in ("one", "two")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(stream.getvalue().splitlines()) == ["manue: one"] * 50 + ["manue: two"] * 50


@pytest.mark.parametrize("stream", [None, Closed()])
def test_a_line_for_nobody_was_an_error(stream, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream)
    report("is anybody there?")
    note("so many done")


def test_a_page_for_which_nobody_reads_standard_error_was_a_failure(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Closed())
    assert main(["view", str(game("four-riichi")), "-o", str(tmp_path / "page.html")]) == 0


def test_progress_that_nobody_reads_ended_the_work(monkeypatch):
    monkeypatch.setattr("manue.progress.EVERY_SECONDS", 0.0)
    monkeypatch.setattr(sys, "stderr", Closed())
    lines_of_progress("games", 2)(1)
