"""A script of the page, run in Node by a program of a test."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

STATIC = Path("manue/webtable/static").resolve()


def runner(folder, program, script):
    """Return a function that runs a program with steps, and returns what it prints as JSON.

    The program finds the script of the page, then the steps, in ``process.argv``; it is kept in the folder.
    """
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")
    main, module = folder / "test.mjs", folder / f"{script}.mjs"
    main.write_text(program)
    module.write_text((STATIC / f"{script}.js").read_text())

    def run(steps):
        ran = subprocess.run(["node", main, module, steps], capture_output=True, text=True, check=True)
        return json.loads(ran.stdout)

    return run
