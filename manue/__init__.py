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
    from manue.api.records import evaluate_record, read_record
    from manue.api.reviews import review_record
    from manue.bot import Bot
    from manue.decision.report import Report
    from manue.errors import ManueError
    from manue.game.actions import Action, Call, Discard, NineTerminals, Pass, Riichi, Win, win_among
    from manue.game.state import RoundState
    from manue.protocol.annotation import decision_table
    from manue.rules import Length, RulesName

__version__ = "0.2.0"
__all__ = [
    "Action",
    "Agent",
    "Bot",
    "Call",
    "Decider",
    "Decision",
    "Discard",
    "Length",
    "ManueError",
    "NineTerminals",
    "Pass",
    "Report",
    "Riichi",
    "RoundState",
    "RulesName",
    "Win",
    "decision_table",
    "evaluate",
    "evaluate_lines",
    "evaluate_record",
    "make_agent",
    "play_match",
    "read_record",
    "readings",
    "review_record",
    "score_win",
    "shanten",
    "ukeire",
    "win_among",
]

_HOMES = {
    "Action": "manue.game.actions",
    "Agent": "manue.agents.base",
    "Bot": "manue.bot",
    "Call": "manue.game.actions",
    "Decider": "manue.agents.base",
    "Decision": "manue.agents.base",
    "Discard": "manue.game.actions",
    "Length": "manue.rules",
    "ManueError": "manue.errors",
    "NineTerminals": "manue.game.actions",
    "Pass": "manue.game.actions",
    "Report": "manue.decision.report",
    "Riichi": "manue.game.actions",
    "RoundState": "manue.game.state",
    "RulesName": "manue.rules",
    "Win": "manue.game.actions",
    "decision_table": "manue.protocol.annotation",
    "evaluate": "manue.api.decisions",
    "evaluate_lines": "manue.api.decisions",
    "evaluate_record": "manue.api.records",
    "make_agent": "manue.agents.registry",
    "play_match": "manue.api.matches",
    "read_record": "manue.api.records",
    "readings": "manue.api.hands",
    "review_record": "manue.api.reviews",
    "score_win": "manue.api.hands",
    "shanten": "manue.api.hands",
    "ukeire": "manue.api.hands",
    "win_among": "manue.game.actions",
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
