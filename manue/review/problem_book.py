"""A problem book: positions with the answers that a textbook accepts.

A book is a folder of JSON files, one per theme: ``{"theme": "calls", "problems": [...]}``. A problem names
the seats by their winds in the round::

    {"id": "value-pon", "question": "...", "round": "E2", "seat": "S",
     "scores": {"E": 25000, "S": 24000, "W": 25000, "N": 25000}, "honba": 0, "deposits": 1, "dora": "3m",
     "hand": "123m 456p 44s", "draw": "7s", "melds": {"S": ["pon C C + C"]},
     "rivers": {"E": "9p W_ C^S", "S": "1s", "W": "2m! 4s_", "N": "1m"},
     "accept": ["7s", "riichi 4s"], "why": "...", "judge": "ukeire"}

``hand`` is the concealed hand without ``draw``; if nothing was drawn, the question is about the last discard.
In a river, ``_`` follows a tile discarded as drawn, ``!`` one that declared riichi, ``^S`` one that South
called. ``scores`` and ``deposits`` are the current ones, after paid riichi sticks. Defaults: 25000 points
each, nothing on the table, empty rivers. ``accept`` lists answers as written by `answers_of`, or just their
first word (``riichi``, ``pon``, ``pass``). ``judge`` is the criterion that tests compare the answers with:
``ukeire`` (exactly the discards with the most useful tiles at the lowest shanten), ``tie`` (some of these:
something else decides between them) or ``shanten`` (discards at the lowest shanten).
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, ValidationError

from manue.errors import EventError, ProblemError, TileError
from manue.game.actions import Action, Call, Discard, Riichi
from manue.game.consistency import problems
from manue.game.events import (
    Called,
    Discarded,
    Draw,
    Event,
    RiichiAccepted,
    RiichiDeclared,
    RoundStart,
)
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.game.waits import waits_of
from manue.protocol.annotation import describe
from manue.protocol.fields import TileName
from manue.protocol.messages import Model
from manue.tiles import KIND_OF, WINDS, Seat, Tile, Wind, parse_tile, parse_tiles

_RiverTile = tuple[Tile, bool, bool, Seat | None]
"""A tile, whether it was just drawn, whether it declared riichi, and who called it."""
SeatName = Literal["E", "S", "W", "N"]
ALL_POINTS = 100_000

_ROUND = re.compile(r"([ESW])([1-4])")
_RIVER_TILE = re.compile(r"([1-9][mps]r?|[ESWNPFC])(_?)(!?)(?:\^([ESWN]))?")
_MELD = re.compile(r"(chi|pon) (\S+) (\S+) \+ (\S+)")


def _all_equal() -> dict[SeatName, int]:
    return {"E": 25_000, "S": 25_000, "W": 25_000, "N": 25_000}


class Problem(Model):
    """One position, its question and its answers; the module describes the fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(min_length=1)]
    question: Annotated[str, Field(min_length=1)]
    round: str
    seat: SeatName
    dora: TileName
    hand: str
    accept: Annotated[list[str], Field(min_length=1)]
    why: Annotated[str, Field(min_length=1)]
    draw: TileName | None = None
    honba: Annotated[int, Field(ge=0)] = 0
    deposits: Annotated[int, Field(ge=0)] = 0
    scores: dict[SeatName, int] = Field(default_factory=_all_equal)
    melds: dict[SeatName, list[str]] = Field(default_factory=dict)
    rivers: dict[SeatName, str] = Field(default_factory=dict)
    judge: Literal["ukeire", "tie", "shanten"] | None = None
    theme: str = ""
    source: str = ""  # the file, for error messages

    def fail(self, reason: object) -> ProblemError:
        """Return an error that names this problem and says what is wrong with it."""
        return ProblemError(f"{self.source or 'problem book'}: problem {self.id!r}: {reason}")


class _File(Model):
    model_config = ConfigDict(extra="forbid")

    theme: Annotated[str, Field(min_length=1)]
    problems: list[Problem]


@dataclass(frozen=True, slots=True)
class _Discarding:
    """A tile in a river, and the call that preceded it if it did not follow a draw."""

    seat: Seat
    tile: Tile
    from_draw: bool
    riichi: bool
    called_by: Seat | None
    call: Call | None


# ---- the book


def load_book(path: Path) -> list[Problem]:
    """Read a problem book: a folder of JSON files, or a single file.

    Raises
    ------
    ProblemError
        If a file or problem cannot be read, or a problem occurs twice; the message names it.
    """
    if not path.exists():
        raise ProblemError(f"{path}: no problem book there (there is one in data/problems of a checkout)")
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    book = [problem for file in files for problem in _load_file(file)]
    if not book:
        raise ProblemError(f"{path}: no problems in it")
    seen: set[str] = set()
    for problem in book:
        if problem.id in seen:
            raise problem.fail("occurs twice in the book")
        seen.add(problem.id)
    return book


