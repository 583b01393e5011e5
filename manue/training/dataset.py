"""From game logs with all hands open to arrays: what a seat saw at each of its discards, and the truth.

A log is replayed through four `RoundState`, one per seat, exactly as in play. Before every discard the seat's
scene is recorded (`manue.features.scene`) together with the truth behind it (`TRUTH`): which kinds each
opponent would win on and for how many points, how the round ended and how the game ended.

Games are extracted in blocks by any number of processes, each block into one file of the cache folder. The
file name depends on the block's logs and the seed, so an interrupted extraction continues where it stopped.
Memory holds one block at a time, however many games there are.
"""

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from pathlib import Path

import numpy as np

from manue.arrays import I64, U8, Records
from manue.errors import EventError
from manue.features.scene import SCENE, Scenes, scene_of
from manue.game.checks import MAX_INDICATORS
from manue.game.events import Called, Discarded, DoraRevealed, Draw, Event, RoundDrawn, RoundStart, Won
from manue.game.legal import swapped_kinds
from manue.game.state import RoundState
from manue.game.win import tiles_of_win, winning_tile
from manue.hand.score import score_win
from manue.records.games import MAX_ROUNDS, RecordedGame, collect_games
from manue.records.results import is_exhaustive, places_of
from manue.rules import TENHOU, Rules
from manue.tiles import COPIES, KIND_OF, KINDS, RED_FIVES, TILES, Kind, Seat, Tile, counts_of, dora_of
from manue.whole_files import whole_file
from manue.workers import WorkerPool

BLOCK = 40
"""Logs per cache file."""
VALIDATION_SHARE = 8
"""One game in this many is used for validation."""
SEQUENCES_OF_GAME = 4 * MAX_ROUNDS
"""The most rounds of a game, times its seats: the numbers of `sequences_of` that each game takes."""
FORMAT = 4
"""Raised whenever the meaning of the content of cache files changes."""

TSUMO, RON, EXHAUSTED, ABORTED = range(4)
"""How a round ended: `EXHAUSTED` and all beyond it without a win."""

TRUTH = np.dtype(
    [
        ("game", np.int32),  # index within the block
        ("round", np.int16),  # index within the game
        ("seat", np.int8),  # the observer, absolute
        ("turn", np.int16),  # discards of the observer before this one in the round
        ("discarded", np.int8),  # the kind discarded
        ("forbidden", np.int8, (2,)),  # kinds that could not be discarded after a call; -1: none
        ("tenpai", np.uint8, (4,)),  # relative seats, the observer's own after its discard
        ("furiten", np.uint8, (4,)),
        # hundreds, of a ron on the kind now by the next, the opposite and the previous seat; 0: no win
        ("win_points", np.int16, (3, 34)),
        ("ending", np.int8),  # TSUMO, RON, EXHAUSTED, ABORTED
        ("winner", np.uint8, (4,)),
        ("payer", np.int8),  # relative seat that dealt in; -1 if none
        # what each ura indicator shown made dora of the observer's hand, if it won; -1: none shown
        ("ura_dora", np.int8, (MAX_INDICATORS,)),
        ("final_rank", np.int8, (4,)),  # 1..4; ties by seat
    ]
)
"""The truth at a scene; seats relative to the observer."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Some games as arrays, with all discards in the order they were made.

    Parameters
    ----------
    scenes : SCENE[n]
    truths : TRUTH[n]
    games : tuple of str
        The name of each game's file; ``truths["game"]`` indexes them.
    """

    scenes: Scenes
    truths: Scenes
    games: tuple[str, ...]

    def part(self, *, validation: bool) -> "Shard":
        """Return the decisions of the validation games, or of the others."""
        kept = np.array([is_validation(name) == validation for name in self.games], np.bool_)
        mask = kept[self.truths["game"]]
        return replace(self, scenes=self.scenes[mask], truths=self.truths[mask])


