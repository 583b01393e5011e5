"""Mahjong Soul's own records, as browser scripts and downloaders save them in JSON, as Mjai events.

What they save is the protocol's record of the game, decoded: ``head`` has players, rules and results, and
somewhere under ``data`` stands a list of ``RecordNewRound``, ``RecordDealTile``, ``RecordDiscardTile``,
``RecordChiPengGang``, ``RecordAnGangAddGang`` and the ends of rounds. Depending on the writer a record is
``{"name": ..., "data": {...}}`` or that under ``result``, fields are in snake or camel case, and those that
are 0, false or empty are left out. The format is known from other programs that read it; the conversion is
tested by writing games in it and reading them back.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from manue.errors import LogError, ThreePlayersError
from manue.foreign import printable
from manue.protocol.codec import Fields
from manue.records import tenhou_yaku
from manue.records.damage import DAMAGE, damage_in_words
from manue.records.mahjong_soul_head import Head, seat_of
from manue.tiles import DRAGONS, KIND_OF, WINDS, Seat, Tile

MAX_RECORDS = 20_000
"""Most records of a game; a long one has 3 000."""
_DEEPEST = 4
_LISTS = ("data", "records", "actions", "record")
"""Where writers put the list of records, one inside another."""
_RECORD = re.compile(r"(?:\.?lq\.)?(?:Record)?([A-Z]\w{0,30})")
_TILE = re.compile(r"[0-9][mps]|[1-7]z")
_HONORS = (*WINDS, *DRAGONS)
_CALLS = ("chi", "pon", "daiminkan")
_ADDED_KAN, _CLOSED_KAN = 2, 3
_DRAWN = {1: "kyushukyuhai", 2: "suufonrenta", 3: "suukaikan", 4: "suuchariichi", 5: "sanchaho"}
_TRIPLE_RON = 5
YAKU_IDS = {
    1: 0, 2: 1, 3: 3, 4: 4, 5: 5, 6: 6, 7: 18, 8: 19, 9: 20, 12: 8, 13: 9, 14: 7, 15: 23, 16: 24, 17: 25,
    18: 21, 19: 26, 20: 27, 21: 28, 22: 29, 23: 30, 24: 31, 25: 22, 26: 33, 27: 34, 28: 32, 29: 35, 30: 2,
    31: 52, 32: 54, 33: 53, 35: 37, 36: 38, 37: 39, 38: 40, 39: 42, 40: 43, 41: 44, 42: 47, 43: 50, 44: 51,
    45: 45, 47: 46, 48: 41, 49: 48, 50: 49,
}  # fmt: skip
"""Tenhou's numbers of the yaku by Mahjong Soul's, but for the winds."""
_LIABLE_FOR = (37, 50)
"""Its numbers of the yakuman for which somebody may be liable: big three dragons and big four winds."""
SEAT_WIND, ROUND_WIND = 10, 11
"""Mahjong Soul's numbers of these two yaku; Tenhou's depend on the wind, East first."""
_TENHOU_WINDS = {SEAT_WIND: tenhou_yaku.SEAT_WIND, ROUND_WIND: tenhou_yaku.ROUND_WIND}


def is_mahjong_soul(value: object) -> bool:
    """Return whether a decoded JSON value looks like such a record, even one whose moves are missing."""
    if isinstance(value, dict) and "head" in value and "data" in value:
        return True
    return _records(value) is not None


def read_mahjong_soul(value: Any, source: str, *, cut: bool = False) -> Iterator[Fields]:
    """Convert a record.

    Parameters
    ----------
    value : object
        The decoded JSON value.
    source : str
        Name for error messages.
    cut : bool
        Whether the text was cut short: what it was cut in is left out, and the game has no end.

    Yields
    ------
    dict
        Mjai events. Everything before a damage comes before the error.

    Raises
    ------
    LogError
        If the moves are missing, end within a round or are of another game than four-player riichi, or a
        record is impossible; the message gives its number.
    """
    fields = _plain(value.get("head")) if isinstance(value, dict) else None
    head = Head(fields if isinstance(fields, dict) else {})
    if head.of_three:
        raise LogError(f"{source}: {ThreePlayersError()}")
    if head.four_red_fives:
        raise LogError(f"{source}: a game with four red fives, which manue does not know")
    found = _records(value)
    if not found:
        raise LogError(f"{source}: a Mahjong Soul record without its moves: it was not downloaded whole")
    if len(found) > MAX_RECORDS:
        raise LogError(f"{source}: more records than a game can have")
    try:
        game = _Game(head.start())
    except DAMAGE as error:
        raise LogError(f"{source}: the head: {damage_in_words(error)}") from None
    events: list[Fields] = []
    for number, (name, data) in enumerate(found[:-1] if cut else found, 1):
        try:
            events = game.take(name, _plain(data), found[number] if number < len(found) else None)
        except ThreePlayersError as error:
            raise LogError(f"{source}: {error}") from None
        except DAMAGE as error:
            where = f"record {number} ({printable(name, 40)})"
            raise LogError(f"{source}: {where}: {damage_in_words(error)}") from None
        yield from events
    if cut:
        return
    if not events or events[-1]["type"] != "end_kyoku":
        raise LogError(f"{source}: the moves end within a round, at record {len(found)}")
    try:
        yield from head.end()
    except DAMAGE as error:
        raise LogError(f"{source}: the head: {damage_in_words(error)}") from None


def _records(value: object, depth: int = 0) -> list[tuple[str, Any]] | None:
    """Return the name and content of every record; ``None`` if none is found where writers put them."""
    if isinstance(value, list):
        found = [_record(item) for item in value]
        return [record for record in found if record is not None] or None
    if isinstance(value, dict) and depth < _DEEPEST:
        inside = (_records(value[name], depth + 1) for name in _LISTS if name in value)
        return next((found for found in inside if found), None)
    return None


def _record(item: object) -> tuple[str, Any] | None:
    """Return the name and content of one record; ``None`` for inputs, connections and whatever else."""
    if isinstance(item, dict) and isinstance(item.get("result"), dict):
        item = item["result"]
    if not isinstance(item, dict) or not isinstance(item.get("data"), dict):
        return None
    found = _RECORD.fullmatch(str(item.get("name", ""))[:60])
    return (found[1], item["data"]) if found else None


def _plain(value: Any) -> Any:
    """Return a JSON value with all its names in snake case."""
    if isinstance(value, dict):
        return {re.sub("([A-Z])", r"_\1", name).lower(): _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list) else value


def tile_of(text: str) -> Tile:
    """Return the tile of a name: ``0m`` is a red five, ``1z`` .. ``7z`` are E S W N P F C.

    Raises
    ------
    ValueError
        If there is none.
    """
    if not _TILE.fullmatch(text):
        raise ValueError(f"{printable(repr(text), 40)} is not a tile")
    if text[1] == "z":
        return _HONORS[int(text[0]) - 1]
    return f"5{text[1]}r" if text[0] == "0" else text


def _tiles(values: Sequence[str] | None) -> list[Tile]:
    return [tile_of(text) for text in values or ()]


class _Game:
    """Converts records to events one by one: a method for each kind of record.

    Parameters
    ----------
    start : dict
        The start of the game as a Mjai event.
    """

    def __init__(self, start: Fields) -> None:
        self._start = start
        self._begun = False

    # ---- records

    def take(self, name: str, data: Fields, following: tuple[str, Any] | None) -> list[Fields]:
        """Return the events of a record.

        Parameters
        ----------
        name : str
        data : dict
            With all names in snake case.
        following : (str, object) or None
            Name and content of the next record, as they are.

        Raises
        ------
        ThreePlayersError
            If only a game of three players has such a record.
        """
        handler = getattr(self, f"_on_{name.lower()}", None)
        if handler is None:
            raise ValueError("no record of four-player riichi")
        self._events: list[Fields] = []
        self._following = following
        handler(data)
        return self._events

    def _put(self, kind: str, **fields: Any) -> None:
        self._events.append({"type": kind, **fields})

    def _on_newround(self, data: Fields) -> None:
        if len(data["scores"]) == 3:
            raise ThreePlayersError
        if not self._begun:
            self._begun = True
            self._events.append(self._start)
        self._wind, self._dealer = WINDS[data.get("chang", 0)], data.get("ju", 0)
        self._hands = [_tiles(data[f"tiles{seat}"]) for seat in range(4)]
        self._indicators = _tiles(data.get("doras") or [data["dora"]])
        self._pons: dict[tuple[Seat, int], list[Tile]] = {}
        self._declared: Seat | None = None
        self._open_kans = 0  # those whose indicator has not been shown
        self._first = True
        self._last: Seat = self._dealer
        self._put_heavenly_tile_last(self._hands[self._dealer])
        self._put(
            "start_kyoku",
            bakaze=self._wind,
            kyoku=self._dealer + 1,
            honba=data.get("ben", 0),
            kyotaku=data.get("liqibang", 0),
            oya=self._dealer,
            dora_marker=self._indicators[0],
            scores=data["scores"],
            tehais=[hand[:13] for hand in self._hands],
        )
        self._draw(self._dealer, self._hands[self._dealer][-1])

    def _put_heavenly_tile_last(self, hand: list[Tile]) -> None:
        """Put the tile that a heavenly hand is won with last, as the dealer's first draw."""
        won = self._heavenly_tile()
        if won in hand:
            hand.remove(won)
            hand.append(won)

    def _heavenly_tile(self) -> Tile | None:
        """Return the tile of a self-draw of the dealer, if the next record is one."""
        name, data = self._following or ("", {})
        if name != "Hule":
            return None
        try:
            (win,) = _plain(data["hules"])
            is_heavenly = win.get("zimo") and seat_of(win) == self._dealer
            return tile_of(win["hu_tile"]) if is_heavenly else None
        except DAMAGE:
            return None  # the win is converted next, and says what is wrong

    def _draw(self, seat: Seat, tile: Tile) -> None:
        self._drawn: Tile | None = tile
        self._put("tsumo", actor=seat, pai=tile)

    def _take(self, seat: Seat, tile: Tile) -> None:
        """Take a tile out of a hand."""
        if tile not in self._hands[seat]:
            raise ValueError(f"seat {seat} does not hold {tile}")
        self._hands[seat].remove(tile)

    def _accept(self) -> None:
        """Accept the riichi whose discard has passed."""
        if self._declared is not None:
            self._put("reach_accepted", actor=self._declared)
        self._declared = None

    def _reveal(self, data: Fields, most: int = 5) -> None:
        """Show the indicators that are new in a record."""
        shown = len(self._indicators)
        for tile in _tiles(data.get("doras"))[shown : shown + most]:
            self._indicators.append(tile)
            self._put("dora", dora_marker=tile)
            self._open_kans = max(0, self._open_kans - 1)

    def _on_dealtile(self, data: Fields) -> None:
        self._accept()
        self._reveal(data)
        seat, tile = seat_of(data), tile_of(data["tile"])
        self._hands[seat].append(tile)
        self._draw(seat, tile)

    def _on_discardtile(self, data: Fields) -> None:
        seat, tile = seat_of(data), tile_of(data["tile"])
        self._reveal(data)
        declares = data.get("is_liqi") or data.get("is_wliqi")
        if declares:
            self._put("reach", actor=seat)
        # the dealer's first tiles come together: none of them is marked as drawn
        as_drawn = self._drawn == tile and bool(self._first or data.get("moqie"))
        self._take(seat, tile)
        self._put("dahai", actor=seat, pai=tile, tsumogiri=as_drawn)
        self._first, self._drawn, self._last = False, None, seat
        self._declared = seat if declares else None

    def _on_chipenggang(self, data: Fields) -> None:
        self._accept()
        self._reveal(data)
        seat, kind = seat_of(data), _CALLS[data.get("type", 0)]
        tiles = _tiles(data["tiles"])
        called = next((at for at, source in enumerate(data["froms"]) if source != seat), None)
        if called is None:
            raise ValueError(f"seat {seat} calls no tile of another seat")
        pai, consumed = tiles[called], [*tiles[:called], *tiles[called + 1 :]]
        for tile in consumed:
            self._take(seat, tile)
        if kind == "pon":
            self._pons[seat, KIND_OF[pai]] = [pai, *consumed]
        self._open_kans += kind == "daiminkan"
        self._put(kind, actor=seat, target=data["froms"][called], pai=pai, consumed=consumed)
        self._first, self._drawn = False, None

    def _on_angangaddgang(self, data: Fields) -> None:
        self._accept()
        self._reveal(data, self._open_kans)
        seat, tile = seat_of(data), tile_of(data["tiles"])
        hand = self._hands[seat]
        if data["type"] == _CLOSED_KAN:
            consumed = [own for own in hand if KIND_OF[own] == KIND_OF[tile]]
            self._hands[seat] = [own for own in hand if KIND_OF[own] != KIND_OF[tile]]
            self._put("ankan", actor=seat, consumed=consumed)
        elif data["type"] == _ADDED_KAN:
            self._take(seat, tile)
            pon = self._pons.get((seat, KIND_OF[tile]))
            if pon is None:
                raise ValueError(f"seat {seat} has no pon to add {tile} to")
            self._open_kans += 1
            self._put("kakan", actor=seat, pai=tile, consumed=pon)
        else:
            raise ValueError(f"{data['type']!r} is not a kan")
        self._reveal(data)
        self._first, self._drawn, self._last = False, None, seat

    # ---- the end of a round

    def _on_notile(self, data: Fields) -> None:
        self._accept()
        changes = [score.get("delta_scores") or [0] * 4 for score in data.get("scores") or ()]
        deltas = [sum(change[seat] for change in changes) for seat in range(4)]
        reason = "nagashimangan" if data.get("liujumanguan") else "fanpai"
        tenpais = [bool(player.get("tingpai")) for player in data.get("players") or ()]
        known = {"tenpais": tenpais} if len(tenpais) == 4 else {}
        self._end_round("ryukyoku", reason=reason, deltas=deltas, **known)

    def _on_liuju(self, data: Fields) -> None:
        if data["type"] != _TRIPLE_RON or data.get("liqi"):
            self._accept()
        self._end_round("ryukyoku", reason=_DRAWN[data["type"]], deltas=[0] * 4)

    def _end_round(self, kind: str, **fields: Any) -> None:
        self._put(kind, **fields)
        self._put("end_kyoku")

    def _on_hule(self, data: Fields) -> None:
        wins = sorted(data["hules"], key=lambda win: (seat_of(win) - self._last) % 4)
        self._reveal(wins[0])
        rest = list(data["delta_scores"])
        for win in reversed(wins[1:]):
            # the record has the sum: honba and deposits are in the share of the first win
            paid = self._paid(win)
            rest = [total - points for total, points in zip(rest, paid, strict=True)]
            win["delta_scores"] = paid
        wins[0]["delta_scores"] = rest
        for win in wins:
            self._put("hora", **self._win(win))
        self._put("end_kyoku")

    def _paid(self, win: Fields) -> list[int]:
        """Return what a win off a discard changes by seat, honba apart; a liable seat pays half."""
        seat, points = seat_of(win), win["point_rong"]
        paid = [points * ((other == seat) - (other == self._last)) for other in range(4)]
        if liable := win.get("baopai") or 0:
            han = {fan.get("id", 0): fan.get("val", 0) for fan in win["fans"]}
            half = points * sum(han.get(yaku, 0) for yaku in _LIABLE_FOR) // (2 * sum(han.values()))
            paid[self._last] += half
            paid[liable - 1] -= half
        return paid

    def _win(self, win: Fields) -> Fields:
        seat, tsumo = seat_of(win), bool(win.get("zimo"))
        liable = win.get("baopai") or 0
        return {
            "actor": seat,
            "target": seat if tsumo else self._last,
            "pai": tile_of(win["hu_tile"]),
            "deltas": win["delta_scores"],
            "ura_markers": _tiles(win.get("li_doras")),
            **self._worth(win, seat, tsumo=tsumo),
            **({"pao": liable - 1} if liable else {}),
        }

    def _worth(self, win: Fields, seat: Seat, *, tsumo: bool) -> Fields:
        """Return fu, han, points and yaku of a win; no yaku if one of them is none of ours."""
        each, dealer = win.get("point_zimo_xian", 0), win.get("point_zimo_qin", 0)
        points = win.get("point_rong", 0)
        if tsumo:
            points = 3 * each if seat == self._dealer else 2 * each + dealer
        times = tenhou_yaku.YAKUMAN_HAN if win.get("yiman") else 1
        yaku = [(self._yaku(fan.get("id", 0), seat), fan.get("val", 0) * times) for fan in win["fans"]]
        worth = {"fu": win.get("fu", 0), "han": win.get("count", 0) * times, "hora_points": points}
        if any(number is None for number, _ in yaku):
            return worth
        counted = [(number, han) for number, han in yaku if han]
        ids, han = [number for number, _ in counted], [value for _, value in counted]
        return worth | {"yaku_ids": ids, "yaku_han": han}

    def _yaku(self, number: int, seat: Seat) -> int | None:
        """Return Tenhou's number of a yaku."""
        if number not in _TENHOU_WINDS:
            return YAKU_IDS.get(number)
        own = (seat - self._dealer) % 4
        return _TENHOU_WINDS[number] + (own if number == SEAT_WIND else WINDS.index(self._wind))

    # ---- other games

    def _on_babei(self, _data: Fields) -> None:
        raise ThreePlayersError
