"""Messages that many tests begin with."""

from typing import Any


def start_kyoku(**fields: Any) -> dict[str, Any]:
    """East 1, dealt by seat 0, without hands or scores; ``fields`` are added or replaced."""
    return {
        "type": "start_kyoku",
        "bakaze": "E",
        "kyoku": 1,
        "honba": 0,
        "kyotaku": 0,
        "oya": 0,
        "dora_marker": "1m",
        **fields,
    }
