"""How a round was drawn, in the words of records, whatever a log calls it or leaves out."""

from collections.abc import Sequence

from manue.game.events import RoundDrawn
from manue.game.state import RoundState
from manue.rules import NOTEN_POINTS

REASONS = (
    "fanpai",
    "nagashimangan",
    "kyushukyuhai",
    "suufonrenta",
    "suuchariichi",
    "sanchaho",
    "suukaikan",
)
"""The words of records."""
_SPELT_OTHERWISE = {
    "exhaustive_draw": "fanpai",
    "kyushu_kyuhai": "kyushukyuhai",
    "sufuurenta": "suufonrenta",
    "sufonrenta": "suufonrenta",
    "suucha_riichi": "suuchariichi",
    "suchareach": "suuchariichi",
    "suukansansen": "suukaikan",
    "sukaikan": "suukaikan",
}
"""Those of our own referee and of the original server, where they differ."""
EXHAUSTIVE = REASONS[:2]
"""Those of rounds in which the wall ran out; all others are abortive draws."""


def word_of(reason: str) -> str:
    """Return the word of records for a reason, or the reason itself if it is none that is known."""
    return _SPELT_OTHERWISE.get(reason, reason)


def is_aborted(event: RoundDrawn) -> bool:
    """Return whether a draw is known to be an abortive one."""
    word = word_of(event.reason)
    return word in REASONS and word not in EXHAUSTIVE


def reason_of(event: RoundDrawn, state: RoundState) -> str | None:
    """Return one of `REASONS` for a draw, found from the state where the event has none that is known.

    ``None`` if somebody is paid before the wall has run out, as for the penalty of an illegal action: no draw
    is like that.

    Parameters
    ----------
    event : RoundDrawn
    state : RoundState
        The event applied.
    """
    if (reason := word_of(event.reason)) in REASONS:
        return reason
    if state.tiles_left == 0:
        return "nagashimangan" if max(event.deltas or (0,)) > NOTEN_POINTS else "fanpai"
    if max(event.deltas or (0,)) > 0:
        return None
    if state.kan_count == 4:
        return "suukaikan"
    if all(player.riichi for player in state.players):
        return "suuchariichi"
    if state.offer is None:
        return "kyushukyuhai"
    return "suufonrenta" if all(len(player.river) == 1 for player in state.players) else "sanchaho"


def tenpai_at_draw(drawn: RoundDrawn) -> tuple[bool, ...]:
    """Return who was tenpai at an exhaustive draw: as recorded, else by who was paid."""
    if drawn.tenpai is not None:
        return drawn.tenpai
    is_nagashi = drawn.reason == "nagashimangan" or max(drawn.deltas or (0,)) > NOTEN_POINTS
    if drawn.deltas is None or is_nagashi:
        return (False,) * 4
    return tuple(change > 0 for change in drawn.deltas)


def says_tenpai(event: RoundDrawn) -> bool:
    """Return whether a draw says who was tenpai: where nobody was paid, all may have been, or nobody."""
    return event.tenpai is not None or any(tenpai_at_draw(event))


def tenpai_of(event: RoundDrawn, states: Sequence[RoundState]) -> tuple[bool, ...]:
    """Return who was tenpai when the wall had run out: as recorded, by who was paid, else by the hands.

    Parameters
    ----------
    event : RoundDrawn
    states : sequence of RoundState
        Of every seat, with its hand.
    """
    if says_tenpai(event):
        return tenpai_at_draw(event)
    return tuple(bool(state.waits) for state in states)
