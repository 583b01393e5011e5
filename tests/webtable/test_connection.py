"""The line between page and table, in Node with a socket that the test opens and loses."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path("manue/webtable/static/connection.js").resolve()
PROGRAM = """
const sockets = [];
globalThis.location = { href: "http://localhost/", search: "" };
globalThis.WebSocket = class {
  static OPEN = 1;
  constructor() {
    this.readyState = 0;
    this.sent = [];
    this.handlers = {};
    sockets.push(this);
  }
  addEventListener(name, handler) { this.handlers[name] = handler; }
  send(text) { this.sent.push(JSON.parse(text)); }
  opens() { this.readyState = 1; this.handlers.open(); }
  closes() { this.readyState = 3; this.handlers.close({ code: 1006 }); }
};
const waiting = [];
globalThis.setTimeout = (call) => waiting.push(call);
const { connect } = await import(process.argv[2]);
const states = [];
const line = connect(() => states.push("heard"), (state) => states.push(state));
sockets[0].opens();
if (process.argv[3] === "lost") sockets[0].closes();
line.end({ type: "leave" });
for (const call of waiting.splice(0)) call();
const last = sockets.at(-1);
if (last.readyState === 0) last.opens();
last.closes();
console.log(JSON.stringify({ states, sent: sockets.map((one) => one.sent), waiting: waiting.length }));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
@pytest.mark.parametrize(
    ("when", "states", "sent"),
    [
        ("open", ["open"], [[{"type": "leave"}]]),
        ("lost", ["open", "lost"], [[], [{"type": "leave"}]]),
    ],
)
def test_leaving_reaches_the_table(tmp_path, when, states, sent):
    """Regression: who left while the line was lost was waited for without an end."""
    script, module = tmp_path / "test.mjs", tmp_path / "connection.mjs"
    script.write_text(PROGRAM)
    module.write_text(SCRIPT.read_text())
    ran = subprocess.run(["node", script, module, when], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == {"states": states, "sent": sent, "waiting": 0}
