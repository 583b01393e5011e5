"""A riichi mahjong player that speaks the Mjai protocol and explains every choice.

The names below are the library; ``docs/library.md`` shows them at work. Each is imported when it is first
used, so that ``import manue`` itself takes no time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from manue.agents.base import Agent, Decider, Decision
    from manue.agents.registry import make_agent
    from manue.api.decisions import evaluate, evaluate_lines
    from manue.api.hands import readings, score_win, shanten, ukeire
    from manue.api.matches import play_match
    from manue.api.reviews import review_record
    from manue.bot import Bot
    from manue.decision.report import Report
    from manue.errors import ManueError
    from manue.protocol.annotation import decision_table

__version__ = "0.2.0"
__all__ = [
    "Agent",
    "Bot",
    "Decider",
    "Decision",
    "ManueError",
    "Report",
    "decision_table",
    "evaluate",
    "evaluate_lines",
    "make_agent",
    "play_match",
    "readings",
    "review_record",
    "score_win",
    "shanten",
    "ukeire",
]

_HOMES = {
    "Agent": "manue.agents.base",
    "Bot": "manue.bot",
    "Decider": "manue.agents.base",
    "Decision": "manue.agents.base",
    "ManueError": "manue.errors",
    "Report": "manue.decision.report",
    "decision_table": "manue.protocol.annotation",
    "evaluate": "manue.api.decisions",
    "evaluate_lines": "manue.api.decisions",
    "make_agent": "manue.agents.registry",
    "play_match": "manue.api.matches",
    "readings": "manue.api.hands",
    "review_record": "manue.api.reviews",
    "score_win": "manue.api.hands",
    "shanten": "manue.api.hands",
    "ukeire": "manue.api.hands",
}
"""Where each name is defined."""


def __getattr__(name: str) -> Any:
    """Import a name of the library when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
