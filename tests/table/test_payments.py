"""What programs are sent of payments, against what the original server sent."""

import pytest

from manue.table.payments import Payments
from tests.table.test_mjai_ruby import FULL_TABLES, received, seen_by_all


@pytest.mark.parametrize("table", FULL_TABLES)
def test_payments_are_sent_as_the_original_server_sent_them(table):
    clients = [list(received(f"ruby-server-tonnan-{table}-client{at}")) for at in range(4)]
    by_seat = sorted(clients, key=lambda seen: seen[0]["id"])
    payments, scores, seen = Payments(), [25_000] * 4, set()
    for views in zip(*by_seat, strict=True):
        wanted = views[0]
        kind, sent = wanted["type"], dict(seen_by_all(views))
        if kind == "start_kyoku":
            sent["scores"] = scores
        if kind not in {"reach_accepted", "hora", "ryukyoku"}:
            assert payments.completed(sent) == sent
            continue
        seen.add(kind)
        del sent["scores"]
        if kind == "reach_accepted":
            del sent["deltas"]
        if kind == "hora":
            del sent["pai"]
        assert payments.completed(sent) == wanted
        scores = wanted["scores"]
    assert seen >= {"reach_accepted", "hora"}


ADDED = {"type": "kakan", "actor": 1, "pai": "5sr", "consumed": ["5s"] * 3}
CLOSED = {"type": "ankan", "actor": 1, "consumed": ["E"] * 4}


@pytest.mark.parametrize(("kan", "tile"), [(ADDED, "5sr"), (CLOSED, "E")])
def test_a_robbed_kan_gives_its_tile(kan, tile):
    payments = Payments()
    payments.completed({"type": "start_kyoku", "scores": [30_000, 20_000, 10_000, 40_000]})
    payments.completed({"type": "tsumo", "actor": 1, "pai": "1m"})
    payments.completed(kan)
    won = payments.completed({"type": "hora", "actor": 2, "target": 1, "deltas": [0, -1000, 1000, 0]})
    assert (won["pai"], won["scores"]) == (tile, [30_000, 19_000, 11_000, 40_000])


def test_an_abortive_draw_without_deltas_pays_nothing():
    drawn = Payments().completed({"type": "ryukyoku", "reason": "sufuurenta"})
    assert drawn["deltas"] == [0] * 4
    assert drawn["scores"] == [25_000] * 4
