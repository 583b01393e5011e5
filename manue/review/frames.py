"""The table after every event of a game, in small steps, computed for the page from `RoundState` alone.

A *frame* is a JSON object with everything a table shows after one event::

    {"round": 0, "left": 69, "honba": 0, "deposits": 0, "scores": [...], "deltas": null | [...],
     "dora": ["3p"], "doraTiles": ["4p"], "actor": null | seat, "latest": null | seat, "players": [...]}

``dora`` are the indicators and ``doraTiles`` the tiles they make dora; ``latest`` is the seat whose discard
may still be answered; ``deltas`` are the points that changed hands at this event. A player is::

    {"wind": "E", "hand": ["1m", ...], "drawn": null | "5p", "river": [["9m", "t"], ...], "melds": [...],
     "riichi": 0 | 1 | 2, "waits": ["3m"], "furiten": false}

with ``"?"`` for tiles that the log does not show. The letters after a river tile mean: ``t`` discarded as
drawn, ``r`` declared riichi, a digit the seat that called it. Riichi is 1 if declared, 2 if accepted.

Frames are sent as steps, see `step_between`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from manue.errors import LogError
from manue.game.events import (
    Discarded,
    Event,
    GameEnd,
    GameStart,
    RiichiAccepted,
    RoundEnd,
    RoundStart,
    Won,
)
from manue.game.players import Phase, PlayerState, RiverTile
from manue.game.state import RoundState
from manue.protocol.fields import HIDDEN
from manue.records.archive import LogEntry
from manue.records.open_hands import open_hands
from manue.records.possible import apply_entry
from manue.review.player_names import game_names
from manue.review.wins import computed_win
from manue.rules import TENHOU, Rules
from manue.tiles import KINDS, RED_OF, Meld, Seat, dora_of, seat_wind

Json = dict[str, Any]


@dataclass(slots=True)
class Replay:
    """A replayed game: the entry and the frame of every shown event, the rounds, and which hands are open.

    ``wins`` has what each win was made of (`manue.review.wins`), by the number of its frame.
    """

    names: tuple[str, ...]
    open: tuple[bool, ...]
    entries: list[LogEntry] = field(default_factory=list)
    frames: list[Json] = field(default_factory=list)
    rounds: list[Json] = field(default_factory=list)
    wins: dict[int, Json] = field(default_factory=dict)


Visitor = Callable[[int, LogEntry, Mapping[Seat, RoundState]], None]


def open_seats(game: Sequence[LogEntry], source: str = "log") -> tuple[bool, ...]:
    """Return for each seat whether the log shows its hand in every round; error messages name ``source``.

    Raises
    ------
    LogError
        If there is no round, or no hand is shown in every round.
    """
    if not any(isinstance(entry.event, RoundStart) for entry in game):
        raise LogError(f"{source}: the log has no round")
    seats = open_hands(game)
    if not any(seats):
        raise LogError(f"{source}: all four hands are hidden: there is no view to show")
    return seats


def is_shown(entry: LogEntry) -> bool:
    """Return whether an entry has a frame: all events except the start of the game and the end of a round."""
    return entry.event is not None and not isinstance(entry.event, GameStart | RoundEnd)


def replay(
    game: Sequence[LogEntry], *, source: str = "log", rules: Rules = TENHOU, visit: Visitor | None = None
) -> Replay:
    """Replay one game through a `RoundState` per open hand.

    Parameters
    ----------
    game : sequence of LogEntry
        As yielded by `manue.records.archive.read_games`.
    source : str
        Name for error messages.
    rules : Rules
    visit : callable, optional
        Called after every shown event with the frame's number, the entry and the states by seat.

    Raises
    ------
    LogError
        If an event is impossible after the previous ones; the message names the source and the line.
    """
    seats = open_seats(game, source)
    result = Replay(game_names(game), seats)
    states = {seat: RoundState(seat, rules) for seat in range(4) if seats[seat]}
    for entry in game:
        if entry.event is None:
            continue
        before = list(next(iter(states.values())).scores)
        if isinstance(entry.event, Won) and entry.event.actor in states:
            result.wins[len(result.frames)] = computed_win(states[entry.event.actor], entry.event)
        apply_entry(states.values(), entry, source)
        if not is_shown(entry):
            continue
        if isinstance(entry.event, RoundStart):
            result.rounds.append(round_facts(entry.event, len(result.frames)))
        elif not result.rounds:
            raise LogError(f"{source}, {entry.where}: {entry.message.type} before the first start_kyoku")
        frame = frame_of(states, entry.event, before, len(result.rounds) - 1)
        _extend(result.rounds[-1], len(result.frames), entry.event, frame)
        result.frames.append(frame)
        result.entries.append(entry)
        if visit is not None:
            visit(len(result.frames) - 1, entry, states)
    return result


def round_facts(event: RoundStart, start: int) -> Json:
    """Return what a page says of a round that begins with frame ``start``; `replay` adds its end."""
    facts = {"wind": event.round_wind, "number": event.number, "honba": event.honba}
    return {**facts, "dealer": event.dealer, "start": start, "result": [0] * 4}


def _extend(entry: Json, at: int, event: Event, frame: Json) -> None:
    """Extend a round to a frame; ``result`` sums its score changes."""
    entry["end"] = at
    if frame["deltas"] is not None and not isinstance(event, GameEnd):
        entry["result"] = [a + b for a, b in zip(entry["result"], frame["deltas"], strict=True)]


def frame_of(states: Mapping[Seat, RoundState], event: Event, before: Sequence[int], number: int) -> Json:
    """Return the frame after an event.

    Parameters
    ----------
    states : mapping of int to RoundState
        Those of the seats whose hands are shown, the event applied.
    event : Event
    before : sequence of int
        The scores before it.
    number : int
        0-based number of the round within the game.
    """
    public = next(iter(states.values()))
    changes = [after - score for after, score in zip(public.scores, before, strict=True)]
    started = isinstance(event, RoundStart | GameEnd)
    return {
        "round": number,
        "left": public.tiles_left,
        "honba": public.honba,
        "deposits": public.deposits,
        "scores": list(public.scores),
        "deltas": changes if any(changes) and not started else None,
        "dora": list(public.dora_indicators),
        "doraTiles": _dora_tiles(public),
        "actor": getattr(event, "actor", None),
        "latest": event.actor if isinstance(event, Discarded) else _latest(public, event),
        "players": [_player(public, states.get(seat), seat) for seat in range(4)],
    }


def _latest(state: RoundState, event: Event) -> Seat | None:
    offer = state.offer
    return offer.source if offer is not None and isinstance(event, RiichiAccepted) else None


def _dora_tiles(state: RoundState) -> list[str]:
    kinds = dict.fromkeys(dora_of(indicator) for indicator in state.dora_indicators)
    return [tile for kind in kinds for tile in (KINDS[kind], RED_OF.get(kind)) if tile is not None]


def _player(public: RoundState, own: RoundState | None, seat: Seat) -> Json:
    player = (own or public).players[seat]
    hand, drawn = _tiles(own) if own is not None else _hidden(public, player)
    waits = [KINDS[kind] for kind in own.waits] if own is not None and len(hand) % 3 == 1 else []
    return {
        "wind": seat_wind(seat, public.dealer),
        "hand": hand,
        "drawn": drawn,
        "river": [_river_tile(tile) for tile in player.river],
        "melds": [_meld(meld) for meld in player.melds],
        "riichi": int(player.riichi) + int(player.riichi_accepted),
        "waits": waits,
        "furiten": bool(waits) and own is not None and own.furiten,
    }


def _tiles(state: RoundState) -> tuple[list[str], str | None]:
    if state.drawn is None:
        return list(state.hand), None
    return list(state.hand[:-1]), state.drawn


def _hidden(state: RoundState, player: PlayerState) -> tuple[list[str], str | None]:
    has_drawn = player.hand_size % 3 == 2 and state.phase is not Phase.CALL_DISCARD
    return [HIDDEN] * (player.hand_size - has_drawn), HIDDEN if has_drawn else None


def _river_tile(tile: RiverTile) -> list[str]:
    called = "" if tile.called_by is None else str(tile.called_by)
    return [tile.tile, ("t" if tile.from_draw else "") + ("r" if tile.riichi else "") + called]


def _meld(meld: Meld) -> Json:
    return {"kind": meld.kind, "tiles": list(meld.tiles), "called": meld.called, "source": meld.source}


def step_between(old: Any, new: Any) -> Any:
    """Return the step that turns one JSON value into another.

    Objects become an object of the changed keys, a list that only grew becomes ``{"+": tail}``, and a list of
    objects with unchanged length ``{"@": {index: step}}``. Anything else is replaced by the new value.
    """
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        return {key: step_between(old[key], new[key]) for key in new if old[key] != new[key]}
    if isinstance(old, list) and isinstance(new, list):
        if len(new) > len(old) and new[: len(old)] == old:
            return {"+": new[len(old) :]}
        pairs = list(zip(old, new, strict=False))
        if len(old) == len(new) and all(isinstance(a, dict) and isinstance(b, dict) for a, b in pairs):
            return {"@": {str(at): step_between(a, b) for at, (a, b) in enumerate(pairs) if a != b}}
    return new


def steps_of(frames: Sequence[Json]) -> list[Any]:
    """Return frames as steps, the first one from an empty object."""
    before: Sequence[Json] = [{}, *frames]
    return [step_between(old, new) for old, new in zip(before, frames, strict=False)]
