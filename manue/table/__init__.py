"""One game on this machine: the referee (riichienv), whoever answers for a seat, and the result.

Imports `hand`, `game`, `models`, `agents`, `player`, `protocol` and `records`.
"""
