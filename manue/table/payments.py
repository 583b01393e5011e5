"""What the original server adds to payments: ``pai`` of a win, ``deltas`` and ``scores`` of all payments."""

from manue.protocol.codec import Fields
from manue.protocol.fields import HIDDEN
from manue.rules import STICK, TENHOU

_PAYMENTS = {"reach_accepted", "hora", "ryukyoku"}
_TILES = {"tsumo", "dahai", "kakan"}
"""The events whose ``pai`` may win; a closed kan is robbed of one of its own four."""


class Payments:
    """Follows a game and completes the events in which points change hands."""

    def __init__(self) -> None:
        self._scores = [TENHOU.start_points] * 4
        self._tile = HIDDEN

    def completed(self, message: Fields) -> Fields:
        """Follow an event; return it with ``deltas``, ``scores`` after it, and the tile of a win.

        Parameters
        ----------
        message : dict
            With all tiles visible. It is not changed.
        """
        kind = message["type"]
        if kind == "start_kyoku":
            self._scores = list(message["scores"])
        elif kind in _TILES:
            self._tile = message["pai"]
        elif kind == "ankan":
            self._tile = message["consumed"][0]
        elif kind in _PAYMENTS:
            return self._paid(message)
        return message

    def _paid(self, message: Fields) -> Fields:
        deltas = list(message.get("deltas") or [0] * 4)
        if message["type"] == "reach_accepted":
            deltas[message["actor"]] = -STICK
        self._scores = [score + delta for score, delta in zip(self._scores, deltas, strict=True)]
        added: Fields = {"deltas": deltas, "scores": list(self._scores)}
        if message["type"] == "hora":
            added["pai"] = self._tile
        return {**message, **added}
