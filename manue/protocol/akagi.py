"""A decision as Akagi 3 takes it: a titled list of the best options beside the game, the tile of a riichi."""

from manue.agents.base import Decision
from manue.decision.report import Report
from manue.game.actions import Call, Discard, Riichi, Win
from manue.protocol.codec import Fields
from manue.tiles import Tile

MAX_OPTIONS = 5
"""Options shown."""
CHOSEN = "#00c080"


def card_of(decision: Decision) -> Fields:
    """Return the value of ``meta.show``."""
    items = [_item(report, chosen=not at) for at, report in enumerate(decision.reports[:MAX_OPTIONS])]
    return {"title": decision.note or "Manue", "items": items}


def riichi_tile(decision: Decision) -> Fields:
    """Return the ``pai`` of a ``reach`` for Akagi: the discard planned with it, if the agent reports one."""
    report = decision.chosen_report
    if not isinstance(decision.action, Riichi) or report is None or report.discard is None:
        return {}
    return {"pai": report.discard.tile}


def _item(report: Report, *, chosen: bool) -> Fields:
    item: Fields = {"label": report.label, "pais": _tiles(report)}
    if report.expected_rank is not None:
        item["value"] = f"place {report.expected_rank:.2f}"
    elif report.expected_points is not None:
        item["value"] = f"{report.expected_points:+.0f}"
    notes = [
        f"{name} {prob:.0%}"
        for name, prob in (("win", report.win_prob), ("deal in", report.deal_in_prob))
        if prob is not None
    ]
    if notes or report.note:
        item["note"] = ", ".join([*notes, *filter(None, [report.note])])
    return item | ({"color": CHOSEN} if chosen else {})


def _tiles(report: Report) -> list[Tile]:
    match report.discard or report.action:
        case Discard(tile) | Win(tile):
            return [tile]
        case Call(_, consumed, tile):
            return [*consumed, *filter(None, [tile])]
    return []
