"""The mathematics of tiles: no game, no players."""
