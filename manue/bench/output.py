"""The figures of ``manue bench``, as JSON or as tables, with the machine they come from."""

import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from manue import __version__
from manue.bench.timing import Row
from manue.cores import available_cores

CPU_INFO = Path("/proc/cpuinfo")
"""Where Linux names the processor."""


def machine() -> dict[str, Any]:
    """Return the versions that were measured, and the machine."""
    model = ""
    if CPU_INFO.exists():
        names = [
            line
            for line in CPU_INFO.read_text(encoding="utf-8").splitlines()
            if line.startswith("model name")
        ]
        model = names[0].partition(":")[2].strip() if names else ""
    return {
        "manue": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": version("numba"),
        "system": platform.platform(terse=True),
        "processor": model or platform.processor(),
        "cores": available_cores(),
        "load": os.getloadavg()[0],
    }


def results_as_json(results: Mapping[str, Sequence[Row]]) -> str:
    """Return the machine and the figures of every section as JSON."""
    rows = [
        {"section": section, "name": name, "value": value, "unit": unit}
        for section, figures in results.items()
        for name, value, unit in figures
    ]
    return json.dumps({"machine": machine(), "rows": rows}, ensure_ascii=False, indent=1)


def console() -> Console:
    """Return the console for tables on stdout."""
    return Console(width=None if sys.stdout.isatty() else 120, highlight=False)


def print_results(results: Mapping[str, Sequence[Row]]) -> None:
    """Print the machine, and a table of figures for every section."""
    out, facts = console(), machine()
    out.print(", ".join(f"{name} {value}" for name, value in facts.items() if value != ""), soft_wrap=True)
    for section, rows in results.items():
        table = Table(title=section, title_justify="left", title_style="bold", box=None, pad_edge=False)
        table.add_column("measured")
        table.add_column("value", justify="right")
        table.add_column("unit")
        for name, value, unit in rows:
            table.add_row(name, _figure(value), unit)
        out.print(table)
        out.print()


def _figure(value: float) -> str:
    """Format a value with three significant digits, or as a whole number."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
