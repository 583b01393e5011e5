"""Trained models: from features to probabilities and points."""
