"""The lines of ``results.jsonl``, one for each finished game of a match, checked as they are read."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from manue.errors import UsageError
from manue.foreign import printable
from manue.table.situations import DIVISIONS, parts_of
from manue.table.tally import SeatTally

MAX_NUMBER = 10**12
"""No number in a line of results is larger: every sum of them is exact and can be written."""


def _encodable(text: str) -> str:
    text.encode()  # half of a surrogate pair is a ValueError here, not where the report is written
    return text


Count = Annotated[int, Field(ge=0, le=MAX_NUMBER)]
Milliseconds = Annotated[float, Field(ge=0, le=MAX_NUMBER)]
Text = Annotated[str, AfterValidator(_encodable)]
PlacesOfSeats = Annotated[list[Annotated[int, Field(ge=1, le=4)]], Field(min_length=4, max_length=4)]
Change = Annotated[int, Field(ge=-MAX_NUMBER, le=MAX_NUMBER)]
PointsOfSeats = Annotated[list[Change], Field(min_length=4, max_length=4)]
CountsOfSeats = Annotated[list[dict[str, Count]], Field(min_length=4, max_length=4)]


class _Checked(BaseModel):
    model_config = ConfigDict(strict=True, allow_inf_nan=False)


class _Fault(_Checked):
    seat: Annotated[int, Field(ge=0, le=3)]
    kind: Text
    reason: Text

    lost: bool = False


def _known_cell(text: str) -> str:
    parts = text.split("/")
    if len(parts) != 4 or not all(
        part in known for part, known in zip(parts_of(text), DIVISIONS.values(), strict=True)
    ):
        raise ValueError("unknown situation")
    return text


def _with_rounds(values: list[int]) -> list[int]:
    if values[0] < 1:
        raise ValueError("a situation without a round")
    return values


class _Situations(_Checked):
    """What `manue.table.situations.Situations.to_json` says of a seat."""

    start: Count
    cells: Annotated[
        dict[
            Annotated[str, AfterValidator(_known_cell)],
            Annotated[list[Change], Field(min_length=3, max_length=3), AfterValidator(_with_rounds)],
        ],
        Field(min_length=1),
    ]


class _Timing(_Checked):
    total_ms: Milliseconds
    max_ms: Milliseconds
    bins: dict[Annotated[str, Field(pattern=r"^-?\d{1,6}$")], Count]


class _Line(_Checked):
    """What the summary and the report rely on in a line of results."""

    game: Count
    wall: Count
    agents: Annotated[list[Text], Field(min_length=4, max_length=4)]
    scores: PointsOfSeats
    placements: PlacesOfSeats
    rounds: Count
    draws: Count
    seats: CountsOfSeats
    faults: list[_Fault]
    log: Text | None
    timings: Annotated[list[_Timing], Field(min_length=4, max_length=4)]
    situations: Annotated[list[_Situations], Field(min_length=4, max_length=4)] = []


def _checked(text: bytes, where: str) -> dict[str, Any]:
    """Decode a line of results; raises UsageError that says where."""
    try:
        line: dict[str, Any] = json.loads(text)
        _Line.model_validate(line)
        for tally in line["seats"]:
            SeatTally(**tally)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{where}: {printable(field)}: {first['msg']}") from None
    except (ValueError, TypeError, RecursionError) as error:
        raise UsageError(f"{where}: {printable(error)}") from None
    return line


def finished_games(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the games in the folder of a match, each once, in the order in which they finished."""
    seen: set[int] = set()
    with (path / "results.jsonl").open("rb") as file:
        for number, text in enumerate(file, 1):
            line = _checked(text, f"{path / 'results.jsonl'}, line {number}")
            if line["game"] not in seen:
                seen.add(line["game"])
                yield line
