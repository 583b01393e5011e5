"""Every decision of a game as a page shows it: options with their numbers, what was chosen, what was played.

A decision is::

    {"at": frame, "turn": n, "options": [...], "chosen": index | null, "played": index | null,
     "tenpai": [prob | null x 4] | null, "trials": n, "seed": text | null, "ms": t | null,
     "fold": [p, points] | null, "log": text | null, "mortal": [q | null, ...],
     "danger": [{"5m": p, ...} | null x 4], "named": true}

and an option::

    {"kind": "discard", "tiles": ["5m"], "drawn": true, "then": "1p", "row": [...] | null,
     "note": "...", "explain": [[n, p] | null x 4], "goals": [[n, p], ...], "outcome": [n, p, ...],
     "useful": n, "rollout": [worlds, gain, error]}

``mortal``, one value an option, is there only where the log has Mortal's values; ``named`` where the riichi,
chi or pon just before named this discard, and was judged with it. ``row`` holds the numbers in
the order of `ROW`, ``danger`` P(the seat wins on a kind) in 1/1000; keys without content are left out.
``explain``, ``goals`` and ``useful`` refer by index to the page's table ``texts``, because the same values
occur again and again. So does the first number of ``outcome``, which stands for the points; their
probabilities follow, in 1/1000. In ``explain`` a reason's index is followed by the danger that was used, in
1/1000, and in ``goals`` by the probability of the target hand, in 1/10000. ``rollout`` is there for options
that were played on: the worlds, what the option gained over the chosen one, and half the 95 % interval of
that, in points. All of these come from the annotation (`manue.protocol.details`), except that ``useful`` is
computed here if the annotation has none.
"""

import json
import logging
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from manue.agents.base import Decision
from manue.decision.report import Details, Reason, WinningHand
from manue.errors import ProtocolError
from manue.foreign import MESSAGE, printable
from manue.game.actions import Action, Call, Discard, NineTerminals, Pass, Riichi, Win, same_choice, same_tile
from manue.game.events import DoraRevealed
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.hand.shanten import ukeire_by_discard
from manue.protocol.annotation import KEY, meta_to_decision
from manue.protocol.codec import matches, message_to_choice
from manue.protocol.figures import COLUMNS, Column, rounded
from manue.protocol.messages import Choice
from manue.protocol.mortal import label_of, values_in
from manue.records.archive import LogEntry
from manue.records.decisions import is_between, was_preempted, won_together
from manue.review.frames import Json, Replay
from manue.review.yaku_names import written_yaku
from manue.tiles import KIND_OF, KINDS, Seat

LOG = logging.getLogger(__name__)
ROW = (*(column.wire for column in COLUMNS), "ukeireKinds", "ukeireCount", "hojuLaterProb", "gap", "habit")
"""Names of an option's numbers, in order.

``gap`` is what decides, in points, less that of the chosen option: at most 0 but for an option that the agent
passed over against its own number. ``habit`` is the part of the gap that is due to the human policy alone.
"""


@dataclass(slots=True)
class SharedValues:
    """Hands, lists of points and facts that decisions refer to by index, each stored once."""

    values: list[Any] = field(default_factory=list)
    _indices: dict[str, int] = field(default_factory=dict)

    def index_of(self, value: Any) -> int:
        """Return the index of a value, which is added if it has not been seen before."""
        key = json.dumps(value, sort_keys=True)
        if key not in self._indices:
            self._indices[key] = len(self.values)
            self.values.append(value)
        return self._indices[key]


