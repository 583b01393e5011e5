"""The Mjai wire: messages, sessions without I/O, annotations. Mjai's Japanese words live here and nowhere else.

Imports `game`, `models`, `decision`, `agents` and `player`.
"""
