"""A Mjai bot that plays as `greedy` and sends riichi and its discard at once, as docs/bots.md allows.

Usage: both.py DIALECT SEAT.
"""

import json
import sys

from manue.bot import Bot

dialect, me = sys.argv[1], int(sys.argv[2])
bot = Bot(me, agent="greedy")
known = []
"""Calls of ours that we have acted on before they were reported."""

for line in sys.stdin:
    events = json.loads(line) if dialect == "array" else [json.loads(line)]
    new = [event for event in events if {"type": event["type"], "actor": event.get("actor")} not in known]
    reported = dialect != "array" and not new
    known = [] if len(new) < len(events) else known
    reply = json.loads(bot.react(json.dumps(new))) if new else {"type": "none"}
    if reported or (dialect == "line" and events[-1].get("can_act") is False):
        continue
    moves = [{name: value for name, value in reply.items() if name != "meta"}]
    if reply["type"] == "reach":
        known = [{"type": "reach", "actor": me}]
        discard = json.loads(bot.react(json.dumps(known)))
        moves.append({name: value for name, value in discard.items() if name != "meta"})
    print(json.dumps(moves if len(moves) > 1 else moves[0]), flush=True)
    if events[-1]["type"] == "end_game" and dialect == "line":
        break