def _load_file(file: Path) -> list[Problem]:
    try:
        raw = json.loads(file.read_text(encoding="utf-8"))
        content = _File.model_validate(raw)
    except (OSError, ValueError) as error:
        if not isinstance(error, ValidationError):
            raise ProblemError(f"{file}: {error}") from None
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


def position_of(problem: Problem) -> RoundState:
    """Return the state in which the question is asked.

    Raises
    ------
    ProblemError
        If the position is impossible, there is nothing to decide, an accepted answer is not legal, or every
        legal answer is accepted.
    """
    state = RoundState(seat_of(problem))
    try:
        for event in events_of(problem):
            state.apply(event)
        wrong = problems(state)
    except (EventError, TileError) as error:
        raise problem.fail(error) from None
    if wrong:
        raise problem.fail("; ".join(wrong))
    answers = answers_of(state)
    for accepted in problem.accept:
        if not any(_is(accepted, answer) for answer in answers):
            raise problem.fail(f"accepts {accepted!r}, which is not legal; legal: {', '.join(answers)}")
    if all(accepts(problem, answer) for answer in answers):
        raise problem.fail("accepts every legal answer")
    return state


def seat_of(problem: Problem) -> Seat:
    """Return the absolute seat that has to answer."""
    return _absolute(problem, problem.seat)


def _round_of(problem: Problem) -> tuple[Wind, int]:
    found = _ROUND.fullmatch(problem.round)
    if found is None:
        raise problem.fail(f"round {problem.round!r} is not E1..W4")
    return found[1], int(found[2])


def _absolute(problem: Problem, wind: Wind) -> Seat:
    return (_round_of(problem)[1] - 1 + WINDS.index(wind)) % 4


def events_of(problem: Problem) -> list[Event]:
    """Return the events of the round up to the question, with the others' hands hidden.

    Draws of the answering seat that the problem does not give are tiles of its final hand, in order.

    Raises
    ------
    ProblemError
        If rivers, melds, points or the size of the hand do not fit together.
    """
    steps = _steps(problem)
    own = seat_of(problem)
    hand, draws = _own_draws(problem, [step for step in steps if step.seat == own])
    events: list[Event] = [_start(problem, steps, hand)]
    owing: Seat | None = None
    for step in steps:
        if owing is not None:
            events.append(RiichiAccepted(owing))
        if step.call is not None:
            events.append(Called(step.seat, step.call))
        else:
            events.append(Draw(step.seat, next(draws) if step.seat == own else None))
        if step.riichi:
            events.append(RiichiDeclared(step.seat))
        events.append(Discarded(step.seat, step.tile, step.from_draw))
        owing = step.seat if step.riichi else None
    if problem.draw is not None:
        events += [RiichiAccepted(owing)] if owing is not None else []
        events.append(Draw(own, problem.draw))
    return events


def _start(problem: Problem, steps: list[_Discarding], hand: tuple[Tile, ...]) -> RoundStart:
    wind, number = _round_of(problem)
    if len(problem.scores) != 4 or sum(problem.scores.values()) + 1000 * problem.deposits != ALL_POINTS:
        raise problem.fail(f"the four scores and the deposits must add up to {ALL_POINTS} points")
    paid = [step.seat for step in steps if step.riichi]
    if paid and problem.draw is None and steps[-1].riichi:
        paid.pop()
    scores = [0] * 4
    for name, points in problem.scores.items():
        scores[_absolute(problem, name)] = points
    for seat in paid:
        scores[seat] += 1000
    if problem.deposits < len(paid):
        raise problem.fail(f"{problem.deposits} deposits with {len(paid)} riichi paid")
    own = seat_of(problem)
    hidden = (None,) * 13
    return RoundStart(
        round_wind=wind,
        number=number,
        honba=problem.honba,
        deposits=problem.deposits - len(paid),
        dealer=number - 1,
        dora_indicator=problem.dora,
        hands=tuple(hand if seat == own else hidden for seat in range(4)),
        scores=tuple(scores),
    )


