"""How far from tenpai the hands of strong players are, by calls and discards; rollouts draw hands by it."""

from pathlib import Path
from typing import Any

import numpy as np

from manue.arrays import I64
from manue.as_text import counted, percent, table_head
from manue.game.events import Discarded, RoundStart
from manue.game.state import RoundState
from manue.hand.shanten import shanten
from manue.records.games import RecordedGame, collect_games
from manue.rollouts.hands import MAX_SHANTEN

MAX_MELDS, MAX_DISCARDS = 3, 18
"""Hands with more calls, or after more discards, count as if they had this many."""


def hands_of_log(log: Path) -> list[I64 | str]:
    """Return the counts of the hands of each game of a log, or the reason why it could not be used."""
    return collect_games(log, _hands_of_game)


def _hands_of_game(game: RecordedGame) -> I64:
    counts = np.zeros((MAX_MELDS + 1, MAX_DISCARDS + 1, MAX_SHANTEN), np.int64)
    states = [RoundState(seat) for seat in range(4)]
    for event in game.events:
        for state in states:
            state.apply(event)
        if isinstance(event, RoundStart):
            for state in states:
                if state.seat != state.dealer:
                    _count(state, counts)
        if isinstance(event, Discarded):
            _count(states[event.actor], counts)
    return counts


def _count(state: RoundState, counts: I64) -> None:
    """Count a hand at rest, unless it is tenpai or in riichi."""
    left = 0 if state.me.riichi else shanten(state.counts, len(state.me.melds))
    if left > 0:
        melds, discards = min(len(state.me.melds), MAX_MELDS), min(len(state.me.river), MAX_DISCARDS)
        counts[melds, discards, min(left, MAX_SHANTEN) - 1] += 1


def hands_data(counts: I64, games: int) -> dict[str, Any]:
    """Return the counts as data: by calls, discards and exchanges before tenpai, from 1."""
    return {"games": games, "hands": int(counts.sum()), "counts": counts.tolist()}


def hands_table(found: dict[str, Any]) -> str:
    """Return the shares as Markdown."""
    lines = [
        f"{counted(found['games'], 'game')}, {counted(found['hands'], 'hand')} that were not tenpai",
        "",
        *table_head(["calls", "discards", *map(str, range(1, MAX_SHANTEN)), f"{MAX_SHANTEN} or more"]),
    ]
    for melds, rows in enumerate(found["counts"]):
        for discards in (3, 6, 9, 12, 15):
            total = sum(rows[discards])
            shares = " | ".join(percent(count / total if total else None) for count in rows[discards])
            lines.append(f"| {melds} | {discards} | {shares} |")
    return "\n".join(lines)
