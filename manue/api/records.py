"""Game records from a program: their events, and what an agent thinks of one moment."""

from pathlib import Path

from manue.agents.base import Decider, Decision
from manue.api.arguments import path_of, seat_in, seat_of, whole
from manue.api.decisions import judge_of
from manue.api.moments import decide_after, until_moment
from manue.errors import UsageError
from manue.protocol.codec import Fields
from manue.records.archive import LogEntry, annotated_fields
from manue.records.formats import read_game
from manue.records.length import known_length
from manue.review.frames import open_seats
from manue.rules import Length, RulesName, given_last_round, rules_of
from manue.tiles import Seat


def read_record(path: str | Path, game: int | None = None) -> list[Fields]:
    """Return the events of a game record as Mjai has them, whatever the format of the file.

    Parameters
    ----------
    path : str or Path
        Mjai (lines or an array), Tenhou's mjlog, tenhou.net/6 or Mahjong Soul JSON, gzipped or not.
    game : int, optional
        Which game, from 1, of a file with several.

    Returns
    -------
    list of dict
        From ``start_game`` on, with the annotations (``logs``, ``meta``) that the record has.

    Raises
    ------
    LogError
        If the file cannot be read, is damaged, or an event cannot follow the ones before.
    UsageError
        If it is not clear which game is meant.

    Examples
    --------
    >>> import manue
    >>> events = manue.read_record("data/games/four-manue.mjson.gz")
    >>> [event["type"] for event in events[:4]]
    ['start_game', 'start_kyoku', 'tsumo', 'dahai']
    """
    number = None if game is None else whole(game, "game")
    entries = read_game(path_of(path, "path"), number)
    return [annotated_fields(entry) for entry in entries if entry.event is not None]


def evaluate_record(
    path: str | Path,
    moment: str,
    seat: Seat | str,
    *,
    game: int | None = None,
    length: Length | None = None,
    rules: RulesName = "tenhou",
    agent: str | Decider | type = "manue",
    rollouts: int | None = None,
) -> Decision:
    """Evaluate every option of one decision of a game record.

    Parameters
    ----------
    path : str or Path
        As for `read_record`.
    moment : str
        Round and turn: ``South-2.7`` or ``S2.7`` is the seventh turn of South 2, ``South-2-1.7`` of its first
        repeat. Of the decisions in a turn, it is the one after the seat's own draw, failing that on a discard
        of another seat.
    seat : int or str
        Whose decision it is, 0..3 or the name of the player; the hand has to be open in the record.
    game : int, optional
        Which game, from 1, of a file with several.
    length : {"hanchan", "east"}, optional
        How long the game was planned to be; default: as the record says, else a guess by where it ended.
    rules : {"tenhou", "mjsoul"}
        Whose rules it was played by, Tenhou's or Mahjong Soul's, where the record does not say.
    agent : str, Decider or type
        Who evaluates: a spec as for `make_agent`, an agent of your own, or its class.
    rollouts : int, optional
        As for `evaluate`.

    Returns
    -------
    Decision
        As from `evaluate`.

    Raises
    ------
    LogError
        As `read_record`.
    UsageError
        If there is no such round, the seat has nothing to decide in that turn, or its hand is hidden; also as
        `review_record` and `evaluate`.
    ModelError
        As `make_agent`.
    AgentError, IllegalActionError
        As `evaluate`.

    Examples
    --------
    >>> import manue
    >>> record = "data/games/four-manue.mjson.gz"
    >>> manue.evaluate_record(record, "S4.5", "manue@first 0", agent="rules").label
    '7s drawn'
    """
    if not isinstance(moment, str):
        raise UsageError(f"a moment is a text, as 'South-2.7', not {moment!r}")
    judge = judge_of(agent, rollouts)
    entries, own = game_and_seat(path, seat, game, length, rules)
    if not open_seats(entries, str(path))[own]:
        raise UsageError(f"{path} hides the hand of seat {own}")
    played_by = rules_of(rules)
    return decide_after(until_moment(entries, moment, own, played_by), own, judge, played_by)


def game_and_seat(
    path: str | Path, seat: Seat | str, game: int | None, length: Length | None, rules: RulesName
) -> tuple[list[LogEntry], Seat]:
    """Return a game of a record, its length known, and a seat of it.

    Parameters and errors are those of `evaluate_record`.
    """
    record, played_by, last = path_of(path, "path"), rules_of(rules), given_last_round(length)
    if not isinstance(seat, str):
        seat = seat_of(seat)
    number = None if game is None else whole(game, "game")
    entries, _ = known_length(read_game(record, number, played_by), last)
    return entries, seat_in(entries, seat)
