"""Many games on this machine or a cluster: schedules, results on disk, summaries, reports.

Imports `records`, `transports`, `review` and `table`.
"""
