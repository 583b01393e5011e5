"""Decision times in constant memory: a histogram whose bins are 2 % wide."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

_FINEST_MS = 1e-3
_WIDTH = math.log(1.02)


class Timing:
    """Times in milliseconds. Quantiles are accurate to 1 %; the maximum and the mean are exact.

    Attributes
    ----------
    bins : Counter
        Number of times in each bin; bin ``b`` begins at ``0.001 * 1.02 ** b`` ms.
    """

    def __init__(self) -> None:
        self.bins: Counter[int] = Counter()
        self.count = 0
        self.total_ms = 0.0
        self.max_ms = 0.0

    def add(self, elapsed_ms: float) -> None:
        """Add one time."""
        self.bins[max(0, int(math.log(max(elapsed_ms, _FINEST_MS) / _FINEST_MS) / _WIDTH))] += 1
        self.count += 1
        self.total_ms += elapsed_ms
        self.max_ms = max(self.max_ms, elapsed_ms)

    @classmethod
    def of(cls, times_ms: Iterable[float]) -> "Timing":
        """Make a histogram of some times."""
        timing = cls()
        for elapsed_ms in times_ms:
            timing.add(elapsed_ms)
        return timing

    def merge(self, other: "Timing") -> None:
        """Add all times of another histogram."""
        self.bins.update(other.bins)
        self.count += other.count
        self.total_ms += other.total_ms
        self.max_ms = max(self.max_ms, other.max_ms)

    def quantile(self, share: float) -> float | None:
        """Return the time in ms that a share (0..1) of all times does not exceed; ``None`` without times."""
        if not self.count:
            return None
        left = share * self.count
        for at in sorted(self.bins):
            left -= self.bins[at]
            if left <= 0:
                return min(_FINEST_MS * math.exp((at + 0.5) * _WIDTH), self.max_ms)
        return self.max_ms

    def to_json(self) -> dict[str, object]:
        """Return plain data."""
        bins = {str(at): self.bins[at] for at in sorted(self.bins)}
        return {"total_ms": round(self.total_ms, 3), "max_ms": round(self.max_ms, 4), "bins": bins}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Timing":
        """Read what `to_json` wrote."""
        timing = cls()
        timing.bins = Counter({int(at): int(count) for at, count in data["bins"].items()})
        timing.count = sum(timing.bins.values())
        timing.total_ms = data["total_ms"]
        timing.max_ms = data["max_ms"]
        return timing
