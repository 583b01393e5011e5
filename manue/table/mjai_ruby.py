"""The referee's messages in the form that clients of the original TCP match server expect.

That server adds to the events what only a host knows: ``possible_actions`` and ``cannot_dahai`` for the seat
that may act, ``scores`` after every payment, the winning hand and its value, the hands shown at a draw.
"""

from collections.abc import Iterable, Sequence

from manue.game.actions import Action, Discard, Pass
from manue.game.events import Called, Discarded, Draw, Event, RiichiDeclared, RoundDrawn, Won, seen_by
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.game.win import liable_payer, score_of_event
from manue.hand.score import Score
from manue.protocol.codec import Fields, action_to_fields
from manue.protocol.fields import HIDDEN
from manue.rules import Rules
from manue.table.referee import masked
from manue.table.seats import TableEvent
from manue.tiles import Seat, Tile

REASONS = {
    "exhaustive_draw": "fanpai",
    "kyushu_kyuhai": "kyushukyuhai",
    "sufuurenta": "sufonrenta",
    "suukansansen": "sukaikan",
    "suucha_riichi": "suchareach",
}
"""The referee's name for a kind of draw -> the original server's, where the two differ."""
_TENPAI_SHOWN = {"exhaustive_draw", "nagashimangan", "suucha_riichi"}
YAKU_NAMES = {
    "tenhou": "tenho",
    "chiihou": "chiho",
    "kokushi musou": "kokushimuso",
    "kokushi musou 13-wait": "kokushimuso",
    "daisangen": "daisangen",
    "suuankou": "suanko",
    "suuankou tanki": "suanko",
    "tsuuiisou": "tsuiso",
    "ryuuiisou": "ryuiso",
    "chinroutou": "chinroto",
    "daisuushii": "daisushi",
    "shousuushii": "shosushi",
    "suukantsu": "sukantsu",
    "chuuren poutou": "churenpoton",
    "junsei chuuren poutou": "churenpoton",
    "dora": "dora",
    "ura dora": "uradora",
    "red dora": "akadora",
    "riichi": "reach",
    "ippatsu": "ippatsu",
    "menzen tsumo": "menzenchin_tsumoho",
    "tanyao": "tanyaochu",
    "pinfu": "pinfu",
    "iipeikou": "ipeko",
    "haku": "sangenpai",
    "hatsu": "sangenpai",
    "chun": "sangenpai",
    "round wind": "bakaze",
    "seat wind": "jikaze",
    "rinshan": "rinshankaiho",
    "chankan": "chankan",
    "haitei": "haiteiraoyue",
    "houtei": "hoteiraoyui",
    "sanshoku doujun": "sanshokudojun",
    "ittsu": "ikkitsukan",
    "chanta": "honchantaiyao",
    "chiitoitsu": "chitoitsu",
    "toitoi": "toitoiho",
    "sanankou": "sananko",
    "honroutou": "honroto",
    "sanshoku doukou": "sanshokudoko",
    "sankantsu": "sankantsu",
    "shousangen": "shosangen",
    "double riichi": "double_reach",
    "honitsu": "honiso",
    "junchan": "junchantaiyao",
    "ryanpeikou": "ryanpeko",
    "chinitsu": "chiniso",
    "renhou": "renho",
}
"""Our names of yaku and dora -> the original server's, in the order of its lists. It has no renhou."""
# fields that the referee adds to events and the original server does not have
_NOT_IN_ORIGINAL = {"start_kyoku": "scores", "ankan": "pai", "hora": "tsumo"}


def server_yaku(found: Iterable[tuple[str, int]]) -> list[list[str | int]]:
    """Return the ``yakus`` of a win as the original server lists them.

    Parameters
    ----------
    found : iterable of (str, int)
        `manue.hand.score.Score.yaku`: our names with their han.

    Returns
    -------
    list of [str, int]
        The server's names, dora first. Yaku that share a name (triplets of dragons) make one entry with the
        sum of their han.
    """
    ours = dict(found)
    summed: dict[str, int] = {}
    for name, theirs in YAKU_NAMES.items():
        if name in ours:
            summed[theirs] = summed.get(theirs, 0) + ours[name]
    return [[name, han] for name, han in summed.items()]


