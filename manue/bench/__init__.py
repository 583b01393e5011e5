"""Speed, memory and the problem book, measured on this machine."""
