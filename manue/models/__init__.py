"""Trained models: from features to probabilities and points.

Holds the model files (plain arrays, checked before use) and one module per model that evaluates them. Models
are values handed to whoever decides; none is global. May import the layers below: errors, arrays, compiled,
tiles, rules, workers, hand, game, features and draws. Fitting belongs to training: nothing here imports
scikit-learn.
"""
