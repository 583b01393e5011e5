"""Fixtures shared by all tests."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("manue", deadline=None)  # a first call compiles kernels
settings.load_profile("manue")

SHARED = Path(__file__).parent.parent.parent / "shared"
FULL = bool(os.environ.get("MANUE_FULL"))
"""Set MANUE_FULL=1 to run the large sweeps."""


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of records and captured conversations beside the project."""
    if not SHARED.is_dir():
        pytest.skip("needs ../shared (game records and captured conversations), which is not here")
    return SHARED
