"""Transports for lines: standard streams, TCP, WebSocket. They move lines and nothing else.

Imports `agents`, `player`, `protocol` and `records`.
"""
