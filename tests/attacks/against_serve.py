"""Hostile clients: beside any number of them `manue serve` answers an honest table at once, in its memory."""

import json
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress

from tests.attacks.against_play import DEFLATE, frame, squeezed, suspicious
from tests.attacks.drill import Watched, attack
from tests.server.clients import RubyClient

ANSWER_SECONDS = 1.0
"""How long an honest client may wait for the answer to its line, and for its game to begin."""
ATTACK_SECONDS = 3.0
"""How long each kind of attack lasts."""
STOP_SECONDS = 5.0
RUDE_ADDRESS = "127.0.0.2"
"""Where hostile clients come from: the bound for an address keeps room for others."""
GET = "GET /ws/ranked HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
KEY = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
JOIN = b'{"type":"join","name":"rude","room":"default"}\n'


class Timed(RubyClient):
    """An honest client that notes the longest time it has waited for a line."""

    def __init__(self, port):
        self.longest, self._asked = 0.0, time.monotonic()
        super().__init__(port, "honest")

    def read(self):
        line = super().read()
        self.longest = max(self.longest, time.monotonic() - self._asked)
        return line

    def write(self, message):
        self._asked = time.monotonic()
        super().write(message)


class Server:
    """`manue serve` as its own process."""

    def __init__(self, folder):
        self._errors = (folder / "errors").open("w+b")
        self.folder = folder
        command = [sys.executable, "-m", "manue", "serve", "--port", "0", "--ws", "0", "--east"]
        command += ["--fill", "tsumogiri", "--decision-seconds", "5", "--bank-seconds", "2"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=self._errors)
        self.watched = Watched(self.process.pid)
        while len(ports := re.findall(r"://127\.0\.0\.1:(\d+)/", self.messages())) < 2:
            time.sleep(0.05)
        self.tcp, self.web = map(int, ports)
        Timed(self.tcp).play()  # models and modules are loaded now
        self.watched.is_idle()

    def messages(self):
        return (self.folder / "errors").read_text(errors="surrogateescape")

    def close(self, row, name):
        started = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(STOP_SECONDS * row.patience)
        took = time.monotonic() - started
        row.check(
            self.process.poll() == 130, f"{name}: code {self.process.poll()} after {took:.1f} s of Ctrl-C"
        )
        self.process.kill()
        self.process.wait()
        self._errors.close()
        wrong = suspicious(self.messages(), 10_000_000)  # a line for each game that came to nothing
        row.check(not wrong, f"{name}: {wrong}")
        row.grown(self.watched.growth(), name)


