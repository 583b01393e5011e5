"""What all trainers share."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from manue.training.framework import GAME_PARTS, part_of_game

GAMES = st.lists(st.tuples(st.integers(0, 10_000), st.integers(1, 30)), min_size=1, max_size=60)


@given(GAMES, st.randoms())
def test_a_cross_validation_keeps_the_rows_of_a_game_together(games, random):
    rows = [game for game, size in games for _ in range(size)]
    random.shuffle(rows)
    of_row = part_of_game(np.array(rows))
    parts = {game: {int(i) for i in of_row[np.array(rows) == game]} for game in set(rows)}
    assert all(len(found) == 1 for found in parts.values())
    sizes = np.bincount([found.pop() for found in parts.values()], minlength=GAME_PARTS)
    assert len(sizes) == GAME_PARTS
    assert sizes.max() - sizes.min() <= 1
