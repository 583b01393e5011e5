"""What tests look for in the texts of `manue.language`."""

from manue.language.messages import _PLACE


def values_named(text):
    """The names of the values that a text needs."""
    return {found[1] for found in _PLACE.finditer(text)}
