"""What players call the facts behind a danger: the danger columns in groups, and the word for their values.

A model's contributions are given by column; players think in suji, walls, calls and the like, each of which
is several columns. The contributions of a group's columns add up to that of the group. `word_of` chooses by
the values what a player would say; the texts are in `manue.language`, under ``reason.``.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from manue.arrays import F32, F64
from manue.features.danger_columns import ROW_FEATURES
from manue.features.feature import numbered
from manue.features.kind_columns import LONG_AGO, NEVER

AT = numbered(ROW_FEATURES)
Word = tuple[str, int | None]
"""A key below ``reason.`` and the number that its text names, if any."""

GROUPS: dict[str, tuple[str, ...]] = {
    "number": ("number",),
    "yakuhai": ("yakuhai",),
    "unseen": ("unseen",),
    "suji": ("suji", "riichi_suji", "open_sides", "two_sided", "inner_suji_age", "outer_suji_age"),
    "shapes": ("narrow", "combo_share", "combo_rank", "combo_total"),
    "dora": ("dora", "dora_near", "dora_unseen"),
    "outside": ("outside_early",),
    "reading": ("ura_suji", "matagi_suji", "senki_suji", "aida_4_ken"),
    "suit": ("next_discards", "gap_discards", "suit_share", "suit_discards_least"),
    "calls": ("suit_melds", "other_melds", "last_call_distance", "one_suit"),
    "passed": ("passed", "changes_since", "suji_changes_since"),
    "last": ("last_distance", "previous_distance", "last_number"),
    "wall": ("unseen_inner", "unseen_inner_2", "unseen_outer", "unseen_outer_2"),
    "beside": ("inner_age", "inner_2_age", "outer_age", "outer_2_age"),
    "riichi": ("riichi", "riichi_turn", "since_riichi", "ippatsu"),
    "turn": ("turn", "tiles_left"),
    "hand": ("hand_changes", "streak", "since_change"),
    "melds": ("melds", "since_call", "tanyao_melds", "triplet_melds", "yakuhai_melds", "dora_melds"),
    "ruled": ("suji_ruled_out", "safe_kinds"),
    "style": ("honor_discards", "middle_early", "dora_discards"),
    "fight": ("pushes", "folds", "other_riichi", "others_melds"),
    "standing": ("dealer", "score_lead", "round_number", "rounds_left"),
}
"""The danger columns by what players call them."""

LATE, EARLY = 12, 6
"""From which turn on a round is late, and until which it is early."""
LIKELY, UNLIKELY, UNLIKELY_IN_RIICHI = 4, 20, 14
"""Kinds likelier by waiting shapes, up to and from which a wait is called likely or unlikely: in riichi fewer
kinds can win."""
FLUSH, FLUSH_MELDS = 0.85, 2
"""``one_suit`` above which ``FLUSH_MELDS`` melds look like a flush.

