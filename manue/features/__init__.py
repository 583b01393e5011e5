"""Numbers computed from a state: probabilities, points, danger. No decisions."""
