"""Ready at once: a simpler player decides, in plain Python, until the kernels of the real one are compiled.

Compiling would hold the interpreter lock, so another process does it (``manue warm``) and fills the cache;
then the kernels are loaded here, in a thread. Processes that start together wait for the one that compiles.
Where the cache cannot be written, each compiles into a temporary folder of its own.
Where all is compiled and has only to be loaded, lines are read meanwhile; the first decision waits for it.
"""

import atexit
import fcntl
import hashlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from manue.agents.base import Agent, Decision, TimedAgent
from manue.agents.registry import make_agent, parse_spec
from manue.agents.rules import RulePlayer
from manue.compiled import has_compiler, use_compiled, use_plain
from manue.game.actions import Action
from manue.game.state import RoundState
from manue.kernel_cache import cache_dir, can_be_kept, check_all_kept, keep_for_this_process, shipped_dir
from manue.player import warm_up
from manue.stderr import report

SIMPLE = frozenset({"greedy", "rules", "tsumogiri"})
"""Agents that are fast enough in plain Python."""
HEAVY = frozenset({"manue", "manue@first", "policy", "policy@selfplay"})
"""Agents that need their kernels compiled; nothing is known of those that are not named here."""
_SAME_KERNELS = frozenset({"decline_wins", "mc_draws", "models", "seed", "trials"})
"""Options with which an agent needs the same kernels as without."""
LOADING_SECONDS = 10.0
"""How long loading may hold up decisions, from its beginning, where no time limit is known."""


class WarmingUp:
    """An agent whose kernels are not there yet; until then another one decides.

    Parameters
    ----------
    agent : Agent
    stand_in : Agent
        Who decides meanwhile; may be the agent itself.
    make_ready : callable
        Gets everything ready; called in a thread of its own.
    patience : float
        How many seconds from now decisions wait for the agent, each for at most half of its time limit.
    """

    def __init__(
        self, agent: Agent, stand_in: Agent, make_ready: Callable[[], None], *, patience: float = 0.0
    ) -> None:
        self.name = agent.name
        self.is_ready = False  # whether the agent itself decides by now
        self._agent = agent
        self._stand_in = stand_in
        self._make_ready = make_ready
        self._over = threading.Event()
        self._patient_until = time.monotonic() + patience
        thread = threading.Thread(target=self._prepare, name="warming-up", daemon=True)
        thread.start()
        if patience > 0:
            atexit.register(thread.join, patience)  # no end of the interpreter while machine code is loaded

    def decide(self, state: RoundState, actions: tuple[Action, ...]) -> Decision:
        """Let the agent choose if it is ready, or soon will be, else its stand-in."""
        self._wait(threading.TIMEOUT_MAX)
        if self.is_ready or self._stand_in is self._agent:
            return self._agent.decide(state, actions)
        return self._decide_meanwhile(state, actions)

    def decide_within(self, state: RoundState, actions: tuple[Action, ...], seconds: float) -> Decision:
        """Let the agent choose within about ``seconds`` if it is ready, else its stand-in."""
        waited = self._wait(seconds / 2)
        if self.is_ready and isinstance(self._agent, TimedAgent):
            return self._agent.decide_within(state, actions, seconds - waited)
        if self.is_ready or self._stand_in is self._agent:
            return self._agent.decide(state, actions)
        return self._decide_meanwhile(state, actions)

    def _wait(self, most: float) -> float:
        """Wait for the agent while there is patience; return for how many seconds."""
        if self._over.is_set() or self._stand_in is self._agent:
            return 0.0
        started = time.monotonic()
        self._over.wait(min(most, max(0.0, self._patient_until - started)))
        return time.monotonic() - started

    def _decide_meanwhile(self, state: RoundState, actions: tuple[Action, ...]) -> Decision:
        note = f"given while {self.name} was warming up, by {self._stand_in.name}"
        return replace(self._stand_in.decide(state, actions), note=note)

    def _prepare(self) -> None:
        try:
            self._make_ready()
            self.is_ready = True
        except Exception as error:  # noqa: BLE001  whatever it is, the stand-in plays on
            if threading.main_thread().is_alive():  # else it is that nothing more begins as a process ends
                report(f"{self.name} did not get ready ({type(error).__name__}: {error})")
        finally:
            self._over.set()


