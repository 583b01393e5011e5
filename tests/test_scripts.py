"""The scripts of all pages pass linter and formatter."""

import subprocess
from pathlib import Path

import pytest

from tests.browsing import node_modules

__all__ = ["node_modules"]
ROOT = Path(__file__).parents[1]
SCRIPTS = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "manue").glob("*/static/*.js"))


@pytest.mark.parametrize(
    "judge", [["eslint", "-c", "eslint.config.js"], ["prettier", "--check", "--config", ".prettierrc"]]
)
def test_the_scripts_pass_linter_and_formatter(node_modules, judge):
    folder = node_modules.parent.relative_to(ROOT)
    program, *arguments = [
        str(folder / part) if part.startswith((".p", "eslint.")) else part for part in judge
    ]
    command = [str(node_modules / ".bin" / program), *arguments, *SCRIPTS]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert len(SCRIPTS) > 20
    assert done.returncode == 0, done.stdout + done.stderr