@dataclass(slots=True)
class DecisionList:
    """Collects the decisions of all seats while a game is replayed; `visit` is what `replay` calls.

    ``source`` is the log's name for what is reported.
    """

    shared: SharedValues = field(default_factory=SharedValues)
    by_seat: tuple[list[Json], ...] = field(default_factory=lambda: ([], [], [], []))
    source: str = "the game"

    def visit(self, at: int, entry: LogEntry, states: Mapping[Seat, RoundState]) -> None:
        """Collect the decisions that an event caused."""
        logs, meta = four_of(entry.message.logs), four_of(entry.message.meta)
        for seat in range(4):
            state = states.get(seat)
            actions = legal_actions(state) if state is not None else ()
            if actions and isinstance(entry.event, DoraRevealed):
                # the choice to rob a kan, still open after an indicator: it is where it was annotated
                if logs[seat] is None and meta[seat] is None:
                    continue
                self.by_seat[seat].pop()
            decision = self._read_decision(entry.where, logs[seat], meta[seat], actions)
            if decision is not None:
                if state is not None:
                    _add_useful(decision["options"], state, self.shared)
                turn = 0 if state is None else len(state.me.river) + 1
                self.by_seat[seat].append({"at": at, "turn": turn, **decision})

    def _read_decision(self, place: str, log: Any, meta: Any, actions: Sequence[Action]) -> Json | None:
        """Return a decision, with what its annotation says unless that is damaged."""
        try:
            return _decision_data(log, meta, actions, self.shared)
        except ProtocolError as error:
            name, reason = printable(self.source, MESSAGE), printable(error)
            LOG.warning("manue: %s, %s: %s; shown without it", name, place, reason)
        return _decision_data(log, None, actions, self.shared)

    def finish(self, game: Replay) -> None:
        """Mark what was played, now that the whole game is known."""
        for seat in range(4):
            for decision in self.by_seat[seat]:
                decision["played"] = _mark_played(decision, seat, game)
                _add_mortal(decision, seat, game)
                for option in decision["options"]:
                    del option["moves"]
            mark_named(self.by_seat[seat])


def _add_useful(options: Sequence[Json], state: RoundState, shared: SharedValues) -> None:
    """Add to every discard the tiles that are useful after it, unless the annotation has them."""
    if int(state.counts.sum()) % 3 != 2:
        return
    _, useful = ukeire_by_discard(state.counts, len(state.me.melds))
    for option in options:
        discard = next((move for move in option["moves"] if isinstance(move, Discard)), None)
        if discard is not None and "useful" not in option:
            kinds = np.flatnonzero(useful[KIND_OF[discard.tile]] & (state.unseen > 0))
            option["useful"] = shared.index_of(" ".join(KINDS[kind] for kind in kinds))


def four_of(values: object) -> Sequence[Any]:
    """Return annotations by seat, four ``None`` if there are none."""
    return values if isinstance(values, list) and len(values) == 4 else (None,) * 4


def _decision_data(log: Any, meta: Any, actions: Sequence[Action], shared: SharedValues) -> Json | None:
    """Return a decision, with the numbers of its annotation if it has any; ``None`` if there is nothing.

    Raises
    ------
    ProtocolError
        If the annotation is damaged.
    """
    decision = meta_to_decision(meta)
    if decision is None:
        if not actions:
            return None
        options = [_option((action,)) for action in actions]
        return _facts(options, None) | {"log": log if isinstance(log, str) else None}
    options = _reported(decision, meta[KEY]["candidates"], shared)
    weighed = [option["moves"][0] for option in options]
    options += [
        _option((action,)) for action in actions if not any(same_tile(action, one) for one in weighed)
    ]
    chosen = next((at for at, option in enumerate(options) if option["moves"][0] == decision.action), None)
    if chosen is None:
        chosen = len(options)
        options.append(_option((decision.action,)))
    facts = _facts(options, chosen) | {"trials": decision.mc_draws, "ms": _finite(decision.elapsed_ms)}
    if len(decision.tenpai_probs) == 4:
        facts["tenpai"] = [_finite(p) for p in decision.tenpai_probs]
    if decision.mc_draws:
        facts["seed"] = str(decision.seed)
    if decision.fold is not None:
        facts["fold"] = [decision.fold.prob, decision.fold.points]
    if decision.dangers:
        facts["danger"] = _danger(decision)
    return facts


