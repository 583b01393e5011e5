"""Counts of things in English."""


def counted(number: int, noun: str) -> str:
    """Return a number of things in words: ``1 game``, ``2,000 games``. The plural of the noun takes an s."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
