"""What options were predicted to be worth, at every decision of recorded games, beside what followed.

The prediction is for the option that was taken, in the parts of which its value is the sum: each way for the
round to end, and riichi sticks. What followed is cut into the same parts, so that both are compared alike
whatever honba and sticks are on the table. Options that were not taken have no outcome: `CHOICES` holds what
`manue.validation.choices` needs to compare both sides of a declaration nevertheless.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from manue.arrays import F64, Records
from manue.decision.declarations import declaration_of
from manue.decision.endings import PATTERNS, Endings
from manue.decision.evaluation import Evaluation, evaluate_options
from manue.decision.options import Option
from manue.decision.outcomes import position_of
from manue.decision.settings import Settings, position_seed
from manue.decision.values import ValuedOption
from manue.features.call_policy import DECLARATIONS
from manue.game.actions import Action, Call, Discard, NineTerminals, Pass, Riichi, Win, same_choice
from manue.game.events import RiichiDeclared
from manue.models.model_set import Models
from manue.records.decisions import RecordedDecision, recorded_decisions
from manue.records.games import RecordedGame, collect_games
from manue.records.results import RoundResult, final_places, round_results
from manue.rules import STICK
from manue.tiles import KIND_OF, Kind, Seat
from manue.training.dataset import replay
from manue.validation.defence import FOLDING_ROWS, folding_rows
from manue.validation.numbers import number_among

ENDING_GROUPS = ("own win", "deal-in now", "deal-in later", "another's self-draw", "another's ron", "draw")
"""Ways for the round to end, as seen by one seat; their probabilities add up to 1."""
WIN, NOW, LATER, TSUMO, RON, DRAW = range(len(ENDING_GROUPS))
PARTS = (*ENDING_GROUPS, "sticks lost")
"""What the expected points are the sum of: what each ending pays, and own sticks that do not come back."""
OPTION_KINDS = ("discard", "pass", *DECLARATIONS)
"""Kinds of options, as numbered in ``VALUES["kind"]``; a discard that declares riichi counts as riichi."""

VALUES = np.dtype(
    [
        ("game", np.int32),
        ("round", np.int16),
        ("seat", np.int8),
        ("kind", np.int8),  # index into OPTION_KINDS
        ("declined", np.uint8),  # bit d is set for DECLARATIONS[d] that was possible and not made
        ("turn", np.int16),  # 1 until this seat has discarded once
        ("shanten", np.int8),  # of the hand left
        ("open", np.bool_),  # the hand left has a call
        ("riichi", np.bool_),  # this seat is in riichi, or declares it now
        ("threat", np.bool_),  # an opponent is in riichi
        ("dealer", np.bool_),
        ("lead", np.int32),  # this seat's points minus those of the best other
        ("rank", np.int8),  # seats ahead, 0..3
        ("last_round", np.bool_),
        ("ours", np.bool_),  # the player would have made the same choice
        ("probs", np.float64, (len(ENDING_GROUPS),)),
        ("ending", np.int8),  # index into ENDING_GROUPS
        ("points", np.float64, (len(PARTS),)),  # predicted, by part
        ("points_then", np.float64, (len(PARTS),)),  # what followed
        ("tenpai", np.float64),  # P(exhaustive draw with this hand tenpai)
        ("tenpai_then", np.bool_),
        ("place", np.float64),  # expected final place
        ("place_then", np.float64),
    ]
)
"""One row for each decision whose answer is known."""

CHOICES = np.dtype(
    [
        ("game", np.int32),
        ("declaration", np.int8),  # index into DECLARATIONS
        ("taken", np.bool_),
        ("ours", np.bool_),  # the player would have taken it
        ("prob", np.float64),  # P(strong players take it)
        ("points", np.float64, (3,)),  # expected: of the best way to take it, to leave it, of what was done
        ("points_then", np.float64),
        ("place", np.float64, (3,)),
        ("place_then", np.float64),
        ("win", np.float64, (3,)),  # P(own win)
        ("won", np.bool_),
    ]
)
"""One row for each declaration that was possible, where it was made or nothing was declared."""

ROW_TYPES = {"values": VALUES, "choices": CHOICES, "folds": FOLDING_ROWS}


@dataclass(frozen=True, slots=True)
class ValuesOfGames:
    """Predictions and what followed, over some games.

    Parameters
    ----------
    values : VALUES[n]
    choices : CHOICES[m]
    folds : FOLDING_ROWS[k]
        One for each discard (`manue.validation.defence`).
    games : int
    skipped : tuple of str
        One line for each log, or game of it, that could not be used.
    """

    values: Records = field(default_factory=lambda: np.zeros(0, VALUES))
    choices: Records = field(default_factory=lambda: np.zeros(0, CHOICES))
    folds: Records = field(default_factory=lambda: np.zeros(0, FOLDING_ROWS))
    games: int = 0
    skipped: tuple[str, ...] = ()

    def with_game_numbers(self, log: int, logs: int) -> "ValuesOfGames":
        """Return the tables of a log, whose games are numbered from 0, with their numbers among many logs."""
        tables = self.values.copy(), self.choices.copy(), self.folds.copy()
        for table in tables:
            table["game"] = number_among(table["game"], log, logs)
        return ValuesOfGames(*tables, self.games, self.skipped)


def values_of_log(log: Path, settings: Settings, last_round: int | None = None) -> ValuesOfGames:
    """Collect the games of a log, numbered from 0; one of no use gives empty tables and the reason."""
    models = Models.load(settings.models or None)
    collected = collect_games(log, partial(_collect, settings=settings, models=models), last_round)
    return join_values(
        [
            ValuesOfGames(skipped=(found,))
            if isinstance(found, str)
            else found.with_game_numbers(number, len(collected))
            for number, found in enumerate(collected)
        ]
    )


def join_values(parts: Sequence[ValuesOfGames]) -> ValuesOfGames:
    """Join several games."""
    return ValuesOfGames(
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.choices for part in parts]),
        np.concatenate([part.folds for part in parts]),
        sum(part.games for part in parts),
        tuple(line for part in parts for line in part.skipped),
    )


class _Evaluated(NamedTuple):
    """A decision with the values of its options; the discard after riichi, chi or pon is yet to come.

    Attributes
    ----------
    found : Evaluation
    chosen : Action
    points : int
        This seat's, before it.
    facts : VALUES[1]
        Without what was predicted and what followed.
    questions : list of CHOICES[1]
        Likewise, one for each declaration that was possible.
    """

    found: Evaluation
    chosen: Action
    points: int
    facts: Records
    questions: list[Records]


def _collect(game: RecordedGame, settings: Settings, models: Models) -> ValuesOfGames:
    events = game.events
    results, places = round_results(events), final_places(events)
    values: list[Records] = []
    choices: list[Records] = []
    for evaluated, kind in _answered(recorded_decisions(events), settings, models):
        number = _option_taken(evaluated.found, evaluated.chosen, kind)
        if number is None:
            continue
        row, seat = evaluated.facts, int(evaluated.facts["seat"][0])
        _note_prediction(row, evaluated.found.options[number], evaluated.found.valued[number])
        _note_result(row, results[int(row["round"][0])], seat, evaluated.points)
        row["place_then"] = places[seat]
        values.append(row)
        for question in evaluated.questions:
            _note_choice(question, row)
            choices.append(question)
    folds = folding_rows(*replay(events, game.name, seed=0), models)
    return ValuesOfGames(_joined(VALUES, values), _joined(CHOICES, choices), folds, games=1)


def _joined(table: np.dtype[np.void], rows: Sequence[Records]) -> Records:
    return np.concatenate([np.zeros(0, table), *rows])


# ---- decisions


def _answered(
    decisions: Iterator[RecordedDecision], settings: Settings, models: Models
) -> Iterator[tuple[_Evaluated, Kind | None]]:
    """Yield every decision whose answer is known, with the kind that was discarded then, if any.

    Riichi, chi and pon are complete with the discard that follows. The discard after riichi is not a decision
    of its own here: its value leaves out the stick.
    """
    waiting: dict[Seat, _Evaluated] = {}
    for made in decisions:
        seat, chosen = made.state.seat, made.chosen
        kind = KIND_OF[chosen.tile] if isinstance(chosen, Discard) else None
        if seat in waiting and kind is not None:
            yield waiting.pop(seat), kind
        if _is_valued(made):
            evaluated = _evaluated(made, settings, models)
            if isinstance(chosen, Riichi) or (isinstance(chosen, Call) and chosen.kind in {"chi", "pon"}):
                waiting[seat] = evaluated
            else:
                yield evaluated, kind


def _is_valued(made: RecordedDecision) -> bool:
    """Return whether the options have values: a win has none, and ends the round."""
    if made.chosen is None or isinstance(made.chosen, Win | NineTerminals):
        return False
    declared = isinstance(made.state.last_event, RiichiDeclared)
    return not declared and not any(isinstance(action, Win) for action in made.actions)


def _evaluated(made: RecordedDecision, settings: Settings, models: Models) -> _Evaluated:
    assert made.chosen is not None  # noqa: S101  the caller has checked it
    seed = position_seed(made.state, settings.seed)
    found = evaluate_options(made.state, made.actions, seed, settings, models)
    best = found.valued[max(range(len(found.options)), key=lambda i: found.valued[i].value)]
    facts = _facts(made)
    facts["ours"] = same_choice(best.report.action, made.chosen)
    points = made.state.scores[made.state.seat]
    return _Evaluated(found, made.chosen, points, facts, list(_questions(found, made, best)))


def _facts(made: RecordedDecision) -> Records:
    state = made.state
    row = np.zeros(1, VALUES)
    row["round"], row["seat"], row["turn"] = made.round, state.seat, len(state.me.river) + 1
    row["kind"] = _kind_of(made.chosen)
    possible = {declaration_of(action) for action in made.actions} - {"", declaration_of(made.chosen)}
    row["declined"] = sum(1 << DECLARATIONS.index(name) for name in possible)
    row["threat"] = state.opponent_in_riichi
    row["dealer"] = state.seat == state.dealer
    own, others = state.scores[state.seat], np.delete(state.scores, state.seat)
    row["lead"], row["rank"] = own - others.max(), (others > own).sum()
    row["last_round"] = position_of(state).index >= state.rules.last_round
    row["riichi"] = state.me.riichi
    return row


def _kind_of(chosen: Action | None) -> int:
    match chosen:
        case Discard():
            return OPTION_KINDS.index("discard")
        case Pass():
            return OPTION_KINDS.index("pass")
    return OPTION_KINDS.index(declaration_of(chosen))


def _option_taken(found: Evaluation, chosen: Action, kind: Kind | None) -> int | None:
    """Return the index of the option that was taken; ``None`` if it was not evaluated."""
    for number, option in enumerate(found.options):
        if same_choice(option.action, chosen) and (option.kind is None or option.kind == kind):
            return number
    return None


# ---- predictions


def _note_prediction(row: Records, option: Option, valued: ValuedOption) -> None:
    report = valued.report
    row["shanten"], row["riichi"] = option.shanten, option.riichi
    row["open"] = any(meld.is_open for meld in option.branch.melds)
    row["probs"], row["points"] = predicted_parts(valued)
    later = valued.endings[1].probabilities[Endings.draw]
    row["tenpai"] = later[np.arange(PATTERNS) & 1 == 1].sum()
    row["place"] = report.expected_rank


def predicted_parts(valued: ValuedOption) -> tuple[F64, F64]:
    """Return P(each of `ENDING_GROUPS`), float64[6], and the expected points by `PARTS`, float64[7]."""
    now, later = valued.endings
    stick = STICK * valued.stick
    probs, points = np.zeros(len(ENDING_GROUPS)), np.zeros(len(PARTS))
    probs[NOW], points[NOW] = now.probabilities.sum(), now.probabilities @ now.points
    for ending, where in (
        (WIN, Endings.own_tsumo),
        (WIN, Endings.own_ron),
        (LATER, Endings.deal_in),
        (TSUMO, Endings.other_tsumo),
        (RON, Endings.other_ron),
        (DRAW, Endings.any_draw),
    ):
        lost = 0.0 if ending == WIN else stick
        probs[ending] += later.probabilities[where].sum()
        points[ending] += later.probabilities[where] @ (later.points[where] + lost)
        points[-1] -= lost * later.probabilities[where].sum()
    return probs, points


def _questions(found: Evaluation, made: RecordedDecision, best: ValuedOption) -> Iterator[Records]:
    """Yield a row for each declaration that was possible, if it was made or nothing was declared."""
    did = declaration_of(made.chosen)
    members: dict[str, list[ValuedOption]] = {}
    for valued in found.valued[: len(found.options)]:
        members.setdefault(declaration_of(valued.report.action), []).append(valued)
    left = members.pop("", [])
    for name, ways in members.items():
        if left and did in {"", name}:
            row = np.zeros(1, CHOICES)
            row["declaration"], row["taken"] = DECLARATIONS.index(name), did == name
            row["ours"] = declaration_of(best.report.action) == name
            row["prob"] = ways[0].report.played_prob
            for at, options in enumerate((ways, left)):
                report = max(options, key=lambda one: one.report.expected_points or 0.0).report
                row["points"][0, at], row["place"][0, at] = report.expected_points, report.expected_rank
                row["win"][0, at] = report.overall_win_prob or 0.0
            yield row


# ---- what followed


def _note_result(row: Records, result: RoundResult, seat: Seat, before: int) -> None:
    """Cut what the seat won or lost from the decision to the end of the round into parts."""
    ending = _ending(row, result, seat)
    stick = float(STICK) * (result.sticks[seat] and not _has_paid(row) and ending != WIN)
    row["ending"] = ending
    row["points_then"][0, ending] = result.scores[seat] - before + stick
    row["points_then"][0, -1] = -stick
    row["tenpai_then"] = result.exhausted and result.tenpai[seat]


def _has_paid(row: Records) -> bool:
    """Return whether the seat's stick was on the table before the decision."""
    return bool(row["riichi"][0]) and OPTION_KINDS[int(row["kind"][0])] != "riichi"


def _ending(row: Records, result: RoundResult, seat: Seat) -> int:
    """Return the index of the ending, as seen from a decision of the seat.

    As in the prediction, a kan deals in now by being robbed, and with the discard that follows it.
    """
    if seat in result.winners:
        return WIN
    if not result.winners:
        return DRAW
    if result.payer != seat:
        return TSUMO if result.payer is None else RON
    kind = OPTION_KINDS[int(row["kind"][0])]
    robbed = kind == "kakan" and result.fatal_discard == 0
    discards = kind != "pass" and row["turn"][0] == result.fatal_discard
    return NOW if robbed or discards else LATER


def _note_choice(question: Records, row: Records) -> None:
    """Copy what was predicted for the option taken, and what followed."""
    question["points"][:, 2], question["points_then"] = row["points"].sum(), row["points_then"].sum()
    question["place"][:, 2], question["place_then"] = row["place"], row["place_then"]
    question["win"][:, 2], question["won"] = row["probs"][:, WIN], row["ending"] == WIN
