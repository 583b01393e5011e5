"""Rollouts on records: whether their worlds are as dangerous as the models say, and what they change.

Worlds are judged by the true hands at a sample of discards, for each kind held. What following the rollouts
is worth is measured in two halves of the worlds, which share no hands: the option that is best in one half is
compared with the chosen one in the other, so that luck in choosing does not count. The weights of the human
policy are judged in the same worlds: what would be chosen with more or less of it, beside what was;
declarations that the player or the people of the record make are played on from both sides
(`manue.validation.played_declarations`).
"""

import time
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from manue.agents.base import Decision
from manue.agents.manue import Manue
from manue.arrays import F64, I64, Bool, Records
from manue.as_text import counted, percent, table_head
from manue.decision.settings import position_seed
from manue.features.scene import scene_of
from manue.game.actions import Action, Discard, Pass, Riichi, Win
from manue.game.events import Event
from manue.game.state import RoundState
from manue.intervals import mean_with_interval
from manue.records.decisions import recorded_decisions
from manue.records.games import RecordedGame, collect_games
from manue.rollouts.hands import put_hand, winning_kinds
from manue.rollouts.player import RolloutManue, close_options
from manue.rollouts.snapshot import snapshot_of
from manue.rollouts.worlds import draw_worlds
from manue.sim.codes import TILE_NUMBER
from manue.sim.kit import new_kit
from manue.training.quality import log_loss
from manue.validation.played_declarations import declarations_table, played_declarations

SAMPLED_KINDS = {"riichi": 4, "call or pass": 8, "discard, an opponent in riichi": 8, "other discards": 40}
"""Kinds of decisions; one in this many of each is played on, if options are close."""
FACTORS = (0.0, 0.5, 2.0)
"""Shares of the weights of the human policy (`manue.decision.tie_break`), compared with the whole."""
WORLDS_EVERY = 20
"""One discard in this many has its worlds judged."""
_SEED = 17
"""Seed of the sample."""

DANGERS = np.dtype(
    [
        ("game", np.int32),
        ("prob", np.float64),  # P(any opponent wins on the kind), by the danger model
        ("share", np.float64),  # share of the worlds in which one does
        ("wins", np.bool_),  # whether one would have
        ("threat", np.bool_),  # an opponent is in riichi
    ]
)
"""One row for each kind held at a sampled discard."""

PLAYED = np.dtype(
    [
        ("game", np.int32),
        ("kind", np.int8),  # of `SAMPLED_KINDS`
        ("options", np.int8),  # how many were close; below 2 nothing was played on
        ("better", np.bool_),  # an option is better than the chosen one beyond its interval
        ("confirmed", np.bool_),  # all others are worse beyond theirs
        ("error", np.float64),  # half the interval of the option that did best
        ("points", np.float64),  # gained by following one half of the worlds in the other
        ("seconds", np.float64),  # of CPU time, for the options that other weights would choose as well
        ("differs", np.bool_, (len(FACTORS),)),  # another option comes first
        ("weighed", np.float64, (len(FACTORS),)),  # points that it gains over the chosen one
    ]
)
"""One row for each sampled decision."""


class RolloutTables(NamedTuple):
    """What rollouts say about some games.

    Attributes
    ----------
    dangers : DANGERS[n]
    played : PLAYED[m]
    declared : DECLARED[k]
        Of `manue.validation.played_declarations`.
    """

    dangers: Records
    played: Records
    declared: Records


def rollouts_of_log(log: Path, worlds: int, last_round: int | None = None) -> list[RolloutTables | str]:
    """Return the tables of each game of a log, or the reason why it could not be used."""
    return collect_games(log, partial(_tables, player=_player(worlds)), last_round)


@cache
def _player(worlds: int) -> RolloutManue:
    return RolloutManue(Manue(), worlds)


def _tables(game: RecordedGame, player: RolloutManue) -> RolloutTables:
    dangers, played = _collect(game.events, player)
    return RolloutTables(dangers, played, played_declarations(game.events, player))


def join_rollouts(games: Sequence[RolloutTables]) -> RolloutTables:
    """Join the tables of several games."""
    return RolloutTables(*(np.concatenate(part) for part in zip(*games, strict=True)))


