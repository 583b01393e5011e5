"""What is sent to a page: in order, without waiting for it, and no more than it can be meant to read."""

import queue
import threading

import pytest

from manue.webtable.outbox import MAX_UNSENT, Outbox
from tests.webtable.players import WAIT


class Connection:
    """A connection that blocks, as that of a page that does not read, until it is let go on."""

    def __init__(self):
        self.sent = queue.Queue()
        self.asked, self.free = threading.Event(), threading.Event()

    def send(self, message):
        self.asked.set()
        assert self.free.wait(WAIT)
        self.sent.put(message)

    def close(self, code):
        self.sent.put(code)


def test_messages_and_the_end_come_in_order():
    connection = Connection()
    page = Outbox(connection)
    for number in range(50):
        page.send(str(number))
    page.close(4001)
    page.close(1000)
    connection.free.set()
    assert [connection.sent.get(timeout=WAIT) for _ in range(51)] == [*map(str, range(50)), 4001]
    with pytest.raises(OSError, match="does not read"):
        page.send("more")


def test_a_page_that_does_not_read_held_up_the_table():
    """Sending waited for it, and with it whoever played; now it fails once too much waits."""
    connection = Connection()
    page = Outbox(connection)
    page.send("event")
    assert connection.asked.wait(WAIT)
    for _ in range(MAX_UNSENT):
        page.send("event")
    with pytest.raises(OSError, match="does not read"):
        page.send("event")
    page.close(4003)
    connection.free.set()
    while connection.sent.get(timeout=WAIT) != 4003:
        pass


def test_nothing_is_sent_to_a_page_that_is_gone():
    class Gone(Connection):
        def send(self, message):
            raise ConnectionError("gone")

    connection = Gone()
    page = Outbox(connection)
    page.send("one")
    page.close(4003)
    assert connection.sent.get(timeout=WAIT) == 4003
