"""Recorded rounds played again at a simulated table: every payment, and the round that follows, are equal."""

from manue.game.events import Discarded, RiichiDeclared, RoundDrawn
from manue.records.games import games_of
from manue.sim.codes import END_EVENT, EXHAUSTIVE, WIN_EVENT
from manue.sim.games import dealer_stays, finish_round
from manue.sim.kit import new_kit, put_script
from manue.sim.play import play_round
from manue.sim.players import SCRIPTED
from manue.sim.replay import recorded_rounds
from manue.sim.table import new_tables
from tests.conftest import FULL, game


def replayed(log, t, kit):
    """Play the rounds of a log again; return how many."""
    rounds = list(recorded_rounds(games_of(log)[0].events))
    for at, recorded in enumerate(rounds):
        recorded.set_up(t)
        t["over"] = 0
        put_script(kit, recorded.script)
        t["log_len"] = 0
        play_round(t, kit)
        assert (t["fault"], t["script_at"]) == (0, len(recorded.script)), (log, at)
        rows = [row for row in kit["log"][: t["log_len"]].tolist() if row[0] in (WIN_EVENT, END_EVENT)]
        assert len(rows) == len(recorded.end), (log, at)
        for row, end in zip(rows, recorded.end, strict=True):
            if end.deltas is not None:
                assert row[5:] == list(end.deltas), (log, at)
        if recorded.end[-1].scores is not None:
            assert t["scores"].tolist() == list(recorded.end[-1].scores), (log, at)
        finish_round(t, kit)
        if at + 1 < len(rounds) and not (t["over"] and t["ending"] == EXHAUSTIVE and dealer_stays(t)):
            # the exception: in a few early records a dealer who is first and tenpai at a draw plays on
            following = rounds[at + 1].start
            assert not t["over"], (log, at)
            assert (t["index"] % 4 + 1, t["honba"]) == (following.number, following.honba), (log, at)
            assert t["deposits"] == following.deposits, (log, at)
            assert t["scores"].tolist() == list(following.scores), (log, at)
        assert not (isinstance(recorded.end[-1], RoundDrawn) and t["winners"])
    return len(rounds)


def replay_all(logs):
    t, kit = new_tables(1)[0], new_kit(log=True)
    t["player"][:] = SCRIPTED
    rounds = sum(replayed(log, t, kit) for log in logs)
    print(f"{len(logs)} games, {rounds} rounds")
    assert rounds > 3 * len(logs)


def test_games_with_rare_events(rare_logs):
    replay_all(rare_logs)


def test_unselected_records(records):
    """Forty of them; all with MANUE_FULL=1."""
    logs = sorted((records / "hanchan").iterdir())
    replay_all(logs if FULL else logs[:: max(1, len(logs) // 40)])


def test_a_choice_that_is_not_legal_is_a_fault():
    events = games_of(game("four-kans"))[0].events
    at = next(at for at, event in enumerate(events) if isinstance(event, Discarded))
    recorded = next(recorded_rounds([*events[:at], RiichiDeclared(events[at].actor), *events[at:]]))
    t, kit = new_tables(1)[0], new_kit()
    t["player"][:] = SCRIPTED
    recorded.set_up(t)
    put_script(kit, recorded.script)
    play_round(t, kit)
    assert t["fault"]
