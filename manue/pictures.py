"""Pictures by matplotlib, which comes with the extra ``plots``."""

from typing import TYPE_CHECKING

from manue.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def figure_class() -> type["Figure"]:
    """Return matplotlib's class of pictures.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  an optional extra, needed only here
    except ImportError as error:
        raise MissingExtraError("matplotlib", "plots") from error
    return Figure
