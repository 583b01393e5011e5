"""Playing at a host: lines over standard streams, TCP and WebSocket, the conversation and its recording.

Imports `game`, `agents`, `player`, `warming`, `protocol` and `records`.
"""
