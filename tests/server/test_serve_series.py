"""Four clients, written from the description of the protocol, play game after game on one server."""

import re
import subprocess
import sys
import threading

import pytest

from tests.conftest import FULL
from tests.server.clients import RubyClient

pytest.importorskip("riichienv")

GAMES = 20 if FULL else 2


@pytest.mark.timeout(1800)
def test_every_game_of_a_series_has_its_line_with_the_scores_the_clients_saw():
    length = "--hanchan" if FULL else "--east"
    command = [sys.executable, "-m", "manue", "serve", "--port", "0", "--clients", "4", length]
    with subprocess.Popen(
        [*command, "--games", str(GAMES)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        output = iter(server.stderr.readline, "")
        port = next(int(found[1]) for line in output if (found := re.search(r"mjsonp://[\w.]+:(\d+)/", line)))
        seen = {f"client{at}": [] for at in range(4)}

        def play(name, seed):
            for game in range(GAMES):
                client = RubyClient(port, name, 4 * game + seed)
                scores = client.play()
                start = next(event for event in client.seen if event["type"] == "start_game")
                seen[name].append(scores[start["id"]])

        threads = [threading.Thread(target=play, args=(name, at)) for at, name in enumerate(seen)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        lines, complaints = server.communicate()  # it exits by itself after the last line
    assert server.returncode == 0, complaints
    assert "Traceback" not in complaints
    shown = {int(line.split(":")[0].removeprefix("game ")): line for line in lines.splitlines()}
    assert sorted(shown) == list(range(GAMES))
    for game, line in shown.items():
        assert ";" not in line, line
        assert dict(re.findall(r"(client\d) (-?\d+)", line)) == {
            name: str(scores[game]) for name, scores in seen.items()
        }