class Attackers:
    """Threads that run one kind of attack until it is over, and count what they sent."""

    def __init__(self, server, deed, threads):
        self.server, self.inputs, self.over = server, 0, threading.Event()
        self._open = []
        self._threads = [
            threading.Thread(target=self._go, args=(deed, n), daemon=True) for n in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def _go(self, deed, number):
        while not self.over.is_set():
            with suppress(OSError):
                deed(self, number)
            time.sleep(0.01)

    def connect(self, port, opening=b""):
        connection = socket.create_connection(("127.0.0.1", port), 2, source_address=(RUDE_ADDRESS, 0))
        connection.settimeout(2)
        self.inputs += 1
        self._open.append(connection)
        connection.sendall(opening)
        return connection

    def tcp(self, opening=b""):
        return self.connect(self.server.tcp, opening)

    def upgraded(self, extra=""):
        connection = self.connect(self.server.web, f"{GET}{KEY}{extra}\r\n".encode())
        connection.recv(4096)
        return connection

    def flood(self, connection, data):
        with connection:
            while not self.over.is_set():
                connection.sendall(data)
                self.inputs += 1

    def stop(self):
        self.over.set()
        for connection in self._open:
            connection.close()
        for thread in self._threads:
            thread.join()


def silent_tcp(attack, _number):
    attack.tcp()


def silent_web(attack, _number):
    attack.connect(attack.server.web, GET.encode())


def slow(attack, _number):
    connection = attack.tcp()
    for byte in JOIN * 10:
        connection.sendall(bytes([byte]))
        time.sleep(0.05)


def unread_flood(attack, _number):
    attack.flood(attack.tcp(JOIN), b'{"type":"none"}\n' * 500)


def long_line(attack, _number):
    attack.flood(attack.tcp(), b"x" * 60_000)


def wide_join(attack, _number):
    attack.tcp(b'{"type":"join","name":"x","room":"default","more":[' + b"0," * 30_000 + b"0]}\n").recv(100)


def garbage(attack, number):
    data = random.Random(number).randbytes(2000)
    attack.tcp(data + b"\n").recv(200)
    attack.connect(attack.server.web, data + b"\r\n\r\n").recv(200)


def come_and_go(attack, _number):
    attack.tcp().close()
    attack.connect(attack.server.web).close()


def seated_and_silent(attack, _number):
    attack.tcp(JOIN)
    time.sleep(0.2)


def seated_and_gone(attack, _number):
    attack.tcp(JOIN).close()


def names(attack, _number):
    name = "\x1b[2J\u202e<script>\n\\" + "x" * 50_000
    attack.tcp(json.dumps({"type": "join", "name": name, "room": "default"}).encode() + b"\n").recv(100)


def bombs(attack, _number):
    payload = frame(squeezed(bytes(60_000)), deflated=True)
    attack.flood(attack.upgraded(DEFLATE[2:] + "\r\n"), payload * 100)


def giant_frames(attack, _number):
    attack.flood(attack.upgraded(), b"\x81\xff" + b"\x3f" + b"\xff" * 7 + b"abcd" + b"x" * 60_000)


def masked(payload, opcode):
    head = frame(payload, opcode)
    return bytes([head[0], head[1] | 0x80]) + head[2 : len(head) - len(payload)] + b"\0\0\0\0" + payload


def pings(attack, _number):
    attack.flood(attack.upgraded(), masked(b"x" * 100, 9) * 200)


def fragments(attack, _number):
    attack.flood(attack.upgraded(), masked(b"", 0)[:0] + b"\x00\x80abcd" * 1000)


def other_origins(attack, _number):
    attack.upgraded("Origin: http://evil.example\r\n").recv(100)


def dripping_header(attack, _number):
    connection = attack.connect(attack.server.web)
    for byte in (GET + KEY).encode() * 10:
        connection.sendall(bytes([byte]))
        time.sleep(0.05)


DEEDS = {
    "a thousand silent TCP connections": (silent_tcp, 4),
    "a thousand silent WebSocket connections": (silent_web, 4),
    "floods by clients that read nothing": (unread_flood, 8),
    "pings without end": (pings, 8),
    "random bytes": (garbage, 4),
    "joining and falling silent": (seated_and_silent, 8),
    "slow joins": (slow, 50),
    "lines without end": (long_line, 8),
    "joins with 30,000 values": (wide_join, 4),
    "coming and going": (come_and_go, 4),
    "joining and leaving": (seated_and_gone, 2),
    "names with escapes, 50 KB long": (names, 4),
    "compressed frames": (bombs, 8),
    "frames of 4 EiB": (giant_frames, 8),
    "fragments without end": (fragments, 8),
    "pages of other origins": (other_origins, 4),
    "slow headers": (dripping_header, 50),
}


@contextmanager
def serving(row, name):
    server = Server(row.folder)
    try:
        yield server
    finally:
        server.close(row, name)


def honest_game(row, server, name):
    """Play a game; a wait beyond the promise is a failure."""
    started = time.monotonic()
    try:
        client = Timed(server.tcp)
        client.connection.settimeout(60)
        scores = client.play()
        row.check(sum(scores) == 100_000, f"{name}: scores {scores}")
        longest = client.longest
    except (AssertionError, OSError) as error:
        row.failures.append(f"{name}: the honest client lost its game: {type(error).__name__} {error}")
        longest = time.monotonic() - started
    row.check(longest <= ANSWER_SECONDS * row.patience, f"{name}: an answer took {longest:.2f} s")


@attack(
    "`serve` against silent, slow, flooding, thousand-fold clients; an honest table answered within 1 s", 0.12
)
def clients(row):
    for name, (deed, threads) in row.some(DEEDS.items()):
        with serving(row, name) as server:
            attackers = Attackers(server, deed, threads)
            end = time.monotonic() + ATTACK_SECONDS * row.part
            honest_game(row, server, name)
            while time.monotonic() < end:
                honest_game(row, server, name)
            attackers.stop()
            row.inputs += attackers.inputs
            honest_game(row, server, f"after {name}")


@attack("`serve` without descriptors to spare (128)", 0.0)
def descriptors(row):
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, hard))
    try:
        server = Server(row.folder)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    silent = [socket.create_connection(("127.0.0.1", port)) for port in (server.tcp, server.web) * 150]
    row.inputs += len(silent)
    honest_game(row, server, "few descriptors")
    for one in silent:
        one.close()
    honest_game(row, server, "after few descriptors")
    server.close(row, "few descriptors")
