"""What the head of a page says of a game: when, by which rules, final scores, places and results."""

import re
from collections.abc import Sequence
from typing import Any

from manue.game.events import GameStart
from manue.records.archive import LogEntry
from manue.records.ending import is_finished
from manue.records.results import places_of
from manue.review.frames import Json, Replay
from manue.rules import EAST_ONLY, TENHOU, Rules

UMA_AND_OKA = (40, 10, -10, -20)
"""Thousands of points by place as Tenhou's results count them: uma 20 and 10, and 20 for the first place."""

_DATE = re.compile(r"(?<!\d)(20\d\d)(\d\d)(\d\d)(?:\d\d)?gm-")
"""The day at the start of Tenhou's name for a game: ``2009030701gm-00a9-0000-0dfd07b3``."""


def game_facts(game: Sequence[LogEntry], shown: Replay, title: str, rules: Rules = TENHOU) -> Json:
    """Return the facts of a game.

    Parameters
    ----------
    game : sequence of LogEntry
    shown : Replay
        The same game, replayed.
    title : str
        Its name, which may hold the date.
    rules : Rules
        By which it was played.

    Returns
    -------
    dict
        ``date`` (``2009-03-07`` or ``None``), ``east`` (whether only East is played), ``red`` (with red
        fives, ``None`` if unknown), ``kuitan`` (whether tanyao counts with an open hand, ``None`` if
        unknown), ``scores`` at the end of the record, by seat, and of a finished game the ``places`` (1 to 4)
        and ``results``: thousands of points beyond 30 000 with `UMA_AND_OKA`. Equal scores are placed by
        seat. Both are ``None`` where the record breaks off before the end of the game, and ``cut`` is true.
    """
    entry = next((entry for entry in game if isinstance(entry.event, GameStart)), None)
    fields = entry.fields() if entry is not None else {}
    start = entry.event if entry is not None and isinstance(entry.event, GameStart) else GameStart()
    scores = list(shown.frames[-1]["scores"])
    finished = is_finished([entry.event for entry in game if entry.event is not None], rules)
    places = list(places_of(scores)) if finished else None
    return {
        "date": _date(fields, title),
        "east": start.last_round == EAST_ONLY,
        "red": start.red_fives,
        "kuitan": start.open_tanyao,
        "scores": scores,
        "cut": not finished,
        "places": places,
        "results": None if places is None else _results(scores, places),
    }


def _results(scores: Sequence[int], places: Sequence[int]) -> list[float]:
    return [
        round((score - TENHOU.target_points) / 1000 + UMA_AND_OKA[place - 1], 1)
        for score, place in zip(scores, places, strict=True)
    ]


def _date(fields: dict[str, Any], title: str) -> str | None:
    for text in (fields.get("log_id"), title):
        found = _DATE.search(text) if isinstance(text, str) else None
        if found is not None:
            return "-".join(found.groups())
    return None
