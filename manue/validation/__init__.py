"""Whether predictions come true, and whether people choose alike."""
