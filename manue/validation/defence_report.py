"""Results of ``manue calibrate`` on dealing in, its cost, folding and opponents' tenpai, as Markdown."""

from collections.abc import Iterator

import numpy as np

from manue.arrays import F64, Bool, Records
from manue.as_text import percent
from manue.intervals import clustered_error, with_spread
from manue.models.opponents import LOSS_SIZES, MANUE_LOSS
from manue.training.quality import (
    AMOUNT_HEADER,
    QUALITY_HEADER,
    amount_quality,
    continuous_ranked_scores,
    mean,
    quality,
)
from manue.validation.calibration import Calibration
from manue.validation.tables import MIN_ROWS, by_threat, constant, estimated, reliability_lines

SPREAD_HEADER = (
    "| losses | n | predicted sizes / mean | observed thirds / mean | below the smallest "
    "| to the middle | to the largest | above | CRPS | of the mean alone |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)


def defence_tables(data: Calibration) -> str:
    """Return the tables on everything that has to do with dealing in."""
    lines = [
        *_deal_in_section(data),
        *_loss_section(data.losses),
        *(_later_section(data.discards) if estimated(data.discards) else ()),
        *_fold_section(data.folds),
        *_tenpai_section(data.opponents),
    ]
    return "\n".join(lines)


def later_prob(rows: Records) -> F64:
    """Return the predicted P(dealing in with a later tile | nobody wins on this discard): float64[n]."""
    passes = np.maximum(1.0 - rows["deal_in_prob"], 1e-9)
    return np.asarray(rows["deal_in_later_prob"] / passes, np.float64)


def _deal_in_section(data: Calibration) -> Iterator[str]:
    kinds = data.kinds
    yield from ("## Dealing in, for every kind held at every discard", "", QUALITY_HEADER)
    parts = by_threat(kinds)
    for title, mask in parts.items():
        part = kinds[mask]
        if len(part) >= MIN_ROWS:
            yield quality(constant(part["wins"]), part["wins"]).row(f"{title}: constant")
            yield quality(part["prob"], part["wins"]).row(f"{title}: model")
    for title, mask in parts.items():
        if mask.sum() >= MIN_ROWS:
            name = "P(deal-in)" if title == "all" else f"P(deal-in), {title}"
            yield from reliability_lines(name, kinds["prob"][mask], kinds["wins"][mask], kinds["game"][mask])
    rows = data.discards
    yield from ("Only the tiles really discarded:", "", QUALITY_HEADER)
    yield quality(rows["deal_in_prob"], rows["dealt_in"]).row("model")
    yield ""


def _loss_section(losses: Records) -> Iterator[str]:
    yield from ("## What a deal-in costs, for every kind held that an opponent would win on", "")
    yield from ("Points without honba.", "", AMOUNT_HEADER)
    parts = _loss_parts(losses)
    for title, mask in parts.items():
        predicted, real = losses["mean"][mask], losses["points"][mask]
        if len(real) >= MIN_ROWS:
            classic = np.full(len(real), MANUE_LOSS)
            yield amount_quality(classic, real).row(f"{title}: constant {MANUE_LOSS:.0f}")
            yield amount_quality(constant(real), real).row(f"{title}: constant")
            yield amount_quality(predicted, real).row(f"{title}: model")
    yield from (
        "",
        f"Spread: the model predicts {LOSS_SIZES} equally likely sizes, the means of the thirds; about 17,",
        "33, 33 and 17 % of the losses should lie below, between and above them. CRPS: mean error of the",
        "distribution, in points; for the mean alone it is the mean absolute error.",
        "",
        SPREAD_HEADER,
    )
    for title, mask in parts.items():
        if mask.sum() >= MIN_ROWS:
            yield spread_line(title, losses[mask])
    yield ""


def _loss_parts(losses: Records) -> dict[str, Bool]:
    riichi = losses["riichi"]
    parts = {"all": np.ones(len(losses), np.bool_)}
    for title, mask in (("to a riichi", riichi), ("to a silent hand", ~riichi)):
        parts[title] = mask
        if mask.any():
            large = losses["mean"] > np.median(losses["mean"][mask])
            parts[f"{title}, predicted small"] = mask & ~large
            parts[f"{title}, predicted large"] = mask & large
    return parts


def spread_line(title: str, losses: Records) -> str:
    """Compare predicted sizes with observed points of LOSSES[n]: one line below `SPREAD_HEADER`."""
    means, sizes, points = losses["mean"], losses["sizes"], losses["points"]
    predicted = (sizes / means[:, None]).mean(0)
    thirds = [part.mean() for part in np.array_split(np.sort(points / means), LOSS_SIZES)]
    equal = np.full(sizes.shape, 1.0 / LOSS_SIZES)
    place = (points[:, None] > sizes).sum(1)
    shares = np.bincount(place, minlength=LOSS_SIZES + 1) / len(losses)
    columns = (
        " / ".join(f"{size:.2f}" for size in predicted),
        " / ".join(f"{size:.2f}" for size in thirds),
        *(percent(share) for share in shares),
        f"{mean(continuous_ranked_scores(sizes, equal, points)):.0f}",
        f"{np.abs(points - means).mean():.0f}",
    )
    return f"| {title} | {len(losses):,} | {' | '.join(columns)} |"


def _later_section(rows: Records) -> Iterator[str]:
    rows = rows[~rows["dealt_in"]]
    yield from ("## Dealing in with a later tile, after a discard that passed", "", QUALITY_HEADER)
    predicted, actual = later_prob(rows), rows["dealt_in_later"]
    for title, mask in by_threat(rows).items():
        if mask.sum() >= MIN_ROWS:
            yield quality(constant(actual[mask]), actual[mask]).row(f"{title}: constant")
            yield quality(predicted[mask], actual[mask]).row(f"{title}: model")
    yield from reliability_lines("P(dealing in later)", predicted, actual, rows["game"])


def _fold_section(folds: Records) -> Iterator[str]:
    dealt_in = folds["dealt_in"]
    yield from (
        "## Folding from here on",
        "",
        "From every discard on, the seat of the record discards its safest tiles, against the true hands.",
        "",
        QUALITY_HEADER,
        quality(constant(dealt_in), dealt_in).row("constant"),
        quality(folds["prob"], dealt_in).row("model"),
    )
    yield from reliability_lines("P(dealing in while folding)", folds["prob"], dealt_in, folds["game"])
    yield from ("| predicted cost of folding | n | points paid |", "|---|---|---|")
    order = np.argsort(folds["cost"], kind="stable")
    for part in np.array_split(order, 5):
        if len(part) >= MIN_ROWS:
            paid = folds["points"][part]
            observed = with_spread(f"{paid.mean():.0f}", clustered_error(paid, folds["game"][part]), 0)
            yield f"| {folds['cost'][part].mean():.0f} | {len(part):,} | {observed} |"
    yield ""


def _tenpai_section(opponents: Records) -> Iterator[str]:
    yield from ("## Tenpai of opponents without riichi", "", QUALITY_HEADER)
    yield quality(constant(opponents["is_tenpai"]), opponents["is_tenpai"]).row("constant")
    yield quality(opponents["tenpai"], opponents["is_tenpai"]).row("model")
    yield from reliability_lines("P(tenpai)", opponents["tenpai"], opponents["is_tenpai"], opponents["game"])
