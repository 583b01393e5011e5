"""Predictions against what was observed, and choices against those of people."""
