"""Learning by playing: the policy net plays against itself and others, and learns from what it brings in.

Imports `sim`, `models` and `training`.
"""
