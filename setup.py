"""What pyproject.toml cannot say: the folder ``models/`` travels inside the wheel as ``manue/models/``."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithModels(build_py):
    """Copy the models beside the code; an editable install reads them where they are."""

    def run(self) -> None:
        """Build as usual, then copy."""
        super().run()
        if not self.editable_mode:
            source = Path(__file__).parent / "models"
            target = Path(self.build_lib) / "manue" / "models"
            shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*"))


setup(cmdclass={"build_py": BuildWithModels})
