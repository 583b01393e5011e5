"""A position written down by hand, and the events of a round that lead to it.

Seats are named by their winds in the round. In a river ``_`` follows a tile discarded as drawn, ``!`` one
that declared riichi, ``^S`` one that South called; a meld is ``pon C C + C`` or ``chi 6s 7s + 5s``, the tile
that was called last. There are no kans.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from manue.errors import EventError, PositionError
from manue.game.actions import Call
from manue.game.consistency import problems
from manue.game.events import Called, Discarded, Draw, Event, RiichiAccepted, RiichiDeclared, RoundStart
from manue.game.players import RiverTile
from manue.game.state import RoundState
from manue.rules import EXTRA_ROUNDS, TENHOU, Rules
from manue.tiles import WINDS, Seat, Tile, Wind, parse_tile, round_index

ALL_POINTS = 100_000
START_POINTS = 25_000
MAX_STICKS = 1_000
"""The most honba, and the most riichi sticks: far more than any table has seen."""
MAX_POINTS = 10_000_000
"""The most points that a seat has, or owes."""

_ROUND = re.compile(r"([ESW])([1-4])")
_RIVER_TILE = re.compile(r"([1-9][mps]r?|[ESWNPFC])(_?)(!?)(?:\^([ESWN]))?")
_SEAT = re.compile(r"\bseat ([0-3])\b")
_MELD = re.compile(r"(chi|pon) (\S+) (\S+) \+ (\S+)")


@dataclass(frozen=True, slots=True)
class _Discarding:
    """A tile of a river, and the meld with which its seat came to turn instead of a draw."""

    seat: Seat
    tile: Tile
    from_draw: bool
    riichi: bool
    call: Call | None


@dataclass(frozen=True, slots=True)
class Position:
    """What one seat sees when it has to decide.

    Parameters
    ----------
    hand : tuple of str
        The concealed tiles without ``draw``.
    dora : str
        The dora indicator.
    draw : str or None
        The tile just drawn; ``None`` where the question is about the last discard.
    round : str
        ``E1`` to ``W4``.
    seat : {"E", "S", "W", "N"}
        Whose decision it is.
    honba : int
    deposits : int or None
        Riichi sticks on the table; ``None``: those of the riichi in the rivers.
    scores : mapping of wind to int, or None
        The points of the moment, riichi sticks paid; ``None``: the round began with 25000 each.
    melds : mapping of wind to sequence of str
    rivers : mapping of wind to str
    """

    hand: tuple[Tile, ...]
    dora: Tile
    draw: Tile | None = None
    round: str = "E1"
    seat: Wind = "E"
    honba: int = 0
    deposits: int | None = None
    scores: Mapping[Wind, int] | None = None
    melds: Mapping[Wind, Sequence[str]] = field(default_factory=dict)
    rivers: Mapping[Wind, str] = field(default_factory=dict)

    def own_seat(self) -> Seat:
        """Return the absolute seat that decides; raises PositionError for an unknown round or wind."""
        return _absolute(self, self.seat)

    def events(self) -> list[Event]:
        """Return the events of the round up to the decision, hands of others hidden.

        The own draws that the position does not name are tiles of the final hand, in its order.

        Raises
        ------
        PositionError
            If rivers, melds, points or the size of the hand do not fit together.
        TileError
            If a tile has an unknown name.
        """
        steps = _steps(self)
        own = self.own_seat()
        hand, draws = _own_draws(self, [step for step in steps if step.seat == own])
        events: list[Event] = [_start(self, steps, hand)]
        owing: Seat | None = None
        for step in steps:
            if owing is not None:
                events.append(RiichiAccepted(owing))
            if step.call is not None:
                events.append(Called(step.seat, step.call))
            else:
                events.append(Draw(step.seat, next(draws) if step.seat == own else None))
            if step.riichi:
                events.append(RiichiDeclared(step.seat))
            events.append(Discarded(step.seat, step.tile, step.from_draw))
            owing = step.seat if step.riichi else None
        if self.draw is not None:
            events += [RiichiAccepted(owing)] if owing is not None else []
            events.append(Draw(own, self.draw))
        return events

    def state(self, rules: Rules = TENHOU) -> RoundState:
        """Return the state in which the decision is made, under these rules.

        Raises
        ------
        PositionError
            If the position cannot arise.
        TileError
            If a tile has an unknown name.
        """
        if round_index(*_round_of(self)) > rules.last_round + EXTRA_ROUNDS:
            raise PositionError(f"round {self.round} comes after the end of a game of this length")
        state = RoundState(self.own_seat(), rules)
        try:
            for event in self.events():
                state.apply(event)
        except EventError as error:
            raise PositionError(_by_wind(self, str(error))) from None
        if wrong := problems(state):
            raise PositionError(_by_wind(self, "; ".join(wrong)))
        if state.me.riichi and not state.waits:
            raise PositionError(f"{self.seat} is in riichi with a hand that is not tenpai")
        return state


def _by_wind(position: Position, reason: str) -> str:
    """Return a reason that numbers seats with their winds in its place, as a position names them."""
    names = {_absolute(position, wind): wind for wind in WINDS}
    return _SEAT.sub(lambda found: names[int(found[1])], reason)


def _round_of(position: Position) -> tuple[Wind, int]:
    found = _ROUND.fullmatch(position.round)
    if found is None:
        raise PositionError(f"round {position.round!r} is not E1..W4")
    return found[1], int(found[2])


def _absolute(position: Position, wind: Wind) -> Seat:
    if wind not in WINDS:
        raise PositionError(f"{wind!r} is not a seat: E, S, W or N")
    return (_round_of(position)[1] - 1 + WINDS.index(wind)) % 4


def _start(position: Position, steps: list[_Discarding], hand: tuple[Tile, ...]) -> RoundStart:
    wind, number = _round_of(position)
    paid = [step.seat for step in steps if step.riichi]
    if paid and position.draw is None and steps[-1].riichi:
        paid.pop()
    deposits = len(paid) if position.deposits is None else position.deposits
    scores = _scores_now(position, paid, deposits)
    for seat in paid:
        scores[seat] += 1000
    if deposits < len(paid):
        raise PositionError(f"{deposits} deposits with {len(paid)} riichi paid")
    if max(position.honba, deposits) > MAX_STICKS:
        raise PositionError(f"{position.honba} honba and {deposits} deposits: at most {MAX_STICKS}")
    own = position.own_seat()
    hidden = (None,) * 13
    return RoundStart(
        round_wind=wind,
        number=number,
        honba=position.honba,
        deposits=deposits - len(paid),
        dealer=number - 1,
        dora_indicator=position.dora,
        hands=tuple(hand if seat == own else hidden for seat in range(4)),
        scores=tuple(scores),
    )


def _scores_now(position: Position, paid: list[Seat], deposits: int) -> list[int]:
    """Return the scores by absolute seat, riichi sticks paid."""
    if position.scores is None:
        if deposits > len(paid):
            raise PositionError(
                f"{deposits} deposits, {len(paid)} of them in the rivers: give the scores as well"
            )
        return [START_POINTS - 1000 * (seat in paid) for seat in range(4)]
    if len(position.scores) != 4 or sum(position.scores.values()) + 1000 * deposits != ALL_POINTS:
        raise PositionError(f"the four scores and the deposits must add up to {ALL_POINTS} points")
    if max(map(abs, position.scores.values())) > MAX_POINTS:
        listed = " ".join(map(str, position.scores.values()))
        raise PositionError(f"scores of {listed}: at most {MAX_POINTS} points each")
    scores = [0] * 4
    for name, points in position.scores.items():
        scores[_absolute(position, name)] = points
    return scores


def _steps(position: Position) -> list[_Discarding]:
    """Put the discards of the four rivers in the order in which they fell."""
    rivers = {_absolute(position, wind): _river(position, text) for wind, text in position.rivers.items()}
    _check_melds(position)
    melds = {_absolute(position, wind): iter(texts) for wind, texts in position.melds.items()}
    left = {seat: iter(rivers.get(seat, [])) for seat in range(4)}
    steps: list[_Discarding] = []
    turn, call = _round_of(position)[1] - 1, None
    while (item := next(left[turn], None)) is not None:
        steps.append(_Discarding(turn, item.tile, item.from_draw, item.riichi, call))
        caller = item.called_by
        call = None if caller is None else _call(next(melds.get(caller, iter(())), None), turn, item.tile)
        turn = (turn + 1) % 4 if caller is None else caller
    _check_all_used(position, turn, call, left, melds)
    if position.draw is None and (not steps or steps[-1].seat == position.own_seat()):
        raise PositionError("nothing was drawn, and the last discard is not another seat's")
    return steps


def _check_melds(position: Position) -> None:
    for wind, texts in position.melds.items():
        for text in texts:
            if not isinstance(text, str) or _MELD.fullmatch(text) is None:
                raise PositionError(
                    f"{text!r} of {wind} is not a chi or pon, as 'chi 6s 7s + 5s' or 'pon C C + C'; "
                    "a position described by hand has no kans"
                )


def _check_all_used(
    position: Position,
    turn: Seat,
    call: Call | None,
    left: Mapping[Seat, Iterator[RiverTile]],
    melds: Mapping[Seat, Iterator[str]],
) -> None:
    """Demand that rivers and melds are used up when the decision is made."""
    names = {_absolute(position, wind): wind for wind in WINDS}
    if call is not None:
        raise PositionError(f"{names[turn]} does not discard after its call")
    for seat in range(4):
        if next(left[seat], None) is not None:
            raise PositionError(f"the river of {names[turn]} ends before that of {names[seat]}")
        if (text := next(melds.get(seat, iter(())), None)) is not None:
            raise PositionError(f"no discard is marked as called for {text!r} of {names[seat]}")
    if position.draw is not None and turn != position.own_seat():
        raise PositionError(f"{names[position.own_seat()]} draws a tile on the turn of {names[turn]}")


def _river(position: Position, text: str) -> list[RiverTile]:
    items = []
    for word in text.split():
        found = _RIVER_TILE.fullmatch(word)
        if found is None:
            raise PositionError(
                f"{word!r} is not a river tile: a Mjai name, then _ ! ^S in this order, as W_! or C^S"
            )
        caller = None if found[4] is None else _absolute(position, found[4])
        items.append(RiverTile(parse_tile(found[1]), bool(found[2]), bool(found[3]), caller))
    return items


def _call(text: str | None, source: Seat, tile: Tile) -> Call:
    found = None if text is None else _MELD.fullmatch(text)
    if found is None or found[4] != tile:
        raise PositionError(f"{tile} was called, but the next meld of the caller is {text!r}")
    kind: Literal["chi", "pon"] = "chi" if found[1] == "chi" else "pon"
    return Call(kind, (parse_tile(found[2]), parse_tile(found[3])), tile, source)


def _own_draws(position: Position, steps: list[_Discarding]) -> tuple[tuple[Tile, ...], Iterator[Tile]]:
    """Return the tiles dealt to the own seat and what it draws, so that the hand of the position is left."""
    dealt = list(position.hand)
    size = 13 - 3 * sum(step.call is not None for step in steps)
    if len(dealt) != size:
        raise PositionError(f"a hand of {len(dealt)} tiles, {size} expected without the drawn one")
    draws: list[Tile] = []
    started: list[Tile] = []
    for step in steps:
        if step.call is not None:
            started += [*step.call.consumed, step.tile]
        elif step.from_draw:
            draws.append(step.tile)
        elif dealt:
            draws.append(dealt.pop(0))
            started.append(step.tile)
        else:
            raise PositionError("more discards from the hand than it has tiles")
    return (*dealt, *started), iter(draws)
