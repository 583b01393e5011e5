"""The seat of a person: it shows what this seat may see, takes legal choices, and costs nothing else."""

import json
from dataclasses import replace

import pytest

from manue.errors import AbandonedError
from manue.game.events import Draw, GameStart, RoundDrawn, RoundStart, seen_by
from manue.hand.yaku_list import YAKU
from manue.protocol.parsing import parse_value
from manue.records.archive import read_log
from manue.review.frames import replay
from manue.rules import TENHOU
from manue.table.referee import masked
from manue.table.seats import TableEvent
from manue.webtable.hints import Advisor
from manue.webtable.screen import Screen
from manue.webtable.seat import PersonSeat
from manue.webtable.table_game import review_page
from tests.project import ROOT
from tests.records.test_payments import three_dragons
from tests.webtable.players import ADVISOR, WAIT, FakePage, Seated, eager, first_option

ME = 1
SAMPLE = ROOT / "data/games/four-manue.mjson.gz"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A whole East game of somebody eager: what the page was sent, and the log."""
    seated = Seated(tmp_path_factory.mktemp("played") / "game.mjson.gz", level="coach")
    record = seated.play_on(eager)
    return seated, record


def test_a_whole_game_is_played_without_a_fault(played):
    seated, record = played
    assert record.faults == []
    assert record.rounds >= 4
    entries = list(read_log(seated.game.log))
    assert entries[0].event.names == ("greedy 0", "Player", "greedy 2", "tsumogiri")
    assert entries[-1].message.type == "end_game"
    assert entries[-1].event.scores == tuple(record.scores)


def test_the_page_sees_what_the_viewer_shows_of_its_seat(played):
    """The frames are those of the log with the other hands hidden."""
    seated, _ = played
    hidden = []
    for entry in read_log(seated.game.log):
        event = seen_by(entry.event, ME)
        hidden.append(replace(entry, event=event, message=parse_value(masked(entry.fields(), ME))))
    expected = replay(hidden)
    shown = [message["frame"] for message in seated.page.of("event")]
    assert [{**frame, "round": 0} for frame in expected.frames] == json.loads(json.dumps(shown))


def test_nothing_hidden_is_sent(played):
    seated, _ = played
    assert seated.page.of("event")
    for message in seated.page.of("event"):
        others = [player for seat, player in enumerate(message["frame"]["players"]) if seat != ME]
        assert {tile for player in others for tile in [*player["hand"], player["drawn"] or "?"]} <= {"?"}
        assert all(player["waits"] == [] for player in others)
        facts = message["facts"]
        if facts["type"] == "draw" and facts["actor"] != ME:
            assert facts["tile"] == "?"


def test_a_win_is_shown_with_hand_value_and_our_names_of_yaku(played):
    seated, _ = played
    wins = [m["facts"] for m in seated.page.of("event") if m["facts"]["type"] == "win"]
    assert wins
    for win in wins:
        assert win["tile"] not in (None, "?")
        assert len(win["hand"]) % 3 == 1
        assert win["points"] > 0
        assert sum(han for _, han in win["yaku"]) == win["han"]
        assert {name for name, _ in win["yaku"]} <= {yaku.name for yaku in YAKU} | {
            "dora",
            "ura dora",
            "red dora",
        }


def test_who_was_liable_for_a_win_was_not_said():
    screen, page = Screen({"level": "none"}), FakePage()
    screen.join(page)
    win = three_dragons(0, deltas=[32_000, 0, 0, -32_000])
    PersonSeat(1, TENHOU, screen, Advisor(ADVISOR)).observe(
        [TableEvent(entry.fields(), entry.event) for entry in win], asked=False
    )
    assert page.of("event")[-1]["facts"]["pao"] == 3


def test_a_draw_shows_the_hands_in_tenpai_and_no_other(played):
    seated, _ = played
    open_log = replay(list(read_log(seated.game.log)))
    drawn = [m["facts"] for m in seated.page.of("event") if m["facts"]["type"] == "exhausted"]
    moves = zip(open_log.entries, open_log.frames, strict=True)
    ends = [frame for entry, frame in moves if isinstance(entry.event, RoundDrawn)]
    assert drawn
    for facts, frame in zip(drawn, ends, strict=True):
        hands = [sorted(player["hand"]) for player in frame["players"]]
        shown = [hand if ready else None for hand, ready in zip(hands, facts["tenpai"], strict=True)]
        assert [hand and sorted(hand) for hand in facts["hands"]] == shown


def test_a_riichi_is_declared_with_its_discard_and_no_further_question(played):
    seated, _ = played
    messages = seated.page.messages
    own = {"type": "riichi", "actor": ME}
    declared = [at for at, m in enumerate(messages) if m["type"] == "event" and m["facts"] == own]
    assert declared
    for at in declared:
        ask = next(m for m in reversed(messages[:at]) if m["type"] == "ask")
        discard = next(m["facts"] for m in messages[at + 1 :] if m["type"] == "event")
        assert discard["tile"] == ask["then"][0]["tile"]
        assert bool(discard.get("drawn")) == ask["then"][0]["drawn"]


def test_nobody_is_asked_without_a_choice(played):
    seated, _ = played
    choices = [ask for ask in seated.page.of("ask") if ask["kind"] == "choice"]
    assert min(len(ask["options"]) for ask in choices) >= 2
    assert len({ask["id"] for ask in seated.page.of("ask")}) == len(seated.page.of("ask"))


def test_the_coach_judges_every_choice_and_hints_at_none(played):
    seated, _ = played
    choices = [ask for ask in seated.page.of("ask") if ask["kind"] == "choice"]
    judged = seated.page.of("judged")
    assert len(judged) == len(choices)
    assert {tuple(sorted(hint)) for hint in seated.page.of("hint")} == {("id", "level", "type")}
    for judgement in judged:
        decision = judgement["opinion"]["decision"]
        assert None not in (decision["played"], decision["chosen"])
        if decision["played"] == decision["chosen"]:
            assert judgement["agrees"]
    assert {judgement["agrees"] for judgement in judged} == {True, False}


def test_the_judged_choice_is_the_one_that_was_made(played):
    seated, _ = played
    asked = player = None
    assert seated.page.of("judged")
    for message in seated.page.messages:
        if message["type"] == "ask":
            asked = message
        if message["type"] == "event":
            player = message["frame"]["players"][ME]
        if message["type"] == "judged":
            made = eager(asked, player)
            option = asked["options"][made["option"]]
            decision = message["opinion"]["decision"]
            found = decision["options"][decision["played"]]
            assert (found["kind"], sorted(found["tiles"])) == (option["kind"], sorted(option["tiles"]))


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("what?", "unreadable"),
        ('{"type":"choose"}', "unreadable"),
        ('{"type":"choose","request":"1","option":0}', "unreadable"),
        ('{"type":"dahai","actor":1,"pai":"1m"}', "unreadable"),
        ('{"type":"help","level":"cheat"}', "unreadable"),
        ('{"type":"choose","request":1,"option":99}', "illegal"),
        ('{"type":"choose","request":1,"option":-1}', "unreadable"),
        ('{"type":"choose","request":0,"option":0}', "stale"),
        ('{"type":"proceed","request":1}', "stale"),
    ],
)
def test_what_makes_no_sense_is_refused_and_the_choice_asked_for_anew(sit_down, message, reason):
    seated = sit_down()
    ask = seated.next_choice()
    assert ask["id"] == 1
    seated.screen.receive(seated.page, message)
    assert seated.page.next("refused")["reason"] == reason
    assert seated.page.next("ask") == ask
    seated.answer(ask)
    assert seated.page.next("ask")["id"] == 2


def test_what_is_asked_for_anew_comes_with_its_help(sit_down):
    """Regression: the page forgets the help with the choice, and got the choice alone."""
    seated = sit_down(level="tiles")
    seated.next_choice()
    hint = seated.page.next("hint")
    seated.say(type="choose", request=0, option=0)
    seated.page.next("refused")
    assert seated.page.next("hint") == hint


def test_what_was_answered_is_not_asked_of_a_page_opened_before_anything_happens():
    """Regression: who reloaded while another seat thought was asked again, and then refused."""
    screen, page = Screen({"level": "none"}), FakePage()
    screen.receive(page, '{"type":"choose","request":1,"option":0}')
    dealt = [TableEvent(entry.fields(), entry.event) for entry in list(read_log(SAMPLE))[:3]]
    assert PersonSeat(0, TENHOU, screen, Advisor(ADVISOR)).observe(dealt, asked=True) is not None
    screen.join(page)
    assert not {"ask", "hint"} & set(page.messages[0])


def test_help_chosen_just_before_a_game_was_forgotten_as_it_began():
    screen, page = Screen({"level": "none"}), FakePage()
    screen.receive(page, '{"type":"help","level":"all"}')
    PersonSeat(0, TENHOU, screen, Advisor(ADVISOR))
    assert screen.level == "all"


def test_the_kind_of_help_changes_while_the_others_play():
    """Regression: a page opened again before the next choice had the help before the change."""
    screen, page, again = Screen({"level": "all"}), FakePage(), FakePage()
    screen.join(page)
    screen.receive(page, '{"type":"help","level":"tiles"}')
    screen.join(again)
    assert again.messages[0]["level"] == "tiles"


def test_a_riichi_without_a_legal_discard_is_refused(sit_down):
    seated = sit_down()
    ask = seated.next_choice({"riichi"})
    number = next(n for n, option in enumerate(ask["options"]) if option["kind"] == "riichi")
    for then in ({}, {"then": len(ask["then"])}):
        seated.say(type="choose", request=ask["id"], option=number, **then)
        assert seated.page.next("refused")["reason"] == "illegal"
        assert seated.page.next("ask") == ask


def test_who_opens_the_page_again_finds_the_seat_as_it_was(sit_down):
    seated = sit_down(level="tiles")
    ask = seated.next_choice()
    hint = seated.page.next("hint")
    first, again = seated.page, FakePage()
    seated.screen.join(again)
    assert first.closed == 4001
    (table,) = again.messages
    assert table["type"] == "table"
    assert (table["names"][ME], table["seat"], table["level"]) == ("Player", ME, "tiles")
    assert table["ask"] == {key: value for key, value in ask.items() if key != "type"}
    assert table["hint"] == {key: value for key, value in hint.items() if key != "type"}
    assert again.frame() == first.frame()
    seated.screen.forget(first)  # its connection ends only now; the page that came later stays
    seated.page = again
    seated.answer(ask)
    assert again.next("ask")["id"] > ask["id"]


def test_a_page_that_was_taken_over_has_no_say(sit_down):
    """A second tab that floods slowed the game down even after the seat was opened again elsewhere."""
    seated = sit_down()
    ask = seated.next_choice()
    before, seated.page = seated.page, FakePage()
    seated.screen.join(seated.page)
    seated.screen.receive(before, json.dumps({"type": "choose", "request": ask["id"], **first_option(ask)}))
    seated.screen.receive(before, "nonsense")
    seated.screen.receive(before, '{"type":"leave"}')
    seated.say(type="choose", request=ask["id"], option=10**6)
    assert [message["type"] for message in (seated.page.inbox.get(timeout=WAIT) for _ in range(2))] == [
        "table",
        "refused",
    ]
    assert not seated.screen.left.is_set()


def test_the_game_waits_while_no_page_is_open(sit_down):
    seated = sit_down()
    ask = seated.next_choice()
    seated.screen.forget(seated.page)
    seated.answer(ask)  # said before it left
    seated.page = FakePage()
    seated.screen.join(seated.page)
    assert seated.page.messages[0]["type"] == "table"
    seated.play_on()
    assert seated.end().faults == []


def test_a_page_that_breaks_is_hung_up_on_and_costs_nothing(sit_down):
    class Broken(FakePage):
        def send(self, text):
            if self.messages:
                raise OSError("gone")
            super().send(text)

    seated = sit_down()
    ask = seated.next_choice()
    shown, seated.page = seated.page, Broken()
    broken = seated.page
    seated.screen.join(broken)
    broken.messages += shown.messages
    seated.answer(ask)
    assert broken.hung_up.wait(WAIT)
    assert broken.closed == 4003
    seated.page = FakePage()
    seated.screen.join(seated.page)
    seated.play_on()
    assert seated.end().faults == []


def test_a_page_that_floods_the_table_is_hung_up_on(sit_down):
    seated = sit_down()
    for _ in range(1000):
        seated.screen.receive(seated.page, '{"type":"help","level":"all"}')
        if seated.page.closed is not None:
            break
    assert seated.page.closed == 4002


def test_leaving_ends_the_game_and_keeps_what_was_played(sit_down):
    seated = sit_down()
    seated.answer(seated.next_choice())
    seated.next_choice()
    assert isinstance(seated.leave(), AbandonedError)
    kinds = [type(entry.event) for entry in read_log(seated.game.log)]
    assert RoundStart in kinds
    assert Draw in kinds


def test_a_game_left_at_the_result_of_its_last_round_was_not_finished(played, sit_down):
    """Regression: the result was not printed, and there was no review."""
    _, record = played
    seated, rounds = sit_down(), 0
    while rounds < record.rounds:
        ask = seated.page.next("ask")
        rounds += ask["kind"] == "proceed"
        if rounds < record.rounds:
            seated.answer(ask, eager)
    ended = seated.leave()
    assert (ended.scores, ended.faults) == (record.scores, [])


def test_a_game_left_at_its_first_choice_has_its_start_in_the_log(sit_down):
    seated = sit_down()
    seated.next_choice()
    assert isinstance(seated.leave(), AbandonedError)
    kinds = [type(entry.event) for entry in read_log(seated.game.log)]
    assert kinds[:3] == [GameStart, RoundStart, Draw]


def test_the_kind_of_help_changes_at_once(sit_down):
    seated = sit_down()
    seated.next_choice()
    expected = {
        "tiles": {"tiles"},
        "danger": {"danger"},
        "all": {"tiles", "danger", "opinion"},
        "none": set(),
    }
    seated.page.next("hint")
    for level, parts in expected.items():
        seated.say(type="help", level=level)
        hint = seated.page.next("hint")
        assert hint["level"] == level
        assert set(hint) - {"type", "id", "level"} == parts


def test_the_log_opens_in_a_review(played):
    """Whatever the seat was asked, the review finds and judges."""
    seated, _ = played
    shares = []
    page = review_page(seated.game, ADVISOR, judged=shares.append)
    assert "game.mjson.gz" in page
    assert page.startswith("<!DOCTYPE html>")
    assert shares == sorted(shares)
    assert shares[-1] == 1
