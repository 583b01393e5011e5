"""The occasions of a choice: a draw, the discard that declares riichi or follows a call, an offered tile."""

OWN_TURN, RIICHI_DISCARD, CALL_DISCARD, ANSWER = range(4)
