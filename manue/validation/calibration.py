"""Calibration of the player: its predictions at discards really made, and what was then observed.

A game is replayed as in play (`manue.records.decisions`); the truth behind every discard comes from
`manue.training.dataset`. Games are independent, so the arrays do not depend on the number of processes.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from manue.arrays import F64, Records
from manue.decision.endings import Endings
from manue.decision.evaluation import Evaluation, evaluate_options
from manue.decision.options import Option
from manue.decision.settings import Settings, position_seed
from manue.decision.values import ValuedOption
from manue.errors import EventError
from manue.game.actions import Discard
from manue.game.events import Event, RiichiDeclared
from manue.game.state import RoundState
from manue.models.danger import Danger
from manue.models.model_set import Models
from manue.records.decisions import RecordedDecision, recorded_decisions
from manue.records.games import RecordedGame, collect_games
from manue.records.results import RoundResult, round_results
from manue.tiles import KIND_OF, Kind
from manue.training.dataset import EXHAUSTED, replay
from manue.training.quality import continuous_ranked_scores
from manue.validation.defence import defence_of

DISCARDS = np.dtype(
    [
        ("game", np.int32),
        ("round", np.int16),
        ("seat", np.int8),
        ("turn", np.int16),  # 1 for the first discard of the round
        ("shanten", np.int8),  # after the discard
        ("open", np.bool_),
        ("riichi", np.bool_),  # declared now or before
        ("declared", np.bool_),  # riichi declared with this discard
        ("threat", np.bool_),  # an opponent is in riichi
        ("mc_win_prob", np.float64),
        ("mc_win_points", np.float64),
        ("win_prob", np.float64),  # this and all other estimates are nan under the classic policy
        ("win_points", np.float64),  # without honba and the deposits there; with sticks yet to come
        ("draw_prob", np.float64),
        ("deal_in_prob", np.float64),
        ("deal_in_later_prob", np.float64),  # with a later discard of the same round
        ("expected_points", np.float64),
        ("expected_rank", np.float64),
        ("mc_range", np.float64),  # best minus worst P(win) among the discards, by the Monte Carlo draws
        ("win_range", np.float64),  # the same by the afterstate model
        ("same_best", np.bool_),  # both give the greatest P(win) to the same discard
        ("won", np.bool_),
        ("points", np.float64),  # of that win, likewise; 0 without a win
        ("crps", np.float64),  # error of the predicted distribution of the win's points; nan without a win
        ("last", np.bool_),  # the seat's last discard of the round
        ("dealt_in", np.bool_),  # with this discard: somebody declared the win
        ("dealt_in_later", np.bool_),
        ("drawn", np.bool_),
        ("delta", np.float64),  # points won or lost from here to the end of the round
        ("rank", np.float64),  # final placement
    ]
)
"""One row for each discard made."""

ESTIMATES = (
    "win_prob", "win_points", "draw_prob", "deal_in_later_prob", "expected_points", "expected_rank",
    "win_range",
)  # fmt: skip
"""What only the afterstate model predicts."""

KINDS_HELD = np.dtype(
    [
        ("game", np.int32),
        ("prob", np.float64),  # P(any opponent wins on it now)
        ("wins", np.bool_),  # whether one would win
        ("threat", np.bool_),  # an opponent is in riichi
    ]
)
"""One row for each kind held at each discard."""

OPPONENTS = np.dtype([("game", np.int32), ("tenpai", np.float64), ("is_tenpai", np.bool_)])
"""One row for each opponent not in riichi at each discard."""


class Calibration(NamedTuple):
    """Predictions and observations over some games.

    Attributes
    ----------
    discards : DISCARDS[n]
    kinds : KINDS_HELD[m]
    opponents : OPPONENTS[k]
    losses, folds : LOSSES[l], FOLDING_ROWS[n]
        As in `manue.validation.defence`.
    """

    discards: Records
    kinds: Records
    opponents: Records
    losses: Records
    folds: Records


def calibrate_log(log: Path, settings: Settings, last_round: int | None = None) -> list[Calibration | str]:
    """Collect each game of a log, or the reason why that cannot be."""
    models = Models.load(settings.models or None)
    return collect_games(log, partial(_collect, settings=settings, models=models), last_round)


def join_calibrations(parts: Sequence[Calibration]) -> Calibration:
    """Join several games."""
    return Calibration(*(np.concatenate(tables) for tables in zip(*parts, strict=True)))


def _collect(game: RecordedGame, settings: Settings, models: Models) -> Calibration:
    scenes, truths = replay(game.events, game.name, seed=0)
    made = list(_discards_made(game.events, truths, settings, models))
    rows, kinds, opponents = (np.concatenate(column) for column in zip(*made, strict=True))
    _note_last(rows)
    return Calibration(rows, kinds, opponents, *defence_of(scenes, truths, models))


def _discards_made(
    events: Sequence[Event], truths: Records, settings: Settings, models: Models
) -> Iterator[tuple[Records, Records, Records]]:
    results = round_results(events)
    at = 0
    for choice in recorded_decisions(events):
        if not isinstance(choice.chosen, Discard):
            continue
        kind, truth = KIND_OF[choice.chosen.tile], truths[at]
        if (choice.state.seat, kind) != (truth["seat"], truth["discarded"]):
            raise EventError(f"two readings of discard {at + 1} differ")
        at += 1
        discards = tuple(action for action in choice.actions if isinstance(action, Discard))
        seed = position_seed(choice.state, settings.seed)
        found = evaluate_options(choice.state, discards, seed, settings, models)
        made = index_of_discard(kind, found.options)
        classic = settings.policy == "points-classic"
        row = _row(choice, made, found, classic=classic)
        _note_truth(row, truth, results[choice.round])
        _note_points(row, choice.state, results[choice.round])
        if row["won"] and not classic:
            row["crps"] = _score_of_sizes(row, found.valued[made])
        yield (
            row,
            _kinds_held(choice.state, found.danger, truth),
            _opponents(choice.state, found.danger, truth),
        )
    if at != len(truths):
        raise EventError(f"{len(truths) - at} discards could not be matched")


def _row(choice: RecordedDecision, at: int, found: Evaluation, *, classic: bool) -> Records:
    state, options, valued = choice.state, found.options, found.valued
    row = np.zeros(1, DISCARDS)
    plain = [i for i, option in enumerate(options) if not option.declares_riichi]
    option, report = options[at], valued[at].report
    row["seat"], row["round"], row["shanten"] = state.seat, choice.round, option.shanten
    row["open"] = any(meld.is_open for meld in state.me.melds)
    row["riichi"] = state.me.riichi
    row["declared"] = isinstance(state.last_event, RiichiDeclared)
    row["threat"] = state.opponent_in_riichi
    row["mc_win_prob"], row["mc_win_points"] = option.mc_win_prob, option.mc_win_points
    row["deal_in_prob"] = report.deal_in_prob
    tried = np.array([options[i].mc_win_prob for i in plain])
    row["mc_range"] = np.ptp(tried)
    for name in (*ESTIMATES, "crps"):
        row[name] = np.nan
    if not classic:
        _note_estimates(row, state, [valued[i] for i in plain], plain.index(at), tried)
    return row


def index_of_discard(kind: Kind, options: Sequence[Option]) -> int:
    """Return the index of the option that discards the kind without declaring riichi."""
    return next(i for i, option in enumerate(options) if option.kind == kind and not option.declares_riichi)


def _note_estimates(
    row: Records, state: RoundState, valued: Sequence[ValuedOption], at: int, tried: F64
) -> None:
    """Write the predictions of the afterstate model, in which somebody may win on the discard."""
    report = valued[at].report
    passes = 1.0 - (report.deal_in_prob or 0.0)
    row["win_prob"] = report.overall_win_prob or 0.0
    row["win_points"] = (report.win_points or 0.0) - state.bonus
    row["draw_prob"] = passes * (report.draw_prob or 0.0)
    row["deal_in_later_prob"] = valued[at].endings[1].probabilities[Endings.deal_in].sum()
    row["expected_points"], row["expected_rank"] = report.expected_points, report.expected_rank
    learned = np.array([one.report.win_prob or 0.0 for one in valued])
    row["win_range"] = np.ptp(learned)
    row["same_best"] = learned[int(tried.argmax())] >= learned.max()


def _note_truth(row: Records, truth: Records, result: RoundResult) -> None:
    row["turn"] = truth["turn"] + 1
    row["won"] = truth["winner"][0] > 0
    row["dealt_in"] = truth["payer"] == 0 and row["turn"] == result.fatal_discard
    row["dealt_in_later"] = truth["payer"] == 0 and not row["dealt_in"]
    row["drawn"] = truth["ending"] >= EXHAUSTED
    row["rank"] = truth["final_rank"][0]


def _note_points(row: Records, state: RoundState, result: RoundResult) -> None:
    """Write what the rest of the round brought, counted as the predictions are."""
    row["delta"] = result.scores[state.seat] - state.scores[state.seat]
    if row["won"]:
        row["points"] = result.won_points(state)


def _score_of_sizes(row: Records, valued: ValuedOption) -> float:
    """Return the error (CRPS) of the distribution of this seat's score change, given that it wins."""
    endings = valued.endings[1]
    wins = slice(Endings.own_tsumo.start, Endings.own_ron.stop)
    probs = endings.probabilities[wins] / endings.probabilities[wins].sum()
    return float(continuous_ranked_scores(endings.points[None, wins], probs[None], row["delta"])[0])


def _kinds_held(state: RoundState, danger: Danger, truth: Records) -> Records:
    held = np.flatnonzero(state.counts)
    rows = np.zeros(len(held), KINDS_HELD)
    rows["prob"] = [danger.deal_in(kind) for kind in held.tolist()]
    rows["wins"] = (truth["win_points"][:, held] > 0).any(0)
    rows["threat"] = state.opponent_in_riichi
    return rows


def _opponents(state: RoundState, danger: Danger, truth: Records) -> Records:
    order = [i for i in (1, 2, 3) if not state.players[(state.seat + i) % 4].riichi]
    rows = np.zeros(len(order), OPPONENTS)
    rows["tenpai"] = [danger.tenpai[(state.seat + i) % 4] for i in order]
    rows["is_tenpai"] = [truth["tenpai"][i] > 0 for i in order]
    return rows


def _note_last(rows: Records) -> None:
    seen: set[tuple[int, int]] = set()
    for row in rows[::-1]:
        key = int(row["round"]), int(row["seat"])
        row["last"] = key not in seen
        seen.add(key)
