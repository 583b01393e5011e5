"""Real decisions as the player would have rated them at that moment, and what followed in the round.

A row is a hand that a decision left: after a discard that passed, after a pass, after a kan. A call leads to
its discard, which is a row of its own.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from manue.arrays import F32, F64, I8, I64, Bool, Records
from manue.decision.afterstates import afterstates_of, discards_by_hand
from manue.decision.basis import unless_won
from manue.decision.human_policy import discard_shares, log_preferences
from manue.decision.options import DrawSettings, options_of
from manue.decision.outcomes import opponent_facts
from manue.decision.settings import position_seed
from manue.draws.win import WinStatistics
from manue.features.afterstate import COLUMNS
from manue.features.scene import scene_of
from manue.game.actions import Action, Call, Discard, Pass
from manue.game.events import RiichiDeclared
from manue.models.afterstate import OPPONENT_FACTS, best_by_draws, preferred_by
from manue.models.danger import DangerReader
from manue.models.discard_policy import DiscardPolicy
from manue.records.decisions import RecordedDecision, recorded_decisions
from manue.records.games import RecordedGame, collect_games
from manue.records.results import RoundResult, round_results
from manue.rules import HONBA, STICK
from manue.tiles import KIND_OF
from manue.training.dataset import SEQUENCES_OF_GAME, game_of, is_validation
from manue.training.framework import Run
from manue.workers import WorkerPool

ROWS = 170_000
"""Approximate number of discards of the data; further games are sampled as densely."""
VALIDATION_WEIGHT = 2.0
"""How much more densely the few validation games are sampled, because calibration needs many rows."""
MC_DRAWS = 1000
WIN, DEAL_IN_LATER, DRAWN, OTHER_TSUMO, OTHER_RON = range(5)

SAMPLE = np.dtype(
    [
        ("x", np.float32, (len(COLUMNS),)),
        ("best", np.float32, (len(COLUMNS),)),
        ("preference", np.float64),
        ("ending", np.int8),
        ("points", np.float64),
        ("paid", np.float64),
        ("stick", np.bool_),
        ("tenpai", np.bool_, (4,)),
        ("exhausted", np.bool_),
        ("winner", np.int8),
        ("opponents", np.float64, (3, len(OPPONENT_FACTS))),
        ("weight", np.float64),
        ("validation", np.bool_),
        ("group", np.int64),
        ("kan", np.bool_),
        ("even", np.float64),
    ]
)
"""A row while it is gathered; its fields are explained at `AfterstateSample`, which holds them one by one."""


class RatingModels(NamedTuple):
    """What hands are rated with before anything of what follows has been learned."""

    dangers: DangerReader
    win_statistics: WinStatistics
    discard_policy: DiscardPolicy


@dataclass(frozen=True, slots=True)
class AfterstateSample:
    """Hands that decisions left; nobody won on their discards.

    Parameters
    ----------
    x : float32[n, len(COLUMNS)]
        Features of the hand left.
    best : float32[n, len(COLUMNS)]
        The same for the discard that was best by the Monte Carlo draws under the same plan.
    preference : float64[n]
        How far strong players prefer the discard that was made to that one
        (``manue.models.afterstate.preferred_by``); 0 with riichi, a pass or a kan.
    ending : int8[n]
        ``WIN``, ``DEAL_IN_LATER``, ``DRAWN``, ``OTHER_TSUMO``, ``OTHER_RON``.
    points : float64[n]
        What this seat's win brought, without the honba and the deposits that were there at the decision and
        without the seat's own stick; 0 without a win.
    paid : float64[n]
        What this seat paid to an opponent's win, without honba and own stick; 0 if nothing.
    stick : bool[n]
        Whether it paid for riichi after this decision.
    tenpai : bool[n, 4]
        Tenpai at an exhaustive draw, this seat first.
    exhausted : bool[n]
        Whether the round ended in an exhaustive draw.
    winner : int8[n]
        The opponent who won, 0..2; -1 if none.
    opponents : float64[n, 3, len(OPPONENT_FACTS)]
        ``manue.models.afterstate.OPPONENT_FACTS``.
    weight : float64[n]
        How many decisions of the games the row stands for.
    validation : bool[n]
        Whether the row comes from a validation game.
    group : int64[n]
        Rows of the same round and seat share a number.
    kan : bool[n]
        Whether the decision was a kan.
    even : float64[n]
        Probability of keeping the row that makes the rows of validation games as dense as the others.
    """

    x: F32
    best: F32
    preference: F64
    ending: I8
    points: F64
    paid: F64
    stick: Bool
    tenpai: Bool
    exhausted: Bool
    winner: I8
    opponents: F64
    weight: F64
    validation: Bool
    group: I64
    kan: Bool
    even: F64

    @classmethod
    def of(cls, parts: Sequence[Records]) -> "AfterstateSample":
        """Join parts of the rows: SAMPLE[n] each."""
        return cls(*(np.concatenate([part[name] for part in parts]) for name in cls.__slots__))

    @property
    def game(self) -> I64:
        """The number of each row's game: int64[n]."""
        return game_of(self.group)

    def part(self, mask: Bool) -> "AfterstateSample":
        """Return some of the rows: where bool[n] is set."""
        return AfterstateSample(*(getattr(self, name)[mask] for name in self.__slots__))


