"""The trained models, installed as ``manue.trained``; `MODELS.md` says what they are and how good."""
