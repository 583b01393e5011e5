"""Tenhou's XML records (mjlog) as Mjai events.

Tiles are the numbers 0..135, four per kind; with red fives, the first copy of each five is red. Points are in
hundreds, and a call is one 16-bit number. The format is known from other programs that read it; the
conversion is tested by writing records in the format and reading them back.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from urllib.parse import unquote
from xml.parsers import expat

from manue.errors import LogError, ThreePlayersError
from manue.foreign import printable
from manue.protocol.codec import KYOKU_FIRST, Fields
from manue.records.damage import DAMAGE, damage_in_words
from manue.records.drawn_rounds import EXHAUSTIVE
from manue.records.tenhou_yaku import YAKUMAN_HAN
from manue.rules import EAST_ONLY, HANCHAN
from manue.tiles import COPIES, KINDS, WINDS, Seat, Tile, tile_name

Element = tuple[int, str, dict[str, str]]

MAX_ELEMENTS = 20_000
"""Most elements of a record; a long game has 3 000."""
MAX_GAMES = 100
"""Most games of a file."""
_DOCUMENT = re.compile(rb"(?:<\?xml[^>]{0,200}\?>\s{0,20})?<mjloggm\b")
_RECODED = re.compile(rb"""\s{0,20}<\?xml[^>]{0,100}encoding=["']utf-16""", re.IGNORECASE)
"""What was in UTF-16 still says so when it is read in UTF-8."""
NO_RED_BIT, NO_OPEN_TANYAO_BIT, HANCHAN_BIT, _THREE_PLAYERS = 0x02, 0x04, 0x08, 0x10  # bits of GO's type
REASON_OF_TYPE = {
    "": "fanpai",
    "yao9": "kyushukyuhai",
    "kaze4": "suufonrenta",
    "reach4": "suuchariichi",
    "ron3": "sanchaho",
    "kan4": "suukaikan",
    "nm": "nagashimangan",
}
"""How a round was drawn, by Tenhou's word for it."""
_FOUR = re.compile(r"\d{1,5}(?:\.\d{1,9})?(?:,\d{1,5}(?:\.\d{1,9})?){3}", re.ASCII)
"""Four numbers."""
_TURN = re.compile(r"([TUVWDEFG])(\d{1,3})")


def read_mjlog(data: bytes, source: str) -> Iterator[tuple[int, Fields]]:
    """Convert a record, or several one after the other.

    Parameters
    ----------
    data : bytes
        The XML text, in UTF-8 unless it names another encoding.
    source : str
        Name for error messages.

    Yields
    ------
    int, dict
        Line of the element and the Mjai event it was converted to. Everything before a damage comes before
        the error.

    Raises
    ------
    LogError
        If the text is cut short, is not such a record or is of a three-player game; the message names the
        line.
    """
    starts = [match.start() for match in islice(_DOCUMENT.finditer(data), MAX_GAMES + 1)]
    if len(starts) > MAX_GAMES:
        raise LogError(f"{source}: more than {MAX_GAMES} games in one file")
    blank = len(data) - len(data.lstrip())  # nothing may stand before an XML declaration
    bounds = [blank, *starts[1:], len(data)]
    for start, end in pairwise(bounds):
        yield from _one_game(data[start:end], source, data.count(b"\n", 0, start))


def _one_game(data: bytes, source: str, before: int) -> Iterator[tuple[int, Fields]]:
    """Convert one record, which has ``before`` lines before it."""
    record = _Record()
    try:
        for line, tag, values in _elements(data, source, before):
            try:
                record.take(line, tag, values)
            except ThreePlayersError as error:
                raise LogError(f"{source}, line {line}: {error}") from None
            except DAMAGE as error:
                where = f"{source}, line {line}: damaged <{printable(tag, 40)}>"
                raise LogError(f"{where}: {damage_in_words(error)}") from None
            yield from record.taken()
    except LogError:
        if record.is_over:
            yield from record.finish()
        raise
    yield from record.finish()


def _elements(data: bytes, source: str, before: int) -> Iterator[Element]:
    """Yield the elements; after those before a damage, raise LogError."""
    found: list[Element] = []
    parser = expat.ParserCreate("utf-8" if _RECODED.match(data) else None)

    def line() -> int:
        return before + parser.CurrentLineNumber

    def start(tag: str, values: dict[str, str]) -> None:
        if not found and tag != "mjloggm":
            raise LogError(f"{source}, line {line()}: <{printable(tag, 40)}> is not a Tenhou record")
        if len(found) >= MAX_ELEMENTS:
            raise LogError(f"{source}, line {line()}: more elements than a game can have")
        found.append((line(), tag, values))

    def refuse(name: str, *_: object) -> None:
        if name.lower() == "html":
            raise LogError(f"{source}, line {line()}: a web page, not a record: save the record itself")
        raise LogError(f"{source}, line {line()}: declarations are not allowed in a record")

    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = refuse
    trouble = None
    try:
        parser.Parse(data, True)  # noqa: FBT003  expat takes no keywords
    except expat.ExpatError as error:
        trouble = LogError(f"{source}, line {before + error.lineno}: {expat.ErrorString(error.code)}")
    except LogError:
        raise
    except (LookupError, ValueError) as error:
        raise LogError(f"{source}: its encoding cannot be read: {error}") from None
    yield from found
    if trouble is not None:
        raise trouble


