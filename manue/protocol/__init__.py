"""The Mjai protocol: messages, sessions without I/O, annotations. Mjai's Japanese names appear only here.

Imports `hand`, `game`, `models`, `decision`, `agents` and `player`.
"""
