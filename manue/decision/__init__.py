"""From a state to one value for every option: options, afterstates, outcomes, values, ties broken.

One path (`evaluation`), walked in play, in training and in validation. Chooses nothing itself.
Imports `hand`, `game`, `features`, `draws` and `models`.
"""
