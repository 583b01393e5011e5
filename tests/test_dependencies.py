"""The locks hold what pyproject.toml asks for, with hashes, and name no place to fetch it from."""

import re

import pytest
from packaging.requirements import Requirement

import manue
from tests.project import PYPROJECT, ROOT

PROJECT = PYPROJECT["project"]
LOCKS = {"requirements.lock": "dev", "requirements-arena.lock": "arena", "requirements-lowest.lock": "dev"}


def asked_for(extra):
    """Return the requirements of the package with an extra, those it takes from other extras among them."""
    found, extras = [Requirement(line) for line in PROJECT["dependencies"]], [extra]
    while extras:
        for line in PROJECT["optional-dependencies"][extras.pop()]:
            requirement = Requirement(line)
            if requirement.name == PROJECT["name"]:
                extras += requirement.extras
            else:
                found.append(requirement)
    return found


def locked(name):
    """Return the versions of each package: more than one where newer Pythons take another."""
    versions = {}
    for package, version in re.findall(r"^([\w.-]+)==(\S+)", (ROOT / name).read_text(), re.MULTILINE):
        versions.setdefault(package, []).append(version)
    return versions


@pytest.mark.parametrize(("name", "extra"), LOCKS.items())
def test_a_lock_holds_what_is_asked_for(name, extra):
    versions = locked(name)
    for requirement in asked_for(extra):
        assert requirement.name in versions, f"run scripts/lock: {name} lacks {requirement}"
        for version in versions[requirement.name]:
            assert version in requirement.specifier, f"run scripts/lock: {name} lacks {requirement}"


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_hashes_and_names_no_place(name):
    text = (ROOT / name).read_text()
    assert "://" not in text
    assert "--index-url" not in text
    assert "--find-links" not in text
    packages = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    assert packages
    assert all("--hash=sha256:" in package for package in packages)


def test_the_version_is_one():
    assert PROJECT["version"] == manue.__version__
    changes = (ROOT / "CHANGELOG.md").read_text()
    newest = re.search(r"^## \[?(\d+\.\d+\.\d+)", changes, re.MULTILINE)
    assert newest is not None
    assert newest[1] == manue.__version__
