"""Clients that send garbage, alongside honest ones."""

import json
import random
import re
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.conftest import FULL
from tests.server.clients import RubyClient
from tests.waiting import wait_until

pytest.importorskip("riichienv")

ROUNDS = 200 if FULL else 3
"""How often every bad thing is done."""
HONEST = 2
JOIN = b'{"type":"join","name":"fuzz","room":"default"}\n'
STATUS = "/proc/{}/status"


def random_bytes(connection, rng):
    connection.sendall(rng.randbytes(rng.randrange(1, 5000)) + b"\n")


def huge_line(connection, _rng):
    connection.sendall(b"[" * 2_000_000)


def long_name(connection, _rng):
    connection.sendall(b'{"type":"join","name":"' + b"n" * 40_000 + b'","room":"default"}\n' * 3)


def early_close(connection, rng):
    if rng.random() < 0.5:
        connection.sendall(JOIN)


def flood(connection, _rng):
    connection.sendall(JOIN + b'{"type":"none"}\n' * 100_000)


def wrong_seat(connection, rng):
    """Join, follow a few events, then act for another seat."""
    with connection.makefile("rb") as lines:
        connection.sendall(JOIN)
        lines.readline()
        seat = json.loads(lines.readline())["id"]
        connection.sendall(b'{"type":"none"}\n' * rng.randrange(1, 4))
        reply = {"type": "dahai", "actor": (seat + 1) % 4, "pai": "1m", "tsumogiri": False}
        connection.sendall(json.dumps(reply).encode() + b"\n")
        lines.read()


def rubbish_at_the_table(connection, rng):
    connection.sendall(JOIN)
    connection.recv(4096)
    connection.sendall(rng.randbytes(2000) + b"\n")
    connection.recv(1 << 16)


DEEDS = (random_bytes, huge_line, long_name, early_close, flood, wrong_seat, rubbish_at_the_table)
FRAMES = (
    "what?",
    "[" * 100_000,
    '{"type":"none","request_id":-1}',
    '{"type":"none","request_id":99999}',
    b"\xff",
)


def websocket_rubbish(port, rng):
    """Answer a request with a wrong number, a huge frame, or bytes that are not text."""
    with connect(f"ws://127.0.0.1:{port}", max_size=None, close_timeout=1) as connection:
        for _ in range(rng.randrange(1, 40)):
            if json.loads(connection.recv(timeout=5)).get("type") == "request_action":
                break
        connection.send(rng.choice(FRAMES))
        connection.recv(timeout=5)


def misbehave(deed, tcp, web, rng):
    """Connect once and misbehave."""
    with suppress(OSError, ValueError, KeyError, TimeoutError, WebSocketException):
        if deed is websocket_rubbish:
            deed(web, rng)
            return
        with socket.create_connection(("127.0.0.1", rng.choice((tcp, tcp, web))), timeout=5) as connection:
            deed(connection, rng)


def memory_mib(process):
    """Return the memory that the server holds, in MiB."""
    status = Path(STATUS.format(process.pid)).read_text(encoding="ascii")
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) / 1024


class Server:
    """``manue serve`` in its own process."""

    def __init__(self, *options):
        command = [sys.executable, "-m", "manue", "serve", "--port", "0", "--ws", "0", "--east", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        lines = iter(self.process.stderr.readline, "")  # its addresses, perhaps after a note on compiling
        found = (re.search(r"://[\w.]+:(\d+)/", line) for line in lines)
        self.ports = [int(port[1]) for port in islice(filter(None, found), 2)]
        self.output, self.complaints = [], []
        self._readers = [
            threading.Thread(target=kept.extend, args=(stream,))
            for kept, stream in ((self.output, self.process.stdout), (self.complaints, self.process.stderr))
        ]
        for reader in self._readers:
            reader.start()

    def stop(self):
        self.process.terminate()
        for reader in self._readers:
            reader.join()
        self.process.stdout.close()
        self.process.stderr.close()
        self.process.wait()


def shown_by(server):
    """Return the honest games that the server has reported, and their lines."""
    found = ((re.search(r"(honest\d+\.\d+) -?\d+", line), line) for line in list(server.output))
    return {match[1]: line for match, line in found if match}


def play_on(port, name, over, scores):
    """Play game after game, honestly."""
    number = 0
    while number == 0 or not over.is_set():
        scores[f"{name}.{number}"] = RubyClient(port, f"{name}.{number}", number).play()
        number += 1


@pytest.mark.timeout(3600)
@pytest.mark.skipif(not Path(STATUS.format("self")).exists(), reason="memory is read from /proc")
def test_fuzzing_leaves_other_tables_alone_and_memory_level():
    server = Server("--fill", "greedy", "--decision-seconds", "600")
    tcp, web = server.ports
    over, scores, memory, rng = threading.Event(), {}, [], random.Random(3)
    deeds = [*DEEDS, websocket_rubbish] * ROUNDS
    rng.shuffle(deeds)
    honest = [
        threading.Thread(target=play_on, args=(tcp, f"honest{at}", over, scores)) for at in range(HONEST)
    ]
    try:
        RubyClient(tcp, "first").play()  # whatever a game needs is in memory then
        for thread in honest:
            thread.start()
        for deed in deeds:
            misbehave(deed, tcp, web, rng)
            memory.append(memory_mib(server.process))
        over.set()
        for thread in honest:
            thread.join()
        # reported after the clients know the end
        wait_until(lambda: shown_by(server).keys() == scores.keys(), 600)
    finally:
        over.set()
        server.stop()
    shown = shown_by(server)
    early, late = (max(part) for part in (memory[: len(memory) // 2], memory[len(memory) // 2 :]))
    print(f"{len(scores)} honest games, {len(deeds)} bad connections")
    print(f"memory: {memory[0]:.0f} MiB at first, {early:.0f} at most in the first half, {late:.0f} after it")
    assert len(scores) >= HONEST
    assert all(sum(points) == 100_000 for points in scores.values())
    assert shown.keys() == scores.keys()
    assert not any(";" in line for line in shown.values()), shown
    assert late < early + 16
    assert not any("Traceback" in line for line in server.complaints), server.complaints
