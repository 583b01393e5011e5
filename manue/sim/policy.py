"""The player that chooses by the policy net, and training examples for one, from it or from a script."""

from typing import Any

import numpy as np

from manue.compiled import compiled, inlined
from manue.sim.codes import (
    ANKAN,
    DISCARD,
    DISCARD_DRAWN,
    GROUP,
    KAKAN,
    MEMBER,
    NINE_TERMINALS,
    PASS,
    PON,
    RIICHI,
    RON,
    TSUMO,
)
from manue.sim.context_features import fill_context
from manue.sim.danger import fill_dangers
from manue.sim.declaration_features import fill_call, fill_riichi
from manue.sim.discard_features import fill_discards
from manue.sim.hands import best_left, kind_of, left_at_rest, rate_discards, tile_given_up
from manue.sim.hidden import fill_hidden
from manue.sim.legal import added_kans, closed_kans, may_abort, may_riichi, may_tsumo, ready_kinds
from manue.sim.net import rate_call_rows, rate_discard_rows, rate_riichi_row
from manue.sim.occasions import ANSWER, OWN_TURN, RIICHI_DISCARD
from manue.sim.randomness import random_share

HOPELESS = 4
"""Lowest shanten at which nine terminals are declared."""
NONE = -1


@compiled
def policy_choice(t: Any, seat: int, occasion: int, n: int, lowest: int, kit: Any) -> int:
    """Choose as the policy net does; a win is always taken."""
    if occasion == ANSWER:
        if t["options"][0] == RON:
            return RON
        calls = _answers(t, n, kit)
        return _declared(t, seat, calls, kit) if _fill_calls(t, seat, calls, kit) else PASS
    if occasion == OWN_TURN:
        if may_tsumo(t, seat, kit):
            return TSUMO
        if may_abort(t, seat) and lowest >= HOPELESS:
            return NINE_TERMINALS
        kans = _own_kans(t, seat, kit)
        if kans and _fill_calls(t, seat, kans, kit):
            declared = _declared(t, seat, kans, kit)
            if declared != PASS:
                return declared
        if t["riichi"][seat]:
            return DISCARD_DRAWN + int(t["drawn"])
        if kans:
            rate_discards(t, seat, kit["tables"])
        if may_riichi(t, seat, lowest, kit):
            _fill_riichi(t, seat, lowest, kit)
            rate_riichi_row(kit, int(t["net"][seat]))
            picked = _pick(t, seat, 1, True, kit)  # noqa: FBT003
            if kit["writes_examples"]:
                _note(t, seat, 1, picked, kit["riichi"], kit)
            if picked >= 0:
                return RIICHI
    options = _fill_discards(t, seat, occasion, lowest, kit)
    rate_discard_rows(kit, int(t["net"][seat]), options)
    picked = _pick(t, seat, options, False, kit)  # noqa: FBT003
    if kit["writes_examples"]:
        _note(t, seat, options, picked, kit["discard"], kit)
    return _discard_of(t, seat, int(kit["found"][picked]))


@inlined
def _discard_of(t: Any, seat: int, kind: int) -> int:
    """Return the discard of a kind: plain before red, the tile just drawn before its like from the hand."""
    tile = tile_given_up(t, seat, kind)
    return (DISCARD_DRAWN if tile == t["drawn"] else DISCARD) + tile


@compiled
def _pick(t: Any, seat: int, n: int, may_refuse: bool, kit: Any) -> int:  # noqa: FBT001
    """Return the option rated highest, `NONE` if refusing is rated higher.

    Above temperature 0 return one at random, by the softmax.
    """
    ratings = kit["ratings"]
    best, most = (NONE, np.float32(0.0)) if may_refuse else (0, ratings[0])
    for at in range(n):
        if ratings[at] > most:
            best, most = at, ratings[at]
    temperature = t["temperature"][seat]
    if temperature <= 0:
        return best
    total = np.exp(-most / temperature) if may_refuse else np.float32(0.0)
    refusing = total
    for at in range(n):
        total += np.exp((ratings[at] - most) / temperature)
    left = random_share(t) * total
    if may_refuse:
        left -= refusing
        if left < 0:
            return NONE
    for at in range(n):
        left -= np.exp((ratings[at] - most) / temperature)
        if left < 0:
            return at
    return best


# ---- what the nets are shown


@compiled
def _fill_discards(t: Any, seat: int, occasion: int, lowest: int, kit: Any) -> int:
    fill_context(t, seat, lowest, kit["context"])
    fill_dangers(t, seat, kit["dangers"])
    kinds = ready_kinds(t) if occasion == RIICHI_DISCARD else ~int(t["forbidden"])
    return fill_discards(t, seat, kinds, kit["tables"], kit["dangers"], kit["rows"], kit["found"])


