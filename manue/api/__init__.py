"""What ``import manue`` offers, by topic; each module is imported when one of its names is first used.

Imports `hand`, `game`, `agents`, `rollouts`, `player`, `protocol`, `records`, `table`, `review` and `match`.
"""
