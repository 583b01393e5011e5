"""Rounds in words."""

from manue.language.messages import ENGLISH, Messages


def round_text(wind: str, number: int, honba: int, words: Messages = ENGLISH) -> str:
    """Return the name of a round: ``East 1``, ``South 3, honba 2``."""
    name = words.text(f"round.name.{wind}", n=number)
    return words.text("round.honba", round=name, n=honba) if honba else name