def joined(parts: Sequence[AfterstateSample]) -> AfterstateSample:
    """Return the rows of all parts, whose numbers of groups are counted on."""
    names = AfterstateSample.__slots__
    rows = AfterstateSample(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))
    games = [int(part.game.max(initial=-1)) + 1 for part in parts]
    before = np.repeat(np.cumsum([0, *games[:-1]]), [len(part.x) for part in parts])
    return replace(rows, group=rows.group + before * SEQUENCES_OF_GAME)


def sample_decisions(run: Run, growth_by_indicator: float) -> AfterstateSample:
    """Sample decisions evenly over all games, validation games more densely.

    Every discard that declares riichi, every pass and every kan is included.

    Parameters
    ----------
    run : Run
    growth_by_indicator : float
        As `manue.models.danger.DangerReader` has it.
    """
    dangers = replace(run.dangers(), growth_by_indicator=growth_by_indicator)
    rate = partial(
        _rows_of_log,
        seed=run.seed,
        discards=min(1.0, ROWS / max(sum(run.data.decisions), 1)),
        models=RatingModels(dangers, run.win_statistics(), DiscardPolicy.of(run.trained["discard_policy"])),
    )
    logs = run.logs()
    with WorkerPool(run.workers) as pool:
        found = run.counted("afterstate: decisions", pool.map(rate, logs, chunksize=4), len(logs))
        parts = [part for of_log in found for part in of_log]
    rows = AfterstateSample.of(parts)
    games_before = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return replace(rows, group=games_before * SEQUENCES_OF_GAME + rows.group)


class _Sampling(NamedTuple):
    """How the decisions of a log are sampled.

    Attributes
    ----------
    rng : numpy.random.Generator
    discards : float
        Share used of training games.
    validation : bool
    """

    rng: np.random.Generator
    discards: float
    validation: bool


def _rows_of_log(log: Path, seed: int, discards: float, models: RatingModels) -> list[Records]:
    """Rate sampled decisions of each game, SAMPLE[n]; the extraction reports games of no use."""
    draw = _Sampling(
        np.random.default_rng([seed, zlib.crc32(log.name.encode())]),
        discards,
        is_validation(log.name),
    )
    found = collect_games(log, partial(_rows_of_game, draw=draw, models=models))
    return [rows for rows in found if not isinstance(rows, str)]


def _rows_of_game(game: RecordedGame, draw: _Sampling, models: RatingModels) -> Records:
    more = VALIDATION_WEIGHT if draw.validation else 1.0
    results = round_results(game.events)
    rows = [np.zeros(0, SAMPLE)]
    for recorded in recorded_decisions(game.events):
        made = replace(recorded, state=unless_won(recorded.state))
        plain = _density(made, draw.discards)
        density = _density(made, min(draw.discards * more, 1.0))
        if draw.rng.random() < density and not _dealt_in(made, results[made.round]):
            row = np.zeros(1, SAMPLE)
            row["weight"], row["even"] = 1.0 / density, plain / density
            row["validation"] = draw.validation
            row["group"] = 4 * made.round + made.state.seat
            row["kan"] = isinstance(made.chosen, Call) and made.chosen.is_kan
            _note_option(row, rate_option(made, models))
            _note_result(row, made, results[made.round])
            rows.append(row)
    return np.concatenate(rows)


