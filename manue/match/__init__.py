"""Many games on this machine or a cluster: schedules, results, summaries."""
