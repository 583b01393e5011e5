"""What the page says of an event."""

import pytest

from manue.records.archive import entry_of
from manue.review.events import event_facts

NOBODY, ALL = [False] * 4, [True] * 4


@pytest.mark.parametrize(
    ("reason", "tenpai", "said"),
    [
        ("kyushukyuhai", NOBODY, None),
        ("sufonrenta", NOBODY, None),
        ("sukaikan", NOBODY, None),
        ("sanchaho", NOBODY, None),
        ("suchareach", ALL, ALL),
        ("fanpai", NOBODY, NOBODY),
        ("nagashimangan", NOBODY, NOBODY),
        ("", NOBODY, NOBODY),
        ("of another host", NOBODY, NOBODY),
    ],
)
def test_an_abortive_draw_said_that_nobody_was_tenpai(reason, tenpai, said):
    message = {"type": "ryukyoku", "reason": reason, "tenpais": tenpai, "deltas": [0, 0, 0, 0]}
    shown = event_facts(entry_of("event 0", message)).get("tenpai")
    assert (shown and list(shown)) == said


@pytest.mark.parametrize(
    ("reason", "deltas", "said"),
    [
        ("fanpai", [1500, -1500, 1500, -1500], [True, False, True, False]),
        ("", [-1000, -1000, 3000, -1000], [False, False, True, False]),
        ("fanpai", [0, 0, 0, 0], None),
        ("nagashimangan", [8000, -4000, -2000, -2000], None),
        ("", [12000, -4000, -4000, -4000], None),
        ("kyushukyuhai", [0, 0, 0, 0], None),
    ],
)
def test_a_draw_that_was_paid_for_did_not_say_who_was_tenpai(reason, deltas, said):
    """Regression: some logs have no `tenpais`; a nagashi mangan is paid for otherwise."""
    message = {"type": "ryukyoku", "reason": reason, "deltas": deltas}
    shown = event_facts(entry_of("event 0", message)).get("tenpai")
    assert (shown and list(shown)) == said


def test_the_reason_of_a_draw_is_that_of_records():
    """So that it has words, whatever the host calls it; a name that nobody knows stays as it is."""
    for reason, shown in (("sufuurenta", "suufonrenta"), ("exhaustive_draw", "fanpai"), ("odd", "odd")):
        assert event_facts(entry_of("event 0", {"type": "ryukyoku", "reason": reason}))["reason"] == shown


def test_the_hand_of_a_win_stood_out_of_order():
    """Regression: the first of two like tiles was taken away, and the drawn one stayed at the end."""
    concealed = ["2m", "2m", "5p", "5pr", "6p", "7s", "8s", "9s", "N", "N", "2m"]
    message = {"type": "hora", "actor": 0, "target": 0, "pai": "2m", "hora_tehais": concealed}
    assert event_facts(entry_of("event 0", message))["hand"] == concealed[:10]


@pytest.mark.parametrize(("pao", "shown"), [(3, 3), (0, None), (1, None), ("?", None)])
def test_who_is_recorded_as_liable_is_shown_unless_they_pay_anyway(pao, shown):
    message = {"type": "hora", "actor": 0, "target": 1, "pai": "2m", "pao": pao}
    assert event_facts(entry_of("event 0", message)).get("pao") == shown