def _density(made: RecordedDecision, discards: float) -> float:
    """Return the share of decisions like this one that are used."""
    match made.chosen:
        case Discard():
            return 1.0 if isinstance(made.state.last_event, RiichiDeclared) else discards
        case Pass() | Call(is_kan=True):
            return 1.0
    return 0.0


def _dealt_in(made: RecordedDecision, result: RoundResult) -> bool:
    state = made.state
    discard = isinstance(made.chosen, Discard) and len(state.me.river) + 1 == result.fatal_discard
    return discard and result.payer == state.seat


class RatedOption(NamedTuple):
    """What was done in a decision, as play rates it.

    Attributes
    ----------
    left, best : float32[len(COLUMNS)]
        Features of the hand left, and of the hand that the best discard by the Monte Carlo draws under the
        same plan would have left.
    preference : float
        As in `AfterstateSample`.
    facts : float64[3, len(OPPONENT_FACTS)]
        As in `AfterstateSample.opponents`; they are added up to the sizes that the endings have.
    """

    left: F32
    best: F32
    preference: float
    facts: F64


def rate_option(made: RecordedDecision, models: RatingModels) -> RatedOption:
    """Rate what was done the way play does: options, their afterstates, their features."""
    state, chosen = made.state, made.chosen
    assert chosen is not None  # noqa: S101  the caller has chosen it by what was done
    scene = scene_of(state)
    danger = models.dangers.read(scene, state.seat)
    draws = DrawSettings(position_seed(state, 0), MC_DRAWS, 1, models.win_statistics)
    options = list(options_of(state, scene, _alternatives(made), draws))
    after = afterstates_of(scene, options, danger, state.seat, models.win_statistics.discard_rates)
    number = 0
    if isinstance(chosen, Discard):
        number = [option.kind for option in options].index(KIND_OF[chosen.tile])
    best = int(best_by_draws(after.rows, after.groups)[number])
    shares = discard_shares(discards_by_hand(scene, options, after, danger), models.discard_policy)
    preference = log_preferences(shares, len(options))
    ahead = float(preferred_by(preference[number : number + 1], preference[best : best + 1])[0])
    return RatedOption(after.rows[number], after.rows[best], ahead, opponent_facts(state, danger))


def _alternatives(made: RecordedDecision) -> tuple[Action, ...]:
    """Return the options that what was done is compared with by the Monte Carlo draws."""
    if isinstance(made.chosen, Discard):
        return tuple(action for action in made.actions if isinstance(action, Discard))
    assert made.chosen is not None  # noqa: S101  as above
    return (made.chosen,)


def _note_option(row: Records, rated: RatedOption) -> None:
    row["x"], row["best"], row["preference"] = rated.left, rated.best, rated.preference
    row["opponents"] = rated.facts


def _note_result(row: Records, made: RecordedDecision, result: RoundResult) -> None:
    """Write what followed in the round."""
    state, seat = made.state, made.state.seat
    stick = result.sticks[seat] and not state.me.riichi_accepted
    change = result.scores[seat] - state.scores[seat]
    others = [i for i in range(3) if (seat + i + 1) % 4 in result.winners]
    ending, points, paid = OTHER_RON, 0.0, 0.0
    if seat in result.winners:
        ending, points = WIN, float(result.won_points(state))
    elif not result.winners:
        ending = DRAWN
    elif result.payer == seat:
        ending, paid = DEAL_IN_LATER, -change - STICK * stick - HONBA * state.honba
    elif result.payer is None:
        ending, paid = OTHER_TSUMO, -change - STICK * stick - HONBA // 3 * state.honba
    row["ending"], row["points"], row["paid"], row["stick"] = ending, points, paid, stick
    row["tenpai"] = [result.tenpai[(seat + i) % 4] for i in range(4)]
    row["exhausted"] = result.exhausted
    row["winner"] = others[0] if others and ending != WIN else -1
