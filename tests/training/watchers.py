"""Watchers of training for tests."""


class Silent:
    """Shows nothing."""

    def begin(self, _trainer):
        """Do nothing."""

    def step(self, _text, _parts=None):
        """Do nothing."""

    def advance(self, _parts):
        """Do nothing."""

    def warn(self, _text):
        """Do nothing."""
