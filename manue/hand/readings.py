"""Every reading of a tenpai or complete hand: its blocks, what it waits for and how.

The system follows the hand decomposition described for the Elixir package ``riichi``: all regular readings,
seven pairs and thirteen orphans, with melds re-attached, red fives restored, waits on a fifth copy removed,
and no duplicates. Two choices are our own: readings of a tenpai hand are found by completing it with each
kind and removing that tile again; and seven pairs are listed next to regular readings of the same tiles,
because either may be worth more.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from manue.arrays import I8
from manue.as_text import counted
from manue.errors import HandError
from manue.hand.complete import MAX_READINGS, complete_readings, is_orphans, seven_pairs_kinds
from manue.hand.shape import KIND_PART, TRIPLET, TYPE_PART
from manue.tiles import (
    COPIES,
    KIND_OF,
    KINDS,
    TERMINALS_AND_HONORS,
    Kind,
    Meld,
    Tile,
    counts_of,
    is_red,
    order,
    plain,
)

Form: TypeAlias = Literal["regular", "seven pairs", "thirteen orphans"]
BlockKind: TypeAlias = Literal["run", "triplet", "kan", "pair", "single"]
WaitKind: TypeAlias = Literal["ryanmen", "kanchan", "penchan", "shanpon", "tanki", "single", "thirteen-sided"]


@dataclass(frozen=True, slots=True)
class Block:
    """Tiles that belong together: a set, a pair, or a lone tile of thirteen orphans.

    Parameters
    ----------
    kind : {"run", "triplet", "kan", "pair", "single"}
    tiles : tuple of str
    meld : Meld or None
        The meld behind this block, if it was called or is a closed kan.
    """

    kind: BlockKind
    tiles: tuple[Tile, ...]
    meld: Meld | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """The incomplete part of a tenpai hand.

    Parameters
    ----------
    kind : str
        ``ryanmen``, ``kanchan``, ``penchan``, ``shanpon`` (two pairs), ``tanki`` (pair), and for thirteen
        orphans ``single`` or ``thirteen-sided``.
    held : tuple of str
        The tiles that wait.
    tiles : tuple of str
        The kinds that complete the hand, in order, except those of which the hand already holds four copies.
    """

    kind: WaitKind
    held: tuple[Tile, ...]
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a hand.

    Parameters
    ----------
    form : {"regular", "seven pairs", "thirteen orphans"}
    blocks : tuple of Block
        The complete blocks: concealed ones in order, then the melds.
    wait : Wait or None
        ``None`` when the hand is complete.
    """

    form: Form
    blocks: tuple[Block, ...]
    wait: Wait | None = None


def readings(tiles: Sequence[Tile], melds: Sequence[Meld] = ()) -> list[Reading]:
    """Return every reading of a hand; none if it is neither tenpai nor complete.

    Parameters
    ----------
    tiles : sequence of str
        Concealed tiles: 13 for a tenpai hand or 14 for a complete one, less three for each meld.
    melds : sequence of Meld

    Raises
    ------
    HandError
        If the number of tiles or melds is impossible, or there are five of a kind.
    """
    total = len(tiles) + 3 * len(melds)
    if len(melds) > 4:
        raise HandError(f"{len(melds)} melds; a hand holds at most 4")
    if total not in {13, 14}:
        held = f"{counted(len(tiles), 'concealed tile')} with {counted(len(melds), 'meld')}"
        raise HandError(f"{held}; 13 or 14 in all are needed")
    own = counts_of([*tiles, *(tile for meld in melds for tile in meld.tiles)])
    if own.max() > COPIES:
        raise HandError(f"{own.max()} copies of {KINDS[int(own.argmax())]}; there are only {COPIES}")
    raws = (
        _complete(counts_of(tiles), len(melds)) if total == 14 else _tenpai(counts_of(tiles), own, len(melds))
    )
    called = tuple(_block_of(meld) for meld in melds)
    return [_with_names(raw, tiles, called) for raw in raws]


