"""The model of wait shapes as it was before it was learned, where a test needs one."""

from pathlib import Path

from manue.features.danger_columns import SHAPE_WEIGHTS
from manue.models.files import ModelFile

SHAPES_FILE = ModelFile(Path("shapes.npz"), {"weights": SHAPE_WEIGHTS}, {}, "")
