"""A full disk under every file that is written: one line, and nothing is lost that was written before."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path

from manue.records.archive import read_log
from tests.attacks.against_play import HELLO, START, UNKNOWN, Host, once, suspicious
from tests.attacks.against_serve import Timed
from tests.attacks.drill import attack
from tests.conftest import game

MANUE = [sys.executable, "-m", "manue"]
SEATS = "tsumogiri,tsumogiri,tsumogiri,tsumogiri"
PATIENCE = 300
PROGRESS = re.compile(
    r"^warming up|^compiling|games, .* per minute|^\d+/\d+ |repeat the command with --resume$"
)
LOG = game("four-manue")
FULL_FILES = {
    "view": ["view", LOG, "-o", "/dev/full"],
    "review": ["review", LOG, "--seat", "0", "--agent", "tsumogiri", "-o", "/dev/full"],
    "hand, a picture": ["hand", "--distribution", "1000", "-o", "/dev/full"],
    "the log of a review": ["review", LOG, "--seat", "0", "--agent", "tsumogiri", "--log", "/dev/full"],
}
"""Commands that write to a device that is full; each ends with 1 and one line."""


def run(*arguments, **options):
    return subprocess.run(
        [*MANUE, *map(str, arguments)],
        capture_output=True,
        text=True,
        errors="surrogateescape",
        check=False,
        timeout=PATIENCE,
        **options,
    )


def one_line(row, name, done, codes):
    """The command has ended with one of the codes and in one line about the disk."""
    row.inputs += 1
    errors = [line for line in done.stderr.splitlines() if not PROGRESS.search(line)]
    row.check(done.returncode in codes, f"{name}: exit code {done.returncode}: {done.stderr[-300:]}")
    row.check(len(errors) == 1 and not suspicious(done.stderr), f"{name}: {done.stderr[-500:]}")


@attack("a full device (/dev/full) under files and standard output", 0.5)
def full_device(row):
    for name, arguments in row.some(FULL_FILES.items()):
        done = run(*arguments, *(["-o", row.folder / "page.html"] if "--log" in arguments else []))
        one_line(row, name, done, {1})
    with Path("/dev/full").open("wb") as full:
        for arguments in (["hand", "123456789m1234p"], ["hand", "--help"]):
            done = subprocess.run(
                [*MANUE, *arguments],
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
                text=True,
                env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
            )
            one_line(row, f"{' '.join(arguments)}, to standard output", done, {1})
            row.check("standard output: No space" in done.stderr, f"{arguments}: {done.stderr}")


# ---- a small disk


@contextmanager
def small_disk(folder, kib):
    """Mount a small tmpfs; yield None where that is not allowed."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={kib}k", "drill", folder], check=False, capture_output=True
    )
    try:
        yield folder if mounted.returncode == 0 else None
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", "-l", folder], check=True)


@attack(
    "a small disk (tmpfs) that fills up under `match`, `serve`, `play`, `view`, `train`, `calibrate`", 0.0
)
def small_disks(row):
    if shutil.which("mount") is None or os.geteuid() != 0:
        return
    for number, deed in enumerate(row.some([match, serve, play, results, training, calibration, view])):
        for kib in (16, 64, 256) if deed is match else (64,):
            with small_disk(row.folder / f"disk{number}-{kib}", kib) as disk:
                if disk is not None:
                    deed(row, disk, kib)


def whole_lines(path):
    return [json.loads(line) for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def match(row, disk, kib):
    """The match ends in one line; every game it has counted is whole, and with room it goes on to the end."""
    folder = disk / "m"
    arguments = ["match", "--seats", SEATS, "--east", "--games", "24", "--workers", "1", "--out", folder]
    done = run(*arguments)
    one_line(row, f"match, {kib} KiB", done, {1})
    kept = whole_lines(folder / "results.jsonl") if (folder / "results.jsonl").exists() else []
    for line in kept:
        *_, last = read_log(folder / line["log"])
        row.check(last.message.type == "end_game", f"match, {kib} KiB: game {line['game']} is not whole")
    if not (folder / "match.json").exists():
        return
    subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
    done = run(*arguments, "--resume")
    row.check(done.returncode == 0, f"match, {kib} KiB, with room again: {done.stderr[-300:]}")
    games = sorted(line["game"] for line in whole_lines(folder / "results.jsonl"))
    row.check(games == list(range(24)), f"match, {kib} KiB, with room again: {len(games)} games")


def results(row, disk, kib):
    """The same without logs: the lines of results fill the disk."""
    folder = disk / "m"
    arguments = ["match", "--seats", SEATS, "--east", "--games", "60", "--no-logs", "--out", folder]
    done = run(*arguments, "--workers", "1")
    if done.returncode:
        one_line(row, f"match --no-logs, {kib} KiB", done, {1})
    subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
    done = run(*arguments, "--workers", "1", "--resume")
    games = sorted(line["game"] for line in whole_lines(folder / "results.jsonl"))
    row.check(games == list(range(60)), f"match --no-logs, {kib} KiB, with room again: {len(games)} games")


def serve(row, disk, kib):
    """Games go on without a log."""
    row.inputs += 1
    command = [*MANUE, "serve", "--port", "0", "--east", "--fill", "tsumogiri", "--log-dir", str(disk)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        port = next(int(line.split(":")[3].split("/")[0]) for line in server.stderr if "://" in line)
        for _ in range(8):
            row.check(sum(Timed(port).play()) == 100_000, f"serve, {kib} KiB: a game was lost")
    finally:
        server.send_signal(signal.SIGINT)
        _, errors = server.communicate(timeout=PATIENCE)
    row.check(not suspicious(errors), f"serve, {kib} KiB: {errors[-300:]}")


def play(row, disk, kib):
    """The game goes on without a record."""
    row.inputs += 1
    host = Host(once(HELLO, START, UNKNOWN * 20_000), lambda: None)
    url = f"mjsonp://127.0.0.1:{host.port}/default"
    player = subprocess.Popen(
        [*MANUE, "play", url, "--agent", "tsumogiri", "--quiet", "--log", str(disk / "talk.jsonl")],
        stderr=subprocess.PIPE,
        text=True,
    )
    with suppress(subprocess.TimeoutExpired):
        player.wait(5)
    row.check(player.poll() is None, f"play, {kib} KiB: it ended with {player.poll()}")
    player.terminate()
    _, errors = player.communicate(timeout=PATIENCE)
    host.close()
    row.check(not suspicious(errors), f"play, {kib} KiB: {errors[-300:]}")
    row.check(errors.count("the recording ends here") == 1, f"play, {kib} KiB: {errors[-300:]}")


def view(row, disk, kib):
    """A page that does not fit leaves the page that was there."""
    page = disk / "page.html"
    page.write_text("the page that was there")
    done = run("view", LOG, "-o", page)
    if done.returncode:
        one_line(row, f"view, {kib} KiB", done, {1})
        row.check(page.read_text() == "the page that was there", f"view, {kib} KiB: the old page is lost")


def training(row, disk, kib):
    done = run("train", LOG, "--out", disk / "models", "--workers", "1")
    one_line(row, f"train, {kib} KiB", done, {1})


def calibration(row, disk, kib):
    (disk / "filler").write_bytes(bytes(max(0, shutil.disk_usage(disk).free - 8192)))
    done = run("calibrate", LOG, "--all", "--out", disk / "c")
    one_line(row, f"calibrate, {kib} KiB", done, {1})
