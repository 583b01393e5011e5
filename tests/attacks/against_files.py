"""Damaged and forged lines, records, models, results, problems and names: taken, or refused in one line."""

import copy
import gzip
import json
import random
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from manue.agents.tsumogiri import Tsumogiri
from manue.errors import EventError, ManueError, ModelError, ProtocolError
from manue.match.report import write_report
from manue.match.result_lines import finished_games
from manue.match.summary import Summary
from manue.models import files as model_files
from manue.models.model_set import NAMES, Models
from manue.protocol.dialect import DIALECTS
from manue.protocol.parsing import parse_array, parse_choice, parse_message
from manue.protocol.session import Session
from manue.records.archive import read_log
from manue.records.completed import completed
from manue.records.formats import read_record
from manue.records.mjlog_writer import write_mjlog
from manue.records.tenhou_json_writer import write_tenhou_json
from manue.review.page import page_data, page_html
from manue.review.problem_book import load_book
from tests.attacks.against_play import suspicious
from tests.attacks.drill import Watched, attack
from tests.conftest import GAMES
from tests.review.made_up import made_up_game, write_game

ROOT = Path(__file__).parents[2]
SCRIPT = (
    "</script><img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>'\"`${1}"
)
VALUES = [
    None, True, -1, 0, 4, 10**400, 1.5, float("nan"), float("inf"), 1e308, "", "?", "5mr", "9z", "\ud800",
    "\x1b[2J\n", "x" * 70_000, [], {}, [[]], [None] * 5_000, {"type": "dahai"}, SCRIPT,
]  # fmt: skip
TOKENS = [
    b'"',
    b"[",
    b"{",
    b"}",
    b"\\u0000",
    b"\xff",
    b"1e999",
    b"NaN",
    b"\n",
    b"<a>",
    b"&lt;",
    b"\x00",
    b",",
]
BOMB_SECONDS = 10.0


def forged(value, rng):
    """Return JSON with one value at a random place replaced, removed or repeated."""
    value = copy.deepcopy(value)
    place = value
    while isinstance(place, dict | list) and place:
        key = rng.choice(list(place)) if isinstance(place, dict) else rng.randrange(len(place))
        if isinstance(place[key], dict | list) and place[key] and rng.random() < 0.7:
            place = place[key]
            continue
        deed = rng.random()
        if deed < 0.7:
            place[key] = rng.choice(VALUES)
        elif deed < 0.85:
            del place[key]
        elif isinstance(place, list):
            place += place
        break
    return value


def damaged(data, rng):
    """Return bytes with a few changes."""
    data = bytearray(data)
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(data) + 1)
        deed = rng.randrange(4)
        if deed == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif deed == 1:
            data[at:at] = rng.choice(TOKENS)
        elif deed == 2:
            del data[at : at + rng.randrange(1, 40)]
        else:
            data[at:at] = data[at : at + rng.randrange(1, 400)]
    return bytes(data)


@contextmanager
def ours(row, text, *errors):
    """One input: it is taken, or refused by an error of ours in one line."""
    row.inputs += 1
    try:
        with suppress(*(errors or (ManueError,))):
            yield
    except Exception as error:  # noqa: BLE001  whatever it is, it is not ours
        row.failures.append(f"{text}: {type(error).__name__}: {str(error)[:200]}")


def lines_of_games():
    return [entry.text for log in GAMES for entry in read_log(log)]


@attack("lines: forged, damaged, in every dialect", 0.01)
def lines(row):
    rng = random.Random(1)
    whole = lines_of_games()
    sessions = {}
    with row.in_process("lines"):
        for number in range(row.count(200_000)):
            text = rng.choice(whole)
            forge = rng.random() < 0.5
            line = json.dumps(forged(json.loads(text), rng)).encode() if forge else damaged(text, rng)
            for parse in (parse_message, parse_choice, parse_array):
                with suppress(ProtocolError):
                    parse(line)
            name = rng.choice(list(DIALECTS))
            if number % 2_000 == 0:
                sessions.clear()
            if name not in sessions:
                sessions[name] = Session(Tsumogiri(), DIALECTS[name], seat=0, complain=lambda _: None)
            session = sessions[name]
            with ours(row, f"{name}: {line[:200]!r}", ProtocolError, EventError):
                if session.over:
                    del sessions[name]
                else:
                    session.receive(rng.choice([line, text]))


