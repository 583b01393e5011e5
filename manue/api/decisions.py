"""One decision: from a hand alone, from a position written down, or from the Mjai lines that led to it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from pydantic_core import PydanticSerializationError, to_json

from manue.agents.base import Agent, Decider, Decision
from manue.agents.registry import agent_of
from manue.api.arguments import plain_number, seat_of, whole
from manue.api.hands import Tiles, tiles_of
from manue.as_text import counted
from manue.errors import PositionError, ProtocolError, UsageError
from manue.game.checks import MAX_INDICATORS
from manue.game.legal import legal_actions
from manue.game.position import Position
from manue.game.position_text import meld_of, river_of
from manue.player import Player
from manue.protocol.dialect import LINES
from manue.protocol.session import Session
from manue.protocol.turn import Turn
from manue.rollouts.player import with_rollouts
from manue.rules import Length, RulesName, given_last_round, last_round_of, rules_of
from manue.tiles import KIND_OF, KINDS, WINDS, Seat, Tile, Wind, dora_of

_Line: TypeAlias = str | bytes | Mapping[str, Any]
_HONORS_FIRST = ("N", "W", "S", "E", "P", "F", "C", *KINDS[:27])


def evaluate(
    hand: Tiles,
    *,
    dora: Tiles | None = None,
    round: str = "E1",  # noqa: A002  what players call it
    seat: Wind = "E",
    scores: Sequence[int] | None = None,
    honba: int = 0,
    deposits: int | None = None,
    melds: Mapping[Wind, Sequence[str]] | None = None,
    rivers: Mapping[Wind, str] | None = None,
    length: Length = "hanchan",
    rules: RulesName = "tenhou",
    agent: str | Decider | type = "manue",
    rollouts: int | None = None,
) -> Decision:
    """Evaluate every option of a hand, by default as in the first turn of a game.

    Parameters
    ----------
    hand : str or sequence of str
        The concealed tiles, as for `shanten`: 14 less three for each own meld, the drawn tile last; or 13,
        and the question is what to do about the last discard in ``rivers``.
    dora : str or sequence of str, optional
        The dora indicator, and those that kans have revealed, in their order; default: an honor that makes
        nothing of the hand dora.
    round : str
        ``E1`` to ``W4``.
    seat : {"E", "S", "W", "N"}
        Whose hand it is; East is the dealer.
    scores : sequence of int, optional
        Points of East, South, West and North, riichi sticks paid; with ``deposits`` they make 100000.
        Default: the round began with 25000 each.
    honba : int
    deposits : int, optional
        Riichi sticks on the table; default: those of the riichi in ``rivers``.
    melds : mapping of wind to sequence of str, optional
        Sets called by each seat, in their order: ``{"S": ["pon C C + C", "chi 6s 7s + 5s"]}``, the tile taken
        at the end. Kans are ``daiminkan C C C + C``, ``kakan C C C + C`` (a pon, with the tile taken at its
        end, and the tile added) and ``ankan 1m 1m 1m 1m``; the last two count as declared before all riichi
        and on an earlier turn than that of the decision, if they can have been.
    rivers : mapping of wind to str, optional
        Discards of each seat, as ``{"E": "9p W_ C^S", "W": "2m!"}``: ``_`` discarded as drawn, ``!`` declared
        riichi, ``^S`` called by South. Default: none of ours, and of each seat before us one tile that means
        nothing to the hand.
    length : {"hanchan", "east"}
        How long the game is planned to be.
    rules : {"tenhou", "mjsoul"}
        Whose rules the game is played by: Tenhou's or Mahjong Soul's.
    agent : str, Decider or type
        Who evaluates: a spec as for `make_agent`, an agent of your own, or its class.
    rollouts : int, optional
        Play close options on to the end of the round in this many worlds, 2..1000000; ``details.rollout`` of
        their reports then says how they did. Only with ``manue``.

    Returns
    -------
    Decision
        The chosen ``action``, and in ``reports`` every option with its figures, best first. `decision_table`
        prints them.

    Raises
    ------
    TileError
        If a tile cannot be read.
    PositionError
        If the position cannot arise, or there is nothing to decide.
    UsageError
        If the length or the rules are unknown, the worlds are out of range, or as `make_agent`.
    ModelError
        As `make_agent`.
    AgentError
        If an agent of your own fails.
    IllegalActionError
        If an agent of your own returns no `Decision`, or one that may not be made.

    Examples
    --------
    >>> import manue
    >>> decision = manue.evaluate("123m456p789s1122z 9m", agent="rules")
    >>> decision.action, decision.reports[1].ukeire_count
    (Riichi(), 4)
    """
    position = described_position(
        tiles_of(hand),
        dora=dora,
        round_name=round,
        seat=seat,
        scores=scores,
        honba=honba,
        deposits=deposits,
        melds=melds,
        rivers=rivers,
    )
    played = replace(rules_of(rules), last_round=last_round_of(length))
    player = Player(position.own_seat(), judge_of(agent, rollouts), played)
    player.state = position.state(played)
    actions = legal_actions(player.state)
    if not actions:
        raise PositionError("nothing to decide: no call and no win is possible on the last discard")
    return player.decide(actions)


def judge_of(agent: str | Decider | type, rollouts: int | None) -> Agent:
    """Return an agent, with its close decisions played on in some worlds if asked for.

    Raises
    ------
    UsageError, ModelError
        As `make_agent` and `manue.rollouts.player.with_rollouts`.
    """
    found = agent_of(agent)
    return found if rollouts is None else with_rollouts(found, whole(rollouts, "rollouts"))


def described_position(
    tiles: list[Tile],
    *,
    dora: Tiles | None,
    round_name: str,
    seat: Wind,
    scores: Sequence[int] | None,
    honba: int,
    deposits: int | None,
    melds: Mapping[Wind, Sequence[str]] | None,
    rivers: Mapping[Wind, str] | None,
) -> Position:
    """Return the position that the arguments of `evaluate` describe, what they leave out filled in.

    Raises
    ------
    PositionError
        If the hand has the wrong size, or the round, a wind, the scores, melds or rivers are not what they
        should be.
    TileError
        If an indicator or a tile of a meld cannot be read.
    """
    if seat not in WINDS:
        raise PositionError(f"{seat!r} is not a seat: E, S, W or N")
    if not isinstance(round_name, str):
        raise PositionError(f"round {round_name!r} is not E1..W4")
    called = _melds_by_seat(melds)
    _check_rivers(rivers)
    drawn = has_drawn(tiles, len(called.get(seat, ())), rivers)
    taken = {*tiles, *_tiles_of_melds(called)}
    indicator, *revealed = [_indicator(taken, rivers or {})] if dora is None else _indicators(dora)
    return Position(
        hand=tuple(tiles[:-1] if drawn else tiles),
        draw=tiles[-1] if drawn else None,
        dora=indicator,
        kan_dora=tuple(revealed),
        round=round_name,
        seat=seat,
        honba=whole(honba, "honba", PositionError),
        deposits=None if deposits is None else whole(deposits, "deposits", PositionError),
        scores=_points_by_seat(scores),
        melds=called,
        rivers=_rivers_before({*taken, *revealed}, seat) if rivers is None else rivers,
    )


def _points_by_seat(scores: Sequence[int] | None) -> dict[Wind, int] | None:
    if scores is None:
        return None
    if isinstance(scores, str | Mapping) or not isinstance(scores, Iterable):
        raise PositionError(f"the scores are four numbers, of East, South, West and North, not {scores!r}")
    points = [whole(each, "points", PositionError) for each in scores]
    if len(points) != 4:
        raise PositionError(f"{len(points)} scores; East, South, West and North have one each")
    return dict(zip(WINDS, points, strict=True))


def _melds_by_seat(melds: Mapping[Wind, Sequence[str]] | None) -> dict[Wind, list[str]]:
    if melds is None:
        return {}
    if not isinstance(melds, Mapping):
        raise PositionError(f"the melds are sequences by seat, as {{'S': ['pon C C + C']}}, not {melds!r}")
    for seat, called in melds.items():
        if isinstance(called, str) or not isinstance(called, Iterable):
            raise PositionError(f"the melds of {seat} are a sequence, as ['pon C C + C'], not {called!r}")
    return {seat: list(called) for seat, called in melds.items()}


def _check_rivers(rivers: Mapping[Wind, str] | None) -> None:
    if rivers is not None and not isinstance(rivers, Mapping):
        raise PositionError(f"the rivers are texts by seat, as {{'E': '9p W_'}}, not {rivers!r}")
    for seat, river in (rivers or {}).items():
        if not isinstance(river, str):
            raise PositionError(f"the river of {seat} is a text, as '9p W_ C^S', not {river!r}")


def has_drawn(tiles: Sequence[Tile], melds: int, rivers: Mapping[Wind, str] | None) -> bool:
    """Return whether the last tile was drawn: whether there are 14, melds counted as three each.

    Raises
    ------
    PositionError
        If there is another number of tiles, or nothing was drawn and no rivers are given.
    """
    size = len(tiles) + 3 * melds
    beside = f" beside {counted(melds, 'meld')}" if melds else ""
    if size == 13 and rivers is None:
        raise PositionError(
            f"{counted(len(tiles), 'tile')}{beside} leave nothing to decide: add the tile drawn, "
            "or give the rivers with the discard in question"
        )
    if size not in {13, 14}:
        raise PositionError(
            f"{counted(len(tiles), 'tile')}{beside}; a hand has {14 - 3 * melds} with the tile drawn"
        )
    return size == 14


def _tiles_of_melds(melds: Mapping[Wind, Sequence[str]]) -> list[Tile]:
    return [tile for wind, texts in melds.items() for text in texts for tile in meld_of(text, wind).tiles]


def _indicators(dora: Tiles) -> list[Tile]:
    indicators = tiles_of(dora)
    if not 1 <= len(indicators) <= MAX_INDICATORS:
        raise PositionError(f"{dora!r} is not one dora indicator, and one more for each kan")
    return indicators


def _indicator(taken: Iterable[Tile], rivers: Mapping[Wind, str]) -> Tile:
    """Return an indicator that makes none of these tiles dora, is not of their kinds, and may be left."""
    kinds = {KIND_OF[tile] for tile in taken}
    discarded = Counter(KIND_OF[one.tile] for river in rivers.values() for one in river_of(river))
    for tile in _HONORS_FIRST:
        if discarded[KIND_OF[tile]] < 4 and not kinds & {KIND_OF[tile], dora_of(tile)}:
            return tile
    raise PositionError(
        "no dora indicator can be made up that leaves the hand as it is; give the one on the table"
    )


def _rivers_before(taken: Iterable[Tile], seat: Wind) -> dict[Wind, str]:
    """Let each seat before ours discard a tile of a kind not among these, an honor where there is one."""
    kinds = {KIND_OF[tile] for tile in taken}
    for tile in _HONORS_FIRST:
        if KIND_OF[tile] not in kinds:
            return dict.fromkeys(WINDS[: WINDS.index(seat)], tile)
    raise PositionError(
        "no discard of the seats before can be made up that means nothing to the hand; give the rivers"
    )


def evaluate_lines(
    lines: str | bytes | Iterable[_Line],
    seat: Seat | None = None,
    *,
    length: Length | None = None,
    rules: RulesName = "tenhou",
    agent: str | Decider | type = "manue",
) -> Decision:
    """Evaluate every option of the decision that a run of Mjai events leads to.

    Parameters
    ----------
    lines : str, bytes, or iterable of str, bytes or dict
        A text with an event on each line, or the events one by one: from ``start_game`` or ``start_kyoku`` to
        the event that calls for the decision. Hands of others may be open or hidden.
    seat : int, optional
        Whose decision it is, 0..3; default: the ``id`` of ``start_game``.
    length : {"hanchan", "east"}, optional
        How long the game is planned to be; default: as ``start_game`` says, else a hanchan.
    rules : {"tenhou", "mjsoul"}
        Whose rules the game is played by, Tenhou's or Mahjong Soul's, where ``start_game`` does not say.
    agent : str, Decider or type
        Who evaluates: a spec as for `make_agent`, an agent of your own, or its class.

    Returns
    -------
    Decision
        As from `evaluate`.

    Raises
    ------
    ProtocolError
        If a line is not a Mjai event; the message names the line, from 1.
    EventError
        If an event cannot follow the ones before.
    PositionError
        If the seat has nothing to decide after the last event.
    UsageError, ModelError
        If nothing names the seat, it is none, or the length or the rules are unknown; also as
        `make_agent`.
    AgentError, IllegalActionError
        As `evaluate`.

    Examples
    --------
    >>> import manue
    >>> hidden = ["?"] * 13
    >>> start = {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0}
    >>> start |= {"dora_marker": "N", "tehais": ["1m 2m 3m 4p 5p 6p 7s 8s 9s E E S S".split(), *[hidden] * 3]}
    >>> manue.evaluate_lines([start, {"type": "tsumo", "actor": 0, "pai": "9m"}], 0, agent="rules").action
    Riichi()
    """
    own = None if seat is None else seat_of(seat)
    player = agent_of(agent)
    session = Session(
        player,
        _READING,
        complain=lambda _: None,
        seat=own,
        rules=rules_of(rules),
        last_round=given_last_round(length),
        strict=True,
    )
    answer = None
    for number, line in enumerate(_split(lines), 1):
        text = _as_text(line, number)
        found = _take(session, text)
        if text.strip():
            answer = found
    if not isinstance(answer, Turn):
        raise PositionError("there is nothing to decide after the last event")
    return answer.think()


_READING = replace(LINES, name="reading", summary="lines of a conversation, read again")


def _split(lines: str | bytes | Iterable[_Line]) -> Iterable[_Line]:
    if isinstance(lines, bytes | bytearray):
        return lines.split(b"\n")
    if isinstance(lines, Mapping) or not isinstance(lines, Iterable):
        raise ProtocolError(f"a text with an event on each line, or a sequence of events, not {lines!r:.100}")
    return lines.split("\n") if isinstance(lines, str) else lines


def _as_text(line: _Line, number: int) -> str | bytes:
    if isinstance(line, str | bytes | bytearray):
        return line
    if not isinstance(line, Mapping):
        raise ProtocolError(f"line {number}: an event is a text or a dict, not {line!r:.100}")
    try:
        return to_json(line, fallback=plain_number)
    except PydanticSerializationError as error:
        raise ProtocolError(f"line {number}: {error}") from None


def _take(session: Session, text: str | bytes) -> str | Turn | None:
    try:
        return session.receive(text)
    except UsageError:
        raise UsageError("whose decision? No start_game has an id, so give the seat") from None
