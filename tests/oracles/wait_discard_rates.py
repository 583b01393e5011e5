"""What opponents can see of a kind that a hand may wait on, computed from the visible tiles."""

from collections import Counter

from manue.tiles import KIND_OF, KINDS, dora_of


def wait_class(state, hand, melds, thrown, kind, *, riichi):
    """Return the index into a table of ``manue.features.wait_discard_rates.TABLE_SHAPE``.

    ``hand`` and ``melds`` are what the seat has after its decision, ``thrown`` the kind that it discards.
    """
    seen = public_copies(state, hand)
    called = any(meld.kind != "ankan" for meld in melds)
    manner = 2 if riichi else 1 if called else 0
    stage = next(i for i, least in enumerate((48, 32, 16, 0)) if state.tiles_left >= least)
    name = KINDS[kind]
    if name in "ESWNPFC":
        shape = 1 if name in "PFC" or name == state.round_wind else 0
        sides = 0
    else:
        number, suit = int(name[0]), name[1]
        shape = {1: 2, 9: 2, 2: 3, 8: 3, 3: 4, 7: 4}.get(number, 5)
        sides = sum(
            ryanmen(state, seen, thrown, held, other, suit)
            for held, other in (
                ((number - 2, number - 1), number - 3),
                ((number + 1, number + 2), number + 3),
            )
        )
    dora = any(dora_of(tile) == kind for tile in state.dora_indicators)
    return manner, stage, shape, sides, min(seen[kind], 3), int(dora)


def ryanmen(state, seen, thrown, held, other, suit):
    """Return whether the hand may have a ryanmen on the two tiles, as far as others can see."""
    if not 1 <= other <= 9:
        return False
    end = KIND_OF[f"{other}{suit}"]
    me = state.players[state.seat]
    river = {KIND_OF[entry.tile] for entry in me.river}
    if end == thrown or end in river or me.safe[end]:
        return False
    return all(seen[KIND_OF[f"{number}{suit}"]] < 4 for number in held)


def public_copies(state, hand):
    """Return the visible copies of each kind, including the tiles that the seat shows by its decision."""
    tiles = list(state.dora_indicators)
    for player in state.players:
        tiles += [entry.tile for entry in player.river if entry.called_by is None]
        tiles += [tile for meld in player.melds for tile in meld.tiles]
    laid = Counter(state.hand)
    laid.subtract(hand)
    tiles += [tile for tile, copies in laid.items() for _ in range(max(copies, 0))]
    return Counter(KIND_OF[tile] for tile in tiles)
