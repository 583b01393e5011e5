"""A page for every game of a match, linked in its report."""

from pathlib import Path

from manue.progress import progress
from manue.records.archive import read_games
from manue.records.finding import find_logs
from manue.review.page import page_data, page_html
from manue.rules import TENHOU, Rules
from manue.whole_files import write_whole


def write_pages(folder: Path, language: str | None = None, rules: Rules = TENHOU) -> None:
    """Make ``pages/NNNNNN.html`` for every game in the folder of a match.

    A page that is there already stays, unless a language is asked for.

    Parameters
    ----------
    folder : Path
    language : str, optional
        As for `manue.review.page.page_html`.
    rules : Rules
        Of the match.
    """
    (folder / "pages").mkdir(exist_ok=True)
    logs = find_logs([folder / "games"])
    with progress("pages", len(logs)) as advance:
        for log in logs:
            page = folder / "pages" / f"{log.name.removesuffix('.mjson.gz')}.html"
            if language is not None or not page.exists():
                for game in read_games(log):
                    data = page_data(game, source=log.name, title=log.name, rules=rules)
                    data |= {"title": None, "number": page.stem}
                    write_whole(page, page_html(data, language))
            advance(1)
