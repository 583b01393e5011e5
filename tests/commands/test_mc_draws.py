"""``--mc-draws``, and its old name ``--trials``."""

import argparse

import pytest

from manue.commands.options import add_mc_draws


@pytest.fixture
def parser():
    parser = argparse.ArgumentParser()
    add_mc_draws(parser, help="draws")
    return parser


def test_the_new_name_is_silent(parser, capsys):
    assert parser.parse_args([]).mc_draws is None
    assert parser.parse_args(["--mc-draws", "50"]).mc_draws == 50
    assert capsys.readouterr().err == ""


def test_the_old_name_works_with_a_notice_and_is_not_shown(parser, capsys):
    assert parser.parse_args(["--trials", "50"]).mc_draws == 50
    assert capsys.readouterr().err == "manue: --trials is now --mc-draws\n"
    assert "--trials" not in parser.format_help()


def test_only_whole_numbers_from_one(parser):
    for bad in ("0", "-1", "x"):
        with pytest.raises(SystemExit):
            parser.parse_args(["--mc-draws", bad])
