"""Game records of every format as events, and the decisions in them.

Imports `game`, `models` and `protocol`.
"""
