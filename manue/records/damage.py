"""Why a part of another program's record cannot be converted, in one line."""

from manue.errors import described
from manue.foreign import printable

DAMAGE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What the conversion of a part of the wrong form raises."""
_LONGEST = 100


def damage_in_words(error: Exception) -> str:
    """Return what is wrong: the words of a `ValueError`, the name of what is missing, else Python's own."""
    if isinstance(error, ValueError):
        words = str(error)
    elif isinstance(error, KeyError) and isinstance(error.args[0], str):
        words = f"no {error.args[0]!r}"
    else:
        words = described(error)
    return printable(words, _LONGEST)