def is_validation(name: str) -> bool:
    """Return whether the games of a file are used for validation; this depends only on the file's name."""
    return hashlib.sha256(name.encode()).digest()[0] % VALIDATION_SHARE == 0


def replay(events: Iterable[Event], name: str, seed: int, rules: Rules = TENHOU) -> tuple[Scenes, Scenes]:
    """Replay one game and return the scenes and truths of all four seats' discards.

    Returns
    -------
    scenes : SCENE[n]
    truths : TRUTH[n]

    Raises
    ------
    EventError
        If the events contradict each other or a hand is hidden.
    """
    rounds = _rounds(events)
    scenes: list[bytes] = []
    truths: list[Scenes] = []
    states = [RoundState(seat, rules) for seat in range(4)]
    for index, part in enumerate(rounds):
        ura = _ura(part, random.Random(f"{seed} {name} {index}"))
        first = len(truths)
        ura_dora: dict[Seat, list[int]] = {}
        for event in part:
            if isinstance(event, Discarded):
                scenes.append(scene_of(states[event.actor]).tobytes())
                truths.append(_truth(states, event, index, ura))
            if isinstance(event, Won):
                ura_dora[event.actor] = _ura_dora(states[event.actor], event)
            for state in states:
                state.apply(event)
            if isinstance(event, Discarded):
                truths[-1]["tenpai"][0, 0] = bool(states[event.actor].waits)
                truths[-1]["furiten"][0, 0] = states[event.actor].furiten
        if first < len(truths):
            _note_ending(part, truths[first:], ura_dora)
    if not truths:
        raise EventError("no round with a discard")
    table = np.concatenate(truths)
    _note_game_end(states[0].scores, table)
    return np.frombuffer(b"".join(scenes), SCENE), table


def _rounds(events: Iterable[Event]) -> list[list[Event]]:
    """Cut a game before the start of each round; what comes before the first belongs to it."""
    rounds: list[list[Event]] = [[]]
    for event in events:
        if isinstance(event, RoundStart):
            if any(None in hand for hand in event.hands):
                raise EventError("hands are hidden: a log with all four hands open is needed")
            if any(isinstance(earlier, RoundStart) for earlier in rounds[-1]):
                rounds.append([])
        rounds[-1].append(event)
    return rounds


def _ura(events: Sequence[Event], rng: random.Random) -> tuple[Tile, ...]:
    """Return five ura indicators: those shown at the end, the rest at random from tiles nobody ever saw."""
    left = Counter({tile: 1 if tile in RED_FIVES else COPIES for tile in TILES})
    left.subtract([red[:2] for red in RED_FIVES])
    shown: tuple[Tile, ...] = ()
    for event in events:
        match event:
            case RoundStart():
                left.subtract(tile for hand in event.hands for tile in hand if tile is not None)
                left[event.dora_indicator] -= 1
            case Draw(tile=tile) if tile is not None:
                left[tile] -= 1
            case DoraRevealed():
                left[event.indicator] -= 1
            case Won():
                shown = event.ura_indicators or shown
    left.subtract(shown)
    pool = [tile for tile, copies in left.items() for _ in range(copies)]
    return (*shown, *rng.sample(pool, 5 - len(shown)))


def _ura_dora(state: RoundState, event: Won) -> list[int]:
    """Return what each ura indicator shown makes dora of the hand that wins, from its state before it."""
    tile = winning_tile(state, event)
    if tile is None:
        raise EventError(f"seat {event.actor} wins on no tile")
    held = counts_of(tiles_of_win(state, tile, event.source))
    return [int(held[dora_of(indicator)]) for indicator in event.ura_indicators]


