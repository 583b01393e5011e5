"""What a win was made of, computed from the state where the record does not say it."""

from typing import Any

from manue.errors import EventError, HandError
from manue.game.events import Won
from manue.game.state import RoundState
from manue.game.win import score_of_win
from manue.review.yaku_names import scored_yaku


def computed_win(state: RoundState, event: Won) -> dict[str, Any]:
    """Return tile, hand, yaku, han, fu and points of a win, as in `manue.review.events.event_facts`.

    Parameters
    ----------
    state : RoundState
        Of the winner, whose hand it knows, before the win.
    event : Won

    Returns
    -------
    dict
        Empty if the hand and the record contradict each other, or the hand has no yaku.
    """
    tsumo = event.source == event.actor
    tile = event.tile or (state.drawn if tsumo else state.offer.tile if state.offer is not None else None)
    if tile is None:
        return {}
    try:
        score = score_of_win(state, tile, event.source, ura_indicators=event.ura_indicators)
    except (HandError, EventError):
        return {}
    if score is None:
        return {}
    hand = list(state.hand)
    if tsumo:
        hand.remove(tile)
    return {
        "tile": tile,
        "hand": hand,
        "yaku": scored_yaku(score.yaku),
        "han": score.han,
        "fu": score.fu,
        "points": score.total - 300 * score.honba,
    }
