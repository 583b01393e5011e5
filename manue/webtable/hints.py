"""What helps with a choice: useful tiles, danger, and all that ``manue`` thinks, as data for the page."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from manue.agents.base import Decision
from manue.agents.manue import Manue
from manue.arrays import Bool
from manue.features.scene import scene_of
from manue.game.actions import Action, Discard, same_choice, same_tile
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.hand.shanten import shanten, ukeire, ukeire_by_discard
from manue.models.danger import DangerReader
from manue.protocol.annotation import annotation_of
from manue.records.archive import LogEntry
from manue.review.decisions import ROW, DecisionList
from manue.review.frames import Json
from manue.review.summary import agrees
from manue.tiles import KIND_OF, KINDS
from manue.webtable.wire import HelpLevel


@dataclass(frozen=True, slots=True)
class Question:
    """A choice to make: what led to it, what is known, what is legal."""

    entry: LogEntry
    state: RoundState
    actions: tuple[Action, ...]


def useful_tiles(state: RoundState) -> Json:
    """Return the shanten and the useful tiles of a hand.

    Returns
    -------
    dict
        With a tile to discard ``{"discards": {kind: {"shanten": n, "useful": [[kind, unseen], ...]}}}``, by
        the kinds that may be discarded; else ``{"shanten": n, "useful": [[kind, unseen], ...]}``.
    """
    unseen = state.unseen
    melds = len(state.me.melds)

    def listed(useful: Bool) -> list[list[object]]:
        return [[KINDS[kind], int(unseen[kind])] for kind in np.flatnonzero(useful & (unseen > 0))]

    if int(state.counts.sum()) % 3 != 2:
        return {"shanten": shanten(state.counts, melds), "useful": listed(ukeire(state.counts, melds))}
    after, by_discard = ukeire_by_discard(state.counts, melds)
    return {
        "discards": {
            KINDS[kind]: {"shanten": int(after[kind]), "useful": listed(by_discard[kind])}
            for kind in _kinds_to_discard(state)
        }
    }


def dangers(state: RoundState, reader: DangerReader) -> Json:
    """Return how dangerous each kind is that may be discarded; without a tile to discard, each in the hand.

    Returns
    -------
    dict
        ``{"tenpai": [P or null, ...], "kinds": {kind: {"total": P, "seats": [P, ...]}}}``, by absolute seat:
        P(tenpai) of each opponent, and P(somebody, each seat wins) on the kind.
    """
    kinds = _kinds_to_discard(state) or state.concealed.kinds()
    danger = reader.read(scene_of(state), state.seat, held_only=True)
    return {
        "tenpai": [None if seat == state.seat else float(danger.tenpai[seat]) for seat in range(4)],
        "kinds": {
            KINDS[kind]: {"total": danger.deal_in(kind), "seats": danger.prob[:, kind].tolist()}
            for kind in kinds
        },
    }


def _kinds_to_discard(state: RoundState) -> list[int]:
    """Return the kinds that may be discarded now: not those of a swap call, in riichi only the one drawn."""
    legal = (action for action in legal_actions(state) if isinstance(action, Discard))
    return sorted({KIND_OF[discard.tile] for discard in legal})


class Advisor:
    """Gives help before a choice and judges it afterwards.

    Parameters
    ----------
    agent : Manue
        Whose opinion counts.
    """

    def __init__(self, agent: Manue) -> None:
        self._agent = agent.explaining()

    def hint(self, question: Question, level: HelpLevel) -> Json | None:
        """Return the help of a level, ``None`` where nothing is shown before the choice."""
        state = question.state
        match level:
            case "none" | "coach":
                return None
            case "tiles":
                return {"tiles": useful_tiles(state)}
            case "danger":
                return {"danger": dangers(state, self._agent.models.dangers)}
            case "all":
                found = {"danger": dangers(state, self._agent.models.dangers), "tiles": useful_tiles(state)}
                return found | {"opinion": self._opinion(question, ())}

    def judge(self, question: Question, chosen: Sequence[Action]) -> Json:
        """Return the opinion on a choice: one action, or a riichi or call and its discard."""
        opinion = self._opinion(question, chosen)
        return {"opinion": opinion, "agrees": agrees(opinion["decision"])}

    def _opinion(self, question: Question, chosen: Sequence[Action]) -> Json:
        decision = self._agent.decide(question.state, question.actions)
        return options_data(question, decision, chosen)


def options_data(question: Question, decision: Decision | None = None, chosen: Sequence[Action] = ()) -> Json:
    """Return a decision as the page of a game shows it, with the texts and columns that it refers to.

    Parameters
    ----------
    question : Question
    decision : Decision, optional
        Somebody's opinion of it.
    chosen : sequence of Action
        What was played, if that is known.
    """
    seat = question.state.seat
    logs, meta = annotation_of({} if decision is None else {seat: decision})
    message = question.entry.message.model_copy(update={"logs": logs, "meta": meta})
    found = DecisionList()
    found.visit(0, replace(question.entry, message=message), {seat: question.state})
    (data,) = found.by_seat[seat]
    data["played"] = _number_of(chosen, [option.pop("moves") for option in data["options"]])
    return {"decision": data, "texts": found.shared.values, "columns": list(ROW)}


def _number_of(chosen: Sequence[Action], options: Sequence[Sequence[Action]]) -> int | None:
    """Return the number of the option that comes closest to what was chosen."""
    for fits in (_whole, _whole_of_kinds, _first, _first_of_kind):
        for number, moves in enumerate(options):
            if chosen and fits(chosen, moves):
                return number
    return None


def _whole(chosen: Sequence[Action], moves: Sequence[Action]) -> bool:
    return len(chosen) == len(moves) and all(map(same_tile, chosen, moves))


def _whole_of_kinds(chosen: Sequence[Action], moves: Sequence[Action]) -> bool:
    """Return whether both discard one kind after one riichi or call: a red five need not be an option."""
    return len(chosen) == len(moves) and all(map(same_choice, chosen, moves))


def _first(chosen: Sequence[Action], moves: Sequence[Action]) -> bool:
    return chosen[0] == moves[0]


def _first_of_kind(chosen: Sequence[Action], moves: Sequence[Action]) -> bool:
    return same_tile(chosen[0], moves[0])
