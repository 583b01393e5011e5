"""The differences between hosts, as data. Sessions and transports use only these fields, no host names."""

from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import urlsplit

from manue.errors import UsageError
from manue.foreign import without_secrets

DEFAULT_PORT = 11600
"""Port of the original server, where an address names none."""
DEFAULT_ROOM = "default"
"""Its room, where nobody names another."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way of speaking Mjai.

    Parameters
    ----------
    name, summary : str
        For people to read.
    transport : {"stdio", "tcp", "websocket"}
    frame : {"object", "array"}
        What one line or frame from the host holds: one event, or all events since the last frame.
    replies : {"every", "decisions", "requests"}
        What is answered: every line, with ``none`` if there is nothing to decide; only lines that call for a
        decision; or only the host's explicit requests, with their number.
    seat_from : {"host", "user"}
        Whose seat takes precedence if both give one; otherwise the one given is used.
    seconds : float or None
        Time for one answer, well within the host's limit; a deadline in a request overrides it.
    annotated : bool
        Whether replies include ``log`` and ``meta``.
    as_mortal : bool
        Whether the ``meta`` of replies has Mortal's fields, beside ours if they are annotated, and a last
        line has P(place) by round.
    with_card : bool
        Whether the ``meta`` of annotated replies holds a card for a display, too.
    one_game : bool
        Whether a connection ends with its game.
    patient : bool
        Whether the first answer may wait until all kernels are compiled, so that every decision is the real
        player's; else a simpler player decides until then.
    retry_on : tuple of str
        Words in the host's refusals that make another attempt worthwhile.
    retry_seconds : float
        Pause before another attempt, and before reconnecting after a lost connection.
    """

    name: str
    summary: str
    transport: Literal["stdio", "tcp", "websocket"]
    frame: Literal["object", "array"]
    replies: Literal["every", "decisions", "requests"]
    seat_from: Literal["host", "user"]
    seconds: float | None
    annotated: bool
    one_game: bool
    patient: bool = False
    as_mortal: bool = False
    with_card: bool = False
    retry_on: tuple[str, ...] = ()
    retry_seconds: float = 2.0


TCP = Dialect(
    name="tcp",
    summary="original Ruby match server and compatible ones: joins a room, answers every line",
    transport="tcp",
    frame="object",
    replies="every",
    seat_from="host",
    seconds=50.0,
    annotated=True,
    one_game=True,
    retry_on=("busy",),
)
LINES = Dialect(
    name="lines",
    summary="stdio in the style of Mortal: one event per line, answers only decisions",
    transport="stdio",
    frame="object",
    replies="decisions",
    seat_from="user",
    seconds=None,
    annotated=True,
    one_game=False,
)
REVIEW = Dialect(
    name="review",
    summary="stdio for reviewers: one event per line, answers every line",
    transport="stdio",
    frame="object",
    replies="every",
    seat_from="user",
    seconds=None,
    annotated=True,
    one_game=False,
    patient=True,
)
MORTAL = replace(
    REVIEW,
    name="mortal",
    summary="stdio for mjai-reviewer: every line is answered, with Mortal's meta data",
    annotated=False,
    as_mortal=True,
)
ARRAYS = Dialect(
    name="arrays",
    summary="stdio in the style of mjai.app: an array of events per line, answers every line",
    transport="stdio",
    frame="array",
    replies="every",
    seat_from="host",
    seconds=1.5,
    annotated=False,
    one_game=True,
)
AKAGI = replace(
    ARRAYS,
    name="akagi",
    summary="stdio in the manner of Akagi 3: as arrays, with a card of the best options for its display",
    seconds=4.0,
    annotated=True,
    with_card=True,
)
RIICHILAB = Dialect(
    name="riichilab",
    summary="WebSocket of RiichiLab (riichi.dev): answers only requests, within the time they allow",
    transport="websocket",
    frame="object",
    replies="requests",
    seat_from="host",
    seconds=2.5,
    annotated=False,
    one_game=True,
    retry_on=("already connected",),
    retry_seconds=30.0,
)
WEBSOCKET = Dialect(
    name="websocket",
    summary="WebSocket with plain Mjai: one event per frame, answers every frame",
    transport="websocket",
    frame="object",
    replies="every",
    seat_from="host",
    seconds=10.0,
    annotated=True,
    one_game=True,
)

DIALECTS = {
    dialect.name: dialect for dialect in (TCP, LINES, REVIEW, MORTAL, ARRAYS, AKAGI, RIICHILAB, WEBSOCKET)
}
_USUAL = {"": LINES, "mjsonp": TCP, "ws": WEBSOCKET, "wss": WEBSOCKET}
"""The dialect of an address by its scheme, unless more of it gives another one away."""


def dialect_for(url: str | None, name: str | None = None) -> Dialect:
    """Return the dialect: by name if one is given, else by the address.

    Raises
    ------
    UsageError
        If the name is unknown, the address is invalid, or the two do not match.
    """
    if name is not None and name not in DIALECTS:
        raise UsageError(f"unknown dialect {name!r}; known: {', '.join(DIALECTS)}")
    try:
        address = urlsplit(url or "")
        known = not url or (address.hostname and address.port != 0)
    except ValueError:
        known = False
    usual = _USUAL.get(address.scheme) if known else None
    if usual is None:
        usage = "mjsonp://HOST:PORT/ROOM, ws://HOST/PATH or wss://HOST/PATH"
        raise UsageError(f"{without_secrets(url)!r} is not a valid address: {usage}")
    if name is not None:
        if DIALECTS[name].transport != usual.transport:
            given = without_secrets(url or "stdio")
            raise UsageError(f"dialect {name!r} runs over {DIALECTS[name].transport}, not {given!r}")
        return DIALECTS[name]
    host = address.hostname or ""
    # compatible servers such as `manue serve` use the same paths: /ws/ranked, /ws/validate, /ws/room/...
    riichilab = host == "riichi.dev" or host.endswith(".riichi.dev") or address.path.startswith("/ws/")
    return RIICHILAB if usual is WEBSOCKET and riichilab else usual
