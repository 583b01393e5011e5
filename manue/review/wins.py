"""What a win was made of, computed from the state where the record does not say it."""

from typing import Any

from manue.game.concealed import sort_tiles
from manue.game.events import Won
from manue.game.state import RoundState
from manue.game.win import liable_payer, score_of_event


def computed_win(state: RoundState, event: Won) -> dict[str, Any]:
    """Return what a win was made of, and who was liable for it, as in `manue.review.events.event_facts`.

    Parameters are those of `manue.game.win.score_of_event`; where it has no answer, the dict is empty.
    """
    found = score_of_event(state, event)
    if found is None:
        return {}
    tile, score = found
    hand = list(state.hand)
    if event.source == event.actor:
        hand.remove(tile)
    liable = None if event.deltas is None else liable_payer(state, event, event.deltas)
    return {
        "tile": tile,
        "hand": sort_tiles(hand),
        "yaku": [list(yaku) for yaku in score.yaku],
        "han": score.han,
        "fu": score.fu,
        "points": score.points,
        **({} if liable is None else {"pao": liable}),
    }