def _reported(decision: Decision, candidates: Sequence[Any], shared: SharedValues) -> list[Json]:
    """Return the options of a decision that have a report, with their numbers and what stands behind them."""
    options = []
    for report, candidate, gap in zip(decision.reports, candidates, _gaps(decision), strict=True):
        moves = (report.action,) if report.discard is None else (report.action, report.discard)
        row = [_shown(candidate.get(column.wire), column) for column in COLUMNS]
        row += [report.ukeire_kinds, report.ukeire_count, rounded(report.deal_in_later_prob, 4), *gap]
        option = _option(moves) | {"row": row}
        if report.details is not None:
            option |= _details_data(report.details, shared)
        if report.note:
            option["note"] = report.note
        options.append(option)
    return options


def _shown(value: float | None, column: Column) -> float | None:
    """Round to one digit more than tables show, or to whole points, to keep the page small."""
    if value is None or not math.isfinite(value):
        return None
    return round(value, column.shown_decimals + 1) if column.shown_decimals else round(value)


def _danger(decision: Decision) -> list[Json | None]:
    """Return the dangers by seat in 1/1000, ``None`` for a seat that threatens nothing."""
    return [{tile: round(1000 * prob) for tile, prob in kinds.items()} or None for kinds in decision.dangers]


def _gaps(decision: Decision) -> list[tuple[int | None, int | None]]:
    """Return gap and habit of every option, by expected points where nothing else decided."""
    chosen = next((i for i, report in enumerate(decision.reports) if report.action == decision.action), None)
    worths = decision.worths
    if chosen is not None and worths and (best := worths[chosen]) is not None:
        return [
            (None, None)
            if worth is None
            else (round(worth.value - best.value), round(worth.habit - best.habit))
            for worth in worths
        ]
    points = [_finite(report.expected_points) for report in decision.reports]
    top = None if chosen is None else points[chosen]
    return [(None if top is None or value is None else round(value - top), None) for value in points]


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value


def _facts(options: list[Json], chosen: int | None) -> Json:
    """Return a decision of which nothing is known but its options."""
    return {
        "options": options,
        "chosen": chosen,
        "played": None,
        "tenpai": None,
        "trials": 0,
        "seed": None,
        "ms": None,
        "fold": None,
        "log": None,
    }


def _details_data(details: Details, shared: SharedValues) -> Json:
    """Return the details of an option, with references for values that occur often."""
    found: Json = {}
    if any(details.explain):
        found["explain"] = [
            None if reason is None else [shared.index_of(_leaf(reason)), _in_parts(reason.rated, 1000)]
            for reason in details.explain
        ]
    if details.targets:
        found["goals"] = [
            [shared.index_of(_hand(hand)), _in_parts(hand.prob, 10_000)] for hand in details.targets
        ]
    if details.outcome:
        axis = shared.index_of([round(points) for points, _ in details.outcome])
        found["outcome"] = [axis, *(round(1000 * prob) for _, prob in details.outcome)]
    if details.useful is not None:
        found["useful"] = shared.index_of(" ".join(details.useful))
    if details.rollout is not None:
        played = details.rollout
        found["rollout"] = [played.worlds, round(played.gain), round(played.error)]
    return found


def _leaf(reason: Reason) -> Json:
    if reason.words:
        return {"words": [[key, number, round(weight, 1)] for key, number, weight in reason.words]}
    return {"path": reason.path, "prob": reason.prob, "samples": reason.samples}


def _hand(hand: WinningHand) -> Json:
    points = None if hand.points is None else round(hand.points)
    return {
        "tiles": " ".join(hand.tiles),
        "points": points,
        "yaku": [written_yaku(name) for name in hand.yaku],
    }


def _in_parts(prob: float | None, parts: int) -> int | None:
    return None if prob is None else round(parts * prob)


