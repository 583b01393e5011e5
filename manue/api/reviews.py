"""A review of somebody's game, from a program."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from manue.agents.base import Decider
from manue.agents.registry import agent_of
from manue.api.records import game_and_seat
from manue.review.frames import Json
from manue.review.judge import review_game
from manue.review.summary import (
    COSTLIEST,
    costliest,
    judged,
    kind_of,
    option_words,
    points_lost,
    round_of,
    turn_label,
)
from manue.rules import Length, RulesName, rules_of
from manue.tiles import Seat


@dataclass(frozen=True, slots=True)
class ReviewedChoice:
    """A decision of the player, and what the agent thinks of it.

    Parameters
    ----------
    where : str
        Round and turn: ``East 2, turn 7``.
    kind : str
        What it was about: ``discard``, ``riichi``, ``call``, ``kan``, ``win`` or ``abort``.
    played, best : str
        What was chosen, and what the agent would have.
    points_lost : float or None
        Points given up, by what decides between options; 0 where the best option was played, ``None`` from an
        agent that does not estimate points.
    """

    where: str
    kind: str
    played: str
    best: str
    points_lost: float | None


@dataclass(frozen=True, slots=True)
class Review:
    """What an agent thinks of one seat's game.

    Parameters
    ----------
    seat : int
    name : str
        Of the player.
    decisions : int
        How many left a choice.
    agreement : float or None
        Share of them, 0..1, in which the best option was played.
    points_lost : float or None
        Points given up in all, by what decides; ``None`` from an agent that does not estimate points.
    better_than : float or None
        Share of strong players' games, 0..1, in which more was lost per decision; ``None`` after too few
        decisions, or from an agent that values options by something else.
    weights : mapping of str to int
        How many choices were an ``inaccuracy``, a ``mistake`` or a ``blunder``: by how rarely strong players
        lose as much.
    worst : tuple of ReviewedChoice
        The ten costliest choices, the worst first.
    choices : tuple of ReviewedChoice
        All decisions that left a choice, in the order of the game.
    """

    seat: Seat
    name: str
    decisions: int
    agreement: float | None
    points_lost: float | None
    better_than: float | None
    weights: Mapping[str, int]
    worst: tuple[ReviewedChoice, ...]
    choices: tuple[ReviewedChoice, ...]


def review_record(
    path: str | Path,
    seat: Seat | str,
    *,
    agent: str | Decider | type = "manue",
    game: int | None = None,
    length: Length | None = None,
    rules: RulesName = "tenhou",
) -> Review:
    """Let an agent judge every decision of a player in a game record.

    Parameters
    ----------
    path : str or Path
        Mjai (lines or an array, gzipped or not), Tenhou's mjlog, tenhou.net/6 or Mahjong Soul JSON.
    seat : int or str
        Whose decisions, 0..3 or the name of the player; the hand has to be open in the record.
    agent : str, Decider or type
        Who judges: a spec as for `make_agent`, an agent of your own, or its class.
    game : int, optional
        Which game, from 1, of a file with several.
    length : {"hanchan", "east"}, optional
        How long the game was planned to be; default: as the record says, else a guess by where it ended.
    rules : {"tenhou", "mjsoul"}
        Whose rules it was played by, Tenhou's or Mahjong Soul's, where the record does not say.

    Returns
    -------
    Review

    Raises
    ------
    LogError
        If the file cannot be read, or an event cannot follow the ones before.
    UsageError
        If the seat is none, nobody or more than one has the name, or the hand is hidden; if it is not clear
        which game is meant, or the length or the rules are unknown.
    ModelError
        As `make_agent`.
    AgentError, IllegalActionError
        As `evaluate`.

    Examples
    --------
    >>> import manue
    >>> review = manue.review_record("data/games/four-manue.mjson.gz", seat=0, agent="greedy")
    >>> review.name, review.decisions
    ('manue@first 0', 149)
    """
    player = agent_of(agent)
    entries, own = game_and_seat(path, seat, game, length, rules)
    _, data = review_game(entries, Path(path), player, player.name, [own], rules=rules_of(rules))
    (found,) = data["review"]["seats"]
    decisions = judged(data["decisions"][own])
    return Review(
        seat=own,
        name=found["name"],
        decisions=found["decisions"],
        agreement=found["agreement"],
        points_lost=found["lost"],
        better_than=found["better"],
        weights=found["weights"],
        worst=tuple(_reviewed(data, decision) for _, decision in costliest(decisions, COSTLIEST)),
        choices=tuple(_reviewed(data, decision) for decision in decisions),
    )


def _reviewed(data: Json, decision: Json) -> ReviewedChoice:
    played, best = (option_words(decision["options"][decision[which]]) for which in ("played", "chosen"))
    where = turn_label(data["rounds"][round_of(data, decision)], decision["turn"])
    lost = points_lost(decision)
    return ReviewedChoice(where, kind_of(decision), played, best, None if lost is None else round(lost, 1))