def _steps(problem: Problem) -> list[_Discarding]:
    """Return the discards of the four rivers in the order in which they were made."""
    rivers = {_absolute(problem, wind): _river(problem, text) for wind, text in problem.rivers.items()}
    melds = {_absolute(problem, wind): iter(texts) for wind, texts in problem.melds.items()}
    left = {seat: iter(rivers.get(seat, [])) for seat in range(4)}
    steps: list[_Discarding] = []
    turn, call = _round_of(problem)[1] - 1, None
    while (item := next(left[turn], None)) is not None:
        tile, from_draw, riichi, caller = item
        steps.append(_Discarding(turn, tile, from_draw, riichi, caller, call))
        call = None if caller is None else _call(problem, next(melds.get(caller, iter(())), None), turn, tile)
        turn = (turn + 1) % 4 if caller is None else caller
    _check_all_used(problem, turn, call, left, melds)
    if problem.draw is None and (not steps or steps[-1].seat == seat_of(problem)):
        raise problem.fail("nothing was drawn, and the last discard is not another seat's")
    return steps


def _check_all_used(
    problem: Problem,
    turn: Seat,
    call: Call | None,
    left: Mapping[Seat, Iterator[_RiverTile]],
    melds: Mapping[Seat, Iterator[str]],
) -> None:
    """Require that rivers and melds are used up when the question is asked."""
    names = {_absolute(problem, wind): wind for wind in WINDS}
    if call is not None:
        raise problem.fail(f"{names[turn]} does not discard after its call")
    for seat in range(4):
        if next(left[seat], None) is not None:
            raise problem.fail(f"the river of {names[turn]} ends before that of {names[seat]}")
        if (text := next(melds.get(seat, iter(())), None)) is not None:
            raise problem.fail(f"no discard is marked as called for {text!r} of {names[seat]}")
    if problem.draw is not None and turn != seat_of(problem):
        raise problem.fail(f"draws a tile on the turn of {names[turn]}")


def _river(problem: Problem, text: str) -> list[_RiverTile]:
    items = []
    for word in text.split():
        found = _RIVER_TILE.fullmatch(word)
        if found is None:
            raise problem.fail(f"{word!r} is not a river tile")
        caller = None if found[4] is None else _absolute(problem, found[4])
        items.append((parse_tile(found[1]), bool(found[2]), bool(found[3]), caller))
    return items


def _call(problem: Problem, text: str | None, source: Seat, tile: Tile) -> Call:
    found = None if text is None else _MELD.fullmatch(text)
    if found is None or found[4] != tile:
        raise problem.fail(f"{tile} was called, but the next meld of the caller is {text!r}")
    kind: Literal["chi", "pon"] = "chi" if found[1] == "chi" else "pon"
    return Call(kind, (parse_tile(found[2]), parse_tile(found[3])), tile, source)


def _own_draws(problem: Problem, steps: list[_Discarding]) -> tuple[tuple[Tile, ...], Iterator[Tile]]:
    """Return the tiles dealt to the answering seat and its draws, so that the hand of the problem is left."""
    dealt = parse_tiles(problem.hand)
    size = 13 - 3 * sum(step.call is not None for step in steps)
    if len(dealt) != size:
        raise problem.fail(f"a hand of {len(dealt)} tiles, {size} expected without the drawn one")
    draws: list[Tile] = []
    started: list[Tile] = []
    for step in steps:
        if step.call is not None:
            started += [*step.call.consumed, step.tile]
        elif step.from_draw:
            draws.append(step.tile)
        elif dealt:
            draws.append(dealt.pop(0))
            started.append(step.tile)
        else:
            raise problem.fail("more discards from the hand than it has tiles")
    return (*dealt, *started), iter(draws)


# ---- answers


def answers_of(state: RoundState) -> tuple[str, ...]:
    """Return all legal answers as text: ``3m``, ``riichi 3m``, ``pon E E + E``, ``pass``; each once."""
    answers: list[str] = []
    for action in legal_actions(state):
        if isinstance(action, Riichi):
            answers += [f"riichi {tile}" for tile in _riichi_tiles(state)]
        else:
            answers.append(answer_text(action))
    return tuple(dict.fromkeys(answers))


def _riichi_tiles(state: RoundState) -> Iterator[Tile]:
    """Return the discards to declare riichi with: those that leave a hand in tenpai."""
    for tile in dict.fromkeys(state.hand):
        counts = state.counts.copy()
        counts[KIND_OF[tile]] -= 1
        if waits_of(counts, len(state.me.melds)):
            yield tile


def answer_text(action: Action, discard: Discard | None = None) -> str:
    """Return an answer as text; whether a discarded tile was just drawn makes no difference."""
    if isinstance(action, Discard):
        return action.tile
    if isinstance(action, Riichi) and discard is not None:
        return f"riichi {discard.tile}"
    return describe(action)


def _is(accepted: str, answer: str) -> bool:
    return answer == accepted or answer.partition(" ")[0] == accepted


def accepts(problem: Problem, answer: str) -> bool:
    """Return whether an answer is among the accepted ones."""
    return any(_is(accepted, answer) for accepted in problem.accept)
