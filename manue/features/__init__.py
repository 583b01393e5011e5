"""What learned models are shown: a seat's view as one flat record (`scene`), and tables of named columns.

A column has one definition, one number by name and one kernel, for training and for play.
Imports `hand` and `game`.
"""
