"""``manue review`` of several games at once: a page for each, and an index over them."""

import argparse
import json
from dataclasses import asdict

from manue.agents.base import Agent
from manue.as_text import known
from manue.errors import UsageError
from manue.foreign import MESSAGE, printable
from manue.language.messages import Messages, messages
from manue.review.index_page import count_games
from manue.review.many import ReviewedGames, ReviewSettings, review_many
from manue.rules import RULES
from manue.stderr import note, report


def run_review_of_many(options: argparse.Namespace, agent: Agent) -> int:
    """Review all games, print their measures, and write what `review_many` writes into ``--output``.

    Returns
    -------
    int
        The exit code: 1 if a record was not read or not reviewed.

    Raises
    ------
    UsageError
        If an option does not go with several games.
    """
    if options.annotated is not None or options.game is not None:
        raise UsageError("--log and --game go with one game")
    settings = ReviewSettings(
        agent=agent,
        spec=options.agent,
        seat=options.seat,
        rules=RULES[options.rules],
        last_round=options.last_round,
        folder=options.output,
        language=options.lang,
    )
    reviewed = review_many(options.logs, settings)
    _report(reviewed, options, messages(options.lang or "en"))
    return 1 if reviewed.skipped else 0


def _report(reviewed: ReviewedGames, options: argparse.Namespace, words: Messages) -> None:
    for line in (*reviewed.partly, *reviewed.skipped):
        report(printable(line, MESSAGE))
    if options.json:
        fields = [asdict(game) for game in reviewed.games]
        if options.output is None:
            fields = [one | {"page": None} for one in fields]
        print(json.dumps(fields, ensure_ascii=False, indent=2))
        return
    for game in reviewed.games:
        lost = known(game.lost, ".1f")
        title, name = printable(game.title), printable(game.in_language(words).name)
        unfinished = game.place is None
        place = words.text("game.unfinished") if unfinished else words.text("result.place", n=game.place)
        print(f"{title}  {name}  {place}  {known(game.score, ',d')}  {lost}")
    if options.output is not None:
        path = printable(options.output / "index.html", MESSAGE)
        note(
            words.text("index.wrote", path=path, n=count_games(reviewed.games), skipped=len(reviewed.skipped))
        )
