"""One game on this machine: the referee (riichienv), whoever answers for a seat, and the result.

Imports `game`, `models`, `agents`, `player`, `protocol` and `records`.
"""
