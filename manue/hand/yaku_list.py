"""The list of yaku: the bit of each in the masks of ``manue.hand.yaku``, its name and its value."""

from dataclasses import dataclass

YAKUMAN_FROM = 32
"""Yaku below this number count han; those from it on are yakuman."""


@dataclass(frozen=True, slots=True)
class Yaku:
    """One row of the rule book.

    Parameters
    ----------
    bit : int
        Its place in the masks of this module.
    name : str
        What players call it.
    meaning : str
        The definition in plain English.
    closed, open_ : int
        Han in a closed and in an open hand (0: not available); for yakuman the number of yakuman.
    doubled : bool
        Counts twice where the rules have double yakuman.
    """

    bit: int
    name: str
    meaning: str
    closed: int
    open_: int
    doubled: bool = False


MENZEN_TSUMO, RIICHI, DOUBLE_RIICHI, IPPATSU, CHANKAN, RINSHAN, HAITEI, HOUTEI, RENHOU = range(9)
PINFU, TANYAO, IIPEIKOU, SEAT_WIND, ROUND_WIND, HAKU, HATSU, CHUN = range(9, 17)
CHANTA, ITTSU, SANSHOKU, SANSHOKU_DOUKOU, SANKANTSU, TOITOI, SANANKOU, SHOUSANGEN = range(17, 25)
HONROUTOU, CHIITOITSU, JUNCHAN, HONITSU, RYANPEIKOU, CHINITSU = range(25, 31)
TENHOU_WIN, CHIIHOU, DAISANGEN, SUUANKOU, SUUANKOU_TANKI, TSUUIISOU, RYUUIISOU, CHINROUTOU = range(32, 40)
CHUUREN, CHUUREN_PURE, KOKUSHI, KOKUSHI_13, DAISUUSHII, SHOUSUUSHII, SUUKANTSU = range(40, 47)

YAKU: tuple[Yaku, ...] = (
    Yaku(MENZEN_TSUMO, "menzen tsumo", "self-draw with a closed hand", 1, 0),
    Yaku(RIICHI, "riichi", "declared ready with a closed hand", 1, 0),
    Yaku(DOUBLE_RIICHI, "double riichi", "riichi with the first discard", 2, 0),
    Yaku(IPPATSU, "ippatsu", "win within one turn of riichi", 1, 0),
    Yaku(CHANKAN, "chankan", "robbing a kan", 1, 1),
    Yaku(RINSHAN, "rinshan", "win on the replacement tile of a kan", 1, 1),
    Yaku(HAITEI, "haitei", "self-draw of the last tile", 1, 1),
    Yaku(HOUTEI, "houtei", "win on the last discard", 1, 1),
    Yaku(RENHOU, "renhou", "win on a discard before one's first draw", 5, 0),
    Yaku(PINFU, "pinfu", "four runs, valueless pair, two-sided wait", 1, 0),
    Yaku(TANYAO, "tanyao", "no terminals or honors", 1, 1),
    Yaku(IIPEIKOU, "iipeikou", "two identical runs", 1, 0),
    Yaku(SEAT_WIND, "seat wind", "triplet of the seat's wind", 1, 1),
    Yaku(ROUND_WIND, "round wind", "triplet of the round's wind", 1, 1),
    Yaku(HAKU, "haku", "triplet of white dragons", 1, 1),
    Yaku(HATSU, "hatsu", "triplet of green dragons", 1, 1),
    Yaku(CHUN, "chun", "triplet of red dragons", 1, 1),
    Yaku(CHANTA, "chanta", "a terminal or honor in every set and the pair", 2, 1),
    Yaku(ITTSU, "ittsu", "123 456 789 of one suit", 2, 1),
    Yaku(SANSHOKU, "sanshoku doujun", "the same run in all three suits", 2, 1),
    Yaku(SANSHOKU_DOUKOU, "sanshoku doukou", "the same triplet in all three suits", 2, 2),
    Yaku(SANKANTSU, "sankantsu", "three kans", 2, 2),
    Yaku(TOITOI, "toitoi", "four triplets", 2, 2),
    Yaku(SANANKOU, "sanankou", "three concealed triplets", 2, 2),
    Yaku(SHOUSANGEN, "shousangen", "two triplets and a pair of dragons", 2, 2),
    Yaku(HONROUTOU, "honroutou", "terminals and honors only", 2, 2),
    Yaku(CHIITOITSU, "chiitoitsu", "seven pairs", 2, 0),
    Yaku(JUNCHAN, "junchan", "a terminal in every set and the pair", 3, 2),
    Yaku(HONITSU, "honitsu", "one suit and honors", 3, 2),
    Yaku(RYANPEIKOU, "ryanpeikou", "two pairs of identical runs", 3, 0),
    Yaku(CHINITSU, "chinitsu", "one suit only", 6, 5),
    Yaku(TENHOU_WIN, "tenhou", "the dealer's first draw completes the hand", 1, 0),
    Yaku(CHIIHOU, "chiihou", "a non-dealer's first draw completes the hand", 1, 0),
    Yaku(DAISANGEN, "daisangen", "triplets of all three dragons", 1, 1),
    Yaku(SUUANKOU, "suuankou", "four concealed triplets", 1, 0),
    Yaku(SUUANKOU_TANKI, "suuankou tanki", "four concealed triplets, wait on the pair", 1, 0, doubled=True),
    Yaku(TSUUIISOU, "tsuuiisou", "honors only", 1, 1),
    Yaku(RYUUIISOU, "ryuuiisou", "green tiles only", 1, 1),
    Yaku(CHINROUTOU, "chinroutou", "terminals only", 1, 1),
    Yaku(CHUUREN, "chuuren poutou", "nine gates: 1112345678999 and one more of a suit", 1, 0),
    Yaku(CHUUREN_PURE, "junsei chuuren poutou", "nine gates waiting on all nine", 1, 0, doubled=True),
    Yaku(KOKUSHI, "kokushi musou", "thirteen orphans", 1, 0),
    Yaku(KOKUSHI_13, "kokushi musou 13-wait", "thirteen orphans waiting on all thirteen", 1, 0, doubled=True),
    Yaku(DAISUUSHII, "daisuushii", "triplets of all four winds", 1, 1, doubled=True),
    Yaku(SHOUSUUSHII, "shousuushii", "three triplets and a pair of winds", 1, 1),
    Yaku(SUUKANTSU, "suukantsu", "four kans", 1, 1),
)  # fmt: skip
"""Every yaku in the order of its bit."""

BY_BIT: dict[int, Yaku] = {yaku.bit: yaku for yaku in YAKU}


def names_of(found: int, *, closed: bool, doubled: bool) -> list[tuple[str, int]]:
    """Return the yaku of a mask with their han; with a yakuman, ordinary yaku are left out.

    A yakuman has 13 han, one that counts twice 26 where ``doubled``.
    """
    yakuman = found >> YAKUMAN_FROM << YAKUMAN_FROM
    rest = yakuman or found
    names = []
    while rest:
        lowest = rest & -rest
        rest ^= lowest
        yaku = BY_BIT[lowest.bit_length() - 1]
        single = 13 * (1 + (doubled and yaku.doubled))
        names.append((yaku.name, single if yakuman else yaku.closed if closed else yaku.open_))
    return names
