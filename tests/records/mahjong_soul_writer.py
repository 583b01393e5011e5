"""Mjai games written as Mahjong Soul records them, for tests of the reader: nothing of it is used here.

The shapes are those of the scripts that people save records with: the protocol's messages as JSON, where what
is 0, false or empty is left out.
"""

from manue.records.tenhou_yaku import yaku_of

TENHOU_TO_SOUL = {
    0: 1, 1: 2, 2: 30, 3: 3, 4: 4, 5: 5, 6: 6, 7: 14, 8: 12, 9: 13, 18: 7, 19: 8, 20: 9, 21: 18, 22: 25,
    23: 15, 24: 16, 25: 17, 26: 19, 27: 20, 28: 21, 29: 22, 30: 23, 31: 24, 32: 28, 33: 26, 34: 27,
    35: 29, 37: 35, 38: 36, 39: 37, 40: 38, 41: 48, 42: 39, 43: 40, 44: 41, 45: 45, 46: 47, 47: 42,
    48: 49, 49: 50, 50: 43, 51: 44, 52: 31, 53: 33, 54: 32,
}  # fmt: skip
LIUJU = {"kyushukyuhai": 1, "suufonrenta": 2, "suukaikan": 3, "suuchariichi": 4, "sanchaho": 5}


def name_of(tile):
    if tile in "ESWNPFC":
        return f"{'ESWNPFC'.index(tile) + 1}z"
    return f"0{tile[1]}" if tile.endswith("r") else tile


def fan_of(yaku):
    """Return Mahjong Soul's number of a yaku: one for every seat wind, one for every round wind."""
    if 10 <= yaku < 18:
        return 10 if yaku < 14 else 11
    return TENHOU_TO_SOUL[yaku]


def names_of(tiles):
    return [name_of(tile) for tile in tiles]


def without_defaults(value):
    """Leave out what is 0, false or empty, as the protocol does, but for numbers in lists."""
    if isinstance(value, dict):
        kept = {key: without_defaults(part) for key, part in value.items()}
        return {key: part for key, part in kept.items() if part not in (0, False, "", [], None)}
    return [without_defaults(part) for part in value] if isinstance(value, list) else value


def camel_case(value):
    if isinstance(value, list):
        return [camel_case(part) for part in value]
    if not isinstance(value, dict):
        return value
    heads = ((key.split("_"), part) for key, part in value.items())
    return {first + "".join(map(str.title, more)): camel_case(part) for (first, *more), part in heads}


