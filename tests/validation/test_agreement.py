"""Choices compared with those of a record: also those of agents that report nothing."""

import numpy as np
import pytest

from manue.__main__ import main
from manue.validation.agreement import DECLARATIONS, agreement_of_log
from tests.conftest import game


@pytest.mark.parametrize("spec", ["tsumogiri", "policy"])
def test_an_agent_without_reports_was_a_traceback(spec):
    rows = agreement_of_log(game("east-rules"), spec)[0]
    assert not isinstance(rows, str)
    discards = rows[rows["sort"] == DECLARATIONS.index("discard")]
    assert 0.0 < discards["ours"].mean() < 1.0
    assert np.isnan(rows["lost_points"]).all()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--placement", "--policy", "points"], "--placement does not depend on --policy"),
        (["--rollouts", "2", "--mc-draws", "10"], "--rollouts does not depend on --mc-draws"),
        (["--losses", "x", "--policy", "points"], "--losses does not depend on --policy"),
        (["--hands", "x", "--east"], "--hands does not depend on --hanchan or --east"),
        (["--agreement", "--agent", "rules", "--mc-draws", "5"], "--agent does not depend on --mc-draws"),
    ],
)
def test_options_without_an_effect_were_ignored(given, words, capsys):
    assert main(["calibrate", str(game("east-rules")), "--all", *given]) == 2
    assert words in capsys.readouterr().err
