"""What strong players lose by their decisions: the distribution that a review rates a player against."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from manue.agents.base import Agent
from manue.agents.registry import make_agent
from manue.arrays import F64
from manue.as_text import counted, percent
from manue.records.games import RecordedGame, collect_games
from manue.review.annotate import annotate
from manue.review.page import page_data
from manue.review.summary import MIN_DECISIONS, agrees, judged, points_lost

QUANTILES = {"inaccuracy": 0.90, "mistake": 0.97, "blunder": 0.99}
"""Share of strong players' decisions that lose less than a mistake of this weight."""


class SeatLosses(NamedTuple):
    """The points lost by each decision of a seat in a game, and its agreement."""

    losses: list[float]
    agreement: float


@cache
def _judge() -> Agent:
    return make_agent("manue")


def losses_of_log(log: Path, last_round: int | None) -> list[list[SeatLosses] | str]:
    """Return what the seats of each game of a log lost, or the reason why it could not be used."""
    return collect_games(log, _losses_of_game, last_round)


def _losses_of_game(game: RecordedGame) -> list[SeatLosses]:
    entries = annotate(game.entries, _judge(), source=game.source)
    data = page_data(entries, source=game.source, title="")
    return [seat for seat in map(_seat_losses, data["decisions"]) if seat is not None]


def _seat_losses(decisions: list[dict[str, Any]]) -> SeatLosses | None:
    kept = judged(decisions)
    losses = [lost for decision in kept if (lost := points_lost(decision)) is not None]
    if len(losses) < MIN_DECISIONS:
        return None
    return SeatLosses(losses, sum(map(agrees, kept)) / len(kept))


def distribution_of(seats: Sequence[SeatLosses], games: int) -> dict[str, Any]:
    """Return the distribution as data.

    Returns
    -------
    dict
        ``games``, ``seats``, ``decisions`` (their numbers); ``lost`` and ``agreement``: 101 values, the
        quantiles 0 %, 1 % .. 100 % over seats of the mean points lost per decision and of the agreement;
        ``weights``: the points from which on a loss has each weight.
    """
    every = np.concatenate([np.array(seat.losses) for seat in seats])
    return {
        "games": games,
        "seats": len(seats),
        "decisions": len(every),
        "lost": _quantiles(np.array([np.mean(seat.losses) for seat in seats]), 1),
        "agreement": _quantiles(np.array([seat.agreement for seat in seats]), 4),
        "weights": {name: round(float(np.quantile(every, share))) for name, share in QUANTILES.items()},
    }


def _quantiles(values: F64, decimals: int) -> list[float]:
    return [round(float(value), decimals) for value in np.quantile(values, np.linspace(0, 1, 101))]


def losses_table(found: dict[str, Any]) -> str:
    """Return the distribution as Markdown."""
    counts = ", ".join(counted(found[f"{noun}s"], noun) for noun in ("game", "seat", "decision"))
    lines = [
        counts,
        "",
        "| better than | points lost per decision | agreement |",
        "|---|---|---|",
    ]
    for share in (95, 75, 50, 25, 5):
        lost, agreement = found["lost"][100 - share], found["agreement"][share]
        lines.append(f"| {share} % | {lost:.1f} | {percent(agreement)} |")
    weights = ", ".join(f"{name} from {points}" for name, points in found["weights"].items())
    return "\n".join([*lines, "", f"Points lost by one decision: {weights}."])