def written(log):
    """A game in every format that is read."""
    events = list(completed(list(read_log(log)), "game"))
    plain = gzip.decompress(log.read_bytes())
    yield from (plain, log.read_bytes(), b"[" + b",".join(plain.splitlines()) + b"]")
    yield from (write_mjlog(events).encode(), gzip.compress(write_mjlog(events).encode()))
    yield write_tenhou_json(events).encode()


@attack("records: forged and damaged, in every format", 0.01)
def records(row):
    rng = random.Random(2)
    whole = [data for log in GAMES[:6] for data in written(log)]
    path = row.folder / "record"
    with row.in_process("records"):
        for _ in range(row.count(3_000)):
            data = rng.choice(whole)
            for _ in range(3):
                data = damaged(data, rng)
            path.write_bytes(data)
            with ours(row, f"record {data[:60]!r}"):
                for read in read_record(path):
                    page_html(page_data(read, source="x", title=SCRIPT))


def bombs():
    """Small files that become large, and what is deep or long; beside those of test_records.py."""
    from tests.attacks.test_records import RECORDS

    yield from RECORDS.items()
    yield "members of gzip", gzip.compress(b"") * 50_000
    yield "gzip in gzip", gzip.compress(gzip.compress(bytes(1 << 30)))
    yield (
        "entities",
        b'<!DOCTYPE x [<!ENTITY a "' + b"a" * 1000 + b'">]><mjloggm>' + b"&a;" * 9000 + b"</mjloggm>",
    )


@attack("records: bombs of up to 2 MB, each viewed within 10 s", 0.0)
def record_bombs(row):
    path = write_game(row.folder / "small.mjson", made_up_game(rounds=1))
    idle = viewed(row, "a small game", path)[1]
    for name, data in row.some(bombs()):
        path = row.folder / "bomb"
        path.write_bytes(data)
        row.inputs += 1
        seconds, peak, text = viewed(row, name, path)
        row.check(seconds <= BOMB_SECONDS * row.patience, f"{name}: {seconds:.1f} s")
        row.grown(max(0, peak - idle), name)
        row.check(text.count("\n") <= 1 and not suspicious(text), f"{name}: {text[-300:]}")


def viewed(row, name, path):
    """Make a page in another process; return its seconds, its peak memory and its messages."""
    command = [sys.executable, "-m", "manue", "view", str(path), "-o", str(row.folder / "page.html")]
    started = time.monotonic()
    with (row.folder / "messages").open("w+") as messages:
        process = subprocess.Popen(command, stdout=messages, stderr=messages)
        watched = Watched(process.pid)
        try:
            process.wait(60 * row.patience)
        except subprocess.TimeoutExpired:
            row.failures.append(f"{name}: did not end")
            process.kill()
        process.wait()
        seconds = time.monotonic() - started
        messages.seek(0)
        return seconds, watched.peak, messages.read()


# ---- models


def odd_arrays(array):
    """What may stand in the place of an array."""
    yield None
    yield np.zeros(0, array.dtype)
    yield array[None]
    yield array.ravel() if array.ndim > 1 else np.concatenate([array.ravel(), array.ravel()])
    yield array[..., :-1] if array.ndim else np.array("x")
    yield np.full(array.shape, "x")
    yield np.zeros(array.shape, np.uint64)
    yield np.array([print], dtype=object)
    yield array.astype(np.complex64)
    if array.dtype.kind == "f":
        yield np.full(array.shape, np.nan)
        yield np.full(array.shape, np.inf)
    if array.dtype.kind == "i":
        for value in (array.min() - 1, np.iinfo(array.dtype).max, np.iinfo(array.dtype).min):
            changed = array.copy()
            changed.flat[0] = value  # the first node of a tree is none of its leaves
            yield changed


@attack("models: other shapes and types, NaN, pickles, bombs, damage", 0.03)
def models(row):
    rng = random.Random(3)
    source = model_files.models_dir()
    whole = {name: model_files.read_model(source / f"{name}.npz") for name in NAMES}
    path = row.folder / "model.npz"
    with row.in_process("models"):
        cases = [
            (name, key, array)
            for name, file in whole.items()
            for key, given in file.arrays.items()
            for array in odd_arrays(np.asarray(given))
        ]
        for name, key, array in cases if row.part >= 1 else rng.sample(cases, row.count(len(cases))):
            refused_model(row, whole, name, key, array, path)
        for _ in range(row.count(300)):
            path.write_bytes(damaged((source / "fold.npz").read_bytes(), rng))
            with ours(row, "a damaged model", ModelError):
                model_files.read_model(path)
        np.savez_compressed(path, zeros=np.zeros(1 << 28, np.int8))
        with ours(row, "a bomb", ModelError):
            model_files.read_model(path)
            row.failures.append("a bomb was loaded")


