"""Coverage-guided fuzzing of parser, codec, state and session (Linux; ``pip install 'manue[fuzz]'``).

``python -m tests.fuzz TARGET FOLDER [-runs=N ...]`` starts with lines of a sample game, keeps what it finds
in the folder, and stops with a report at the first error that is not one of ours. Options are libFuzzer's.
"""

import gzip
import json
import random
import sys
from contextlib import suppress
from pathlib import Path

import atheris

ROOT = Path(__file__).parent.parent
KERNELS = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in ROOT.glob("manue/**/*.py")
    if any(mark in path.read_bytes() for mark in (b"@compiled", b"@inlined", b"@specialized"))
]
"""Modules that the compiler could not read once they are instrumented."""

with atheris.instrument_imports(include=["manue"], exclude=KERNELS):
    from manue.agents.rules import RulePlayer
    from manue.errors import EventError, ManueError, ProtocolError
    from manue.game.actions import Call
    from manue.game.consistency import problems
    from manue.game.events import (
        Called,
        Discarded,
        DoraRevealed,
        Draw,
        GameEnd,
        RiichiAccepted,
        RiichiDeclared,
        RoundDrawn,
        RoundEnd,
        RoundStart,
        Won,
    )
    from manue.game.legal import legal_actions
    from manue.game.players import Phase
    from manue.game.state import RoundState
    from manue.player import warm_up
    from manue.protocol.annotation import decisions_of
    from manue.protocol.codec import event_to_fields, fields_to_action, message_to_choice, message_to_event
    from manue.protocol.dialect import ARRAYS, DIALECTS
    from manue.protocol.parsing import decode, parse_array, parse_choice, parse_message, parse_value
    from manue.protocol.session import Session
    from manue.records.mjlog import read_mjlog
    from manue.records.tenhou_json import read_tenhou_json
    from manue.tiles import KINDS, RED_FIVES

SAMPLE = ROOT / "data" / "games" / "four-manue.mjson.gz"
WALL = [*(tile for tile in KINDS for _ in range(4 - (tile[0] == "5" and len(tile) == 2))), *RED_FIVES]
"""All 136 tiles."""


def parser(data):
    """Lines, arrays, replies, annotations and records: a value or one of our errors."""
    for parse in (parse_message, parse_choice, decode):
        try:
            parse(data)
        except ProtocolError:
            continue
    try:
        values = parse_array(data)
    except ProtocolError:
        return
    for value in values:
        try:
            parse_value(value)
        except ProtocolError:
            continue


def records(data):
    """Annotations and the records of other sites."""
    with suppress(ManueError):
        read_mjlog(data, "fuzz")
    try:
        value = decode(data)
    except ProtocolError:
        return
    for read in (decisions_of, lambda value: isinstance(value, dict) and read_tenhou_json(value, "fuzz")):
        try:
            read(value)
        except ManueError:
            continue


def codec(data):
    """What can be read as an event or a choice is the same after writing and reading it again."""
    if data[:1] != b"{":
        data = json.dumps(_message(atheris.FuzzedDataProvider(data))).encode()
    try:
        message = parse_message(data)
    except ProtocolError:
        return
    try:
        event = message_to_event(message)
    except EventError:
        return
    if event is not None:
        again = parse_message(json.dumps(event_to_fields(event)))
        assert message_to_event(again) == event, (event, again)
    message_to_choice(message)
    try:
        fields_to_action(decode(data))
    except ManueError:
        return


LENGTHS = [4, 4, 4, 3, 0, 14]


def _tile(source):
    return source.PickValueInList([*KINDS, *RED_FIVES, "?", "5m5", None])


def _tiles(source):
    return [_tile(source) for _ in range(source.ConsumeIntInRange(0, 4))]


def _points(source):
    return [source.ConsumeIntInRange(-100_000, 100_000) for _ in range(source.PickValueInList(LENGTHS))]


KINDS_OF_MESSAGE = (
    "start_game start_kyoku tsumo dahai chi pon daiminkan ankan kakan reach reach_accepted dora hora ryukyoku"
    " end_kyoku end_game none request_action action_ack validation_result error hello join"
).split()
SEATS = [0, 1, 2, 3, 4, -1, None]
FIELDS = {
    **dict.fromkeys(("actor", "target", "oya", "id"), lambda source: source.PickValueInList(SEATS)),
    **dict.fromkeys(("pai", "dora_marker"), _tile),
    **dict.fromkeys(("consumed", "ura_markers", "hora_tehais", "cannot_dahai"), _tiles),
    **dict.fromkeys(
        ("kyoku", "honba", "kyotaku", "fu", "fan"), lambda source: source.ConsumeIntInRange(-1, 200)
    ),
    **dict.fromkeys(("tsumogiri", "can_act", "passed"), lambda source: source.ConsumeBool()),
    **dict.fromkeys(("reason", "name", "status"), lambda source: source.ConsumeUnicode(5)),
    **dict.fromkeys(("deltas", "scores"), _points),
    "bakaze": lambda source: source.PickValueInList(["E", "S", "W", "N", "P", 0]),
    "tehais": lambda source: [[_tile(source)] * 13 for _ in range(source.PickValueInList(LENGTHS))],
    "tenpais": lambda source: [source.ConsumeBool() for _ in range(source.PickValueInList(LENGTHS))],
    "possible_actions": lambda source: [_message(source) for _ in range(source.ConsumeIntInRange(0, 2))],
}


def _message(source):
    """Most messages have what they need, and more; some lack a field or have an odd one."""
    fields = {"type": source.PickValueInList(KINDS_OF_MESSAGE)}
    for name, value in FIELDS.items():
        if source.remaining_bytes() and source.ConsumeIntInRange(0, 15):
            fields[name] = value(source)
    return fields


