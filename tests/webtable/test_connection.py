"""The line between page and table, in Node with sockets and a clock that the test moves."""

import pytest

from tests.webtable.in_node import runner

PROGRAM = """
const sockets = [], pauses = [], asking = new Set();
globalThis.location = { href: "http://localhost/", search: "" };
globalThis.WebSocket = class {
  static OPEN = 1;
  constructor(address) {
    Object.assign(this, { readyState: 0, sent: [], handlers: {}, query: address.searchParams });
    sockets.push(this);
  }
  addEventListener(name, handler) { this.handlers[name] = handler; }
  send(text) { this.sent.push(JSON.parse(text).type); }
  close() { this.readyState = 2; }
  opens() { this.readyState = 1; this.handlers.open({}); }
  hears(type) { this.handlers.message({ data: JSON.stringify({ type }) }); }
  closes(code) { this.readyState = 3; this.handlers.close({ code }); }
};
globalThis.setTimeout = (call) => pauses.push(call);
globalThis.setInterval = (call, _time, ...given) => {
  const timer = () => call(...given);
  asking.add(timer);
  return timer;
};
globalThis.clearInterval = (timer) => asking.delete(timer);
const last = () => sockets.at(-1);
const wait = () => { for (const call of pauses.splice(0)) call(); };
const tick = () => { for (const timer of [...asking]) timer(); };
const { connect } = await import(process.argv[2]);
const seen = [];
const line = connect((message) => seen.push(message.type), (state) => seen.push(state));
const leave = () => line.end({ type: "leave" });
eval(process.argv[3]);
console.log(JSON.stringify({
  seen, sent: sockets.map((one) => one.sent), waits: pauses.length + asking.size
}));
"""


@pytest.fixture
def happens(tmp_path):
    """Return what the page saw and sent, and how much it still waits for, after some steps."""
    return runner(tmp_path, PROGRAM, "connection")


@pytest.mark.parametrize("code", [4004, 1001, 1000])
def test_leaving_ends_the_line_once_the_table_hangs_up(happens, code):
    found = happens(f"last().opens(); leave(); last().hears('event'); last().closes({code})")
    assert found == {"seen": ["open"], "sent": [["leave"]], "waits": 0}


def test_a_table_that_was_closed_was_called_again_for_ever(happens):
    found = happens("last().opens(); last().hears('table'); last().closes(1001)")
    assert found == {"seen": ["open", "table", "gone"], "sent": [[]], "waits": 0}


@pytest.mark.parametrize("code", [1006, 1011, 4003])
def test_a_line_that_breaks_is_opened_again(happens, code):
    found = happens(f"last().opens(); last().closes({code}); wait(); last().opens()")
    assert found["seen"] == ["open", "lost", "open"]


def test_leaving_over_a_lost_line_reaches_the_table(happens):
    """Regression: who left while the line was lost was waited for without an end."""
    found = happens(
        "last().opens(); last().closes(1006); leave(); wait(); last().opens(); last().closes(4004)"
    )
    assert found == {"seen": ["open", "lost"], "sent": [[], ["leave"]], "waits": 0}


def test_leaving_a_table_that_is_open_elsewhere_reaches_it(happens):
    """Regression: the page said that the table had been left, and the table never heard of it."""
    found = happens("last().opens(); last().closes(4001); leave(); last().opens(); last().closes(4004)")
    assert found == {"seen": ["open", "elsewhere"], "sent": [[], ["leave"]], "waits": 0}


def test_leaving_over_a_half_dead_line_reaches_the_table(happens):
    """Regression: a leave that was sent into a line that nobody heard any more never arrived."""
    silence = "tick(); tick(); tick(); tick();"
    found = happens(f"last().opens(); leave(); {silence} wait(); last().opens(); last().closes(4004)")
    assert found == {"seen": ["open"], "sent": [["leave", "alive", "alive", "alive"], ["leave"]], "waits": 0}


def test_a_line_that_fails_before_the_leave_arrives_is_opened_again(happens):
    found = happens(
        "last().opens(); leave(); last().closes(1006); wait(); last().opens(); last().closes(4004)"
    )
    assert found == {"seen": ["open"], "sent": [["leave"], ["leave"]], "waits": 0}


def test_a_line_that_died_silently_is_opened_again(happens):
    """Regression: after a choice sent into such a line the page waited for the others for ever."""
    steps = "last().opens(); tick(); last().hears('alive'); tick(); tick(); last().hears('event'); tick();"
    found = happens(f"{steps} tick(); tick(); tick(); wait(); last().opens()")
    assert found["seen"] == ["open", "event", "lost", "open"]
    assert found["sent"] == [["alive"] * 6, []]


def test_two_presses_on_play_here_take_the_seat_once(happens):
    """Regression: the first line, hung up on for the second, told the page that it was open elsewhere."""
    opened = "line.open(); line.open(); sockets[1].opens(); sockets[2].opens(); sockets[1].closes(4001)"
    found = happens(f"last().opens(); last().closes(4001); {opened}; sockets[2].hears('table')")
    assert found == {"seen": ["open", "elsewhere", "open", "table"], "sent": [[], [], []], "waits": 1}


def test_a_page_that_had_lost_its_line_took_the_seat_from_one_opened_since(happens):
    """A line returns only where the page had the seat, and was not told that another one has it."""
    steps = [
        "last().closes(1006); wait()",
        "last().opens(); last().hears('table'); last().closes(1006); wait()",
        "last().closes(1006); wait()",
        "last().closes(4001); line.open()",
        "last().opens(); last().hears('table'); leave(); last().closes(1006); wait()",
    ]
    asked = "seen.push(...['returns', 'page'].map((name) => sockets.map((one) => one.query.get(name))))"
    *_, returns, pages = happens("; ".join([*steps, asked]))["seen"]
    assert returns == [None, None, "1", "1", None, None]
    assert len(set(pages)) == 1
