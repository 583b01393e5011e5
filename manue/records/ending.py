"""Whether a recorded game was played to its end."""

from collections.abc import Sequence

import numpy as np

from manue.errors import EventError
from manue.game.events import Event, GameEnd, RoundStart, stated_last_round
from manue.models.placement import RoundPosition, game_over
from manue.records.archive import LogEntry, entry_of
from manue.records.results import RoundResult, round_results
from manue.rules import HANCHAN, TENHOU, Rules
from manue.tiles import Seat


def is_finished(events: Sequence[Event], rules: Rules = TENHOU) -> bool:
    """Return whether a game was played to its end, as the record says or its last round ends it by the rules.

    A game whose length is not stated is taken for a hanchan.
    """
    if any(isinstance(event, GameEnd) for event in events):
        return True
    begun = max((at for at, event in enumerate(events) if isinstance(event, RoundStart)), default=None)
    if begun is None:
        return False
    start = events[begun]
    assert isinstance(start, RoundStart)  # noqa: S101  for the type checker
    try:
        (result,) = round_results(events[begun:])
    except EventError:
        return False
    stated = stated_last_round(events)
    position = RoundPosition.at(start, HANCHAN if stated is None else stated)
    aborted = not result.winners and not result.exhausted
    stays = np.array([_keeps_the_deal(start.dealer, result)])
    return bool(game_over(np.array([result.scores], float), stays, position, rules, np.array([aborted]))[0])


def _keeps_the_deal(dealer: Seat, result: RoundResult) -> bool:
    if result.winners:
        return dealer in result.winners
    return not result.exhausted or result.tenpai[dealer]


def with_end(game: list[LogEntry]) -> list[LogEntry]:
    """Return a game with its end, if its format need not have one and the last round ends it by the rules."""
    events = [entry.event for entry in game if entry.event is not None]
    if any(isinstance(event, GameEnd) for event in events) or not is_finished(events):
        return game
    return [*game, entry_of(game[-1].where, {"type": "end_game"})]
