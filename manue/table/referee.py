"""The referee of local games: riichienv behind an interface of complete Mjai messages.

Walls: riichienv shuffles round ``n`` of a game (0-based, all rounds count) with a generator seeded with
``splitmix64(seed + n)`` and deals from the dealer on. So one seed gives round ``n`` the same wall whatever
happened before, but *neighbouring seeds share walls*: round 1 of seed 7 is round 0 of seed 8. That is why
`wall_seed` spreads the walls of a match over 63 bits.
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any

from pydantic_core import from_json

from manue.errors import MissingExtraError, UsageError
from manue.models.placement import RoundPosition
from manue.protocol.codec import KYOKU_FIRST, Fields
from manue.protocol.fields import HIDDEN
from manue.rules import LAST_ROUND, MAHJONG_SOUL, TENHOU, Length, Rules, stated_name
from manue.tiles import Seat, tile_name

_MODES = {"hanchan": "4p-red-half", "east": "4p-red-east"}


@cache
def engine() -> ModuleType:
    """Return riichienv; raises MissingExtraError."""
    try:
        import riichienv  # noqa: PLC0415 - an optional extra: only local games need it
    except ImportError as error:
        raise MissingExtraError("riichienv", "arena") from error
    module: ModuleType = riichienv
    return module


def wall_seed(match_seed: int, wall: int) -> int:
    """Return the referee's seed for a wall of a match: 63 bits of (match seed, wall number)."""
    digest = hashlib.blake2b(f"{match_seed}/{wall}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def masked(message: Fields, seat: Seat) -> Fields:
    """Return a message as a seat sees it: others' hands and draws hidden, its number in ``start_game``."""
    kind = message["type"]
    if kind == "tsumo" and message["actor"] != seat:
        return {**message, "pai": HIDDEN}
    if kind == "start_kyoku":
        hands = [hand if at == seat else [HIDDEN] * len(hand) for at, hand in enumerate(message["tehais"])]
        return {**message, "tehais": hands}
    if kind == "start_game":
        return {**message, "id": seat}
    return message


def engine_rules(rules: Rules) -> Any:
    """Return rules as riichienv has them.

    Raises
    ------
    UsageError
        If it does not know them.
    MissingExtraError
        If it is not installed.
    """
    known = {TENHOU: engine().GameRule.default_tenhou, MAHJONG_SOUL: engine().GameRule.default_mjsoul}
    if rules not in known:
        raise UsageError("the referee knows only the rules of Tenhou and of Mahjong Soul")
    return known[rules]()


def _means(action: Any, reply: Fields) -> bool:
    """Return whether an action is exactly what a reply says, given that riichienv fills in what is left out.

    Only ``pai`` may be left out, and not from a discard. The frequent kinds are compared without making text.
    """
    if action.action_type == engine().ActionType.DISCARD:
        return reply["type"] == "dahai" and reply.get("pai") == tile_name(action.tile)
    if action.action_type == engine().ActionType.PASS:
        return bool(reply["type"] == "none")
    meant = from_json(action.to_mjai())
    if meant["type"] != reply["type"]:
        return False
    return "consumed" not in meant or sorted(meant["consumed"]) == sorted(reply.get("consumed", ()))


class Referee:
    """One game in progress.

    Parameters
    ----------
    seed : int
        Seed of the walls; see the top of this module.
    length : {"hanchan", "east"}
    rules : Rules
        ``TENHOU`` or ``MAHJONG_SOUL``.
    names : sequence of str
        Sent to the players in ``start_game``.

    Raises
    ------
    UsageError
        If the rules are others.
    MissingExtraError
        If riichienv is not installed.

    Attributes
    ----------
    asked : dict
        Maps every seat that has to choose now to riichienv's observation.
    """

    def __init__(
        self,
        seed: int,
        *,
        length: Length = "hanchan",
        rules: Rules = TENHOU,
        names: Sequence[str] = ("0", "1", "2", "3"),
    ) -> None:
        self._env = engine().RiichiEnv(game_mode=_MODES[length], seed=seed, rule=engine_rules(rules))
        self._seed = seed
        self.names = list(names)
        self._length, self._rules = length, rules
        self._delivered = [0, 0, 0, 0]  # events delivered so far in each seat's observations
        self._written = 0
        self._kan_announced = False  # a closed kan that riichienv has not yet written
        # the last reply checked for each seat asked, and the action it means
        self._judged: dict[Seat, tuple[Fields, Any]] = {}
        self.asked: dict[Seat, Any] = {}

    def start(self) -> list[Fields]:
        """Deal the first round and return the messages up to the first choice."""
        return self._advance(self._env.reset())

    def start_at(
        self, position: RoundPosition, scores: Sequence[int], wall: Sequence[int] | None = None
    ) -> list[Fields]:
        """Deal a later round first; return the messages up to the first choice.

        Parameters
        ----------
        position : RoundPosition
        scores : sequence of int
            Points by seat.
        wall : sequence of int, optional
            All 136 physical tiles as they are dealt and drawn; default: those of the seed.
        """
        dealt = self._env.reset(
            oya=position.dealer,
            round_wind=position.index // 4,
            scores=list(scores),
            honba=position.honba,
            kyotaku=position.deposits,
            seed=self._seed,
            wall=None if wall is None else list(wall),
        )
        return self._advance(dealt)

    def step(self, replies: Mapping[Seat, Fields]) -> list[Fields]:
        """Play one legal reply for every seat asked and return the messages up to the next choice."""
        actions = {seat: self._find(seat, reply) for seat, reply in replies.items()}
        return self._with_kan(actions, self._advance(self._env.step(actions)))

    def legal(self, seat: Seat) -> list[Fields]:
        """Return the legal replies of a seat that is asked, as riichienv writes them: one for each tile."""
        return [from_json(action.to_mjai()) for action in self.asked[seat].legal_actions()]

    def is_legal(self, seat: Seat, reply: Fields) -> bool:
        """Return whether a reply is legal for a seat that is asked."""
        return self._find(seat, reply) is not None

    def observation(self, seat: Seat) -> str:
        """Return riichienv's own encoding of what a seat that is asked may see: base64 of JSON."""
        return str(self.asked[seat].serialize_to_base64())

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._env.done())

    def scores(self) -> list[int]:
        """Return the points of the four seats."""
        return list(self._env.scores())

    def places(self) -> list[int]:
        """Return the places 1..4 of the four seats; ties go to the earlier seat."""
        return list(self._env.ranks())

    def log(self) -> list[Fields]:
        """Return riichienv's own complete log of the game so far (slow: converted afresh on every call)."""
        return list(self._env.mjai_log)

    def _find(self, seat: Seat, reply: Fields) -> Any:
        """Return the action that a reply means, or ``None``."""
        judged = self._judged.get(seat)
        if judged is None or judged[0] != reply:
            judged = self._judged[seat] = (reply, self._meant(seat, reply))
        return judged[1]

    def _meant(self, seat: Seat, reply: Fields) -> Any:
        try:
            action = self.asked[seat].select_action_from_mjai(reply)
        except (TypeError, ValueError):  # the reply does not have the shape of an action
            return None
        return action if action is not None and _means(action, reply) else None

    def _with_kan(self, actions: Mapping[Seat, Any], messages: list[Fields]) -> list[Fields]:
        """Announce a closed kan at once.

        Where it may be robbed riichienv asks first, and writes the kan only when nobody has robbed it.
        """
        written = next((message for message in messages if message["type"] == "ankan"), None)
        if self._kan_announced:
            self._kan_announced = False
            return [message for message in messages if message is not written]
        for action in actions.values():
            if action.action_type == engine().ActionType.ANKAN and written is None:
                self._kan_announced = True
                return [from_json(action.to_mjai()), *messages]
        return messages

    def _advance(self, observations: Mapping[Seat, Any]) -> list[Fields]:
        # An observation brings the events since that seat's last one, with the other seats' tiles hidden. A
        # seat that draws is always asked, and it alone, so every tile except the hands dealt is seen.
        self._judged = {}
        self.asked = {} if self.over else dict(sorted(observations.items()))
        if self.over:
            events = self.log()[self._written :]
            self._written += len(events)
            return [self._named(message) for message in events]
        fresh: dict[int, Fields] = {}
        for seat, observation in self.asked.items():
            lines = observation.new_events()
            for number, line in enumerate(lines, self._delivered[seat]):
                if number >= self._written and number not in fresh:
                    fresh[number] = from_json(line)
            self._delivered[seat] += len(lines)
        self._written += len(fresh)
        return [self._completed(fresh[number]) for number in sorted(fresh)]

    def _completed(self, message: Fields) -> Fields:
        if message["type"] == "start_kyoku":
            # this runs right after the deal, when only the dealer has drawn
            hands = [list(hand) for hand in self._env.hands]
            hands[message["oya"]].remove(self._env.drawn_tile)
            return {**message, "tehais": [[tile_name(tile) for tile in hand] for hand in hands]}
        return self._named(message)

    def _named(self, message: Fields) -> Fields:
        """Add what riichienv leaves out: names, length, rules, and final points with all sticks."""
        if message["type"] == "start_game":
            rules = stated_name(self._rules)
            return {
                **message,
                "names": self.names,
                "kyoku_first": KYOKU_FIRST[LAST_ROUND[self._length]],
                "aka_flag": self._rules.red_fives,
                **({} if rules is None else {"rules": rules}),
            }
        return {**message, "scores": self.scores()} if message["type"] == "end_game" else message
