"""Speed of whole decisions on positions from records, and what their parts cost.

The parts are measured by putting clocks around the functions that really run, while the same positions are
decided once more. The time of a part does not include the parts called within it.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from manue.agents.base import Agent
from manue.agents.manue import Manue
from manue.agents.registry import make_agent
from manue.bench.memory import measure_memory
from manue.bench.positions import SampledPosition
from manue.bench.timing import Row
from manue.decision import basis, evaluation, options, outcomes
from manue.draws import win
from manue.features.danger import danger_features
from manue.features.scene import scene_of
from manue.models import danger
from manue.models.afterstate import AfterstateModel
from manue.models.danger import DangerReader
from manue.models.discard_policy import DiscardPolicy
from manue.models.fold import FoldModel
from manue.models.model_set import Models
from manue.player import decision_of, warm_up

WARM = 50
"""Positions decided before the clock starts."""
PARTS: tuple[tuple[str, object, str], ...] = (
    ("scene", basis, "scene_of"),
    ("danger: features", danger, "danger_features"),
    ("danger: trees", DangerReader, "read"),
    ("hands and draws to come", options, "hand_view"),
    ("target hands", win, "find_target_hands"),
    ("values of the target hands", win, "described_targets"),
    ("values of the target hands", win, "values_of_targets"),
    ("Monte Carlo draws", win, "draw_rows"),
    ("wins among them", options, "estimate_wins"),
    ("useful tiles", options, "ukeire_by_discard"),
    ("afterstates: features", evaluation, "afterstates_of"),
    ("afterstates: trees", AfterstateModel, "prospects"),
    ("payoffs", outcomes, "payoffs_of"),
    ("payoffs", outcomes, "payoffs_of_deal_ins"),
    ("endings", outcomes, "endings_after"),
    ("discard policy", evaluation, "discards_by_hand"),
    ("discard policy", DiscardPolicy, "shares"),
    ("call policy", evaluation, "with_call_policy"),
    ("folding", FoldModel, "cost"),
)
"""Name of a part, and the module or class and the name of a function that does it."""
REST = "the rest"


class Clocks:
    """Time spent in functions, excluding calls to other functions that have clocks of their own.

    Attributes
    ----------
    seconds : dict of str to float
        Time by part.
    targets : list of int
        Number of target hands of every hand weighed.
    """

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.targets: list[int] = []
        self._within: list[float] = []

    def around(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with a clock around it."""

        def timed(*args: Any, **kwargs: Any) -> Any:
            """Call the function and add its own time, without that of clocked functions within it."""
            self._within.append(0.0)
            started = time.perf_counter()
            try:
                result = function(*args, **kwargs)
            finally:
                total = time.perf_counter() - started
                self.seconds[name] += total - self._within.pop()
                if self._within:
                    self._within[-1] += total
            if isinstance(result, win.WinEstimate):
                self.targets.append(result.targets)
            return result

        return timed

    @contextmanager
    def running(self) -> Iterator[None]:
        """Put the clocks in place, and remove them at the end."""
        plain = [(owner, name, getattr(owner, name)) for _, owner, name in PARTS]
        try:
            for part, owner, name in PARTS:
                setattr(owner, name, self.around(part, getattr(owner, name)))
            yield
        finally:
            for owner, name, function in plain:
                setattr(owner, name, function)


def measure_decisions(
    positions: Sequence[SampledPosition], specs: Sequence[str], advance: Callable[[int], None]
) -> list[Row]:
    """Measure how long agents take to decide positions, one after another on one thread.

    Parameters
    ----------
    positions : sequence of SampledPosition
    specs : sequence of str
        Agents, as in `manue.agents.registry.make_agent`.
    advance : callable
        Called with the number of positions decided since its last call.
    """
    rows: list[Row] = []
    for spec in specs:
        agent = make_agent(spec)
        warm_up(agent)
        for position in positions[:WARM]:
            decision_of(agent, position.state, position.actions)
        rows += _times(spec, agent, positions, advance)
        if isinstance(agent, Manue):
            rows += _parts(spec, agent, positions, advance)
            rows += measure_memory(spec, agent, positions)
        else:
            advance(len(positions))
    return rows


def _times(
    spec: str, agent: Agent, positions: Sequence[SampledPosition], advance: Callable[[int], None]
) -> list[Row]:
    wall, core = np.empty(len(positions)), np.empty(len(positions))
    for i, position in enumerate(positions):
        started, used = time.perf_counter(), time.thread_time()
        decision_of(agent, position.state, position.actions)
        wall[i], core[i] = time.perf_counter() - started, time.thread_time() - used
        advance(1)
    return [
        *_summary(f"decision of {spec}", wall * 1e3, "ms"),
        *_summary(f"decision of {spec}, CPU time", core * 1e3, "ms"),
    ]


def _summary(name: str, figures: Any, unit: str) -> list[Row]:
    return [
        (f"{name}, median", float(np.median(figures)), unit),
        (f"{name}, mean", float(np.mean(figures)), unit),
        (f"{name}, p99", float(np.quantile(figures, 0.99)), unit),
        (f"{name}, max", float(np.max(figures)), unit),
    ]


def _parts(
    spec: str, agent: Agent, positions: Sequence[SampledPosition], advance: Callable[[int], None]
) -> list[Row]:
    clocks = Clocks()
    with clocks.running():
        started = time.perf_counter()
        for position in positions:
            decision_of(agent, position.state, position.actions)
            advance(1)
        total = time.perf_counter() - started
    clocks.seconds[REST] = total - sum(clocks.seconds.values())
    names = [*dict.fromkeys(part for part, _, _ in PARTS), REST]
    return [
        *(
            (f"{spec}: share of {name}", 100 * clocks.seconds[name] / total, "%")
            for name in names
            if clocks.seconds[name]
        ),
        *_summary(f"{spec}: target hands of a hand", clocks.targets, "target hands"),
        (f"{spec}: hands weighed in a decision, mean", len(clocks.targets) / len(positions), "hands"),
    ]


def measure_danger(positions: Sequence[SampledPosition]) -> list[Row]:
    """Measure the scene, the features of all kinds and opponents, and the whole danger model."""
    reader = Models.load().dangers
    scenes = [(scene_of(position.state), position.state.seat) for position in positions]
    parts: dict[str, Callable[[int], object]] = {
        "scene of a state": lambda i: scene_of(positions[i].state),
        "features of dangers, 34 kinds x 3 opponents": lambda i: danger_features(
            scenes[i][0], reader.weights
        ),
        "dangers of a scene, all kinds": lambda i: reader.read(*scenes[i]),
        "dangers of a scene, kinds held": lambda i: reader.read(*scenes[i], held_only=True),
    }
    rows: list[Row] = []
    for name, run in parts.items():
        times = []
        for i in [*range(min(WARM, len(scenes))), *range(len(scenes))]:
            started = time.perf_counter()
            run(i)
            times.append(time.perf_counter() - started)
        rows += _summary(name, np.array(times[-len(scenes) :]) * 1e6, "µs")
    return rows
