"""Notes on a game, for people: in order, bounded, and never what a game waits for."""

import sys
import threading

import pytest

from manue.transports import driver
from manue.transports.notes import MAX_NOTES, Notes


class Stuck:
    """Standard error that nobody reads for a while: writing waits."""

    def __init__(self):
        self.stuck, self.reading = threading.Event(), threading.Event()
        self.written = []

    def write(self, text):
        self.stuck.set()
        self.reading.wait(60)
        self.written.append(text)

    def flush(self):
        pass


def test_a_game_does_not_wait_for_a_reader_of_its_notes(monkeypatch):
    stream, notes = Stuck(), Notes()
    monkeypatch.setattr(sys, "stderr", stream)
    notes("line 0")
    assert stream.stuck.wait(60)
    for number in range(1, 2 * MAX_NOTES):
        notes(f"line {number}")
    stream.reading.set()
    while "".join(stream.written).count("\n") <= MAX_NOTES:
        notes.flush()
    lines = "".join(stream.written).splitlines()
    assert lines == [f"manue: line {number}" for number in range(MAX_NOTES + 1)]  # the first is not waiting


def test_what_was_noted_is_written_before_the_end(capsys, monkeypatch):
    monkeypatch.setattr("manue.transports.notes.FLUSH_SECONDS", 60)
    notes = Notes()
    for number in range(50):
        notes(f"line {number}\x1b")
    notes.flush()
    assert capsys.readouterr().err.splitlines() == [f"manue: line {number}\\x1b" for number in range(50)]


@pytest.mark.parametrize("lines", [199, 200, 201, 500])
def test_a_host_that_says_nothing_right_is_complained_of_200_times(lines, capsys):
    complain = driver._Complaints()
    for number in range(lines):
        complain(f"line {number}")
    said = capsys.readouterr().err.splitlines()
    assert said[:200] == [f"manue: line {number}" for number in range(min(lines, 200))]
    assert said[200:] == ["manue: further trouble with this host is not reported"] * (lines > 200)
