"""A hostile host: whatever it sends, `manue play` ends or can be ended, in one line, within its memory."""

import base64
import hashlib
import json
import os
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
import zlib
from contextlib import suppress
from unicodedata import category

from tests.attacks.drill import Watched, attack
from tests.captures import lines_of

HELLO = b'{"type":"hello","protocol":"mjsonp","protocol_version":3}\n'
START = b'{"type":"start_game","id":0,"names":["a","b","c","d"]}\n'
TOKEN = "s3cret-of-the-drill"
QUIET_SECONDS = 3.0
"""How long a host that goes on for ever is listened to before the player is sent SIGTERM."""
END_SECONDS = 2.0
"""How long the player may take to end after SIGTERM."""
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CODES = {0, 1, 2, 3, 143, -signal.SIGTERM}  # the last where it was ending already


def for_ever(connection, data):
    while True:
        connection.sendall(data)


def after(opening, data):
    def behave(connection):
        connection.sendall(opening)
        for_ever(connection, data)

    return behave


def once(*parts):
    def behave(connection):
        for part in parts:
            connection.sendall(part)
        read_all(connection)

    return behave


def read_all(connection):
    while connection.recv(1 << 16):
        pass


def drip(connection):
    for byte in HELLO * 1000:
        connection.sendall(bytes([byte]))
        time.sleep(0.01)


def silent(connection):
    read_all(connection)


def hang_up(*parts):
    def behave(connection):
        for part in parts:
            connection.sendall(part)
        connection.recv(100)

    return behave


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.sendall(HELLO)


def conversation(change):
    """The captured lines of a real host, changed."""
    said = [line["msg"] for line in lines_of("ruby-server-fault-noendreply") if line["dir"] == "in"]
    return b"".join(change(json.dumps(message).encode()) + b"\n" for message in said[1:])


DEEP = b'{"type":"tsumo","actor":' + b"[" * 100_000 + b"\n"
WIDE = b'{"type":"tsumo","actor":0,"pai":"1m","cannot_dahai":[' + b"0," * (2 << 20) + b"0]}\n"
ESCAPES = b'{"type":"error","message":"\\u001b[2J\\u001b]0;owned\\u0007\\nmanue: forged \\u202e"}\n'
NUMBER = b'{"type":"tsumo","actor":' + b"1" * 1_000_000 + b',"pai":"1m"}\n'
UNKNOWN = b'{"type":"what?"}\n'
TCP_HOSTS = {
    "a flood of unknown lines": after(HELLO + START, UNKNOWN * 4096),
    "empty lines": after(HELLO + START, b"\n" * 65536),
    "a line without end": after(HELLO, b"x" * 65536),
    "dripping bytes": drip,
    "4 MiB of wrong values": after(HELLO + START, WIDE),
    "escapes in an error": once(HELLO, START, ESCAPES),
    "silence": silent,
    "a flood of greetings": after(b"", HELLO * 1000),
    "zeros": after(b"", bytes(65536)),
    "not UTF-8": after(HELLO + START, b"\xff\xfe\n" * 10_000),
    "deep JSON": after(HELLO + START, DEEP),
    "a number of a million digits": after(HELLO + START, NUMBER),
    "a reset": reset,
    "the end after the greeting": hang_up(HELLO),
    "the end within a line": hang_up(HELLO, START[:20]),
    "an HTTP server": once(b"HTTP/1.1 200 OK\r\n\r\n<html>"),
    "bytes flipped in a game": once(HELLO, conversation(lambda line: line.replace(b"1", b"9"))),
    "a game backwards": once(HELLO, conversation(lambda line: line[::-1])),
    "a game without tiles": once(HELLO, conversation(lambda line: line.replace(b'"pai"', b'"pay"'))),
    "the game of somebody else": once(HELLO, START, conversation(lambda line: line) * 20),
}


# ---- WebSocket, from the bytes up


