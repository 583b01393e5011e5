"""What happened in a round and what may be done: events, actions, the state that one seat sees, legal moves.

Imports `hand`.
"""
