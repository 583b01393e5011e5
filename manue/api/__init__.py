"""What ``import manue`` offers, by topic; each module is imported when one of its names is first used."""
