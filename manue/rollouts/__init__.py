"""Playing on: whole rounds from a decision, with all four seats, in worlds that agree with what is seen.

Imports `game`, `features`, `sim`, `models`, `decision` and `agents`.
"""
