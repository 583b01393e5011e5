"""Mjai events written in Tenhou's two formats, from their descriptions, to be read back."""

import json
from urllib.parse import quote

from manue.tiles import KIND_OF, KINDS

XML_REASONS = {
    "fanpai": None, "kyushukyuhai": "yao9", "suufonrenta": "kaze4", "suuchariichi": "reach4",
    "sanchaho": "ron3", "suukaikan": "kan4", "nagashimangan": "nm",
}  # fmt: skip
JSON_REASONS = {
    "fanpai": "流局", "kyushukyuhai": "九種九牌", "suufonrenta": "四風連打", "suuchariichi": "四家立直",
    "sanchaho": "三家和了", "suukaikan": "四槓散了", "nagashimangan": "流し満貫",
}  # fmt: skip


class Copies:
    """Physical numbers 0..135 for tiles as they appear."""

    def __init__(self):
        self.free = {}
        for kind, tile in enumerate(KINDS):
            numbers = list(range(4 * kind, 4 * kind + 4))
            if tile[0] == "5":
                self.free[f"{tile}r"] = [numbers.pop(0)]
            self.free[tile] = numbers

    def __call__(self, tile):
        return self.free[tile].pop(0)


def joined(numbers):
    return ",".join(str(number) for number in numbers)


