"""What the policy net is shown, slowly and plainly from the state of a seat, by the names of the columns."""

import numpy as np

from manue.game.state import RoundState
from manue.hand.score import score_win
from manue.hand.shanten import shanten, ukeire, ukeire_by_discard
from manue.tiles import KIND_OF, KINDS, RED_OF, TERMINALS_AND_HONORS, WINDS, Meld, dora_of, is_red

OPPONENTS = ("next", "across", "previous")


class Sight:
    """A seat's view, with short names for what columns are made of."""

    def __init__(self, state: RoundState) -> None:
        self.state = state
        self.hand = state.counts.tolist()
        self.melds = state.me.melds
        self.dora = [0] * 34
        for indicator in state.dora_indicators:
            self.dora[dora_of(indicator)] += 1
        self.unseen = [max(0, 4 - int(count)) for count in state.visible]
        self.others = [state.players[(state.seat + step) % 4] for step in (1, 2, 3)]
        self.riichi = [player for player in self.others if player.riichi]

    def value(self, kind, seat=None):
        seat = self.state.seat if seat is None else seat
        winds = (27 + (seat - self.state.dealer) % 4, 27 + WINDS.index(self.state.round_wind))
        return (kind >= 31) + winds.count(kind) if kind >= 27 else 0

    def dora_in(self, meld):
        return sum(is_red(tile) + self.dora[KIND_OF[tile]] for tile in meld.tiles)

    def suit_tiles(self, hand=None, melds=None):
        counts = [0] * 4
        for kind, held in enumerate(self.hand if hand is None else hand):
            counts[kind // 9] += held
        for meld in self.melds if melds is None else melds:
            counts[meld.first_kind // 9] += 3
        return counts

    def safe_kinds(self):
        return [kind for kind in range(34) if self.riichi and all(p.safe[kind] for p in self.riichi)]

    def has_value_set(self, hand, melds):
        return any(hand[kind] >= 3 and self.value(kind) for kind in range(27, 34)) or any(
            meld.kind != "chi" and self.value(meld.first_kind) for meld in melds
        )

    def danger(self, player, kind):
        """The share of the waits of a seat that are on a kind."""
        if not player.riichi and not player.melds:
            return 0.0
        blocked = player.safe | player.passed
        weights = [0.0 if blocked[other] else self.shapes_on(other, blocked) for other in range(34)]
        return weights[kind] / (sum(weights) + 1e-6)

    def shapes_on(self, kind, blocked):
        own = self.unseen[kind]
        weight = own * (own - 1) / 2 + (0.6 if kind >= 27 else 0.2) * own
        if kind >= 27:
            return weight
        for step, edge in ((-1, 2), (1, 6)):
            if 0 <= kind % 9 + 2 * step <= 8:
                pair = self.unseen[kind + step] * self.unseen[kind + 2 * step]
                if kind % 9 == edge:
                    weight += 0.35 * pair
                elif not blocked[kind + 3 * step]:
                    weight += pair
        if 1 <= kind % 9 <= 7:
            weight += 0.3 * self.unseen[kind - 1] * self.unseen[kind + 1]
        return weight


def context_of(state: RoundState, lowest: int) -> dict[str, float]:
    """Return the columns that are not 0."""
    sight = Sight(state)
    me, seat = state.me, state.seat
    hand, melds = sight.hand, sight.melds
    suits = sight.suit_tiles()
    ahead = [
        other
        for other in range(4)
        if other != seat and (state.scores[other], -other) > (state.scores[seat], -seat)
    ]
    below = [state.scores[other] for other in range(4) if other != seat and other not in ahead]
    own = state.scores[seat]
    pairs = sum(count >= 2 for count in hand)
    safe = sight.safe_kinds()
    index = 4 * WINDS.index(state.round_wind) + state.number - 1
    row = {
        "tiles_left": state.tiles_left / 70,
        "tiles_left_squared": (state.tiles_left / 70) ** 2,
        ("tenpai", "one_away", "two_away", "three_away", "far")[min(lowest, 4)]: 1,
        "open": not me.is_closed,
        "melds": len(melds) / 4,
        "dealer": seat == state.dealer,
        "dora": (
            sum(is_red(tile) + sight.dora[KIND_OF[tile]] for tile in state.hand)
            + sum(map(sight.dora_in, melds))
        ) / 4,
        "value_sets": (
            sum(hand[kind] >= 3 and sight.value(kind) > 0 for kind in range(34))
            + sum(meld.kind != "chi" and sight.value(meld.first_kind) > 0 for meld in melds)
        ) / 2,
        "value_pairs": sum(hand[kind] == 2 and sight.value(kind) > 0 for kind in range(34)) / 2,
        "pairs": pairs / 6,
        "outside": sum(hand[kind] for kind in TERMINALS_AND_HONORS) / 8,
        "outside_melds": sum(any(KIND_OF[tile] in TERMINALS_AND_HONORS for tile in m.tiles) for m in melds),
        "longest": max(suits[:3]) / 14,
        "flush": (max(suits[:3]) + suits[3]) / 14,
        "two_suits": (sum(suits) - min(suits[:3])) / 14,
        "seven_pairs": 1 if melds else (6 - min(pairs, 7) + max(0, 7 - sum(map(bool, hand)))) / 6,
        "place": len(ahead) / 3,
        "behind_first": min((max(state.scores) - own) / 20_000, 2),
        "ahead_of_next": min((own - max(below)) / 20_000, 2) if below else 0,
        "ahead_of_last": min((own - min(state.scores)) / 20_000, 2),
        "round": min(index / 8, 1),
        "last_round": index >= state.rules.last_round,
        "at_stake": (0.3 * state.honba + state.deposits) / 4,
        "threats": len(sight.riichi) / 3,
        "dealer_threat": any(player.seat == state.dealer for player in sight.riichi),
        "safe_kinds": sum(hand[kind] > 0 for kind in safe) / 6,
        "drawn_safe": state.drawn is not None and KIND_OF[state.drawn] in safe,
    }  # fmt: skip
    for who, player in zip(OPPONENTS, sight.others, strict=True):
        row |= {
            f"riichi_{who}": player.riichi,
            f"ippatsu_{who}": player.ippatsu,
            f"melds_{who}": len(player.melds) / 4,
            f"river_{who}": len(player.river) / 18,
            f"value_melds_{who}": sum(
                sight.value(meld.first_kind, player.seat) for meld in player.melds if meld.kind != "chi"
            ) / 2,
            f"dora_melds_{who}": sum(map(sight.dora_in, player.melds)) / 4,
            f"deals_{who}": player.seat == state.dealer,
        }  # fmt: skip
    return {name: float(value) for name, value in row.items() if value}


def discards_of(state: RoundState, kinds: list[int]) -> list[dict[str, float]]:
    """Return the columns that are not 0 of each kind that may be discarded."""
    sight = Sight(state)
    me, hand = state.me, sight.hand
    after, useful = ukeire_by_discard(state.counts, len(me.melds))
    lowest = min(int(after[kind]) for kind in kinds)
    tiles = {kind: int(useful[kind] @ np.array(sight.unseen)) for kind in kinds}
    most = max(tiles[kind] for kind in kinds if after[kind] == lowest)
    risks = {kind: sum(5 * sight.danger(player, kind) for player in sight.riichi) for kind in kinds}
    open_risks = {
        kind: sum(
            5 * sight.danger(player, kind) * len(player.melds) / 4
            for player in sight.others
            if not player.riichi
        )
        for kind in kinds
    }
    suits = sight.suit_tiles()
    turn = len(me.river) / 18
    rows = []
    for kind in kinds:
        row = _kind(sight, kind, suits)
        at_lowest = after[kind] == lowest
        own = {KIND_OF[tile.tile] for tile in me.river} | {kind}
        above = risks[kind] - min(risks.values())
        share = tiles[kind] / max(most, 1) if at_lowest else 0
        row |= {
            "worse": after[kind] - lowest,
            "useful": tiles[kind] / 24 if after[kind] <= lowest + 1 else 0,
            "useful_kinds": useful[kind].sum() / 8 if after[kind] <= lowest + 1 else 0,
            "behind_best": (most - tiles[kind]) / 12 if at_lowest else 0,
            "best": at_lowest and tiles[kind] == most,
            "next_behind": share,
            "ready_furiten": lowest == 0 and at_lowest and any(useful[kind][other] for other in own),
            "turn_honor": turn * row["honor"],
            "turn_outside": turn * row["terminal"],
            "turn_single": turn * row["alone"],
            "risk": risks[kind],
            "risk_above": above,
            "safest": bool(sight.safe_kinds()) and above == 0,
            "risk_far": above * lowest / 3,
            "risk_useful": above * share,
            "open_risk_above": open_risks[kind] - min(open_risks.values()),
            "dealer_risk": sum(5 * sight.danger(p, kind) for p in sight.riichi if p.seat == state.dealer),
        }
        for who, player in zip(OPPONENTS, sight.others, strict=True):
            danger = 5 * sight.danger(player, kind)
            row[f"safe_{who}"] = player.riichi and player.safe[kind]
            row[f"danger_{who}"] = danger if player.riichi else 0
            row[f"open_danger_{who}"] = 0 if player.riichi else danger * len(player.melds) / 4
        rows.append({name: float(value) for name, value in row.items() if value})
    assert len(hand) == 34
    return rows


def _kind(sight: Sight, kind: int, suits: list[int]) -> dict[str, float]:
    state, hand = sight.state, sight.hand
    number, honor = kind % 9, kind >= 27
    before = state.players[(state.seat + 3) % 4].river
    dora = [other for other in range(27) if sight.dora[other]]

    def held(step):
        return hand[kind + step] if not honor and 0 <= number + step <= 8 else 0

    def gap(step):
        return sight.unseen[kind + step] / 4 if not honor and 0 <= number + step <= 8 else 0

    run = (held(-1) and held(-2)) or (held(-1) and held(1)) or (held(1) and held(2))
    first = kind - number
    runs = [
        sum(hand[9 * suit + other] > 0 for suit in range(3) for other in range(low, low + 3))
        for low in range(max(0, number - 2), min(6, number) + 1)
    ]
    suit_kinds = sum(hand[other] > 0 for other in range(first, first + 9)) if not honor else 0

    def steps(distance):
        return not honor and any(other // 9 == kind // 9 and abs(other - kind) == distance for other in dora)

    return {
        "honor": honor,
        "terminal": not honor and number in (0, 8),
        "two_eight": not honor and number in (1, 7),
        "three_seven": not honor and number in (2, 6),
        "middle": not honor and number in (3, 4, 5),
        "value": sight.value(kind) / 2,
        "dragon": kind >= 31,
        "guest_wind": honor and not sight.value(kind),
        "guest_value": sum(sight.value(kind, player.seat) for player in sight.others) / 4,
        "single": hand[kind] == 1,
        "pair": hand[kind] == 2,
        "triplet": hand[kind] >= 3,
        "alone": hand[kind] == 1 and not any(map(held, (-2, -1, 1, 2))),
        "unseen": sight.unseen[kind] / 3,
        "gone": sight.unseen[kind] == 0,
        "is_dora": sight.dora[kind] / 2,
        "red": hand[kind] == 1 and kind in RED_OF and RED_OF[kind] in state.hand,
        "next_to_dora": steps(1),
        "near_dora": steps(2),
        "below": held(-1) / 2,
        "above": held(1) / 2,
        "two_below": held(-2) / 2,
        "two_above": held(2) / 2,
        "three_below": held(-3),
        "three_above": held(3),
        "gap_below": gap(-1),
        "gap_above": gap(1),
        "gap_two_below": gap(-2),
        "gap_two_above": gap(2),
        "in_run": bool(run),
        "run_spare": bool(run) and hand[kind] >= 2,
        "suit": 0 if honor else suits[kind // 9] / 14,
        "off_suit": not honor and suits[kind // 9] < max(suits[:3]),
        "suit_kinds": suit_kinds / 9,
        "straight": suit_kinds >= 7,
        "colors": 0 if honor else max(runs) / 9,
        "seven_pairs_break": not sight.melds and sum(n >= 2 for n in hand) >= 5 and hand[kind] == 2,
        "simple_open": not state.me.is_closed
        and not sight.has_value_set(hand, sight.melds)
        and kind in TERMINALS_AND_HONORS,
        "drawn": state.drawn is not None and KIND_OF[state.drawn] == kind,
        "own_river": any(KIND_OF[tile.tile] == kind for tile in state.me.river),
        "just_passed": bool(before) and KIND_OF[before[-1].tile] == kind,
    }


def riichi_of(state: RoundState) -> dict[str, float]:
    """Return the columns that are not 0 of declaring riichi with the discard that leaves the widest wait."""
    sight = Sight(state)
    after, useful = ukeire_by_discard(state.counts, len(sight.melds))
    held = [kind for kind in range(34) if sight.hand[kind]]
    tiles = {kind: int(useful[kind] @ np.array(sight.unseen)) for kind in held}
    best = max((kind for kind in held if after[kind] == 0), key=tiles.__getitem__)
    wait = [kind for kind in range(34) if useful[best][kind]]
    hand = sorted(state.hand, key=is_red)  # a plain five is given up before a red one
    hand.remove(next(tile for tile in hand if KIND_OF[tile] == best))
    silent_share = silent_points = riichi_points = 0.0
    for kind in wait:
        share = sight.unseen[kind] / max(tiles[best], 1)
        silent = points_of_ron(state, hand, KINDS[kind], riichi=False)
        riichi = points_of_ron(state, hand, KINDS[kind], riichi=True)
        silent_share += share * (silent is not None)
        silent_points += share * (silent or 0) / 8000
        riichi_points += share * riichi / 8000
    row = {
        "wait_tiles": tiles[best] / 8,
        "wait_kinds": len(wait) / 3,
        "wait_outside": len({*TERMINALS_AND_HONORS} & {*wait}) / 2,
        "wait_honor": any(kind >= 27 for kind in wait),
        "wait_furiten": bool({*wait} & {best, *(KIND_OF[one.tile] for one in state.me.river)}),
        "wait_risk": sum(5 * sight.danger(player, best) for player in sight.riichi),
        "silent_yaku": silent_share,
        "silent_points": min(silent_points, 2),
        "riichi_points": min(riichi_points, 2),
        "upgrade_tiles": max([tiles[kind] for kind in held if after[kind] == 1], default=0) / 24,
        "turn": len(state.me.river) / 18,
        "few_left": state.tiles_left < 12,
        "bias": 1,
    }
    return {name: float(value) for name, value in row.items() if value}


def points_of_ron(state, hand, tile, *, riichi):
    """Return the points of a win off a discard, ``None`` without a yaku."""
    winds = {"seat_wind": state.seat_wind, "round_wind": state.round_wind}
    won = score_win(
        [*hand, tile],
        state.me.melds,
        tile,
        dora_indicators=state.dora_indicators,
        rules=state.rules,
        riichi=riichi,
        **winds,
    )
    return None if won is None else won.points


def call_of(state: RoundState, kind: str, consumed: tuple[str, ...], tile: str | None) -> dict[str, float]:
    """Return the columns that are not 0 of a call of the tile offered, or of a kan on one's own turn."""
    sight = Sight(state)
    taken = [KIND_OF[one] for one in (consumed if kind != "kakan" else (tile,))]
    hand = list(sight.hand)
    for one in taken:
        hand[one] -= 1
    tiles = (*consumed, *((tile,) if tile else ()))
    melds = [*state.me.melds] if kind == "kakan" else [*state.me.melds, Meld(kind, tiles)]
    called = KIND_OF[tile or consumed[0]]
    low = min(KIND_OF[one] for one in tiles)
    unseen = np.array([max(0, 4 - int(state.visible[k])) for k in range(34)])
    now, useful_now = best_left(state.counts, len(state.me.melds), unseen, ())
    forbidden = {called} | ({other_end(called, low)} if kind == "chi" else set())
    then, useful_then = best_left(np.array(hand, np.int8), len(melds), unseen, forbidden)
    outside = sum(hand[k] for k in TERMINALS_AND_HONORS) + 3 * sum(
        any(KIND_OF[one] in TERMINALS_AND_HONORS for one in meld.tiles) for meld in melds
    )
    gain = min(max(now - then, -1), 2)
    runs = sum(meld.kind == "chi" for meld in melds)
    yaku_set, simples = sight.has_value_set(hand, melds), outside <= 1
    row = {
        "chi": kind == "chi",
        "pon": kind == "pon",
        "open_kan": kind == "daiminkan",
        "closed_kan": kind == "ankan",
        "added_kan": kind == "kakan",
        "kind_value": sight.value(called) / 2,
        "kind_outside": any(KIND_OF[one] in TERMINALS_AND_HONORS for one in tiles),
        "kind_dora": (sum(sight.dora[low : low + 3]) if kind == "chi" else 3 * sight.dora[called]) / 2,
        "shanten_now": now / 4,
        "gain": gain,
        "now_tenpai": now <= 0,
        "then_tenpai": then <= 0,
        "useful_now": useful_now / 24,
        "useful_then": useful_then / 24,
        "useful_gain": (useful_then - useful_now) / 12,
        "yaku_set": yaku_set,
        "simples": simples,
        "flush_then": sum(sight.suit_tiles(hand, melds)[suit] for suit in {3, called // 9}) / 14,
        "triplets": (len(melds) + sum(n >= 2 for n in hand)) / 6 if runs == 0 else 0,
        "first_call": state.me.is_closed,
        "pair_left": any(n >= 2 for n in hand),
        "uses_red": kind in {"chi", "pon"} and any(map(is_red, consumed)),
        "takes_place": kind == "chi" and called == low + 1,
        "turn": len(state.me.river) / 18,
        "value_gain": yaku_set * gain,
        "simple_gain": simples * gain,
        "threat_gain": gain if sight.safe_kinds() else 0,
        "bias": 1,
    }
    return {name: float(value) for name, value in row.items() if value}


def other_end(called: int, low: int) -> int:
    """The kind at the other end of the run, which swap calling forbids; the called one if there is none."""
    if called == low and called % 9 <= 5:
        return called + 3
    return called - 3 if called == low + 2 and called % 9 >= 3 else called


def best_left(counts, melds, unseen, forbidden):
    """Return shanten and useful tiles of a hand at rest, or after its best discard."""
    if int(counts.sum()) % 3 == 1:
        return shanten(counts, melds), int(ukeire(counts, melds) @ unseen)
    after, useful = ukeire_by_discard(counts, melds)
    allowed = [kind for kind in range(34) if counts[kind] and kind not in forbidden]
    lowest = min(int(after[kind]) for kind in allowed)
    return lowest, max(int(useful[kind] @ unseen) for kind in allowed if after[kind] == lowest)
