"""The table in compiled code: whole rounds and games between players that are kernels.

Imports `hand`, `game` and `features`.
"""
