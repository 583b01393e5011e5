"""Scoring a win: tiles, melds and circumstances -> yaku, han, fu and who pays whom.

`score_win` is the public entry point; `manue.hand.yaku` finds the patterns, `manue.hand.points` the points.

>>> from manue.tiles import parse_tiles
>>> score = score_win(parse_tiles("234567m234p45688s"), [], "6s", riichi=True, seat_wind="S")
>>> score.han, score.fu, score.ron, score.yaku
(3, 30, 3900, (('riichi', 1), ('pinfu', 1), ('tanyao', 1)))
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypedDict

import numpy as np
from typing_extensions import Unpack

from manue.arrays import I8, I16
from manue.as_text import counted
from manue.errors import HandError
from manue.hand import shape as sets
from manue.hand import yaku_list as y
from manue.hand.points import (
    YAKUMAN,
    base_points,
    limit_name,
    points_table,
    ron_payment,
    tsumo_payments,
)
from manue.hand.value import Best, best_win, yaku_rules
from manue.rules import HONBA, TENHOU, Rules
from manue.tiles import (
    COPIES,
    KIND_OF,
    KINDS,
    RED_FIVES,
    TILES,
    Kind,
    Meld,
    Seat,
    Tile,
    Wind,
    dora_of,
    parse_tile,
)


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one win.

    Parameters
    ----------
    han, fu : int
        Han include dora, and are 13 for each yakuman. Thirteen orphans have 0 fu, as on Tenhou.
    yakuman : int
        Number of yakuman patterns (0 for a counted yakuman of 13 han).
    yaku : tuple of (str, int)
        Names (`manue.hand.yaku_list.YAKU`; dora, red dora and ura dora at the end) with their han.
    limit : str
        ``"mangan"`` and so on, ``""`` below mangan.
    ron : int
        What the discarder pays, including honba; 0 for a self-draw.
    tsumo_dealer, tsumo_other : int
        What the dealer and each other seat pay for a self-draw, including honba; 0 where nobody pays.
    dealer : bool
        The winner is the dealer.
    honba : int
        The honba included in the payments.
    """

    han: int
    fu: int
    yakuman: int
    yaku: tuple[tuple[str, int], ...]
    limit: str
    ron: int
    tsumo_dealer: int
    tsumo_other: int
    dealer: bool
    honba: int

    @property
    def total(self) -> int:
        """What the winner receives in total (without deposits)."""
        return self.ron + self.tsumo_dealer + self.tsumo_other * (3 if self.dealer else 2)

    @property
    def points(self) -> int:
        """The points of the hand: the same without honba."""
        return self.total - HONBA * self.honba

    def deltas(
        self,
        winner: Seat,
        dealer: Seat,
        source: Seat | None = None,
        *,
        liable: Seat | None = None,
        liable_yakuman: int | None = None,
    ) -> list[int]:
        """Return the change in the four scores, without riichi deposits.

        Parameters
        ----------
        winner, dealer : int
            Seats 0..3.
        source : int or None
            The seat that dealt in; ``None`` (or the winner) for a self-draw.
        liable : int or None
            The seat that let the winner complete a big yakuman (pao), if any.
        liable_yakuman : int, optional
            How many of the yakuman it is liable for: all by Tenhou's rules, the default; by Mahjong Soul's
            the one that it let the winner complete, which is 2 for daisuushii.

        Raises
        ------
        HandError
            If the seats contradict how this hand was won, or a number is beyond its range.
        """
        for seat in (winner, dealer, source, liable):
            if seat is not None and seat not in range(4):
                raise HandError(f"{seat!r} is not a seat, 0 to 3")
        if source == winner:
            source = None
        if (source is None) != (self.ron == 0) or (winner == dealer) != self.dealer:
            raise HandError(
                f"winner {winner}, dealer {dealer} and source {source} contradict the score {self}"
            )
        if self.yakuman == 0 or liable is None or liable in {winner, source}:
            return self._plain_deltas(winner, dealer, source)
        yakuman = self.yakuman if liable_yakuman is None else liable_yakuman
        if not 1 <= yakuman <= self.yakuman:
            raise HandError(f"liable for {yakuman} yakuman of {self.yakuman}")
        return self._liable_deltas(winner, dealer, source, liable, yakuman)

    def _plain_deltas(self, winner: Seat, dealer: Seat, source: Seat | None) -> list[int]:
        if source is not None:
            return _paid(winner, {source: self.ron})
        others = [seat for seat in range(4) if seat != winner]
        return _paid(
            winner, {seat: self.tsumo_dealer if seat == dealer else self.tsumo_other for seat in others}
        )

    def _liable_deltas(
        self, winner: Seat, dealer: Seat, source: Seat | None, liable: Seat, liable_yakuman: int
    ) -> list[int]:
        """Make the liable seat pay all (self-draw) or half (ron) of its yakuman, and all honba."""
        full = ron_payment(YAKUMAN, dealer=self.dealer)
        own = full * liable_yakuman
        rest = full * self.yakuman - own
        if source is not None:
            return _paid(winner, {source: own // 2 + rest, liable: own // 2 + HONBA * self.honba})
        from_dealer, from_other = tsumo_payments(rest // full * YAKUMAN, dealer=self.dealer)
        payments = {
            seat: from_dealer if seat == dealer else from_other for seat in range(4) if seat != winner
        }
        payments[liable] += own + HONBA * self.honba
        return _paid(winner, payments)


def _paid(winner: Seat, payments: dict[Seat, int]) -> list[int]:
    deltas = [-payments.get(seat, 0) for seat in range(4)]
    deltas[winner] = sum(payments.values())
    return deltas


class Happened(TypedDict, total=False):
    """What may be true of a win besides its tiles, as keywords; what is not given is false.

    Attributes
    ----------
    tsumo : bool
        Won by self-draw; else the tile is taken from a discard or a kan.
    riichi, double_riichi, ippatsu, haitei, houtei, rinshan, chankan : bool
        The yaku of these names.
    first_turn : bool
        The winner has not drawn before and nobody has called: tenhou, chiihou, and renhou where it counts.
    """

    tsumo: bool
    riichi: bool
    double_riichi: bool
    ippatsu: bool
    haitei: bool
    houtei: bool
    rinshan: bool
    chankan: bool
    first_turn: bool


def score_win(
    closed: Sequence[Tile],
    melds: Sequence[Meld],
    win_tile: Tile,
    *,
    dora_indicators: Sequence[Tile] = (),
    ura_indicators: Sequence[Tile] = (),
    seat_wind: Wind = "E",
    round_wind: Wind = "E",
    honba: int = 0,
    rules: Rules = TENHOU,
    **happened: Unpack[Happened],
) -> Score | None:
    """Score a win by its most valuable reading; ``None`` for a complete hand without yaku.

    Parameters
    ----------
    closed, melds, win_tile
        Concealed tiles including the winning tile; the sets laid down; the winning tile.
    dora_indicators, ura_indicators
        The indicators, not the dora; ura-dora count only with riichi.
    seat_wind, round_wind, honba, rules
        The honba, at least 0, are included in the payments.
    **happened : bool
        What else is true of the win: the names of `Happened`.

    Raises
    ------
    HandError
        If the tiles are not a complete hand, five of them are of a kind, or the circumstances contradict each
        other; that indicators and red fives can be there besides is left to the caller.
    TileError
        If a tile or an indicator has an unknown name.
    """
    counts, codes, held, reds = _checked(closed, melds, win_tile)
    dealer = seat_wind == "E"
    open_hand = any(meld.is_open for meld in melds)
    tsumo = happened.get("tsumo", False)
    if melds and happened.get("first_turn"):
        raise HandError("a first-turn win is impossible after a call or a kan")
    circumstances = _circumstances(dealer=dealer, open_hand=open_hand, renhou=rules.renhou, **happened)
    ura = ura_indicators if happened.get("riichi") or happened.get("double_riichi") else ()
    dora_han = _counted_dora(held, dora_indicators, reds if rules.red_fives else 0, ura)
    of_yaku = yaku_rules(seat_wind, round_wind, rules)
    points = points_table(rules, dealer=dealer, tsumo=tsumo)
    best = best_win(counts, codes, KIND_OF[win_tile], tsumo, circumstances, sum(dora_han), of_yaku, points)
    if best.points < 0:
        raise HandError(f"{' '.join(closed)} with {len(melds)} melds is not a complete hand")
    if best.han == 0 and best.yakuman == 0:
        return None
    names = _names(best, dora_han, closed=not open_hand, doubled=rules.double_yakuman_patterns)
    return _paying(best, names, tsumo=tsumo, dealer=dealer, honba=honba, rules=rules)


@lru_cache(maxsize=4096)
def _circumstances(*, dealer: bool, open_hand: bool, renhou: bool, **happened: Unpack[Happened]) -> int:
    """Return the yaku of the circumstances as a mask of bits.

    Raises
    ------
    HandError
        If the circumstances contradict each other.
    """
    for name in happened.keys() - Happened.__annotations__.keys():
        raise TypeError(f"score_win() got an unexpected keyword argument {name!r}")
    tsumo, first_turn = happened.get("tsumo", False), happened.get("first_turn", False)
    riichi, double_riichi = happened.get("riichi", False), happened.get("double_riichi", False)
    ippatsu, rinshan = happened.get("ippatsu", False), happened.get("rinshan", False)
    declared = riichi or double_riichi
    if open_hand and declared:
        raise HandError("riichi is impossible with an open hand")
    if ippatsu and not declared:
        raise HandError("ippatsu is impossible without riichi")
    for name in ("houtei", "chankan") if tsumo else ("haitei", "rinshan"):
        if happened.get(name):
            raise HandError(f"{name} is impossible {'by self-draw' if tsumo else 'off a discard'}")
    return (
        (riichi and not double_riichi) << y.RIICHI
        | double_riichi << y.DOUBLE_RIICHI
        | ippatsu << y.IPPATSU
        | happened.get("chankan", False) << y.CHANKAN
        | rinshan << y.RINSHAN
        | (happened.get("haitei", False) and not rinshan) << y.HAITEI
        | happened.get("houtei", False) << y.HOUTEI
        | (first_turn and tsumo and dealer) << y.TENHOU_WIN
        | (first_turn and tsumo and not dealer) << y.CHIIHOU
        | (first_turn and not tsumo and not dealer and renhou) << y.RENHOU
    )


def _counted_dora(
    held: bytearray, dora: Sequence[Tile], red: int, ura: Sequence[Tile]
) -> tuple[int, int, int]:
    """Count dora, red dora and ura dora in the tiles of a win."""
    return sum([held[_DORA[tile]] for tile in dora]), red, sum([held[_DORA[tile]] for tile in ura])


def _names(
    best: Best, dora_han: tuple[int, int, int], *, closed: bool, doubled: bool
) -> tuple[tuple[str, int], ...]:
    """Return the yaku with their han; dora come last and do not count in a yakuman."""
    names = y.names_of(best.found, closed=closed, doubled=doubled)
    if not best.yakuman:
        dora, red, ura = dora_han
        if dora:
            names.append(("dora", dora))
        if red:
            names.append(("red dora", red))
        if ura:
            names.append(("ura dora", ura))
    return tuple(names)


_NO_MELDS = np.zeros(0, np.int16)


class _Known(dict[Tile, Kind]):
    """A table of tiles that raises a TileError for an unknown name."""

    def __missing__(self, tile: Tile) -> Kind:
        return KIND_OF[parse_tile(tile)]


_KIND = _Known(KIND_OF)
_DORA = _Known({tile: dora_of(tile) for tile in TILES})


def _paying(
    best: Best, names: tuple[tuple[str, int], ...], *, tsumo: bool, dealer: bool, honba: int, rules: Rules
) -> Score:
    base = base_points(best.han, best.fu, best.yakuman, rules)
    ron = tsumo_dealer = tsumo_other = 0
    if tsumo:
        tsumo_dealer, tsumo_other = tsumo_payments(base, dealer=dealer)
        tsumo_dealer += 0 if dealer else HONBA // 3 * honba
        tsumo_other += HONBA // 3 * honba
    else:
        ron = ron_payment(base, dealer=dealer) + HONBA * honba
    han = 13 * best.yakuman if best.yakuman else best.han
    limit = limit_name(base)
    return Score(han, best.fu, best.yakuman, names, limit, ron, tsumo_dealer, tsumo_other, dealer, honba)


def _checked(closed: Sequence[Tile], melds: Sequence[Meld], win_tile: Tile) -> tuple[I8, I16, bytearray, int]:
    """Check the tiles of a win.

    Returns
    -------
    concealed : int8[34]
    codes : int16[m]
        Set codes of the melds.
    held : bytearray
        All tiles by kind, melds included.
    reds : int
        Number of red fives.
    """
    if len(melds) > 4:
        raise HandError(f"{len(melds)} melds; a hand holds at most 4")
    if len(closed) + 3 * len(melds) != 14:
        raise HandError(
            f"{counted(len(closed), 'concealed tile')} with {counted(len(melds), 'meld')}; "
            f"a win has {14 - 3 * len(melds)}"
        )
    if win_tile not in closed:
        raise HandError(f"the winning tile {win_tile} is not among the concealed tiles {' '.join(closed)}")
    held = bytearray(34)
    for tile in closed:
        held[_KIND[tile]] += 1
    concealed = bytearray(held)
    called = [tile for meld in melds for tile in meld.tiles]
    for tile in called:
        held[_KIND[tile]] += 1
    if max(held) > COPIES:
        raise HandError(f"{max(held)} copies of {KINDS[held.index(max(held))]}; there are only {COPIES}")
    codes = np.array([set_code(meld) for meld in melds], np.int16) if melds else _NO_MELDS
    reds = len([tile for tile in (*closed, *called) if tile in RED_FIVES])
    return np.frombuffer(concealed, np.int8), codes, held, reds


def set_code(meld: Meld) -> int:
    """Return the set code of a meld (`manue.hand.shape`)."""
    shape = sets.RUN if meld.kind == "chi" else sets.KAN if meld.is_kan else sets.TRIPLET
    return meld.first_kind + shape + (sets.OPEN if meld.is_open else 0)
