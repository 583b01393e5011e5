"""The Mjai protocol: messages, sessions, logs. Its Japanese names appear only here."""
