"""Agents: players that choose one of the legal actions.

Holds what an agent is, the agents themselves and the registry that builds them from a name and options. An
agent is a function of the state of its seat: it sees no wire format, keeps no game and waits for nothing.
May import the layers below: errors, arrays, compiled, tiles, rules, workers, hand, game, features, draws,
models and decision.
"""