def combined_wait(hand_readings: Iterable[Reading]) -> tuple[Tile, ...]:
    """Return every kind that completes the hand in some reading, in order."""
    tiles = {tile for reading in hand_readings if reading.wait for tile in reading.wait.tiles}
    return tuple(sorted(tiles, key=order))


def is_open(reading: Reading) -> bool:
    """Return whether any block was called from another player."""
    return any(block.meld is not None and block.meld.is_open for block in reading.blocks)


def final_block(reading: Reading, tile: Tile) -> Block | None:
    """Return the block that ``tile`` completes in a tenpai hand, ``None`` if nothing waits for it."""
    wait = reading.wait
    if wait is None or plain(tile) not in wait.tiles:
        return None
    if wait.kind in {"single", "thirteen-sided", "tanki"}:
        mates = [held for held in wait.held if plain(held) == plain(tile)]
        return Block("pair" if mates else "single", (*mates, tile))
    if wait.kind == "shanpon":
        return Block("triplet", (*(held for held in wait.held if plain(held) == plain(tile)), tile))
    return Block("run", tuple(sorted((*wait.held, tile), key=order)))


def ankan_allowed_in_riichi(tiles: Sequence[Tile], melds: Sequence[Meld], drawn: Tile) -> bool:
    """Return whether the tile just drawn may make a closed kan after riichi: no reading or wait may change.

    Parameters
    ----------
    tiles : sequence of str
        The concealed tiles at the riichi declaration, without the drawn one.
    melds : sequence of Meld
        Closed kans made before.
    drawn : str
        The kan is of this kind, as the rules require.

    Raises
    ------
    HandError
        As for `readings`.
    """
    kind = plain(drawn)
    three = [tile for tile in tiles if plain(tile) == kind]
    before = readings(tiles, melds)
    if len(three) != 3:
        return False
    kan = Meld("ankan", (*three, drawn))
    after = readings([tile for tile in tiles if plain(tile) != kind], [*melds, kan])
    return bool(after) and {_outline(r) for r in before} == {_outline(r) for r in after}


def _outline(reading: Reading) -> tuple[tuple[tuple[str, ...], ...], WaitKind | None, tuple[Tile, ...]]:
    """Describe a reading with kans taken as triplets, so that a kan by itself changes nothing."""
    blocks = sorted(tuple(plain(tile) for tile in block.tiles[:3]) for block in reading.blocks)
    return (
        (tuple(blocks), reading.wait.kind, reading.wait.tiles) if reading.wait else (tuple(blocks), None, ())
    )


_Blocks: TypeAlias = tuple[tuple[BlockKind, tuple[Kind, ...]], ...]


@dataclass(frozen=True, slots=True)
class _Raw:
    """A reading in kinds: concealed blocks, the tiles that wait, and what they wait for."""

    form: Form
    blocks: _Blocks
    wait_kind: WaitKind | None = None
    held: tuple[Kind, ...] = ()
    waits: tuple[Kind, ...] = ()


def _complete(counts: I8, melds: int) -> Iterator[_Raw]:
    for sets, pair in _regular(counts, 4 - melds):
        yield _Raw("regular", (*sets, ("pair", (pair, pair))))
    if melds:
        return
    if seven_pairs_kinds(counts):
        yield _Raw("seven pairs", _pairs(counts))
    elif is_orphans(counts):
        yield _Raw("thirteen orphans", tuple(_pair_or_single(kind, counts) for kind in TERMINALS_AND_HONORS))


