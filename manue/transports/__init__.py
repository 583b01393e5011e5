"""Transports for lines: standard streams, TCP, WebSocket. They move lines and nothing else.

Imports `game`, `agents`, `player`, `protocol` and `records`.
"""
