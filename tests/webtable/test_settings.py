"""The player's settings, in Node with the jar of cookies that a browser has for all ports of a host."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path("manue/webtable/static/settings.js").resolve()
PROGRAM = """
globalThis.matchMedia = () => ({ matches: false });
const jar = new Map([["other", "1"]]);
globalThis.document = {
  get cookie() { return [...jar].map(([name, value]) => `${name}=${value}`).join("; "); },
  set cookie(words) { jar.set(...words.split(";")[0].split("=")); },
};
const open = async (port) => import(`${process.argv[2]}?${port}`);
eval(`(async () => {${process.argv[3]}})()`).then((found) => console.log(JSON.stringify(found)));
"""


@pytest.fixture
def runs(tmp_path):
    """Return what a script returns that opens the page at ports."""
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")
    program, module = tmp_path / "test.mjs", tmp_path / "settings.mjs"
    program.write_text(PROGRAM)
    module.write_text(SCRIPT.read_text())

    def run(steps):
        ran = subprocess.run(["node", program, module, steps], capture_output=True, text=True, check=True)
        return json.loads(ran.stdout)

    return run


def test_settings_outlive_the_port_of_a_table(runs):
    """Regression: they were kept for the port alone, and each table is at another."""
    keep = "const page = await open(1); page.keep('speed', 'fast'); page.keep('sound', true);"
    found = runs(f"{keep} return (await open(2)).settings;")
    assert found == {"speed": "fast", "noCalls": False, "twice": False, "sound": True}


@pytest.mark.parametrize("kept", ["null", "%", "{", "5"])
def test_settings_that_cannot_be_read_are_those_at_first(runs, kept):
    found = runs(f"document.cookie = 'manue-table={kept}'; return (await open(1)).settings;")
    assert found == {"speed": "normal", "noCalls": False, "twice": False, "sound": False}