def _tenpai(counts: I8, own: I8, melds: int) -> Iterator[_Raw]:
    """Complete the hand with each kind, remove that tile again, and merge the readings that then agree."""
    waits: dict[_Raw, list[Kind]] = {}
    for win in range(34):
        if own[win] == COPIES:
            continue
        completed = counts.copy()
        completed[win] += 1
        for sets, pair in _regular(completed, 4 - melds):
            for raw in _without(sets, pair, win):
                waits.setdefault(raw, []).append(win)
        if not melds and seven_pairs_kinds(completed):
            waits[_Raw("seven pairs", _pairs(counts), "tanki", (win,))] = [win]
        if not melds and is_orphans(completed):
            waits.setdefault(_tenpai_orphans(counts), []).append(win)
    for raw, kinds in waits.items():
        yield replace(raw, waits=tuple(kinds))


def _regular(counts: I8, n_sets: int) -> Iterator[tuple[_Blocks, Kind]]:
    """Yield the sets in order of their kinds, and the pair, of each complete regular reading."""
    out = np.empty((MAX_READINGS, 5), np.int16)
    for row in out[: complete_readings(counts, n_sets, out)].tolist():
        yield (
            tuple(_set(code) for code in sorted(row[:n_sets], key=lambda code: (code & KIND_PART, code))),
            row[4],
        )


def _set(code: int) -> tuple[BlockKind, tuple[Kind, ...]]:
    first = code & KIND_PART
    return (
        ("triplet", (first,) * 3) if code & TYPE_PART == TRIPLET else ("run", (first, first + 1, first + 2))
    )


def _without(sets: _Blocks, pair: Kind, win: Kind) -> Iterator[_Raw]:
    """Take the winning tile out of each block it may have completed (equal blocks once)."""
    if pair == win:
        yield _Raw("regular", sets, "tanki", (win,))
    for kind, tiles in dict.fromkeys(block for block in sets if win in block[1]):
        left = list(sets)
        left.remove((kind, tiles))
        if kind == "triplet":
            yield _Raw("regular", tuple(left), "shanpon", tuple(sorted((win, win, pair, pair))))
            continue
        held = tuple(tile for tile in tiles if tile != win)
        yield _Raw("regular", (*left, ("pair", (pair, pair))), _run_wait(tiles, win), held)


def _run_wait(run: tuple[Kind, ...], win: Kind) -> WaitKind:
    if win == run[1]:
        return "kanchan"
    at_edge = run[0] % 9 == 0 if win == run[2] else run[0] % 9 == 6
    return "penchan" if at_edge else "ryanmen"


def _tenpai_orphans(counts: I8) -> _Raw:
    held = tuple(kind for kind in TERMINALS_AND_HONORS if counts[kind] == 1)
    paired = _pairs(counts)
    return _Raw("thirteen orphans", paired, "single" if paired else "thirteen-sided", held)


def _pairs(counts: I8) -> _Blocks:
    return tuple(("pair", (kind, kind)) for kind in range(34) if counts[kind] == 2)


def _pair_or_single(kind: Kind, counts: I8) -> tuple[BlockKind, tuple[Kind, ...]]:
    return ("pair", (kind, kind)) if counts[kind] == 2 else ("single", (kind,))


def _block_of(meld: Meld) -> Block:
    kind: BlockKind = "run" if meld.kind == "chi" else "kan" if meld.is_kan else "triplet"
    return Block(kind, tuple(sorted(meld.tiles, key=order)), meld)


def _with_names(raw: _Raw, tiles: Sequence[Tile], called: tuple[Block, ...]) -> Reading:
    """Turn kinds back into tiles; a red five goes to the first block that holds its kind."""
    reds = {KIND_OF[tile]: tile for tile in tiles if is_red(tile)}

    def named(kinds: tuple[Kind, ...]) -> tuple[Tile, ...]:
        """Return the tiles of these kinds, in order; a red five is given only once."""
        return tuple(sorted((reds.pop(kind, KINDS[kind]) for kind in kinds), key=order))

    blocks = tuple(Block(kind, named(kinds)) for kind, kinds in raw.blocks) + called
    if raw.wait_kind is None:
        return Reading(raw.form, blocks)
    return Reading(raw.form, blocks, Wait(raw.wait_kind, named(raw.held), tuple(KINDS[k] for k in raw.waits)))
