"""A Mjai bot of a few lines, for tests: it discards what it draws, in any dialect, or misbehaves.

Usage: bot.py DIALECT SEAT [BEHAVIOUR]; it misbehaves from its fifth draw on, and ``once`` only then.
"""

import json
import os
import sys
import time
from pathlib import Path

dialect, me = sys.argv[1], int(sys.argv[2])
behaviour = sys.argv[3] if len(sys.argv) > 3 else ""
draws = 0
late = None  # an answer that is given with the next one


def reply_to(event):
    if event["type"] == "tsumo" and event["actor"] == me:
        assert event["pai"] != "?"
        return {"type": "dahai", "actor": me, "pai": event["pai"], "tsumogiri": True, "log": "as drawn"}
    return {"type": "none"}


def misbehave():
    if behaviour == "die":
        sys.exit("my last words")
    if behaviour == "sleep":
        time.sleep(6000)
    if behaviour == "flood":
        while True:
            sys.stdout.write("x" * 65536)
    return {
        "illegal": json.dumps({"type": "hora", "actor": me, "target": me, "pai": "1m"}),
        "junk": "what?",
        "array": "[1, 2]",
        "nothing": '{"type":"none"}',
    }[behaviour]


if behaviour.startswith("hang:"):  # every game but the first of all hangs for good
    folder = Path(behaviour.removeprefix("hang:"))
    try:
        (folder / "first").mkdir()
    except FileExistsError:
        (folder / f"hanging-{os.getpid()}").touch()
        time.sleep(1000)
    behaviour = ""

for line in sys.stdin:
    events = json.loads(line) if dialect == "array" else [json.loads(line)]
    last = events[-1]
    assert all(
        event.get("actor") == me or event.get("pai") != "?" or event["type"] == "tsumo" for event in events
    )
    if last["type"] == "tsumo" and last["actor"] == me:
        draws += 1
    if dialect == "line" and (last.get("can_act") is False):
        continue
    if behaviour == "deaf" and draws >= 5:
        time.sleep(6000)
    if behaviour == "forge":
        print(json.dumps(reply_to(last) | {"meta": {"manue": {"chosen": 1}}}), flush=True)
    elif behaviour == "once" and draws == 5 and late is None:
        late = json.dumps(reply_to(last))
    elif behaviour == "once" and late:
        print(late, json.dumps(reply_to(last)), sep="\n", flush=True)
        behaviour = ""
    elif behaviour and behaviour != "once" and draws >= 5:
        print(misbehave(), flush=True)
    else:
        print(json.dumps(reply_to(last)), flush=True)
