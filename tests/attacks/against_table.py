"""Hostile neighbours of `manue table`: whatever comes to its port, the game at the page goes on."""

import json
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from manue.game.events import GameEnd
from manue.records.formats import read_record
from tests.attacks.against_play import frame, suspicious
from tests.attacks.against_serve import ANSWER_SECONDS, KEY, STOP_SECONDS, Attackers, masked
from tests.attacks.drill import Watched, attack
from tests.webtable.players import first_option

PATIENCE_SECONDS = 60.0
"""How long a game may take whose seat somebody else with the link takes over again and again."""


class TableProcess:
    """`manue table` as its own process."""

    def __init__(self, folder):
        self.folder = folder
        self._errors = (folder / "errors").open("w+b")
        command = [sys.executable, "-u", "-m", "manue", "table", "--seats", "me,tsumogiri,greedy,tsumogiri"]
        command += ["--east", "--seed", "3", "--no-browser", "--log", str(folder / "game.mjson.gz")]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self._errors, text=True, bufsize=1
        )
        line = self.process.stdout.readline()
        self.url = urlsplit(re.fullmatch(r"table: (http://\S+)\n", line)[1])
        self.web = self.url.port
        self.origin = f"http://{self.url.netloc}"
        self.watched = Watched(self.process.pid)

    def page(self):
        address = f"ws://{self.url.netloc}/seat?{self.url.query}"
        return connect(address, origin=self.origin, open_timeout=10, max_size=None)

    def close(self, row):
        code = None
        with suppress(subprocess.TimeoutExpired):
            code = self.process.wait(STOP_SECONDS * row.patience)
        row.check(code == 0, f"code {code} after leaving")
        if code is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        self.process.stdout.close()
        self._errors.close()
        wrong = suspicious((self.folder / "errors").read_text(errors="surrogateescape"))
        row.check(not wrong, f"stderr: {wrong}")
        row.grown(self.watched.growth(), "the table")


class Owner:
    """The player at the page, who opens it again whenever the line is lost."""

    def __init__(self, table):
        self._table = table
        self._lines = ExitStack()
        self._socket = None
        self.longest = 0.0
        self.lost = 0

    def play(self, deadline):
        """Play to the end of the game; return the final scores."""
        self.longest, asked = 0.0, time.monotonic()
        while time.monotonic() < deadline:
            try:
                message = self._next()
            except (ConnectionClosed, InvalidHandshake, OSError):
                self.lost, self._socket = self.lost + 1, None
                continue
            self.longest = max(self.longest, time.monotonic() - asked)
            over = message if message["type"] == "over" else message.get("over")
            if over:
                return over["scores"]
            ask = message if message["type"] == "ask" else message.get("ask")
            if ask:
                self._answer(ask)
            asked = time.monotonic()
        return None

    def begin_again(self, deadline):
        """Ask for another game until the table shows it."""
        self.say(type="again")
        while time.monotonic() < deadline:
            try:
                message = self._next()
            except (ConnectionClosed, InvalidHandshake, OSError):
                self._socket = None
                continue
            if message["type"] == "table" and "over" not in message:
                self._answer(message["ask"]) if "ask" in message else None
                return
            if message["type"] == "table":
                self.say(type="again")

    def leave(self, deadline):
        """Say so until the table ends: on a page opened anew, for a neighbour may hold the seat."""
        while self._table.process.poll() is None and time.monotonic() < deadline:
            with suppress(ConnectionClosed, InvalidHandshake, OSError):
                self._socket = None
                self._next()
                self.say(type="leave")
            time.sleep(0.2)

    def close(self):
        """Hang up on every line it ever had."""
        self._lines.close()

    def say(self, **message):
        with suppress(ConnectionClosed, OSError):
            self._socket.send(json.dumps(message))

    def _next(self):
        if self._socket is None:
            self._socket = self._lines.enter_context(self._table.page())
        return json.loads(self._socket.recv(timeout=PATIENCE_SECONDS))

    def _answer(self, ask):
        if ask["kind"] == "proceed":
            self.say(type="proceed", request=ask["id"])
        else:
            self.say(type="choose", request=ask["id"], **first_option(ask))


class Neighbours(Attackers):
    """Threads that run one kind of attack on a table."""

    def request(self, path="/", headers="", opening=None):
        """Send a request as if by this machine's own browser; return the connection."""
        text = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.server.web}\r\n{headers}"
        return self.connect(self.server.web, opening or f"{text}\r\n".encode())

    def seated(self, query=None, origin=None):
        """Ask for the seat, by default as its owner would; return the connection."""
        query = self.server.url.query if query is None else query
        origin = self.server.origin if origin is None else origin
        headers = f"Upgrade: websocket\r\nConnection: Upgrade\r\nOrigin: {origin}\r\n{KEY}"
        connection = self.request(f"/seat?{query}", headers)
        connection.recv(4096)
        return connection


def silent(neighbours, _number):
    neighbours.connect(neighbours.server.web)


def slow_headers(neighbours, _number):
    connection = neighbours.connect(neighbours.server.web)
    for byte in b"GET /seat HTTP/1.1\r\nHost: 127.0.0.1\r\n" * 10:
        connection.sendall(bytes([byte]))
        time.sleep(0.05)


