"""Annotation of a record with an agent's opinion of every decision.

The agent takes the seat of the player reviewed and sees only what that player saw: the others' hands and
draws are removed from the events before they reach it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from manue.agents.base import Agent, Decision
from manue.errors import UsageError
from manue.game.events import seen_by
from manue.player import Player
from manue.protocol.annotation import annotation_of
from manue.records.archive import LogEntry
from manue.records.possible import named_place
from manue.review.decisions import four_of
from manue.review.frames import open_seats
from manue.rules import TENHOU, Rules
from manue.tiles import Seat


def annotate(
    game: Sequence[LogEntry],
    agent: Agent,
    seats: Sequence[Seat] | None = None,
    *,
    source: str = "log",
    rules: Rules = TENHOU,
    step: Callable[[], None] = lambda: None,
) -> list[LogEntry]:
    """Let an agent judge every decision of some seats.

    Parameters
    ----------
    game : sequence of LogEntry
        One game.
    agent : Agent
    seats : sequence of int, optional
        By default every seat whose hand is open.
    source : str
        Name for error messages.
    rules : Rules
    step : callable
        Called after every entry of the log.

    Returns
    -------
    list of LogEntry
        The same entries, with ``logs`` and ``meta`` in their messages where a decision was made; existing
        annotations of seats that are not judged are kept.

    Raises
    ------
    UsageError
        If the hand of one of the seats is hidden.
    LogError
        If an event is impossible after the previous ones.
    """
    known = open_seats(game, source)
    chosen = [seat for seat in range(4) if known[seat]] if seats is None else list(seats)
    for seat in chosen:
        if not known[seat]:
            raise UsageError(f"{source} hides the hand of seat {seat}")
    players = {seat: Player(seat, agent, rules) for seat in chosen}
    result = []
    for entry in game:
        result.append(_judged(entry, players, source))
        step()
    return result


def with_decision(entries: Sequence[LogEntry], seat: Seat, decision: Decision) -> list[LogEntry]:
    """Return entries, the last with a seat's decision after it."""
    logs, meta = annotation_of({seat: decision})
    last = entries[-1]
    message = last.message.model_copy(update={"logs": logs, "meta": meta})
    return [*entries[:-1], replace(last, message=message)]


def _judged(entry: LogEntry, players: dict[Seat, Player], source: str) -> LogEntry:
    if entry.event is None:
        return entry
    decisions = {}
    for seat, player in players.items():
        with named_place(entry, source):
            decision = player.receive(seen_by(entry.event, seat))
        if decision is not None:
            decisions[seat] = decision
    logs, meta = annotation_of(decisions)
    old_logs, old_meta = four_of(entry.message.logs), four_of(entry.message.meta)
    for seat in range(4):
        if seat not in players:
            logs[seat], meta[seat] = old_logs[seat], old_meta[seat]
    message = entry.message.model_copy(
        update={"logs": logs if any(logs) else None, "meta": meta if any(meta) else None}
    )
    return replace(entry, message=message)
