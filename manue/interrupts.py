"""Ctrl-C, SIGTERM and SIGHUP: answered alike, and put off while what they must not cut short is done."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any

from typing_extensions import Self

ENDING = (signal.SIGTERM, signal.SIGHUP)
"""Signals that end a command as Ctrl-C does; SIGHUP comes when the terminal is closed."""
SIGNALS = (signal.SIGINT, *ENDING)
MEANINGS: dict[int, str] = {
    signal.SIGINT: "interrupted",
    signal.SIGTERM: "terminated",
    signal.SIGHUP: "hung up",
}
"""What a command reports that a signal ended."""
_Handler = Callable[[int, FrameType | None], object]


def exit_code(number: int) -> int:
    """Return the exit code of a command that a signal ended, by the convention of shells."""
    return 128 + number


def set_handler(handler: _Handler) -> dict[int, Any]:
    """Set the handler of every signal of `ENDING`, except of ignored ones, as SIGHUP is under ``nohup``.

    Returns
    -------
    dict of int to handler
        The signals that have the new handler, with the ones that they had.
    """
    heard = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    return {number: signal.signal(number, handler) for number in heard}


class Interrupts:
    """Lets blocks of code run to their end, whatever signal comes: ``with Interrupts() as interrupts``.

    Inside, a signal that comes during a ``with interrupts.put_off()`` is answered at the end of that block,
    by the handler that was there before; one that comes at another time, at once. A signal without a Python
    handler keeps its effect, and outside the main thread, where none is answered, nothing changes.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._arrived: list[tuple[int, FrameType | None]] = []
        self._before: dict[int, _Handler] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                handler = signal.getsignal(number)
                if callable(handler):
                    self._before[number] = handler
                    signal.signal(number, self._answer)
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """Run a block without interruption; one that came meanwhile follows it."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if not self._depth and self._arrived:
                number, frame = self._arrived[0]
                self._arrived.clear()
                self._before[number](number, frame)

    def _answer(self, number: int, frame: FrameType | None) -> None:
        if self._depth:
            self._arrived.append((number, frame))
        else:
            self._before[number](number, frame)
