"""A riichi mahjong player that speaks the Mjai protocol and explains every choice."""

__version__ = "0.2.0"
