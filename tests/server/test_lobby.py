"""The lobby alone, with guests that are no clients."""

import threading
import time

import pytest

from manue.server.lobby import Lobby, ServeSettings
from manue.table.seats import StandIn

pytest.importorskip("riichienv")

TABLES = 4


class Sleeper:
    """A guest whose seat always discards what it draws."""

    name = "sleeper"

    def alive(self):
        return True

    def seated(self, seat, referee):
        return StandIn(seat, referee)

    def leave(self, text):
        raise AssertionError(text)


def test_tables_that_end_together_are_told_one_after_the_other():
    """Two results printed at a time once shared a line."""
    told, at_once, together = [], 0, []

    def tell(finished):
        nonlocal at_once
        at_once += 1
        together.append(at_once)
        time.sleep(0.2)
        told.append(finished.game)
        at_once -= 1

    lobby = Lobby(ServeSettings(games=TABLES, length="east", fill=("tsumogiri",)), tell)
    guests = [threading.Thread(target=lobby.join, args=(Sleeper(),)) for _ in range(TABLES)]
    for guest in guests:
        guest.start()
    assert lobby.done.wait(600)
    assert sorted(told) == list(range(TABLES))
    assert together == [1] * TABLES
