"""Tables that end with the test."""

import pytest

from tests.browsing import browser, node_modules
from tests.webtable.players import Seated

__all__ = ["browser", "node_modules"]
pytest.importorskip("riichienv")


@pytest.fixture
def sit_down(tmp_path):
    """Start games; whatever is still being played at the end is left."""
    started = []

    def start(**settings):
        seated = Seated(tmp_path / f"game-{len(started)}.mjson.gz", **settings)
        started.append(seated)
        return seated

    yield start
    for seated in started:
        seated.leave()
