"""The hands that the options of a decision leave, and their features.

Play and training both build them here, so that a model sees the same rows in both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from manue.arrays import F32, F64, I64, Bool
from manue.decision.options import Option
from manue.features.afterstate import NO_SET, Hands, afterstate_rows, room_for_hands
from manue.features.discard_policy import discard_policy_rows
from manue.features.kind_planes import kind_planes
from manue.features.scene import Scenes
from manue.hand.score import set_code
from manue.models.danger import Danger
from manue.tiles import KIND_OF, Seat, is_red, opponents_of


@dataclass(frozen=True, slots=True)
class Afterstates:
    """What the options of a decision leave.

    Parameters
    ----------
    hands : Hands
    rows : float32[n, len(COLUMNS)]
        Features of those hands (``manue.features.afterstate``).
    groups : int64[n]
        Discards from the same hand under the same plan share a number, counted from 0.
    kan : bool[n]
        Whether the option is a kan, which will reveal a dora.
    """

    hands: Hands
    rows: F32
    groups: I64
    kan: Bool


def afterstates_of(
    scene: Scenes, options: Sequence[Option], danger: Danger, seat: Seat, discard_rates: F64
) -> Afterstates:
    """Collect the hands that the options leave and compute their features.

    Parameters
    ----------
    scene : SCENE[1]
        The position before the decision.
    options : sequence of Option
    danger : Danger
        The danger in that scene.
    seat : int
        The observer's absolute seat.
    discard_rates : float64[CLASSES]
        How readily opponents discard waits, by class (``manue.features.wait_discard_rates``).
    """
    hands = hands_left(options)
    tenpai = danger.tenpai[opponents_of(seat)]
    rows = afterstate_rows(scene, hands, danger.any_deal_in, tenpai, discard_rates)
    kan = np.array([option.is_kan for option in options], np.bool_)
    return Afterstates(hands, rows, _groups(options), kan)


@dataclass(frozen=True, slots=True)
class DiscardsOfHand:
    """The discards without riichi from one hand, as the discard policy sees them.

    Parameters
    ----------
    members : tuple of int
        Indices of their options.
    rows : float32[m, len(DISCARD_POLICY_COLUMNS)]
    kinds : int64[m]
        What is discarded.
    planes : float32[34, len(PLANES)]
        What is seen of each kind (``manue.features.kind_planes``).
    """

    members: tuple[int, ...]
    rows: F32
    kinds: I64
    planes: F32


def discards_by_hand(
    scene: Scenes, options: Sequence[Option], afterstates: Afterstates, danger: Danger
) -> list[DiscardsOfHand]:
    """Return the discard policy's features of the discards without riichi, hand by hand."""
    plain = [i for i, option in enumerate(options) if option.discard is not None and not option.riichi]
    deal_in = danger.any_deal_in
    found = []
    for _, numbers in groupby(plain, key=lambda i: id(options[i].branch)):
        members = np.array(list(numbers))
        left = Hands._make(column[members] for column in afterstates.hands)
        rows = discard_policy_rows(scene, left, afterstates.rows[members], deal_in)
        kinds = left.thrown.astype(np.int64)
        found.append(DiscardsOfHand(tuple(members.tolist()), rows, kinds, kind_planes(scene, left)))
    return found


def hands_left(options: Sequence[Option]) -> Hands:
    """Collect the hands that the options leave."""
    hands = room_for_hands(len(options))
    start = 0
    for _, members in groupby(options, key=lambda option: id(option.branch)):
        of_branch = list(members)
        _fill_hands(Hands._make(column[start : start + len(of_branch)] for column in hands), of_branch)
        start += len(of_branch)
    return hands


def _fill_hands(hands: Hands, options: Sequence[Option]) -> None:
    """Fill in the hands that the options of one branch leave."""
    branch, view = options[0].branch, options[0].view
    hands.counts[:], hands.sets[:] = view.counts, NO_SET
    hands.sets[:, : len(branch.melds)] = [set_code(meld) for meld in branch.melds]
    hands.reds[:] = sum(view.reds) + sum(is_red(tile) for meld in branch.melds for tile in meld.tiles)
    hands.own_draws[:], hands.draws_before[:] = branch.own_draws, branch.draws_before
    hands.passed_chi[:], hands.passed_pon[:] = "chi" in branch.passed, "pon" in branch.passed
    hands.thrown[:] = -1 if branch.missed is None else branch.missed
    for i, option in enumerate(options):
        hands.riichi[i], hands.ron_waits[i] = option.riichi, option.ron_waits
        hands.mc_win_prob[i], hands.mc_win_points[i] = option.mc_win_prob, option.mc_win_points
        if option.discard is not None:
            hands.thrown[i] = kind = KIND_OF[option.discard.tile]
            hands.counts[i, kind] -= 1
            hands.reds[i] -= is_red(option.discard.tile)


def _groups(options: Sequence[Option]) -> I64:
    """Give discards from the same hand under the same plan the same number."""
    plans: dict[tuple[int, int, bool], int] = {}
    return np.array(
        [plans.setdefault((id(option.branch), option.plan, option.riichi), len(plans)) for option in options],
        np.int64,
    )
