"""What the measurements of speed have in common: rows of figures, and clocks around calls."""

import timeit
from collections.abc import Callable
from typing import TypeAlias, TypeVar

_T = TypeVar("_T")
Row: TypeAlias = tuple[str, float, str]
"""What was measured, the value, and its unit."""

CALLS = 5_000
"""Most inputs that a function is called with."""
REPEATS = 7


def each_call(name: str, function: Callable[[_T], object], inputs: list[_T]) -> Row:
    """Time one call from Python: the mean over the inputs, in the best of several runs."""
    inputs = inputs[:CALLS]

    def run() -> None:
        """Call the function with every input."""
        for one in inputs:
            function(one)

    return name, best_time(run) / len(inputs) * 1e9, "ns"


def best_time(run: Callable[[], object], repeats: int | None = None) -> float:
    """Return the seconds of the fastest run, of `REPEATS` by default, after a first one that compiles."""
    run()
    return min(timeit.repeat(run, number=1, repeat=REPEATS if repeats is None else repeats))
