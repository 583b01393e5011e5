"""How the hosts differ, as data. Sessions and transports read these fields and know no host by name."""

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from manue.errors import UsageError


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way of speaking Mjai.

    Parameters
    ----------
    name, summary : str
        For people.
    transport : {"stdio", "tcp", "websocket"}
    frame : {"object", "array"}
        What one line or frame from the host holds: an event, or all events since the last one.
    replies : {"every", "decisions", "requests"}
        What is answered: every line, ``none`` where there is nothing to decide; only what there is something
        to decide about; only the host's explicit requests, with their number.
    seat_from : {"host", "user"}
        Who is believed if both tell a seat; the other one serves where this one is silent.
    seconds : float or None
        Time for one answer, well inside the host's limit; requests that tell their own deadline override it.
    annotated : bool
        Whether replies carry ``log`` and ``meta``.
    one_game : bool
        Whether a connection ends with its game.
    retry_on : tuple of str
        Words in the host's refusals after which trying again makes sense.
    retry_seconds : float
        Pause before that, and before connecting again after a lost connection.
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
    retry_on: tuple[str, ...] = ()
    retry_seconds: float = 2.0


TCP = Dialect(
    name="tcp",
    summary="original Ruby match server and look-alikes: joins a room, every line is answered",
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
    summary="stdio in the manner of Mortal: one event a line, only decisions are answered",
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
    summary="stdio for reviewers: one event a line, every line is answered",
    transport="stdio",
    frame="object",
    replies="every",
    seat_from="user",
    seconds=None,
    annotated=True,
    one_game=False,
)
ARRAYS = Dialect(
    name="arrays",
    summary="stdio in the manner of mjai.app: an array of events a line, every line is answered",
    transport="stdio",
    frame="array",
    replies="every",
    seat_from="host",
    seconds=1.5,
    annotated=False,
    one_game=False,
)
RIICHILAB = Dialect(
    name="riichilab",
    summary="WebSocket of RiichiLab (riichi.dev): only requests are answered, within the time they give",
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
    summary="WebSocket of plain Mjai: one event a frame, every frame is answered",
    transport="websocket",
    frame="object",
    replies="every",
    seat_from="host",
    seconds=10.0,
    annotated=True,
    one_game=True,
)

DIALECTS = {dialect.name: dialect for dialect in (TCP, LINES, REVIEW, ARRAYS, RIICHILAB, WEBSOCKET)}
_TRANSPORT_OF = {"": "stdio", "mjsonp": "tcp", "ws": "websocket", "wss": "websocket"}


def dialect_for(url: str | None, name: str | None = None) -> Dialect:
    """Choose the dialect: by name if one is given, else by the address.

    Raises
    ------
    UsageError
        If the name is unknown, the address cannot be used, or the two do not fit together.
    """
    if name is not None and name not in DIALECTS:
        raise UsageError(f"unknown dialect {name!r}; known: {', '.join(DIALECTS)}")
    try:
        address = urlsplit(url or "")
        known = not url or (address.hostname and address.port != 0)
    except ValueError:
        known = False
    transport = _TRANSPORT_OF.get(address.scheme) if known else None
    if transport is None:
        raise UsageError(f"{url!r} is no address: mjsonp://HOST:PORT/ROOM, ws://HOST/PATH or wss://HOST/PATH")
    if name is not None:
        if DIALECTS[name].transport != transport:
            raise UsageError(
                f"dialect {name!r} speaks over {DIALECTS[name].transport}, not {url or 'stdio'!r}"
            )
        return DIALECTS[name]
    if transport == "websocket":
        host = address.hostname or ""
        # its look-alikes, `manue serve` among them, keep its paths: /ws/ranked, /ws/validate, /ws/room/...
        riichilab = host == "riichi.dev" or host.endswith(".riichi.dev") or address.path.startswith("/ws/")
        return RIICHILAB if riichilab else WEBSOCKET
    return TCP if transport == "tcp" else LINES
