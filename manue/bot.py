"""A bot that other programs run (``python -m manue.bot ID``) or embed (``Bot(seat).react(events)``).

On standard input events come one a line, and only decisions are answered; with ``MORTAL_REVIEW_MODE=1`` in
the environment every line is. ``--dialect arrays`` speaks as mjai.app's bots do.
"""

import json
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from manue.agents.base import Decider
from manue.agents.registry import SPEC_HELP, agent_of
from manue.api.arguments import plain_number, seat_of
from manue.commands.game_options import add_rules
from manue.errors import ProtocolError, UsageError, described
from manue.program import ArgumentParser, run_program
from manue.protocol.annotation import KEY
from manue.protocol.dialect import ARRAYS, DIALECTS
from manue.protocol.session import Session
from manue.protocol.turn import Turn
from manue.rules import RULES, Length, RulesName, given_last_round, rules_of
from manue.tiles import Seat
from manue.transports.driver import PlaySettings, play
from manue.warming import agent_at_once

LOG = logging.getLogger(__name__)
REVIEW_VARIABLE = "MORTAL_REVIEW_MODE"

EMBEDDED = replace(
    ARRAYS,
    name="embedded",
    summary="events as text, by a call",
    seconds=None,
    annotated=True,
    as_mortal=True,
    one_game=False,
)
"""How those speak who embed a `Bot`: an array of events, always answered, without a clock. The displays of
Akagi 2 and MahjongCopilot read Mortal's ``meta``."""


class Bot:
    """A player for programs that embed bots: desktop tools, the runner of mjai.app.

    Parameters
    ----------
    seat : int
        0..3; a ``start_game`` that names another seat overrides it for that game.
    agent : str, Decider or type
        Who plays: a spec as for `manue.make_agent`, an agent of your own, or its class. If the kernels of a
        spec are not compiled yet, `rules` decides until they are, and the reply says so in its ``meta``.
    models : str or Path, optional
        Folder of the models of an agent given by its spec.
    length : {"hanchan", "east"}, optional
        How long the games are planned to be; default: as ``start_game`` says, else a hanchan.
    rules : {"tenhou", "mjsoul"}
        Whose rules the games are played by: Tenhou's or Mahjong Soul's.
    strict : bool
        Raise an error at bad input, instead of logging a warning and giving the safest answer.

    Raises
    ------
    UsageError
        If there is no such seat or agent, no such length or no such rules.
    ModelError
        If a model is missing or damaged.

    Examples
    --------
    >>> from manue.bot import Bot
    >>> Bot(0, agent="tsumogiri").react('[{"type": "start_game", "id": 0}]')
    '{"type":"none"}'
    """

    def __init__(
        self,
        seat: Seat,
        agent: str | Decider | type = "manue",
        models: str | Path | None = None,
        *,
        length: Length | None = None,
        rules: RulesName = "tenhou",
        strict: bool = False,
    ) -> None:
        own = seat_of(seat)
        if not isinstance(agent, str) and models is not None:
            raise UsageError("models go with the name of an agent; an agent has its own")
        player = agent_at_once(agent, models) if isinstance(agent, str) else agent_of(agent)
        self._session = Session(
            player,
            EMBEDDED,
            complain=LOG.warning,
            seat=own,
            rules=rules_of(rules),
            last_round=given_last_round(length),
            strict=strict,
        )

    @property
    def player_id(self) -> Seat:
        """The seat in this game; Akagi 2 writes it into the riichi of its user."""
        seat = self._session.seat
        assert seat is not None  # noqa: S101  a bot is given one
        return seat

    def react(self, events: str) -> str:
        """Take in what happened and answer the last event.

        Parameters
        ----------
        events : str
            JSON: an array of Mjai events, all since the last call, or a single one.

        Returns
        -------
        str
            A JSON object: the Mjai reply, ``{"type":"none"}`` where there is nothing to say. A decision
            carries the table of its options in ``log`` and their numbers in ``meta``, ours and as Mortal's.

        Raises
        ------
        ProtocolError, EventError, AgentError
            From a strict bot: at text that is no Mjai, an event that cannot follow what is known, or an error
            of an agent of your own; any other bot then discards what it drew.
        ThreePlayersError
            From any bot, in a three-player game.
        """
        if not isinstance(events, str):
            return self._refuse(f"events are a text of JSON, not {type(events).__name__}")
        text = events.strip()
        answer = self._session.receive(f"[{text}]" if text.startswith("{") else text)
        if isinstance(answer, Turn):
            answer = self._decide(answer)
        return '{"type":"none"}' if answer is None else answer

    def _refuse(self, reason: str) -> str:
        if self._session.strict:
            raise ProtocolError(reason)
        LOG.warning(reason)
        return '{"type":"none"}'

    def _decide(self, turn: Turn) -> str | None:
        if self._session.strict:
            return self._session.answer(turn, turn.think())
        try:
            return self._session.answer(turn, turn.think())
        except Exception as error:  # noqa: BLE001  whatever an agent raises must not end its host
            return self._session.fall_back(turn, described(error))


