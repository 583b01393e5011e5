"""From game records to models; the only package that imports scikit-learn.

Holds the extraction of records into arrays, one trainer per model file, the measures of quality, and the
pipeline that runs the trainers and writes the models with their page. May import the layers below: errors,
arrays, compiled, tiles, rules, workers, hand, game, features, draws, models, decision and records; nothing of
tables or transports. Only match, validation, bench and commands may import it.
"""
