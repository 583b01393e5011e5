"""A scripted game that tries a program as a player, and programs to start from.

Imports `game`, `protocol` and `table`.
"""
