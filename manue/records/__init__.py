"""Game records of every format, as events and decisions."""
