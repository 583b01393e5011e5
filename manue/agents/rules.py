"""A fast player by plain rules: the sparring partner of the player that evaluates options.

It minimizes shanten, then trades useful tiles against the value that a discard keeps; declares riichi and
calls under simple conditions; and discards the least dangerous tile when threatened with a hand not worth
pushing. Among rules this simple, these agreed best with strong players in a study of records. The ``note`` of
its reports names the rule that decided.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from manue.agents.base import Decision
from manue.decision.branches import Branch, branches_of
from manue.decision.report import Report
from manue.features.scene import scene_of
from manue.game.actions import Action, Call, Discard, NineTerminals, Pass, Riichi, win_among
from manue.game.state import RoundState
from manue.hand.shanten import shanten, ukeire_by_discard
from manue.hand.yaku import yakuhai
from manue.models.danger import DangerReader
from manue.models.model_set import Models
from manue.tiles import (
    EDGE_DISTANCE,
    KIND_OF,
    Counts,
    Kind,
    Meld,
    Tile,
    counts_of,
    dora_of,
    is_honor,
    is_red,
    number_of,
)

DORA_WORTH = 0.15
"""Share of the useful tiles given up to keep one dora."""
FEW_TILES = 4
"""Fewest unseen winning tiles for declaring riichi."""
PUSH_DORA = 3
"""Fewest dora with which a hand one exchange from tenpai pushes against a threat."""
HOPELESS = 4
"""Lowest shanten at which nine terminals are declared."""
OPEN_THREAT = 0.6
"""Smallest P(can win now) of an open hand of `THREATENING_MELDS` melds that counts as a threat."""
THREATENING_MELDS = 3
"""Fewest melds, closed kans among them, of an open hand that may be a threat."""

_SIMPLE = np.array([not is_honor(kind) and 1 < number_of(kind) < 9 for kind in range(34)])


@dataclass(frozen=True, slots=True)
class _Choice:
    """A discard and the hand it leaves."""

    discard: Discard
    shanten: int
    kinds: int
    tiles: int
    worth: float


class RulePlayer:
    """Decides by the rules of this module.

    Parameters
    ----------
    models : Models, optional
        Default `Models.load()`.

    Raises
    ------
    ModelError
        If a model is missing or damaged.
    """

    name = "rules"

    def __init__(self, models: Models | None = None) -> None:
        self._dangers = (Models.load() if models is None else models).dangers

    def decide(self, state: RoundState, actions: tuple[Action, ...]) -> Decision:
        """Win if possible; else call or pass on a discard, or play this seat's turn."""
        win = win_among(actions)
        if win is not None:
            return Decision(win, (Report(win, note="a win is taken"),))
        if any(isinstance(action, Pass) for action in actions):
            return _answer(state, actions, self._dangers)
        return _own_turn(state, actions, self._dangers)


def _own_turn(state: RoundState, actions: tuple[Action, ...], dangers: DangerReader) -> Decision:
    discards = [action for action in actions if isinstance(action, Discard)]
    if len(discards) == 1:
        return Decision(discards[0], (Report(discards[0], note="no choice"),))
    ranked = _ranked(state, state.counts, state.me.melds, discards)
    best = ranked[0]
    if best.shanten >= HOPELESS and NineTerminals() in actions:
        return Decision(
            NineTerminals(), (Report(NineTerminals(), shanten=best.shanten, note="a hopeless hand"),)
        )
    first = replace(_report(best), note="most useful tiles and value")
    reports = (first, *map(_report, ranked[1:]))
    if Riichi() in actions and best.tiles >= FEW_TILES and not _furiten_after(state, best.discard):
        riichi = Report(Riichi(), best.discard, shanten=0, note="tenpai: riichi")
        return Decision(Riichi(), (riichi, *reports))
    if _threatened(state, dangers) and not _pushes(state, best.shanten):
        return _fold(state, ranked, dangers)
    return Decision(best.discard, reports)


def _ranked(
    state: RoundState, counts: Counts, melds: Sequence[Meld], discards: Iterable[Discard]
) -> list[_Choice]:
    """Return the discards, best first."""
    after, useful = ukeire_by_discard(counts, len(melds))
    unseen = state.unseen
    simples = (
        state.rules.open_tanyao
        and any(meld.is_open for meld in melds)
        and not _has_value_set(state, counts, melds)
    )
    if simples:
        useful = useful & _SIMPLE  # only all simples can win: other tiles do not help
    tiles = (useful @ unseen).tolist()
    kinds = (useful & (unseen > 0)).sum(axis=1).tolist()
    shantens = after.tolist()
    dora = [dora_of(indicator) for indicator in state.dora_indicators]

    def choice(discard: Discard) -> _Choice:
        """Rate a discard: its useful tiles, less what is lost with the value that it gives up."""
        kind = KIND_OF[discard.tile]
        lost = dora.count(kind) + is_red(discard.tile) + (counts[kind] >= 2 and _is_value_kind(state, kind))
        worth = tiles[kind] * (1 - DORA_WORTH) ** lost
        if simples and not _SIMPLE[kind]:
            worth += 1 + worth * DORA_WORTH
        return _Choice(discard, shantens[kind], kinds[kind], tiles[kind], worth)

    return sorted((choice(discard) for discard in discards), key=_order)


