"""Agents: players that choose one of the legal actions. `base` defines what an agent is.

Imports `hand`, `game`, `features`, `sim`, `models` and `decision`.
"""
