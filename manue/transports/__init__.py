"""How lines travel: standard streams, TCP, WebSocket. Moves lines and nothing else.

Imports `agents`, `player`, `protocol` and `records`.
"""
