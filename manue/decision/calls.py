"""The offers of a decision (riichi, calls, kans), and how readily strong players take them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from manue.arrays import F32
from manue.decision.values import Valued
from manue.features.scene import Scenes
from manue.game.actions import Action, Call, Riichi
from manue.models.call_policy import SORTS, Weighed, offer_row, offers_model
from manue.tiles import KIND_OF, Kind

_SUREST = 7.0
"""Log-odds beyond which nothing was learned."""


class Offer(NamedTuple):
    """One sort of action that may be taken or left.

    Attributes
    ----------
    sort : str
        One of ``manue.models.call_policy.SORTS``.
    members : tuple of int
        Numbers of the options that take it.
    row : float32[n]
        ``offer_row``.
    """

    sort: str
    members: tuple[int, ...]
    row: F32


def sort_of(action: Action) -> str:
    """Return the sort of offer that an action takes, "" if it takes none."""
    match action:
        case Riichi():
            return "riichi"
        case Call(kind=kind):
            return kind
    return ""


def offers_among(scene: Scenes, valued: Sequence[Valued]) -> list[Offer]:
    """Find the offers of a decision, each beside the best option that takes none.

    Parameters
    ----------
    scene : SCENE[1]
    valued : sequence of Valued
        All options under ``points`` or ``placement``.
    """
    members: dict[str, list[int]] = {}
    for i, one in enumerate(valued):
        if one.after is not None:
            members.setdefault(sort_of(one.report.action), []).append(i)
    left = members.pop("", [])
    if not left:
        return []
    without = _weighed(valued[_best(valued, left)])
    offers = []
    for sort in SORTS:
        if sort in members:
            best = valued[_best(valued, members[sort])]
            row = offer_row(scene, sort, _kind_of(best.report.action), _weighed(best), without)
            offers.append(Offer(sort, tuple(members[sort]), row))
    return offers


def with_offers(scene: Scenes, valued: Sequence[Valued], *, levels: bool = True) -> list[Valued]:
    """Return the options with how readily strong players take each offer.

    Parameters
    ----------
    scene : SCENE[1]
    valued : sequence of Valued
    levels : bool
        Count the odds from the level of the sort, else from even.
    """
    told = list(valued)
    offers = offers_among(scene, valued)
    if not offers:
        return told
    model = offers_model()
    odds = np.clip(model.odds(np.stack([offer.row for offer in offers])), -_SUREST, _SUREST)
    for offer, log_odds in zip(offers, odds.tolist(), strict=True):
        beyond = log_odds - model.levels[SORTS.index(offer.sort)] * levels
        for i in offer.members:
            one = told[i]
            told[i] = replace(
                one,
                offered=beyond,
                report=replace(one.report, played_prob=1.0 / (1.0 + np.exp(-log_odds))),
            )
    return told


def _best(valued: Sequence[Valued], members: Sequence[int]) -> int:
    return max(members, key=lambda i: valued[i].report.expected_points or 0.0)


def _weighed(one: Valued) -> Weighed:
    report = one.report
    assert one.after is not None  # noqa: S101  options without are no offers
    return Weighed(
        one.after,
        report.expected_points or 0.0,
        report.win_prob or 0.0,
        report.win_points or 0.0,
        report.deal_in_prob or 0.0,
    )


def _kind_of(action: Action) -> Kind:
    return KIND_OF[action.tile or action.consumed[0]] if isinstance(action, Call) else -1
