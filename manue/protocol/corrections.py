"""What hosts are known to report wrongly, put right where the table shows how it was.

Bridges between a game and Mjai mistake flags and names that no decision depends on; refusing such an event
would leave the player without a view of the round. A strict session corrects nothing.
"""

from collections.abc import Sequence
from dataclasses import replace

from manue.game.actions import Call
from manue.game.events import Called, Discarded, Draw, Event, RiichiDeclared, RoundStart
from manue.game.players import Phase
from manue.game.state import RoundState
from manue.tiles import KIND_OF, RED_FIVES, Seat


def first_draw_left_out(seen: Sequence[Event], event: Event, seat: Seat) -> Draw | None:
    """Return the dealer's first draw, if the dealer acts before it: Akagi 2 leaves that of others out.

    Parameters
    ----------
    seen : sequence of Event
        The latest event, if there is any.
    event : Event
        The next one.
    seat : int
        Our seat, whose own draw cannot be made up.
    """
    match seen, event:
        case [RoundStart(dealer=dealer)], Discarded() | RiichiDeclared() | Called(call=Call(kind="ankan")):
            return Draw(dealer, None) if event.actor == dealer != seat else None
    return None


def riichi_was_not_made(event: Event, state: RoundState) -> bool:
    """Return whether this event shows that our riichi, though reported, was not made.

    Akagi and MahjongCopilot report a riichi as soon as the bot is to name its discard; the person who
    plays may then decide otherwise. Nobody draws or calls before a riichi that was made is accepted.
    """
    player = state.me
    if not player.riichi or player.riichi_accepted:
        return False
    if player.riichi_index is None:
        return isinstance(event, Called) and event.actor == state.seat
    return isinstance(event, Draw | Called)


def corrected(event: Event, state: RoundState) -> Event:
    """Return an event as it must have been in this state; one that fits is returned as it is.

    - Whether a discard was the tile just drawn: Akagi 2 and others take it from the position in the hand,
      which is no guide after a call, or report the opposite at Tenhou.
    - Whose discard was called: Akagi 2 counted the seats from ours at Tenhou.
    - Red fives in kans: at Mahjong Soul Akagi and MahjongCopilot write one in every kan of fives.
    """
    match event:
        case Discarded() if event.actor == state.turn:
            return replace(event, from_draw=_from_draw(event, state))
        case Called(call=Call(kind="ankan")) if event.actor == state.seat:
            return replace(event, call=_with_own_tiles(event.call, state))
        case Called(call=Call(kind="kakan")):
            return replace(event, call=_with_tiles_of_pon(event.call, event.actor, state))
        case Called() if state.offer is not None and event.call.tile == state.offer.tile:
            return replace(event, call=replace(event.call, source=state.offer.source))
    return event


def _from_draw(event: Discarded, state: RoundState) -> bool:
    player = state.players[event.actor]
    if state.phase is Phase.CALL_DISCARD:
        return False
    if event.actor == state.seat:
        drawn = event.tile == state.drawn
        return drawn and (event.from_draw or state.hand.count(event.tile) == 1)
    return event.from_draw or (player.riichi and player.riichi_index is not None)


def _with_own_tiles(call: Call, state: RoundState) -> Call:
    """Return a closed kan of ours with the tiles that we hold, if it names a red five that we do not."""
    if not call.consumed or call.consumed[0] not in KIND_OF:
        return call
    held = tuple(tile for tile in state.hand if KIND_OF[tile] == KIND_OF[call.consumed[0]])
    named_red = set(RED_FIVES).intersection(call.consumed) - set(held)
    return replace(call, consumed=held) if named_red and len(held) == len(call.consumed) else call


def _with_tiles_of_pon(call: Call, actor: Seat, state: RoundState) -> Call:
    """Return an added kan with the tiles of the pon that it extends."""
    for meld in state.players[actor].melds:
        if meld.kind == "pon" and call.tile in KIND_OF and KIND_OF[meld.tiles[0]] == KIND_OF[call.tile]:
            return replace(call, consumed=tuple(meld.tiles))
    return call
