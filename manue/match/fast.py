"""Games of a match played at a table in compiled code: the same games, results and logs, without the referee.

Only agents that exist as kernels can play; there are no decisions to time and none to annotate.
"""

import hashlib
import time
from collections.abc import Iterator, Sequence

from pydantic_core import to_json

from manue.agents.policy import NETS
from manue.agents.registry import make_agent, parse_spec
from manue.errors import UsageError
from manue.match.games import MatchSettings, PlayedGame, line_of
from manue.match.schedule import Fixture
from manue.models.policy import load_policy
from manue.protocol.codec import KYOKU_FIRST
from manue.records.log_writer import HeldLog
from manue.records.results import places_of
from manue.rules import LAST_ROUND, TENHOU
from manue.sim.deal import shuffle
from manue.sim.games import finish_round
from manue.sim.kit import new_kit, put_net
from manue.sim.messages import MessageFields, messages_of, start_message
from manue.sim.play import play_round
from manue.sim.players import GREEDY, POLICY, TSUMOGIRI
from manue.sim.table import new_tables
from manue.table.decision_times import Timing
from manue.table.referee import wall_seed
from manue.table.situations import Situations
from manue.table.table import GameRecord, event_of
from manue.table.tally import GameTally

KERNELS = {"greedy": GREEDY, **dict.fromkeys(NETS, POLICY), "tsumogiri": TSUMOGIRI}
"""The agents that exist as kernels."""


def check_fast(settings: MatchSettings) -> None:
    """Check that a match can be played so.

    Raises
    ------
    UsageError
        If an agent is not a kernel or its options are unknown, or the rules are not Tenhou's.
    ModelError
        If a net is missing or damaged.
    """
    if settings.rules != "tenhou":
        raise UsageError("--fast plays by Tenhou's rules only")
    for spec in settings.schedule.agents():
        name = spec.partition(":")[0]
        if name not in KERNELS:
            raise UsageError(f"--fast plays {', '.join(KERNELS)}, not {spec!r}")
        make_agent(spec)


def play_fast(settings: MatchSettings, fixture: Fixture) -> PlayedGame:
    """Play one game; like `manue.match.games.play_fixture`."""
    seed = wall_seed(settings.seed, fixture.wall)
    log = HeldLog() if settings.logs else None
    started = time.perf_counter()
    messages = list(_messages(settings, fixture.seats, seed))
    if log is not None:
        for message in messages:
            log.write(message)
    record = _record(messages)
    record.seconds = time.perf_counter() - started
    return PlayedGame(line_of(settings, fixture, seed, record), b"" if log is None else log.gzipped())


def _messages(settings: MatchSettings, specs: Sequence[str], seed: int) -> Iterator[MessageFields]:
    """Yield the messages of a game."""
    t = new_tables(1)[0]
    t["seed"], t["last_index"] = seed, LAST_ROUND[settings.length]
    named = [parse_spec(spec) for spec in specs]
    t["player"][:] = [KERNELS[name] for name, _ in named]
    kit = new_kit(log=True)
    for seat, (name, options) in enumerate(named):
        t["net"][seat] = seat
        if name in NETS:
            put_net(kit, seat, load_policy(options.get("models"), NETS[name]))
    yield {
        "type": "start_game",
        "names": list(specs),
        "kyoku_first": KYOKU_FIRST[LAST_ROUND[settings.length]],
        "aka_flag": TENHOU.red_fives,
    }
    while not t["over"]:
        t["log_len"] = 0
        shuffle(t)
        yield start_message(t)
        play_round(t, kit)
        yield from messages_of(t, kit["log"][: t["log_len"]])
        finish_round(t, kit)
        yield {"type": "end_kyoku"}
    yield {"type": "end_game", "scores": t["scores"].tolist()}


def _record(messages: Sequence[MessageFields]) -> GameRecord:
    """Count what happened in a game."""
    tally, situations, digest = GameTally(), Situations(), hashlib.sha256()
    for message in messages:
        event = event_of(message)
        tally.apply(event)
        situations.apply(event)
        digest.update(to_json(message))
    scores = messages[-1]["scores"]
    return GameRecord(
        scores=scores,
        places=list(places_of(scores)),
        rounds=tally.rounds,
        draws=tally.draws,
        events=len(messages),
        digest=digest.hexdigest(),
        tallies=tally.seats,
        situations=situations,
        timings=tuple(Timing() for _ in range(4)),
    )
