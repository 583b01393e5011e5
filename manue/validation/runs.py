"""The runs of ``manue calibrate``: which games are read, and what is made of them, as Markdown.

After Ctrl-C the tables are those of the games finished before. Each run raises LogError if no game can be
used, and KeyboardInterrupt if none is finished.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from manue.agents.registry import make_agent
from manue.arrays import Records
from manue.as_text import counted
from manue.decision.settings import Settings
from manue.errors import LogError
from manue.foreign import MESSAGE, printable
from manue.futures import as_completed
from manue.progress import progress
from manue.records.copies import find_distinct_logs
from manue.stderr import report
from manue.training.dataset import is_validation
from manue.validation.ablation import Ablation, ablate_log, join_ablations
from manue.validation.ablation_report import ablation_tables
from manue.validation.agreement import agreement_of_log
from manue.validation.agreement_report import agreement_tables
from manue.validation.calibration import calibrate_log, join_calibrations
from manue.validation.calibration_report import calibration_tables
from manue.validation.defence_report import defence_tables
from manue.validation.hands_by_turn import hands_data, hands_of_log, hands_table
from manue.validation.kept_games import KeptGames
from manue.validation.losses import distribution_of, losses_of_log, losses_table
from manue.validation.numbers import itself, with_game_numbers
from manue.validation.placement import placement_of_log, placement_tables
from manue.validation.plots import plot_calibration, plot_values
from manue.validation.rollouts import join_rollouts, rollout_tables, rollouts_of_log
from manue.validation.values import ValuesOfGames, join_values, values_of_log
from manue.validation.values_report import values_tables
from manue.whole_files import write_whole
from manue.workers import WorkerPool

_Item = TypeVar("_Item")


class RunResult(NamedTuple):
    """The tables of a run as Markdown, and whether all games are in them."""

    text: str
    complete: bool


@dataclass(frozen=True, slots=True)
class _Games(Generic[_Item]):
    """What was collected from games, and from how many of the logs."""

    usable: list[_Item]
    finished: int
    logs: int

    @property
    def complete(self) -> bool:
        """Whether these are the games of all logs."""
        return self.finished == self.logs

    def write(self, target: Path, data: Mapping[str, Any]) -> None:
        """Write data, unless games are missing."""
        if self.complete:
            write_whole(target, json.dumps(data) + "\n")
        else:
            report(f"{printable(target, MESSAGE)}: not written, as games are missing")

    def result(self, text: str) -> RunResult:
        """Return the result of a run with these tables."""
        return _result(text, self.finished, self.logs)


def chosen_logs(places: Sequence[Path], games: int | None, *, every: bool) -> list[Path]:
    """Return the logs to read.

    Parameters
    ----------
    places : sequence of Path
        Logs, or folders of them.
    games : int or None
        How many to choose, evenly spread; ``None`` for all.
    every : bool
        Include games used for training.

    Raises
    ------
    LogError
        If there are none.
    """
    logs = [log for log in find_distinct_logs(places) if every or is_validation(log.name)]
    if not logs:
        raise LogError("none of these logs is held out (one name in eight is); --all reads all logs")
    if games is None or games >= len(logs):
        return logs
    return [logs[i * len(logs) // games] for i in range(games)]


def calibration(
    logs: Sequence[Path],
    settings: Settings,
    workers: int,
    picture: Path | None,
    last_round: int | None = None,
) -> RunResult:
    """Compare the player's predictions with what followed; optionally draw the reliability diagrams."""
    collect = partial(calibrate_log, settings=settings, last_round=last_round)
    games = _from_games(collect, logs, workers, tuple)
    data = join_calibrations(games.usable)
    if picture is not None:
        plot_calibration(data, picture)
    tables = (calibration_tables(data, len(games.usable), settings), defence_tables(data))
    return games.result("\n".join(tables))


def ablation(
    logs: Sequence[Path], settings: Settings, workers: int, last_round: int | None = None
) -> RunResult:
    """Compare the Monte Carlo draws with and without each of their corrections."""
    collect = partial(ablate_log, settings=settings, last_round=last_round)
    games = _from_games(collect, logs, workers, Ablation.values)
    return games.result(ablation_tables(join_ablations(games.usable), len(games.usable), settings))


def agreement(logs: Sequence[Path], spec: str, workers: int, last_round: int | None = None) -> RunResult:
    """Compare an agent's choices with those in the logs; raises UsageError for a bad spec."""
    make_agent(spec)
    games = _from_games(partial(agreement_of_log, spec=spec, last_round=last_round), logs, workers, itself)
    return games.result(agreement_tables(np.concatenate(games.usable), spec, len(games.usable)))


def placement(logs: Sequence[Path], workers: int, last_round: int | None = None) -> RunResult:
    """Compare expected final places with those reached."""
    games = _from_games(partial(placement_of_log, last_round=last_round), logs, workers, itself)
    return games.result(placement_tables(np.concatenate(games.usable)))


