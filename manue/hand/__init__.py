"""The mathematics of tiles, independent of any game or player."""
