"""The server of the table: who gets in, what is served, and what becomes of a page that misbehaves."""

import http.client
import json
import re
import socket
from contextlib import contextmanager
from http import HTTPStatus
from urllib.parse import urljoin, urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from manue.errors import LogError, UsageError
from manue.language.messages import LANGUAGES, messages
from manue.webtable.game_review import GameReview
from manue.webtable.screen import Screen
from manue.webtable.server import POLICY, SOCKET_PATH, TableServer
from tests.webtable.players import WAIT
from tests.webtable.test_game_review import PausedReview

TOKEN = "sesame"


class Hosted:
    """A server with a table at which nobody plays yet."""

    def __init__(self, **options):
        self.reviews = []
        self.screen = Screen({"names": ["a", "b", "c", "d"], "seat": 0, "level": "none"})
        host = options.pop("host", "127.0.0.1")
        self.server = TableServer(host, 0, self.screen, TOKEN, self.reviews, **options)
        self.url = urlsplit(self.server.url)
        self.origin = f"http://{self.url.netloc}"

    def get(self, path, headers=None, method="GET"):
        connection = http.client.HTTPConnection(self.url.netloc, timeout=WAIT)
        connection.request(method, path, headers=headers or {})
        answer = connection.getresponse()
        body = answer.read().decode()
        connection.close()
        return answer, body

    def sit(self, token=TOKEN, origin=None, **options):
        address = f"ws://{self.url.netloc}/seat?token={token}"
        return connect(address, origin=self.origin if origin is None else origin, **options)


@contextmanager
def hosted(**options):
    host = Hosted(**options)
    host.server.start()
    try:
        yield host
    finally:
        host.server.close()


def texts_in(page):
    return json.loads(page.split('id="texts">')[1].split("</script>")[0])


@pytest.fixture
def host():
    with hosted() as running:
        yield running


def test_the_link_leads_to_the_page(host):
    answer, body = host.get(f"/?{host.url.query}")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert set(texts_in(body)) == set(LANGUAGES)


def test_every_module_that_the_page_imports_is_served(host):
    _, page = host.get(f"/?{host.url.query}")
    paused = PausedReview("the review")
    host.reviews.append(GameReview(paused))
    page += host.get(f"/review?{host.url.query}")[1]  # the page that waits for it
    paused.go_on.release()
    found = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page))
    assert found
    seen = set()
    while found - seen:
        path = (found - seen).pop()
        seen.add(path)
        answer, body = host.get(path)
        assert answer.status == 200, path
        names = re.findall(r' from "([^"]+)";', body) if path.endswith(".js") else []
        found |= {urljoin(path, name) for name in names}
    assert {
        "/static/table/main.js",
        "/static/table/waiting.js",
        "/static/review/tiles.js",
        "/static/review/style.css",
    } <= seen


@pytest.mark.parametrize("query", ["", "?token=", "?token=wrong", "?token=sesam", "?token=sesame%00"])
@pytest.mark.parametrize("path", ["/", "/review", "/review/progress"])
def test_without_the_token_there_is_no_page(host, path, query):
    answer, body = host.get(path + query)
    assert answer.status == 403
    assert body == "token required: open the link that manue table printed\n"


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/static/table/nothing.js",
        "/static/table/table.html",
        "/static/table/../seat.py",
        "/static/table/..%2Fseat.py",
        "/static/review/../../../etc/passwd",
    ],
)
def test_nothing_else_is_served(host, path):
    answer, body = host.get(path)
    assert (answer.status, body) == (404, "nothing here\n")


def test_a_host_in_brackets_has_an_address_and_knows_its_name():
    """Regression: the link was http://[[::1]]:PORT, and any name was taken for that of the host."""
    try:
        host = Hosted(host="[::1]")
    except UsageError:
        pytest.skip("no IPv6 here")
    host.server.start()
    try:
        assert host.url.hostname == "::1"
        assert host.get(f"/?{host.url.query}")[0].status == 200
        for name in ("[::1]", f"[::1]:{host.url.port}"):  # browsers leave out the port 80
            assert host.get(f"/?{host.url.query}", {"Host": name})[0].status == 200
        assert host.get(f"/?{host.url.query}", {"Host": f"evil.example:{host.url.port}"})[0].status == 421
    finally:
        host.server.close()


def test_a_name_of_another_site_does_not_lead_to_the_loopback(host):
    answer, body = host.get(f"/?{host.url.query}", {"Host": f"evil.example:{host.url.port}"})
    assert (answer.status, body) == (421, "this table is not at that address\n")


