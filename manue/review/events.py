"""Events as data for the page, which puts them into words."""

from collections.abc import Sequence

from manue.game.concealed import sort_tiles
from manue.game.events import (
    Called,
    Discarded,
    DoraRevealed,
    Draw,
    GameEnd,
    RiichiAccepted,
    RiichiDeclared,
    RoundDrawn,
    RoundStart,
    Won,
)
from manue.protocol.fields import HIDDEN
from manue.records.archive import LogEntry
from manue.records.drawn_rounds import is_aborted, word_of
from manue.review.frames import Json
from manue.review.yaku_names import shown_yaku
from manue.rules import NOTEN_POINTS
from manue.tiles import Seat, Tile


def event_facts(entry: LogEntry) -> Json:
    """Return what the page needs to describe an event in words.

    The keys are ``type`` (start, draw, discard, call, riichi, accepted, dora, win, exhausted, end) and those
    of ``actor``, ``tile``, ``drawn``, ``kind``, ``tiles``, ``source``, ``hand``, ``ura``, ``yaku``, ``han``,
    ``fu``, ``points``, ``pao`` (who is liable), ``deltas``, ``reason``, ``tenpai``, ``hands`` (by seat,
    ``null`` for one that is not shown) that the event has.
    """
    match entry.event:
        case RoundStart():
            return {"type": "start"}
        case Draw(actor, tile):
            return {"type": "draw", "actor": actor, "tile": tile or HIDDEN}
        case Discarded(actor, tile, from_draw):
            return {"type": "discard", "actor": actor, "tile": tile} | ({"drawn": True} if from_draw else {})
        case Called(actor, call):
            meld = call.meld()
            return {"type": "call", "actor": actor, "kind": meld.kind, "tiles": list(meld.tiles)}
        case RiichiDeclared(actor):
            return {"type": "riichi", "actor": actor}
        case RiichiAccepted(actor):
            return {"type": "accepted", "actor": actor}
        case DoraRevealed(indicator):
            return {"type": "dora", "tile": indicator}
        case Won():
            return _win(entry.event, entry.fields())
        case RoundDrawn():
            return _drawn(entry.event)
        case GameEnd():
            return {"type": "end"}
        case event:
            raise AssertionError(f"{event!r} is not shown")


def _win(event: Won, fields: Json) -> Json:
    facts: Json = {
        "type": "win",
        "actor": event.actor,
        "source": event.source,
        "tile": event.tile,
        "hand": _without_win_tile(event),
        "ura": list(event.ura_indicators) or None,
        "yaku": shown_yaku(fields) or None,
        "han": event.han,
        "fu": event.fu,
        "points": event.points,
        "pao": _liable(event, fields),
        "deltas": event.deltas,
    }
    return {key: value for key, value in facts.items() if value is not None}


def _liable(event: Won, fields: Json) -> Seat | None:
    """Return who is recorded as liable for a win, if that is neither the winner nor who dealt in."""
    pao = fields.get("pao")
    return pao if pao in range(4) and pao not in {event.actor, event.source} else None


def _drawn(event: RoundDrawn) -> Json:
    """Return a draw; that nobody was tenpai is said only of the end of the wall."""
    hands = [_shown(hand) for hand in event.hands or ()]
    facts = {
        "type": "exhausted",
        "reason": word_of(event.reason),
        "deltas": event.deltas,
        "tenpai": None if is_aborted(event) and not any(event.tenpai or ()) else _tenpai(event),
        "hands": hands if any(hands) else None,
    }
    return {key: value for key, value in facts.items() if value is not None}


def _tenpai(event: RoundDrawn) -> tuple[bool, ...] | None:
    """Return who was tenpai; where it is not said, those whom the others paid for it."""
    gains = tuple(max(points, 0) for points in event.deltas or ())
    if event.tenpai is None and sum(gains) == NOTEN_POINTS:  # no nagashi mangan
        return tuple(gain > 0 for gain in gains)
    return event.tenpai


def _shown(hand: Sequence[Tile | None] | None) -> list[Tile] | None:
    """Return a hand in order; ``None`` for one that is not shown as a whole."""
    tiles = [tile for tile in hand or () if tile is not None]
    return sort_tiles(tiles) if hand and len(tiles) == len(hand) else None


def _without_win_tile(event: Won) -> list[str] | None:
    if event.hand is None:
        return None
    hand = list(event.hand)
    if len(hand) % 3 == 2 and event.tile in hand:
        hand.remove(event.tile)
    return sort_tiles(hand)
