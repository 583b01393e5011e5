"""Serves the table's page and its WebSocket on one port, to whoever has the link.

The page is the viewer's: its modules come from the folder of the review, and only those of the table are
added. Nothing is loaded from anywhere else, and the Content-Security-Policy forbids it.
"""

import contextlib
import hmac
import html
import ipaddress
import json
import re
import socket
import threading
from collections.abc import Sequence
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from urllib.parse import parse_qs

from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response
from websockets.sync.server import Server, ServerConnection, serve

from manue.language.messages import messages, page_languages
from manue.review.page import filled
from manue.server.gate import Gate, GatedListener, limit_sending
from manue.table.network_seats import CLOSE_SECONDS
from manue.table.tcp_listener import JOIN_SECONDS, host_and_port, listen
from manue.transports.websocket import header_of
from manue.webtable.game_review import GameReview
from manue.webtable.outbox import Outbox
from manue.webtable.screen import Screen
from manue.webtable.wire import MAX_MESSAGE

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SOCKET_PATH = "/seat"
REVIEW_PATH = "/review"
PROGRESS_PATH = "/review/progress"
MAX_CONNECTIONS = 64
_FOLDERS = {"table": "manue.webtable", "review": "manue.review"}
_FILE = re.compile(r"/static/(table|review)/([a-z-]+\.(?:js|css))")
_HOST = re.compile(r"(?:\[([^]]*)\]|([^:]*))(?::\d+)?")
_NUMBER = re.compile(r"[1-9][0-9]{0,5}")
_TYPES = {"js": "text/javascript", "css": "text/css", "html": "text/html", "json": "application/json"}
_HTML = {"Content-Security-Policy": POLICY}