Under one discard in seven is then of the called suit. Of strong players whose two melds look so, seven in ten
hold a flush; of those with one meld, fewer than half.
"""

NO_KANS: Mapping[str, int] = MappingProxyType({})


def by_group(contributions: F64) -> dict[str, float]:
    """Add up the contributions of the columns of each group."""
    return {
        group: float(sum(contributions[getattr(AT, name)] for name in names))
        for group, names in GROUPS.items()
    }


def word_of(group: str, row: F32, closed_kans: Mapping[str, int] = NO_KANS) -> Word:
    """Return what a player would call the values of a group's columns in a row of `ROW_FEATURES`.

    ``closed_kans`` says how many of the melds that a column counts are closed kans, which are not calls.
    """
    return _WORDS[group](lambda name: int(row[getattr(AT, name)]) - closed_kans.get(name, 0), row)


_Read = Callable[[str], int]


def _number(read: _Read, _row: F32) -> Word:
    number = read("number")
    return ("number.honor", None) if number == 0 else (f"number.{number}", None)


def _yakuhai(read: _Read, _row: F32) -> Word:
    if read("number"):
        return "yakuhai.number", None
    return ("yakuhai.yes" if read("yakuhai") else "yakuhai.no"), None


def _suji(read: _Read, _row: F32) -> Word:
    number = read("number")
    if number == 0:
        return "number.honor", None
    if read("riichi_suji") and read("suji"):
        return "suji.riichi", None
    if read("suji") == 2:
        return "suji.yes", None
    if read("suji") == 1:
        return "suji.half", None
    return ("suji.wall", None) if read("open_sides") == 0 else (f"suji.no.{number}", None)


def _shapes(read: _Read, _row: F32) -> Word:
    rank, unlikely = read("combo_rank"), UNLIKELY_IN_RIICHI if read("riichi") else UNLIKELY
    return (
        "shapes.likely" if rank <= LIKELY else "shapes.unlikely" if rank >= unlikely else "shapes.some"
    ), None


def _dora(read: _Read, _row: F32) -> Word:
    if read("dora"):
        return "dora.yes", None
    return ("dora.near" if read("dora_near") else "dora.no"), None


def _outside(read: _Read, _row: F32) -> Word:
    return ("outside.yes" if read("outside_early") else "outside.no"), None


def _reading(read: _Read, _row: F32) -> Word:
    for name, key in (
        ("ura_suji", "ura"),
        ("matagi_suji", "matagi"),
        ("senki_suji", "senki"),
        ("aida_4_ken", "aida"),
    ):
        if read(name):
            return f"reading.{key}", None
    return "reading.no", None


def _suit(read: _Read, row: F32) -> Word:
    if read("number") == 0:
        return "suit.honors", read("honor_discards")
    return "suit.share", round(100 * float(row[AT.suit_share]))


def _calls(read: _Read, row: F32) -> Word:
    if read("melds") == 0:
        return "calls.none", None
    if row[AT.one_suit] > FLUSH and row[AT.melds] >= FLUSH_MELDS:
        return "calls.onesuit", None
    count, others = read("suit_melds"), read("other_melds")
    if count:
        return ("calls.suit" if read("number") else "calls.honors"), count
    return ("calls.other", None) if others else ("calls.honors", read("melds"))


def _passed(read: _Read, _row: F32) -> Word:
    if read("passed"):
        return "passed.yes", None
    since = read("changes_since")
    return ("passed.never", None) if since >= LONG_AGO else ("passed.since", since)


def _last(read: _Read, _row: F32) -> Word:
    away = min(read("last_distance"), read("previous_distance"))
    return ("last.near" if away <= 2 else "last.far"), None


def _wall(read: _Read, _row: F32) -> Word:
    """Say how far walls rule out two-sided waits, which 1 to 3 and 7 to 9 have on the inner side only."""
    if read("number") == 0:
        return "number.honor", None
    inner, outer = (min(_copies(read, side), default=4) for side in (_INNER, _OUTER))
    open_side = inner if read("number") < 4 else max(inner, outer)
    if open_side <= 1:
        return ("wall.one" if open_side else "wall.none"), None
    return ("wall.half" if min(inner, outer) <= 1 else "wall.open"), None


_INNER, _OUTER = GROUPS["wall"][:2], GROUPS["wall"][2:]


def _copies(read: _Read, names: tuple[str, ...]) -> list[int]:
    """Return the unseen copies of the neighbours that there are."""
    return [copies for name in names if (copies := read(name)) >= 0]


def _beside(read: _Read, _row: F32) -> Word:
    if read("number") == 0:
        return "number.honor", None
    least = min(read(name) for name in GROUPS["beside"])
    if least >= NEVER:
        return "beside.never", None
    after = ".riichi" if read("riichi") else ""
    return (f"beside.turns{after}", least) if least else (f"beside.last{after}", None)


def _riichi(read: _Read, _row: F32) -> Word:
    if not read("riichi"):
        return "riichi.no", None
    if read("ippatsu"):
        return "riichi.just", None
    return ("riichi.double", None) if read("riichi") > 1 else ("riichi.turn", read("riichi_turn") + 1)


def _turn(read: _Read, _row: F32) -> Word:
    turn = read("turn")
    return ("turn.early" if turn <= EARLY else "turn.late" if turn >= LATE else "turn.middle"), turn


def _melds(read: _Read, row: F32) -> Word:
    calls = read("melds")
    if not calls:
        kans = int(row[AT.melds])
        return ("melds.kans", kans) if kans else ("melds.none", None)
    if read("dora_melds"):
        return "melds.dora", calls
    return ("melds.yakuhai" if read("yakuhai_melds") else "melds.calls"), calls


def _fight(read: _Read, _row: F32) -> Word:
    pushes, folds = read("pushes"), read("folds")
    if pushes or folds:
        word, number = ("fight.pushes", pushes) if pushes >= folds else ("fight.folds", folds)
        # against several riichi each discard has been counted for each of them
        return (word, number) if read("other_riichi") == 1 else (f"{word}.several", None)
    return ("fight.other" if read("other_riichi") else "fight.no"), None


_WORDS: dict[str, Callable[[_Read, F32], Word]] = {
    "number": _number,
    "yakuhai": _yakuhai,
    "unseen": lambda read, _row: ("unseen", read("unseen")),
    "suji": _suji,
    "shapes": _shapes,
    "dora": _dora,
    "outside": _outside,
    "reading": _reading,
    "suit": _suit,
    "calls": _calls,
    "passed": _passed,
    "last": _last,
    "wall": _wall,
    "beside": _beside,
    "riichi": _riichi,
    "turn": _turn,
    "hand": lambda read, _row: ("hand.changes", read("hand_changes")),
    "melds": _melds,
    "ruled": lambda read, _row: ("ruled", read("suji_ruled_out")),
    "style": lambda read, _row: ("style.middle" if read("middle_early") else "style.plain", None),
    "fight": _fight,
    "standing": lambda read, _row: ("standing.dealer" if read("dealer") else "standing.other", None),
}
