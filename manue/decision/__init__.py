"""From a state to one value for every option: options, basis, afterstates, outcomes, values, ties broken.

One path (`evaluation`) serves play, training and validation. The choice itself is up to the agents.
Imports `language`, `hand`, `game`, `features`, `draws` and `models`.
"""
