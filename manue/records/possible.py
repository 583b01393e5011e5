"""Whether the events of a record can follow one another, as the seats whose hands it shows see them."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from manue.errors import EventError, LogError
from manue.game.events import RoundStart
from manue.game.state import RoundState
from manue.records.archive import LogEntry
from manue.records.open_hands import open_hands
from manue.rules import Rules


def apply_entry(states: Iterable[RoundState], entry: LogEntry, source: str) -> None:
    """Apply an entry with an event to states; raises LogError, naming ``source``, if it is impossible."""
    assert entry.event is not None  # noqa: S101  the callers skip the others
    with named_place(entry, source):
        for state in states:
            state.apply(entry.event)


@contextmanager
def named_place(entry: LogEntry, source: str) -> Iterator[None]:
    """Turn an EventError into a LogError that names ``source`` and the place of the entry in it."""
    try:
        yield
    except EventError as error:
        raise LogError(f"{source}, {entry.where}: {error}") from None


def first_impossible(
    game: Sequence[LogEntry], source: str, rules: Rules
) -> tuple[int, LogError] | tuple[None, None]:
    """Return which entry is the first that cannot follow those before it, and why; ``None`` if all can.

    A game without a round is not checked.
    """
    if not any(isinstance(entry.event, RoundStart) for entry in game):
        return None, None
    states = [RoundState(seat, rules) for seat, is_open in enumerate(open_hands(game)) if is_open]
    for at, entry in enumerate(game):
        try:
            if entry.event is not None:
                apply_entry(states, entry, source)
        except LogError as error:
            return at, error
    return None, None
