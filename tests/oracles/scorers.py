"""How two published libraries, `mahjong` and riichienv, score a win."""

from dataclasses import dataclass

import riichienv
from mahjong.constants import EAST, NORTH, SOUTH, WEST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld as LibraryMeld

from manue.tiles import KIND_OF, RED_OF
from tests.oracles.recorded_wins import TENHOU_NUMBERS
from tests.oracles.situations import Situation


@dataclass
class Verdict:
    """The answer of a library; for a hand without yaku the adapters return ``None`` instead."""

    han: int
    fu: int
    ron: int
    tsumo_dealer: int
    tsumo_other: int
    yaku: set[str]


class _Ids:
    """Assigns tile numbers 0..135: the red five is the first copy of its kind."""

    def __init__(self) -> None:
        self.free = {kind: [4 * kind + i for i in range(4)] for kind in range(34)}

    def take(self, tile: str) -> int:
        kind = KIND_OF[tile]
        if len(tile) == 3:
            number = 4 * kind
        else:
            number = next(i for i in self.free[kind] if kind not in RED_OF or i % 4)
        self.free[kind].remove(number)
        return number

    @staticmethod
    def indicator(tile: str) -> int:
        return 4 * KIND_OF[tile] + 3


_LIBRARY_WINDS = {"E": EAST, "S": SOUTH, "W": WEST, "N": NORTH}
_LIBRARY_NAMES = {
    "Menzen Tsumo": "menzen tsumo", "Riichi": "riichi", "Double Riichi": "double riichi",
    "Ippatsu": "ippatsu", "Chankan": "chankan", "Rinshan Kaihou": "rinshan",
    "Haitei Raoyue": "haitei", "Houtei Raoyui": "houtei",
    "Renhou": "renhou", "Pinfu": "pinfu", "Tanyao": "tanyao", "Iipeiko": "iipeikou", "Chantai": "chanta",
    "Yakuhai (haku)": "haku", "Yakuhai (hatsu)": "hatsu", "Yakuhai (chun)": "chun", "Ittsu": "ittsu",
    "Sanshoku Doujun": "sanshoku doujun", "Sanshoku Doukou": "sanshoku doukou", "San Kantsu": "sankantsu",
    "Toitoi": "toitoi", "San Ankou": "sanankou", "Shou Sangen": "shousangen", "Honroutou": "honroutou",
    "Chiitoitsu": "chiitoitsu", "Junchan": "junchan", "Honitsu": "honitsu", "Ryanpeikou": "ryanpeikou",
    "Chinitsu": "chinitsu", "Tenhou": "tenhou", "Chiihou": "chiihou", "Daisangen": "daisangen",
    "Suu Ankou": "suuankou", "Suu Ankou Tanki": "suuankou tanki", "Tsuu Iisou": "tsuuiisou",
    "Ryuuiisou": "ryuuiisou", "Chinroutou": "chinroutou", "Chuuren Poutou": "chuuren poutou",
    "Daburu Chuuren Poutou": "junsei chuuren poutou", "Kokushi Musou": "kokushi musou",
    "Kokushi Musou Juusanmen Matchi": "kokushi musou 13-wait", "Dai Suushii": "daisuushii",
    "Shousuushii": "shousuushii", "Suu Kantsu": "suukantsu", "Dora": "dora", "Aka Dora": "red dora",
    "Ura Dora": "ura dora",
}  # fmt: skip
_LIBRARY_NAMES |= {f"Yakuhai (seat wind {w})": "seat wind" for w in ("east", "south", "west", "north")}
_LIBRARY_NAMES |= {f"Yakuhai (round wind {w})": "round wind" for w in ("east", "south", "west", "north")}


