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
