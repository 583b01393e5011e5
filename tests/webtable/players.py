"""A table for tests, and somebody at its page who answers what is asked."""

import json
import queue
import threading

from manue.agents.manue import Manue
from manue.decision.settings import Settings
from manue.hand.shanten import ukeire_by_discard
from manue.records.log_writer import LogWriter
from manue.tiles import KIND_OF, counts_of
from manue.webtable.screen import Screen
from manue.webtable.table_game import TableGame, play

WAIT = 120
ADVISOR = Manue(Settings(mc_draws=20))


def first_option(ask, _player=None):
    """Pass, else discard what was drawn, else take the first option."""
    kinds = [option["kind"] for option in ask["options"]]
    drawn = [number for number, option in enumerate(ask["options"]) if option["drawn"]]
    return {"option": kinds.index("pass") if "pass" in kinds else (drawn or [0])[0]}


def efficient(ask, player):
    """Pass, else discard the tile that leaves the lowest shanten and most kinds of useful tiles."""
    kinds = [option["kind"] for option in ask["options"]]
    if "pass" in kinds:
        return {"option": kinds.index("pass")}
    hand = [*player["hand"], *([player["drawn"]] if player["drawn"] else [])]
    after, useful = ukeire_by_discard(counts_of(hand), len(player["melds"]))
    discards = {
        KIND_OF[option["tiles"][0]]: number
        for number, option in enumerate(ask["options"])
        if option["kind"] == "discard"
    }
    best = min(discards, key=lambda kind: (after[kind], -useful[kind].sum()))
    return {"option": discards[best]}


def eager(ask, player):
    """Win, declare riichi, make kans, call every fifth offer; else as `efficient`."""
    kinds = [option["kind"] for option in ask["options"]]
    wanted = ["win", "ankan", "riichi"] + (["pon", "chi"] if ask["id"] % 5 == 0 else [])
    for kind in wanted:
        if kind in kinds:
            return {"option": kinds.index(kind)} | ({"then": 0} if kind == "riichi" else {})
    return efficient(ask, player)


class FakePage:
    """The server's end of a page: keeps what it is sent and how it was closed."""

    def __init__(self):
        self.messages = []
        self.inbox = queue.Queue()
        self.closed = None
        self.hung_up = threading.Event()

    def send(self, text):
        message = json.loads(text)
        self.messages.append(message)
        self.inbox.put(message)

    def close(self, code, reason=""):
        self.closed = code
        self.hung_up.set()

    def next(self, kind):
        while (message := self.inbox.get(timeout=WAIT))["type"] != kind:
            pass
        return message

    def frame(self):
        """Return the frame that the page shows."""
        shown = (one["event"] if one["type"] == "table" else one for one in reversed(self.messages))
        return next(one["frame"] for one in shown if "frame" in one)

    def of(self, kind):
        return [message for message in self.messages if message["type"] == kind]


class Seated:
    """A game in a thread of its own."""

    def __init__(self, log, *, seats=("greedy", "me", "greedy", "tsumogiri"), level="none", **settings):
        self.game = TableGame(tuple(seats), log, **{"length": "east", "seed": 4, **settings})
        self.screen = Screen({"names": self.game.names(), "seat": self.game.me, "level": level})
        self.page = FakePage()
        self.screen.join(self.page)
        self.ended = None
        self._thread = threading.Thread(target=self._play, args=(LogWriter(log),), daemon=True)
        self._thread.start()

    def _play(self, log):
        try:
            with log:
                self.ended = play(self.game, self.screen, ADVISOR, log)
        except Exception as error:  # noqa: BLE001 - the test looks at it
            self.ended = error
        self.page.inbox.put({"type": "end of the game"})

    def say(self, **message):
        self.screen.receive(self.page, json.dumps(message))

    def answer(self, ask, choose=first_option):
        if ask["kind"] == "proceed":
            self.say(type="proceed", request=ask["id"])
        else:
            player = self.page.frame()["players"][self.game.me]
            self.say(type="choose", request=ask["id"], **choose(ask, player))

    def play_on(self, choose=first_option):
        """Answer everything up to the end of the game and return its record."""
        while (message := self.page.inbox.get(timeout=WAIT))["type"] != "end of the game":
            if ask := message if message["type"] == "ask" else message.get("ask"):
                self.answer(ask, choose)
        return self.end()

    def next_choice(self, among=("discard", "pass"), choose=efficient):
        """Play until there is a choice with an option of these kinds; return the request."""
        while (ask := self.page.next("ask"))["kind"] != "choice" or not (
            {option["kind"] for option in ask["options"]} & set(among)
        ):
            self.answer(ask, choose)
        return ask

    def leave(self):
        self.say(type="leave")
        return self.end()

    def end(self):
        self._thread.join(WAIT)
        assert not self._thread.is_alive()
        return self.ended
