"""The Mjai wire: messages, sessions, logs. Japanese words live here and nowhere else."""
