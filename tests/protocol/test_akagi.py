"""The card that Akagi shows of a decision."""

from manue.agents.base import Decision
from manue.decision.report import Report
from manue.game.actions import Call, Discard, NineTerminals, Pass, Riichi
from manue.protocol.akagi import CHOSEN, MAX_OPTIONS, card_of, riichi_tile

REPORTS = (
    Report(Riichi(), Discard("3m"), expected_points=1234.56, expected_rank=2.104, win_prob=0.456),
    Report(Discard("5mr"), expected_points=-80.25, win_prob=0.2, deal_in_prob=0.054, note="keeps the dora"),
    Report(Call("chi", ("1m", "2m"), "3m", 3), Discard("9s"), note="a yaku is far"),
    Report(Call("ankan", ("1m",) * 4)),
    Report(Pass()),
    Report(NineTerminals()),
)


def test_a_card_has_the_best_options_with_their_figures_and_tiles():
    card = card_of(Decision(Riichi(), REPORTS))
    assert card["title"] == "Manue"
    assert len(card["items"]) == MAX_OPTIONS
    assert [item.get("color") for item in card["items"]] == [CHOSEN, None, None, None, None]
    assert [item.get("value") for item in card["items"]] == ["place 2.10", "-80", None, None, None]
    assert [item.get("note") for item in card["items"]] == [
        "win 46%", "win 20%, deal in 5%, keeps the dora", "a yaku is far", None, None,
    ]  # fmt: skip
    assert [item["pais"] for item in card["items"]] == [["3m"], ["5mr"], ["9s"], ["1m"] * 4, []]


def test_a_riichi_names_the_tile_that_akagi_3_reads_in_it():
    """Regression: its display showed no tile, and its own play waited for one in vain."""
    assert riichi_tile(Decision(Riichi(), REPORTS)) == {"pai": "3m"}
    assert riichi_tile(Decision(Riichi())) == riichi_tile(Decision(Discard("5mr"), REPORTS)) == {}


def test_a_call_without_a_discard_shows_its_tiles():
    call = Report(Call("daiminkan", ("1m", "1m", "1m"), "1m", 3))
    assert card_of(Decision(call.action, (call,), note="by rules"))["items"][0]["pais"] == ["1m"] * 4
    assert card_of(Decision(call.action, (call,), note="by rules"))["title"] == "by rules"