class MjlogWriter:
    """Writes one game as XML."""

    def __init__(self):
        self.parts = ['<mjloggm ver="2.3"><SHUFFLE seed="" ref=""/><GO type="169" lobby="0"/>']

    def write(self, events):
        for event in events:
            getattr(self, event["type"])(event)
        return "".join(self.parts) + "</mjloggm>"

    def put(self, tag, **values):
        text = "".join(f' {key}="{value}"' for key, value in values.items() if value is not None)
        self.parts.append(f"<{tag}{text}/>")

    def start_game(self, event):
        self.put("UN", **{f"n{seat}": quote(name) for seat, name in enumerate(event["names"])})
        self.put("TAIKYOKU", oya=0)

    def start_kyoku(self, event):
        self.copy = Copies()
        self.hands = [[self.copy(tile) for tile in hand] for hand in event["tehais"]]
        self.names = {
            number: tile
            for hand, tiles in zip(self.hands, event["tehais"], strict=True)
            for number, tile in zip(hand, tiles, strict=True)
        }
        self.drawn, self.pons = [None] * 4, {}
        number = "ESWN".index(event["bakaze"]) * 4 + event["kyoku"] - 1
        indicator = self.copy(event["dora_marker"])
        hands = {f"hai{seat}": joined(hand) for seat, hand in enumerate(self.hands)}
        seed = joined([number, event["honba"], event["kyotaku"], 3, 4, indicator])
        self.put("INIT", seed=seed, ten=joined(s // 100 for s in event["scores"]), oya=event["oya"], **hands)

    def tsumo(self, event):
        number = self.copy(event["pai"])
        self.names[number] = event["pai"]
        self.hands[event["actor"]].append(number)
        self.drawn[event["actor"]] = number
        self.last = number
        self.parts.append(f"<{'TUVW'[event['actor']]}{number}/>")

    def take(self, seat, tile, *, keep=None):
        number = next(n for n in self.hands[seat] if self.names[n] == tile and n != keep)
        self.hands[seat].remove(number)
        return number

    def dahai(self, event):
        seat = event["actor"]
        if event["tsumogiri"]:
            self.hands[seat].remove(self.drawn[seat])
            self.last = self.drawn[seat]
        else:
            self.last = self.take(seat, event["pai"], keep=self.drawn[seat])
        self.parts.append(f"<{'DEFG'[seat]}{self.last}/>")

    def call(self, seat, code, source):
        self.put("N", who=seat, m=code | (source - seat) % 4)

    def chi(self, event):
        own = [self.take(event["actor"], tile) for tile in event["consumed"]]
        tiles = sorted([*own, self.last])
        first = tiles[0] // 4
        base = first // 9 * 7 + first % 9
        offsets = sum((tile % 4) << (3 + 2 * n) for n, tile in enumerate(tiles))
        code = (base * 3 + tiles.index(self.last)) << 10 | offsets | 4
        self.call(event["actor"], code, event["target"])
        self.drawn[event["actor"]] = None

    def pon(self, event):
        own = [self.take(event["actor"], tile) for tile in event["consumed"]]
        tiles = sorted([*own, self.last])
        kind = tiles[0] // 4
        spare = next(n for n in range(4) if 4 * kind + n not in tiles)
        code = (kind * 3 + tiles.index(self.last)) << 9 | spare << 5
        self.pons[event["actor"], kind] = code, event["target"]
        self.call(event["actor"], code | 8, event["target"])
        self.drawn[event["actor"]] = None

    def kakan(self, event):
        self.last = self.take(event["actor"], event["pai"])
        code, source = self.pons[event["actor"], self.last // 4]
        self.call(event["actor"], code | 16, source)

    def daiminkan(self, event):
        for tile in event["consumed"]:
            self.take(event["actor"], tile)
        self.call(event["actor"], self.last << 8, event["target"])

    def ankan(self, event):
        numbers = [self.take(event["actor"], tile) for tile in event["consumed"]]
        self.call(event["actor"], numbers[0] << 8, event["actor"])

    def dora(self, event):
        self.put("DORA", hai=self.copy(event["dora_marker"]))

    def reach(self, event):
        self.put("REACH", who=event["actor"], step=1)

    def reach_accepted(self, event):
        self.put("REACH", who=event["actor"], ten=joined(s // 100 for s in event["scores"]), step=2)

    @staticmethod
    def changes(event):
        pairs = zip(event["scores"], event["deltas"], strict=True)
        return joined(number // 100 for score, delta in pairs for number in (score - delta, delta))

    def hora(self, event):
        seat = event["actor"]
        hand = self.hands[seat] if event["target"] == seat else [*self.hands[seat], self.last]
        pairs = list(zip(event.get("yaku_ids", ()), event.get("yaku_han", ()), strict=True))
        pairs = pairs or [(52, event.get("han") or 0)]  # some records name their yaku without numbers
        top = event.get("limit") == 5
        self.put(
            "AGARI", ba="0,0", hai=joined(sorted(hand)), machi=self.last,
            ten=joined([event.get("fu") or 0, event["hora_points"], event.get("limit", 0)]),
            yaku=None if top else joined(number for pair in pairs for number in pair),
            yakuman=joined(number for number, _ in pairs) if top else None,
            doraHaiUra=joined(map(self.ura, event["ura_markers"])) or None,
            who=seat, fromWho=event["target"], paoWho=event.get("pao"), sc=self.changes(event),
        )  # fmt: skip

    @staticmethod
    def ura(tile):
        """Any number of the kind: two winners see the same tiles."""
        return 4 * KIND_OF[tile] + (len(tile) != 3)

    def ryukyoku(self, event):
        tenpai = event.get("tenpais") or [False] * 4
        hands = {f"hai{seat}": joined(self.hands[seat]) for seat in range(4) if tenpai[seat]}
        self.put("RYUUKYOKU", type=XML_REASONS[event["reason"]], ba="0,0", sc=self.changes(event), **hands)

    def end_kyoku(self, event):
        pass

    def end_game(self, event):
        last = next(n for n in range(len(self.parts) - 1, 0, -1) if self.parts[n][:4] in ("<AGA", "<RYU"))
        owari = joined(x for score in event["scores"] for x in (score // 100, "0.0"))
        self.parts[last] = self.parts[last].replace("/>", f' owari="{owari}"/>')


def number_of(tile):
    if len(tile) == 3:
        return 51 + "mps".index(tile[1])
    if len(tile) == 1:
        return 41 + "ESWNPFC".index(tile)
    return 10 * ("mps".index(tile[1]) + 1) + int(tile[0])


def placed(letter, tile, own, actor, source):
    """Return the string of a call; the letter and the called tile are placed by whom it was called from."""
    parts = [str(number_of(t)) for t in own]
    place = {3: 0, 2: 1, 1: len(parts)}[(source - actor) % 4]
    parts.insert(place, f"{letter}{number_of(tile)}")
    return "".join(parts)


class JsonWriter:
    """Writes one game as Tenhou's JSON."""

    def write(self, events):
        self.log = []
        for event in events:
            getattr(self, event["type"], lambda _: None)(event)
        value = {
            "title": ["", ""],
            "name": self.names,
            "rule": {"disp": "般南喰赤", "aka": 1},
            "log": self.log,
        }
        return json.dumps(value, ensure_ascii=False)

    def start_game(self, event):
        self.names = event["names"]

    def start_kyoku(self, event):
        number = "ESWN".index(event["bakaze"]) * 4 + event["kyoku"] - 1
        self.head = [[number, event["honba"], event["kyotaku"]], event["scores"]]
        self.indicators, self.ura = [number_of(event["dora_marker"])], []
        self.hands = [[number_of(tile) for tile in hand] for hand in event["tehais"]]
        self.takes, self.drops = [[], [], [], []], [[], [], [], []]
        self.riichi, self.pons, self.result = False, {}, []

    def tsumo(self, event):
        self.takes[event["actor"]].append(number_of(event["pai"]))

    def reach(self, event):
        self.riichi = True

    def dahai(self, event):
        number = 60 if event["tsumogiri"] else number_of(event["pai"])
        self.drops[event["actor"]].append(f"r{number}" if self.riichi else number)
        self.riichi = False

    def chi(self, event):
        self.takes[event["actor"]].append(
            placed("c", event["pai"], event["consumed"], event["actor"], event["target"])
        )

    def pon(self, event):
        seat = event["actor"]
        self.pons[seat, KIND_OF[event["pai"]]] = event
        self.takes[seat].append(placed("p", event["pai"], event["consumed"], seat, event["target"]))

    def daiminkan(self, event):
        seat = event["actor"]
        self.takes[seat].append(placed("m", event["pai"], event["consumed"], seat, event["target"]))
        self.drops[seat].append(0)

    def ankan(self, event):
        *own, last = [number_of(tile) for tile in event["consumed"]]
        self.drops[event["actor"]].append("".join(map(str, own)) + f"a{last}")

    def kakan(self, event):
        pon = self.pons[event["actor"], KIND_OF[event["pai"]]]
        three = [pon["pai"], *pon["consumed"]]
        place = {3: 0, 2: 1, 1: 2}[(pon["target"] - event["actor"]) % 4]
        parts = [str(number_of(tile)) for tile in three]
        parts.insert(place, f"k{number_of(event['pai'])}")
        self.drops[event["actor"]].append("".join(parts))

    def dora(self, event):
        self.indicators.append(number_of(event["dora_marker"]))

    def hora(self, event):
        if event["ura_markers"]:
            self.ura = [number_of(tile) for tile in event["ura_markers"]]
        seat = event["actor"]
        known = event.get("fu") and event.get("han")
        value = f"{event['fu']}符{event['han']}飜" if known else "満貫"
        value += f"{event['hora_points']}点"
        details = [seat, event["target"], event.get("pao", seat), value, "立直(1飜)"]
        self.result = [*(self.result or ["和了"]), event["deltas"], details]

    def ryukyoku(self, event):
        self.result = [JSON_REASONS[event["reason"]], event["deltas"]]

    def end_kyoku(self, event):
        seats = [part for seat in range(4) for part in (self.hands[seat], self.takes[seat], self.drops[seat])]
        self.log.append([*self.head, self.indicators, self.ura, *seats, self.result])
