"""Positions written down from states, as somebody would who describes a recorded moment by hand."""

from manue.game.players import Phase, PlayerState
from manue.game.position import Position
from manue.game.state import RoundState
from manue.tiles import WINDS, Meld, seat_wind

TIMED = ("ippatsu", "double_riichi", "safe", "passed")
"""What a seat's state owes to the moment at which a kan was declared, which no description says."""


def describable(state: RoundState) -> bool:
    """Whether the decision comes after an own draw, or after a discard of another seat."""
    if state.phase is Phase.ACT:
        return state.drawn is not None
    return state.phase is Phase.DRAW and state.offer is not None and state.offer.by == "discard"


def described(state: RoundState) -> Position:
    indicator, *revealed = state.dora_indicators
    by_wind = {seat_wind(player.seat, state.dealer): player for player in state.players}
    return Position(
        hand=tuple(state.hand if state.drawn is None else state.hand[:-1]),
        draw=state.drawn,
        dora=indicator,
        kan_dora=tuple(revealed),
        round=f"{state.round_wind}{state.number}",
        seat=state.seat_wind,
        honba=state.honba,
        deposits=state.deposits,
        scores={wind: state.scores[by_wind[wind].seat] for wind in WINDS},
        melds={wind: [written(meld) for meld in player.melds] for wind, player in by_wind.items()},
        rivers={wind: river_text(player, state.dealer) for wind, player in by_wind.items()},
    )


def written(meld: Meld) -> str:
    if meld.kind == "ankan":
        return f"ankan {' '.join(meld.tiles)}"
    *tiles, last = meld.tiles
    return f"{meld.kind} {' '.join(tiles)} + {last}"


def river_text(player: PlayerState, dealer: int) -> str:
    return " ".join(
        one.tile
        + "_" * one.from_draw
        + "!" * one.riichi
        + ("" if one.called_by is None else f"^{seat_wind(one.called_by, dealer)}")
        for one in player.river
    )


def known(state: RoundState) -> dict[str, object]:
    """What a description says of a state."""
    players = [
        (one.river, one.melds, one.riichi, one.riichi_accepted, one.riichi_index, one.hand_size)
        for one in state.players
    ]
    return {
        "players": players,
        "hand": (state.hand, state.drawn, state.counts.tolist()),
        "visible": state.visible.tolist(),
        "indicators": state.dora_indicators,
        "wall": state.tiles_left,
        "round": (state.round_wind, state.number, state.honba, state.deposits, state.dealer, state.scores),
        "moment": (state.phase, state.turn, state.offer, state.undisturbed),
        "events": state.event_count,
    }


def timed(state: RoundState) -> list[object]:
    """What depends on the moment at which a kan was declared as well."""
    by_seat = [getattr(player, name) for player in state.players for name in TIMED]
    plain = [value if isinstance(value, bool) else value.tolist() for value in by_seat]
    return [*plain, state.after_kan, state.gone_by]