def decode_call(code: int, seat: Seat, name: Callable[[int], Tile]) -> Fields:
    """Return the Mjai event of a call given by its 16 bits; ``name`` names tiles by their number."""
    source = (seat + (code & 3)) % 4
    if code & 0x4:
        base, taken = divmod(code >> 10, 3)
        first = base // 7 * 9 + base % 7
        tiles = [4 * (first + n) + (code >> (3 + 2 * n) & 3) for n in range(3)]
        return _taken("chi", seat, source, tiles, taken, name)
    if code & 0x18:
        kind, taken = divmod(code >> 9, 3)
        spare = 4 * kind + (code >> 5 & 3)
        tiles = [tile for tile in range(4 * kind, 4 * kind + 4) if tile != spare]
        if code & 0x8:
            return _taken("pon", seat, source, tiles, taken, name)
        pon = [tiles[taken], *(tile for at, tile in enumerate(tiles) if at != taken)]
        return {"type": "kakan", "actor": seat, "pai": name(spare), "consumed": [name(tile) for tile in pon]}
    kind, taken = divmod(code >> 8, 4)
    tiles = list(range(4 * kind, 4 * kind + 4))
    if source == seat:
        return {"type": "ankan", "actor": seat, "consumed": [name(tile) for tile in tiles]}
    return _taken("daiminkan", seat, source, tiles, taken, name)


def _taken(
    kind: str, seat: Seat, source: Seat, tiles: Sequence[int], taken: int, name: Callable[[int], Tile]
) -> Fields:
    consumed = [name(tile) for at, tile in enumerate(tiles) if at != taken]
    return {"type": kind, "actor": seat, "target": source, "pai": name(tiles[taken]), "consumed": consumed}


def _numbers(text: str) -> list[int]:
    return [int(float(part)) for part in text.split(",") if part]


def _grades(values: dict[str, str]) -> Fields:
    """Return the players' dan and rate, each only if there is one for every seat."""
    dan, rate = values.get("dan", ""), values.get("rate", "")
    grades: Fields = {"dan": _numbers(dan)} if _FOUR.fullmatch(dan) else {}
    return grades | ({"rate": [float(one) for one in rate.split(",")]} if _FOUR.fullmatch(rate) else {})


