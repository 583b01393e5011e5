"""The referee of local games: riichienv, seen as full Mjai messages in and out.

Walls: riichienv shuffles round ``n`` of a game (0-based, all rounds count) by a generator seeded with
``splitmix64(seed + n)`` and deals from the dealer on. So one seed gives round ``n`` the same wall whatever
happened before, and *neighbouring seeds share walls*: round 1 of seed 7 is round 0 of seed 8. `wall_seed`
therefore spreads the walls of a match over 63 bits.
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any, Literal, TypeAlias

from pydantic_core import from_json

from manue.errors import MissingExtraError
from manue.rules import MAHJONG_SOUL, TENHOU, Rules
from manue.tiles import KINDS, RED_OF, Seat

Message: TypeAlias = dict[str, Any]
Length: TypeAlias = Literal["hanchan", "east"]

_MODES = {"hanchan": "4p-red-half", "east": "4p-red-east"}
HIDDEN = "?"


@cache
def engine() -> ModuleType:
    """Return riichienv; raises MissingExtraError."""
    try:
        import riichienv  # noqa: PLC0415 - an extra: only games on this machine need it
    except ImportError as error:
        raise MissingExtraError("riichienv", "arena") from error
    module: ModuleType = riichienv
    return module


def wall_seed(match_seed: int, wall: int) -> int:
    """Return the referee's seed of a match's wall: 63 bits from (match seed, wall number)."""
    digest = hashlib.blake2b(f"{match_seed}/{wall}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def tile_name(physical: int) -> str:
    """Name riichienv's physical tile 0..135: kinds in order, the first five of a suit is the red one."""
    kind = physical // 4
    if physical % 4 == 0 and kind in RED_OF:
        return RED_OF[kind]
    return KINDS[kind]


def masked(message: Message, seat: Seat) -> Message:
    """Return what a seat may see of a message: no other hands and draws; ``start_game`` tells the seat."""
    kind = message["type"]
    if kind == "tsumo" and message["actor"] != seat:
        return {**message, "pai": HIDDEN}
    if kind == "start_kyoku":
        hands = [hand if at == seat else [HIDDEN] * len(hand) for at, hand in enumerate(message["tehais"])]
        return {**message, "tehais": hands}
    if kind == "start_game":
        return {**message, "id": seat}
    return message


def _means(action: Any, reply: Message) -> bool:
    """Tell whether an action is just what a reply says: riichienv fills in what it leaves out.

    Only a ``pai`` may lack, but not that of a discard. The frequent kinds are compared without making text.
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
        Of the walls; see the module's head.
    length : {"hanchan", "east"}
    rules : Rules
        ``TENHOU`` or ``MAHJONG_SOUL``.
    names : sequence of str
        Told to the players in ``start_game``.

    Attributes
    ----------
    asked : dict
        Seat to riichienv's observation, for every seat that has to choose now.
    """

    def __init__(
        self,
        seed: int,
        *,
        length: Length = "hanchan",
        rules: Rules = TENHOU,
        names: Sequence[str] = ("0", "1", "2", "3"),
    ) -> None:
        rule = {TENHOU: engine().GameRule.default_tenhou, MAHJONG_SOUL: engine().GameRule.default_mjsoul}[
            rules
        ]()
        self._env = engine().RiichiEnv(game_mode=_MODES[length], seed=seed, rule=rule)
        self._names = list(names)
        self._told = [0, 0, 0, 0]  # events of the game that each seat's observations have delivered
        self._written = 0
        self._judged: dict[Seat, tuple[Message, Any]] = {}  # what each seat asked last offered to answer
        self.asked: dict[Seat, Any] = {}

    def start(self) -> list[Message]:
        """Deal the first round; return the messages up to the first choice."""
        return self._advance(self._env.reset())

    def step(self, replies: Mapping[Seat, Message]) -> list[Message]:
        """Play one legal reply for every seat asked; return the messages up to the next choice."""
        return self._advance(
            self._env.step({seat: self._find(seat, reply) for seat, reply in replies.items()})
        )

    def legal(self, seat: Seat) -> list[Message]:
        """Return the legal replies of a seat that is asked, as riichienv writes them: one per tile."""
        return [from_json(action.to_mjai()) for action in self.asked[seat].legal_actions()]

    def is_legal(self, seat: Seat, reply: Message) -> bool:
        """Tell whether a seat that is asked may answer this."""
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

    def placements(self) -> list[int]:
        """Return the places 1..4 of the four seats; of equal points the earlier seat is ahead."""
        return list(self._env.ranks())

    def log(self) -> list[Message]:
        """Return riichienv's own complete log of the game so far (slow: converted anew each time)."""
        return list(self._env.mjai_log)

    def _find(self, seat: Seat, reply: Message) -> Any:
        """Return the action that a reply means, or ``None``."""
        judged = self._judged.get(seat)
        if judged is None or judged[0] != reply:
            judged = self._judged[seat] = (reply, self._meant(seat, reply))
        return judged[1]

    def _meant(self, seat: Seat, reply: Message) -> Any:
        try:
            action = self.asked[seat].select_action_from_mjai(reply)
        except (TypeError, ValueError):  # a reply of the wrong shape is no action
            return None
        return action if action is not None and _means(action, reply) else None

    def _advance(self, observations: Mapping[Seat, Any]) -> list[Message]:
        # Every observation brings the events since the same seat's last one, without other seats' tiles. Who
        # draws is asked at once, so between them the seats asked see every tile but the hands dealt.
        self._judged = {}
        self.asked = {} if self.over else dict(sorted(observations.items()))
        if self.over:
            news = self.log()[self._written :]
            self._written += len(news)
            return [self._named(message) for message in news]
        fresh: dict[int, Message] = {}
        for seat, observation in self.asked.items():
            lines = observation.new_events()
            for number, line in enumerate(lines, self._told[seat]):
                if number < self._written or (number in fresh and fresh[number].get("actor") != seat):
                    continue
                message = from_json(line)
                if number not in fresh or message["type"] == "tsumo":
                    fresh[number] = message
            self._told[seat] += len(lines)
        self._written += len(fresh)
        return [self._completed(fresh[number]) for number in sorted(fresh)]

    def _completed(self, message: Message) -> Message:
        if message["type"] == "start_kyoku":
            # called at once after the deal: the dealer alone has drawn
            hands = [list(hand) for hand in self._env.hands]
            hands[message["oya"]].remove(self._env.drawn_tile)
            return {**message, "tehais": [[tile_name(tile) for tile in hand] for hand in hands]}
        return self._named(message)

    def _named(self, message: Message) -> Message:
        """Add what riichienv leaves out: the names, and the final points with the sticks left over."""
        if message["type"] == "start_game":
            return {**message, "names": self._names}
        return {**message, "scores": self.scores()} if message["type"] == "end_game" else message
