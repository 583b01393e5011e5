"""What is behind the numbers of an option: why it is dangerous, winning hands, distribution of outcomes.

Computed only on request, and only for the best options of a decision.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from manue.decision.basis import Bases
from manue.decision.branches import without
from manue.decision.endings import SCORE_STEPS, score_distribution
from manue.decision.options import Option
from manue.decision.report import Details, Reason, Report, WinningHand
from manue.decision.values import ValuedOption
from manue.draws.frequent_hands import FrequentHand, frequent_hands
from manue.draws.win import SILENT
from manue.game.state import RoundState
from manue.hand.score import score_win
from manue.language.messages import ENGLISH
from manue.models.danger import Danger, DangerReader, Explainer
from manue.tiles import KINDS, Tile, red_counts

OPTIONS = 5
"""How many of the best options of a decision get details."""
HANDS = 3
"""How many winning hands are shown for an option."""
WAITS = 8
"""How many of the kinds that an opponent likeliest waits for are reported."""
WORTH_EXPLAINING = 0.001
"""Smallest P(an opponent wins on a discard) for which a reason is given."""


def with_details(bases: Bases, valued: Sequence[ValuedOption], reader: DangerReader) -> tuple[Report, ...]:
    """Return the reports of the options, with details for the best ones.

    Parameters
    ----------
    bases : Bases
        What the options are valued on.
    valued : sequence of ValuedOption
        Best first, from Monte Carlo draws that recorded the target hands they won with.
    reader : DangerReader
    """
    explainers: dict[int, Explainer] = {}
    reports = [each.report for each in valued]
    for i, each in enumerate(valued[:OPTIONS]):
        if each.option is not None:
            state, scene, danger = bases.of(each.option)
            if id(danger) not in explainers:
                explainers[id(danger)] = Explainer.of(reader, scene, state.seat, danger)
            details = _details(state, explainers[id(danger)], each, each.option)
            reports[i] = replace(each.report, details=details)
    return tuple(reports)


def notable_dangers(state: RoundState, danger: Danger) -> tuple[dict[Tile, float], ...]:
    """Return P(it wins) by kind for every seat: kinds held, and those that it likeliest waits for."""
    held = np.flatnonzero(state.counts).tolist()
    found: list[dict[Tile, float]] = []
    for seat in range(4):
        probs = danger.prob[seat]
        likeliest = np.argsort(-probs, kind="stable")[:WAITS].tolist()
        kinds = sorted({*held, *likeliest})
        found.append({KINDS[kind]: float(probs[kind]) for kind in kinds if probs[kind] >= WORTH_EXPLAINING})
    return tuple(found)


def _details(state: RoundState, explainer: Explainer, valued: ValuedOption, option: Option) -> Details:
    return Details(
        _reasons(explainer, option),
        _winning_hands(state, option, valued.report.win_prob or 0.0),
        _outcome(valued),
        tuple(KINDS[kind] for kind in np.flatnonzero(option.useful & (state.unseen > 0))),
    )


def _reasons(explainer: Explainer, option: Option) -> tuple[Reason | None, ...]:
    kind = option.kind
    if kind is None:
        return ()
    reasons: list[Reason | None] = [None] * 4
    for seat in range(4):
        if explainer.danger.prob[seat, kind] >= WORTH_EXPLAINING:
            found = explainer.explain(seat, kind)
            path = tuple(ENGLISH.text(f"reason.{one.word}", n=one.number) for one in found)
            words = tuple((one.word, one.number, one.weight) for one in found)
            reasons[seat] = Reason(path, rated=float(explainer.danger.prob[seat, kind]), words=words)
    return tuple(reasons) if any(reasons) else ()


def _winning_hands(state: RoundState, option: Option, win_prob: float) -> tuple[WinningHand, ...]:
    tally = option.win.tally
    if tally is None:
        return ()
    thrown = () if option.discard is None else (option.discard.tile,)
    reds = red_counts(without(option.branch.tiles, thrown))
    hands = frequent_hands(tally, option.plan, option.at, HANDS, reds=reds, unseen=option.view.unseen)
    called = tuple(tile for meld in option.view.melds for tile in meld.tiles)
    return tuple(
        WinningHand(
            (*hand.tiles, *called),
            win_prob * hand.share,
            hand.points + state.bonus,
            _yaku(state, option, hand),
        )
        for hand in hands
    )


def _yaku(state: RoundState, option: Option, hand: FrequentHand) -> tuple[str, ...]:
    """Name the yaku of a win by ron, or by self-draw if a ron has none; dora with their number."""
    riichi = option.plan != SILENT
    for tsumo in (False, True):
        score = score_win(
            hand.tiles,
            option.view.melds,
            hand.last,
            tsumo=tsumo,
            riichi=riichi,
            double_riichi=option.riichi and option.branch.double_riichi,
            dora_indicators=state.dora_indicators,
            seat_wind=state.seat_wind,
            round_wind=state.round_wind,
            rules=state.rules,
        )
        if score is not None:
            return tuple(f"{name} {han}" if "dora" in name and han > 1 else name for name, han in score.yaku)
    return ()


def _outcome(valued: ValuedOption) -> tuple[tuple[float, float], ...]:
    if not valued.endings:
        return ()
    points, _, probs = (np.concatenate(arrays) for arrays in zip(*valued.endings, strict=True))
    distribution = score_distribution(points, probs)
    return tuple(zip(map(float, SCORE_STEPS), distribution.tolist(), strict=True))
