"""Mjai events as Tenhou's XML (mjlog), the reverse of `manue.records.mjlog`."""

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from manue.protocol.codec import KYOKU_FIRST, Fields
from manue.records.completed import has_red_fives
from manue.records.grades import dans_of, rates_of
from manue.records.mjlog import HANCHAN_BIT, NO_OPEN_TANYAO_BIT, NO_RED_BIT, REASON_OF_TYPE
from manue.records.tenhou_yaku import DORA, has_yakuman, limit_of, yaku_of
from manue.rules import EAST_ONLY
from manue.tiles import KIND_OF, KINDS, RED_OF, Seat, Tile, is_red, round_index

_TABLE = 0xA1  # of GO's type: played by people, the top room
_REASON_OF = {reason: name for name, reason in REASON_OF_TYPE.items()}
_NEW_DAN, _NEW_RATE = 0, 1500.0
"""Those of a newcomer to Tenhou, where the record says none: readers of mjlog rely on them."""


def write_mjlog(game: Sequence[Fields]) -> str:
    """Return a game as XML.

    Parameters
    ----------
    game : sequence of dict
        Mjai events with all hands open, as `manue.records.completed.completed` yields them.

    Raises
    ------
    LookupError
        If a tile is used that cannot be there.
    """
    return _Writer(red=has_red_fives(game)).write(game)


class _Copies:
    """Numbers 0..135 for tiles in the order in which they appear."""

    def __init__(self, *, red: bool) -> None:
        self._free: dict[Tile, list[int]] = {}
        for kind, tile in enumerate(KINDS):
            numbers = list(range(4 * kind, 4 * kind + 4))
            if red and kind in RED_OF:
                self._free[RED_OF[kind]] = [numbers.pop(0)]
            self._free[tile] = numbers

    def __call__(self, tile: Tile) -> int:
        return self._free[tile].pop(0)


def _joined(numbers: Iterable[object]) -> str:
    return ",".join(map(str, numbers))


