"""Games on this machine, refereed by riichienv."""