@pytest.mark.parametrize(
    ("path", "repeated", "status"),
    [
        ("/", ("Host", "127.0.0.1:80"), HTTPStatus.MISDIRECTED_REQUEST),
        ("/", ("Host", "evil.example"), HTTPStatus.MISDIRECTED_REQUEST),
        (SOCKET_PATH, ("Origin", "http://127.0.0.1"), HTTPStatus.FORBIDDEN),
    ],
)
def test_a_repeated_header_was_an_internal_error(host, path, repeated, status):
    place = f"{host.url.hostname}:{host.url.port}"
    headers = {"Host": place, "Origin": f"http://{place}"}
    connection = http.client.HTTPConnection(place)
    connection.putrequest("GET", f"{path}?{host.url.query}", skip_host=True)
    for name, value in [*headers.items(), repeated]:
        connection.putheader(name, value)
    connection.endheaders()
    assert connection.getresponse().status == status
    connection.close()


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1"])
def test_the_page_of_another_site_gets_no_seat(host, origin):
    with pytest.raises(InvalidStatus) as caught:
        host.sit(origin=origin)
    assert caught.value.response.status_code == 403
    assert caught.value.response.body == b"only the page of the table may take the seat\n"


@pytest.mark.parametrize("token", ["", "wrong"])
def test_without_the_token_there_is_no_seat(host, token):
    with pytest.raises(InvalidStatus) as caught:
        host.sit(token)
    assert caught.value.response.status_code == 403


def test_a_second_page_takes_the_seat_over(host):
    with host.sit() as first:
        assert json.loads(first.recv(timeout=WAIT))["type"] == "table"
        with host.sit() as second:
            assert json.loads(second.recv(timeout=WAIT))["type"] == "table"
            with pytest.raises(ConnectionClosed) as caught:
                first.recv(timeout=WAIT)
            assert caught.value.rcvd.code == 4001
            host.screen.hint({"id": 1, "level": "none"})
            assert json.loads(second.recv(timeout=WAIT)) == {"type": "hint", "id": 1, "level": "none"}


def test_a_page_that_returns_by_itself_took_the_seat_from_one_opened_since(host):
    """A computer that wakes up must not take the game away from the telephone on which it goes on."""
    with host.sit(f"{TOKEN}&page=old") as old:
        assert json.loads(old.recv(WAIT))["type"] == "table"
    with host.sit(f"{TOKEN}&page=new") as new:
        assert json.loads(new.recv(WAIT))["type"] == "table"
        with host.sit(f"{TOKEN}&page=old&returns=1") as again:
            with pytest.raises(ConnectionClosed) as gone:
                again.recv(WAIT)
            assert gone.value.rcvd.code == 4001
        new.send('{"type":"alive"}')
        assert json.loads(new.recv(WAIT))["type"] == "alive"
        with host.sit(f"{TOKEN}&page=new&returns=1") as again:
            assert json.loads(again.recv(WAIT))["type"] == "table"


def test_what_a_page_says_reaches_the_table(host):
    with host.sit() as page:
        page.send('{"type":"help","level":"all"}')
        assert host.screen.hear().level == "all"
        page.send("?")
        assert json.loads(page.recv(timeout=WAIT))["type"] == "table"
        assert json.loads(page.recv(timeout=WAIT)) == {"type": "refused", "reason": "unreadable"}


def test_a_page_that_asks_whether_it_is_heard_is_told_so(host):
    with host.sit() as page:
        page.recv(timeout=WAIT)
        page.send('{"type":"alive"}')
        assert json.loads(page.recv(timeout=WAIT)) == {"type": "alive"}


def test_the_page_of_a_player_who_leaves_is_hung_up_on(host):
    """The page knows by that that its leave has arrived."""
    with host.sit() as page:
        page.recv(timeout=WAIT)
        page.send('{"type":"leave"}')
        with pytest.raises(ConnectionClosed) as caught:
            page.recv(timeout=WAIT)
        assert caught.value.rcvd.code == 4004
    assert host.screen.left.is_set()


def test_a_message_beyond_any_sense_ends_the_connection_alone(host):
    with host.sit() as page:
        page.recv(timeout=WAIT)
        page.send("x" * 10_000)
        with pytest.raises(ConnectionClosed) as caught:
            page.recv(timeout=WAIT)
        assert caught.value.rcvd.code == 1009
    with host.sit() as page:
        assert json.loads(page.recv(timeout=WAIT))["type"] == "table"


