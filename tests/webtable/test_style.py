"""The colours of the pages, computed from their style sheets."""

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "manue"
SHEETS = [PACKAGE / "review/static/style.css", PACKAGE / "webtable/static/table.css"]
ENOUGH = 4.5
"""The contrast that WCAG asks of text, at level AA."""


def palettes():
    """The named colours of the light and of the dark scheme."""
    light, dark = re.findall(r":root \{([^}]*)\}", SHEETS[0].read_text("utf-8"))
    first, second = (dict(re.findall(r"--([\w-]+): (#\w{6})", part)) for part in (light, dark))
    return {"light": first, "dark": first | second}


def coloured():
    """Every rule with a ground and a colour of its own, not the system's: selector, ground, colour."""
    for sheet in SHEETS:
        for selector, rule in re.findall(r"([^{}]+)\{([^{}]*)\}", sheet.read_text("utf-8")):
            ground = re.search(r"background: ([^;]+)", rule)
            colour = re.search(r"(?<!-)\bcolor: ([^;]+)", rule)
            if ground and ground[1].startswith("Highlight"):
                continue
            if ground and colour and "none" not in ground[1] and "inherit" not in colour[1]:
                yield selector.strip(), ground[1].strip(), colour[1].strip()


def brightness(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, two):
    dim, bright = sorted(map(brightness, (one, two)))
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_on_a_ground_of_their_own_can_be_read(scheme):
    """Regression: "Tsumo" and "Ron" stood in white on a light green in the dark scheme."""
    palette = palettes()[scheme]

    def found(value):
        name = re.fullmatch(r"var\(--([\w-]+)\)", value)
        return palette[name[1]] if name else {"#fff": "#ffffff"}.get(value, value)

    rules = [(selector, contrast(found(ground), found(colour))) for selector, ground, colour in coloured()]
    assert len(rules) >= 4
    assert [(selector, ratio) for selector, ratio in rules if ratio < ENOUGH] == []
