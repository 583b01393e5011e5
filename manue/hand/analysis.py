"""What can be worked out about a hand on its own, as data; `analyse` is behind ``manue hand``."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from manue.hand.counts import counts_in_sight
from manue.hand.readings import Reading, ankan_allowed_in_riichi, combined_wait, readings
from manue.hand.score import Score, score_win
from manue.hand.shanten import UNAVAILABLE, shanten_forms, ukeire, ukeire_by_discard
from manue.rules import TENHOU, Rules
from manue.tiles import COPIES, KIND_OF, KINDS, RED_OF, Counts, Meld, Tile, Wind, counts_of, order, plain

FORMS = ("regular", "seven pairs", "thirteen orphans")


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The context of a hand: the circumstances of a win and the visible indicators."""

    seat_wind: Wind = "E"
    round_wind: Wind = "E"
    riichi: bool = False
    tsumo_only: bool = False
    """Score wins by self-draw only, not by ron."""
    honba: int = 0
    dora_indicators: tuple[Tile, ...] = ()
    ura_indicators: tuple[Tile, ...] = ()
    rules: Rules = TENHOU


@dataclass(frozen=True, slots=True)
class Useful:
    """A kind that lowers the shanten, and how many copies of it are unseen."""

    tile: Tile
    unseen: int


@dataclass(frozen=True, slots=True)
class WinningTile:
    """One way to win: the tile, how it arrives, and its score (``None``: no yaku).

    Of fives the tile is a plain one as long as one is unseen.
    """

    tile: Tile
    unseen: int
    tsumo: bool
    score: Score | None


class _Unseen(NamedTuple):
    """What cannot be seen: copies of each kind, int8[34], and red fives beside which no plain one is left."""

    copies: Counts
    red_alone: frozenset[Tile]

    def drawn(self, tile: Tile) -> Tile:
        """Return what a tile of this kind would be: the red five where it alone is left."""
        red = RED_OF.get(KIND_OF[tile])
        return red if red is not None and red in self.red_alone else tile


@dataclass(frozen=True, slots=True)
class DiscardChoice:
    """The hand that a discard from 14 tiles leaves."""

    tile: Tile
    shanten: int
    useful: tuple[Useful, ...]
    wins: tuple[WinningTile, ...] = ()
    """The possible wins if that hand is tenpai."""

    @property
    def count(self) -> int:
        """The number of unseen useful tiles."""
        return sum(useful.unseen for useful in self.useful)


@dataclass(frozen=True, slots=True)
class HandAnalysis:
    """All findings about one hand.

    Parameters
    ----------
    tiles : tuple of str
        Concealed tiles in order, including a drawn tile.
    melds : tuple of Meld
    forms : dict of str to int
        Shanten of each form that is available.
    useful : tuple of Useful
        For a hand of 13: the kinds that lower the shanten.
    discards : tuple of DiscardChoice
        For a hand of 14: best first.
    readings : tuple of Reading
        For a tenpai or complete hand.
    wins : tuple of WinningTile
        For a tenpai hand of 13, or for the complete hand itself.
    riichi_kan : bool or None
        For a hand in riichi that has just drawn the fourth of a kind: whether the strict rule, by which no
        reading and no wait may change, allows the closed kan. (Play allows it where no wait changes.)
    """

    tiles: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    forms: dict[str, int]
    useful: tuple[Useful, ...] = ()
    discards: tuple[DiscardChoice, ...] = ()
    readings: tuple[Reading, ...] = ()
    wins: tuple[WinningTile, ...] = ()
    riichi_kan: bool | None = None

    @property
    def shanten(self) -> int:
        """The lowest shanten over the forms."""
        return min(self.forms.values())


def analyse(
    tiles: Sequence[Tile],
    melds: Sequence[Meld] = (),
    around: Circumstances = Circumstances(),
    *,
    drawn: Tile | None = None,
) -> HandAnalysis:
    """Analyse a hand of 13 or 14 tiles.

    Parameters
    ----------
    tiles : sequence of str
        Concealed tiles without ``drawn``. If there are 14, the last is taken as the winning tile.
    melds : sequence of Meld
    around : Circumstances
    drawn : str or None
        A tile just drawn; if given, wins are scored as self-draws.

    Raises
    ------
    HandError
        If these tiles, melds and indicators cannot occur together.
    """
    hand = [*tiles, drawn] if drawn else list(tiles)
    counts = counts_of(hand)
    forms = {
        form: value
        for form, value in zip(FORMS, shanten_forms(counts, len(melds)), strict=True)
        if value != UNAVAILABLE
    }
    unseen = _unseen(hand, melds, around)
    found = HandAnalysis(tuple(sorted(hand, key=order)), tuple(melds), forms)
    if len(hand) + 3 * len(melds) == 13:
        return _of_thirteen(found, counts, unseen, around)
    if found.shanten < 0:
        ways = (True,) if drawn or around.tsumo_only else (False, True)
        wins = tuple(_win(hand, melds, hand[-1], unseen, around, tsumo=tsumo) for tsumo in ways)
        complete = tuple(readings(hand, melds))
        found = replace(found, readings=complete, wins=wins)
    else:
        found = replace(found, discards=_discards(hand, melds, counts, unseen, around))
    return replace(found, riichi_kan=_riichi_kan(tiles, melds, drawn, around))


def _riichi_kan(
    tiles: Sequence[Tile], melds: Sequence[Meld], drawn: Tile | None, around: Circumstances
) -> bool | None:
    held = 0 if drawn is None else sum(plain(tile) == plain(drawn) for tile in tiles)
    if drawn is None or not around.riichi or held != COPIES - 1:
        return None
    return ankan_allowed_in_riichi(tiles, melds, drawn)


