#!/usr/bin/env python3
"""A Mjai bot: it discards the loneliest tile of its hand, never calls, never wins."""

import json
import sys
from typing import Any


class Bot:
    """What the bot knows: its seat, its hand, the tile it has drawn, whether it is in riichi."""

    seat, hand, drawn, riichi = 0, [""], "", False

    def company(self, tile: str) -> int:
        """Count the tiles of the hand that could form a set with a tile."""
        same = self.hand.count(tile)
        if len(tile) == 1:  # an honor
            return 2 * same
        suit = [int(other[0]) for other in self.hand if other[1:2] == tile[1]]
        return same + sum(abs(number - int(tile[0])) < 3 for number in suit)

    def answer(self, event: dict[str, Any]) -> dict[str, Any]:
        """Follow an event; return the reply to it."""
        kind, own = event["type"], event.get("actor") == self.seat
        if kind == "start_game":
            self.seat = event["id"]
        elif kind == "start_kyoku":
            self.hand, self.riichi = list(event["tehais"][self.seat]), False
        elif own and kind == "tsumo":
            self.drawn = event["pai"]
            self.hand.append(self.drawn)
        elif own and kind in {"dahai", "kakan", "chi", "pon", "daiminkan", "ankan"}:
            for tile in [event["pai"]] if kind in {"dahai", "kakan"} else event["consumed"]:
                self.hand.remove(tile)
            self.drawn = ""
        elif own and kind == "reach_accepted":
            self.riichi = True
        if own and kind in {"tsumo", "chi", "pon", "reach"}:
            tile = self.drawn if self.riichi else min(self.hand, key=self.company)
            return {"type": "dahai", "actor": self.seat, "pai": tile, "tsumogiri": tile == self.drawn}
        return {"type": "none"}


bot = Bot()
for line in sys.stdin:
    event = json.loads(line)
    reply = bot.answer(event)
    if event.get("can_act", True):  # under cmd: only lines without "can_act":false are answered
        print(json.dumps(reply), flush=True)
