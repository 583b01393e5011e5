"""From game records to models; the only importer of scikit-learn and scipy.

Imports `hand`, `game`, `features`, `draws`, `models`, `decision` and `records`.
"""
