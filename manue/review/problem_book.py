"""A problem book: positions with the answers that a textbook accepts.

A book is a folder of JSON files, one per theme: ``{"theme": "calls", "problems": [...]}``. A problem names
the seats by their winds in the round::

    {"id": "value-pon", "question": "...", "round": "E2", "seat": "S",
     "scores": {"E": 25000, "S": 24000, "W": 25000, "N": 25000}, "honba": 0, "deposits": 1, "dora": "3m",
     "hand": "123m 456p 44s", "draw": "7s", "melds": {"S": ["pon C C + C"]},
     "rivers": {"E": "9p W_ C^S", "S": "1s", "W": "2m! 4s_", "N": "1m"},
     "accept": ["7s", "riichi 4s"], "why": "...", "judge": "ukeire",
     "translations": {"ja": {"question": "...", "why": "..."}}}

``hand`` is the concealed hand without ``draw``; if nothing was drawn, the question is about the last discard.
In a river, ``_`` follows a tile discarded as drawn, ``!`` one that declared riichi, ``^S`` one that South
called. Melds and kans are written as `manue.game.position_text` has them; ``kan_dora`` lists the indicators
that kans revealed (``["5p"]``). ``scores`` and ``deposits`` are the current ones, after paid riichi sticks.
Defaults: 25000 points each, nothing on the table, empty rivers. ``accept`` lists answers as written by
`answers_of`, or just their first word (``riichi``, ``pon``, ``pass``). ``judge`` is the criterion that tests
compare the answers with: ``ukeire`` (exactly the discards with the most useful tiles at the lowest shanten),
``tie`` (some of these: something else decides between them) or ``shanten`` (discards at the lowest shanten).
``translations`` has the question and the reason in other languages of `manue.language.messages.LANGUAGES`; a
page falls back on these.
"""

import json
from dataclasses import fields
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field, ValidationError

from manue.agents.base import Agent, Decision
from manue.errors import PositionError, ProblemError, TileError
from manue.game.actions import Action, Discard, Riichi
from manue.game.events import Event
from manue.game.legal import legal_actions, riichi_discards
from manue.game.position import START_POINTS, Position
from manue.game.state import RoundState
from manue.language.messages import LANGUAGES
from manue.player import Player
from manue.protocol.fields import TileName
from manue.protocol.messages import Model
from manue.tiles import Seat, parse_tiles
from manue.whole_files import is_special

DEFAULT_BOOK = Path(str(files("manue.problem_book")))
"""The book that comes with the package."""
SeatName = Literal["E", "S", "W", "N"]


def _all_equal() -> dict[SeatName, int]:
    return {"E": START_POINTS, "S": START_POINTS, "W": START_POINTS, "N": START_POINTS}


