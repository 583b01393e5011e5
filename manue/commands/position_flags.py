"""Positions of ``manue position`` out of ``--hand`` and the options beside it."""

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from manue.api.decisions import described_position, has_drawn
from manue.api.hands import tiles_of
from manue.as_text import counted
from manue.commands.options import given_as
from manue.commands.position_log import Found
from manue.errors import TileError, UsageError
from manue.game.events import Event, GameStart
from manue.game.position import Position
from manue.game.position_text import meld_of, river_of
from manue.records.archive import entries_of
from manue.rules import RULES
from manue.tiles import WINDS, Wind, parse_tiles

_RIICHI = re.compile(r"([ESWN])@(\d{1,2})")


def from_flags(options: argparse.Namespace) -> Found:
    """Return the position of ``--hand`` and the options beside it.

    Raises
    ------
    UsageError
        If an option cannot be read, or the position cannot arise.
    """
    seat = options.seat or "E"
    if seat not in WINDS:
        raise UsageError(f"--seat {seat}: with --hand a wind, E, S, W or N")
    rules = RULES[options.rules]
    if options.last_round is not None:
        rules = replace(rules, last_round=options.last_round)
    with given_as():
        position = _position(options, seat)
        position.state(rules)  # what cannot arise is refused here
    events: list[Event] = [GameStart(names=("",) * 4), *position.events()]
    return entries_of(events), position.own_seat()


def are_tiles(text: str) -> bool:
    """Return whether a text reads as tiles, at least one."""
    try:
        return bool(parse_tiles(text))
    except TileError:
        return False


def _position(options: argparse.Namespace, seat: Wind) -> Position:
    melds, rivers = _melds(options.meld), _rivers(options)
    with given_as("--hand"):
        tiles = tiles_of(" ".join(options.hand))
        has_drawn(tiles, len(melds.get(seat, ())), rivers)
    with given_as("--dora"):
        tiles_of(options.dora or "")
    return described_position(
        tiles,
        dora=options.dora,
        round_name=options.round,
        seat=seat,
        scores=_scores(options.scores),
        honba=options.honba,
        deposits=options.deposits,
        melds=melds,
        rivers=rivers,
    )


def _melds(given: Sequence[str]) -> dict[Wind, list[str]]:
    melds: dict[Wind, list[str]] = {}
    for wind, text in _by_seat("--meld", given):
        with given_as("--meld"):
            meld_of(text, wind)
        melds.setdefault(wind, []).append(text)
    return melds


def _scores(text: str | None) -> list[int] | None:
    if text is None:
        return None
    try:
        scores = [int(points) for points in text.split(",")]
    except ValueError:
        scores = []
    if len(scores) != 4:
        raise UsageError(f"--scores {text}: four whole numbers, of East, South, West and North")
    return scores


def _by_seat(option: str, given: Sequence[str]) -> list[tuple[Wind, str]]:
    found = []
    for text in given:
        wind, equals, value = text.partition("=")
        if wind not in WINDS or not equals:
            raise UsageError(f"{option} {text}: begins with a wind and =, as in E=9p")
        found.append((wind, value.strip()))
    return found


def _rivers(options: argparse.Namespace) -> Mapping[Wind, str] | None:
    """Return the rivers with the riichi marked in them; ``None`` if none are given."""
    rivers: dict[Wind, str] = {}
    for wind, tiles_given in _by_seat("--river", options.river):
        if wind in rivers:
            raise UsageError(f"--river: two rivers of {wind}")
        with given_as("--river"):
            river_of(tiles_given)
        rivers[wind] = tiles_given
    for text in options.riichi:
        found = _RIICHI.fullmatch(text)
        if found is None:
            raise UsageError(f"--riichi {text}: a wind and a turn, as in W@8")
        tiles, turn = rivers.get(found[1], "").split(), int(found[2])
        if not 1 <= turn <= len(tiles):
            raise UsageError(
                f"--riichi {text}: the river of {found[1]} has {counted(len(tiles), 'tile')} (--river)"
            )
        tile, called, caller = tiles[turn - 1].partition("^")
        tiles[turn - 1] = f"{tile.rstrip('!')}!{called}{caller}"
        rivers[found[1]] = " ".join(tiles)
    return rivers or None
