"""The seat of a person: events become frames for the page, the numbers of options come back as actions.

The page knows no rules. What it shows comes from `RoundState`, what may be chosen from `legal_actions`, and
the referee checks every reply as it does those of all other seats.
"""

import time
from collections.abc import Sequence
from typing import Any

from manue.errors import SeatFault
from manue.game.actions import Action, Discard, Riichi
from manue.game.events import GameEnd, RoundDrawn, RoundEnd, RoundStart, Won
from manue.game.legal import legal_actions, riichi_discards
from manue.game.state import RoundState
from manue.protocol.codec import action_to_fields
from manue.records.archive import LogEntry, entry_of
from manue.review.events import event_facts
from manue.review.frames import Json, frame_of, is_shown, round_facts
from manue.rules import Rules
from manue.table.mjai_ruby import MjaiRubyView
from manue.table.seats import Answer, SeatPlayer, TableEvent
from manue.tiles import Seat
from manue.webtable.hints import Advisor, Question, options_data
from manue.webtable.screen import Screen
from manue.webtable.wire import Choose, FromPage, Proceed, SetHelp


class PersonSeat(SeatPlayer):
    """A person at a page. There is no time limit.

    A choice that is not among the legal ones, or that answers an earlier request, is refused and asked for
    again; it costs nothing. The only legal action is taken without asking.

    Parameters
    ----------
    seat : int
    rules : Rules
    screen : Screen
    advisor : Advisor
    """

    def __init__(self, seat: Seat, rules: Rules, screen: Screen, advisor: Advisor) -> None:
        self._seat = seat
        self._view = MjaiRubyView(seat, rules)
        self._state = RoundState(seat, rules)
        self._screen = screen
        self._advisor = advisor
        self._request = 0
        self._round: Json = {}
        self._follow_up: Discard | None = None
        self._entry: LogEntry | None = None

    def observe(self, events: Sequence[TableEvent], *, asked: bool) -> Answer | None:
        """Show every event; wait for the player's choice if there is one to make.

        Who leaves at the result of the last round has played the game to its end.
        """
        try:
            for item in events:
                self._follow(item)
        except SeatFault:
            if not isinstance(events[-1].event, GameEnd):
                raise
        return self._answer() if asked else None

    # ---- what happens

    def _follow(self, item: TableEvent) -> None:
        self._entry = entry = self._entry_of(item)
        event = entry.event
        assert event is not None  # noqa: S101  the table sends only events
        before = list(self._state.scores)
        self._state.apply(event)
        if isinstance(event, RoundStart):
            self._round = round_facts(event, 0)
        if is_shown(entry):
            frame = frame_of({self._seat: self._state}, event, before, 0)
            self._screen.event(
                {"frame": frame, "round": self._round, "facts": event_facts(entry)},
                starts_round=isinstance(event, RoundStart),
                ends_round=isinstance(event, Won | RoundDrawn),
            )
        if isinstance(event, RoundEnd):
            self._pause()

    def _entry_of(self, item: TableEvent) -> LogEntry:
        """Return what the seat is sent: the message of the original server, with our names in it."""
        added: dict[str, Any] = {}
        if isinstance(item.event, Won):
            found = self._view.score_of(item.event)
            if found is not None:
                added["yaku_names"] = [f"{name} {han}" for name, han in found[1].yaku]
            added["pao"] = self._view.liable_payer(item.event)
        return entry_of("the table", self._view.message_for(item) | added)

    def _pause(self) -> None:
        """Wait until the player has seen the result of the round."""
        self._request += 1
        self._screen.ask({"id": self._request, "kind": "proceed"})
        while True:
            match self._hear():
                case Proceed(request=self._request):
                    self._screen.answered()
                    return
                case _:
                    self._screen.refuse("stale")

    # ---- choices

    def _answer(self) -> Answer:
        assert self._entry is not None  # noqa: S101  there is no choice before the first event
        started = time.monotonic()
        actions = legal_actions(self._state)
        planned, self._follow_up = self._follow_up, None
        if planned in actions:
            action: Action = planned
        elif len(actions) == 1:
            action = actions[0]
        else:
            action = self._choose(Question(self._entry, self._state, actions))
        return Answer(action_to_fields(action, self._seat), (time.monotonic() - started) * 1000)

    def _choose(self, question: Question) -> Action:
        self._request += 1
        options = options_data(question)["decision"]["options"]
        then = tuple(riichi_discards(self._state)) if Riichi() in question.actions else ()
        request = {
            "id": self._request,
            "kind": "choice",
            "options": [{key: option.get(key) for key in ("kind", "tiles", "drawn")} for option in options],
            "then": [{"tile": discard.tile, "drawn": discard.from_draw} for discard in then],
        }
        self._screen.ask(request)
        self._help(question)
        while True:
            message = self._hear(question)
            chosen = self._chosen(message, question.actions, then)
            if not chosen:
                continue
            self._screen.answered()
            if self._screen.level == "coach":
                self._screen.judge(self._advisor.judge(question, chosen))
            self._follow_up = next((one for one in chosen[1:] if isinstance(one, Discard)), None)
            return chosen[0]

    def _chosen(self, message: FromPage, actions: Sequence[Action], then: Sequence[Discard]) -> list[Action]:
        """Return the actions that a message means, none for one that is refused."""
        if not isinstance(message, Choose) or message.request != self._request:
            self._screen.refuse("stale")
            return []
        if message.option >= len(actions):
            self._screen.refuse("illegal")
            return []
        action = actions[message.option]
        if not isinstance(action, Riichi):
            return [action]
        if message.then is None or message.then >= len(then):
            self._screen.refuse("illegal")
            return []
        return [action, then[message.then]]

    def _hear(self, question: Question | None = None) -> FromPage:
        """Return the next message that is not about the help; show the help that is wanted now."""
        while isinstance(message := self._screen.hear(), SetHelp):
            if question is not None:
                self._help(question)
        return message

    def _help(self, question: Question) -> None:
        level = self._screen.level
        hint = self._advisor.hint(question, level)
        self._screen.hint({"id": self._request, "level": level, **(hint or {})})