def values(
    logs: Sequence[Path],
    settings: Settings,
    workers: int,
    folder: Path | None,
    last_round: int | None = None,
    *,
    resume: bool = False,
) -> RunResult:
    """Compare what options were predicted to be worth with what followed.

    Parameters
    ----------
    logs : sequence of Path
    settings : Settings
    workers : int
    folder : Path or None
        Where every game is kept once it is finished, and where the pictures go.
    last_round : int or None
    resume : bool
        Continue with the games that the folder holds.

    Raises
    ------
    UsageError
        If the folder holds a run and ``resume`` is false, or one with other settings.
    """
    kept = None if folder is None else KeptGames(folder / "values", settings, last_round, resume=resume)

    def keep(log: Path, part: ValuesOfGames) -> None:
        if kept is not None and part.games:
            kept.write(log, part)

    collect = partial(values_of_log, settings=settings, last_round=last_round)
    found = _gather(collect, logs, workers, read=None if kept is None else kept.read, write=keep)
    data = join_values([found[index].with_game_numbers(index, len(logs)) for index in sorted(found)])
    _report_skipped(data.skipped, usable=data.games)
    if folder is not None:
        plot_values(data, folder / "values.png")
    return _result(values_tables(data, settings), len(found), len(logs))


def _gather(
    collect: Callable[[Path], _Item],
    logs: Sequence[Path],
    workers: int,
    *,
    read: Callable[[Path], _Item | None] | None = None,
    write: Callable[[Path, _Item], None] | None = None,
) -> dict[int, _Item]:
    """Return what is collected from each log, by its index; after Ctrl-C, what was by then.

    Parameters
    ----------
    collect : callable
    logs : sequence of Path
    workers : int
    read : callable, optional
        Returns what was kept of a log by an earlier run, ``None`` if nothing.
    write : callable, optional
        Keeps what was collected from a log.

    Raises
    ------
    KeyboardInterrupt
        If nothing was.
    """
    found: dict[int, _Item] = {}
    with progress("games", len(logs)) as advance:
        for index, log in enumerate(logs):
            part = None if read is None else read(log)
            if part is not None:
                found[index] = part
                advance(1)

        def finished(index: int, part: _Item) -> None:
            found[index] = part
            if write is not None:
                write(logs[index], part)
            advance(1)

        _collect(collect, {at: log for at, log in enumerate(logs) if at not in found}, workers, finished)
    if not found:
        raise KeyboardInterrupt
    return found


def _collect(
    collect: Callable[[Path], _Item],
    logs: Mapping[int, Path],
    workers: int,
    finished: Callable[[int, _Item], None],
) -> None:
    """Hand over what is collected from each log as soon as it is; Ctrl-C ends that, and the workers."""
    if not logs:
        return
    try:
        with WorkerPool(workers, ignore_interrupts=True) as pool:
            try:
                running = {pool.submit(collect, log): number for number, log in logs.items()}
                for done in as_completed(running):
                    finished(running[done], done.result())
            finally:
                pool.end()
    except KeyboardInterrupt:
        pass  # the caller sees that some are missing


def _result(text: str, finished: int, logs: int) -> RunResult:
    """Return the result of a run, with a line above its tables if they lack some logs."""
    if finished == logs:
        return RunResult(text, complete=True)
    return RunResult(f"interrupted after {finished} of {counted(logs, 'log')}\n\n{text}", complete=False)


def losses(logs: Sequence[Path], workers: int, target: Path, last_round: int | None = None) -> RunResult:
    """Write what players lose by their decisions, as data, if all games are in them."""
    games = _from_games(partial(losses_of_log, last_round=last_round), logs, workers)
    seats = [seat for game in games.usable for seat in game]
    if not seats:
        raise LogError("no seat of these games has enough decisions")
    found = distribution_of(seats, len(games.usable))
    games.write(target, found)
    return games.result(losses_table(found))


def hands(logs: Sequence[Path], workers: int, target: Path) -> RunResult:
    """Write how far from tenpai hands are, by calls and discards, as data, if all games are in them.

    Games held out from training are left out, if there are others.
    """
    logs = [log for log in logs if not is_validation(log.name)] or logs
    games = _from_games(hands_of_log, logs, workers)
    found = hands_data(np.sum(games.usable, axis=0), len(games.usable))
    games.write(target, found)
    return games.result(hands_table(found))


def rollouts(logs: Sequence[Path], worlds: int, workers: int, last_round: int | None = None) -> RunResult:
    """Judge the worlds of rollouts, and say what they change, over some games."""
    collect = partial(rollouts_of_log, worlds=worlds, last_round=last_round)
    games = _from_games(collect, logs, workers, tuple)
    return games.result(rollout_tables(join_rollouts(games.usable), len(games.usable), worlds))


def _from_games(
    collect: Callable[[Path], list[_Item | str]],
    logs: Sequence[Path],
    workers: int,
    tables_of: Callable[[_Item], Iterable[Records]] = lambda _item: (),
) -> _Games[_Item]:
    """Return what was collected from the games that could be used; report the lines on the others.

    ``collect`` returns for each game of a log what is collected from it, or a line on why that cannot be;
    games are numbered in the tables that ``tables_of`` returns of it.
    """
    found = _gather(collect, logs, workers)
    in_order = (found.get(index, []) for index in range(len(logs)))
    taken = [one for of_log in with_game_numbers(in_order, len(logs), tables_of) for one in of_log]
    usable = [one for one in taken if not isinstance(one, str)]
    _report_skipped([one for one in taken if isinstance(one, str)], usable=len(usable))
    return _Games(usable, len(found), len(logs))


def _report_skipped(skipped: Sequence[str], *, usable: int) -> None:
    for line in skipped:
        report(f"skipped {printable(line, MESSAGE)}")
    if not usable:
        raise LogError(f"no game could be used: {skipped[0]}")