def ask_mahjong(case: Situation, *, doubled: bool = False) -> Verdict | None:
    """Ask the library `mahjong`, with its options set to Tenhou's rules."""
    ids, c = _Ids(), case.circumstances
    closed = [ids.take(tile) for tile in case.closed]
    win = closed[case.closed.index(case.win_tile)]
    melds, tiles = [], list(closed)
    for meld in case.melds:
        numbers = [ids.take(tile) for tile in meld.tiles]
        tiles += numbers
        kind = {"chi": LibraryMeld.CHI, "pon": LibraryMeld.PON, "kakan": LibraryMeld.SHOUMINKAN}.get(
            meld.kind, LibraryMeld.KAN
        )
        melds.append(LibraryMeld(kind, numbers, opened=meld.is_open))
    first = bool(c.get("first_turn"))
    config = HandConfig(
        is_tsumo=c["tsumo"], is_riichi=bool(c.get("riichi")), is_daburu_riichi=bool(c.get("double_riichi")),
        is_ippatsu=bool(c.get("ippatsu")), is_rinshan=bool(c.get("rinshan")),
        is_chankan=bool(c.get("chankan")),
        is_haitei=bool(c.get("haitei")), is_houtei=bool(c.get("houtei")),
        is_tenhou=first and c["tsumo"] and c["seat_wind"] == "E",
        is_chiihou=first and c["tsumo"] and c["seat_wind"] != "E",
        player_wind=_LIBRARY_WINDS[c["seat_wind"]], round_wind=_LIBRARY_WINDS[c["round_wind"]],
        tsumi_number=c["honba"],
        options=OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=doubled),
    )  # fmt: skip
    ura = [ids.indicator(t) for t in c["ura_indicators"]] if c.get("riichi") else None
    answer = HandCalculator.estimate_hand_value(
        tiles, win, melds, [ids.indicator(t) for t in c["dora_indicators"]], config, ura_dora_indicators=ura
    )
    if answer.error:
        assert answer.error == HandCalculator.ERR_NO_YAKU, (answer.error, case)
        return None
    cost = answer.cost
    main, other = cost["main"] + cost["main_bonus"], cost["additional"] + cost["additional_bonus"]
    tsumo, dealer = c["tsumo"], c["seat_wind"] == "E"
    return Verdict(
        answer.han, answer.fu, 0 if tsumo else main, main if tsumo and not dealer else 0,
        (main if dealer else other) if tsumo else 0, {_LIBRARY_NAMES[y.name] for y in answer.yaku},
    )  # fmt: skip


_TENHOU_NUMBER = {yaku.id: yaku.tenhou_id for yaku in riichienv.get_all_yaku()}


def ask_riichienv(case: Situation) -> Verdict | None:
    """Ask riichienv's evaluator: it always counts double yakuman and expects 13 tiles."""
    ids, c = _Ids(), case.circumstances
    closed = [ids.take(tile) for tile in case.closed]
    win = closed.pop(case.closed.index(case.win_tile))
    kinds = {
        "chi": riichienv.MeldType.Chi, "pon": riichienv.MeldType.Pon, "ankan": riichienv.MeldType.Ankan,
        "kakan": riichienv.MeldType.Kakan, "daiminkan": riichienv.MeldType.Daiminkan,
    }  # fmt: skip
    melds = [riichienv.Meld(kinds[m.kind], [ids.take(t) for t in m.tiles], m.is_open) for m in case.melds]
    names = ("tsumo", "riichi", "double_riichi", "ippatsu", "haitei", "houtei", "rinshan", "chankan")
    conditions = riichienv.Conditions(
        **{name: bool(c.get(name)) for name in names},
        tsumo_first_turn=bool(c.get("first_turn")),
        player_wind="ESWN".index(c["seat_wind"]), round_wind="ESWN".index(c["round_wind"]), honba=c["honba"],
    )  # fmt: skip
    ura = [ids.indicator(t) for t in c["ura_indicators"]] if c.get("riichi") else []
    result = riichienv.HandEvaluator(closed, melds).calc(
        win, [ids.indicator(t) for t in c["dora_indicators"]], conditions, ura
    )
    if not result.is_win:
        assert result.has_win_shape, case
        return None
    yaku = {TENHOU_NUMBERS[_TENHOU_NUMBER[i]] for i in result.yaku}
    return Verdict(
        result.han, result.fu, result.ron_agari, result.tsumo_agari_oya, result.tsumo_agari_ko, yaku
    )
