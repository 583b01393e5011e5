"""Simple agents for conversations: random choices, delays and failures on demand."""

import random
import threading
import time

from manue.agents.base import Decision
from manue.decision.report import Details, Report


class RandomMind:
    """Chooses any legal action, the rare ones more often; the seed makes it repeatable."""

    name = "random"

    def __init__(self, seed=0):
        self.random = random.Random(seed)
        self.asked = []

    def decide(self, state, actions):
        self.asked.append(actions)
        kind = self.random.choice(sorted({type(action).__name__ for action in actions}))
        action = self.random.choice([action for action in actions if type(action).__name__ == kind])
        return Decision(action, (Report(action),))


class FailingMind:
    """Breaks at every decision."""

    name = "failing"

    def __init__(self, error=None):
        self.error = error or RuntimeError("out of ideas")

    def decide(self, state, actions):
        raise self.error


class Panic(BaseException):
    """What a library in Rust raises; it is no Exception."""


class Unwritable:
    """Reports what no JSON can hold, where nobody checks."""

    name = "unwritable"

    def decide(self, state, actions):
        return Decision(actions[0], (Report(actions[0], details=Details(useful=(object(),))),))


class GatedMind(RandomMind):
    """Thinks until its gate is opened; ``begun`` counts the thoughts."""

    def __init__(self, seed=0):
        super().__init__(seed)
        self.begun = threading.Semaphore(0)
        self.gate = threading.Event()

    def decide(self, state, actions):
        self.begun.release()
        self.gate.wait()
        return super().decide(state, actions)


class SlowMind(RandomMind):
    """Thinks for a number of seconds, then chooses."""

    def __init__(self, seconds, seed=0):
        super().__init__(seed)
        self.seconds = seconds

    def decide(self, state, actions):
        time.sleep(self.seconds)
        return super().decide(state, actions)
