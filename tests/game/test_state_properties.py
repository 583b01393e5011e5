"""Whatever is sent to a state, it either takes it and holds together or refuses it and stays as it was."""

import json
import pickle
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from manue.errors import EventError
from manue.game.actions import Call
from manue.game.consistency import problems
from manue.game.events import (
    Called,
    Discarded,
    DoraRevealed,
    Draw,
    Event,
    RiichiAccepted,
    RiichiDeclared,
    Won,
)
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.tiles import TILES
from tests.conftest import FULL
from tests.game.judging import event_of

riichienv = pytest.importorskip("riichienv", reason="needs the extra 'arena'")

SEATS = st.integers(-1, 4)
TILE_NAMES = st.sampled_from([*TILES, None, "?", "0m"])
CALLS = st.builds(
    Call,
    st.sampled_from(["chi", "pon", "daiminkan", "kakan", "ankan"]),
    st.lists(TILE_NAMES, max_size=5).map(tuple),
    TILE_NAMES,
    st.one_of(st.none(), SEATS),
)
STRAY_EVENTS = st.one_of(
    st.builds(Draw, SEATS, TILE_NAMES),
    st.builds(Discarded, SEATS, TILE_NAMES, st.booleans()),
    st.builds(Called, SEATS, CALLS),
    st.builds(RiichiDeclared, SEATS),
    st.builds(RiichiAccepted, SEATS),
    st.builds(DoraRevealed, TILE_NAMES),
    st.builds(Won, SEATS, SEATS, TILE_NAMES),
)


def recorded_games() -> list[list[Event]]:
    """Games in which the referee's first proposal, a call or a kan where there is one, is always taken."""
    games = []
    for seed in range(4):
        env = riichienv.RiichiEnv(game_mode="4p-red-half", seed=seed)
        asked = env.reset()
        while not env.done():
            asked = env.step({seat: eager(view.legal_actions(), seed) for seat, view in asked.items()})
        games.append([event_of(fields) for fields in json.loads(json.dumps(env.mjai_log))])
    return games


def eager(actions, seed: int):
    wanted = [
        a for a in actions if a.action_type not in (riichienv.ActionType.DISCARD, riichienv.ActionType.PASS)
    ]
    discards = [a for a in actions if a.action_type == riichienv.ActionType.DISCARD]
    return wanted[0] if wanted and seed % 2 else (discards or actions)[-1]


GAMES = recorded_games()


def stands(state: RoundState) -> list[str]:
    """Problems of the state; points may be off when an event that pays was lost on the way."""
    return [problem for problem in problems(state) if "points on the table" not in problem]


@st.composite
def damaged_streams(draw) -> list[Event]:
    events = list(draw(st.sampled_from(GAMES)))
    begin = draw(st.integers(1, max(1, len(events) - 200)))
    rounds = [at for at, event in enumerate(events) if type(event).__name__ == "RoundStart" and at <= begin]
    events = events[rounds[-1] if rounds else 0 :][:200]
    for _ in range(draw(st.integers(1, 6))):
        damage(events, draw(st.integers(0, len(events) - 2)), draw)
    return events


def damage(events: list[Event], at: int, draw) -> None:
    how = draw(st.sampled_from(["drop", "repeat", "swap", "insert", "actor", "tile", "flag"]))
    event = events[at]
    match how:
        case "drop":
            del events[at]
        case "repeat":
            events.insert(at, event)
        case "swap":
            events[at], events[at + 1] = events[at + 1], events[at]
        case "insert":
            events.insert(at, draw(STRAY_EVENTS))
        case "actor" if hasattr(event, "actor"):
            events[at] = replace(event, actor=draw(SEATS))
        case "tile" if hasattr(event, "tile"):
            events[at] = replace(event, tile=draw(TILE_NAMES))
        case "flag" if isinstance(event, Discarded):
            events[at] = replace(event, from_draw=not event.from_draw)


@settings(
    max_examples=3_000 if FULL else 60, deadline=None, suppress_health_check=[HealthCheck.large_base_example]
)
@given(damaged_streams(), st.integers(0, 3))
def test_damaged_streams_never_corrupt_a_state(events, seat):
    state = RoundState(seat)
    for event in events:
        before = pickle.dumps(state)
        refusal = refused(state, event)
        if refusal is None:
            assert stands(state) == [], event
            legal_actions(state)
        else:
            assert "\n" not in refusal
            assert pickle.dumps(state) == before, event


def refused(state: RoundState, event: Event) -> str | None:
    try:
        state.apply(event)
    except EventError as error:
        return str(error)
    return None
