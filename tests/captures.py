"""Conversations with real hosts, as they were captured; `data/captures/README.md` says what each is."""

import gzip
import json
from functools import cache

from tests.conftest import CAPTURES

SUFFIX = ".jsonl.gz"


def names(beginning):
    """Return the names of the captures that begin so."""
    return sorted(path.name.removesuffix(SUFFIX) for path in CAPTURES.glob(f"{beginning}*{SUFFIX}"))


@cache
def raw_lines(name):
    """Return the lines of a capture as bytes, with their ends."""
    return gzip.decompress((CAPTURES / f"{name}{SUFFIX}").read_bytes()).splitlines(keepends=True)


def lines_of(name):
    """Yield the values of a capture's lines."""
    yield from map(json.loads, raw_lines(name))
