"""A match server that other bots join by TCP or WebSocket.

Imports `transports` and `table`.
"""