class Scribe:
    """Writes the records of one game from the fields of `manue.records.completed`."""

    def __init__(self, events):
        self.records = []
        self.head = {"uuid": "261122-made-up"}
        for at, event in enumerate(events):
            self.after = events[at + 1 : at + 5]
            getattr(self, event["type"], lambda _: None)(event)

    def add(self, name, **data):
        if name not in {"NewRound", "Hule"} and self.doras_due:
            data["doras"], self.doras_due = list(self.doras), False
        self.records.append((name, data))

    def start_game(self, event):
        accounts = [{"seat": seat, "nickname": name} for seat, name in enumerate(event["names"])]
        self.head["accounts"] = accounts
        self.head["config"] = {"mode": {"mode": 1 if event.get("kyoku_first") == 4 else 2}}

    def end_game(self, event):
        players = [{"seat": seat, "part_point_1": points} for seat, points in enumerate(event["scores"])]
        self.head["result"] = {"players": sorted(players, key=lambda player: -player["part_point_1"])}

    def start_kyoku(self, event):
        self.start, self.first = event, True
        self.doras, self.doras_due = [name_of(event["dora_marker"])], False
        self.liqi = None
        self.riichi = set()
        self.scores = list(event["scores"])
        self.sticks = event["kyotaku"]

    def tsumo(self, event):
        if not self.first:
            self.add("DealTile", seat=event["actor"], tile=name_of(event["pai"]), liqi=self.liqi)
            self.liqi = None
            return
        self.first = False
        hands = [names_of(hand) for hand in self.start["tehais"]]
        hands[event["actor"]].append(name_of(event["pai"]))
        tiles = {f"tiles{seat}": hand for seat, hand in enumerate(hands)}
        start = self.start
        counts = {"chang": "ESWN".index(start["bakaze"]), "ju": start["oya"], "ben": start["honba"]}
        self.add(
            "NewRound",
            **counts,
            scores=start["scores"],
            liqibang=start["kyotaku"],
            doras=list(self.doras),
            **tiles,
        )
        self.opening = True

    def reach(self, _event):
        self.declares = True

    def reach_accepted(self, event):
        self.riichi.add(event["actor"])
        self.sticks += 1
        self.liqi = {
            "seat": event["actor"],
            "liqibang": self.sticks,
            "score": event["scores"][event["actor"]],
        }

    def dahai(self, event):
        declares, self.declares = getattr(self, "declares", False), False
        as_drawn = event["tsumogiri"] and not self.opening
        self.opening = False
        seat, tile = event["actor"], name_of(event["pai"])
        self.add("DiscardTile", seat=seat, tile=tile, moqie=as_drawn, is_liqi=declares, is_wliqi=False)

    def taken(self, number, event):
        tiles, froms = names_of([*event["consumed"], event["pai"]]), [event["actor"]] * len(event["consumed"])
        froms.append(event["target"])
        self.add("ChiPengGang", seat=event["actor"], type=number, tiles=tiles, froms=froms, liqi=self.liqi)
        self.liqi, self.opening = None, False

    def chi(self, event):
        self.taken(0, event)

    def pon(self, event):
        self.taken(1, event)

    def daiminkan(self, event):
        self.taken(2, event)

    def ankan(self, event):
        self.add("AnGangAddGang", seat=event["actor"], type=3, tiles=name_of(event["consumed"][-1]))
        self.opening = False

    def kakan(self, event):
        self.add("AnGangAddGang", seat=event["actor"], type=2, tiles=name_of(event["pai"]))

    def dora(self, event):
        """An indicator is in the record that follows: the draw after a closed kan, else the discard."""
        self.doras.append(name_of(event["dora_marker"]))
        self.doras_due = True

    def hora(self, event):
        seat, points = event["actor"], event["hora_points"]
        tsumo, dealer = event["target"] == seat, self.start["oya"]
        yaku = yaku_of(event)
        yakuman = any(37 <= number < 52 for number, _ in yaku)
        fans = [{"id": fan_of(number), "val": han // 13 if yakuman else han} for number, han in yaku]
        paid = [-change - 100 * event["honba"] for change in event["deltas"]]
        others = [paid[other] for other in range(4) if other not in {seat, dealer}]
        if "pao" in event:  # the share of everybody is recorded, whoever pays it
            share = points // (3 if seat == dealer else 4)
            others, paid = [share], [2 * share] * 4
        win = {
            "hand": names_of(event.get("hora_tehais") or ()),
            "ming": [],
            "baopai": event.get("pao", -1) + 1,
            "seat": seat,
            "hu_tile": name_of(event["pai"]),
            "zimo": tsumo,
            "qinjia": seat == dealer,
            "liqi": seat in self.riichi,
            "doras": list(self.doras),
            "li_doras": names_of(event["ura_markers"]),
            "yiman": yakuman,
            "count": event["han"] // 13 if yakuman else event["han"],
            "fans": fans,
            "fu": event["fu"],
            "point_rong": 0 if tsumo else points,
            "point_zimo_xian": others[0] if tsumo else 0,
            "point_zimo_qin": paid[dealer] if tsumo and seat != dealer else 0,
        }
        deltas = event["deltas"]
        if self.records[-1][0] == "Hule":
            data = self.records[-1][1]
            data["hules"].append(win)
            data["delta_scores"] = [a + b for a, b in zip(data["delta_scores"], deltas, strict=True)]
        else:
            self.add("Hule", hules=[win], delta_scores=deltas)

    def ryukyoku(self, event):
        if event["reason"] in LIUJU:
            self.add("LiuJu", type=LIUJU[event["reason"]], liqi=self.liqi)
            return
        deltas = event["deltas"] if any(event["deltas"]) else []
        players = [{"tingpai": tenpai} for tenpai in event.get("tenpais") or ()]
        nagashi = event["reason"] == "nagashimangan"
        self.add("NoTile", liujumanguan=nagashi, players=players, scores=[{"delta_scores": deltas}])


def written(events, shape="actions"):
    """Return a game as a JSON value: in the shape of the browser scripts (``actions``, before 2021
    ``records``), with all fields in camel case (``camel``), or as the records alone (``bare``)."""
    scribe = Scribe(list(events))
    records = [{"name": f".lq.Record{name}", "data": data} for name, data in scribe.records]
    if shape == "bare":
        return records
    if shape == "camel":
        return camel_case({"head": scribe.head, "data": records})
    records = without_defaults(records)
    if shape == "records":
        details = {"records": records}
    else:
        moves = [{"passed": 7 * at, "type": 1, "result": record} for at, record in enumerate(records)]
        inputs = [
            {"passed": 3, "type": 2, "user_input": {"seat": 1, "type": 2}},
            {"type": 3, "user_event": {}},
        ]
        details = {"version": 210715, "actions": [*moves[:5], *inputs, *moves[5:]]}
    return {"head": without_defaults(scribe.head), "data": {"name": ".lq.GameDetailRecords", "data": details}}
