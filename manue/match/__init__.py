"""Many games on this machine or a cluster: schedules, results on disk, summaries, reports.

Imports `records`, `review` and `table`.
"""
