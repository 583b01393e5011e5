"""Learns `models/policy.npz`: the policy net, from the discards, declarations and calls of recorded games."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from manue.arrays import F32, F64, I64, Bool
from manue.as_text import counted, known
from manue.errors import LogError
from manue.models.files import write_model
from manue.models.policy import NAME, NET_COLUMNS
from manue.progress import progress
from manue.sim.columns import CALL_AT, CONTEXT_AT
from manue.sim.net import SHAPES, WIDE_SHAPES, NetShape
from manue.training.dataset import is_validation
from manue.training.page import put_section
from manue.training.policy_examples import TrainingExamples, examples_of
from manue.training.policy_net import Layers, Schedule, fit, flat, picks
from manue.training.quality import mean

RATES = {"discard": 1.5e-3, "riichi": 2e-3, "call": 2e-3}
"""Learning rates of the nets."""
WIDE_DECAYS = {"discard": 0.2, "riichi": 0.3, "call": 0.2}
"""Decay of the weights of wide nets, which would else learn games by heart."""
WIDE_RATE, WIDE_BATCH = 2e-3, 1024
_CALLS = {
    "chi": CALL_AT.chi,
    "pon": CALL_AT.pon,
    "open kan": CALL_AT.open_kan,
    "closed kan": CALL_AT.closed_kan,
    "added kan": CALL_AT.added_kan,
}

Say = Callable[[str], None]


def learn_policy(
    logs: Sequence[Path], out: Path, *, epochs: int, seed: int, say: Say, wide: bool = False
) -> list[str]:
    """Learn the policy net, write it to a folder, and describe it in the folder's page of models.

    Parameters
    ----------
    logs : sequence of Path
        Game logs with all hands open; one game in eight is held out, by name.
    out : Path
        Folder of the models, created if missing.
    epochs, seed : int
    say : callable
        Called with what is being done.
    wide : bool
        Learn wide nets.

    Returns
    -------
    list of str
        Why logs, or games of them, could not be used.

    Raises
    ------
    LogError
        If no game is left for training or for validation, or nothing to learn one of the nets from.
    """
    say("reading games")
    with progress("reading games", len(logs)) as advance:
        learned_from, held_out_from = (
            examples_of(_each([log for log in logs if is_validation(log.name) is validation], advance))
            for validation in (False, True)
        )
    learned, held_out = learned_from.examples, held_out_from.examples
    skipped = [*learned_from.skipped, *held_out_from.skipped]
    _refuse_few(len(logs), learned, held_out, skipped)
    rows: list[F32] = []
    games = learned_from.games + held_out_from.games
    report = list(_head(games, learned, held_out))
    for at, (name, shape) in enumerate((WIDE_SHAPES if wide else SHAPES).items()):
        rng = np.random.default_rng([seed, at])
        arrays = _fit(name, shape, learned[name], epochs, rng, say)
        rows.append(flat(arrays))
        report += _quality(name, held_out[name], *picks(arrays, held_out[name], declines=name != "discard"))
    out.mkdir(parents=True, exist_ok=True)
    text = "\n".join(report)
    meta = {"columns": NET_COLUMNS, "seed": seed, "epochs": epochs, "games": games, "report": text}
    write_model(out / f"{NAME}.npz", {"weights": np.concatenate(rows)}, meta)
    put_section(out, NAME)
    return skipped


def _refuse_few(
    logs: int,
    learned: dict[str, TrainingExamples],
    held_out: dict[str, TrainingExamples],
    skipped: Sequence[str],
) -> None:
    """Raise LogError if there is nothing to learn one of the nets from, or nothing to measure them on."""
    few = f"{counted(logs, 'log')} {'is' if logs == 1 else 'are'} too few"
    reason = f" ({skipped[0]})" if skipped else ""
    if not (len(learned["discard"]) and len(held_out["discard"])):
        raise LogError(f"{few}: none is left for training or for validation{reason}")
    missing = [name for name in SHAPES if not len(learned[name])]
    if missing:
        raise LogError(f"{few}: no {' or '.join(missing)} was possible in the games for training{reason}")


def _fit(
    name: str, shape: NetShape, choices: TrainingExamples, epochs: int, rng: np.random.Generator, say: Say
) -> Layers:
    """Learn one of the nets."""
    if shape == WIDE_SHAPES[name]:
        schedule = Schedule(epochs, WIDE_RATE, WIDE_DECAYS[name], WIDE_BATCH)
    else:
        schedule = Schedule(epochs, RATES[name])
    return fit(shape, choices, schedule, rng, lambda text: say(f"{name}: {text}"), declines=name != "discard")


def _each(logs: Sequence[Path], advance: Callable[[int], None]) -> Iterator[Path]:
    """Yield the logs, counting each as done when the next is asked for."""
    for log in logs:
        yield log
        advance(1)


def _head(
    number: int, learned: dict[str, TrainingExamples], held_out: dict[str, TrainingExamples]
) -> Iterator[str]:
    games = counted(number, "game")
    yield (
        f"Written by `manue learn`: what strong players do, from {games}. Choices to learn from, "
        "and held out: "
        + "; ".join(f"{name} {len(learned[name]):,}, {len(held_out[name]):,}" for name in SHAPES)
        + "."
    )
    yield ""
    yield "| choice | n | chosen as people do | log loss | precision | recall |"
    yield "|---|---|---|---|---|---|"


def _quality(name: str, held_out: TrainingExamples, picked: I64, likely: F64) -> Iterator[str]:
    same = picked == held_out.chosen
    loss = -np.log(np.maximum(likely, 1e-9))
    if name == "discard":
        threat = held_out.context[:, CONTEXT_AT.threats] > 0
        for label, which in (("discard", np.ones_like(threat)), ("... a riichi on the table", threat)):
            if not which.any():
                continue
            yield f"| {label} | {which.sum():,} | {same[which].mean():.4f} | {loss[which].mean():.4f} | | |"
        return
    for label, which in _sorts(name, held_out):
        if which.any():
            did, would = held_out.chosen[which] >= 0, picked[which] >= 0
            right = did & would & same[which]
            precision, recall = (known(mean(right[part]), ".3f") for part in (would, did))
            cells = f"{same[which].mean():.4f} | {loss[which].mean():.4f} | {precision} | {recall}"
            yield f"| {label} | {which.sum():,} | {cells} |"


def _sorts(name: str, held_out: TrainingExamples) -> Iterator[tuple[str, Bool]]:
    """Yield the sorts of a net's choices; a choice of several belongs to the sort of its first option."""
    if name == "riichi":
        yield "riichi", np.ones(len(held_out), np.bool_)
        return
    first = held_out.rows[held_out.starts[:-1]]
    for label, column in _CALLS.items():
        yield label, np.asarray(first[:, column] > 0, np.bool_)
