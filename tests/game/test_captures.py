"""Our legal sets against what real hosts said in captured conversations."""

from collections import defaultdict

import pytest

from manue.game.actions import Action, Call, Discard, NineTerminals, Pass, Riichi, Win
from manue.game.state import RoundState
from manue.protocol.codec import message_to_event
from manue.protocol.messages import StartGame
from manue.protocol.parsing import parse_value
from manue.tiles import KIND_OF
from tests.captures import lines_of, names
from tests.game.judging import choices_of, differences, event_of, follow

RED_FIVE_FURITEN = ("ruby-server-tonnan-q9-client3-redfive-furiten", 1293)
"""The server forgets a red five in the player's own river: it offers a win although 5mr was discarded."""
FIFTH_COPY_WAIT = ("ruby-server-tonnan-h14-client3", 1539)
"""The server lets riichi wait for a fifth copy."""


# ---- riichienv: complete sets


@pytest.mark.parametrize("name", names("riichienv-"))
def test_legal_sets_of_captured_games_are_equal(name):
    state, actions, decisions = RoundState(0), (), 0
    for number, line in enumerate(lines_of(name), 1):
        if "legal" in line:
            assert differences(actions, choices_of(line["legal"])) == [], f"line {number}"
            actions, decisions = (), decisions + 1
            continue
        assert actions == (), f"line {number}: nobody asked for {actions}"
        if line["event"]["type"] == "start_game":
            state = RoundState(line["seat"])
        actions = follow(state, event_of(line["event"]))
    assert decisions > 1_000


# ---- the Ruby server: everything but discards and passes, and the forbidden discards


@pytest.mark.parametrize("name", names("ruby-server-ton"))
def test_the_ruby_server_offers_what_we_would_do(name):
    state, offered, forbidden = None, 0, 0
    for number, line in enumerate(lines_of(name), 1):
        if line["dir"] != "in" or not isinstance(line["msg"], dict) or line["msg"]["type"] == "hello":
            continue
        message = parse_value(line["msg"])
        if isinstance(message, StartGame):
            state = RoundState(message.id)
        actions = follow(state, message_to_event(message))
        if line["msg"].get("possible_actions") is not None:
            offered += check_offer(state, actions, message.possible_actions, (name, number))
        if line["msg"].get("cannot_dahai") is not None:
            forbidden += check_forbidden(state, actions, message.cannot_dahai, (name, number))
    assert offered > 20
    assert forbidden > 0


def check_offer(state: RoundState, actions, offered, place) -> int:
    special = [action for action in actions if not isinstance(action, Discard | Pass)]
    different = differences(special, offered)
    if place == RED_FIVE_FURITEN:
        assert different == ["missing {'type': 'hora', 'actor': 3, 'target': 1, 'pai': '8m'}"]
        assert state.furiten
    else:
        assert different == [], place
    return len(offered)


def check_forbidden(state: RoundState, actions, cannot: list[str], place) -> int:
    allowed = {action.tile for action in actions}
    assert all(isinstance(action, Discard) for action in actions)
    if place == FIFTH_COPY_WAIT:
        assert allowed < set(state.hand) - set(cannot)
    else:
        assert allowed == set(state.hand) - set(cannot), place
    return 1


# ---- mjai.app: kinds of actions


def flag_of(state: RoundState, action: Action) -> str | None:
    """The host's word for an action; passing has none."""
    match action:
        case Discard():
            return "can_discard"
        case Riichi():
            return "can_riichi"
        case NineTerminals():
            return "can_ryukyoku"
        case Win():
            return "can_tsumo_agari" if action.source == state.seat else "can_ron_agari"
        case Call(kind="chi"):
            below = sum(KIND_OF[tile] < KIND_OF[action.tile] for tile in action.consumed)
            return ("can_chi_low", "can_chi_mid", "can_chi_high")[below]
        case Call():
            return f"can_{action.kind}"
    return None


@pytest.mark.parametrize("name", [name for name in names("mjaiapp-hanchan-") if "log" not in name])
def test_flags_of_captured_arrays_are_equal(name):
    states = [RoundState(seat) for seat in range(4)]
    decisions = 0
    last: dict[int, tuple[Action, ...]] = {}
    for number, line in enumerate(lines_of(name), 1):
        state = states[line["seat"]]
        if line["dir"] == "in":
            for fields in line["msg"]:
                assert not last.get(line["seat"]), f"line {number}: a decision inside an array"
                last[line["seat"]] = follow(state, event_of(fields))
            continue
        actions = last.pop(line["seat"])
        flags = {flag_of(state, action) for action in actions} - {None}
        assert flags == set(line["cans"]), f"line {number}: {actions}"
        decisions += bool(flags)
    assert decisions > 500


def test_the_hosts_own_log_replays_without_problems():
    states = [RoundState(seat) for seat in range(4)]
    seen = defaultdict(int)
    for fields in lines_of("mjaiapp-hanchan-1.server-log"):
        seen[fields["type"]] += 1
        for state in states:
            follow(state, event_of(fields))
    assert seen["hora"] > 0
