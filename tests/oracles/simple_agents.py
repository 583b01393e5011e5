"""The players `greedy` and `rules` written out slowly: every discard, and every draw after it, one by one.

Each function returns rows (action, discard, shanten, kinds, tiles), best first: what a decision reports. What
`rules` reads from the danger model is handed in.
"""

from manue.decision.branches import branches_of
from manue.game.actions import Call, Discard, NineTerminals, Pass, Riichi, Win
from manue.hand.shanten import shanten
from manue.tiles import KINDS

DRAGONS = ("P", "F", "C")


def kind_of(tile):
    """Return the number of a tile's kind: a red five is a five."""
    return KINDS.index(tile.removesuffix("r"))


def edge(kind):
    """Return 0 for honors, 1 for terminals, up to 5 for fives."""
    return 0 if kind >= 27 else min(kind % 9 + 1, 9 - kind % 9)


def dora_after(sign):
    """Return the kind that an indicator makes dora: the next number, wind or dragon, in a circle."""
    kind = kind_of(sign)
    first, length = (kind - kind % 9, 9) if kind < 27 else (27, 4) if kind < 31 else (31, 3)
    return first + (kind - first + 1) % length


def is_simple(kind):
    """Return whether a kind is a number from 2 to 8."""
    return edge(kind) > 1


def left_of(state, kind):
    """Return the copies of a kind that the seat has not seen."""
    return max(0, 4 - int(state.visible[kind]))


def useful_after(counts, melds, kind):
    """Return (shanten, useful kinds) of the hand that the discard of a kind leaves."""
    hand = counts.copy()
    hand[kind] -= 1
    now = shanten(hand, melds)
    useful = []
    for draw in range(34):
        if hand[draw] < 4:
            hand[draw] += 1
            if shanten(hand, melds) < now:
                useful.append(draw)
            hand[draw] -= 1
    return now, useful


def greedy_rows(state, actions):
    """Return what `greedy` reports."""
    for action in actions:
        if isinstance(action, Win):
            return [(action, None, None, None, None)]
    if Riichi() in actions:
        return [(Riichi(), None, 0, None, None)]
    if Pass() in actions:
        return [(Pass(), None, None, None, None)]
    rows = []
    for discard in actions:
        if isinstance(discard, Discard):
            kind = kind_of(discard.tile)
            now, useful = useful_after(state.counts, len(state.me.melds), kind)
            tiles = sum(left_of(state, draw) for draw in useful)
            kinds = sum(left_of(state, draw) > 0 for draw in useful)
            key = (now, -tiles, edge(kind), discard.tile.endswith("r"), not discard.from_draw)
            rows.append((key, (discard, None, now, kinds, tiles)))
    rows.sort(key=lambda row: row[0])
    return [row for _, row in rows]


