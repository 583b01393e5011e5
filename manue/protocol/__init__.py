"""The Mjai protocol: messages, sessions without I/O, annotations. Mjai's Japanese names appear only here.

Imports `game`, `models`, `decision`, `agents` and `player`.
"""
