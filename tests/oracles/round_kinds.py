"""The kind of a round for a seat, derived each time from the whole list of its events."""

from manue.game.events import Called, Discarded, RiichiDeclared, Won
from manue.tiles import plain

OPEN = {"chi", "pon", "daiminkan"}


def round_kind(events, seat, *, last):
    return f"{hand_kind(events, seat)}/{ending_kind(events, seat)}/{'last' if last else 'early'}"


def hand_kind(events, seat):
    declared = {event.actor: at for at, event in enumerate(events) if isinstance(event, RiichiDeclared)}
    others = [at for actor, at in declared.items() if actor != seat]
    if seat in declared:
        if not others:
            return "riichi/none"
        return "riichi/before" if min(others) < declared[seat] else "riichi/after"
    calls = [event.call.kind for event in events if isinstance(event, Called) and event.actor == seat]
    hand = "open" if OPEN & set(calls) else "closed"
    if not others:
        return f"{hand}/none"
    risks = [
        at
        for at, event in enumerate(events)
        if shown(event) is not None and event.actor == seat
        for opponent, since in declared.items()
        if since < at and not is_safe(events, at, opponent, since)
    ]
    return f"{hand}/risk" if risks else f"{hand}/safe"


def shown(event):
    """Return the tile of an event on which others may win."""
    if isinstance(event, Discarded):
        return plain(event.tile)
    if isinstance(event, Called) and event.call.kind == "kakan":
        return plain(event.call.tile)
    return None


def is_safe(events, at, opponent, since):
    tile = shown(events[at])
    for earlier, event in enumerate(events[:at]):
        if shown(event) == tile and earlier > since:
            return True
        if isinstance(event, Discarded) and event.actor == opponent and plain(event.tile) == tile:
            return True
    return False


def ending_kind(events, seat):
    wins = [event for event in events if isinstance(event, Won)]
    if not wins:
        return "draw"
    if any(win.actor == seat for win in wins):
        return "win"
    if any(win.source == seat for win in wins):
        return "deal-in"
    return "paid" if any(win.actor == win.source for win in wins) else "away"
