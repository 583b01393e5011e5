"""Our decisions in Mortal's terms, for the reviewers and viewers made for it.

Mortal chooses among 46 actions: a discard of each of the 34 kinds and three red fives, riichi, chi with the
called tile lowest, in the middle and highest, pon, kan, win, abortive draw, pass. Its ``meta`` gives a bit
for every action, set if it is allowed, and the values of the allowed ones in the same order. Where a kan of
the own hand is allowed, ``kan_select`` gives the same of the kinds that it can be made of.
"""

from collections.abc import Callable, Mapping, Sequence

from manue.agents.base import Decision
from manue.decision.report import Report
from manue.game.actions import Action, Call, Discard, NineTerminals, Riichi, Win
from manue.game.events import RoundStart
from manue.game.state import RoundState
from manue.hand.shanten import shanten
from manue.models.model_set import Models
from manue.models.placement import RoundPosition
from manue.protocol.codec import Fields
from manue.rules import TENHOU
from manue.tiles import KIND_OF, RED_FIVES, Tile, is_red

RIICHI, CHI_LOW, CHI_MIDDLE, CHI_HIGH, PON, KAN, WIN, ABORT, PASS = range(37, 46)
MEAN_PLACE = 2.5
PER_PLACE = 2.5
"""What a final place is worth: from first to last, 3.75 to -3.75."""
PER_POINT = PER_PLACE / 10_000
"""What points are worth to an agent that does not estimate its place."""
EVEN = (TENHOU.start_points,) * 4
"""Points where a host gives none."""
LARGEST = 1e9
"""No value of an action comes near: those of Mortal are some tens."""
STEP = 0.1
"""Between options that have no value, and below the others."""


def mortal_meta(decision: Decision, actions: Sequence[Action], state: RoundState) -> Fields:
    """Return the ``meta`` of a decision, as Mortal writes it.

    The values follow the order in which our player ranks its options: none is higher than that of an option
    it prefers. Options it did not weigh come last.
    """
    ranked = _ranked(decision)
    kans = [action for action in actions if kan_kind_of(action) is not None]
    meta = {
        **_masked(actions, ranked, label_of),
        "is_greedy": True,
        "batch_size": 1,
        "eval_time_ns": int(decision.elapsed_ms * 1e6),
        "shanten": shanten(state.counts, len(state.me.melds)),
        "at_furiten": state.furiten,
    }
    return meta | {"kan_select": _masked(kans, ranked, kan_kind_of)} if kans else meta


def values_in(meta: object) -> Mapping[int, float]:
    """Return the values in a ``meta`` of Mortal's by the number of the action; empty if it is none.

    A value that is not finite, or beyond `LARGEST`, is left out.
    """
    if not isinstance(meta, dict):
        return {}
    values, mask = meta.get("q_values"), meta.get("mask_bits")
    if not isinstance(values, list) or not isinstance(mask, int) or not 0 <= mask < 1 << (PASS + 1):
        return {}
    labels = [label for label in range(PASS + 1) if mask >> label & 1]
    if len(labels) != len(values) or not all(isinstance(value, int | float) for value in values):
        return {}
    found = zip(labels, values, strict=True)
    return {label: float(value) for label, value in found if -LARGEST < value < LARGEST}


def last_line(rounds: Sequence[RoundStart], name: str, last: int) -> Fields:
    """Return what Mortal says when its input ends: P(place) by seat at the start of every round.

    Parameters
    ----------
    rounds : sequence of RoundStart
    name : str
        Of the player.
    last : int
        Index of the last planned round.
    """
    places = Models.load().placement.final_places
    matrix = [
        places(start.scores or EVEN, RoundPosition.at(start, last)).round(5).tolist() for start in rounds
    ]
    return {"model_tag": name, "phi_matrix": matrix}


def _masked(
    actions: Sequence[Action],
    ranked: Sequence[tuple[Action, float]],
    number_of: Callable[[Action], int | None],
) -> Fields:
    """Return bits and values by the number of the action; of several ways to take it, that of the best."""
    last = min(value for _, value in ranked) - STEP
    values = {number_of(action): last for action in actions}
    values |= {number_of(action): value for action, value in reversed(ranked) if number_of(action) in values}
    numbers = sorted(number for number in values if number is not None)
    return {
        "q_values": [round(float(values[number]), 5) for number in numbers],
        "mask_bits": sum(1 << number for number in numbers),
    }


def _ranked(decision: Decision) -> Sequence[tuple[Action, float]]:
    """Return every action that was weighed with its value, the preferred first; at least the one taken."""
    ranked: list[tuple[Action, float]] = []
    for report in decision.reports:
        own = _value(report)
        if not ranked:
            lowest = 0.0 if own is None else own
        else:
            lowest = lowest - STEP if own is None else min(own, lowest)
        ranked.append((report.action, lowest))
    return ranked or [(decision.action, 0.0)]


def _value(report: Report) -> float | None:
    if report.expected_rank is not None:
        return PER_PLACE * (MEAN_PLACE - report.expected_rank)
    return None if report.expected_points is None else PER_POINT * report.expected_points


def label_of(action: Action) -> int:
    """Return the number of an action among Mortal's."""
    match action:
        case Discard(tile):
            return _tile(tile)
        case Riichi():
            return RIICHI
        case Call("chi", consumed, tile):
            return _chi(tuple(KIND_OF[one] for one in consumed), KIND_OF[tile or consumed[0]])
        case Call("pon"):
            return PON
        case Call():
            return KAN
        case Win():
            return WIN
        case NineTerminals():
            return ABORT
    return PASS


def kan_kind_of(action: Action) -> int | None:
    """Return the kind that a kan of the own hand is made of; ``None`` for all other actions."""
    if isinstance(action, Call) and action.kind in {"ankan", "kakan"}:
        return KIND_OF[action.consumed[0]]
    return None


def _tile(tile: Tile) -> int:
    return 34 + RED_FIVES.index(tile) if is_red(tile) else KIND_OF[tile]


def _chi(own: tuple[int, ...], called: int) -> int:
    if called < min(own):
        return CHI_LOW
    return CHI_HIGH if called > max(own) else CHI_MIDDLE
