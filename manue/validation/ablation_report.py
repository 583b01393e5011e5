"""Results of ``manue calibrate --ablation`` as Markdown."""

from collections.abc import Iterator

import numpy as np

from manue.arrays import Bool
from manue.as_text import counted
from manue.decision.settings import Settings
from manue.training.quality import AMOUNT_HEADER, QUALITY_HEADER, amount_quality, quality
from manue.validation.ablation import AS_IN_PLAY, EVERY, LEARNED, Ablation
from manue.validation.tables import MIN_ROWS, chance_error, constant


def ablation_tables(data: Ablation, games: int, settings: Settings) -> str:
    """Return the quality of every version of the draws, for all discards and for those in riichi."""
    rows = data[AS_IN_PLAY]
    draws = counted(settings.mc_draws, "Monte Carlo draw")
    lines = [
        "# The Monte Carlo draws without their corrections",
        "",
        f"{counted(games, 'game')}, one discard in {EVERY} ({len(rows):,} in all),",
        f"{draws}. Each version lacks one correction; all draw the same tiles.",
        "",
    ]
    for part, mask in (("every discard", np.ones(len(rows), np.bool_)), ("in riichi", rows["riichi"])):
        if mask.sum() >= MIN_ROWS:
            lines += _part_tables(data, part, np.asarray(mask, np.bool_))
    return "\n".join(lines)


def _part_tables(data: Ablation, part: str, mask: Bool) -> Iterator[str]:
    rows = data[AS_IN_PLAY][mask]
    yield from (f"## P(win), {part}", "", QUALITY_HEADER)
    yield quality(constant(rows["won"]), rows["won"]).row("constant")
    for name, predicted in data.items():
        yield quality(predicted["prob"][mask], rows["won"]).row(name)
    learned = data[LEARNED][mask]
    by_chance = chance_error(learned, learned["prob"])
    yield from ("", f"{LEARNED}: ECE expected by chance if it were exactly right {by_chance:.4f}", "")
    known = mask & data[AS_IN_PLAY]["won"] & ~np.isnan(data[AS_IN_PLAY]["points"])
    points = data[AS_IN_PLAY]["points"][known]
    if len(points) < MIN_ROWS:
        return
    yield from (f"## Points of the wins, {part}", "")
    yield "Without honba and sticks; the afterstate model is compared with those that others pay later."
    yield from ("", AMOUNT_HEADER)
    yield amount_quality(constant(points), points).row("constant")
    for name, predicted in data.items():
        yield amount_quality(predicted["win_points"][known], predicted["points"][known]).row(name)
    yield ""