class _Record:
    """Converts elements to events one by one."""

    def __init__(self) -> None:
        self._events: list[tuple[int, Fields]] = []
        self._names: list[str] | None = None
        self._known: Fields = {}
        self._grades: Fields = {}
        self._red = True
        self._drawn: list[int | None] = [None] * 4
        self._declared: Seat | None = None
        self._line = 1
        self._in_round = False
        self._begun = False
        self._final: list[int] | None = None

    def take(self, line: int, tag: str, values: dict[str, str]) -> None:
        """Process an element, given its line in the document, its name and its attributes."""
        self._line = line
        turn = _TURN.fullmatch(tag)
        if turn:
            self._turn(turn[1], int(turn[2]))
            return
        handler = getattr(self, f"_on_{tag.lower()}", None)
        if handler is not None:
            handler(values)

    @property
    def is_over(self) -> bool:
        """Whether the end of the game has been read."""
        return self._final is not None

    def finish(self) -> list[tuple[int, Fields]]:
        """End the game and return the events since the last call, with their lines."""
        self._end_round()
        if self._final is not None:
            self._put({"type": "end_game", "scores": self._final})
        return self.taken()

    def taken(self) -> list[tuple[int, Fields]]:
        """Return the events since the last call, with their lines."""
        events, self._events = self._events, []
        return events

    def _put(self, fields: Fields) -> None:
        self._events.append((self._line, fields))

    def _end_round(self) -> None:
        if self._in_round:
            self._put({"type": "end_kyoku"})
        self._in_round = False

    def _on_go(self, values: dict[str, str]) -> None:
        kind = int(values.get("type", "0"))
        if kind & _THREE_PLAYERS:
            raise ThreePlayersError
        self._red = not kind & NO_RED_BIT
        if "type" in values:
            length = HANCHAN if kind & HANCHAN_BIT else EAST_ONLY
            self._known = {"kyoku_first": KYOKU_FIRST[length], "aka_flag": self._red}
        if kind & NO_OPEN_TANYAO_BIT:
            self._known["kuitan_flag"] = False

    def _on_un(self, values: dict[str, str]) -> None:
        if self._names is None:
            self._names = [unquote(values.get(f"n{seat}", "")) for seat in range(4)]
            self._grades = _grades(values)

    def _on_init(self, values: dict[str, str]) -> None:
        self._end_round()
        if not self._begun:
            self._begun = True
            names = self._names or [f"Seat {seat}" for seat in range(4)]
            self._put({"type": "start_game", "names": names, **self._known, **self._grades})
        number, honba, sticks, _, _, indicator = _numbers(values["seed"])
        if number < 0:
            raise ValueError(f"{number} is not a round")
        self._drawn, self._declared = [None] * 4, None
        self._in_round = True
        self._put(
            {
                "type": "start_kyoku",
                "bakaze": WINDS[number // 4],
                "kyoku": number % 4 + 1,
                "honba": honba,
                "kyotaku": sticks,
                "oya": int(values["oya"]),
                "dora_marker": self._name(indicator),
                "scores": [100 * points for points in _numbers(values["ten"])],
                "tehais": [self._hand(values[f"hai{seat}"]) for seat in range(4)],
            }
        )

    def _name(self, number: int) -> Tile:
        if not 0 <= number < COPIES * len(KINDS):
            raise ValueError(f"{number} is not a tile")
        return tile_name(number, red=self._red)

    def _hand(self, text: str) -> list[Tile]:
        return [self._name(tile) for tile in _numbers(text)]

    def _turn(self, letter: str, tile: int) -> None:
        if letter in "TUVW":
            self._accept()
            seat = "TUVW".index(letter)
            self._drawn[seat] = tile
            self._put({"type": "tsumo", "actor": seat, "pai": self._name(tile)})
            return
        seat = "DEFG".index(letter)
        as_drawn = self._drawn[seat] == tile
        self._drawn[seat] = None
        self._put({"type": "dahai", "actor": seat, "pai": self._name(tile), "tsumogiri": as_drawn})

    def _accept(self) -> None:
        """Accept a riichi whose discard has passed, of which some writers say no more."""
        if self._declared is not None:
            self._put({"type": "reach_accepted", "actor": self._declared})
        self._declared = None

    def _on_n(self, values: dict[str, str]) -> None:
        self._accept()
        self._put(decode_call(int(values["m"]), int(values["who"]), self._name))

    def _on_reach(self, values: dict[str, str]) -> None:
        seat = int(values["who"])
        self._declared = seat if values["step"] == "1" else None
        if values["step"] == "1":
            self._put({"type": "reach", "actor": seat})
            return
        accepted: Fields = {"type": "reach_accepted", "actor": seat}
        if "ten" in values:
            accepted["scores"] = [100 * points for points in _numbers(values["ten"])]
        self._put(accepted)

    def _on_dora(self, values: dict[str, str]) -> None:
        self._put({"type": "dora", "dora_marker": self._name(int(values["hai"]))})

    def _on_agari(self, values: dict[str, str]) -> None:
        seat, source = int(values["who"]), int(values["fromWho"])
        fu, points, _ = _numbers(values["ten"])
        yaku = _numbers(values.get("yaku", ""))
        pairs = list(zip(yaku[::2], yaku[1::2], strict=True))
        pairs += [(number, YAKUMAN_HAN) for number in _numbers(values.get("yakuman", ""))]
        hand, win = _numbers(values["hai"]), int(values["machi"])
        if source != seat:
            hand.remove(win)
        self._put(
            {
                "type": "hora",
                "actor": seat,
                "target": source,
                "pai": self._name(win),
                **self._changes(values),
                "ura_markers": self._hand(values.get("doraHaiUra", "")),
                "fu": fu,
                "han": sum(han for _, han in pairs),
                "hora_points": points,
                "yaku_ids": [number for number, _ in pairs],
                "yaku_han": [han for _, han in pairs],
                "hora_tehais": [self._name(tile) for tile in hand],
                **({"pao": int(values["paoWho"])} if "paoWho" in values else {}),
            }
        )

    def _on_ryuukyoku(self, values: dict[str, str]) -> None:
        reason = REASON_OF_TYPE.get(values.get("type", ""), values.get("type", ""))
        if reason != "sanchaho":
            self._accept()
        drawn: Fields = {"type": "ryukyoku", "reason": reason, **self._changes(values)}
        if reason in EXHAUSTIVE:
            drawn["tenpais"] = [f"hai{seat}" in values for seat in range(4)]
        self._put(drawn)

    def _changes(self, values: dict[str, str]) -> Fields:
        numbers = [100 * points for points in _numbers(values["sc"])]
        if "owari" in values:
            self._final = [100 * points for points in _numbers(values["owari"])[::2]]
        before, deltas = numbers[::2], numbers[1::2]
        if not any(before):  # some writers leave the points before out
            return {"deltas": deltas}
        return {"deltas": deltas, "scores": [a + b for a, b in zip(before, deltas, strict=True)]}