class SlowRules:
    """The player `rules` at one decision, with the danger of every kind held and P(can win now)."""

    def __init__(self, state, danger):
        self.state = state
        self.danger = danger

    def rows(self, actions):
        """Return what it reports, and which rule decided."""
        state = self.state
        for action in actions:
            if isinstance(action, Win):
                return [(action, None, None, None, None)], "a win"
        if Pass() in actions:
            return self.call_or_pass(actions)
        discards = [action for action in actions if isinstance(action, Discard)]
        if len(discards) == 1:
            return [(discards[0], None, None, None, None)], "no choice"
        ranked = self.ranked(state.counts, state.me.melds, discards)
        best, _, distance, _, tiles = ranked[0]
        if distance >= 4 and NineTerminals() in actions:
            return [(NineTerminals(), None, distance, None, None)], "hopeless"
        if Riichi() in actions and tiles >= 4 and not self.furiten_after(best):
            return [(Riichi(), best, 0, None, None), *ranked], "riichi"
        if self.threatened() and not self.pushes(distance):
            order = {row[0]: at for at, row in enumerate(ranked)}
            cost = {row[0]: round(self.danger.cost(kind_of(row[0].tile))) for row in ranked}
            return sorted(ranked, key=lambda row: (cost[row[0]], order[row[0]])), "fold"
        return ranked, "efficiency"

    def ranked(self, counts, melds, discards):
        """Return the discards, best first."""
        must_be_simple = any(meld.is_open for meld in melds) and not self.value_set(counts, melds)
        rows = []
        for discard in discards:
            kind = kind_of(discard.tile)
            now, useful = useful_after(counts, len(melds), kind)
            if must_be_simple:
                useful = [draw for draw in useful if is_simple(draw)]
            tiles = sum(left_of(self.state, draw) for draw in useful)
            kinds = sum(left_of(self.state, draw) > 0 for draw in useful)
            worth = float(tiles)
            for _ in range(self.han_lost(counts, discard)):
                worth *= 0.85
            if must_be_simple and not is_simple(kind):
                worth = worth * 1.15 + 1
            key = (now, -round(worth, 9), edge(kind), discard.tile.endswith("r"), not discard.from_draw)
            rows.append((key, (discard, None, now, kinds, tiles)))
        rows.sort(key=lambda row: row[0])
        return [row for _, row in rows]

    def han_lost(self, counts, discard):
        """Count the dora that a discard gives up, and one for breaking a pair of value honors."""
        kind = kind_of(discard.tile)
        lost = self.dora_of(discard.tile)
        if counts[kind] >= 2 and self.has_value(kind):
            lost += 1
        return lost

    def dora_of(self, tile):
        """Count the dora that a tile is."""
        indicated = sum(dora_after(sign) == kind_of(tile) for sign in self.state.dora_indicators)
        return indicated + tile.endswith("r")

    def has_value(self, kind):
        """Return whether three of a kind are a yaku for this seat."""
        return KINDS[kind] in (*DRAGONS, self.state.round_wind, self.state.seat_wind)

    def value_set(self, counts, melds):
        """Return whether the hand holds three of a kind that are a yaku."""
        called = [kind_of(meld.tiles[0]) for meld in melds if meld.kind != "chi"]
        held = [kind for kind in range(34) if counts[kind] >= 3]
        return any(self.has_value(kind) for kind in called + held)

    def others(self):
        """Return the opponents."""
        return [player for player in self.state.players if player.seat != self.state.seat]

    def threatened(self):
        """Return whether an opponent is in riichi or probably tenpai with three melds on the table."""
        if any(player.riichi for player in self.others()):
            return True
        return any(len(player.melds) >= 3 for player in self.others()) and max(self.danger.can_win) >= 0.6

    def pushes(self, distance):
        """Return whether a hand so far from complete is worth the danger."""
        state = self.state
        tiles = [*state.hand, *(tile for meld in state.me.melds for tile in meld.tiles)]
        return distance <= 0 or (distance == 1 and sum(map(self.dora_of, tiles)) >= 3)

    def furiten_after(self, discard):
        """Return whether one of the waits lies in the river once the discard is made."""
        state = self.state
        _, waits = useful_after(state.counts, len(state.me.melds), kind_of(discard.tile))
        river = {kind_of(tile.tile) for tile in state.me.river} | {kind_of(discard.tile)}
        return any(wait in river for wait in waits)

    def call_or_pass(self, actions):
        """Call for a lower shanten with a yaku in sight; not against a threat unless the hand is worth it."""
        state = self.state
        now = shanten(state.counts, len(state.me.melds))
        rows = []
        for branch in branches_of(state, actions):
            if isinstance(branch.action, Call) and branch.discards:
                counts = state.counts * 0
                for tile in branch.tiles:
                    counts[kind_of(tile)] += 1
                discard, _, distance, kinds, tiles = self.ranked(counts, branch.melds, branch.discards)[0]
                if distance < now and tiles and self.yaku_in_sight(counts, branch.melds):
                    rows.append((branch.action, discard, distance, kinds, tiles))
        if not rows or (self.threatened() and not self.pushes(now - 1)):
            return [(Pass(), None, None, None, None)], "pass"
        rows.sort(key=lambda row: (row[2], -row[4]))
        return [*rows, (Pass(), None, None, None, None)], "call"

    def yaku_in_sight(self, counts, melds):
        """Return whether there is a value set, or at most one concealed tile that is no simple."""
        if self.value_set(counts, melds):
            return True
        outside = [kind for kind in range(34) for _ in range(counts[kind]) if not is_simple(kind)]
        called = [kind_of(tile) for meld in melds for tile in meld.tiles]
        return all(map(is_simple, called)) and len(outside) <= 1
