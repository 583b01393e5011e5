"""What went wrong at a seat, reported so that whoever wrote the player finds the cause."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from manue.foreign import MESSAGE, printable
from manue.protocol.codec import Fields
from manue.tiles import Seat

MAX_REASON = 600
"""Characters kept of the reason of a fault."""
MAX_SENT = 200
"""Characters kept of what a player sent."""
PLAYS_ON = "a stand-in answered this once; the player plays on"
LOST = "a stand-in passes and discards what it draws, to the end of the game"
STOPS = "the match stops here"


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong at a seat, and at which point of the game."""

    seat: Seat
    kind: str
    reason: str
    round: int  # 0-based, counting every round played
    event: int  # 0-based within the game
    place: str = ""  # the round in words, as "East 2, honba 1"
    allowed: str = ""
    came: str = ""
    then: str = ""
    lost: bool = True  # whether the seat is played by a stand-in from here on


def allowed_of(legal: Sequence[Fields]) -> str:
    """Return legal replies in one line, as ``dahai 1m 9p; chi 3m4m; none``."""
    moves: dict[str, dict[str, None]] = {}
    for reply in legal:
        tiles = "".join(reply["consumed"]) if "consumed" in reply else str(reply.get("pai") or "")
        moves.setdefault(reply["type"], {})[tiles] = None
    return "; ".join(" ".join([kind, *tiles]).rstrip() for kind, tiles in moves.items())


def shown(sent: bytes | str) -> str:
    """Return the beginning of what a player sent, as one line that a terminal only prints."""
    text = sent[: 4 * MAX_SENT + 4].decode(errors="replace") if isinstance(sent, bytes) else sent
    return printable(text, MAX_SENT)


def fault_in_words(fault: Mapping[str, Any]) -> str:
    """Return a fault of a line of results as one line: what, when, what was sent, what allowed, what now."""
    where = f" in {fault['place']}, event {fault.get('event')} of the game" if fault.get("place") else ""
    reason = f": {fault['reason']}" if fault.get("reason") else ""
    parts = [f"{fault['kind']}{where}{reason}"]
    for name, label in (("came", "it sent"), ("allowed", "allowed"), ("then", "now")):
        if fault.get(name):
            parts.append(f"{label}: {fault[name]}")
    return printable("; ".join(parts), MESSAGE)