def _order(choice: _Choice) -> tuple[int, float, int, bool, bool]:
    tile = choice.discard.tile
    return (
        choice.shanten,
        -choice.worth,
        EDGE_DISTANCE[KIND_OF[tile]],
        is_red(tile),
        not choice.discard.from_draw,
    )


def _report(choice: _Choice) -> Report:
    return Report(
        choice.discard,
        shanten=choice.shanten,
        ukeire_kinds=choice.kinds,
        ukeire_count=choice.tiles,
    )


# ---- value


def _is_value_kind(state: RoundState, kind: Kind) -> bool:
    """Return whether a triplet of the kind is a yaku."""
    return yakuhai(kind, KIND_OF[state.seat_wind], KIND_OF[state.round_wind]) > 0


def _has_value_set(state: RoundState, counts: Counts, melds: Iterable[Meld]) -> bool:
    """Return whether the hand already has a triplet that is a yaku."""
    return any(_is_value_kind(state, meld.first_kind) for meld in melds if meld.kind != "chi") or any(
        counts[kind] >= 3 and _is_value_kind(state, kind) for kind in range(27, 34)
    )


def _dora_count(state: RoundState) -> int:
    held: list[Tile] = [*state.hand, *(tile for meld in state.me.melds for tile in meld.tiles)]
    dora = [dora_of(indicator) for indicator in state.dora_indicators]
    return sum(is_red(tile) + dora.count(KIND_OF[tile]) for tile in held)


# ---- attack and defence


def _threatened(state: RoundState, dangers: DangerReader) -> bool:
    """Return whether an opponent is in riichi or has an open hand of many melds that can probably win."""
    if state.opponent_in_riichi:
        return True
    opened = [
        player.seat
        for player in state.players
        if player.seat != state.seat and len(player.melds) >= THREATENING_MELDS and not player.is_closed
    ]
    if not opened:
        return False
    can_win = dangers.read(scene_of(state), state.seat, held_only=True).can_win
    return bool(can_win[opened].max() >= OPEN_THREAT)


def _pushes(state: RoundState, distance: int) -> bool:
    """Return whether the hand is worth the danger: tenpai, or one exchange away with `PUSH_DORA` dora."""
    return distance <= 0 or (distance == 1 and _dora_count(state) >= PUSH_DORA)


def _fold(state: RoundState, ranked: Sequence[_Choice], dangers: DangerReader) -> Decision:
    danger = dangers.read(scene_of(state), state.seat, held_only=True)
    costs = {choice.discard: danger.cost(KIND_OF[choice.discard.tile]) for choice in ranked}
    ordered = sorted(ranked, key=lambda choice: (round(costs[choice.discard]), _order(choice)))
    reports = []
    for choice in ordered:
        prob = danger.deal_in(KIND_OF[choice.discard.tile])
        points = costs[choice.discard] / prob if prob > 0 else None
        reports.append(replace(_report(choice), deal_in_prob=prob, deal_in_points=points))
    reports[0] = replace(reports[0], note="folds: the least danger")
    return Decision(reports[0].action, tuple(reports), danger.tenpai_of_opponents(state.seat))


def _furiten_after(state: RoundState, discard: Discard) -> bool:
    """Return whether a discard leaves a tenpai that waits on one of the player's own discards."""
    kind = KIND_OF[discard.tile]
    _, useful = ukeire_by_discard(state.counts, len(state.me.melds))
    return bool(useful[kind, kind] or (useful[kind] & state.me.safe).any())


# ---- calls


def _answer(state: RoundState, actions: Sequence[Action], dangers: DangerReader) -> Decision:
    """Call if that lowers the shanten and keeps a yaku possible; against a threat only with a good hand."""
    passed = Report(Pass(), note="nothing to gain by a call")
    branches = [
        branch
        for branch in branches_of(state, actions)
        if isinstance(branch.action, Call) and branch.discards
    ]
    if not branches:
        return Decision(Pass(), (passed,))
    now = shanten(state.counts, len(state.me.melds))
    rated = [report for branch in branches if (report := _rated_call(state, branch, now)) is not None]
    if not rated or (_threatened(state, dangers) and not _pushes(state, now - 1)):
        return Decision(Pass(), (passed,))
    rated.sort(key=lambda report: (report.shanten, -(report.ukeire_count or 0)))
    return Decision(rated[0].action, (*rated, Report(Pass())))


def _rated_call(state: RoundState, branch: Branch, now: int) -> Report | None:
    """Return a report on a call that lowers the shanten and keeps a yaku, else ``None``."""
    counts = counts_of(branch.tiles)
    if branch.action is None or not _yaku_in_sight(state, counts, branch.melds):
        return None
    best = _ranked(state, counts, branch.melds, branch.discards)[0]
    if best.shanten >= now or best.tiles == 0:
        return None
    return Report(
        branch.action,
        best.discard,
        shanten=best.shanten,
        ukeire_kinds=best.kinds,
        ukeire_count=best.tiles,
        note="closer to a win, with a yaku",
    )


def _yaku_in_sight(state: RoundState, counts: Counts, melds: Sequence[Meld]) -> bool:
    """Return whether there is a triplet that is a yaku, or the hand is all simples but for one tile.

    All simples count where they do in an open hand.
    """
    if _has_value_set(state, counts, melds):
        return True
    if not state.rules.open_tanyao:
        return False
    called_simple = all(_SIMPLE[KIND_OF[tile]] for meld in melds for tile in meld.tiles)
    return called_simple and int(counts[~_SIMPLE].sum()) <= 1