@pytest.mark.parametrize(
    "text", [b"\x16\x03\x01\x02\x00\x01", b"GET /\r\n\r\n", b"POST / HTTP/1.1\r\n\r\n", b"\0" * 5000]
)
def test_what_is_no_request_is_hung_up_on(host, text):
    with socket.create_connection((host.url.hostname, host.url.port), timeout=WAIT) as connection:
        connection.sendall(text)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(4096):
            pass
    assert host.get(f"/?{host.url.query}")[0].status == 200


def followed(host, query):
    """What is said of a review while it is computed, up to its end."""
    said = [{"ready": False, "failure": None}]
    while not said[-1]["ready"] and said[-1]["failure"] is None:
        answer, body = host.get(f"/review/progress?{query}")
        assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json; charset=utf-8")
        said.append(json.loads(body))
    return said[1:]


def test_the_review_comes_when_the_game_is_over(host):
    for path in ("/review", "/review/progress"):
        answer, body = host.get(f"{path}?{host.url.query}")
        assert (answer.status, body) == (409, "the game is not over\n")
    pages = ["<!DOCTYPE html><title>5\u842c</title>", "the second"]
    host.reviews += [GameReview(lambda _, page=page: page) for page in pages]
    for more, page in (("", 0), ("&game=1", 0), ("&game=2", 1)):
        host.get(f"/review?{host.url.query}{more}")
        assert followed(host, f"{host.url.query}{more}")[-1]["ready"]
        answer, body = host.get(f"/review?{host.url.query}{more}")
        assert (answer.status, body) == (200, pages[page])
    for number in ("3", "0", "-1", "x", "9" * 5000):
        assert host.get(f"/review?{host.url.query}&game={number}")[0].status == 409


@pytest.mark.parametrize("lang", [None, "ja"])
def test_a_page_tells_at_once_that_the_review_is_being_computed(lang):
    """Regression: the tab stayed empty until then, and each reload computed the review once more."""
    with hosted(language=lang) as host:
        paused = PausedReview("the review")
        host.reviews.append(GameReview(paused))
        for _ in range(2):
            answer, body = host.get(f"/review?{host.url.query}")
            assert (answer.status, answer.headers["Content-Security-Policy"]) == (200, POLICY)
            assert set(texts_in(body)) == ({lang} if lang else set(LANGUAGES))
        assert paused.waits.acquire(timeout=WAIT)
        _, body = host.get(f"/review/progress?{host.url.query}")
        assert json.loads(body) == {"ready": False, "share": 0.25, "failure": None}
        paused.go_on.release()
        assert followed(host, host.url.query)[-1]["ready"]
        assert host.get(f"/review?{host.url.query}")[1] == "the review"
        assert paused.calls == 1


def test_why_there_is_no_review_is_said(host, capsys):
    """Regression: where the log was gone, the page said that no WebSocket could be opened."""
    paused = PausedReview(LogError("game.mjson.gz: No such file or directory"))
    host.reviews.append(GameReview(paused))
    paused.go_on.release()
    host.get(f"/review?{host.url.query}")
    assert followed(host, host.url.query)[-1]["failure"] == "log"
    assert "game.mjson.gz: No such file or directory" in capsys.readouterr().err


@pytest.mark.parametrize("path", ["//[x", "//[x?token=" + TOKEN, "//]"])
def test_a_path_that_is_no_address_was_an_internal_server_error(host, path):
    answer, body = host.get(path)
    assert (answer.status, body) == (404, "nothing here\n")


def test_the_language_can_be_chosen_for_the_browser():
    with hosted(language="ja") as host:
        body = host.get(f"/?{host.url.query}")[1]
        assert '<html lang="ja">' in body
        assert texts_in(body) == {"ja": messages("ja").of_pages()}


def test_another_host_answers_to_any_name():
    with hosted(host="0.0.0.0") as host:
        connection = http.client.HTTPConnection("127.0.0.1", host.url.port, timeout=WAIT)
        connection.request("GET", f"/?{host.url.query}", headers={"Host": "table.example"})
        assert connection.getresponse().status == 200
        connection.close()


def test_a_port_in_use_is_one_clear_line(host):
    with pytest.raises(UsageError, match=r"^cannot listen on 127\.0\.0\.1:\d+: Address already in use$"):
        TableServer("127.0.0.1", host.url.port, host.screen, TOKEN, [])
