"""The commands of the command line, one module each: parsing and wiring, no logic.

Imports `language`, `hand`, `game`, `decision`, `agents`, `protocol`, `records`, `transports`, `table`,
`review`, `training`, `match`, `validation`, `server`, `bench`, `webtable` and `api`.
"""
