"""Winning by a seat's own draws: the target hands within reach, Monte Carlo draws, P(win) and points.

Imports `hand` and `features`.
"""