class _Writer:
    """Writes one game, event by event: a method for each type."""

    def __init__(self, *, red: bool) -> None:
        self._red = red
        self._parts: list[str] = []
        self._names: dict[int, Tile] = {}
        self._last = 0

    def write(self, game: Sequence[Fields]) -> str:
        """Return the whole record."""
        if game[0]["type"] != "start_game":
            self.start_game({})
        for fields in game:
            getattr(self, fields["type"])(fields)
        return '<mjloggm ver="2.3"><SHUFFLE seed="" ref=""/>' + "".join(self._parts) + "</mjloggm>\n"

    def _put(self, tag: str, **values: object) -> None:
        shown = {name: value for name, value in values.items() if value is not None}
        attributes = "".join(f" {name}={quoteattr(str(value))}" for name, value in shown.items())
        self._parts.append(f"<{tag}{attributes}/>")

    def start_game(self, event: Fields) -> None:
        east = event.get("kyoku_first") == KYOKU_FIRST[EAST_ONLY]
        kind = _TABLE | (0 if east else HANCHAN_BIT) | (0 if self._red else NO_RED_BIT)
        kind |= NO_OPEN_TANYAO_BIT if event.get("kuitan_flag") is False else 0
        self._put("GO", type=kind, lobby=0)
        names = event.get("names") or [""] * 4
        self._put(
            "UN",
            **{f"n{seat}": quote(name) for seat, name in enumerate(names)},
            dan=_joined(dans_of(event) or [_NEW_DAN] * 4),
            rate=_joined(f"{rate:.2f}" for rate in rates_of(event) or [_NEW_RATE] * 4),
            sx="C,C,C,C",
        )
        self._put("TAIKYOKU", oya=0)

    def start_kyoku(self, event: Fields) -> None:
        self._copy = _Copies(red=self._red)
        self._hands = [[self._named(tile) for tile in hand] for hand in event["tehais"]]
        self._drawn: list[int | None] = [None] * 4
        self._pons: dict[tuple[Seat, int], tuple[int, Seat]] = {}
        self._melds: list[list[int]] = [[], [], [], []]
        self._dealer = event["oya"]
        number = round_index(event["bakaze"], event["kyoku"])
        self._indicators = [self._copy(event["dora_marker"])]
        self._put(
            "INIT",
            seed=_joined([number, event["honba"], event["kyotaku"], 3, 4, *self._indicators]),
            ten=_joined(points // 100 for points in event["scores"]),
            oya=event["oya"],
            **{f"hai{seat}": _joined(hand) for seat, hand in enumerate(self._hands)},
        )

    def _named(self, tile: Tile) -> int:
        number = self._copy(tile)
        self._names[number] = tile
        return number

    def tsumo(self, event: Fields) -> None:
        seat = event["actor"]
        self._last = self._drawn_now(seat, event["pai"])
        self._parts.append(f"<{'TUVW'[seat]}{self._last}/>")

    def _drawn_now(self, seat: Seat, tile: Tile) -> int:
        number = self._named(tile)
        self._hands[seat].append(number)
        self._drawn[seat] = number
        return number

    def _take(self, seat: Seat, tile: Tile, *, keep: int | None = None) -> int:
        held = [number for number in self._hands[seat] if self._names[number] == tile]
        number = next(one for one in sorted(held, key=lambda one: one == keep))
        self._hands[seat].remove(number)
        return number

    def dahai(self, event: Fields) -> None:
        seat, drawn = event["actor"], self._drawn[event["actor"]]
        if event["tsumogiri"] and drawn is not None:
            self._hands[seat].remove(drawn)
            self._last = drawn
        else:
            self._last = self._take(seat, event["pai"], keep=drawn)
        self._drawn[seat] = None
        self._parts.append(f"<{'DEFG'[seat]}{self._last}/>")

    def _call(self, seat: Seat, code: int, source: Seat) -> None:
        self._melds[seat].append(code | (source - seat) % 4)
        self._put("N", who=seat, m=self._melds[seat][-1])
        self._drawn[seat] = None

    def chi(self, event: Fields) -> None:
        own = [self._take(event["actor"], tile) for tile in event["consumed"]]
        tiles = sorted([*own, self._last])
        first = tiles[0] // 4
        base = first // 9 * 7 + first % 9
        offsets = sum((tile % 4) << (3 + 2 * at) for at, tile in enumerate(tiles))
        code = (base * 3 + tiles.index(self._last)) << 10 | offsets | 4
        self._call(event["actor"], code, event["target"])

    def pon(self, event: Fields) -> None:
        own = [self._take(event["actor"], tile) for tile in event["consumed"]]
        tiles = sorted([*own, self._last])
        kind = tiles[0] // 4
        spare = next(at for at in range(4) if 4 * kind + at not in tiles)
        code = (kind * 3 + tiles.index(self._last)) << 9 | spare << 5
        self._pons[event["actor"], kind] = code, event["target"]
        self._call(event["actor"], code | 8, event["target"])

    def kakan(self, event: Fields) -> None:
        self._last = self._take(event["actor"], event["pai"])
        seat = event["actor"]
        code, source = self._pons[seat, self._last // 4]
        self._melds[seat].remove(code | 8 | (source - seat) % 4)
        self._call(seat, code | 16, source)

    def daiminkan(self, event: Fields) -> None:
        for tile in event["consumed"]:
            self._take(event["actor"], tile)
        self._call(event["actor"], self._last << 8, event["target"])

    def ankan(self, event: Fields) -> None:
        numbers = [self._take(event["actor"], tile) for tile in event["consumed"]]
        self._last = numbers[0]
        self._call(event["actor"], numbers[0] << 8, event["actor"])

    def dora(self, event: Fields) -> None:
        self._indicators.append(self._copy(event["dora_marker"]))
        self._put("DORA", hai=self._indicators[-1])

    def reach(self, event: Fields) -> None:
        self._put("REACH", who=event["actor"], step=1)

    def reach_accepted(self, event: Fields) -> None:
        self._put("REACH", who=event["actor"], ten=_joined(s // 100 for s in event["scores"]), step=2)

    @staticmethod
    def _changes(event: Fields) -> str:
        pairs = zip(event["scores"], event["deltas"], strict=True)
        return _joined(number // 100 for score, delta in pairs for number in (score - delta, delta))

    def hora(self, event: Fields) -> None:
        seat = event["actor"]
        hand = self._hands[seat] if event["target"] == seat else [*self._hands[seat], self._last]
        limit = limit_of(event["hora_points"], dealer=seat == self._dealer)
        pairs = yaku_of(event) or [(DORA, event.get("han") or 0)]
        listed: dict[str, Any] = (
            {"yakuman": _joined(number for number, _ in pairs)}
            if has_yakuman(pairs)
            else {"yaku": _joined(number for pair in pairs for number in pair)}
        )
        self._put(
            "AGARI", ba=f"{event['honba']},{event['kyotaku']}", hai=_joined(sorted(hand)),
            m=_joined(self._melds[seat]) or None, machi=self._last,
            ten=_joined([event.get("fu") or 0, event["hora_points"], limit]), **listed,
            doraHai=_joined(self._indicators),
            doraHaiUra=_joined(map(self._ura, event["ura_markers"])) or None,
            who=seat, fromWho=event["target"], paoWho=event.get("pao"), sc=self._changes(event),
        )  # fmt: skip

    def _ura(self, tile: Tile) -> int:
        """Return any number of the tile: two winners see the same indicators."""
        return 4 * KIND_OF[tile] + (self._red and not is_red(tile))

    def ryukyoku(self, event: Fields) -> None:
        tenpai = event.get("tenpais") or [False] * 4
        hands = {f"hai{seat}": _joined(self._hands[seat]) for seat in range(4) if tenpai[seat]}
        self._put(
            "RYUUKYOKU",
            type=_REASON_OF[event["reason"]] or None,
            ba=f"{event['honba']},{event['kyotaku']}",
            sc=self._changes(event),
            **hands,
        )

    def end_kyoku(self, event: Fields) -> None:
        pass

    def end_game(self, event: Fields) -> None:
        ends = [at for at, part in enumerate(self._parts) if part.startswith(("<AGARI", "<RYUUKYOKU"))]
        if ends:
            owari = _joined(one for score in event["scores"] for one in (score // 100, "0.0"))
            self._parts[ends[-1]] = self._parts[ends[-1]].replace("/>", f' owari="{owari}"/>')
