"""The input of learned models: a seat's view as one flat record (`scene`), and tables of named columns.

Each column has one definition, one number by name and one kernel, for training and for play.
Imports `hand` and `game`.
"""
