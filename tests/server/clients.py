"""Clients for tests, written from the description of the protocol alone: no code of the package is used."""

import json
import random
import socket
import threading
from collections import Counter


def first_handshake_finds_no_thread(monkeypatch):
    """Let the system refuse a thread to the first client that connects from now on."""
    refused = []

    class Thread(threading.Thread):
        def start(self):
            if self.name == "handshake" and not refused:
                refused.append(self)
                raise RuntimeError("can't start new thread")
            super().start()

    monkeypatch.setattr(threading, "Thread", Thread)


class Hand:
    """A client's own tiles, tracked as a client must: from the events, never from its replies."""

    def __init__(self):
        self.tiles = Counter()
        self.drawn = None
        self.riichi = False

    def follow(self, event, me):
        kind = event["type"]
        if kind == "start_kyoku":
            self.__init__()
            self.tiles.update(event["tehais"][me])
            assert "?" not in self.tiles
        if event.get("actor") != me:
            return
        if kind == "tsumo":
            self.drawn = event["pai"]
            self.tiles[event["pai"]] += 1
        elif kind == "reach":
            self.riichi = True
        elif kind == "dahai":
            self._take([event["pai"]])
        elif kind in {"chi", "pon", "daiminkan", "ankan"}:
            self._take(event["consumed"])
        elif kind == "kakan":
            self._take([event["pai"]])

    def _take(self, tiles):
        for tile in tiles:
            assert self.tiles[tile] > 0
            self.tiles[tile] -= 1
        self.drawn = None

    def discard(self, me, forbidden, rng, *, must_be_drawn):
        if must_be_drawn:
            tile = self.drawn
        else:
            tile = rng.choice(sorted(tile for tile in self.tiles.elements() if tile not in forbidden))
        return {"type": "dahai", "actor": me, "pai": tile, "tsumogiri": tile == self.drawn}


class RubyClient:
    """Plays at random, eager to call, over the original server's protocol."""

    def __init__(self, port, name, seed=0, room="default"):
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=600)
        self.lines = self.connection.makefile("rb")
        self.rng = random.Random(seed)
        self.name = name
        self.seen = []
        self.hello = self.read()
        missing = {"waiting_for"} & set(self.hello)  # only where others have to join, too
        assert self.hello == {"type": "hello", "protocol": "mjsonp", "protocol_version": 3} | {
            field: self.hello[field] for field in missing
        }
        self.write({"type": "join", "name": name, "room": room})

    def read(self):
        line = self.lines.readline()
        return json.loads(line) if line else None

    def write(self, message):
        self.connection.sendall(json.dumps(message).encode() + b"\n")

    def close(self):
        self.lines.close()
        self.connection.close()

    def play(self):
        """Play one game; return the final scores."""
        hand, me, accepted = Hand(), None, False
        while (event := self.read()) is not None:
            self.seen.append(event)
            kind = event["type"]
            if kind == "start_game":
                me = event["id"]
            if kind == "start_kyoku":
                accepted = False
                assert "scores" not in event
            if kind == "reach_accepted" and event["actor"] == me:
                accepted = True
            hand.follow(event, me)
            if kind == "end_game":
                self.write({"type": "none"})
                self.close()
                return event["scores"]
            assert kind != "error", event
            self.write(self.answer(event, hand, me, accepted))
        raise AssertionError("the server hung up")

    def answer(self, event, hand, me, accepted):
        kind, own = event["type"], event.get("actor") == me
        offered = event.get("possible_actions", [])
        wins = [move for move in offered if move["type"] == "hora"]
        if wins:
            return wins[0]
        if offered and self.rng.random() < 0.5:
            return self.rng.choice(offered)
        if own and kind in {"tsumo", "chi", "pon", "reach"}:
            assert ("possible_actions" in event) == (kind == "tsumo")
            return hand.discard(me, event.get("cannot_dahai", []), self.rng, must_be_drawn=accepted)
        return {"type": "none"}