def refused_model(row, whole, name, key, array, path):
    """Write a model with one odd array under a right digest; it must be refused."""
    file = whole[name]
    arrays = {**file.arrays, key: array}
    if array is None:
        del arrays[key]
    content = {**arrays, "meta": np.array(json.dumps(dict(file.meta)))}
    what = f"{name} {key} {None if array is None else (array.dtype, array.shape)}"
    with ours(row, what, ModelError):
        if array is not None and array.dtype.kind == "O":
            np.savez(path, allow_pickle=True, **content, digest=np.array("x"))
        else:
            np.savez(path, **content, digest=np.array(model_files.digest_of(content)))
        Models.of({**whole, name: model_files.read_model(path)})
        row.failures.append(f"{what} was loaded")


# ---- results and problems


LINE = {
    "game": 0, "wall": 0, "agents": ["a", "b", "c", "d"], "scores": [25_000] * 4, "placements": [1, 2, 3, 4],
    "rounds": 1, "draws": 0, "seats": [{"rounds": 1}] * 4, "log": None,
    "timings": [{"total_ms": 1.0, "max_ms": 1.0, "bins": {"0": 1}}] * 4,
    "faults": [{"seat": 0, "kind": "late", "reason": "x", "round": 0, "event": 0}],
}  # fmt: skip


@attack("results of a match: forged and damaged", 0.02)
def results(row):
    rng = random.Random(4)
    good = [LINE | {"game": number} for number in range(3)]
    with row.in_process("results"):
        for _ in range(row.count(3_000)):
            at = rng.randrange(3)
            lines = [
                json.dumps(forged(line, rng) if n == at else line).encode() for n, line in enumerate(good)
            ]
            if rng.random() < 0.3:
                lines[at] = damaged(lines[at], rng)
            (row.folder / "results.jsonl").write_bytes(b"\n".join(lines) + b"\n")
            with ours(row, f"results {lines[at][:200]!r}"):
                found = list(finished_games(row.folder))
                summary = Summary(1)
                for line in found:
                    summary.add(line)
                summary.finish()
                report = write_report(row.folder, found, json.loads(json.dumps(summary.to_json())))
                row.check("<script" not in report.read_text(), f"a script in a report: {lines[at][:200]!r}")


@attack("problem books: forged and damaged", 0.02)
def problems(row):
    rng = random.Random(5)
    books = [json.loads(path.read_text()) for path in sorted((ROOT / "data" / "problems").glob("*.json"))]
    path = row.folder / "book.json"
    for _ in range(row.count(1_000)):
        book = rng.choice(books)
        text = json.dumps(forged(book | {"problems": book["problems"][:3]}, rng)).encode()
        path.write_bytes(damaged(text, rng) if rng.random() < 0.3 else text)
        with ours(row, f"book {text[:100]!r}"):
            load_book(path)


# ---- pages in a browser


HOSTILE = [SCRIPT, "\u202eevil", "<svg/onload=document.title='owned'>", "{{SCRIPT}}-->\x00\x1b[2J"]


@attack("pages and reports with hostile names, in Chromium", 1.0)
def pages(row):
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        return
    from playwright.sync_api import sync_playwright

    log = write_game(row.folder / "game.mjson", made_up_game(rounds=1, names=HOSTILE))
    page = row.folder / "page.html"
    page.write_text(page_html(page_data(next(iter(read_record(log))), source=SCRIPT, title=SCRIPT)))
    summary = Summary(1)
    fault = {"seat": 0, "kind": SCRIPT, "reason": SCRIPT, "round": 0, "event": 0}
    line = LINE | {"agents": HOSTILE, "faults": [fault], "log": SCRIPT}
    summary.add(line)
    summary.finish()
    report = write_report(row.folder, [line], json.loads(json.dumps(summary.to_json())))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for shown in (page, report):
            row.inputs += 1
            tab = browser.new_page()
            asked = []
            tab.on("request", lambda request, asked=asked: asked.append(request.url))
            tab.on(
                "dialog", lambda dialog, shown=shown: row.failures.append(f"{shown.name}: {dialog.message}")
            )
            tab.goto(shown.as_uri())
            tab.wait_for_timeout(1_000)
            row.check("owned" not in tab.title().replace(SCRIPT, ""), f"{shown.name}: a script ran")
            row.check(
                tab.evaluate("document.images.length") == 0, f"{shown.name}: a picture was made of a name"
            )
            row.check(asked == [shown.as_uri()], f"{shown.name} fetched {asked}")
        browser.close()