def _collect(events: Sequence[Event], player: RolloutManue) -> tuple[Records, Records]:
    dangers, played = [np.zeros(0, DANGERS)], [np.zeros(0, PLAYED)]
    for made in recorded_decisions(events):
        state, actions = made.state, made.actions
        if len(actions) < 2:
            continue
        at = position_seed(state, _SEED)
        if at % WORLDS_EVERY == 0 and any(isinstance(action, Discard) for action in actions):
            dangers.append(_dangers(player, state, actions, made.states))
        kind = _kind(state, actions)
        if at % list(SAMPLED_KINDS.values())[kind] == 1:
            played.append(_played(player, state, actions, kind))
    return np.concatenate(dangers), np.concatenate(played)


def _dangers(
    player: RolloutManue, state: RoundState, actions: tuple[Action, ...], states: Sequence[RoundState]
) -> Records:
    """Compare the danger of the kinds held with that in worlds, and with the true hands."""
    snapshot, kit = snapshot_of(state, actions), new_kit(state.rules)
    if snapshot is None:
        return np.zeros(0, DANGERS)
    danger = player.manue.models.dangers.read(scene_of(state), state.seat)
    drawn = draw_worlds(snapshot, state, danger, player.worlds, position_seed(state, 0), kit)
    t, wins = snapshot.tables[0], 0
    for seat in snapshot.opponents:
        tiles = np.bincount([TILE_NUMBER[tile] for tile in states[seat].hand], minlength=len(TILE_NUMBER))
        put_hand(t, seat, tiles.astype(np.int8), kit["tables"])
        wins |= winning_kinds(t, seat, kit)
    held = np.flatnonzero(state.counts)
    rows = np.zeros(len(held), DANGERS)
    rows["prob"], rows["share"] = danger.any_deal_in[held], drawn.any_wins()[held]
    rows["wins"] = [wins >> kind & 1 for kind in held.tolist()]
    rows["threat"] = state.opponent_in_riichi
    return rows


def _played(player: RolloutManue, state: RoundState, actions: tuple[Action, ...], kind: int) -> Records:
    """Play a decision on, if options are close or other weights would choose another."""
    decision = player.manue.decide(state, actions)
    close, others = close_options(decision), chosen_by_weights(decision)
    options = list(dict.fromkeys([*(close or [0]), *others]))
    started = time.process_time()
    played = player.play(decision, state, actions, options) if len(options) > 1 else None
    row = np.zeros(1, PLAYED)
    row["kind"] = kind
    if played is not None:
        worth = played.worth.mean(axis=0)
        row["differs"] = [other != 0 for other in others]
        row["weighed"] = [worth[options.index(other)] - worth[0] for other in others]
        row["seconds"] = time.process_time() - started
    if played is not None and close:
        rollouts = played.rollouts()[1 : len(close)]
        best = max(rollouts, key=lambda one: one.gain - one.error)
        row["options"] = len(close)
        row["better"] = best.gain > best.error
        row["confirmed"] = all(one.gain + one.error < 0 for one in rollouts)
        row["error"] = best.error
        row["points"] = gain_in_other_half(played.worth[:, : len(close)], played.drawn)
    return row


def chosen_by_weights(decision: Decision) -> list[int]:
    """Return the option that would come first with each of `FACTORS` of the human policy; 0 was chosen."""
    if not decision.worths or isinstance(decision.action, Win):
        return [0] * len(FACTORS)
    parts = [
        (-np.inf, 0.0)
        if worth is None or isinstance(report.action, Win)
        else (worth.value - worth.habit, worth.habit)
        for report, worth in zip(decision.reports, decision.worths, strict=True)
    ]
    values, habits = np.array(parts).T
    return [int(np.argmax(values + share * habits)) for share in FACTORS]


def gain_in_other_half(worth: F64, drawn: I64) -> float:
    """Return the points gained by taking what is best in one half of the worlds, measured in the other.

    Worlds with the same hands are in the same half: what is best against hands in one of them tends to be
    so in the others.

    Parameters
    ----------
    worth : float64[worlds, options]
        The chosen option first.
    drawn : int64[worlds]
        Which hands the others had, as in `manue.rollouts.comparison.Played`.
    """
    first = _half_of(drawn)
    parts: list[F64] = [worth[first].mean(axis=0), worth[~first].mean(axis=0)]
    gains = [
        float(measured[int(np.argmax(chosen))] - measured[0]) for chosen, measured in (parts, parts[::-1])
    ]
    return sum(gains) / 2


