"""The score of a win now, with the circumstances taken from the state."""

from collections.abc import Sequence

from manue.game.state import RoundState
from manue.hand.score import Score, score_win
from manue.tiles import Seat, Tile


def score_of_win(
    state: RoundState, tile: Tile, source: Seat, *, ura_indicators: Sequence[Tile] = ()
) -> Score | None:
    """Score this seat's hand if it wins now.

    Parameters
    ----------
    state : RoundState
        With the drawn tile in the hand for a self-draw; without ``tile`` for a win on another seat.
    tile : str
        The winning tile.
    source : int
        The winner's own seat for a self-draw, else the seat that discarded the tile or made a kan with it.
    ura_indicators : sequence of str
        Known only after the win.

    Returns
    -------
    Score or None
        ``None`` for a complete hand without a yaku.

    Raises
    ------
    HandError
        If the tile does not complete the hand.
    """
    me = state.me
    tsumo = source == state.seat
    last = state.tiles_left == 0
    robs = state.offer is not None and state.offer.by != "discard"
    return score_win(
        state.hand if tsumo else [*state.hand, tile],
        me.melds,
        tile,
        tsumo=tsumo,
        riichi=me.riichi,
        double_riichi=me.double_riichi,
        ippatsu=me.ippatsu,
        haitei=tsumo and last and not state.after_kan,
        houtei=not tsumo and last and not robs,
        rinshan=tsumo and state.after_kan,
        chankan=not tsumo and robs,
        first_turn=state.first_turn(state.seat),
        dora_indicators=state.dora_indicators,
        ura_indicators=ura_indicators,
        seat_wind=state.seat_wind,
        round_wind=state.round_wind,
        honba=state.honba,
        rules=state.rules,
    )
