"""Trained models as values: files of plain arrays, trees, and one class for each model. No training.

Imports `hand`, `game`, `features`, `sim` and `draws`.
"""
