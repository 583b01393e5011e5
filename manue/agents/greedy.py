"""The greedy player: lowest shanten, then most useful tiles; riichi if possible; no calls, no folding."""

from manue.agents.base import Decision
from manue.decision.report import Report
from manue.game.actions import Action, Discard, Pass, Riichi, win_among
from manue.game.state import RoundState
from manue.hand.shanten import ukeire_by_discard
from manue.tiles import EDGE_DISTANCE, KIND_OF, Tile, is_red


class Greedy:
    """Chooses by tile efficiency alone; breaks ties from the honors inwards and keeps red fives."""

    name = "greedy"

    def decide(self, state: RoundState, actions: tuple[Action, ...]) -> Decision:
        """Win, else riichi, else pass, else discard for the lowest shanten and the most useful tiles."""
        if (win := win_among(actions)) is not None:
            return Decision(win, (Report(win, note="a win is taken"),))
        for action in actions:
            if isinstance(action, Riichi):
                return Decision(action, (Report(action, shanten=0, note="riichi whenever possible"),))
        for action in actions:
            if isinstance(action, Pass):
                return Decision(action, (Report(action, note="never calls"),))
        reports = _ranked(state, [action for action in actions if isinstance(action, Discard)])
        return Decision(reports[0].action, reports)


def _ranked(state: RoundState, discards: list[Discard]) -> tuple[Report, ...]:
    shanten, useful = ukeire_by_discard(state.counts, len(state.me.melds))
    left = state.unseen
    counts = (useful @ left).tolist()
    kinds = (useful & (left > 0)).sum(axis=1).tolist()
    shantens = shanten.tolist()

    def cost(tile: Tile) -> tuple[int, int, int, bool]:
        """Return what decides about a discard, smallest first."""
        kind = KIND_OF[tile]
        return shantens[kind], -counts[kind], EDGE_DISTANCE[kind], is_red(tile)

    # of two copies of a tile discard the drawn one: it reveals least
    ordered = sorted(discards, key=lambda discard: (*cost(discard.tile), not discard.from_draw))
    return tuple(
        Report(discard, shanten=shantens[kind], ukeire_kinds=kinds[kind], ukeire_count=counts[kind])
        for discard in ordered
        for kind in (KIND_OF[discard.tile],)
    )
