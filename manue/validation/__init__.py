"""Predictions beside what was observed, and choices beside those of people, over records.

Imports `game`, `features`, `draws`, `models`, `decision`, `agents`, `records`, `review`, `rollouts`, `sim`
and `training`.
"""
