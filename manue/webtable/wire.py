"""What the page may say to the table: a few messages in JSON, each checked field by field."""

from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import Field, TypeAdapter, ValidationError

from manue.errors import ProtocolError
from manue.protocol.messages import Model

HelpLevel: TypeAlias = Literal["none", "tiles", "danger", "all", "coach"]
"""What a player is shown before a choice: nothing; shanten and useful tiles; danger; everything that
``manue`` thinks. With ``coach`` it is nothing before the choice, and everything after it."""
HELP_LEVELS: tuple[HelpLevel, ...] = get_args(HelpLevel)
MAX_MESSAGE = 1 << 12
"""Longest message of a page, in bytes."""

Number: TypeAlias = Annotated[int, Field(ge=0, le=1 << 31)]


class Choose(Model):
    """The choice of an option, by its number in the request; a riichi with that of its discard."""

    type: Literal["choose"]
    request: Number
    option: Number
    then: Number | None = None


class Proceed(Model):
    """The result of a round has been seen."""

    type: Literal["proceed"]
    request: Number


class SetHelp(Model):
    """Another kind of help is wanted."""

    type: Literal["help"]
    level: HelpLevel


class Alive(Model):
    """The page asks whether it is heard; the table says the same."""

    type: Literal["alive"]


class Again(Model):
    """The game is over, and the player wants another one."""

    type: Literal["again"]


class Leave(Model):
    """The player leaves the table, for good."""

    type: Literal["leave"]


FromPage: TypeAlias = Choose | Proceed | SetHelp | Alive | Again | Leave
_FROM_PAGE: TypeAdapter[FromPage] = TypeAdapter(Annotated[FromPage, Field(discriminator="type")])


def parse_from_page(text: str | bytes) -> FromPage:
    """Parse a message of the page.

    Raises
    ------
    ProtocolError
        If it is none of the known messages, or lacks a field.
    """
    try:
        return _FROM_PAGE.validate_json(text)
    except ValidationError as error:
        raise ProtocolError(f"not a message of the page: {error.errors()[0]['msg']}") from None