def state(data):
    """Any events in any order: each is carried out or refused, and what is known stays consistent."""
    source = atheris.FuzzedDataProvider(data)
    seat = source.ConsumeIntInRange(0, 3)
    wall = list(WALL)
    random.Random(source.ConsumeIntInRange(0, 255)).shuffle(wall)
    round_state = RoundState(seat)
    hands = tuple(
        tuple(wall.pop() for _ in range(13)) if other == seat else (None,) * 13 for other in range(4)
    )
    round_state.apply(RoundStart("E", 1, 0, 0, source.ConsumeIntInRange(0, 3), wall.pop(), hands))
    while source.remaining_bytes():
        before = (round_state.event_count, round_state.phase, tuple(round_state.hand), round_state.tiles_left)
        try:
            round_state.apply(_event(source, round_state, wall))
        except EventError:
            now = (
                round_state.event_count,
                round_state.phase,
                tuple(round_state.hand),
                round_state.tiles_left,
            )
            assert now == before
            continue
        legal_actions(round_state)
    assert problems(round_state) == []


def _event(source, now, wall):
    """Choose an event that is often, but not always, possible."""
    actor = now.turn if source.ConsumeBool() else source.ConsumeIntInRange(0, 3)
    tiles = now.hand if actor == now.seat and now.hand and source.ConsumeBool() else WALL
    tile = tiles[source.ConsumeIntInRange(0, len(tiles) - 1)]
    if now.phase in {Phase.DRAW, Phase.KAN_DRAW} and source.ConsumeBool():
        return Draw(actor, None if actor != now.seat else wall.pop() if wall else tile)
    match source.ConsumeIntInRange(0, 10):
        case 0 | 1:
            return Discarded(actor, tile, source.ConsumeBool())
        case 2:
            return Discarded(actor, now.drawn or tile, from_draw=True)
        case 3 | 4:
            return _call(source, now, actor, tile)
        case 5:
            return RiichiDeclared(actor)
        case 6:
            return RiichiAccepted(actor)
        case 7:
            return DoraRevealed(tile)
        case 8:
            return Won(actor, source.ConsumeIntInRange(0, 3), tile)
        case 9:
            return Draw(actor, tile if source.ConsumeBool() else None)
        case _:
            return source.PickValueInList([RoundDrawn("x"), RoundEnd(), GameEnd()])


def _call(source, now, actor, tile):
    taken = now.offer.tile if now.offer is not None and source.ConsumeBool() else tile
    base = KINDS.index(taken.removesuffix("r"))
    kind = source.PickValueInList(["chi", "pon", "daiminkan", "kakan", "ankan"])
    same = KINDS[base]
    match kind:
        case "chi":
            low = base - source.ConsumeIntInRange(0, 2)
            consumed = tuple(KINDS[at % 34] for at in range(low, low + 3) if at != base)
        case "pon":
            consumed = (same, same)
        case "ankan":
            consumed = (same,) * 4
        case _:
            consumed = (same,) * 3
    if source.ConsumeBool():
        consumed = tuple(
            f"{name}r" if at == 0 and name[0] == "5" and name[1:] else name
            for at, name in enumerate(consumed)
        )
    from_seat = (
        None
        if kind in {"kakan", "ankan"}
        else now.offer.source
        if now.offer
        else source.ConsumeIntInRange(0, 3)
    )
    return Called(actor, Call(kind, consumed, None if kind == "ankan" else taken, from_seat))


AGENT = RulePlayer()
DIALECT_LIST = sorted(DIALECTS.values(), key=lambda dialect: dialect.name)


def session(data):
    """Lines of a conversation, the dialect by the first byte: one answer a line where all are answered."""
    if not data:
        return
    dialect = DIALECT_LIST[data[0] % len(DIALECT_LIST)]
    talk = Session(AGENT, dialect, complain=lambda _: None, seat=data[0] // 8 % 4)
    for line in data[1:].split(b"\n"):
        reply = talk.respond(line)
        if dialect.replies == "every":
            assert (reply is None) == (not line.strip())
        if reply is not None:
            assert "type" in json.loads(reply)


TARGETS = {target.__name__: target for target in (parser, records, codec, state, session)}


def seeds(name):
    """Lines of the sample game; for ``session``, pieces of it in every dialect."""
    lines = gzip.decompress(SAMPLE.read_bytes()).splitlines()
    bare = [
        json.dumps({k: v for k, v in json.loads(line).items() if k not in {"logs", "meta"}}).encode()
        for line in lines
    ]
    if name == "session":
        for at, dialect in enumerate(DIALECT_LIST):
            piece = [b"[" + line + b"]" if dialect is ARRAYS else line for line in bare[:60]]
            yield bytes([at]) + b"\n".join(piece)
    elif name == "records":
        yield from (json.dumps(json.loads(line).get("meta")).encode() for line in lines[:40])
    elif name != "state":
        yield from dict.fromkeys(bare[:200])


def main():
    """Write the seeds and fuzz."""
    if len(sys.argv) < 3 or sys.argv[1] not in TARGETS:
        sys.exit(f"usage: python -m tests.fuzz {'|'.join(TARGETS)} FOLDER [libFuzzer options]")
    name, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(name)):
        (folder / f"seed-{number}").write_bytes(seed)
    if name in {"state", "session"}:
        warm_up(AGENT)  # compiling is no hang
    atheris.Setup([sys.argv[0], str(folder), *sys.argv[3:]], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
