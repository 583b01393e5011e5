"""The mathematics of tiles: shanten, useful tiles, readings, yaku, points. No game, no players.

Imports nothing above the tile vocabulary.
"""
