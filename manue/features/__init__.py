"""Numbers from a state: chances, points, danger. No decisions."""
