"""Where every round of a recorded game started, and the final places."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from manue.arrays import F64, I64
from manue.errors import EventError
from manue.game.events import Event, GameEnd, RoundStart, stated_last_round
from manue.models.placement import RoundPosition
from manue.records.results import final_places, places_of
from manue.rules import HANCHAN


@dataclass(frozen=True, slots=True)
class RoundStarts:
    """The starts of the n rounds of a game.

    Parameters
    ----------
    scores : float64[n, 4]
        Points by seat.
    index, dealer, honba : int64[n]
        The round, 0 for East 1; the dealer's seat; the repeat counter.
    last : int
        Index of the last planned round.
    places : int64[4]
        Final place of each seat, 0 to 3.
    """

    scores: F64
    index: I64
    dealer: I64
    honba: I64
    last: int
    places: I64


def round_starts(events: Sequence[Event]) -> RoundStarts:
    """Return the starts of the rounds; raises EventError if the game has no end, or no scores."""
    end = next((event for event in reversed(events) if isinstance(event, GameEnd)), None)
    if end is None:
        raise EventError("the record has no end of the game")
    starts = [event for event in events if isinstance(event, RoundStart) and event.scores is not None]
    if not starts:
        raise EventError("the record has no round with scores")
    stated = stated_last_round(events)
    positions = [RoundPosition.at(start) for start in starts]
    return RoundStarts(
        np.array([start.scores for start in starts], np.float64),
        np.array([position.index for position in positions], np.int64),
        np.array([position.dealer for position in positions], np.int64),
        np.array([position.honba for position in positions], np.int64),
        HANCHAN if stated is None else stated,
        _places(events, end),
    )


def _places(events: Sequence[Event], end: GameEnd) -> I64:
    places = final_places(events) if end.scores is None else places_of(end.scores)
    return np.array(places, np.int64) - 1
