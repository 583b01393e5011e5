"""Events as data for the page, which puts them into words."""

from typing import Any

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
from manue.records.archive import LogEntry
from manue.review.frames import HIDDEN, Json

TENHOU_YAKU = (
    "menzen tsumo", "riichi", "ippatsu", "chankan", "rinshan", "haitei", "houtei", "pinfu", "tanyao",
    "iipeikou",
    "seat wind East", "seat wind South", "seat wind West", "seat wind North",
    "round wind East", "round wind South", "round wind West", "round wind North",
    "white dragon", "green dragon", "red dragon", "double riichi", "seven pairs", "chanta", "ittsu",
    "sanshoku doujun", "sanshoku doukou", "three kans", "toitoi", "three concealed triplets",
    "little three dragons", "all terminals and honors", "ryanpeikou", "junchan", "honitsu", "chinitsu",
    "renhou", "tenhou", "chiihou",
    "big three dragons", "four concealed triplets", "four concealed triplets, single wait", "all honors",
    "all green", "all terminals", "nine gates", "nine gates, nine waits", "thirteen orphans",
    "thirteen orphans, thirteen waits", "big four winds", "little four winds", "four kans",
    "dora", "ura dora", "red fives",
)  # fmt: skip
"""Names by Tenhou's numbers 0..54, as its records write them."""


def event_facts(entry: LogEntry) -> Json:
    """Return what the page needs to describe an event in words.

    The keys are ``type`` (start, draw, discard, call, riichi, accepted, dora, win, exhausted, end) and those
    of ``actor``, ``tile``, ``drawn``, ``kind``, ``tiles``, ``source``, ``hand``, ``ura``, ``yaku``, ``han``,
    ``fu``, ``points``, ``deltas``, ``reason``, ``tenpai`` that the event has.
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
        case RoundDrawn(reason, deltas, _, tenpai):
            facts = {"type": "exhausted", "reason": reason, "deltas": deltas, "tenpai": tenpai}
            return {key: value for key, value in facts.items() if value is not None}
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
        "yaku": yaku_names(fields) or None,
        "han": event.han,
        "fu": event.fu,
        "points": event.points,
        "deltas": event.deltas,
    }
    return {key: value for key, value in facts.items() if value is not None}


def _without_win_tile(event: Won) -> list[str] | None:
    if event.hand is None:
        return None
    hand = list(event.hand)
    if len(hand) % 3 == 2 and event.tile in hand:
        hand.remove(event.tile)
    return hand


def yaku_names(fields: Json) -> list[str]:
    """Return the yaku of a ``hora`` message, in any of the known formats."""
    names = fields.get("yaku_names")
    if isinstance(names, list):
        return [name for name in names if isinstance(name, str)]
    pairs = fields.get("yakus")
    if isinstance(pairs, list):
        return [f"{pair[0]} {pair[1]}" for pair in pairs if isinstance(pair, list) and len(pair) == 2]
    numbers, han = fields.get("yaku_ids"), fields.get("yaku_han")
    if isinstance(numbers, list) and isinstance(han, list):
        return [
            _tenhou_yaku(number, value) for number, value in zip(numbers, han, strict=False) if value != 0
        ]
    return []


def _tenhou_yaku(number: Any, han: Any) -> str:
    known = isinstance(number, int) and 0 <= number < len(TENHOU_YAKU)
    name = TENHOU_YAKU[number] if known else f"yaku {number}"
    return f"{name} {han}"
