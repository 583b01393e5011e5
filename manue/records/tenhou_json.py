"""Tenhou's JSON records (as written by its log editor and several downloaders) as Mjai events.

For every seat a round lists the hand, the tiles taken and the tiles discarded. The order of play between the
seats is not recorded; it is found by playing the round: a discard goes to the seat whose next tile taken is a
call of it. If the same tile could have been called at two discards, both ways are tried.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from manue.errors import LogError, ThreePlayersError
from manue.foreign import printable
from manue.protocol.codec import Fields
from manue.protocol.fields import HIDDEN
from manue.records.damage import DAMAGE, damage_in_words
from manue.records.tenhou_json_head import final_scores, of_three, start_of
from manue.rules import STICK
from manue.tiles import KINDS, WINDS, Seat, Tile

Entry = int | str

ALL_TENPAI, NOBODY_TENPAI = "全員聴牌", "全員不聴"
_DRAWN = {
    "fanpai": ("流局", ALL_TENPAI, NOBODY_TENPAI, "Ryuukyoku", "Exhaustive Draw"),
    "nagashimangan": ("流し満貫", "Nagashi Mangan", "Mangan at Draw"),
    "kyushukyuhai": ("九種九牌", "Kyuushu Kyuuhai", "Nine Terminal Abortion"),
    "suufonrenta": ("四風連打", "Suufon Renda", "Four Wind Abortion"),
    "suuchariichi": ("四家立直", "Suucha Riichi", "Four Riichi Abortion"),
    "sanchaho": ("三家和了", "三家和", "Sanchahou", "Three Ron Abortion"),
    "suukaikan": ("四槓散了", "四開槓", "Suukaikan", "Four Kan Abortion"),
}
"""How a round was drawn; downloaders of Mahjong Soul write English if they are set to it."""
_REASONS = {name: reason for reason, names in _DRAWN.items() for name in names}
REASON_NAMES = {reason: names[0] for reason, names in _DRAWN.items()}
_WON = {"和了", "Agari"}
_UNKNOWN = "不明"
"""The result of a round that is not played to its end, as in a position of the editor of tenhou.net/6."""
AS_DRAWN = 60
"""In place of a tile: the one just drawn is discarded."""
MAX_PARTS = 60
"""Longest list of draws or discards that is read; in a round a seat has at most 33 of each."""
MAX_ROUNDS_READ = 200
"""Most rounds of a game in a file; `manue.records.games` uses games with fewer."""
_MAX_TRIES = 4096
_CALLS = {"c": "chi", "p": "pon", "m": "daiminkan"}
_VALUE = re.compile(
    r"(?:(\d{1,3})(?:符|Fu))?(?:(\d{1,3})(?:飜|Han))?[^\d]*(\d{1,7})(?:-(\d{1,7}))?(?:点|Points)(∀)?"
)


def is_tenhou_json(value: object) -> bool:
    """Return whether a decoded JSON value looks like such a record."""
    return isinstance(value, dict) and "log" in value and "type" not in value


def joined_rounds(values: Sequence[Any]) -> list[Any]:
    """Join records of a single round that follow one another in the same game, as links to its rounds do."""
    joined: list[Any] = []
    for value in values:
        if joined and _continues(joined[-1], value):
            joined[-1] = value | {"log": [*joined[-1]["log"], *value["log"]]}
        else:
            joined.append(value)
    return joined


def _continues(game: Any, value: Any) -> bool:
    """Return whether a record is the next round of a game: later, with the points that the last one left."""
    try:
        (after,), before = value["log"], game["log"][-1]
        if any(game.get(key) != value.get(key) for key in ("name", "rule")) or after[0][:2] <= before[0][:2]:
            return False
        paid = [part for part in before[16][1:] if all(type(one) is int for one in part)]
        left = [sum(points) for points in zip(before[1], *paid, strict=True)]
        return all(was - now in {0, STICK} for was, now in zip(left, after[1], strict=True))
    except (AttributeError, LookupError, TypeError, ValueError):
        return False


def read_tenhou_json(value: Any, source: str, *, cut: bool = False) -> Iterator[Fields]:
    """Convert a record.

    Parameters
    ----------
    value : object
        The decoded JSON object.
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
        If the object is not such a record, is of a three-player game, or a round is impossible; the message
        names the round.
    """
    names, log = value.get("name"), value.get("log")
    if names is None and cut:
        names = [""] * 4  # some writers put them behind the rounds
    if of_three(value):
        raise LogError(f"{source}: {ThreePlayersError()}")
    if not isinstance(names, list) or len(names) != 4 or not isinstance(log, list):
        raise LogError(f"{source}: a Tenhou JSON record has four names and a log")
    if len(log) > MAX_ROUNDS_READ:
        raise LogError(f"{source}: {len(log)} rounds in one game")
    if cut and next(reversed(value)) == "log":
        log = log[:-1]  # which was cut itself
    yield start_of(value, names)
    for number, entry in enumerate(log, 1):
        try:
            events = _round_events(entry)
        except DAMAGE as error:
            raise LogError(f"{source}: round {number} of the log: {damage_in_words(error)}") from None
        yield from events
    if cut:
        return
    if scores := final_scores(value):
        yield {"type": "end_game", "scores": scores}


def tile_of(number: int) -> Tile:
    """Return the tile of a number: 11..19 m, 21..29 p, 31..39 s, 41..47 honors, 51..53 red fives.

    Raises
    ------
    ValueError
        If there is none.
    """
    if isinstance(number, int):
        tens, ones = divmod(number, 10)
        if tens in {1, 2, 3} and ones:
            return KINDS[9 * (tens - 1) + ones - 1]
        if tens == 4 and 1 <= ones <= 7:
            return KINDS[26 + ones]
        if 51 <= number <= 53:
            return f"5{'mps'[ones - 1]}r"
    raise ValueError(f"{number!r} is not a tile")


@dataclass(frozen=True, slots=True)
class _Call:
    """A call as written: the letter precedes the tile taken, whose position shows whose it was."""

    kind: str
    tile: Tile
    others: tuple[Tile, ...]
    source: Seat | None


def _call(text: str, seat: Seat) -> _Call:
    match = re.fullmatch(r"((?:\d\d){0,3})([cpmka])(\d\d)((?:\d\d){0,3})", text)
    if match is None:
        raise ValueError(f"{printable(repr(text), 40)} is not a call")
    before, after = (
        [tile_of(int(part[at : at + 2])) for at in range(0, len(part), 2)] for part in (match[1], match[4])
    )
    # a tile from the left neighbour comes first, from across second, from the right neighbour last
    source = (seat + 3 - min(len(before), 2)) % 4 if match[2] in _CALLS else None
    return _Call(match[2], tile_of(int(match[3])), (*before, *after), source)


def _riichi_discard(text: str) -> int:
    """Return the number of a discard that declares riichi, written after an ``r``."""
    if re.fullmatch(r"r\d\d", text, re.ASCII) is None:
        raise ValueError(f"{printable(repr(text), 40)} is not a riichi")
    return int(text[1:])


def _round_events(entry: Sequence[Any]) -> list[Fields]:
    if len(entry) < 17:
        raise ValueError(f"{len(entry)} parts instead of 17")
    if any(len(part) > MAX_PARTS for part in entry[1:16]):
        raise ValueError("longer than a round can be")
    guesses: list[bool] = []
    for _ in range(_MAX_TRIES):
        attempt = _Round(entry, guesses)
        attempt.play()
        if attempt.fits():
            return attempt.finish()
        guesses = attempt.guesses
        while guesses and not guesses[-1]:
            guesses.pop()
        if not guesses:
            break
        guesses[-1] = False
    raise ValueError("the tiles taken and discarded do not fit together")


class _Round:
    """A round played from its lists; ``guesses`` say for each possible call whether it was made."""

    def __init__(self, entry: Sequence[Any], guesses: Sequence[bool]) -> None:
        (number, self.honba, self.sticks), self.scores, self.indicators, self.ura = entry[:4]
        self.number = int(number)
        if self.number < 0:
            raise ValueError(f"{number} is not a round")
        self.hands = [[tile_of(tile) for tile in entry[4 + 3 * seat]] or [HIDDEN] * 13 for seat in range(4)]
        self.takes: list[list[Entry]] = [list(entry[5 + 3 * seat]) for seat in range(4)]
        self.drops: list[list[Entry]] = [list(entry[6 + 3 * seat]) for seat in range(4)]
        self.result = entry[16]
        self.guesses = list(guesses)
        self._asked = 0
        self._shown = 1
        self._pending = 0
        self._riichi: set[Seat] = set()
        self._drawn: Tile | None = None
        self._last: Tile | None = None
        self._failed = False
        self.events: list[Fields] = []

    def fits(self) -> bool:
        """Whether the round could be played to the end, using every draw and discard."""
        return not self._failed and not any(self.takes) and not any(self.drops)

    def play(self) -> None:
        """Convert the round to ``events``, as far as possible."""
        self.events.append(
            {
                "type": "start_kyoku",
                "bakaze": WINDS[self.number // 4],
                "kyoku": self.number % 4 + 1,
                "honba": self.honba,
                "kyotaku": self.sticks,
                "oya": self.number % 4,
                "dora_marker": tile_of(self.indicators[0]),
                "scores": self.scores,
                "tehais": self.hands,
            }
        )
        seat: Seat | None = self.number % 4
        must_draw = True
        while seat is not None:
            seat, must_draw = self._turn(seat, must_draw=must_draw)

    def _turn(self, seat: Seat, *, must_draw: bool) -> tuple[Seat | None, bool]:
        """Let a seat draw and discard; return the next seat, ``None`` at the end, and whether it draws."""
        if must_draw:
            if not self.takes[seat]:
                return None, False
            taken = self.takes[seat].pop(0)
            if not isinstance(taken, int):
                self._failed = True
                return None, False
            self._drawn = self._last = tile_of(taken)
            self.events.append({"type": "tsumo", "actor": seat, "pai": self._drawn})
        else:
            self._drawn = None
        if not self.drops[seat]:
            return None, False
        dropped = self.drops[seat].pop(0)
        if isinstance(dropped, str) and not dropped.startswith("r"):
            self._own_kan(seat, _call(dropped, seat))
            return seat, True
        return self._discard(seat, dropped)

    def _own_kan(self, seat: Seat, call: _Call) -> None:
        if call.kind == "a":
            self._reveal()
            self.events.append({"type": "ankan", "actor": seat, "consumed": [*call.others, call.tile]})
            self._last = call.tile  # thirteen orphans may win on it
            self._pending += 1
            self._reveal()
            return
        self._last = call.tile
        fields = {"type": "kakan", "actor": seat, "pai": call.tile, "consumed": list(call.others)}
        self.events.append(fields)
        self._reveal()
        self._pending = 1

    def _reveal(self) -> None:
        """Reveal the indicators of kans: at once for a closed kan, else at the next discard or kan."""
        for number in self.indicators[self._shown : self._shown + self._pending]:
            self.events.append({"type": "dora", "dora_marker": tile_of(number)})
        self._shown += self._pending
        self._pending = 0

    def _discard(self, seat: Seat, dropped: Entry) -> tuple[Seat | None, bool]:
        declares = isinstance(dropped, str)
        number = _riichi_discard(dropped) if isinstance(dropped, str) else dropped
        tile = self._drawn if number == AS_DRAWN else tile_of(number)
        if tile is None:
            raise ValueError("a tile discarded as drawn after a call")
        if declares:
            self.events.append({"type": "reach", "actor": seat})
        self._reveal()
        as_drawn = number == AS_DRAWN
        self.events.append({"type": "dahai", "actor": seat, "pai": tile, "tsumogiri": as_drawn})
        self._last = tile
        caller = self._caller(seat, tile)
        over = caller is None and not self.takes[(seat + 1) % 4]
        if declares and not (over and self._won_from(seat)):
            self._riichi.add(seat)
            self.events.append({"type": "reach_accepted", "actor": seat})
        return ((seat + 1) % 4, True) if caller is None else (caller, self._take(caller))

    def _won_from(self, seat: Seat) -> bool:
        """Return whether the last discard, of this seat, was won on; then its riichi is not paid for."""
        if _REASONS.get(self.result[0]) == "sanchaho":
            return True
        return bool(self.result[0] in _WON and any(win[1] == seat for win in self.result[2::2]))

    def _caller(self, seat: Seat, tile: Tile) -> Seat | None:
        """Return who calls a discard; a pon or kan takes precedence over a chi."""
        found = []
        for other in ((seat + step) % 4 for step in (1, 2, 3)):
            taken = self.takes[other][0] if self.takes[other] else None
            if isinstance(taken, str):
                call = _call(taken, other)
                if (call.source, call.tile) == (seat, tile):
                    found.append((call.kind == "c", other))
        for _, other in sorted(found):
            if self._asked == len(self.guesses):
                self.guesses.append(True)
            self._asked += 1
            if self.guesses[self._asked - 1]:
                return other
        return None

    def _take(self, seat: Seat) -> bool:
        """Carry out a call, and return whether the seat draws next."""
        call = _call(str(self.takes[seat].pop(0)), seat)
        fields = {"type": _CALLS[call.kind], "actor": seat, "target": call.source, "pai": call.tile}
        self.events.append(fields | {"consumed": list(call.others)})
        if call.kind != "m":
            return False
        if self.drops[seat] and self.drops[seat][0] == 0:
            self.drops[seat].pop(0)
        self._pending += 1
        return True

    # ---- the end

    def finish(self) -> list[Fields]:
        """Return the events with the result of the round, which is left open where it is not known."""
        kind, *rest = self.result
        if kind == _UNKNOWN:
            return self.events
        if kind in _WON:
            self.events += self._wins(rest)
        elif kind in _REASONS:
            deltas = rest[0] if rest and isinstance(rest[0], list) else [0, 0, 0, 0]
            fields = {"type": "ryukyoku", "reason": _REASONS[kind], "deltas": deltas}
            if _REASONS[kind] == "fanpai" and (any(deltas) or kind in {ALL_TENPAI, NOBODY_TENPAI}):
                fields["tenpais"] = [kind == ALL_TENPAI or change > 0 for change in deltas]
            self.events.append(fields)
        else:
            encoding = " (the text is not in UTF-8: save it in that)" if "\ufffd" in str(kind) else ""
            raise ValueError(f"unknown result {kind!r}{encoding}")
        return [*self.events, {"type": "end_kyoku"}]

    def _wins(self, rest: Sequence[Any]) -> Iterator[Fields]:
        for deltas, details in zip(rest[::2], rest[1::2], strict=True):
            seat, source, liable, value, *yaku = details
            ura = [tile_of(tile) for tile in self.ura] if seat in self._riichi else []
            fields = {"type": "hora", "actor": seat, "target": source, "pai": self._last, "deltas": deltas}
            fields |= {"ura_markers": ura, "yaku_names": yaku, **_value(value)}
            yield fields if liable in {seat, source} else fields | {"pao": liable}


def _value(text: str) -> Fields:
    """Parse the value of a hand: ``30符4飜7700点``, ``満貫2000-4000点``, ``満貫4000点∀``."""
    match = _VALUE.fullmatch(text)
    if match is None:
        return {}
    fu, han, first, second, from_all = match.groups()
    points = int(first) * 3 if from_all else int(first)
    if second:
        points = 2 * int(first) + int(second)
    fields = {"fu": int(fu) if fu else None, "han": int(han) if han else None, "hora_points": points}
    return {key: number for key, number in fields.items() if number is not None}
