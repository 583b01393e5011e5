"""Facts about a round, derived each time from the bare list of its events: slow and obvious.

``events`` begin with the RoundStart; nothing is remembered between calls.
"""

from collections import Counter

from manue.game.events import Called, Discarded, DoraRevealed, Draw, Event, RiichiDeclared, RoundStart
from manue.tiles import KIND_OF, Kind, Seat, Tile

GOES_ON = (Draw, Called)
"""Events that show that nobody won on the tile before."""


def visible_tiles(events: list[Event], seat: Seat) -> Counter[Tile]:
    """Every tile the seat has seen: its own as dealt and drawn, others' as they reach the table."""
    start = events[0]
    assert isinstance(start, RoundStart)
    seen = Counter([*start.hands[seat], start.dora_indicator])
    for event in events:
        match event:
            case Draw(actor, tile) if actor == seat:
                seen[tile] += 1
            case Discarded(actor, tile) if actor != seat:
                seen[tile] += 1
            case Called(actor, call) if actor != seat:
                seen.update([call.tile] if call.kind == "kakan" else call.consumed)
            case DoraRevealed(indicator):
                seen[indicator] += 1
    return seen


def own_tiles(events: list[Event], seat: Seat) -> Counter[Tile]:
    """The concealed tiles of a seat whose draws are known."""
    hand = Counter(events[0].hands[seat])
    for event in events:
        match event:
            case Draw(actor, tile) if actor == seat:
                hand[tile] += 1
            case Discarded(actor, tile) if actor == seat:
                hand[tile] -= 1
            case Called(actor, call) if actor == seat:
                hand.subtract([call.tile] if call.kind == "kakan" else call.consumed)
    return +hand


def own_discards(events: list[Event], seat: Seat) -> set[Kind]:
    return {KIND_OF[e.tile] for e in events if isinstance(e, Discarded) and e.actor == seat}


def let_pass(events: list[Event], seat: Seat, since: int) -> set[Kind]:
    """Kinds that others discarded or added to a pon since a place in the round without being won on."""
    kinds = set()
    for at in range(since, len(events)):
        event = events[at]
        if not any(isinstance(later, GOES_ON) for later in events[at + 1 :]):
            continue
        if isinstance(event, Discarded) and event.actor != seat:
            kinds.add(KIND_OF[event.tile])
        if isinstance(event, Called) and event.actor != seat and event.call.kind == "kakan":
            kinds.add(KIND_OF[event.call.tile])
    return kinds


def last_place(events: list[Event], wanted) -> int | None:
    places = [at for at, event in enumerate(events) if wanted(event)]
    return places[-1] if places else None


def riichi_place(events: list[Event], seat: Seat) -> int | None:
    return last_place(events, lambda e: isinstance(e, RiichiDeclared) and e.actor == seat)


def safe_kinds(events: list[Event], seat: Seat) -> set[Kind]:
    """Kinds on which a seat cannot win by ron for the rest of the round."""
    riichi = riichi_place(events, seat)
    passed = set() if riichi is None else let_pass(events, seat, riichi)
    return own_discards(events, seat) | passed


def kinds_since_own_discard(events: list[Event], seat: Seat) -> set[Kind]:
    own = last_place(events, lambda e: isinstance(e, Discarded) and e.actor == seat)
    return let_pass(events, seat, 0 if own is None else own)


def kinds_since_hand_changed(events: list[Event], seat: Seat) -> set[Kind]:
    def changes(event: Event) -> bool:
        if isinstance(event, Discarded):
            return event.actor == seat and not event.from_draw
        return isinstance(event, Called) and event.actor == seat

    changed = last_place(events, changes)
    return let_pass(events, seat, 0 if changed is None else changed)


def is_furiten(events: list[Event], seat: Seat, waits: tuple[Kind, ...]) -> bool:
    return bool(set(waits) & (safe_kinds(events, seat) | kinds_since_own_discard(events, seat)))


def has_ippatsu(events: list[Event], seat: Seat) -> bool:
    """From the riichi discard to the seat's next discard or anybody's call; a robbed kan is not a call."""
    riichi = riichi_place(events, seat)
    if riichi is None:
        return False
    after = events[riichi:]
    discards = sum(isinstance(e, Discarded) and e.actor == seat for e in after)
    calls = [at for at, e in enumerate(after) if isinstance(e, Called)]
    made = [
        at for at in calls if after[at].call.kind in {"chi", "pon", "daiminkan"} or drawn_after(after, at)
    ]
    return discards == 1 and not made


def drawn_after(events: list[Event], at: int) -> bool:
    return any(isinstance(later, Draw) for later in events[at + 1 :])


def is_double_riichi(events: list[Event], seat: Seat) -> bool:
    riichi = riichi_place(events, seat)
    return riichi is not None and not any(
        isinstance(e, Called) or (isinstance(e, Discarded) and e.actor == seat) for e in events[:riichi]
    )
