"""The declarations of a decision (riichi, calls, kans), and how readily strong players take them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from manue.arrays import F32
from manue.decision.values import ValuedOption
from manue.features.scene import Scenes
from manue.game.actions import Action, Call, Riichi
from manue.models.call_policy import DECLARATIONS, Alternative, call_policy_model, call_policy_row
from manue.tiles import KIND_OF, Kind

_SUREST = 7.0
"""Log-odds beyond which nothing was learned."""


class Declaration(NamedTuple):
    """One kind of action that may be taken or left.

    Attributes
    ----------
    kind : str
        One of ``manue.models.call_policy.DECLARATIONS``.
    members : tuple of int
        Numbers of the options that take it.
    row : float32[n]
        ``call_policy_row``.
    """

    declaration: str
    members: tuple[int, ...]
    row: F32


def declaration_of(action: Action) -> str:
    """Return the kind of declaration that an action takes, "" if it takes none."""
    match action:
        case Riichi():
            return "riichi"
        case Call(kind=kind):
            return kind
    return ""


def declarations_of(scene: Scenes, valued: Sequence[ValuedOption]) -> list[Declaration]:
    """Find the declarations of a decision, each beside the best option that takes none.

    Parameters
    ----------
    scene : SCENE[1]
    valued : sequence of ValuedOption
        All options under ``points`` or ``placement``.
    """
    members: dict[str, list[int]] = {}
    for i, one in enumerate(valued):
        if one.after is not None:
            members.setdefault(declaration_of(one.report.action), []).append(i)
    left = members.pop("", [])
    if not left:
        return []
    without = _alternative(valued[_best(valued, left)])
    declarations = []
    for declaration in DECLARATIONS:
        if declaration in members:
            best = valued[_best(valued, members[declaration])]
            row = call_policy_row(
                scene, declaration, _kind_of(best.report.action), _alternative(best), without
            )
            declarations.append(Declaration(declaration, tuple(members[declaration]), row))
    return declarations


def with_call_policy(
    scene: Scenes, valued: Sequence[ValuedOption], *, thresholds: bool = True
) -> list[ValuedOption]:
    """Return the options with how readily strong players take each declaration.

    Parameters
    ----------
    scene : SCENE[1]
    valued : sequence of ValuedOption
    thresholds : bool
        Count the odds from the threshold of the kind, else from even.
    """
    told = list(valued)
    declarations = declarations_of(scene, valued)
    if not declarations:
        return told
    model = call_policy_model()
    odds = np.clip(
        model.odds(np.stack([declaration_.row for declaration_ in declarations])), -_SUREST, _SUREST
    )
    for declaration_, log_odds in zip(declarations, odds.tolist(), strict=True):
        beyond = log_odds - model.thresholds[DECLARATIONS.index(declaration_.declaration)] * thresholds
        for i in declaration_.members:
            one = told[i]
            told[i] = replace(
                one,
                call_log_odds=beyond,
                report=replace(one.report, played_prob=1.0 / (1.0 + np.exp(-log_odds))),
            )
    return told


def _best(valued: Sequence[ValuedOption], members: Sequence[int]) -> int:
    return max(members, key=lambda i: valued[i].report.expected_points or 0.0)


def _alternative(one: ValuedOption) -> Alternative:
    report = one.report
    assert one.after is not None  # noqa: S101  options without are no declarations
    return Alternative(
        one.after,
        report.expected_points or 0.0,
        report.win_prob or 0.0,
        report.win_points or 0.0,
        report.deal_in_prob or 0.0,
    )


def _kind_of(action: Action) -> Kind:
    return KIND_OF[action.tile or action.consumed[0]] if isinstance(action, Call) else -1
