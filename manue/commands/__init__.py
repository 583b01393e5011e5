"""The commands of the command line, one module each: parsing and wiring, no logic.

Imports `hand`, `decision`, `agents`, `protocol`, `records`, `transports`, `table`, `review`, `training`,
`match`, `rehearsal`, `validation`, `server`, `bench` and `api`.
"""
