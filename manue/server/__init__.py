"""A match server that other bots join."""
