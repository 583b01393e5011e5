"""A game as one self-contained page: static files inlined, the game as data, a strict security policy.

All rules and numbers are computed here; the page's scripts only draw. The page loads nothing: its
Content-Security-Policy allows its one script and one style sheet by digest and forbids everything else. The
data are in a block that browsers do not run, as gzipped JSON in base64.
"""

import base64
import gzip
import hashlib
import html
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from manue.errors import UsageError
from manue.foreign import MESSAGE, printable
from manue.language.messages import Messages, messages, page_languages
from manue.records.archive import LogEntry
from manue.review.decisions import ROW, DecisionList
from manue.review.events import event_facts
from manue.review.frames import Json, Replay, replay, steps_of
from manue.review.game_facts import game_facts
from manue.review.player_names import nameless_seats
from manue.review.yaku_names import are_ours
from manue.rules import TENHOU, Rules
from manue.stderr import note
from manue.tiles import Seat
from manue.whole_files import write_whole

FORMAT = 1
MODULES = (
    "dom.js",
    "language.js",
    "words.js",
    "tiles.js",
    "model.js",
    "table.js",
    "reasons.js",
    "why.js",
    "rollouts.js",
    "options.js",
    "problems.js",
    "answers.js",
    "question.js",
    "overlay.js",
    "chart.js",
    "result.js",
    "header.js",
    "verdict.js",
    "mistakes.js",
    "summary.js",
    "main.js",
)
"""The page's modules, each after the ones it imports."""


def page_data(
    game: Sequence[LogEntry], *, source: str, title: str, seat: Seat | None = None, rules: Rules = TENHOU
) -> Json:
    """Replay a game and return everything the page shows.

    Parameters
    ----------
    game : sequence of LogEntry
        One game, as yielded by `manue.records.archive.read_games`.
    source : str
        The log's name for error messages.
    title : str
    seat : int, optional
        The seat shown first; by default the first annotated seat, or the first open one if there is none.
    rules : Rules
        By which it was played.

    Raises
    ------
    LogError
        If the log has no round, or an impossible event. A damaged annotation is reported and left out.
    UsageError
        If the hand of ``seat`` is hidden.
    """
    decisions = DecisionList(source=source)
    shown = replay(game, source=source, rules=rules, visit=decisions.visit)
    decisions.finish(shown)
    if seat is not None and not shown.open[seat]:
        raise UsageError(f"{source} hides the hand of seat {seat}")
    return {
        "format": FORMAT,
        "title": title,
        "names": list(shown.names),
        "nameless": list(nameless_seats(game)),  # which the page names in its language
        "game": game_facts(game, shown, title, rules),
        "open": list(shown.open),
        "seat": _first_seat(shown, decisions) if seat is None else seat,
        "at": 0,  # the frame shown first
        "rounds": shown.rounds,
        "events": [_facts(entry, shown.wins.get(at, {})) for at, entry in enumerate(shown.entries)],
        "frames": steps_of(shown.frames),
        "columns": list(ROW),
        "texts": decisions.shared.values,
        "decisions": list(decisions.by_seat),
        "review": None,
    }


def _facts(entry: LogEntry, computed: Json) -> Json:
    """Return the facts of an event; of a win also what the record leaves out, or has in words of its own."""
    facts = event_facts(entry)
    as_computed = facts.get("points", computed.get("points")) == computed.get("points")
    if "yaku" in computed and as_computed and not are_ours(facts.get("yaku", ())):
        del facts["yaku"]
    return {**computed, **facts}


def _first_seat(game: Replay, decisions: DecisionList) -> Seat:
    annotated = (seat for seat in range(4) if any(d["chosen"] is not None for d in decisions.by_seat[seat]))
    return next(annotated, game.open.index(True))


def page_html(data: Json, language: str | None = None) -> str:
    """Return the complete page that shows the data.

    Parameters
    ----------
    data : dict
        As returned by `page_data`. Where ``title`` is ``None``, the page is titled in its language: a game of
        a match by its ``number``.
    language : str, optional
        One of `manue.language.messages.LANGUAGES`; by default the page holds all of them and follows the
        browser.
    """
    languages = page_languages(language)
    words = messages(languages[0])
    title = data["title"] or _untitled(data, words)
    style = _static("style.css")
    script = bundle()
    values = {
        "POLICY": policy_for(script, style),
        "TITLE": html.escape(f"{title} - manue").encode("utf-8", "replace").decode(),
        "STYLE": style,
        "SCRIPT": script,
        "LANGUAGE": languages[0],
        "NOSCRIPT": html.escape(words.text("page.script")),
        "DATA": _embedded({**data, "languages": {name: messages(name).of_pages() for name in languages}}),
    }
    return filled(_static("page.html"), values)


def _untitled(data: Json, words: Messages) -> str:
    return words.text("page.game", n=data["number"]) if "number" in data else words.text("problem.title")


def filled(template: str, values: Mapping[str, str]) -> str:
    """Return a template of a page with ``{{NAME}}`` replaced by the value of that name."""
    return re.sub(r"\{\{([A-Z]+)\}\}", lambda match: values[match[1]], template)


def write_page(path: Path, data: Json, language: str | None = None) -> None:
    """Write a page, in one language or in all, and report its size on stderr."""
    write_whole(path, page_html(data, language))
    values = {
        "path": printable(path, MESSAGE),
        "n": len(data["rounds"]),
        "moments": len(data["frames"]),
        "size": f"{path.stat().st_size / 1e6:.1f}",
    }
    key = "problem.page" if "problems" in data else "view.page"
    note(messages(language or "en").text(key, **values))


def _embedded(data: Json) -> str:
    """Return the data in characters that cannot be markup; equal data give equal text."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode("ascii"), mtime=0)).decode("ascii")


def policy_for(script: str, style: str) -> str:
    """Return the Content-Security-Policy that allows one script and one style sheet, and nothing else."""
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"script-src '{_digest(script)}'; style-src '{_digest(style)}'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _static(name: str) -> str:
    return (files("manue.review") / "static" / name).read_text("utf-8")


_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([a-z]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) )", re.MULTILINE)


@cache
def bundle(modules: Sequence[str] = MODULES) -> str:
    """Return modules as one, without the imports between them, each after those it imports.

    A page opened from disk cannot import files, so the modules share one scope and must use different names.
    """
    parts = []
    for number, name in enumerate(modules):
        text = _static(name)
        late = set(_IMPORT.findall(text)) - set(modules[:number])
        if late:
            raise AssertionError(f"{name} imports {sorted(late)}, which come after it")
        parts.append(_EXPORT.sub("", _IMPORT.sub("", text)))
    return "\n".join(parts)
