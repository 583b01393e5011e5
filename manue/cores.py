"""How many cores this process may use: a machine may have many more than a container or a job of it."""

import math
import os
from pathlib import Path

CPU_MAX = Path("/sys/fs/cgroup/cpu.max")
"""Where Linux says how much time of all cores a container may take: ``QUOTA PERIOD``, or ``max PERIOD``."""


def available_cores(cpu_max: Path = CPU_MAX) -> int:
    """Return how many cores this process may run on, and a container have the time of; at least 1.

    Parameters
    ----------
    cpu_max : Path
        A file as at `CPU_MAX`; where there is none, the time is not limited.
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = cpu_max.read_text(encoding="ascii").split()
        return max(1, min(allowed, math.ceil(int(quota) / int(period))))
    except (OSError, ValueError):  # ValueError: "max", no limit
        return allowed