def _option(moves: tuple[Action, ...]) -> Json:
    action = moves[0]
    option: Json = {"kind": _KINDS.get(type(action), "call"), "tiles": [], "row": None, "moves": moves}
    match action:
        case Discard(tile, from_draw):
            option["tiles"] = [tile]
            if from_draw:
                option["drawn"] = True
        case Call(kind, consumed, tile):
            option["kind"] = kind
            option["tiles"] = [*consumed, *([] if tile is None else [tile])]
        case Win(tile):
            option["tiles"] = [tile]
        case _:
            pass
    if len(moves) > 1 and isinstance(moves[1], Discard):
        option["then"] = moves[1].tile
    return option


_KINDS = {
    Discard: "discard",
    Riichi: "riichi",
    Win: "win",
    Pass: "pass",
    NineTerminals: "nine_terminals",
}


# ---- what was played


def _mark_played(decision: Json, seat: Seat, game: Replay) -> int | None:
    """Return the number of the option that was played.

    ``None`` if another seat's answer came before it, or the record ends before anything was played.
    """
    choices = _choices_after(game.entries, decision["at"], seat)
    options = decision["options"]
    first, second = next(choices, None), next(choices, None)
    if first is None:
        following = _following(game.entries, decision["at"])
        if following is None:
            return None
        event = following.event
        actions = [option["moves"][0] for option in options]
        win = next((at for at, action in enumerate(actions) if isinstance(action, Win)), None)
        if event is not None and won_together(event) and win is not None:
            return win
        if event is not None and was_preempted(actions, event):
            return None
        first = Choice(type="none")
    fitting = _fitting(first, options)
    for is_discarded in (matches, _is_of_kind):
        for at in fitting:
            moves = options[at]["moves"]
            if len(moves) == 1 or (second is not None and is_discarded(second, moves[1])):
                return at
    return next(iter(fitting), None)


def mark_named(decisions: Iterable[Json]) -> None:
    """Mark the discards of a seat that the riichi, chi or pon just before named, if that was judged."""
    named: str | None = None
    for decision in decisions:
        played = None if decision["played"] is None else decision["options"][decision["played"]]
        if played is not None and played["tiles"] == [named]:
            decision["named"] = True
        named = None if played is None or decision["chosen"] is None else played.get("then")


def _is_of_kind(choice: Choice, action: Action) -> bool:
    """Return whether a choice discards the kind of a discard: a red five need not be an option itself."""
    tile = choice.pai if choice.type == "dahai" else None
    return tile in KIND_OF and same_choice(Discard(tile), action)


def _add_mortal(decision: Json, seat: Seat, game: Replay) -> None:
    """Add Mortal's values of the options, where the log has them beside what was played."""
    entry = _following(game.entries, decision["at"])
    if entry is None or getattr(entry.event, "actor", None) != seat:
        return
    # annotated with our decisions the message has lost it, its text has not
    values = values_in(entry.fields().get("meta")) if b'"q_values"' in entry.text else {}
    if values:
        found = [values.get(label_of(option["moves"][0])) for option in decision["options"]]
        decision["mortal"] = [None if value is None else round(value, 3) for value in found]


def _fitting(choice: Choice, options: Sequence[Json]) -> list[int]:
    """Return the options that a choice means; failing that, those with the other copy of the discard."""
    found = [at for at, option in enumerate(options) if matches(choice, option["moves"][0])]
    if found or choice.type != "dahai":
        return found
    if choice.pai is None:
        return []
    discard = Discard(choice.pai)
    return [at for at, option in enumerate(options) if same_tile(discard, option["moves"][0])]


def _following(entries: Sequence[LogEntry], at: int) -> LogEntry | None:
    """Return the next entry that resulted from a choice."""
    return next((entry for entry in entries[at + 1 :] if not is_between(entry.event)), None)


def _choices_after(entries: Sequence[LogEntry], at: int, seat: Seat) -> Iterator[Choice]:
    """Yield what a seat chose after an event and, following a riichi or a call, its discard."""
    for entry in entries[at + 1 :]:
        message = entry.message
        if is_between(entry.event):
            continue
        choice = message_to_choice(message)
        if choice is None:
            return
        if choice.actor == seat or choice.type == "ryukyoku":
            yield choice
        elif choice.type != "hora":
            return
