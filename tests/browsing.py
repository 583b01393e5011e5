"""What the tests of all pages share: the system's Chromium, axe, pictures, what sticks out of its place."""

import os
import shutil
from pathlib import Path

import pytest

NODE_MODULES = Path(__file__).parent / "browser" / "node_modules"
SCREENSHOTS = os.environ.get("MANUE_SCREENSHOTS")
"""A folder that keeps the pictures the tests take."""
PAPER = {"width": 718, "height": 1040}
"""What is printed on a sheet of A4, in px."""
ARGUMENTS = ["--no-sandbox", "--headless", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="session")
def node_modules():
    """What npm installed for the tests."""
    if not (NODE_MODULES / "axe-core").is_dir():
        pytest.skip("needs axe-core and eslint: npm ci --prefix tests/browser")
    return NODE_MODULES


@pytest.fixture(scope="module")
def browser():
    """The system's Chromium; the tests of the page skip where it is missing.

    Its event loop must not outlive the module: other tests of the process run loops of their own.
    """
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("needs the system's Chromium (Debian: apt-get install chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: the extra 'dev'")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


def violations(page, node_modules):
    """Return what axe finds, as (rule, element)."""
    page.evaluate((node_modules / "axe-core/axe.min.js").read_text())
    result = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [(issue["id"], node["html"][:150]) for issue in result["violations"] for node in issue["nodes"]]


STICKS_OUT = """() => {
  const described = part => `${part.tagName}.${part.getAttribute("class")} ${part.textContent.slice(0, 30)}`;
  const found = [];
  const parts = "body :not(svg *, script, style, option, .unseen, .sprite, input[type=radio])";
  for (const part of document.querySelectorAll(parts)) {
    const [inner, outer] = [part, part.parentElement].map(one => one.getBoundingClientRect());
    const holder = getComputedStyle(part.parentElement).display;
    const over = Math.max(inner.right - outer.right, outer.left - inner.left);
    if (inner.width && holder !== "contents" && over > 0.5)
      found.push(`${described(part)}: ${over} px out of ${described(part.parentElement)}`);
    if (!part.matches("pre, select") && part.clientWidth && part.scrollWidth > part.clientWidth + 1)
      found.push(`${described(part)}: ${part.scrollWidth - part.clientWidth} px to scroll`);
  }
  return found;
}"""
