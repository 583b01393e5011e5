"""What the judges of legality share: seats that follow a game, and the comparison with a referee's set."""

from collections.abc import Iterable, Sequence

from manue.game.actions import Action
from manue.game.consistency import problems
from manue.game.events import Event
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.protocol.codec import matches, message_to_event
from manue.protocol.messages import Choice
from manue.protocol.parsing import parse_choice_value, parse_value


def event_of(fields: dict) -> Event:
    """Return the event that a decoded message of a host reports."""
    event = message_to_event(parse_value(fields))
    assert event is not None, fields
    return event


def follow(state: RoundState, event: Event) -> tuple[Action, ...]:
    """Apply an event, demand a state without problems, and return what may be done then."""
    state.apply(event)
    assert problems(state) == [], event
    actions = legal_actions(state)
    assert len(set(actions)) == len(actions)
    return actions


def choices_of(entries: Iterable[dict]) -> list[Choice]:
    return [parse_choice_value(entry) for entry in entries]


def differences(ours: Sequence[Action], theirs: Sequence[Choice]) -> list[str]:
    """Name what one side allows and the other does not."""
    missing = [f"missing {_fields(choice)}" for choice in theirs if not any(matches(choice, a) for a in ours)]
    extra = [f"extra {action}" for action in ours if not any(matches(choice, action) for choice in theirs)]
    return missing + extra


def _fields(choice: Choice) -> dict:
    return choice.model_dump(exclude_none=True)
