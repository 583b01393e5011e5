"""``manue table``: sit down at a table in the browser."""

import argparse
import logging
import secrets
import webbrowser
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from manue.agents.manue import Manue
from manue.agents.registry import SPEC_HELP
from manue.commands.game_options import add_game
from manue.commands.limit_options import add_limits, given_limits
from manue.commands.options import add_language, path, player_name, port, whole
from manue.commands.outputs import check_outputs
from manue.errors import AbandonedError, UsageError
from manue.foreign import printable
from manue.rules import RULES
from manue.stderr import report
from manue.table.game_log import GameLog
from manue.table.referee import engine_rules
from manue.table.specs import check_specs, split_specs
from manue.table.table import GameRecord
from manue.table.tcp_listener import MAX_NAME, check_listening
from manue.webtable.game_review import GameReview
from manue.webtable.screen import Screen
from manue.webtable.server import TableServer
from manue.webtable.table_game import ME, TableGame, checked_seats, play, review_page
from manue.webtable.wire import HELP_LEVELS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--seats",
        default=f"{ME},manue,manue,manue",
        metavar="A,B,...",
        help=f"the four players by seat: {ME!r} is you, the others are agents "
        f"({SPEC_HELP}) or bots as in manue match (default: %(default)s)",
    )
    parser.add_argument(
        "--name", type=player_name, default="Player", help="your name at the table (default: %(default)s)"
    )
    add_game(parser)
    parser.add_argument(
        "--help-level",
        choices=HELP_LEVELS,
        default="none",
        help="help at first: none, shanten and useful tiles, danger, everything manue thinks, or a coach who "
        "judges each choice after it; the page has a switch (default: %(default)s)",
    )
    parser.add_argument("--seed", type=whole, help="seed of the walls (default: another one each time)")
    add_limits(parser)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=port, default=0, help="TCP port (default: any that is free)")
    add_language(parser, "the page (default: the browser's)")
    parser.add_argument("--no-browser", action="store_true", help="only print the link")
    parser.add_argument(
        "--log",
        type=path,
        metavar="FILE",
        help="where the game is logged (default: table-DATE-TIME.mjson.gz in this folder)",
    )


def run(options: argparse.Namespace) -> int:
    """Play games in the browser, and serve their reviews until the player leaves."""
    logging.getLogger("websockets").setLevel(logging.CRITICAL)  # not every browser that comes and goes
    engine_rules(RULES[options.rules])  # report at once what no game could be played without
    game = _table_game(options)
    check_outputs([game.log], [])
    if game.log.exists():
        raise UsageError(f"{game.log} is there already; choose another --log")
    check_listening(options.host, options.port)
    check_specs([*(spec for spec in game.seats if spec != ME), "manue"])
    agent = Manue()
    screen = Screen({"names": game.names(), "seat": game.me, "level": options.help_level})
    reviews: list[GameReview] = []
    token = secrets.token_urlsafe(16)
    server = TableServer(options.host, options.port, screen, token, reviews, options.lang)

    def invite() -> None:
        """Say where the table is."""
        _invite(server.url, browser=not options.no_browser)

    def over(game: TableGame) -> None:
        """Offer the review of a game just played."""
        reviews.append(GameReview(partial(review_page, game, agent, options.lang)))

    server.start()
    try:
        _play_on(game, over, screen, agent, invite)
    finally:
        server.close()
    return 0


def _play_on(
    game: TableGame,
    over: Callable[[TableGame], None],
    screen: Screen,
    agent: Manue,
    invite: Callable[[], None],
) -> None:
    """Play games until the player leaves; ``over`` is called with each that is finished."""
    while True:
        record = _play(game, screen, agent, invite if game.number == 1 else lambda: None)
        if record is None:
            return
        over(game)
        _report(game, record)
        result = {"scores": record.scores, "places": record.places, "log": str(game.log)}
        screen.finish({**result, "game": game.number})
        try:
            again = screen.wants_another()
        except KeyboardInterrupt:  # the game is over: this is one way to leave
            return
        if not again:
            return
        game = game.next_game()
        screen.clear()


def _table_game(options: argparse.Namespace) -> TableGame:
    now = datetime.now().astimezone()
    seats = checked_seats(split_specs(options.seats))
    return TableGame(
        seats,
        options.log or Path(f"table-{now:%Y%m%d-%H%M%S}.mjson.gz"),
        printable(options.name, MAX_NAME),
        length=options.length,
        rules=options.rules,
        seed=secrets.randbits(31) if options.seed is None else options.seed,
        limits=given_limits(options, seats),
    )


def _invite(url: str, *, browser: bool) -> None:
    print(f"table: {url}", flush=True)
    if browser and not webbrowser.open(url):
        report("no browser was found here; open the link in one")


def _play(game: TableGame, screen: Screen, agent: Manue, invite: Callable[[], None]) -> GameRecord | None:
    """Open the log, invite the player and play; ``None`` if the player left before the end of the game."""
    try:
        with GameLog(game.log) as log:
            invite()
            return play(game, screen, agent, log)
    except (AbandonedError, KeyboardInterrupt) as reason:
        report(f"the game was not finished; what was played is in {game.log}")
        if isinstance(reason, KeyboardInterrupt):
            raise
        return None


def _report(game: TableGame, record: GameRecord) -> None:
    """Print the result, and how to review the game."""
    names = [printable(name) for name in game.names()]
    print(record.standings(names))
    for fault in record.faults:
        report(f"{names[fault.seat]} {fault.kind}: {fault.reason}")
    rules = "" if game.rules == "tenhou" else f" --rules {game.rules}"
    print(f"review: manue review {printable(game.log)} --seat {game.me}{rules}", flush=True)
