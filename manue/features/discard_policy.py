"""Features of the discards of one hand: the input of the discard policy (``manue.models.discard_policy``).

Each discard is described by the hand it leaves (``manue.features.afterstate``), by the tile itself and its
neighbours, and by how far its Monte Carlo estimates are behind the best.
"""

import numpy as np

from manue.arrays import F32, F64, I8
from manue.compiled import compiled
from manue.features.afterstate import COLUMNS_OF_DISCARDS, LEAST_POINTS, LEAST_PROB, Hands
from manue.features.feature import Feature, numbered
from manue.features.scene import Scenes, yakuhai_of
from manue.tiles import EDGE_DISTANCE

TILE_COLUMNS = (
    Feature("number", "distance from the edge: 1 for 1/9 .. 5 for 5; 0 for honors"),
    Feature("worth", "yaku of the honor: 0, 1, 2; -1 for a number tile"),
    Feature("dragon", "it is a dragon"),
    Feature("copies", "held before the discard"),
    Feature("unseen", "unseen copies"),
    Feature("tile_dora", "han it carries as dora"),
    Feature("last_red", "the discarded five is red: no plain one is held"),
    Feature("next", "tiles held one away in the suit"),
    Feature("gap", "tiles held two away in the suit"),
    Feature("suit", "tiles held of its suit"),
    Feature("inner", "held one step towards the five; -1 if there is no such kind"),
    Feature("inner_gap", "held two steps that way"),
    Feature("outer", "held one step towards the edge"),
    Feature("outer_gap", "held two steps that way"),
    Feature("inner_unseen", "unseen copies one step towards the five; -1 if there is no such kind"),
    Feature("inner_gap_unseen", "the same two steps that way"),
    Feature("outer_unseen", "the same one step towards the edge"),
    Feature("outer_gap_unseen", "the same two steps that way"),
    Feature("alone", "the only copy, with nothing held within two steps"),
    Feature("dora_steps", "steps to the nearest dora of the suit, at most 3; 0 for a dora"),
    Feature("other_suit", "tiles held of the longest suit minus those of its suit"),
    Feature("straight", "kinds held of its suit"),
    Feature("three_colors", "most tiles held of the nine that make one of its runs in all suits"),
    Feature("guest_worth", "yaku of the honor, summed over the opponents"),
    Feature("drawn", "it was just drawn"),
    Feature("danger", "P(deal-in) with it now"),
    Feature("danger_gap", "the same minus that of the safest tile"),
    Feature("safe_against", "opponents who can no longer win on it by ron"),
    Feature("safer", "kinds that may be discarded with a lower P(deal-in)"),
    Feature("river", "this seat's discards so far"),
    Feature("shanten_gap", "shanten above the lowest possible"),
    Feature("useful_gap", "useful tiles minus the most possible at that shanten"),
    Feature("odds_gap", "log-odds of a win by the Monte Carlo draws, minus the best"),
    Feature(
        "points_gap",
        "log of the points by the Monte Carlo draws, minus that of the discard with the best odds",
    ),
    Feature("yield_gap", "log of odds times points by the Monte Carlo draws, minus the best"),
)
DISCARD_POLICY_COLUMNS = COLUMNS_OF_DISCARDS + TILE_COLUMNS

AT = numbered(DISCARD_POLICY_COLUMNS)
"""Column numbers by name."""

_CONTEXT = len(COLUMNS_OF_DISCARDS)


def discard_policy_rows(scene: Scenes, hands: Hands, after: F32, deal_in: F64) -> F32:
    """Compute the features of all discards of one hand.

    Parameters
    ----------
    scene : SCENE[1]
        Before the discard.
    hands : Hands
        The hands that the discards leave.
    after : float32[n, len(COLUMNS)]
        The ``afterstate_rows`` of those hands.
    deal_in : float64[34]
        P(deal-in) of each kind now.

    Returns
    -------
    float32[n, len(DISCARD_POLICY_COLUMNS)]
    """
    rows = np.zeros((len(after), len(DISCARD_POLICY_COLUMNS)), np.float32)
    rows[:, :_CONTEXT] = after[:, :_CONTEXT]
    _fill_tiles(scene, hands.counts, hands.thrown, hands.reds, rows)
    _fill_neighbours(scene, hands.counts, hands.thrown, rows)
    _fill_dangers(scene, hands.thrown, deal_in, rows)
    _fill_gaps(after, rows)
    return rows


# ---- kernels