def _truth(states: Sequence[RoundState], event: Discarded, index: int, ura: tuple[Tile, ...]) -> Scenes:
    truth = np.zeros(1, TRUTH)
    seat = event.actor
    truth["round"] = index
    truth["seat"] = seat
    truth["turn"] = len(states[seat].players[seat].river)
    truth["discarded"] = KIND_OF[event.tile]
    truth["forbidden"] = -1
    forbidden = _forbidden(states[seat], event)
    truth["forbidden"][0, : len(forbidden)] = forbidden
    for i in range(1, 4):
        state = states[(seat + i) % 4]
        if len(state.hand) % 3 != 1:
            raise EventError(f"seat {state.seat} has not discarded when seat {seat} does")
        if state.waits:
            truth["tenpai"][0, i] = 1
            truth["furiten"][0, i] = state.furiten
            if not state.furiten:
                for kind, points in _wins(state, ura):
                    truth["win_points"][0, i - 1, kind] = points // 100
    return truth


def _forbidden(state: RoundState, event: Discarded) -> tuple[Kind, ...]:
    """Return the kinds that a call forbade to discard; none if a table without that rule let it happen."""
    called = state.last_event
    if not isinstance(called, Called):
        return ()
    forbidden = swapped_kinds(state, called.call)
    return () if KIND_OF[event.tile] in forbidden else forbidden


def _wins(state: RoundState, ura: tuple[Tile, ...]) -> list[tuple[int, int]]:
    """Return (kind, points without honba and deposits) for every kind the seat would win on by ron now."""
    me = state.players[state.seat]
    wins = []
    for kind in state.waits:
        if state.visible[kind] >= COPIES:
            continue  # nobody can discard it, and it may be the fifth copy of its kind
        tile = KINDS[kind]
        score = score_win(
            [*state.hand, tile],
            me.melds,
            tile,
            riichi=me.riichi,
            double_riichi=me.double_riichi,
            ippatsu=me.ippatsu,
            houtei=state.tiles_left == 0,
            dora_indicators=state.dora_indicators,
            ura_indicators=ura[: len(state.dora_indicators)] if me.riichi else (),
            seat_wind=state.seat_wind,
            round_wind=state.round_wind,
            rules=state.rules,
        )
        if score is not None:
            wins.append((kind, score.ron))
    return wins


def _note_ending(
    events: Sequence[Event], truths: Sequence[Scenes], ura_dora: Mapping[Seat, Sequence[int]]
) -> None:
    """Write how the round ended into its decisions, relative to the seat of each; ``ura_dora`` by winner."""
    ending, payer = ABORTED, -1
    winner = np.zeros(4, np.uint8)
    for event in events:
        match event:
            case Won():
                winner[event.actor] = 1
                ending = TSUMO if event.source == event.actor else RON
                payer = -1 if ending == TSUMO else event.source
            case RoundDrawn():
                ending = EXHAUSTED if is_exhaustive(event, events) else ABORTED
    for truth in truths:
        seat = int(truth["seat"][0])
        truth["ending"] = ending
        truth["payer"] = -1 if payer < 0 else (payer - seat) % 4
        truth["winner"] = np.roll(winner, -seat)
        truth["ura_dora"] = -1
        shown = ura_dora.get(seat, ())
        truth["ura_dora"][0, : len(shown)] = shown


def _note_game_end(scores: Sequence[int], table: Scenes) -> None:
    ranks = np.array(places_of(scores))
    for seat in range(4):
        table["final_rank"][table["seat"] == seat] = np.roll(ranks, -seat)


@dataclass(frozen=True, slots=True)
class Extraction:
    """The cache files of a set of logs, the logs, and what was skipped."""

    shards: tuple[Path, ...]
    logs: tuple[Path, ...]  # as given, readable or not
    games: int
    skipped: tuple[str, ...]  # one line for each game, or log, of no use
    digest: str  # of the names and contents of all logs
    decisions: tuple[int, int]  # for training, for validation

    def __iter__(self) -> Iterator[Shard]:
        for path in self.shards:
            yield read_shard(path)


def rounds_of(rows: Records) -> I64:
    """Return a number that identifies the round of each row, which has a game and a round: int64[n]."""
    return np.asarray(rows["game"].astype(np.int64) * MAX_ROUNDS + rows["round"], np.int64)


