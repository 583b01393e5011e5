"""A scripted game that tries a program as a player, and programs to start from.

Imports `game`, `protocol`, `records` and `table`.
"""
