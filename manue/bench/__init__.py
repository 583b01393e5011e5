"""Speed, memory and the problem book, measured on this machine.

Imports `hand`, `game`, `features`, `sim`, `draws`, `models`, `decision`, `agents`, `player`, `records`,
`review`, `table` and `match`.
"""
