"""Final places beside those reached: figures that came true."""

import numpy as np

from manue.validation.placement import ROUND_STARTS, placement_tables


def test_figures_that_came_true_are_counted():
    rows = np.zeros(4_000, ROUND_STARTS)
    rows["game"], rows["last_round"], rows["rank"] = np.arange(4_000), 3, np.arange(4_000) % 4
    rows["place"] = np.arange(4_000) // 4 % 4
    rows["predicted"] = rows["as_hanchan"] = 0.25
    assert "16 figures of 1,000 cases or more:\n16 within 0.02," in placement_tables(rows)
    rows["predicted"][rows["rank"] == 0] = [0.4, 0.2, 0.2, 0.2]
    assert "\n12 within 0.02," in placement_tables(rows)
    assert ", 12 within that or two standard errors" in placement_tables(rows)
