"""Players: each chooses one of the legal actions. What an agent is stands in `base`.

Imports `hand`, `game`, `features`, `models` and `decision`.
"""
