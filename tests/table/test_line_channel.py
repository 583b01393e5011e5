"""Lines with deadlines."""

import os
import time

import pytest

from manue.errors import SeatFault
from manue.table.line_channel import LineChannel


@pytest.fixture
def channel():
    there, here = os.pipe()
    channel = LineChannel(there, here)
    yield channel
    channel.close()


def test_an_answer_that_was_there_was_late_where_this_process_had_been_stopped(channel):
    """Ctrl-Z stops a match and its clock goes on, but not its programs, which have answered meanwhile."""
    channel.send(b"answer\nhalf", time.monotonic() - 1)
    assert channel.receive(time.monotonic() - 1) == b"answer"
    with pytest.raises(SeatFault, match="it did not answer in time"):
        channel.receive(time.monotonic() - 1)


def test_a_line_is_as_long_as_its_channel_takes():
    """Regression: a line that came in one piece with its end could be nearly twice as long."""
    there, here = os.pipe()
    channel = LineChannel(there, here, max_line=100)
    try:
        channel.send(b"a" * 100 + b"\n" + b"b" * 101 + b"\n", time.monotonic() + 60)
        assert channel.receive(time.monotonic() + 60) == b"a" * 100
        with pytest.raises(SeatFault, match="a line longer than 100 bytes"):
            channel.receive(time.monotonic() + 60)
    finally:
        channel.close()
