"""Predictions beside what was observed, and choices beside those of people, over records.

Imports `hand`, `game`, `features`, `sim`, `draws`, `models`, `decision`, `agents`, `player`, `rollouts`,
`records`, `review` and `training`.
"""