def sequences_of(rows: Records) -> I64:
    """Return a number that identifies the round and seat of each row, which has all three: int64[n]."""
    return np.asarray(rounds_of(rows) * 4 + rows["seat"], np.int64)


def game_of(sequences: I64) -> I64:
    """Return the number of the game of each of these numbers, as `sequences_of` returns them: int64[n]."""
    return sequences // SEQUENCES_OF_GAME


def read_shard(path: Path) -> Shard:
    """Load one cache file."""
    with np.load(path, allow_pickle=False) as content:
        return Shard(
            np.frombuffer(content["scenes"].tobytes(), SCENE),
            np.frombuffer(content["truths"].tobytes(), TRUTH),
            tuple(str(name) for name in content["games"]),
        )


def extract(
    logs: Sequence[Path], cache: Path, *, seed: int, workers: int, progress: Callable[[int], None]
) -> Extraction:
    """Turn logs into cache files, continuing where an earlier call with the same logs and seed stopped.

    Parameters
    ----------
    logs : sequence of Path
    cache : Path
        A folder, created if missing.
    seed : int
        Chooses the ura indicators that the logs do not show.
    workers : int
        Processes.
    progress : callable
        Called with the number of games after each block.
    """
    cache.mkdir(parents=True, exist_ok=True)
    blocks = [tuple(logs[i : i + BLOCK]) for i in range(0, len(logs), BLOCK)]
    parts = []
    with WorkerPool(workers) as pool:
        for part in pool.map(_extract_block, blocks, repeat(cache), repeat(seed)):
            parts.append(part)
            progress(len(part.logs))
    return Extraction(
        tuple(path for part in parts for path in part.shards),
        tuple(logs),
        sum(part.games for part in parts),
        tuple(line for part in parts for line in part.skipped),
        hashlib.sha256("".join(part.digest for part in parts).encode()).hexdigest(),
        (sum(part.decisions[0] for part in parts), sum(part.decisions[1] for part in parts)),
    )


def _extract_block(logs: tuple[Path, ...], cache: Path, seed: int) -> Extraction:
    hashes = hashlib.sha256(f"{FORMAT} {SCENE} {TRUTH} {seed}".encode())
    for log in logs:
        hashes.update(log.name.encode() + hashlib.sha256(log.read_bytes()).digest())
    digest = hashes.hexdigest()
    path = cache / f"{digest[:24]}.npz"
    if not path.exists():
        _write_block(logs, path, seed)
    shard = read_shard(path)
    with np.load(path, allow_pickle=False) as content:
        skipped = tuple(map(str, content["skipped"]))
    validation = len(shard.part(validation=True).scenes)
    decisions = len(shard.scenes) - validation, validation
    return Extraction((path,), logs, len(shard.games), skipped, digest, decisions)


def _write_block(logs: Sequence[Path], path: Path, seed: int) -> None:
    scenes: list[Scenes] = []
    truths: list[Scenes] = []
    names: list[str] = []
    skipped: list[str] = []
    for log in logs:
        for found in collect_games(log, partial(_replayed, seed=seed)):
            if isinstance(found, str):
                skipped.append(found)
                continue
            scene, truth = found
            truth["game"] = len(names)
            scenes.append(scene)
            truths.append(truth)
            names.append(log.name)
    with whole_file(path) as written, written.open("wb") as file:
        np.savez_compressed(
            file,
            scenes=_bytes_of(scenes),
            truths=_bytes_of(truths),
            games=np.array(names, np.str_),
            skipped=np.array(skipped, np.str_),
        )


def _replayed(game: RecordedGame, seed: int) -> tuple[Scenes, Scenes]:
    return replay(game.events, game.name, seed)


def _bytes_of(parts: Sequence[Scenes]) -> U8:
    return np.frombuffer(b"".join(part.tobytes() for part in parts), np.uint8)
