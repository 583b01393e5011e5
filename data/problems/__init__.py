"""The problem book, installed as ``manue.problem_book``: positions with the answers of a textbook."""
