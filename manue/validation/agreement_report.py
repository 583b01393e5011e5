"""Results of ``manue calibrate --agreement`` as Markdown."""

from collections.abc import Iterator

import numpy as np

from manue.arrays import Bool, Records
from manue.as_text import counted, known, percent
from manue.intervals import clustered_error, with_spread
from manue.training.quality import mean
from manue.validation.agreement import ACTION_TYPES
from manue.validation.tables import by_threat

MAX_SHANTEN = 4
"""Discards that leave this shanten or more are taken together."""
CALLS_HEADER = (
    "| declared or called | possible | by people | by us | precision | recall | agreement | points lost "
    "| placement lost |"
)
FOLLOWED_HEADER = (
    "| decision | n | predicted P(win) | won | predicted points of wins | points won | dealt in "
    "| P(win) of ours |"
)
EFFICIENCY_HEADER = (
    "| discards that could leave | n | agreement | lowest shanten: people | us "
    "| most useful tiles of these: people | us |"
)


def agreement_tables(rows: Records, spec: str, games: int) -> str:
    """Return the tables on the agreement with people's choices."""
    judged = f"{counted(games, 'game')}, judged"
    lines = [
        "# Agreement with the choices made",
        "",
        f"{judged} by {spec}. Discards are compared by kind, where there was a choice between",
        "kinds; calls and riichi where they were possible and the answer is known.",
        "",
        "| discards | n | agreement | points lost | placement lost |",
        "|---|---|---|---|---|",
        *(_discard_line(title, rows[mask]) for title, mask in by_threat(rows).items()),
        "",
        *_efficiency_lines(rows),
        CALLS_HEADER,
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for number, name in enumerate(ACTION_TYPES[1:], 1):
        for title, mask in by_threat(rows).items():
            lines.append(_call_line(f"{name}, {title}", rows[mask & (rows["type"] == number)]))
    lines += [
        "",
        "Lost: our best option minus the option chosen, as we rate them; mean over these decisions.",
        "",
        *_followed_lines(rows),
    ]
    return "\n".join(lines)


def _discard_line(title: str, rows: Records) -> str:
    rows = rows[rows["type"] == 0]
    return f"| {title} | {len(rows):,} | {_percent(rows['ours'])} | {_lost(rows)} |"


def _efficiency_lines(rows: Records) -> Iterator[str]:
    """Compare how often people and we take the shortest way to a win, by the shanten that it leaves."""
    rows = rows[(rows["type"] == 0) & (rows["shanten"] >= 0)]
    yield EFFICIENCY_HEADER
    yield "|---|---|---|---|---|---|---|"
    shanten = np.minimum(rows["shanten"], MAX_SHANTEN)
    for level in range(MAX_SHANTEN + 1):
        for title, mask in by_threat(rows).items():
            part = rows[mask & (shanten == level)]
            if title != "all" and len(part):
                names = ("ours", "people_lowest", "ours_lowest", "people_widest", "ours_widest")
                shares = " | ".join(_percent(part[name]) for name in names)
                more = " or more" if level == MAX_SHANTEN else ""
                yield f"| {level}-shanten{more}, {title} | {len(part):,} | {shares} |"
    yield ""


def _call_line(title: str, rows: Records) -> str:
    people, ours = rows["people"], rows["ours"]
    return (
        f"| {title} | {len(rows):,} | {people.sum():,} | {ours.sum():,} | {_percent(people[ours])} "
        f"| {_percent(ours[people])} | {_percent(people == ours)} | {_lost(rows)} |"
    )


def _followed_lines(rows: Records) -> Iterator[str]:
    """Yield what followed people's choice, beside our predictions for it: which estimate is off."""
    rated = rows[~np.isnan(rows["predicted_win"])]
    if not len(rated):
        return
    yield "What followed people's choice, beside our predictions for it; and the P(win) of our own choice."
    yield "Points are without the honba and deposits there at the choice; ± is one standard error, by game."
    yield ""
    yield FOLLOWED_HEADER
    yield "|---|---|---|---|---|---|---|---|"
    for number, name in enumerate(ACTION_TYPES[1:], 1):
        of_type = rated[rated["type"] == number]
        people, ours = of_type["people"], of_type["ours"]
        for title, part in (
            ("both take it", of_type[people & ours]),
            ("only people take it", of_type[people & ~ours]),
            ("only we take it", of_type[~people & ours]),
            ("neither takes it", of_type[~people & ~ours]),
        ):
            if len(part):
                yield _followed_line(f"{name}: {title}", part)
    yield ""


def _followed_line(title: str, rows: Records) -> str:
    won = rows[rows["won"]]
    error = clustered_error(rows["won"].astype(np.float64), rows["game"])
    observed = with_spread(f"{rows['won'].mean():.3f}", error, 3)
    preferred = rows["preferred_win"][~np.isnan(rows["preferred_win"])]
    points = " | ".join(known(mean(won[name]), ".0f") for name in ("predicted_points", "won_points"))
    return (
        f"| {title} | {len(rows):,} | {rows['predicted_win'].mean():.3f} "
        f"| {observed} | {points} | {rows['dealt_in'].mean():.3f} | {known(mean(preferred), '.3f')} |"
    )


def _percent(hits: Bool) -> str:
    return percent(mean(hits))


def _lost(rows: Records) -> str:
    return " | ".join(
        known(mean(rows[name][~np.isnan(rows[name])]), form)
        for name, form in (("lost_points", ".0f"), ("lost_rank", ".4f"))
    )
