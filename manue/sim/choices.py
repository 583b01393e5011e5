"""Asks a seat for its choice, and notes the choice where a teacher or a judge wants to know it."""

from typing import Any

from manue.compiled import compiled, inlined
from manue.sim.codes import PASS, PON, RON
from manue.sim.players import SCRIPTED, choose, wants_list
from manue.sim.policy import note_example


@compiled
def ask(t: Any, seat: int, occasion: int, n: int, lowest: int, kit: Any) -> int:
    """Let a seat choose, and note the choice and its options if the kit asks for it.

    Parameters
    ----------
    t, seat, occasion, n, lowest, kit
        As in `manue.sim.players.choose`.

    Returns
    -------
    int
        A code of `manue.sim.codes`.
    """
    chosen = choose(t, seat, occasion, n, lowest, kit)
    if kit["writes_examples"] and t["player"][seat] == SCRIPTED and _is_known(t, chosen, kit):
        note_example(t, seat, occasion, n, lowest, chosen, kit)
    at = int(t["judged_len"])
    if kit["writes_judged"] and at < len(kit["judged"]):
        row = kit["judged"][at]
        row[0], row[1], row[2], row[3] = seat, t["log_len"], chosen, n
        for place in range(n):
            row[4 + place] = t["options"][place]
        t["judged_len"] = at + 1
    return chosen


@inlined
def _is_known(t: Any, chosen: int, kit: Any) -> bool:
    """Return whether a scripted choice is known: not where the script has a call that went first."""
    if chosen == PASS:
        at = int(t["script_at"])
        return at >= kit["script_len"] or not (kit["script"][at, 1] == RON or kit["script"][at, 1] >= PON)
    return True


@inlined
def is_listed(t: Any, seat: int, kit: Any) -> bool:
    """Return whether the legal choices of a seat must be listed, for a player or a judge that reads them."""
    return bool(kit["writes_judged"]) or wants_list(t, seat)
