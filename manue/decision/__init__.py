"""From a state to a value for every option.

Holds the steps of one decision (options, model outputs, outcomes, values, the human policy), the settings
that distinguish one version of the player from another, and the report of an option. The same code builds
the rows of play and of training. May import the layers below: errors, arrays, compiled, tiles, rules,
workers, hand, game, features, draws and models; it knows nothing of agents, tables or files.
"""
