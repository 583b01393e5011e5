"""Records annotated with an agent's numbers, the page that shows them, and the problem book.

Imports `language`, `hand`, `game`, `decision`, `agents`, `player`, `protocol` and `records`.
"""
