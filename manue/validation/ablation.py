"""The Monte Carlo draws with each of their corrections removed in turn, at discards really made."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from manue.arrays import Records
from manue.decision.evaluation import evaluate_options
from manue.decision.options import DrawSettings, options_of
from manue.decision.settings import Settings, position_seed
from manue.draws.win import WinStatistics
from manue.features.scene import scene_of
from manue.game.actions import Action, Discard
from manue.game.events import Event, RiichiAccepted, RoundStart, Won
from manue.game.state import RoundState
from manue.models.model_set import Models
from manue.records.decisions import RecordedDecision, recorded_decisions
from manue.records.games import RecordedGame, collect_games
from manue.records.results import round_results
from manue.rules import HONBA, STICK
from manue.tiles import KIND_OF
from manue.validation.calibration import index_of_discard

EVERY = 10
"""One discard in this many is evaluated: those of one round are nearly the same."""
AS_IN_PLAY = "Monte Carlo draws as in play"
LEARNED = "Monte Carlo draws and afterstate model"

TRIED = np.dtype(
    [
        ("game", np.int32),
        ("round", np.int16),
        ("seat", np.int8),
        ("riichi", np.bool_),  # declared now or before
        ("won", np.bool_),
        # of that win, without honba and deposits; with sticks paid later for the afterstate model, which
        # predicts them, and without for the draws; nan if unknown
        ("points", np.float64),
        ("prob", np.float64),  # predicted P(win)
        ("win_points", np.float64),  # predicted mean points of a win
    ]
)
"""One row for each discard evaluated."""


Ablation = dict[str, Records]
"""What each version of the draws, the one in play first, predicted for the same discards: TRIED[n]."""


def versions(in_play: DrawSettings) -> dict[str, DrawSettings]:
    """Return the settings of the draws as in play, without each correction, and without all of them."""
    learned = in_play.win_statistics
    return {
        AS_IN_PLAY: in_play,
        "no exchange beyond the fewest": replace(in_play, extra=0),
        "two exchanges beyond the fewest": replace(in_play, extra=2),
        "every draw of the wall comes": replace(in_play, win_statistics=replace(learned, survival=1.0)),
        "every win a self-draw": replace(in_play, win_statistics=replace(learned, tsumo_share=(1.0, 1.0))),
        "no han from ippatsu and ura-dora": replace(
            in_play, win_statistics=replace(learned, riichi_han=(1.0,), ura_han=(1.0,))
        ),
        "a hand in riichi may change": replace(in_play, locked=False),
        "none of the corrections": replace(in_play, win_statistics=WinStatistics(), locked=False),
    }


def ablate_log(log: Path, settings: Settings, last_round: int | None = None) -> list[Ablation | str]:
    """Evaluate each game of a log, or the reason why that cannot be."""
    return collect_games(log, partial(_collect, settings=settings), last_round)


def join_ablations(parts: Sequence[Ablation]) -> Ablation:
    """Join the rows of several games."""
    used = [part for part in parts if part]
    names = used[0] if used else (AS_IN_PLAY, LEARNED)
    return {name: np.concatenate([np.zeros(0, TRIED), *(part[name] for part in used)]) for name in names}


def _collect(game: RecordedGame, settings: Settings) -> Ablation:
    points, results = _points_of_wins(game.events), round_results(game.events)
    rows: dict[str, list[Records]] = {}
    for choice, discard in _sampled(game.events):
        state = choice.state
        facts = np.zeros(1, TRIED)
        facts["round"], facts["seat"], facts["riichi"] = choice.round, state.seat, state.me.riichi
        won = (choice.round, state.seat) in points
        facts["won"], facts["points"] = won, points.get((choice.round, state.seat), 0.0)
        for name, (prob, mean) in _predictions(state, discard, choice.actions, settings).items():
            row = facts.copy()
            row["prob"], row["win_points"] = prob, mean
            if name == LEARNED and won and not np.isnan(row["points"][0]):
                row["points"] = results[choice.round].won_points(state)
            rows.setdefault(name, []).append(row)
    return {name: np.concatenate(parts) for name, parts in rows.items()}


def _sampled(events: Sequence[Event]) -> Iterator[tuple[RecordedDecision, Discard]]:
    """Yield one in `EVERY` of the decisions in which a tile was discarded, with the discard."""
    made = recorded_decisions(events)
    discards = ((choice, choice.chosen) for choice in made if isinstance(choice.chosen, Discard))
    yield from islice(discards, 0, None, EVERY)


def _predictions(
    state: RoundState, chosen: Discard, actions: Sequence[Action], settings: Settings
) -> dict[str, tuple[float, float]]:
    """Return P(win) and mean points for the discard made, by every version and by the afterstate model."""
    scene, seed, kind = scene_of(state), position_seed(state, settings.seed), KIND_OF[chosen.tile]
    models = Models.load(settings.models or None)
    win_statistics = models.afterstate.win_statistics
    predicted = {}
    in_play = DrawSettings(seed, settings.mc_draws, settings.extra, win_statistics)
    for name, version in versions(in_play).items():
        options = list(options_of(state, scene, (chosen,), version))
        option = options[index_of_discard(kind, options)]
        predicted[name] = option.mc_win_prob, option.mc_win_points
    discards = tuple(action for action in actions if isinstance(action, Discard))
    found = evaluate_options(state, discards, seed, settings, models)
    report = found.valued[index_of_discard(kind, found.options)].report
    predicted[LEARNED] = report.overall_win_prob or 0.0, (report.win_points or 0.0) - state.bonus
    return predicted


def _points_of_wins(events: Sequence[Event]) -> dict[tuple[int, int], float]:
    """Return the points of every win by round and seat, without honba and deposits; nan if unknown."""
    points: dict[tuple[int, int], float] = {}
    index, honba, deposits = -1, 0, 0
    for event in events:
        match event:
            case RoundStart():
                index, honba, deposits = index + 1, event.honba, event.deposits
            case RiichiAccepted():
                deposits += 1
            case Won(deltas=deltas):
                if event.points is not None:
                    points[index, event.actor] = event.points
                else:
                    points[index, event.actor] = (
                        math.nan if deltas is None else deltas[event.actor] - HONBA * honba - STICK * deposits
                    )
                honba = deposits = 0  # a second winner of the same tile gets neither
    return points
