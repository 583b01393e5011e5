"""What happened in a round, and what may be done: events, actions, the state of one seat, legal moves."""