class MessageBot:
    """The same for programs that hand over one message at a time as a dict, as MahjongCopilot does.

    Parameters
    ----------
    seat : int
    agent : str, Decider or type
    length : {"hanchan", "east"}, optional
    rules : {"tenhou", "mjsoul"}
        As in `Bot`.
    """

    def __init__(
        self,
        seat: Seat,
        agent: str | Decider | type = "manue",
        *,
        length: Length | None = None,
        rules: RulesName = "tenhou",
    ) -> None:
        self._bot = Bot(seat, agent, length=length, rules=rules)

    def react(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Take in a Mjai message and answer it.

        Returns
        -------
        dict or None
            The Mjai reply; a ``reach`` carries in ``reach_dahai`` the discard planned with it, if the agent
            reports one as ``manue`` and ``rules`` do. ``None`` where there is nothing to say.

        Raises
        ------
        ThreePlayersError
            In a three-player game.
        """
        try:
            text = json.dumps(message, default=_plain)
        except (TypeError, ValueError, RecursionError) as error:  # keys of other types, a message in itself
            LOG.warning("a message that is no JSON: %s", error)
            return None
        reply: dict[str, Any] = json.loads(self._bot.react(text))
        if reply["type"] == "reach":
            options: list[dict[str, Any]] = reply.get("meta", {}).get(KEY, {}).get("candidates", [])
            moves: list[Any] = next(
                (one["moves"] for one in options if one["moves"][0]["type"] == "reach"), []
            )
            if len(moves) > 1:
                reply["reach_dahai"] = moves[1]
        return None if reply["type"] == "none" else reply


def _plain(value: object) -> object:
    """Return a number of NumPy's as a plain one, anything else as text, which is refused as bad input."""
    try:
        return plain_number(value)
    except TypeError:
        return repr(value)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play on standard input and output until the input ends; return the exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    return run_program(lambda: _run(given), owns_process=arguments is None)


def _run(arguments: Sequence[str]) -> int:
    parser = ArgumentParser(
        prog="python -m manue.bot", description="A Mjai bot on standard input and output."
    )
    parser.add_argument("id", metavar="ID", type=int, choices=range(4), help="seat of the bot, 0..3")
    stdio = [name for name, dialect in DIALECTS.items() if dialect.transport == "stdio"]
    parser.add_argument("--dialect", choices=stdio, help="how the host speaks (default: lines)")
    parser.add_argument(
        "--agent", default="manue", metavar="SPEC", help=f"who plays: {SPEC_HELP} (default: %(default)s)"
    )
    add_rules(parser)
    options = parser.parse_args(arguments)
    reviewing = os.environ.get(REVIEW_VARIABLE, "") not in {"", "0"}
    dialect = DIALECTS[options.dialect or ("review" if reviewing else "lines")]
    agent = agent_at_once(options.agent, patient=dialect.patient)
    return play(PlaySettings(dialect, seat=options.id, rules=RULES[options.rules]), agent)


if __name__ == "__main__":
    sys.exit(main())
