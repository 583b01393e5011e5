"""Values of options that several commands share: those allowed, and one clear line for any other."""

import pytest

from manue.__main__ import main
from manue.commands.options import port, positive


@pytest.mark.parametrize(
    ("command", "option"),
    [("serve", "--port"), ("serve", "--ws"), ("table", "--port")],
)
@pytest.mark.parametrize("number", ["-1", "65536", "a", "1.5", "9" * 5000, "²"])
def test_what_is_no_port_is_refused_before_anything_is_compiled(command, option, number, capsys):
    with pytest.raises(SystemExit) as refused:
        main([command, f"{option}={number}"])
    assert refused.value.code == 2
    assert f"{number!r} is not a port, 0 to 65535" in capsys.readouterr().err


def test_ports_and_counts_at_their_limits():
    assert [port(text) for text in ("0", "1", "65535")] == [0, 1, 65_535]
    assert positive("1") == 1
