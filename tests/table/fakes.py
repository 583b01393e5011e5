"""A client without a connection."""

import json


class FakeClient:
    """The other end of a line or a WebSocket: keeps what it is sent, and answers ``answer(last message)``."""

    def __init__(self, answer):
        self.sent = []
        self.answer = answer

    def send(self, text, _deadline=None):
        self.sent.append(json.loads(text))

    def receive(self, _deadline):
        return json.dumps(self.answer(self.sent[-1])).encode()

    def close(self):
        pass
