"""The endings of a round one at a time, by the rules: who pays whom, and which round comes next."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from manue.decision.payoffs import ScoreSituation
from manue.hand.points import SIZE_BASES, ron_payment, tsumo_payments
from manue.models.placement import ABORTED, EXHAUSTED, WON


@dataclass
class Ending:
    """What the scores change by, and the index, dealer and honba of the next round."""

    changes: list[float]
    next_round: tuple[int, int, int]
    ended: int


def endings_by_rules(situation: ScoreSituation) -> Iterator[Ending]:
    """Yield all endings in the order of `manue.decision.endings`."""
    seat, dealer = situation.seat, situation.position.dealer
    others = [(seat + step) % 4 for step in (1, 2, 3)]
    for base in SIZE_BASES:
        yield _drawn_by(situation, seat, *tsumo_payments(base, dealer=seat == dealer))
    for payer in others:
        for base in SIZE_BASES:
            yield _off(situation, seat, payer, ron_payment(base, dealer=seat == dealer))
    ron, tsumo = situation.opponent_points.tolist()
    for winner, sizes in zip(others, ron, strict=True):
        for points in sizes:
            yield deal_in(situation, winner, points)
    for winner, sizes in zip(others, tsumo, strict=True):
        for points in sizes:
            parts = (0, points / 3) if winner == dealer else (points / 2, points / 4)
            yield _drawn_by(situation, winner, *(100 * math.ceil(part / 100) for part in parts))
    for winner, sizes in zip(others, ron, strict=True):
        for payer in others:
            if payer != winner:
                for points in sizes:
                    yield _off(situation, winner, payer, points)
    for pattern in range(16):
        yield _exhausted(situation, {(seat + bit) % 4 for bit in range(4) if pattern >> bit & 1})
    yield _ending(situation, [0.0] * 4, ABORTED, stays=True)


def deal_in(situation: ScoreSituation, winner: int, points: float) -> Ending:
    """Return the ending in which this seat deals in."""
    return _off(situation, winner, situation.seat, points)


def _off(situation: ScoreSituation, winner: int, payer: int, points: float) -> Ending:
    changes = [0.0] * 4
    changes[payer] -= points + 300 * situation.position.honba
    changes[winner] += points + 300 * situation.position.honba
    return _won(situation, winner, changes)


def _drawn_by(situation: ScoreSituation, winner: int, by_dealer: float, by_other: float) -> Ending:
    changes = [0.0] * 4
    for payer in range(4):
        if payer != winner:
            paid = by_dealer if payer == situation.position.dealer else by_other
            changes[payer] -= paid + 100 * situation.position.honba
            changes[winner] += paid + 100 * situation.position.honba
    return _won(situation, winner, changes)


def _won(situation: ScoreSituation, winner: int, changes: list[float]) -> Ending:
    changes[winner] += 1000 * (situation.position.deposits + situation.pays_stick)
    return _ending(situation, changes, WON, stays=winner == situation.position.dealer)


def _exhausted(situation: ScoreSituation, tenpai: set[int]) -> Ending:
    changes = [0.0] * 4
    if 0 < len(tenpai) < 4:
        changes = [3000 / len(tenpai) if seat in tenpai else -3000 / (4 - len(tenpai)) for seat in range(4)]
    return _ending(situation, changes, EXHAUSTED, stays=situation.position.dealer in tenpai)


def _ending(situation: ScoreSituation, changes: list[float], ended: int, *, stays: bool) -> Ending:
    changes[situation.seat] -= 1000 * situation.pays_stick
    index, dealer, honba = (
        situation.position.index,
        situation.position.dealer,
        situation.position.honba + 1,
    )
    if not stays:
        index, dealer = index + 1, (dealer + 1) % 4
        honba = 0 if ended == WON else honba
    return Ending(changes, (index, dealer, honba), ended)
