"""The Mjai protocol: messages, sessions without I/O, annotations.

Mjai's Japanese names appear here, and elsewhere only where messages or records are read or written.

Imports `hand`, `game`, `models`, `decision`, `agents` and `player`.
"""
