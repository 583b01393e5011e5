"""A table in the browser: a person plays in one seat, agents in the others, and asks for help or a coach.

Imports `language`, `hand`, `game`, `features`, `models`, `agents`, `protocol`, `records`, `transports`,
`table`, `review` and `server`.
"""
