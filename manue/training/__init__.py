"""From game records to models: extraction, trainers, quality. The only importer of scikit-learn and scipy.

Imports `hand`, `game`, `features`, `sim`, `draws`, `models`, `decision` and `records`.
"""