@compiled
def _fill_tiles(
    scene: Scenes,
    counts: I8,
    thrown: I8,
    reds: I8,
    rows: F32,
) -> None:
    """Fill in the columns of the tile itself."""
    here = scene[0]
    most_reds = 0
    for i in range(len(thrown)):
        most_reds = max(most_reds, reds[i])
    for i in range(len(thrown)):
        kind = int(thrown[i])
        row = rows[i]
        suit, number = kind // 9, kind % 9
        if kind < 27:
            row[AT.number] = EDGE_DISTANCE[kind]
            row[AT.worth] = -1
            for other in range(9):
                held = counts[i, 9 * suit + other]
                row[AT.suit] += held
                if abs(other - number) == 1:
                    row[AT.next] += held
                elif abs(other - number) == 2:
                    row[AT.gap] += held
        else:
            row[AT.worth] = yakuhai_of(here, 0, kind)
            row[AT.dragon] = kind >= 31
        row[AT.copies] = counts[i, kind] + 1
        row[AT.unseen] = max(0, 4 - here["visible"][kind])
        row[AT.tile_dora] = here["dora"][kind]
        row[AT.last_red] = most_reds - reds[i]


@compiled
def _fill_neighbours(scene: Scenes, counts: I8, thrown: I8, rows: F32) -> None:
    """Fill in what is held and unseen around the tile, and what the tile is part of."""
    here = scene[0]
    suits = np.zeros(3, np.int64)
    for i in range(len(thrown)):
        kind = int(thrown[i])
        row = rows[i]
        suits[:] = 0
        for k in range(27):
            suits[k // 9] += counts[i, k] + (k == kind)
        longest = max(suits[0], suits[1], suits[2])
        if kind >= 27:
            row[AT.inner : AT.alone] = -1
            row[AT.alone] = counts[i, kind] == 0
            row[AT.dora_steps] = 0 if here["dora"][kind] else 3
            row[AT.other_suit] = longest
            for opponent in range(1, 4):
                row[AT.guest_worth] += yakuhai_of(here, opponent, kind)
            continue
        first, number = kind - kind % 9, kind % 9
        inwards = 1 if number <= 4 else -1
        row[AT.alone] = counts[i, kind] == 0
        for j in range(4):
            other = number + (1 + j % 2) * (inwards if j < 2 else -inwards)
            if 0 <= other < 9:
                row[AT.inner + j] = counts[i, first + other]
                row[AT.inner_unseen + j] = max(0, 4 - here["visible"][first + other])
                row[AT.alone] = row[AT.alone] if counts[i, first + other] == 0 else 0
            else:
                row[AT.inner + j] = row[AT.inner_unseen + j] = -1
        row[AT.dora_steps] = 3
        row[AT.other_suit] = longest - suits[kind // 9]
        for other in range(9):
            if here["dora"][first + other]:
                row[AT.dora_steps] = min(row[AT.dora_steps], np.float32(abs(other - number)))
            row[AT.straight] += counts[i, first + other] > 0 or other == number
        for start in range(max(0, number - 2), min(6, number) + 1):
            parts = 0
            for k in range(27):
                parts += start <= k % 9 < start + 3 and (counts[i, k] > 0 or k == kind)
            row[AT.three_colors] = max(row[AT.three_colors], np.float32(parts))


@compiled
def _fill_dangers(scene: Scenes, thrown: I8, deal_in: F64, rows: F32) -> None:
    """Fill in the columns of the tile's danger now."""
    here = scene[0]
    safest = 1.0
    for i in range(len(thrown)):
        safest = min(safest, deal_in[thrown[i]])
    for i in range(len(thrown)):
        kind = int(thrown[i])
        row = rows[i]
        row[AT.drawn] = here["drawn"] == kind
        row[AT.danger] = deal_in[kind]
        row[AT.danger_gap] = deal_in[kind] - safest
        for opponent in range(1, 4):
            row[AT.safe_against] += here["safe"][opponent, kind]
        for j in range(len(thrown)):
            row[AT.safer] += deal_in[thrown[j]] < deal_in[kind]
        row[AT.river] = here["river_len"][0]


@compiled
def _fill_gaps(after: F32, rows: F32) -> None:
    """Fill in how far each discard is behind the best: the last five columns."""
    n = len(after)
    odds, points = np.empty(n, np.float32), np.empty(n, np.float32)
    one, least, greatest = np.float32(1.0), np.float32(LEAST_PROB), np.float32(1.0 - LEAST_PROB)
    best = 0
    lowest, most = np.inf, -np.inf
    for i in range(n):
        prob = min(max(after[i, AT.mc_win_prob], least), greatest)
        odds[i] = np.log(prob / (one - prob))
        points[i] = np.log(max(after[i, AT.mc_win_points], np.float32(LEAST_POINTS)))
        best = i if odds[i] > odds[best] else best
        lowest = min(lowest, after[i, AT.shanten])
    for i in range(n):
        if after[i, AT.shanten] == lowest:
            most = max(most, after[i, AT.useful_tiles])
    gain = odds + points
    greatest_gain = gain.max()
    for i in range(n):
        row = rows[i]
        row[AT.shanten_gap] = after[i, AT.shanten] - lowest
        row[AT.useful_gap] = after[i, AT.useful_tiles] - most
        row[AT.odds_gap] = odds[i] - odds[best]
        row[AT.points_gap] = points[i] - points[best]
        row[AT.yield_gap] = gain[i] - greatest_gain
