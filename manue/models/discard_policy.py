"""Discard policy: how readily strong players discard each tile of a hand.

Far from tenpai the Monte Carlo draws distinguish discards only roughly: they look one exchange beyond the
fewest, and in hindsight. What strong players discard there is more informative. A net learned from their
discards (`manue.training.discard_policy`) rates the kinds; the softmax of the ratings gives the probability
that each is the one discarded. As far as what people prefer wins more often, P(win) takes it into account
(`manue.models.afterstate`); beyond that `manue.decision.tie_break` breaks ties by it.

The net has two parts. Convolutions along 1 to 9 of each suit, the same for all suits, and layers for each
honor alone, turn what is seen of each kind (`manue.features.kind_planes`) into `CHANNELS` numbers. Dense
layers then rate each discard by its features, the channels of its kind, and their mean over all kinds.
"""

from dataclasses import dataclass

import numpy as np

from manue.arrays import F32, F64, I64
from manue.compiled import compiled, inlined
from manue.features.discard_policy import DISCARD_POLICY_COLUMNS
from manue.features.kind_planes import PLANES
from manue.models.files import ModelFile, checked_columns
from manue.sim.net import NetShape, add_lines, copy_line, lines_of, places_of, rate_rows

COLUMNS = len(DISCARD_POLICY_COLUMNS)
CHANNELS = 48
"""Outputs of a convolution for each kind."""
WIDTH = 5
"""Kinds in a row that a convolution covers."""
_AROUND = WIDTH // 2
UNITS, LAST = 192, 64
NET = NetShape(0, COLUMNS + CHANNELS, UNITS, LAST, context=CHANNELS)
"""The dense layers, of `UNITS` and `LAST` units, and one output; the mean over the kinds is shared."""
CONV_INPUTS = (len(PLANES), CHANNELS, CHANNELS)
"""Channels that come into each convolution."""
CONV_SIZES = tuple(
    size
    for inputs in CONV_INPUTS
    for size in ((WIDTH * inputs, CHANNELS), (CHANNELS,), (inputs, CHANNELS), (CHANNELS,))
)
"""Shapes of their arrays, layer by layer: weights and bias of suits, then of honors."""
CONV_WEIGHTS = sum(int(np.prod(size)) for size in CONV_SIZES)


@dataclass(frozen=True, slots=True, eq=False)
class DiscardPolicy:
    """The net of ``discard_policy.npz``.

    Parameters
    ----------
    conv_weights : float32[CONV_WEIGHTS]
        Of the convolutions.
    weights : float32[NET.end]
        Of the dense layers, for features as they are.
    least, most : float32[COLUMNS]
        Bounds within which the net sees each feature.
    """

    conv_weights: F32
    weights: F32
    least: F32
    most: F32

    @classmethod
    def of(cls, file: ModelFile) -> "DiscardPolicy":
        """Read the model from its file; raises ModelError if arrays are missing or it has other features."""
        checked_columns(file, DISCARD_POLICY_COLUMNS)
        checked_columns(file, PLANES, "planes")
        sizes = {"conv_weights": CONV_WEIGHTS, "weights": NET.end, "least": COLUMNS, "most": COLUMNS}
        return cls(*(file.array(name, (size,)).astype(np.float32) for name, size in sizes.items()))

    def ratings(self, rows: F32, kinds: I64, planes: F32, starts: I64) -> F32:
        """Return the log-odds of the discards of n hands, up to what those of one hand share: float32[m].

        Parameters
        ----------
        rows : float32[m, COLUMNS]
            `discard_policy_rows`, hand by hand.
        kinds : int64[m]
            What is discarded.
        planes : float32[n, 34, len(PLANES)]
            `kind_planes`.
        starts : int64[n + 1]
            First row of each hand; the last is the end.
        """
        ratings = np.empty(len(rows), np.float32)
        clipped = rows.clip(self.least, self.most)
        _rate(self.conv_weights, self.weights, clipped, kinds, planes, starts, ratings)
        return ratings

    def shares(self, rows: F32, kinds: I64, planes: F32) -> F64:
        """Return P(a strong player makes it) for the discards of one hand: float64[m], summing to 1.

        Parameters
        ----------
        rows : float32[m, COLUMNS]
            `discard_policy_rows` for every kind that may be discarded.
        kinds : int64[m]
        planes : float32[34, len(PLANES)]
            `kind_planes`.
        """
        ratings = self.ratings(rows, kinds, planes[None], np.array([0, len(rows)])).astype(np.float64)
        weights = np.exp(ratings - ratings.max())
        return np.asarray(weights / weights.sum(), np.float64)


@compiled
def _rate(
    conv_weights: F32, weights: F32, rows: F32, kinds: I64, planes: F32, starts: I64, ratings: F32
) -> None:
    """Fill the ratings, float32[m], of clipped rows, hand by hand."""
    most = 0
    for hand in range(len(planes)):
        most = max(most, starts[hand + 1] - starts[hand])
    inputs = np.empty((most, COLUMNS + CHANNELS), np.float32)
    base, mean = np.empty(UNITS, np.float32), np.empty(CHANNELS, np.float32)
    first, second = np.empty((most, UNITS), np.float32), np.empty((most, LAST), np.float32)
    for hand in range(len(planes)):
        seen = _convolve(conv_weights, planes[hand])
        mean[:] = 0
        for kind in range(34):
            mean += seen[kind]
        mean /= np.float32(34)
        start, end = starts[hand], starts[hand + 1]
        for row in range(start, end):
            for column in range(COLUMNS):
                inputs[row - start, column] = rows[row, column]
            for channel in range(CHANNELS):
                inputs[row - start, COLUMNS + channel] = seen[kinds[row], channel]
        rate_rows(
            weights, mean, inputs, ratings[start:end], base, first, second,
            end - start, 0, COLUMNS + CHANNELS, UNITS, LAST,
        )  # fmt: skip


@inlined
def _convolve(weights: F32, planes: F32) -> F32:
    """Return the channels of the kinds of a hand: float32[34, CHANNELS]."""
    window, at = np.empty(WIDTH * CHANNELS, np.float32), np.empty(WIDTH * CHANNELS, np.uint64)
    seen, start = planes, 0
    for inputs in CONV_INPUTS:
        bias_at = start + WIDTH * inputs * CHANNELS
        honors_at = bias_at + CHANNELS
        honor_bias_at = honors_at + inputs * CHANNELS
        suit_lines = lines_of(weights, start, WIDTH * inputs, CHANNELS)
        honor_lines = lines_of(weights, honors_at, inputs, CHANNELS)
        made = np.empty((34, CHANNELS), np.float32)
        for kind in range(34):
            copy_line(made[kind], weights, bias_at if kind < 27 else honor_bias_at, CHANNELS)
            steps = range(-_AROUND, _AROUND + 1) if kind < 27 else range(1)
            count = 0
            for step in steps:
                in_suit = kind >= 27 or 0 <= kind % 9 + step < 9
                for plane in range(inputs):
                    window[count] = seen[kind + step, plane] if in_suit else np.float32(0)
                    count += 1
            found = places_of(window, count, at)
            add_lines(made[kind], window, at, found, suit_lines if kind < 27 else honor_lines, CHANNELS)
            for channel in range(CHANNELS):
                made[kind, channel] = max(made[kind, channel], np.float32(0))
        seen, start = made, honor_bias_at + CHANNELS
    return seen