class MjaiRubyView:
    """The game as the original server would present it to one seat.

    Parameters
    ----------
    seat : int
    rules : Rules
    """

    def __init__(self, seat: Seat, rules: Rules) -> None:
        self._seat = seat
        # hands are shown at the end of a round, so all four seats are tracked
        self._states = tuple(RoundState(at, rules) for at in range(4))

    def message_for(self, event: TableEvent) -> Fields:
        """Follow an event and return the message that the seat receives."""
        message = dict(masked(event.message, self._seat))
        kind = message["type"]
        message.pop(_NOT_IN_ORIGINAL.get(kind, ""), None)
        if isinstance(event.event, Won):
            message |= self._win(event.event)
        if isinstance(event.event, RoundDrawn):
            message |= self._draw(event.event)
        before = list(self._states[0].scores)
        for at, state in enumerate(self._states):
            state.apply(seen_by(event.event, at))
        state = self._states[self._seat]
        if kind in {"reach_accepted", "hora", "ryukyoku"}:
            message["scores"] = list(state.scores)
            message["deltas"] = [new - old for new, old in zip(state.scores, before, strict=True)]
        return message | self._choices(event.event)

    def _choices(self, event: Event) -> Fields:
        """Return ``possible_actions`` or ``cannot_dahai`` where the original server sends them."""
        state = self._states[self._seat]
        actions = legal_actions(state)
        if self._forbids(event):
            return self._forbidden(actions)
        return self._offered(actions) if self._offers(event, actions) else {}

    def _forbids(self, event: Event) -> bool:
        """Return whether the seat has to discard now, and not any tile of its hand."""
        match event:
            case RiichiDeclared(actor):
                return actor == self._seat
            case Called(actor, call):
                return actor == self._seat and call.kind in {"chi", "pon"}
        return False

    def _offers(self, event: Event, actions: Sequence[Action]) -> bool:
        """Return whether the seat is shown what it may do besides passing and discarding."""
        match event:
            case Draw(actor):
                return actor == self._seat
            case Discarded(actor):
                return actor != self._seat
            case Called(actor, call) if actor != self._seat:
                return call.kind == "kakan" or (call.kind == "ankan" and bool(actions))
        return False

    def _offered(self, actions: Sequence[Action]) -> Fields:
        moves = [action for action in actions if not isinstance(action, Discard | Pass)]
        return {"possible_actions": [action_to_fields(action, self._seat) for action in moves]}

    def _forbidden(self, actions: Sequence[Action]) -> Fields:
        allowed = {action.tile for action in actions if isinstance(action, Discard)}
        hand = dict.fromkeys(self._states[self._seat].hand)
        return {"cannot_dahai": [tile for tile in hand if tile not in allowed]}

    def score_of(self, event: Won) -> tuple[Tile, Score] | None:
        """Return the tile that a seat wins on and its score; call it before `message_for`.

        ``None`` for a win that cannot be.
        """
        return score_of_event(self._states[event.actor], event)

    def liable_payer(self, event: Won) -> Seat | None:
        """Return who is liable for a win and pays for it; call it before `message_for`."""
        return None if event.deltas is None else liable_payer(self._states[event.actor], event, event.deltas)

    def _win(self, event: Won) -> Fields:
        """Return what the winner shows; call it before the states see the win."""
        found = self.score_of(event)
        if found is None:
            return {}
        tile, score = found
        return {
            "pai": tile,
            "hora_tehais": list(self._states[event.actor].hand),
            "uradora_markers": list(event.ura_indicators),
            "fu": score.fu,
            "fan": score.han,
            "hora_points": score.points,
            "yakus": server_yaku(score.yaku),
        }

    def _draw(self, event: RoundDrawn) -> Fields:
        """Return what is shown at a draw; call it before the states see the draw."""
        ended = event.reason in _TENPAI_SHOWN
        tenpai = [ended and bool(state.waits) for state in self._states]
        aborting = [event.reason == "kyushu_kyuhai" and state.drawn is not None for state in self._states]
        hands = [
            list(state.hand) if ready or aborts else [HIDDEN] * len(state.hand)
            for state, ready, aborts in zip(self._states, tenpai, aborting, strict=True)
        ]
        shown = {"reason": REASONS.get(event.reason, event.reason), "tehais": hands, "tenpais": tenpai}
        return shown | ({"actor": aborting.index(True)} if any(aborting) else {})
