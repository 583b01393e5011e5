"""Hands written as text: shanten, useful tiles, readings and the worth of a win."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
from typing_extensions import Unpack

from manue.api.arguments import whole
from manue.errors import HandError, TileError
from manue.game.checks import MAX_INDICATORS
from manue.hand import readings as hand_readings
from manue.hand import score as hand_score
from manue.hand import shanten as hand_shanten
from manue.hand.counts import counts_in_sight
from manue.hand.readings import Reading
from manue.hand.score import Happened, Score
from manue.rules import RulesName, rules_of
from manue.tiles import (
    COPIES,
    KIND_OF,
    KINDS,
    WINDS,
    Counts,
    Meld,
    Tile,
    Wind,
    counts_of,
    parse_meld,
    parse_tile,
    parse_tiles,
)

Tiles: TypeAlias = str | Sequence[Tile]
"""Tiles as text (``123m406p1z`` or ``1m 2m 5pr E``, mixed at will) or by their Mjai names."""
Melds: TypeAlias = Sequence[str | Meld]
"""Called sets as text (``123m``, ``PPP``, ``EEEE``; ``ankan:EEEE`` for a closed kan) or as `Meld`."""


def tiles_of(tiles: Tiles) -> list[Tile]:
    """Return tiles by their Mjai names; raises TileError naming what cannot be read."""
    if isinstance(tiles, bytes | bytearray) or not isinstance(tiles, Iterable):
        raise TileError(f"{tiles!r} are not tiles: a text such as '123m406p1z', or a sequence of Mjai names")
    return parse_tiles(tiles) if isinstance(tiles, str) else [parse_tile(tile) for tile in tiles]


def _melds_of(melds: Melds) -> list[Meld]:
    if isinstance(melds, str) or not isinstance(melds, Iterable):
        raise HandError(f"melds are a sequence, as ['123m'], not {melds!r}")
    return [_meld_of(meld) for meld in melds]


def _meld_of(meld: str | Meld) -> Meld:
    if isinstance(meld, str):
        return parse_meld(meld)
    if not isinstance(meld, Meld):
        raise HandError(f"{meld!r} is not a meld (123m, EEE, EEEE, ankan:EEEE)")
    return meld


def _seen(tiles: Iterable[Tile], melds: Iterable[Meld], visible: Iterable[Tile] = ()) -> Counts:
    """Count the tiles in sight by kind; raises HandError for more than there are."""
    called = (tile for meld in melds for tile in meld.tiles)
    return counts_in_sight([*tiles, *called, *visible], "in sight")


def shanten(hand: Tiles, melds: Melds = ()) -> int:
    """Return the shanten of a hand: the fewest exchanges of a tile that bring it to tenpai.

    Parameters
    ----------
    hand : str or sequence of str
        The concealed tiles, 13 or 14 less three for each meld: ``123m406p789s1122z`` (``0`` a red five,
        ``1z`` to ``7z`` E S W N P F C), Mjai names (``5mr E``), or a sequence of these names.
    melds : sequence of str or Meld
        Called sets: ``123m``, ``PPP``, ``EEEE``, ``ankan:EEEE``.

    Returns
    -------
    int
        0 for tenpai, -1 for a complete hand; the least over the regular form, seven pairs, thirteen orphans.

    Raises
    ------
    TileError
        If a tile cannot be read.
    HandError
        For five of a kind or two red fives of a suit, melds included, a wrong number of tiles, too many
        melds, or what is not a meld.

    Examples
    --------
    >>> import manue
    >>> manue.shanten("123m456p789s1122z")
    0
    """
    tiles, called = tiles_of(hand), _melds_of(melds)
    _seen(tiles, called)
    return hand_shanten.shanten(counts_of(tiles), len(called))


def ukeire(hand: Tiles, melds: Melds = (), *, visible: Tiles = "") -> dict[Tile, int]:
    """Return the useful tiles of a hand: the kinds that lower its shanten, each with the copies not in sight.

    Parameters
    ----------
    hand, melds
        As for `shanten`. With 14 tiles a kind is useful if drawing it lowers the shanten after some discard
        that keeps it.
    visible : str or sequence of str
        Other tiles in sight: dora indicators, rivers, melds of others.

    Returns
    -------
    dict of str to int
        In the order of the kinds; a useful kind of which no copy is left has 0. Empty for a complete hand.

    Raises
    ------
    TileError, HandError
        As `shanten`, with what is visible counted too.

    Examples
    --------
    >>> import manue
    >>> manue.ukeire("123m456p789s1122z", visible="1z")
    {'E': 1, 'S': 2}
    """
    tiles, called = tiles_of(hand), _melds_of(melds)
    seen = _seen(tiles, called, tiles_of(visible))
    useful = hand_shanten.ukeire(counts_of(tiles), len(called))
    return {KINDS[kind]: int(COPIES - seen[kind]) for kind in np.flatnonzero(useful)}


def readings(hand: Tiles, melds: Melds = ()) -> list[Reading]:
    """Return every reading of a tenpai or complete hand: its blocks, and what it waits for in which way.

    Parameters
    ----------
    hand, melds
        As for `shanten`; 13 tiles for a tenpai hand, 14 for a complete one.

    Returns
    -------
    list of Reading
        Each with ``form`` (regular, seven pairs, thirteen orphans), ``blocks`` and, for a tenpai hand,
        ``wait``: its ``kind`` (ryanmen, kanchan, penchan, shanpon, tanki, ...), the tiles ``held`` and the
        ``tiles`` that complete it. Empty if the hand is neither tenpai nor complete.

    Raises
    ------
    TileError, HandError
        As `shanten`.

    Examples
    --------
    >>> import manue
    >>> [(reading.wait.kind, reading.wait.tiles) for reading in manue.readings("2345m 123p 678s PPP")]
    [('tanki', ('2m',)), ('tanki', ('5m',))]
    """
    tiles, called = tiles_of(hand), _melds_of(melds)
    _seen(tiles, called)
    return hand_readings.readings(tiles, called)


def score_win(
    hand: Tiles,
    melds: Melds = (),
    *,
    win: Tile | None = None,
    dora: Tiles = "",
    ura: Tiles = "",
    seat: Wind = "E",
    round: Wind = "E",  # noqa: A002  what players call it
    honba: int = 0,
    rules: RulesName = "tenhou",
    **happened: Unpack[Happened],
) -> Score | None:
    """Score a win in the way that is worth most.

    Parameters
    ----------
    hand, melds
        As for `shanten`: the complete hand, the winning tile included.
    win : str, optional
        The winning tile; default: the last one of ``hand``.
    dora, ura : str or sequence of str
        The indicators, not the dora; ura-dora count only with riichi.
    seat, round : {"E", "S", "W", "N"}
        The winner's wind and the round's; East is the dealer.
    honba : int
        Counters on the table, at least 0, included in the payments.
    rules : {"tenhou", "mjsoul"}
        Whose rules the win is scored by: Tenhou's or Mahjong Soul's, by which some yakuman count twice.
    **happened : bool
        What else is true of the win: ``tsumo`` (by self-draw, else off a discard), ``riichi``,
        ``double_riichi``, ``ippatsu``, ``haitei``, ``houtei``, ``rinshan``, ``chankan``, ``first_turn``
        (nobody has called and the winner has not drawn before).

    Returns
    -------
    Score or None
        ``han``, ``fu``, ``yaku``, ``limit``, ``total`` and what each seat pays; ``None`` without yaku.

    Raises
    ------
    TileError
        If a tile cannot be read.
    HandError
        If the hand is not complete, more tiles are in sight than there are, or the circumstances contradict
        each other, as ``chankan`` and ``tsumo`` do.
    UsageError
        If the rules are unknown.

    Examples
    --------
    >>> import manue
    >>> score = manue.score_win("234567m234p4588s 6s", riichi=True, seat="S", dora="7s")
    >>> score.han, score.fu, score.total, score.yaku
    (5, 30, 8000, (('riichi', 1), ('pinfu', 1), ('tanyao', 1), ('dora', 2)))
    """
    played = rules_of(rules)
    tiles, called = tiles_of(hand), _melds_of(melds)
    winning = tiles[-1:] if win is None else tiles_of(win)
    if len(winning) != 1:
        raise HandError("a hand without a tile" if win is None else f"{win!r} is not one winning tile")
    indicators, under = tiles_of(dora), tiles_of(ura)
    if max(len(indicators), len(under)) > MAX_INDICATORS:
        raise HandError(f"{max(len(indicators), len(under))} indicators; there are at most {MAX_INDICATORS}")
    _seen(tiles, called, [*indicators, *under])
    if indicators and len(under) > len(indicators):
        raise HandError(f"{len(under)} ura-dora indicators, but {len(indicators)} of the dora")
    counters = whole(honba, "honba", HandError)
    if counters < 0:
        raise HandError(f"{honba} honba: there cannot be fewer than none")
    _check_happened(tiles, called, "".join(winning), happened)
    return hand_score.score_win(
        tiles,
        called,
        "".join(winning),
        dora_indicators=indicators,
        ura_indicators=under,
        seat_wind=_checked_wind(seat),
        round_wind=_checked_wind(round),
        honba=counters,
        rules=played,
        **happened,
    )


_EXCLUSIVE = (
    ("ippatsu", "rinshan"),  # a kan ends it
    ("houtei", "chankan"),  # no kan with the last tile
    ("first_turn", "riichi"),
    ("first_turn", "double_riichi"),
    ("first_turn", "haitei"),
    ("first_turn", "houtei"),
    ("first_turn", "chankan"),
    ("ippatsu", "houtei"),  # a riichi needs four tiles in the wall
)
"""What cannot be true of one win."""


def _check_happened(tiles: Sequence[Tile], melds: Sequence[Meld], win: Tile, happened: Happened) -> None:
    """Check that a hand can have won so, as far as the scoring does not; raises HandError."""
    for name, value in happened.items():
        if name in Happened.__annotations__ and not isinstance(value, bool | np.bool_):
            raise HandError(f"{name} must be True or False, not {value!r}")
    for one, other in _EXCLUSIVE:
        if happened.get(one) and happened.get(other):
            raise HandError(f"{one} and {other} cannot both be")
    if happened.get("rinshan") and happened.get("tsumo") and not any(meld.is_kan for meld in melds):
        raise HandError("rinshan is impossible without a kan")
    if happened.get("double_riichi") and happened.get("ippatsu"):
        if any(meld.is_kan and not meld.is_open for meld in melds):
            raise HandError("a closed kan ends double_riichi or ippatsu")
        if happened.get("haitei"):
            raise HandError("ippatsu of a double_riichi is over long before haitei")
    held = counts_of([*tiles, *(tile for meld in melds for tile in meld.tiles)])
    if happened.get("chankan") and held[KIND_OF[win]] > 1:
        raise HandError(f"chankan is impossible on {win}: another of its kind is in the hand")


def _checked_wind(wind: Wind) -> Wind:
    if wind not in WINDS:
        raise HandError(f"{wind!r} is not a wind: E, S, W or N")
    return wind
