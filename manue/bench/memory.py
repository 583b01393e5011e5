"""Memory that a decision takes on top of what the process already holds; measured on Linux only."""

import ctypes
import os
from collections.abc import Sequence
from pathlib import Path

from manue.agents.base import Agent
from manue.bench.positions import SampledPosition
from manue.bench.start import memory
from manue.bench.timing import Row
from manue.player import decision_of

PEAK_RESET = Path("/proc/self/clear_refs")
FORGET_PEAK = "5"
"""Writing this there resets the peak of the process to what it holds now."""


def measure_memory(spec: str, agent: Agent, positions: Sequence[SampledPosition]) -> list[Row]:
    """Measure the peak memory of the process during a decision, minus what it held before; the worst case.

    Freed memory is returned to the system before every decision, so that no decision can reuse it unseen.
    Each decision is made once beforehand, so that kernels are compiled.
    """
    if not measurable():
        return []
    most = 0.0
    for position in positions:
        decision_of(agent, position.state, position.actions)
        most = max(most, extra_memory(agent, position))
    return [(f"{spec}: memory of a decision, max", most, "MB")]


def measurable() -> bool:
    """Return whether the system lets a process reset its peak."""
    return os.access(PEAK_RESET, os.W_OK)


def extra_memory(agent: Agent, position: SampledPosition) -> float:
    """Return the extra memory of one decision, in MB (2^20 bytes)."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    PEAK_RESET.write_text(FORGET_PEAK, encoding="ascii")
    held, _ = memory(os.getpid())
    decision_of(agent, position.state, position.actions)
    _, peak = memory(os.getpid())
    return peak - held