class TableServer:
    """The server of one table.

    Parameters
    ----------
    host : str
    port : int
        0 for any.
    screen : Screen
    token : str
        Who does not have it gets neither the page nor the seat.
    reviews : sequence of GameReview
        Of the games that are over, the first one first; it grows while they play on.
    language : str or None
        Language of the page; by default that of the browser.

    Raises
    ------
    UsageError
        If the address cannot be used.
    """

    def __init__(
        self,
        host: str,
        port: int,
        screen: Screen,
        token: str,
        reviews: Sequence[GameReview],
        language: str | None = None,
    ) -> None:
        self._host = host.strip("[]")
        self._screen = screen
        self._token = token
        self._reviews = reviews
        self._language = language
        self._pages: set[Outbox] = set()
        self._gate = Gate(MAX_CONNECTIONS, MAX_CONNECTIONS)
        self._server: Server = serve(
            self._attend,
            sock=GatedListener(listen(host, port), self._gate),
            process_request=self._answer,
            max_size=MAX_MESSAGE,
            open_timeout=JOIN_SECONDS,
            close_timeout=CLOSE_SECONDS,
            compression=None,
        )
        self._thread = threading.Thread(target=self._server.serve_forever, name="table", daemon=True)

    @property
    def url(self) -> str:
        """The link to the page."""
        name = socket.gethostname() if _is_any(self._host) else self._host
        address = host_and_port(name, self._server.socket.getsockname()[1])
        return f"http://{address}/?token={self._token}"

    def start(self) -> None:
        """Start serving."""
        self._thread.start()

    def close(self) -> None:
        """Hang up on everybody and stop."""
        self._gate.close()
        for page in tuple(self._pages):  # the server itself does so from websockets 17 on
            page.close(CloseCode.GOING_AWAY)
        self._server.shutdown()
        self._thread.join()

    # ---- pages

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        path, _, query = request.path.partition("?")
        static = _FILE.fullmatch(path)
        if not self._knows_host(header_of(request.headers, "Host")):
            return connection.respond(HTTPStatus.MISDIRECTED_REQUEST, "this table is not at that address\n")
        if static is not None:  # no secret is in them, and modules are fetched without the token
            return _file(connection, *static.groups())
        if path not in {"/", SOCKET_PATH, REVIEW_PATH, PROGRESS_PATH}:
            return connection.respond(HTTPStatus.NOT_FOUND, "nothing here\n")
        given = parse_qs(query).get("token", [""])[0]
        if not hmac.compare_digest(given.encode(), self._token.encode()):
            return connection.respond(
                HTTPStatus.FORBIDDEN, "token required: open the link that manue table printed\n"
            )
        if path == SOCKET_PATH:
            return self._admit(connection, request)
        if path == "/":
            return self._page("table.html")
        review = self._review_of(query)
        if review is None:
            return connection.respond(HTTPStatus.CONFLICT, "the game is not over\n")
        return self._review_page(review) if path == REVIEW_PATH else _progress(review)

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """Let only our own page open the WebSocket, whatever link the page of another site may have."""
        if header_of(request.headers, "Origin") == f"http://{header_of(request.headers, 'Host')}":
            return None
        return connection.respond(HTTPStatus.FORBIDDEN, "only the page of the table may take the seat\n")

    def _knows_host(self, host: str) -> bool:
        """Return whether a request is for us; no name of another site may lead to the loopback.

        A header that is repeated has a comma (`header_of`), as no name of ours has.
        """
        found = _HOST.fullmatch(host)
        return not _is_loopback(self._host) or (found is not None and _is_loopback(found[1] or found[2]))

    def _page(self, name: str) -> Response:
        languages = page_languages(self._language)
        texts = json.dumps({name: messages(name).of_pages() for name in languages}).replace("<", "\\u003c")
        words = html.escape(messages(languages[0]).text("page.script"))
        values = {"LANGUAGE": languages[0], "TEXTS": texts, "NOSCRIPT": words}
        return _response("html", filled(_read("table", name), values), _HTML)

    def _review_of(self, query: str) -> GameReview | None:
        """Return the review of the game that a query names by its number from 1, if it is over."""
        given = parse_qs(query).get("game", ["1"])[0]
        number = int(given) if _NUMBER.fullmatch(given) else 0
        return self._reviews[number - 1] if 0 < number <= len(self._reviews) else None

    def _review_page(self, review: GameReview) -> Response:
        """Return the page of a review, or one that waits for it."""
        review.begin()
        return self._page("waiting.html") if review.page is None else _response("html", review.page)

    # ---- the seat

    def _attend(self, connection: ServerConnection) -> None:
        self._gate.joined(connection.socket)
        limit_sending(connection.socket, int(JOIN_SECONDS))  # so that its thread is not kept for ever
        page = Outbox(connection)
        self._pages.add(page)
        query = parse_qs(connection.request.path.partition("?")[2] if connection.request else "")
        seated = self._screen.join(page, query.get("page", [""])[0], returns="returns" in query)
        try:
            with contextlib.suppress(ConnectionClosed, OSError):
                for text in connection:
                    if seated:
                        self._screen.receive(page, text)
        finally:
            self._screen.forget(page)
            self._pages.discard(page)
            page.close(CloseCode.NORMAL_CLOSURE)


def _is_any(host: str) -> bool:
    return host in {"0.0.0.0", "::"}  # noqa: S104 - recognized, not bound


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@cache
def _read(folder: str, name: str) -> str:
    return (files(_FOLDERS[folder]) / "static" / name).read_text("utf-8")


def _file(connection: ServerConnection, folder: str, name: str) -> Response:
    try:
        text = _read(folder, name)
    except FileNotFoundError:
        return connection.respond(HTTPStatus.NOT_FOUND, "nothing here\n")
    return _response(name.rpartition(".")[2], text)


def _progress(review: GameReview) -> Response:
    found = {"ready": review.page is not None, "share": review.share, "failure": review.failure}
    return _response("json", json.dumps(found))


def _response(kind: str, text: str, more: dict[str, str] | None = None) -> Response:
    body = text.encode("utf-8", "replace")
    headers = Headers(
        {
            "Connection": "close",
            "Content-Length": str(len(body)),
            "Content-Type": f"{_TYPES[kind]}; charset=utf-8",
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            **(more or {}),
        }
    )
    return Response(HTTPStatus.OK.value, HTTPStatus.OK.phrase, headers, body)
