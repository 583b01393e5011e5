"""The player's settings, in Node with the jar of cookies that a browser has for all ports of a host."""

import pytest

from tests.webtable.in_node import runner

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
    return runner(tmp_path, PROGRAM, "settings")


def test_settings_outlive_the_port_of_a_table(runs):
    """Regression: they were kept for the port alone, and each table is at another."""
    keep = "const page = await open(1); page.keep('speed', 'fast'); page.keep('sound', true);"
    found = runs(f"{keep} return (await open(2)).settings;")
    assert found == {"speed": "fast", "noCalls": False, "twice": False, "sound": True}


@pytest.mark.parametrize("kept", ["null", "%", "{", "5"])
def test_settings_that_cannot_be_read_are_those_at_first(runs, kept):
    found = runs(f"document.cookie = 'manue-table={kept}'; return (await open(1)).settings;")
    assert found == {"speed": "normal", "noCalls": False, "twice": False, "sound": False}
