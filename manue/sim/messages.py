"""What happened at a table in compiled code, as the Mjai messages of the referee."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from manue.arrays import I32
from manue.sim.codes import (
    ACCEPTED_EVENT,
    ANKAN,
    CALL_EVENT,
    CHI,
    DISCARD_EVENT,
    DORA_EVENT,
    DRAW_EVENT,
    GROUP,
    KAKAN,
    MEMBER,
    PON,
    REASONS,
    REDS_AT,
    RIICHI_EVENT,
    WIN_EVENT,
    run_tiles,
    tiles_of_kind,
)
from manue.sim.wall import DEALT, INDICATORS_AT, STEP_OF_DEALT, URA_AT
from manue.tiles import KIND_OF, RED_OF, TILES, WINDS, order

MessageFields: TypeAlias = dict[str, Any]


def start_message(t: Any) -> MessageFields:
    """Return the message that deals a round whose wall is in place and which has not been played.

    Keys are in the order of the alphabet, as the referee writes them.
    """
    dealer = int(t["index"]) % 4
    hands: list[list[int]] = [[], [], [], []]
    for step, tile in zip(STEP_OF_DEALT.tolist(), t["wall"][:DEALT].tolist(), strict=True):
        hands[(dealer + step) % 4].append(tile)
    return {
        "bakaze": WINDS[int(t["index"]) // 4 % 4],
        "dora_marker": TILES[t["wall"][INDICATORS_AT]],
        "honba": int(t["honba"]),
        "kyoku": dealer + 1,
        "kyotaku": int(t["deposits"]),
        "oya": dealer,
        "scores": t["scores"].tolist(),
        "tehais": [_in_order(hand) for hand in hands],
        "type": "start_kyoku",
    }


def _in_order(hand: Sequence[int]) -> list[str]:
    """Sort a hand as the referee does: by kind, a red five before the plain ones."""
    tiles = [TILES[tile] for tile in hand]
    return sorted(tiles, key=lambda tile: (order(tile)[0], not order(tile)[1]))


def messages_of(t: Any, log: I32) -> Iterator[MessageFields]:
    """Yield the messages of the events of a round, after the one that deals it.

    Parameters
    ----------
    t : TABLE
        After the round.
    log : int32[n, EVENT_COLUMNS]
        The events noted.
    """
    ura = t["wall"][URA_AT : URA_AT - 2 * int(t["shown"]) : -2].tolist()
    for event, actor, source, tile, choice, *deltas in log.tolist():
        if event == DRAW_EVENT:
            yield {"actor": actor, "pai": TILES[tile], "type": "tsumo"}
        elif event == DISCARD_EVENT:
            yield {"actor": actor, "pai": TILES[tile], "tsumogiri": bool(choice), "type": "dahai"}
        elif event == CALL_EVENT:
            yield _call(actor, source, tile, choice)
        elif event == RIICHI_EVENT:
            yield {"actor": actor, "type": "reach"}
        elif event == ACCEPTED_EVENT:
            yield {"actor": actor, "type": "reach_accepted"}
        elif event == DORA_EVENT:
            yield {"dora_marker": TILES[tile], "type": "dora"}
        elif event == WIN_EVENT:
            yield {
                "actor": actor,
                "deltas": deltas,
                "target": source,
                **({"tsumo": True} if actor == source else {}),
                "type": "hora",
                "ura_markers": [TILES[one] for one in ura] if choice else [],
            }
        else:
            yield {"deltas": deltas, "reason": REASONS[choice], "type": "ryukyoku"}


def _call(actor: int, source: int, tile: int, choice: int) -> MessageFields:
    red = bool(choice >> REDS_AT)
    code = choice & (1 << REDS_AT) - 1
    name = TILES[tile]
    kind = KIND_OF[name]
    group, member = code & GROUP, code & MEMBER
    consumed: Sequence[str]
    if group == ANKAN:
        consumed = tiles_of_kind(kind, 4, red=kind in RED_OF)
        return {"actor": actor, "consumed": list(consumed), "pai": consumed[0], "type": "ankan"}
    if group == KAKAN:
        consumed = tiles_of_kind(kind, 3, red=red)
        return {"actor": actor, "consumed": list(consumed), "pai": name, "type": "kakan"}
    if group == CHI:
        what, consumed = "chi", run_tiles(name, member // 2, red=bool(member & 1))
    elif group == PON:
        what, consumed = "pon", tiles_of_kind(kind, 2, red=bool(member))
    else:
        what, consumed = "daiminkan", tiles_of_kind(kind, 3, red=red)
    return {"actor": actor, "consumed": list(consumed), "pai": name, "target": source, "type": what}
