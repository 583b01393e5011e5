"""The drill with a part of its inputs and much patience; all of it with MANUE_FULL."""

import pytest

from tests.attacks import drill
from tests.conftest import FULL

pytest.importorskip("riichienv")
drill.load()
PATIENCE = 20.0
"""Factor for the times that are promised: a machine that runs tests is busy."""


@pytest.mark.timeout(3600)
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # of connections that hostile ends leave behind
@pytest.mark.parametrize("name", drill.ATTACKS)
def test_an_attack(name):
    attack = drill.ATTACKS[name]
    if not (FULL or attack.part):
        pytest.skip("takes too long without MANUE_FULL=1")
    row, _ = drill.run(attack, 1.0 if FULL else attack.part, PATIENCE)
    assert row.failures == []
