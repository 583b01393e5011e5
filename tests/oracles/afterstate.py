"""The features of a hand after its discard, computed from their definitions in plain Python."""

from manue.game.actions import Call, Pass
from manue.game.legal import legal_actions
from manue.hand.score import score_win
from manue.hand.shanten import shanten, ukeire
from manue.tiles import KIND_OF, KINDS, dora_of, is_red
from tests.oracles.wait_discard_rates import wait_class


def columns(state, option, deal_in, tenpai, discard_rates):
    """Return the features of one option of a decision by name.

    ``deal_in`` is by kind, ``tenpai`` by absolute seat, ``discard_rates`` by class.
    """
    hand = list(option.branch.tiles)
    if option.discard is not None:
        hand.remove(option.discard.tile)
    kinds = [KIND_OF[tile] for tile in hand]
    melds = option.branch.melds
    counts = [kinds.count(kind) for kind in range(34)]
    distance = shanten(counts, len(melds))
    useful = [kind for kind in range(34) if ukeire(counts, len(melds))[kind]]
    unseen = [max(0, 4 - int(seen)) for seen in state.visible]
    every = hand + [tile for meld in melds for tile in meld.tiles]
    dora = [dora_of(tile) for tile in state.dora_indicators]
    me = state.players[state.seat]
    others = [state.players[(state.seat + i) % 4] for i in (1, 2, 3)]
    rivers = {KIND_OF[tile.tile] for tile in me.river} | ({option.kind} if option.kind is not None else set())
    chances = sorted(deal_in[kind] for kind in kinds)
    scores = [state.scores[other.seat] for other in others]
    worth = {kind: yakuhai(state, kind) for kind in range(34)}
    groups = [kinds, *([KIND_OF[tile] for tile in meld.tiles] for meld in melds)]
    triplets = [kind for kind in range(34) if counts[kind] >= 3]
    called = [KIND_OF[meld.tiles[0]] for meld in melds if meld.kind != "chi"]
    suits = [sum(k // 9 == suit for k in kinds) for suit in range(4)]
    for meld in melds:
        suits[KIND_OF[meld.tiles[0]] // 9] += 3
    silent = [tenpai[other.seat] for other in others if not other.riichi]
    return {
        "shanten": distance,
        "useful_kinds": len(useful),
        "useful_tiles": sum(unseen[kind] for kind in useful),
        "own_draws": option.branch.own_draws,
        "tiles_left": state.tiles_left,
        "open": any(meld.kind != "ankan" for meld in melds),
        "melds": len(melds),
        "riichi": option.riichi,
        "furiten": distance == 0 and any(kind in rivers or me.safe[kind] for kind in useful),
        "dora": sum(KIND_OF[tile] == kind for kind in dora for tile in every) + sum(map(is_red, every)),
        "yakuhai": sum(worth[kind] for kind in triplets + called),
        "yakuhai_pairs": sum(counts[k] == 2 and worth[k] > 0 and state.visible[k] < 4 for k in range(34)),
        "orphans": sum(KINDS[kind][0] in "19ESWNPFC" for kind in groups[0]),
        "one_suit": max(suits[:3]) + suits[3],
        "pairs": sum(n >= 2 for n in counts),
        "triplets": len(triplets),
        "dealer": state.seat == state.dealer,
        "rank": sum(score > state.scores[state.seat] for score in scores),
        "lead": (state.scores[state.seat] - max(scores)) / 100,
        "round_number": "ESWN".index(state.round_wind) * 4 + state.number - 1,
        "rounds_left": state.rules.last_round - ("ESWN".index(state.round_wind) * 4 + state.number - 1),
        "honba": state.honba,
        "riichi_opponents": sum(other.riichi for other in others),
        "dealer_riichi": any(other.riichi and other.seat == state.dealer for other in others),
        "ippatsu": any(other.riichi and other.ippatsu for other in others),
        "most_melds": max(len(other.melds) for other in others),
        "all_melds": sum(len(other.melds) for other in others),
        "tenpai_max": max(silent, default=0.0),
        "tenpai_sum": sum(tenpai[other.seat] for other in others),
        "safest": chances[0],
        "next_safest": chances[1],
        "mean_danger": sum(chances) / len(chances),
        "safe_tiles": sum(chance < 0.01 for chance in chances),
        "dora_unseen": sum(unseen[kind] for kind in dora),
        "mc_win_prob": option.mc_win_prob,
        "mc_win_points": option.mc_win_points,
        **wait_columns(state, option, hand, useful, unseen, discard_rates),
        "declares": option.riichi and not any(tile.riichi for tile in me.river),
        "draws_before": draws_before(state, option),
        "passed_chi": "chi" in passed(state, option),
        "passed_pon": "pon" in passed(state, option),
    }


def passed(state, option):
    """Return the kinds of calls that a pass leaves."""
    if not isinstance(option.action, Pass):
        return set()
    return {action.kind for action in legal_actions(state) if isinstance(action, Call)}


def draws_before(state, option):
    """Count the opponents whose turn comes before this seat draws; after a kan it draws at once."""
    if option.discard is not None:
        return 3
    if isinstance(option.action, Pass):
        return (state.seat - state.offer.source) % 4 - 1
    return 0


def wait_columns(state, option, hand, waits, unseen, discard_rates):
    """Return the features of the waits of a tenpai hand, and of how many of them will come."""
    melds = option.branch.melds
    if shanten([[KIND_OF[tile] for tile in hand].count(kind) for kind in range(34)], len(melds)) != 0:
        return {"ron_tiles": -1, "ron_share": -1, "wait_tiles_to_come": -1}
    me = state.players[state.seat]
    river = {KIND_OF[tile.tile] for tile in me.river} | {option.kind}
    furiten = any(kind in river or me.safe[kind] for kind in waits)
    ron = ron_waits(state, option, hand, waits, unseen)
    tiles = sum(unseen[kind] for kind in ron)
    discarded = sum(
        unseen[kind] * discard_rates[wait_class(state, hand, melds, option.kind, kind, riichi=option.riichi)]
        for kind in ron
        if not furiten
    )
    opened = any(meld.kind != "ankan" for meld in melds)
    drawn = sum(unseen[kind] for kind in (ron if opened else waits)) * option.branch.own_draws / sum(unseen)
    return {
        "ron_tiles": tiles,
        "ron_share": discarded / tiles if tiles else 0,
        "wait_tiles_to_come": discarded + drawn,
    }


def ron_waits(state, option, hand, waits, unseen):
    """Return the unseen waits on which the rules let the hand win by ron."""
    return [
        kind
        for kind in waits
        if unseen[kind]
        and score_win(
            [*hand, KINDS[kind]],
            option.branch.melds,
            KINDS[kind],
            riichi=option.riichi,
            seat_wind=state.seat_wind,
            round_wind=state.round_wind,
        )
    ]


def yakuhai(state, kind):
    name = KINDS[kind]
    return (name in "PFC") + (name == state.round_wind) + (name == state.seat_wind)
