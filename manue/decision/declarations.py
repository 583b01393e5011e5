"""The declarations of a decision (riichi, calls, kans) and how readily strong players make them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from manue.arrays import F32
from manue.decision.values import ValuedOption
from manue.features.call_policy import DECLARATIONS, Alternative, call_policy_row
from manue.features.scene import Scenes
from manue.game.actions import Action, Call, Riichi
from manue.log_odds import probabilities_of
from manue.models.call_policy import CallPolicy
from manue.tiles import KIND_OF, Kind

_MAX_LOG_ODDS = 7.0
"""Nothing was learned about log-odds beyond this."""


class Declaration(NamedTuple):
    """Something that may be declared: riichi, a call or a kan.

    Attributes
    ----------
    name : str
        One of ``manue.features.call_policy.DECLARATIONS``.
    members : tuple of int
        Indices of the options that make it.
    row : float32[n]
        Its features (``manue.features.call_policy.call_policy_row``).
    """

    name: str
    members: tuple[int, ...]
    row: F32


def declaration_of(action: Action | None) -> str:
    """Return the name of the declaration that an action makes, "" if it makes none or is not known."""
    match action:
        case Riichi():
            return "riichi"
        case Call(kind=kind):
            return kind
    return ""


def declarations_of(scene: Scenes, valued: Sequence[ValuedOption]) -> list[Declaration]:
    """Find the declarations of a decision, each compared with the best option that makes none.

    Parameters
    ----------
    scene : SCENE[1]
    valued : sequence of ValuedOption
        All options, valued under ``points`` or ``placement``.
    """
    members: dict[str, list[int]] = {}
    for i, option in enumerate(valued):
        if option.after is not None:
            members.setdefault(declaration_of(option.report.action), []).append(i)
    declining = members.pop("", [])
    if not declining:
        return []
    without = _alternative(_best(valued, declining))
    declarations = []
    for name in DECLARATIONS:
        if name in members:
            best = _best(valued, members[name])
            row = call_policy_row(scene, name, _kind_of(best.report.action), _alternative(best), without)
            declarations.append(Declaration(name, tuple(members[name]), row))
    return declarations


def with_call_policy(
    scene: Scenes, valued: Sequence[ValuedOption], model: CallPolicy | None, *, thresholds: bool = True
) -> list[ValuedOption]:
    """Add to the options how readily strong players make their declarations.

    Parameters
    ----------
    scene : SCENE[1]
    valued : sequence of ValuedOption
    model : CallPolicy or None
        ``None`` while it is being learned: then nothing is added.
    thresholds : bool
        Measure the log-odds from the decision threshold of the declaration, else from even odds.
    """
    rated = list(valued)
    declarations = declarations_of(scene, valued)
    if not declarations or model is None:
        return rated
    odds = np.clip(model.odds(np.stack([each.row for each in declarations])), -_MAX_LOG_ODDS, _MAX_LOG_ODDS)
    played = zip(odds.tolist(), probabilities_of(odds).tolist(), strict=True)
    for declaration, (log_odds, played_prob) in zip(declarations, played, strict=True):
        beyond = log_odds - model.thresholds[DECLARATIONS.index(declaration.name)] * thresholds
        for i in declaration.members:
            report = replace(rated[i].report, played_prob=played_prob)
            rated[i] = rated[i]._replace(call_log_odds=beyond, report=report)
    return rated


def _best(valued: Sequence[ValuedOption], members: Sequence[int]) -> ValuedOption:
    return max((valued[i] for i in members), key=lambda option: option.report.expected_points or 0.0)


def _alternative(option: ValuedOption) -> Alternative:
    report = option.report
    assert option.after is not None  # noqa: S101  the caller left out options without
    return Alternative(
        option.after,
        report.expected_points or 0.0,
        report.win_prob or 0.0,
        report.win_points or 0.0,
        report.deal_in_prob or 0.0,
    )


def _kind_of(action: Action) -> Kind:
    return KIND_OF[action.tile or action.consumed[0]] if isinstance(action, Call) else -1
