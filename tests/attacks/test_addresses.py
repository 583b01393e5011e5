"""Odd addresses and proxies end in one line, a silent host in an end, and no secret is shown or kept."""

import json
import os
import socket
import threading

import pytest

from manue.__main__ import main
from manue.agents.tsumogiri import Tsumogiri
from manue.foreign import without_secrets
from manue.player import warm_up
from manue.transports import streams
from manue.transports.websocket import TOKEN_VARIABLE

PLAY = ["play", "--agent", "tsumogiri", "--quiet"]


@pytest.fixture(scope="module", autouse=True)
def _rehearsed():
    warm_up(Tsumogiri())


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    for name in os.environ:
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


def refused(arguments, capsys):
    """Return the exit code and the last line on stderr; all others are about getting ready."""
    code = main([*PLAY, *arguments])
    errors = capsys.readouterr().err.splitlines()
    assert all(line.startswith(("manue: warming", "manue: ready")) for line in errors[:-1])
    return code, errors[-1]


LONG = "a" * 70
ADDRESSES = [
    *(f"{scheme}://{host}:9/" for scheme in ("ws", "mjsonp") for host in ("a..b", ".", LONG, "\udced.x")),
    "ws://127.0.0.1:9/x#part",
    "ws://\u2028:9/",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_odd_address_took_a_page_of_traceback(address, capsys):
    code, error = refused([address], capsys)
    assert code in {2, 3}
    assert error.startswith("manue: ")


PROXIES = [
    "nonsense",
    "http://",
    "http://[",
    "http://h:99999",
    "ftp://h:9",
    "socks5://h:9",
    "http://u:hush@h/x",
]


@pytest.mark.parametrize("proxy", PROXIES)
def test_an_odd_proxy_took_a_page_of_traceback(proxy, capsys, monkeypatch):
    monkeypatch.setenv("http_proxy", proxy)
    code, error = refused(["ws://example.invalid/x"], capsys)
    assert code == 2
    assert "proxy of the environment" in error
    assert "hush" not in error


SECRET = [
    "ws://me:hush@127.0.0.1:9/x?token=hush",
    "wss://127.0.0.1:9?token=hush",
    "ws://me:hush@127.0.0.1:0/",
    "ws://me:hu/sh?hush@127.0.0.1:9/",
    "http://me:hush@127.0.0.1/?hush",
    "mjsonp://me:hush@127.0.0.1:9/x?hush",
]


@pytest.mark.parametrize("address", SECRET)
def test_passwords_and_tokens_of_addresses_stood_in_messages(address, capsys):
    _, error = refused([address], capsys)
    assert "hush" not in error
    assert "127.0.0.1" in error


def test_only_what_is_secret_is_left_out():
    text = "cannot connect to ws://me:hush@host:9/x?token=hush#a: really? yes"
    assert without_secrets(text) == "cannot connect to ws://***@host:9/x?***#a: really? yes"
    assert without_secrets("no address, 3 > 2? (no)") == "no address, 3 > 2? (no)"


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as opened:
        yield opened


def test_a_host_that_does_not_greet_was_waited_for_without_end(listener, capsys, monkeypatch):
    monkeypatch.setattr(streams, "GREETING_SECONDS", 0.2)
    code, error = refused([f"mjsonp://127.0.0.1:{listener.getsockname()[1]}/"], capsys)
    assert (code, error) == (3, "manue: the host does not greet: nothing within 0.2 s")


def test_the_token_of_a_join_stood_in_the_recording(listener, capsys, monkeypatch, tmp_path):
    heard = []

    def greet():
        with listener.accept()[0] as connection:
            connection.sendall(b'{"type":"hello","protocol":"mjsonp","protocol_version":3}\n')
            heard.append(json.loads(connection.recv(4096)))

    host = threading.Thread(target=greet)
    host.start()
    (tmp_path / "token").write_text("hush\n")
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    options = ["--token-file", str(tmp_path / "token"), "--log", str(tmp_path / "talk.jsonl")]
    code, _ = refused([f"mjsonp://127.0.0.1:{listener.getsockname()[1]}/", *options], capsys)
    host.join()
    assert code == 3
    assert heard[0]["token"] == "hush"
    kept = (tmp_path / "talk-1.jsonl").read_text()
    assert '\\"join\\"' in kept
    assert "hush" not in kept


PIPE_READERS = [["view", "-o", "page.html"], ["calibrate", "--all"], ["bench", "--problems"]]


@pytest.mark.parametrize("command", PIPE_READERS)
def test_a_pipe_without_a_writer_hung(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    assert main([*command, "pipe"]) == 1
    assert "pipe: not a regular file" in capsys.readouterr().err


def test_a_model_that_is_a_pipe_hung(tmp_path, monkeypatch, capsys):
    os.mkfifo(tmp_path / "shapes.npz")
    monkeypatch.setenv("MANUE_MODELS", str(tmp_path))
    assert main([*PLAY[:1], "--agent", "manue", "mjsonp://127.0.0.1:9/"]) == 1
    assert "not a regular file" in capsys.readouterr().err
