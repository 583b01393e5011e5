"""Where the user's folders are, and that a user without a home has some."""

from pathlib import Path

from manue.user_folders import cache_folder, state_folder


def test_folders_of_the_environment_come_before_those_of_the_home(monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", "")
    assert cache_folder() == Path("/home/me/.cache/manue")
    assert state_folder() == Path("/home/me/.local/state/manue")
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/cache")
    monkeypatch.setenv("XDG_STATE_HOME", "/var/state")
    assert (cache_folder(), state_folder()) == (Path("/var/cache/manue"), Path("/var/state/manue"))


def test_a_user_without_a_home_was_a_traceback(monkeypatch):
    """As in a container that runs as a user that its system does not know."""

    def home():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", home)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache_folder() == Path("/.cache/manue")