def _half_of(drawn: I64) -> Bool:
    """Return which worlds are in the first half, none with hands of the other unless all are alike."""
    middle = np.median(drawn)
    if drawn.min() == drawn.max():
        return np.asarray(np.arange(len(drawn)) < len(drawn) // 2)
    return np.asarray(drawn < middle if drawn.min() < middle else drawn <= middle)


def _kind(state: RoundState, actions: Sequence[Action]) -> int:
    """Return the number of the kind of a decision."""
    if any(isinstance(action, Riichi) for action in actions):
        return 0
    if any(isinstance(action, Pass) for action in actions):
        return 1
    return 2 if state.opponent_in_riichi else 3


_DANGER_TITLES = (
    "kinds held", "n", "deal-in", "by the model", "in the worlds", "log loss: model", "worlds",
    "worlds / model",
)  # fmt: skip
_PLAYED_TITLES = (
    "decision", "n", "close, played on", "another better", "chosen confirmed", "nothing said", "interval",
    "points gained by following, a decision played on", "CPU seconds",
)  # fmt: skip
_WEIGHED_TITLES = (
    "decision", "weights of the human policy", "n", "another choice", "points gained by it, a decision",
)  # fmt: skip


def rollout_tables(found: RolloutTables, games: int, worlds: int) -> str:
    """Return the tables as Markdown."""
    dangers, played = found.dangers, found.played
    lines = [f"{counted(games, 'game')}, {counted(worlds, 'world')}", "", *table_head(_DANGER_TITLES)]
    for name, rows in (
        ("all", dangers),
        ("an opponent in riichi", dangers[dangers["threat"]]),
        ("no riichi", dangers[~dangers["threat"]]),
    ):
        if len(rows):
            lines.append(_danger_line(name, rows, worlds))
    lines += ["", *table_head(_PLAYED_TITLES)]
    for number, name in enumerate(SAMPLED_KINDS):
        rows = played[played["kind"] == number]
        if len(rows):
            lines.append(_played_line(name, rows))
    lines += ["", *table_head(_WEIGHED_TITLES)]
    for number, name in enumerate(SAMPLED_KINDS):
        rows = played[played["kind"] == number]
        if len(rows):
            lines += [_weighed_line(name, rows, column) for column in range(len(FACTORS))]
    lines += ["", *declarations_table(found.declared)]
    return "\n".join(lines)


def _danger_line(name: str, rows: Records, worlds: int) -> str:
    least = 0.5 / worlds
    losses = [log_loss(np.clip(rows[column], least, 1 - least), rows["wins"]) for column in ("prob", "share")]
    means = " | ".join(f"{rows[column].mean():.4f}" for column in ("wins", "prob", "share"))
    compared = f"{losses[0]:.5f} | {losses[1]:.5f} | {losses[1] / losses[0]:.4f}"
    return f"| {name} | {len(rows):,} | {means} | {compared} |"


def _played_line(name: str, rows: Records) -> str:
    done = rows[rows["options"] > 1]
    if not len(done):
        return f"| {name} | {len(rows):,} | 0 | | | | | | |"
    unclear = ~(done["better"] | done["confirmed"])
    shares = " | ".join(
        f"{part.sum()} ({percent(part.mean(), 0)})" for part in (done["better"], done["confirmed"], unclear)
    )
    gain = mean_with_interval(done["points"], done["game"])
    return (
        f"| {name} | {len(rows):,} | {len(done)} | {shares} | ± {done['error'].mean():.0f} "
        f"| {gain} | {done['seconds'].mean():.1f} |"
    )


def _weighed_line(name: str, rows: Records, column: int) -> str:
    gains, differs = rows["weighed"][:, column], rows["differs"][:, column]
    return (
        f"| {name} | x {FACTORS[column]:g} | {len(rows):,} | {differs.sum()} ({percent(differs.mean(), 0)}) "
        f"| {mean_with_interval(gains, rows['game'], 1)} |"
    )