@compiled
def _fill_riichi(t: Any, seat: int, lowest: int, kit: Any) -> None:
    fill_context(t, seat, lowest, kit["context"])
    fill_dangers(t, seat, kit["dangers"])
    fill_riichi(t, seat, kit["dangers"], kit, kit["rows"][0])


@inlined
def _answers(t: Any, n: int, kit: Any) -> int:
    """Gather the calls among the options; return their number."""
    calls = 0
    for at in range(n):
        code = int(np.int64(t["options"][at]))
        if code >= PON:
            kit["found"][calls] = code
            calls += 1
    return calls


@inlined
def _own_kans(t: Any, seat: int, kit: Any) -> int:
    """Gather the kans of a seat's own turn; return their number."""
    closed = closed_kans(t, seat, kit["tables"])
    added = added_kans(t, seat) if t["riichi"][seat] == 0 else 0
    kans = 0
    for kind in range(34):
        if closed >> kind & 1:
            kit["found"][kans] = ANKAN + kind
            kans += 1
        if added >> kind & 1:
            kit["found"][kans] = KAKAN + tile_given_up(t, seat, kind)
            kans += 1
    return kans


@compiled
def _fill_calls(t: Any, seat: int, n: int, kit: Any) -> int:
    """Fill the rows of the calls or kans gathered; return their number."""
    if n == 0:
        return 0
    if t["drawn"] >= 0:
        now, useful = best_left(t, seat, 0, kit["tables"])
    else:
        now, useful = left_at_rest(t, seat, kit["tables"])
    fill_context(t, seat, now, kit["context"])
    for at in range(n):
        fill_call(t, seat, int(kit["found"][at]), now, useful, kit["tables"], kit["rows"][at])
    return n


@compiled
def _declared(t: Any, seat: int, n: int, kit: Any) -> int:
    """Return the call or kan that the net declares, `PASS` for none."""
    rate_call_rows(kit, int(t["net"][seat]), n)
    picked = _pick(t, seat, n, True, kit)  # noqa: FBT003
    if kit["writes_examples"]:
        _note(t, seat, n, picked, kit["call"], kit)
    return int(kit["found"][picked]) if picked >= 0 else PASS


# ---- training examples


@compiled
def note_example(t: Any, seat: int, occasion: int, n: int, lowest: int, chosen: int, kit: Any) -> None:
    """Note what the nets would have been shown at a choice of a script, and what was chosen."""
    if chosen in (TSUMO, RON, NINE_TERMINALS):
        return
    if occasion == ANSWER:
        calls = _answers(t, n, kit)
        if _fill_calls(t, seat, calls, kit):
            _note(t, seat, calls, _place_of(chosen, calls, kit), kit["call"], kit)
        return
    if occasion == OWN_TURN:
        kans = _own_kans(t, seat, kit)
        if _fill_calls(t, seat, kans, kit):
            _note(t, seat, kans, _place_of(chosen, kans, kit), kit["call"], kit)
        if chosen & GROUP in (ANKAN, KAKAN) or t["riichi"][seat]:
            return
        if kans:
            rate_discards(t, seat, kit["tables"])
        if may_riichi(t, seat, lowest, kit):
            _fill_riichi(t, seat, lowest, kit)
            _note(t, seat, 1, 0 if chosen == RIICHI else NONE, kit["riichi"], kit)
        if chosen == RIICHI:
            return
    options = _fill_discards(t, seat, occasion, lowest, kit)
    kind = kind_of(chosen & MEMBER)
    for at in range(options):
        if kit["found"][at] == kind:
            _note(t, seat, options, at, kit["discard"], kit)


@inlined
def _place_of(chosen: int, n: int, kit: Any) -> int:
    for at in range(n):
        if kit["found"][at] == chosen:
            return at
    return NONE


@compiled
def _note(t: Any, seat: int, n: int, chosen: int, notes: Any, kit: Any) -> None:
    """Note a choice among n options with the notes for one net, if there is room."""
    at = int(notes["used"])
    start = int(notes["starts"][at])
    if at >= len(notes["chosen"]) or start + n > len(notes["rows"]):
        return
    for column in range(notes["context"].shape[1]):
        notes["context"][at, column] = kit["context"][column]
    for row in range(n):
        for column in range(notes["rows"].shape[1]):
            notes["rows"][start + row, column] = kit["rows"][row, column]
    notes["starts"][at + 1] = start + n
    notes["chosen"][at], notes["seat"][at] = chosen, seat
    notes["order"][at] = kit["discard"]["used"] + kit["riichi"]["used"] + kit["call"]["used"]
    if kit["writes_hidden"]:
        fill_hidden(t, seat, kit["tables"], notes["hidden"][at])
    notes["used"] = at + 1
