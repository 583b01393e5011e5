"""Game records of every format as events, and the decisions in them.

Imports `hand`, `game`, `models` and `protocol`.
"""