def garbage(neighbours, number):
    data = random.Random(number).randbytes(4000)
    neighbours.request(opening=data + b"\r\n\r\n").recv(200)


def long_headers(neighbours, _number):
    neighbours.flood(neighbours.request(opening=b"GET / HTTP/1.1\r\nX: "), b"x" * 60_000)


def wrong_tokens(neighbours, number):
    for query in ("", "token=", f"token={number}", "token=" + "x" * 5000, f"{neighbours.server.url.query}x"):
        neighbours.seated(query).close()
        neighbours.request(f"/?{query}").recv(200)


def other_origins(neighbours, _number):
    for origin in ("http://evil.example", "null", "", "https://127.0.0.1"):
        neighbours.seated(origin=origin).close()


def pages_and_scripts(neighbours, _number):
    for path in ("/", f"/?{neighbours.server.url.query}", "/static/table/main.js", "/static/../seat.py"):
        neighbours.request(path).recv(65536)


def come_and_go(neighbours, _number):
    neighbours.request().close()
    neighbours.connect(neighbours.server.web).close()


def text(*messages):
    return b"".join(masked(one.encode() if isinstance(one, str) else one, 1) for one in messages)


NONSENSE = text(
    "", "{", "[]", "null", '"leave"', "1e999", '{"type":"leave","more":[]}x', '{"type":"choose"}',
    '{"type":"choose","request":1,"option":-1}', '{"type":"choose","request":99999999999,"option":0}',
    '{"type":"proceed","request":0}', '{"type":"help","level":"\\u0000"}', "[" * 4000,
    b"\xff\xfe",
)  # fmt: skip


def nonsense(neighbours, _number):
    with neighbours.seated() as connection:
        connection.sendall(NONSENSE)
        neighbours.inputs += 14
        connection.recv(65536)


def floods(neighbours, _number):
    neighbours.flood(neighbours.seated(), text(*['{"type":"choose","request":0,"option":0}'] * 200))


def giant_frames(neighbours, _number):
    neighbours.flood(neighbours.seated(), b"\x81\xff" + b"\x3f" + b"\xff" * 7 + b"abcd" + b"x" * 60_000)


def fragments(neighbours, _number):
    neighbours.flood(neighbours.seated(), b"\x01\x80abcd" + b"\x00\x80abcd" * 1000)


def pings(neighbours, _number):
    neighbours.flood(neighbours.seated(), masked(b"x" * 100, 9) * 200)


def unmasked(neighbours, _number):
    neighbours.seated().sendall(frame(b"{}"))


def half_open(neighbours, _number):
    neighbours.seated()  # and neither reads nor closes
    time.sleep(0.3)


def second_tabs(neighbours, _number):
    with neighbours.seated() as connection:
        connection.recv(65536)
        time.sleep(0.1)


STRANGERS = {
    "silent connections": (silent, 4),
    "wrong tokens": (wrong_tokens, 4),
    "pages of other origins": (other_origins, 4),
    "slow headers": (slow_headers, 50),
    "random bytes": (garbage, 4),
    "headers without end": (long_headers, 8),
    "requests for pages": (pages_and_scripts, 4),
    "coming and going": (come_and_go, 4),
}
WITH_THE_LINK = {
    "nonsense": (nonsense, 2),
    "floods": (floods, 4),
    "frames of 4 EiB": (giant_frames, 4),
    "fragments without end": (fragments, 4),
    "pings without end": (pings, 4),
    "frames without a mask": (unmasked, 2),
    "half-open connections": (half_open, 4),
    "second tabs": (second_tabs, 2),
}


@attack("`table` against strangers and hostile second tabs; the game at the page goes on to its end", 0.12)
def table(row):
    process = TableProcess(row.folder)
    owner = Owner(process)
    games = play_one(row, owner, "alone", ANSWER_SECONDS)
    process.watched.is_idle()
    for deeds, seconds in ((STRANGERS, ANSWER_SECONDS), (WITH_THE_LINK, PATIENCE_SECONDS)):
        for name, (deed, threads) in row.some(deeds.items()):
            owner.begin_again(time.monotonic() + PATIENCE_SECONDS * row.patience)
            neighbours = Neighbours(process, deed, row.count(threads, 2))
            games += play_one(row, owner, name, seconds)
            neighbours.stop()
            row.inputs += neighbours.inputs
    owner.leave(time.monotonic() + STOP_SECONDS * row.patience)
    owner.close()
    process.close(row)
    logs = [read_record(log) for log in row.folder.glob("game*.mjson.gz")]
    whole = [game for (game,) in logs if any(isinstance(entry.event, GameEnd) for entry in game)]
    row.check(
        len(whole) == len(logs) == games, f"{len(whole)} of {len(logs)} logs of {games} games are whole"
    )


def play_one(row, owner, name, seconds):
    """Play a game; a lost one, or a wait beyond the promise, is a failure."""
    scores = owner.play(time.monotonic() + PATIENCE_SECONDS * row.patience)
    row.check(scores is not None and sum(scores) == 100_000, f"{name}: scores {scores}")
    took = f"{name}: an answer took {owner.longest:.2f} s"
    row.check(owner.longest <= seconds * row.patience, took)
    return 1
