"""The review of a game just played: computed once, in its own thread."""

import threading

import pytest

from manue.errors import LogError
from manue.webtable.game_review import GameReview
from tests.webtable.players import WAIT


class PausedReview:
    """Computes up to a share of the game, and after ``go_on`` to its result."""

    def __init__(self, *results):
        self.results = list(results)
        self.calls = 0
        self.waits, self.go_on = threading.Semaphore(0), threading.Semaphore(0)

    def __call__(self, judged):
        result = self.results[self.calls]
        self.calls += 1
        judged(0.25)
        self.waits.release()
        assert self.go_on.acquire(timeout=WAIT)
        if isinstance(result, Exception):
            raise result
        return result


def ended(paused, review):
    """Let the computing end, and wait for its thread."""
    paused.go_on.release()
    for thread in threading.enumerate():
        if thread.name == "review":
            thread.join(WAIT)
    return review.page, review.failure


def test_a_review_is_computed_once_however_often_it_is_asked_for():
    paused = PausedReview("the page")
    review = GameReview(paused)
    assert paused.calls == 0
    review.begin()
    assert paused.waits.acquire(timeout=WAIT)
    review.begin()
    assert (review.page, review.share, review.failure) == (None, 0.25, None)
    assert ended(paused, review) == ("the page", None)
    review.begin()
    assert paused.calls == 1


def test_a_review_that_failed_is_tried_again(capsys):
    paused = PausedReview(LogError("game.mjson.gz: No such file\n"), "the page")
    review = GameReview(paused)
    review.begin()
    assert ended(paused, review) == (None, "log")
    assert capsys.readouterr().err == "manue: game.mjson.gz: No such file\\n\n"
    review.begin()
    assert ended(paused, review) == ("the page", None)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_error_of_our_own_leaves_nobody_waiting():
    paused = PausedReview(ZeroDivisionError())
    review = GameReview(paused)
    review.begin()
    assert ended(paused, review) == (None, "error")
