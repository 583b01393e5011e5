"""The commands of the command line, one module each: parsing and wiring, no logic.

Imports `language`, `hand`, `game`, `decision`, `agents`, `rollouts`, `warming`, `protocol`, `records`,
`transports`, `table`, `webtable`, `review`, `training`, `match`, `rehearsal`, `selfplay`, `validation`,
`server`, `bench` and `api`.
"""
