"""Winning by one's own draws: target hands within reach, Monte Carlo draws, P(win) and points."""
