"""The referee judges simulated games: the same walls, the same choices, event by event."""

from dataclasses import dataclass, field

import numpy as np

from manue.agents.policy import PolicyPlayer
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.models.placement import RoundPosition
from manue.protocol.codec import action_to_fields
from manue.sim.codes import code_of
from manue.sim.deal import shuffle
from manue.sim.games import finish_round
from manue.sim.kit import new_kit
from manue.sim.messages import messages_of, start_message
from manue.sim.net import SHAPES
from manue.sim.play import play_round
from manue.sim.players import POLICY
from manue.sim.table import new_tables
from manue.sim.wall import TILE_OF_PHYSICAL
from manue.table.referee import Referee
from manue.tiles import Seat
from manue.training.policy_net import flat, new_arrays
from tests.game.judging import event_of


@dataclass
class SimulatedGame:
    """A game as the kernels played it: messages, and who chose what among which options after how many."""

    players: list[int]
    messages: list[dict] = field(default_factory=list)
    choices: list[tuple[int, Seat, int, set[int]]] = field(default_factory=list)
    rounds: int = 0
    scores: list[int] = field(default_factory=list)


def some_weights():
    """A policy net that has learned nothing but differs between options."""
    rng = np.random.default_rng(5)
    return np.concatenate([flat(new_arrays(shape, rng)) for shape in SHAPES.values()])


def simulate(seed: int, players: list[int], *, last_index: int = 7, rng: int = 1) -> SimulatedGame:
    """Play a game with notes of everything."""
    t = new_tables(1)[0]
    t["seed"], t["last_index"], t["rng"] = seed, last_index, 2 * rng + 1
    t["player"][:] = players
    kit = judged_kit()
    played = SimulatedGame(players, [{"type": "start_game"}])
    while not t["over"]:
        shuffle(t)
        _play_round(t, kit, played)
        finish_round(t, kit)
    played.messages.append({"type": "end_game"})
    played.scores = t["scores"].tolist()
    return played


def judged_kit():
    """What tables need to note every event and every choice."""
    return new_kit(nets=[some_weights()], log=True, judged=True)


def simulate_round(
    wall: list[int], position: RoundPosition, scores: list[int], players: list[int], kit, *, rng: int = 1
) -> SimulatedGame:
    """Play a single round with the physical tiles of a wall."""
    t = new_tables(1)[0]
    t["rng"], t["last_index"] = 2 * rng + 1, 7
    t["index"], t["honba"], t["deposits"] = position.index, position.honba, position.deposits
    t["player"][:], t["scores"][:], t["wall"][:] = players, scores, TILE_OF_PHYSICAL[wall]
    played = SimulatedGame(players, [{"type": "start_game"}])
    _play_round(t, kit, played)
    return played


def _play_round(t, kit, played: SimulatedGame) -> None:
    t["log_len"] = t["judged_len"] = 0
    played.messages.append(start_message(t))
    before = len(played.messages)
    play_round(t, kit)
    for seat, events, chosen, n, *options in kit["judged"][: t["judged_len"]].tolist():
        played.choices.append((before + events, seat, chosen, set(options[:n])))
    played.messages += messages_of(t, kit["log"][: t["log_len"]])
    played.rounds += 1
    played.messages.append({"type": "end_kyoku"})


def judge(seed: int, played: SimulatedGame, *, length: str = "hanchan") -> int:
    """Play a simulated game again with the referee; return the number of choices compared.

    The final scores must be equal, and all that `compare` compares.
    """
    referee = Referee(seed, length=length)
    compared = compare(played, referee, referee.start())
    assert referee.over
    assert referee.scores() == played.scores
    return compared


def compare(played: SimulatedGame, referee: Referee, messages: list[dict]) -> int:
    """Play what was simulated with a referee that has dealt; return the number of choices compared.

    Every message, every seat asked and every legal set must be equal, and so must the legal sets of our own
    state, and what the agent of the policy net does with that state.
    """
    states = [RoundState(seat) for seat in range(4)]
    agent = PolicyPlayer(some_weights())
    waiting = list(reversed(played.choices))
    told = compared = 0
    while True:
        for message in messages[: len(played.messages) - told]:
            mine = played.messages[told]
            if message["type"] in {"start_game", "end_game"}:
                assert mine["type"] == message["type"]
            else:
                assert mine == message, (told, mine, message)
                assert list(mine) == list(message)
            told += 1
            event = event_of(message)
            for state in states:
                state.apply(event)
        if told == len(played.messages):
            break
        replies = {}
        while waiting and waiting[-1][0] == told:
            _, seat, chosen, options = waiting.pop()
            compared += 1
            actions = {code_of(action, seat): action for action in legal_actions(states[seat])}
            assert set(actions) == options, (told, set(actions), options)
            if played.players[seat] == POLICY:
                assert agent.decide(states[seat], tuple(actions.values())).action == actions[chosen], told
            replies[seat] = action_to_fields(actions[chosen], seat)
            assert referee.is_legal(seat, replies[seat]), replies[seat]
        assert set(replies) == set(referee.asked), (told, replies, set(referee.asked))
        messages = referee.step(replies)
    assert not waiting
    return compared
