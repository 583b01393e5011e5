"""The planned length of a recorded game: as the record says, or guessed from where the game ended."""

from collections.abc import Sequence
from dataclasses import replace

from manue.errors import EventError
from manue.game.events import GameEnd, GameStart, RoundStart, stated_last_round
from manue.protocol.codec import event_to_fields
from manue.protocol.parsing import parse_value
from manue.records.archive import LogEntry
from manue.records.results import round_results
from manue.rules import EAST_ONLY, HANCHAN
from manue.tiles import round_index

NAMES = {HANCHAN: "a hanchan", EAST_ONLY: "an East-only game"}


def stated_length(game: Sequence[LogEntry]) -> int | None:
    """Return the index of the last planned round (``manue.rules``) given in the record, if any."""
    return stated_last_round(entry.event for entry in game if entry.event is not None)


def guessed_length(game: Sequence[LogEntry]) -> int:
    """Guess the index of the last planned round from where the game ended.

    A game that ended in East 4, or in an extra round in South, with nobody below 0 points was an East-only
    game; every other game is taken for a hanchan.
    """
    rounds = [entry.event for entry in game if isinstance(entry.event, RoundStart)]
    ended = any(isinstance(entry.event, GameEnd) for entry in game)
    if not rounds or not ended:
        return HANCHAN
    last = round_index(rounds[-1].round_wind, rounds[-1].number)
    bust = any(points < 0 for points in _final_scores(game))
    return EAST_ONLY if EAST_ONLY <= last < HANCHAN and not bust else HANCHAN


def _final_scores(game: Sequence[LogEntry]) -> Sequence[int]:
    """Return the points at the end as said there, else after the last round; none without its result."""
    events = [entry.event for entry in game if entry.event is not None]
    said = next((event.scores for event in events if isinstance(event, GameEnd)), None)
    if said is not None:
        return said
    begun = max(at for at, event in enumerate(events) if isinstance(event, RoundStart))
    try:
        return round_results(events[begun:])[0].scores
    except EventError:
        return ()


def known_length(game: Sequence[LogEntry], last_round: int | None = None) -> tuple[list[LogEntry], str]:
    """Return the game with its length filled in, and a note if it had to be guessed ("" otherwise).

    Parameters
    ----------
    game : sequence of LogEntry
    last_round : int, optional
        The length given by the user; by default the one in the record, else a guess.
    """
    if last_round is None:
        last_round = stated_length(game)
    if last_round is not None:
        return with_length(game, last_round), ""
    guess = guessed_length(game)
    note = f"the record does not say how long the game was; where it ended, it is taken for {NAMES[guess]}"
    return with_length(game, guess), note


def with_length(game: Sequence[LogEntry], last_round: int) -> list[LogEntry]:
    """Return the game with its length in its start event, which is added if there is none."""
    entries = list(game)
    for at, entry in enumerate(entries):
        if isinstance(entry.event, GameStart):
            event = replace(entry.event, last_round=last_round)
            entries[at] = replace(entry, event=event)
            return entries
    start = GameStart(last_round=last_round)
    message = parse_value(event_to_fields(start))
    return [LogEntry("line 1", message, start, b'{"type":"start_game"}'), *entries]
