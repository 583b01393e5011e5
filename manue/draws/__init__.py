"""Winning by the own draws: target hands within reach, Monte Carlo draws, P(win) and points."""
