"""Many games on this machine or a cluster: schedules, results on disk, summaries, reports.

Imports `agents`, `player`, `game`, `models`, `sim`, `protocol`, `records`, `review` and `table`.
"""