def _of_thirteen(found: HandAnalysis, counts: Counts, unseen: _Unseen, around: Circumstances) -> HandAnalysis:
    useful = _useful(ukeire(counts, len(found.melds)), unseen.copies)
    tenpai = tuple(readings(found.tiles, found.melds))
    wins = _wins(found.tiles, found.melds, unseen, around)
    return replace(found, useful=useful, readings=tenpai, wins=wins)


def _unseen(hand: Sequence[Tile], melds: Sequence[Meld], around: Circumstances) -> _Unseen:
    """Return what cannot be seen, the tiles under the dora indicators included."""
    tiles = [*hand, *(tile for meld in melds for tile in meld.tiles), *around.dora_indicators]
    counts_in_sight([*tiles, *around.ura_indicators], "in hand, melds and indicators")
    copies = (COPIES - counts_of(tiles)).astype(np.int8)
    hidden = {kind: red for kind, red in RED_OF.items() if around.rules.red_fives and red not in tiles}
    return _Unseen(copies, frozenset(red for kind, red in hidden.items() if copies[kind] == 1))


def _useful(mask: np.ndarray[tuple[int], np.dtype[np.bool_]], unseen: Counts) -> tuple[Useful, ...]:
    return tuple(Useful(KINDS[kind], int(unseen[kind])) for kind in np.flatnonzero(mask))


def _wins(
    tiles: Sequence[Tile], melds: Sequence[Meld], unseen: _Unseen, around: Circumstances
) -> tuple[WinningTile, ...]:
    """Score every way of completing a tenpai hand of 13."""
    ways = (True,) if around.tsumo_only else (False, True)
    return tuple(
        _win([*tiles, tile], melds, tile, unseen, around, tsumo=tsumo)
        for tile in map(unseen.drawn, combined_wait(readings(tiles, melds)))
        for tsumo in ways
    )


def _win(
    tiles: Sequence[Tile],
    melds: Sequence[Meld],
    tile: Tile,
    unseen: _Unseen,
    around: Circumstances,
    *,
    tsumo: bool,
) -> WinningTile:
    score = score_win(
        tiles,
        melds,
        tile,
        tsumo=tsumo,
        riichi=around.riichi,
        dora_indicators=around.dora_indicators,
        ura_indicators=around.ura_indicators,
        seat_wind=around.seat_wind,
        round_wind=around.round_wind,
        honba=around.honba,
        rules=around.rules,
    )
    return WinningTile(tile, int(unseen.copies[KIND_OF[tile]]), tsumo, score)


def _discards(
    hand: Sequence[Tile], melds: Sequence[Meld], counts: Counts, unseen: _Unseen, around: Circumstances
) -> tuple[DiscardChoice, ...]:
    after, useful = ukeire_by_discard(counts, len(melds))
    choices = []
    for tile in sorted(set(hand), key=order):
        kind = KIND_OF[tile]
        left = list(hand)
        left.remove(tile)
        wins = _wins(left, melds, unseen, around) if after[kind] == 0 else ()
        choices.append(DiscardChoice(tile, int(after[kind]), _useful(useful[kind], unseen.copies), wins))
    return tuple(sorted(choices, key=lambda choice: (choice.shanten, -choice.count, order(choice.tile))))


def as_json(found: HandAnalysis) -> dict[str, Any]:
    """Return the analysis as plain JSON data."""
    data: dict[str, Any] = {
        "tiles": list(found.tiles),
        "melds": [{"kind": meld.kind, "tiles": list(meld.tiles)} for meld in found.melds],
        "shanten": found.shanten,
        "forms": found.forms,
    }
    if found.riichi_kan is not None:
        data["riichi_kan"] = found.riichi_kan
    if found.discards:
        data["discards"] = [
            {
                "tile": choice.tile,
                "shanten": choice.shanten,
                "ukeire": choice.count,
                "useful": [asdict(useful) for useful in choice.useful],
                "wins": [_win_json(win) for win in choice.wins],
            }
            for choice in found.discards
        ]
    else:
        data["ukeire"] = sum(useful.unseen for useful in found.useful)
        data["useful"] = [asdict(useful) for useful in found.useful]
        data["readings"] = [_reading_json(reading) for reading in found.readings]
        data["wins"] = [_win_json(win) for win in found.wins]
    return data


def _reading_json(reading: Reading) -> dict[str, Any]:
    blocks = [
        {"kind": block.kind, "tiles": list(block.tiles), "meld": block.meld.kind if block.meld else None}
        for block in reading.blocks
    ]
    wait = reading.wait and {
        "kind": reading.wait.kind,
        "held": list(reading.wait.held),
        "tiles": list(reading.wait.tiles),
    }
    return {"form": reading.form, "blocks": blocks, "wait": wait}


def _win_json(win: WinningTile) -> dict[str, Any]:
    score = win.score
    data: dict[str, Any] = {"tile": plain(win.tile), "unseen": win.unseen, "tsumo": win.tsumo}
    if score is None:
        return data | {"points": 0, "yaku": []}
    return data | {
        "points": score.total,
        "han": score.han,
        "fu": score.fu,
        "yakuman": score.yakuman,
        "limit": score.limit,
        "yaku": [{"name": name, "han": han} for name, han in score.yaku],
        "ron": score.ron,
        "tsumo_dealer": score.tsumo_dealer,
        "tsumo_other": score.tsumo_other,
    }
