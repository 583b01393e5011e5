"""A match server that other bots join by TCP or WebSocket.

Imports `records`, `transports`, `table` and `match`.
"""
