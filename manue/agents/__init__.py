"""Decisions: players that choose among legal actions."""
