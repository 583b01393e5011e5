"""The texts that people read, one table per language, and which language to use.

Imports nothing.
"""