class Words(Model):
    """What a problem says, in one language."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: Annotated[str, Field(min_length=1)]
    why: Annotated[str, Field(min_length=1)]


def _language(name: str) -> str:
    """Return the name of a language other than English, in which the problem itself is written."""
    others = LANGUAGES[1:]
    if name not in others:
        raise ValueError(f"is none of {', '.join(others)}")
    return name


class Problem(Words):
    """One position, its question and its answers; the module describes the fields."""

    id: Annotated[str, Field(min_length=1)]
    round: str
    seat: SeatName
    dora: TileName
    hand: str
    accept: Annotated[list[str], Field(min_length=1)]
    draw: TileName | None = None
    kan_dora: list[TileName] = Field(default_factory=list)
    honba: Annotated[int, Field(ge=0)] = 0
    deposits: Annotated[int, Field(ge=0)] = 0
    scores: dict[SeatName, int] = Field(default_factory=_all_equal)
    melds: dict[SeatName, list[str]] = Field(default_factory=dict)
    rivers: dict[SeatName, str] = Field(default_factory=dict)
    judge: Literal["ukeire", "tie", "shanten"] | None = None
    translations: dict[Annotated[str, AfterValidator(_language)], Words] = Field(default_factory=dict)
    theme: str = ""
    source: str = ""  # the file, for error messages

    def error(self, reason: object) -> ProblemError:
        """Return an error that names this problem and says what is wrong with it."""
        return ProblemError(f"{self.source or 'problem book'}: problem {self.id!r}: {reason}")


class _File(Model):
    model_config = ConfigDict(extra="forbid")

    theme: Annotated[str, Field(min_length=1)]
    problems: list[Problem]


# ---- the book


def load_book(path: Path) -> list[Problem]:
    """Read a problem book: a folder of JSON files, or a single file.

    Raises
    ------
    ProblemError
        If a file or problem cannot be read, or a problem occurs twice; the message names it.
    """
    if not path.exists():
        raise ProblemError(f"{path}: no problem book there")
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    book = [problem for file in files for problem in _load_file(file)]
    if not book:
        raise ProblemError(f"{path}: no problems in it")
    seen: set[str] = set()
    for problem in book:
        if problem.id in seen:
            raise problem.error("occurs twice in the book")
        seen.add(problem.id)
    return book


def _load_file(file: Path) -> list[Problem]:
    if is_special(file):
        raise ProblemError(f"{file}: not a regular file")
    try:
        raw = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProblemError(f"{file}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise ProblemError(f"{file}: not a problem book: not JSON ({error})") from None
    try:
        content = _File.model_validate(raw)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise ProblemError(f"{file}: {_where(raw, fault['loc'])}: {fault['msg']}") from None
    extra = {"theme": content.theme, "source": str(file)}
    return [problem.model_copy(update=extra) for problem in content.problems]


def _where(raw: object, location: tuple[int | str, ...]) -> str:
    """Return the place of an error, naming a problem by its id if it has one."""
    match location, raw:
        case ("problems", int(at), *rest), {"problems": list(problems)} if at < len(problems):
            entry = problems[at]
            name = entry.get("id") if isinstance(entry, dict) else None
            shown = repr(name) if name else f"number {at + 1}"
            return ", ".join([f"problem {shown}", *map(str, rest)])
    return ".".join(map(str, location)) or "the whole file"


# ---- from a problem to a state


def as_position(problem: Problem) -> Position:
    """Return the position that a problem describes; raises TileError if its hand cannot be read."""
    same = {field.name for field in fields(Position)} - {"hand", "kan_dora"}
    return Position(
        hand=tuple(parse_tiles(problem.hand)),
        kan_dora=tuple(problem.kan_dora),
        **problem.model_dump(include=same),
    )


def state_of(problem: Problem) -> RoundState:
    """Return the state in which the question is asked.

    Raises
    ------
    ProblemError
        If the position is impossible, there is nothing to decide, an accepted answer is not legal, or every
        legal answer is accepted.
    """
    try:
        state = as_position(problem).state()
    except (PositionError, TileError) as error:
        raise problem.error(error) from None
    answers = answers_of(state)
    for accepted in problem.accept:
        if not any(_matches(accepted, answer) for answer in answers):
            raise problem.error(f"accepts {accepted!r}, which is not legal; legal: {', '.join(answers)}")
    if all(accepts(problem, answer) for answer in answers):
        raise problem.error("accepts every legal answer")
    return state


def seat_of(problem: Problem) -> Seat:
    """Return the absolute seat that is asked."""
    try:
        return as_position(problem).own_seat()
    except PositionError as error:
        raise problem.error(error) from None


def events_of(problem: Problem) -> list[Event]:
    """Return the events of the round up to the question, with the others' hands hidden.

    Draws of the answering seat that the problem does not give are tiles of its final hand, in order.

    Raises
    ------
    ProblemError
        If rivers, melds, points or the size of the hand do not fit together.
    """
    try:
        return as_position(problem).events()
    except (PositionError, TileError) as error:
        raise problem.error(error) from None


def decide(problem: Problem, agent: Agent) -> tuple[Player, Decision]:
    """Put a problem to an agent; return the player at its seat, and what it decided.

    Raises
    ------
    ProblemError
        If the position makes no sense.
    IllegalActionError
        If the agent chooses something that is not legal.
    """
    state_of(problem)
    player = Player(seat_of(problem), agent)
    for event in events_of(problem):
        player.observe(event)
    return player, player.decide(legal_actions(player.state))


# ---- answers


def answers_of(state: RoundState) -> tuple[str, ...]:
    """Return all legal answers as text: ``3m``, ``riichi 3m``, ``pon E E + E``, ``pass``; each once."""
    answers: list[str] = []
    for action in legal_actions(state):
        if isinstance(action, Riichi):
            answers += [f"riichi {discard.tile}" for discard in riichi_discards(state)]
        else:
            answers.append(answer_text(action))
    return tuple(dict.fromkeys(answers))


def answer_text(action: Action, discard: Discard | None = None) -> str:
    """Return an answer as text; whether a discarded tile was just drawn makes no difference."""
    if isinstance(action, Discard):
        return action.tile
    if isinstance(action, Riichi) and discard is not None:
        return f"riichi {discard.tile}"
    return action.label


def _matches(accepted: str, answer: str) -> bool:
    return answer == accepted or answer.partition(" ")[0] == accepted


def accepts(problem: Problem, answer: str) -> bool:
    """Return whether an answer is among the accepted ones."""
    return any(_matches(accepted, answer) for accepted in problem.accept)
