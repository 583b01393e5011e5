"""Processes that are killed, and bots that leave others behind: no game is lost, nobody is left."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from tests.attacks.against_play import suspicious
from tests.attacks.drill import attack

SEATS = "tsumogiri,tsumogiri,tsumogiri,tsumogiri"
BOT = Path(__file__).parent.parent / "table" / "bots" / "bot.py"
END_SECONDS = 10.0
PATIENCE = 300


def children(pid):
    """Return the children of a process."""
    with suppress(FileNotFoundError, ProcessLookupError):
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return []


def marked(mark):
    """Return the living processes with a variable in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit() and mark.encode() in (entry / "environ").read_bytes():
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
                found += [int(entry.name)] if state not in "ZX" else []
    return found


def nobody_left(row, name, mark):
    """Wait until every process of a match has ended."""
    end = time.monotonic() + END_SECONDS * row.patience
    while (left := marked(mark)) and time.monotonic() < end:
        time.sleep(0.05)
    row.check(not left, f"{name}: processes left behind: {left}")
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def started(folder, games, mark, seats=SEATS):
    command = [sys.executable, "-m", "manue", "match", "--seats", seats, "--east", "--games", str(games)]
    name, _, value = mark.partition("=")
    return subprocess.Popen(
        [*command, "--workers", "2", "--out", str(folder), "--no-logs", "--resume"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, name: value},
    )


def count(folder):
    with suppress(FileNotFoundError):
        return (folder / "results.jsonl").read_bytes().count(b"\n")
    return 0


def all_there(row, name, folder, games):
    lines = (folder / "results.jsonl").read_text().splitlines()
    numbers = sorted(json.loads(line)["game"] for line in lines)
    row.check(numbers == list(range(games)), f"{name}: {len(numbers)} games of {games}, some twice or never")


def workers_of(match):
    """Return the processes that play: those of the pool, without the tracker of its resources."""
    return [pid for pid in children(match.pid) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


@attack("`kill -9` of workers while a match is played: every game once", 0.0)
def killed_workers(row):
    rng = random.Random(6)
    for number in range(row.count(2)):
        folder, mark, games = row.folder / f"w{number}", f"MANUE_DRILL=w{number}-{os.getpid()}", 90
        match = started(folder, games, mark)
        kills = 0
        while match.poll() is None and kills < 3:
            if count(folder) >= 15 * (kills + 1):
                with suppress(ProcessLookupError, FileNotFoundError, IndexError):
                    os.kill(rng.choice(workers_of(match)), signal.SIGKILL)
                    row.inputs += 1
                    kills += 1
            time.sleep(0.01)
        _, errors = match.communicate(timeout=PATIENCE)
        row.check(match.returncode == 0 and not suspicious(errors), f"match: {errors[-300:]}")
        all_there(row, "killed workers", folder, games)
        nobody_left(row, "killed workers", mark)


@attack("`kill -9` of the match itself, and `--resume`: every game once, no worker left", 0.0)
def killed_matches(row):
    folder, games = row.folder / "m", 90
    for number in range(row.count(3)):
        mark = f"MANUE_DRILL=m{number}-{os.getpid()}"
        match = started(folder, games, mark)
        while count(folder) < 15 * (number + 1) and match.poll() is None:
            time.sleep(0.01)
        match.kill()
        match.communicate()
        row.inputs += 1
        nobody_left(row, "a killed match", mark)
    match = started(folder, games, mark)
    _, errors = match.communicate(timeout=PATIENCE)
    row.check(match.returncode == 0, f"resumed: {errors[-300:]}")
    all_there(row, "killed and resumed", folder, games)


BOTS = {
    "a child": "sleep 1000 </dev/null >/dev/null 2>&1 & exec {python} {bot} line $1",
    "a grandchild": "(sleep 1000 & sleep 1001) </dev/null >/dev/null 2>&1 & exec {python} {bot} line $1",
    "a child that holds the pipes": "sleep 1000 & exec {python} {bot} line $1",
    "a child that ignores signals": "(trap '' TERM HUP INT; sleep 1000) & exec {python} {bot} line $1",
    "a bot that dies at once, a child that stays": "sleep 1000 & exit 3",
    "masses on standard error": "yes error >&2 & {python} {bot} line $1",
    "masses on standard output": "yes & sleep 1000",
    "a bot that never ends": "trap '' TERM HUP; {python} {bot} line $1; sleep 1000",
}


@attack("bots that fork, flood, die, stay: nobody left behind", 0.0)
def forking_bots(row):
    for number, (name, script) in enumerate(row.some(BOTS.items())):
        row.inputs += 1
        path, mark = row.folder / f"bot{number}", f"MANUE_DRILL=b{number}-{os.getpid()}"
        path.write_text(script.format(python=sys.executable, bot=BOT) + "\n")
        match = started(
            row.folder / f"b{number}", 2, mark, f"cmd:bash {path} {{seat}},tsumogiri,tsumogiri,tsumogiri"
        )
        try:
            _, errors = match.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            match.kill()
            _, errors = match.communicate()
        row.check(match.returncode in {0, 1, 4}, f"{name}: exit code {match.returncode}: {errors[-300:]}")
        row.check(not suspicious(errors), f"{name}: {errors[-300:]}")
        nobody_left(row, name, mark)