def accepted(extra=""):
    """Return an answer to a WebSocket handshake that the client accepts."""

    def answer(request):
        key = next(line for line in request.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key"))
        digest = hashlib.sha1(key.split(b":")[1].strip() + GUID).digest()
        accept = base64.b64encode(digest).decode()
        lines = ["HTTP/1.1 101 Go", "Upgrade: websocket", "Connection: Upgrade"]
        return "\r\n".join([*lines, f"Sec-WebSocket-Accept: {accept}{extra}", "", ""]).encode()

    return answer


DEFLATE = "\r\nSec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover"


def frame(payload, opcode=1, *, fin=True, deflated=False):
    size = len(payload)
    short = size if size < 126 else 126 if size < 1 << 16 else 127
    length = b"" if size < 126 else struct.pack("!H", size) if size < 1 << 16 else struct.pack("!Q", size)
    return bytes([opcode | fin << 7 | deflated << 6, short]) + length + payload


def squeezed(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


def web(*parts, lasting=b"", extra="", answer=None):
    """A host that answers the handshake, sends frames, and one of them for ever."""

    def behave(connection):
        request = b""
        while b"\r\n\r\n" not in request:
            received = connection.recv(4096)
            if not received:
                return
            request += received
        connection.sendall((answer or accepted(extra))(request))
        for part in parts:
            connection.sendall(part)
        if lasting:
            for_ever(connection, lasting)
        read_all(connection)

    return behave


def http(status, *headers):
    return lambda _request: "\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode()


def redirect(location):
    return web(answer=http("302 Found", f"Location: {location}", "Content-Length: 0"))


FULL_SIZE = b'{"type":"' + b"0" * ((4 << 20) - 100) + b'"}'
REQUEST = b'{"type":"request_action","request_id":1,"possible_actions":[{"type":"none"}]}'
WEB_HOSTS = {
    "compression bombs of 4 MiB": web(lasting=frame(squeezed(FULL_SIZE), deflated=True), extra=DEFLATE),
    "endless pings": web(lasting=frame(b"x" * 125, 9) * 500),
    "compression bombs of 1 GiB": web(lasting=frame(squeezed(bytes(1 << 30)), deflated=True), extra=DEFLATE),
    "a flood of requests": web(frame(START), lasting=frame(REQUEST) * 500),
    "a frame of 4 EiB": web(b"\x81\x7f" + struct.pack("!Q", 1 << 62), lasting=b"x" * 65536),
    "a redirect to itself": redirect("/again"),
    "fragments without end": web(frame(b"{", fin=False), lasting=frame(b"", 0, fin=False) * 1000),
    "frames of 4 MiB": web(lasting=frame(FULL_SIZE)),
    "a redirect to a page": redirect("http://127.0.0.1:9/"),
    "a redirect to a file": redirect("file:///etc/passwd"),
    "a redirect with escapes": redirect("ws://\x1b[31m:9/\x07"),
    "a redirect to nowhere": redirect("ws://a..b:9/"),
    "headers without end": web(lasting=b"A: b\r\n" * 1000, answer=lambda _request: b"HTTP/1.1 101 Go\r\n"),
    "a reason with escapes": web(frame(struct.pack("!H", 1008) + b"\x1b[2Jowned\nmanue: forged", 8)),
    "a wrong key": web(answer=http("101 Go", "Upgrade: websocket", "Sec-WebSocket-Accept: no")),
    "a refusal that repeats the token": web(answer=http(f"401 {TOKEN}", "Content-Length: 0")),
    "frames of no kind": web(lasting=frame(b"x", 3)),
    "binary frames": web(lasting=frame(bytes(100_000), 2)),
    "text that is none": web(lasting=frame(b"\xff\xfe")),
    "damaged compression": web(lasting=frame(b"\xff" * 1000, deflated=True), extra=DEFLATE),
    "silence after the handshake": web(),
    "silence before it": silent,
}


# ---- the player


class Host:
    """Listens, and meets every connection in the same way."""

    def __init__(self, behave, on_first, context=None):
        self._behave, self._on_first, self._context = behave, on_first, context
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._connections = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self._on_first()
                self._connections.append(connection)
                threading.Thread(target=self._meet, args=(connection,), daemon=True).start()

    def _meet(self, connection):
        with suppress(OSError, StopIteration, ssl.SSLError):
            if self._context is not None:
                connection = self._context.wrap_socket(connection, server_side=True)
            with connection:
                self._behave(connection)

    def close(self):
        self._listener.close()
        for connection in self._connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def suspicious(text, most=100_000):
    """Return what is wrong with messages on a terminal: tracebacks, control characters, secrets, masses."""
    wrong = [word for word in ("Traceback", TOKEN, "Exception ignored") if word in text]
    harmless = (c for c in set(text) if c.isprintable() or c == "\n" or category(c) == "Zs")
    wrong += [f"control character {c!r}" for c in sorted(set(text).difference(harmless))]
    wrong += [f"{len(text)} characters of messages"] if len(text) > most else []
    return ", ".join(wrong)


def play_against(row, name, scheme, behave, context=None):
    """Play at one host; `--quiet`, because names of players are written on purpose."""
    row.inputs += 1
    errors = row.folder / "errors"
    watched = []
    host = Host(behave, lambda: watched[0].is_idle() if watched and host_is_new(seen) else None, context)
    seen = []
    options = ["--agent", "tsumogiri", "--quiet", "--log", str(row.folder / "talk.jsonl")]
    url = f"{scheme}://127.0.0.1:{host.port}/ws/drill"
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    with errors.open("wb") as stderr:
        player = subprocess.Popen(
            [sys.executable, "-m", "manue", "play", url, *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            env={**environment, "MANUE_TOKEN": TOKEN},
        )
        watched.append(Watched(player.pid))
        try:
            code = ended(row, player, name, seen)
        finally:
            player.kill()
            player.wait()
            host.close()
    text = errors.read_text(errors="surrogateescape")
    row.check(code in CODES, f"{name}: exit code {code}: {text[-300:]}")
    row.check(not suspicious(text), f"{name}: {suspicious(text)}: {text[-300:]}")
    row.grown(watched[0].growth(), name)
    for path in row.folder.glob("talk*"):
        path.unlink()


def host_is_new(seen):
    seen.append(1)
    return len(seen) == 1


def ended(row, player, name, seen):
    """Wait for the player; if the host never lets it end, end it."""
    while not seen and player.poll() is None:
        time.sleep(0.02)
    with suppress(subprocess.TimeoutExpired):
        return player.wait(QUIET_SECONDS * min(1.0, 4 * row.part))
    player.send_signal(signal.SIGTERM)
    try:
        return player.wait(END_SECONDS * row.patience)
    except subprocess.TimeoutExpired:
        row.failures.append(f"{name}: did not end within {END_SECONDS * row.patience} s of SIGTERM")
        return 143


@attack("`play` against TCP hosts that drip, flood, lie, hang", 0.1)
def tcp_hosts(row):
    for name, behave in row.some(TCP_HOSTS.items()):
        play_against(row, name, "mjsonp", behave)


@attack("`play` against WebSocket hosts: bombs, giant frames, pings, redirects, self-signed", 0.05)
def web_hosts(row):
    for name, behave in row.some(WEB_HOSTS.items()):
        play_against(row, name, "ws", behave)
    if row.part >= 1 and shutil.which("openssl"):
        play_against(row, "self-signed", "wss", web(frame(START)), self_signed(row.folder))


def self_signed(folder):
    files = ["-keyout", folder / "key.pem", "-out", folder / "cert.pem"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=x"]
    subprocess.run([*command, *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context