def agent_at_once(spec: str, models: str | Path | None = None, *, patient: bool = False) -> Agent:
    """Make an agent that can decide now, compiled kernels or not.

    Parameters
    ----------
    spec : str
    models : str or Path, optional
        As `make_agent`.
    patient : bool
        Whether the caller would rather wait for compiled kernels.

    Returns
    -------
    Agent
        The agent itself where patience is asked for or the compiler is in use, else a `WarmingUp`.

    Raises
    ------
    UsageError, ModelError
        As `make_agent`.
    """
    known = parse_spec(spec)[0] in SIMPLE | HEAVY
    if not known or (has_compiler() and patient) or not use_plain():
        return make_agent(spec, models)
    agent = make_agent(spec, models)
    stand_in = _stand_in(agent, spec)
    if not has_compiler():
        report(f"numba is not installed: {stand_in.name} decides, in plain Python")
        return stand_in
    if is_warm(spec):
        return WarmingUp(agent, stand_in, lambda: _load(agent), patience=LOADING_SECONDS)
    meanwhile = "it" if stand_in is agent else stand_in.name
    report(f"compiling the kernels of {agent.name}; {meanwhile} decides in plain Python until they are there")
    return WarmingUp(agent, stand_in, lambda: _compile(agent, spec))


def _stand_in(agent: Agent, spec: str) -> Agent:
    """Return who decides until the kernels of an agent are there; it may be the agent itself."""
    return agent if parse_spec(spec)[0] in SIMPLE else RulePlayer()


def _compile(agent: Agent, spec: str) -> None:
    started = time.monotonic()
    _warm_elsewhere(spec)
    _load(agent)
    report(f"{agent.name} ready after {time.monotonic() - started:.1f} s")


def _load(agent: Agent) -> None:
    use_compiled()
    warm_up(agent)


def _warm_elsewhere(spec: str) -> None:
    """Fill the cache in another process, and wait for it."""
    if getattr(sys, "frozen", False) or not sys.executable:
        return  # no interpreter to start: everything is compiled here, beside the game
    if not can_be_kept():
        report(f"{cache_dir()} cannot be written to: compiled kernels are kept until this process ends")
        if not keep_for_this_process():
            return
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(  # noqa: S603  this interpreter and this package
        [sys.executable, "-m", "manue", "warm", spec, "--until-eof"],
        stdin=subprocess.PIPE,  # its end tells the process that this one is gone, however it went
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    atexit.register(process.kill)  # what is compiled by then stays in the cache
    process.wait()


# ---- the cache


def warm_folder(spec: str) -> Path | None:
    """Return the folder in which an agent's kernels are compiled: kept here, or shipped with the package."""
    folders = filter(None, (cache_dir(), shipped_dir()))
    # exists() fails where a folder may not be looked into, until Python 3.14
    return next((folder for folder in folders if os.access(_mark(folder, spec), os.F_OK)), None)


def is_warm(spec: str) -> bool:
    """Return whether the kernels of an agent are compiled."""
    return warm_folder(spec) is not None


def fill_cache(spec: str) -> bool:
    """Compile and keep what an agent needs; return whether anything was left to do.

    Of several processes one compiles, and the others wait for it.

    Raises
    ------
    UsageError, ModelError
        As `make_agent`.
    OSError
        If the cache cannot be written.
    """
    agent = make_agent(spec)
    if is_warm(spec):
        return False  # the folder for more need not be one that can be written
    cache_dir().mkdir(parents=True, exist_ok=True)
    with _alone(cache_dir() / "lock"):
        if is_warm(spec):
            return False
        use_compiled()
        warm_up(agent)
        if (stand_in := _stand_in(agent, spec)) is not agent:
            warm_up(stand_in)  # it may decide when half of the agent's kernels are loaded
        check_all_kept()
        _mark(cache_dir(), spec).touch()
    return True


def _mark(folder: Path, spec: str) -> Path:
    name, options = parse_spec(spec)
    kept = sorted(f"{key}={value}" for key, value in options.items() if key not in _SAME_KERNELS)
    text = ":".join(filter(None, (name, ",".join(kept))))
    return folder / f"warm-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other processes out; the system opens the lock of one that was killed."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
