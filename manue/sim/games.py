"""Whole games, as compiled code: which round follows, and when it is over."""

from typing import Any

from manue.compiled import compiled
from manue.rules import EXTRA_ROUNDS, STICK
from manue.sim.codes import EXHAUSTIVE, NAGASHI, NINE
from manue.sim.deal import shuffle
from manue.sim.play import play_round
from manue.sim.scoring import TARGET_POINTS, dealer_of
from manue.sim.table import Tables


@compiled
def play_games(tables: Tables, kit: Any, most: int) -> int:
    """Play games to their ends; return the number of rounds.

    Parameters
    ----------
    tables : TABLE[n]
        Each with its ``seed`` and before a round.
    kit : KIT
    most : int
        Rounds after which it stops at the end of a game.
    """
    played = 0
    for at in range(len(tables)):
        t = tables[at]
        while not t["over"]:
            play_next(t, kit)
            played += 1
        if played >= most:
            break
    return played


@compiled
def play_rounds(tables: Tables, kit: Any) -> None:
    """Play one round at each table: TABLE[n], each with its ``seed`` and before a round."""
    for at in range(len(tables)):
        play_next(tables[at], kit)


@compiled
def play_next(t: Any, kit: Any) -> None:
    """Play the next round of the game at a table, from the shuffle to who deals then."""
    shuffle(t)
    play_round(t, kit)
    finish_round(t, kit)


@compiled
def finish_round(t: Any, kit: Any) -> None:
    """Go on to the next round, or end the game: sticks that nobody won then go to the first."""
    t["rounds"] += 1
    if _is_last(t, int(kit["switches"][TARGET_POINTS])):
        t["over"] = 1
        first = 0
        for seat in range(1, 4):
            if t["scores"][seat] > t["scores"][first]:
                first = seat
        t["scores"][first] += STICK * t["deposits"]
        t["deposits"] = 0
        return
    stays = dealer_stays(t)
    t["honba"] = t["honba"] + 1 if stays or is_drawn(t) else 0
    t["index"] += int(not stays)


@compiled
def dealer_stays(t: Any) -> bool:
    """Return whether the dealer of the round that has ended deals the next one too."""
    dealer = dealer_of(t)
    if t["ending"] < 0:
        return bool(t["winners"] >> dealer & 1)
    if t["ending"] in (EXHAUSTIVE, NAGASHI):
        return bool(t["waits"][dealer] != 0)
    return True


@compiled
def is_drawn(t: Any) -> bool:
    """Return whether the round ended without a win."""
    return bool(t["ending"] >= 0)


@compiled
def is_aborted(t: Any) -> bool:
    """Return whether the round ended in an abortive draw."""
    return bool(t["ending"] >= NINE)


@compiled
def _is_last(t: Any, target: int) -> bool:
    """Return whether the game ends with this round.

    An abortive draw is always played again, and a dealer who stays plays on unless it is first.
    """
    scores, last, index = t["scores"], int(t["last_index"]), int(t["index"])
    dealer = dealer_of(t)
    most = scores[0]
    first = 0
    for seat in range(4):
        if scores[seat] < 0:
            return True
        if scores[seat] > most:
            most, first = scores[seat], seat
    if is_aborted(t):
        return False
    if dealer_stays(t):
        return index >= last and first == dealer and most >= target
    following = index + 1
    return following > last and (most >= target or following > last + EXTRA_ROUNDS)
