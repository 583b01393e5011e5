"""Recorded rounds taken up in their midst: what is legal there, and what is then paid, are as recorded."""

from collections import Counter

import numpy as np

from manue.game.events import Called, Discarded, Draw, GameStart, RiichiDeclared, RoundStart, Won
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.records.games import games_of
from manue.rollouts.hands import put_hand
from manue.rollouts.snapshot import snapshot_of
from manue.sim.codes import TILE_NUMBER, code_of
from manue.sim.kit import new_kit, put_script
from manue.sim.occasions import ANSWER
from manue.sim.play import play_on
from manue.sim.players import SCRIPTED
from manue.sim.replay import recorded_rounds
from tests.game.rounds import deal

CHOICES = (Called, Discarded, RiichiDeclared, Won)


def test_rounds_taken_up_at_every_choice(rare_logs):
    kit = new_kit(judged=True)
    taken = Counter()
    for log in rare_logs:
        take_up(log, kit, taken)
    print(len(rare_logs), "games", dict(taken))
    assert taken["own turn"] > 100 * len(rare_logs)
    assert taken["answer"] > 20 * len(rare_logs)
    assert taken["declared"] > 2 * len(rare_logs)


def test_nobody_has_a_red_five_in_a_game_without_them():
    """Regression: others were dealt red fives; with four plain ones seen the round could not be played on."""
    state = RoundState(0)
    state.apply(GameStart(red_fives=False))
    for event in (deal("555m5p234567s899s"), Draw(0, "5m")):
        state.apply(event)
    found = snapshot_of(state, legal_actions(state))
    assert found is not None
    numbers = [TILE_NUMBER[tile] for tile in ("5m", "5p", "5s", "5mr", "5pr", "5sr")]
    assert found.unseen[numbers].tolist() == [0, 3, 3, 0, 0, 0]


def take_up(log, kit, taken):
    """Take up every round of a log at each choice of each seat."""
    events = games_of(log)[0].events
    rounds = recorded_rounds(events)
    states = [RoundState(seat) for seat in range(4)]
    made = 0
    for at, event in enumerate(events):
        if isinstance(event, RoundStart):
            recorded, made = next(rounds), 0
            put_script(kit, recorded.script)
        made += isinstance(event, CHOICES)
        for state in states:
            state.apply(event)
        for state in states:
            actions = legal_actions(state)
            if actions:
                found = snapshot_of(state, actions)
                if found is None:
                    assert state.offer.by != "discard"
                    continue
                check(found, state, actions, states, recorded, made, kit, (log.name, at, state.seat))
                called = "after a call" if found.occasion else "own turn"
                taken["declared" if found.declared else "answer" if found.occasion == ANSWER else called] += 1


def check(found, state, actions, states, recorded, made, kit, where):
    t = found.tables[0]
    known = t["wall"] >= 0
    assert (t["wall"][known] == recorded.wall[known]).all(), where
    hidden = np.bincount(recorded.wall[found.places], minlength=37)
    for other in found.opponents:
        tiles = np.bincount([TILE_NUMBER[tile] for tile in states[other].hand], minlength=37)
        hidden += tiles
        put_hand(t, other, tiles.astype(np.int8), kit["tables"])
        assert int(t["waits"][other]) == sum(1 << kind for kind in states[other].waits), where
    assert hidden.tolist() == found.unseen.tolist(), where
    t["wall"][:] = recorded.wall
    t["player"][:] = SCRIPTED
    t["script_at"] = made - found.declared
    play_on(t, found.turn, found.occasion, kit)
    asked = [row for row in kit["judged"][: t["judged_len"]].tolist() if row[0] == state.seat]
    row = asked[found.declared]
    assert set(row[4 : 4 + row[3]]) == {code_of(action, state.seat) for action in actions}, where
    assert (t["fault"], t["script_at"]) == (0, len(recorded.script)), where
    if recorded.end[-1].scores is not None:
        assert t["scores"].tolist() == list(recorded.end[-1].scores), where
    paid = [end.deltas for end in recorded.end if end.deltas is not None]
    if len(paid) == len(recorded.end):
        assert t["deltas"].tolist() == np.sum(paid, axis=0).tolist(), where
