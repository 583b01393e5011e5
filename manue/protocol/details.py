"""What an option's annotation may have in addition to its columns, converted to data and back.

``explain``
    By absolute seat, ``null`` where there is no reason: ``{"path": [words, ...], "rated": p,
    "words": [[key, n, weight], ...]}``: the facts that contribute most to the danger, the probability that
    the decision used, and the facts as keys of texts with the number named and what they add to the log-odds.
    Logs of earlier versions have ``prob`` and ``samples`` instead: the share of deal-ins among comparable
    cases, and their number.
``goals``
    Most frequent target hands: ``{"tiles": [...], "prob": p, "points": x, "yaku": [names]}``.
``outcome``
    Distribution of this seat's score change: ``[[points, prob], ...]``, points ascending.
``useful``
    Names of the tiles that bring the hand closer to a win, as far as a copy is left.
``rollout``
    What playing on gave: ``{"worlds": n, "gain": x, "error": x, "points": x, "rank": r}``; ``gain`` is over
    the chosen option, ``error`` half its 95 % interval (`manue.decision.report.Rollout`).
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any

from pydantic import ConfigDict, Field, ValidationError

from manue.decision.report import Details, Reason, Rollout, WinningHand
from manue.errors import ProtocolError
from manue.protocol.codec import Fields
from manue.protocol.fields import TileName
from manue.protocol.messages import Model

Probability = Annotated[float, Field(ge=0, le=1, strict=False)]
Pair = Annotated[list[float], Field(min_length=2, max_length=2)]


_Word = Annotated[tuple[str, int | None, float], Field(strict=False)]


class _Finite(Model):
    model_config = ConfigDict(allow_inf_nan=False)


class _Reason(_Finite):
    path: list[str]
    prob: Probability | None = None
    samples: int | None = None
    rated: Probability | None = None
    words: list[_Word] | None = None


class _Hand(_Finite):
    tiles: list[TileName]
    prob: Probability | None = None
    points: float | None = None
    yaku: list[str] | None = None


class _Rollout(_Finite):
    worlds: Annotated[int, Field(gt=0)]
    gain: float
    error: Annotated[float, Field(ge=0)]
    points: float
    rank: Annotated[float, Field(ge=1, le=4)]


class _Details(_Finite):
    explain: Annotated[list[_Reason | None], Field(max_length=4)] | None = None
    goals: list[_Hand] | None = None
    outcome: list[Pair] | None = None
    useful: list[TileName] | None = None
    rollout: _Rollout | None = None


def details_to_fields(details: Details) -> Fields:
    """Return the details as data, without empty ones."""
    fields: Fields = {
        "explain": [None if reason is None else _reason_fields(reason) for reason in details.explain],
        "goals": [_fields_of(asdict(hand), prob=5, points=0) for hand in details.targets],
        "outcome": [[_short(points, 0), _short(prob, 5)] for points, prob in details.outcome],
    }
    fields = {name: value for name, value in fields.items() if value}
    if details.useful is not None:
        fields["useful"] = list(details.useful)
    if details.rollout is not None:
        fields["rollout"] = _fields_of(asdict(details.rollout), gain=1, error=1, points=1, rank=4)
    return fields


def _reason_fields(reason: Reason) -> Fields:
    fields = _fields_of(asdict(reason), prob=4, rated=4)
    words = [[key, number, round(weight, 3)] for key, number, weight in reason.words]
    return fields | {"words": words} if words else {name: fields[name] for name in fields if name != "words"}


def _fields_of(values: dict[str, Any], **decimals: int) -> Fields:
    """Turn tuples into lists, round numbers, and leave out unknown values."""
    fields: Fields = {}
    for name, value in values.items():
        if isinstance(value, tuple):
            fields[name] = list(value)
        elif value is not None:
            fields[name] = _short(value, decimals[name]) if name in decimals else value
    return fields


def _short(value: float, decimals: int) -> float:
    return round(value, decimals) if decimals else round(value)


def fields_to_details(candidate: Mapping[str, Any]) -> Details | None:
    """Return the details of a candidate; ``None`` if it has none.

    Raises
    ------
    ProtocolError
        If a field is not as described above; the message names the first one.
    """
    if not any(candidate.get(name) is not None for name in _Details.model_fields):
        return None
    try:
        found = _Details.model_validate(dict(candidate))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ProtocolError(f"{place}: {first['msg']}") from None
    return Details(
        tuple(
            None
            if entry is None
            else Reason(tuple(entry.path), entry.prob, entry.samples, entry.rated, tuple(entry.words or ()))
            for entry in found.explain or ()
        ),
        tuple(
            WinningHand(tuple(hand.tiles), hand.prob, hand.points, tuple(hand.yaku or ()))
            for hand in found.goals or ()
        ),
        tuple((points, prob) for points, prob in found.outcome or ()),
        None if found.useful is None else tuple(found.useful),
        None if found.rollout is None else Rollout(**found.rollout.model_dump()),
    )
