"""Whole games seen from all four seats: what was played was legal, and won what the log says."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from manue.game.actions import Action
from manue.game.events import Won
from manue.game.state import RoundState
from manue.game.win import score_of_win
from manue.protocol.codec import matches, message_to_choice
from manue.records.archive import LogEntry, read_log
from tests.conftest import FULL
from tests.game.judging import follow

ANSWERED_BEFORE = {"dora", "reach_accepted", "hora"}
"""Messages that may stand between a decision and what was decided."""


@dataclass
class Replay:
    """Four seats at one recorded game."""

    states: list[RoundState] = field(default_factory=lambda: [RoundState(seat) for seat in range(4)])
    legal: list[tuple[Action, ...]] = field(default_factory=lambda: [()] * 4)
    played: int = 0
    wins: int = 0

    def run(self, entries: Iterator[LogEntry]) -> None:
        for entry in entries:
            self.demand_that_it_was_legal(entry)
            if isinstance(entry.event, Won):
                self.demand_its_points(entry)
            for seat, state in enumerate(self.states):
                actions = follow(state, entry.event)
                if entry.message.type not in ANSWERED_BEFORE:
                    self.legal[seat] = actions

    def demand_that_it_was_legal(self, entry: LogEntry) -> None:
        choice = message_to_choice(entry.message)
        if choice is None:
            return
        seat = self.states[0].turn if choice.actor is None else choice.actor
        self.played += 1
        assert any(matches(choice, action) for action in self.legal[seat]), entry

    def demand_its_points(self, entry: LogEntry) -> None:
        win = entry.event
        state = self.states[win.actor]
        if win.points is None or state.winners:
            return
        score = score_of_win(state, win.tile, win.source, ura_indicators=win.ura_indicators)
        self.wins += 1
        assert score is not None, entry
        assert score.total - 300 * state.honba == win.points, (entry, score)


def test_games_with_rare_events(rare_logs):
    replay_all(rare_logs)


def test_unselected_records(records):
    """Three of them, with MANUE_FULL=1 a hundred."""
    logs = sorted((records / "hanchan").iterdir())
    replay_all(logs[:: max(1, len(logs) // (100 if FULL else 3))])


def replay_all(paths: list[Path]) -> None:
    played = wins = 0
    for path in paths:
        replay = Replay()
        replay.run(read_log(path))
        played += replay.played
        wins += replay.wins
    print(f"{len(paths)} games, {played} actions, {wins} wins")
    assert played > 300 * len(paths)
    assert wins > 5 * len(paths)
