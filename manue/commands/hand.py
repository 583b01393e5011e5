"""``manue hand``: everything about a hand, for people and for programs."""

import argparse
import io
import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from rich.console import Console

from manue.commands.game_options import add_rules
from manue.commands.hand_text import draw, draw_distribution
from manue.commands.options import given_as, path, positive, sticks, whole
from manue.commands.outputs import check_outputs
from manue.errors import UsageError
from manue.game.checks import MAX_INDICATORS
from manue.hand.analysis import Circumstances, HandAnalysis, analyse, as_json
from manue.hand.distribution import exact_distribution, plot_distribution, sample_distribution
from manue.pictures import figure_class
from manue.progress import progress
from manue.rules import RULES
from manue.tiles import WINDS, Tile, parse_meld, parse_tiles

EXAMPLES = """\
examples:
  manue hand 123m456p789s1122z            a tenpai hand: its waits, and the value of each win
  manue hand 123m406p789s1122z --draw 3z  what each discard leaves
  manue hand 2345p --melds PPP ankan:1111m 789s --seat S --dora 4p
  manue hand --distribution 1000000 -o shanten.png

Tiles are Mjai names (5mr E P) or compact (123m406p1z: 0 is the red five, 1z..7z are E S W N P F C).
"""

_ANY_WIDTH = 10_000
"""More characters than any line has."""
_OF_THE_HAND: dict[str, Any] = {
    "tiles": [],
    "melds": [],
    "draw": None,
    "dora": "",
    "ura": "",
    "seat": "E",
    "round": "E",
    "honba": 0,
    "riichi": False,
    "tsumo": False,
    "rules": "tenhou",
}
"""Arguments that describe a hand, and their defaults."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "tiles", metavar="TILES", nargs="*", help="concealed tiles: 13 or 14, counting each meld as three"
    )
    parser.add_argument(
        "--melds",
        metavar="MELD",
        nargs="+",
        help="melds (123m, EEE, EEEE for an open kan, ankan:EEEE for a closed one)",
    )
    parser.add_argument("--draw", metavar="TILE", help="the tile just drawn, in addition to TILES")
    parser.add_argument("--dora", metavar="TILES", help="visible dora indicators")
    parser.add_argument("--ura", metavar="TILES", help="ura-dora indicators (with --riichi)")
    parser.add_argument("--seat", choices=WINDS, help="seat wind (default: E, the dealer)")
    parser.add_argument("--round", choices=WINDS, help="round wind (default: E)")
    parser.add_argument("--honba", type=sticks, metavar="N", help="honba on the table (default: 0)")
    parser.add_argument("--riichi", action="store_true", help="score wins with riichi")
    parser.add_argument("--tsumo", action="store_true", help="score wins by self-draw only")
    add_rules(parser, scope="")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--distribution",
        type=positive,
        metavar="N",
        help="instead, deal N starting hands and show their shanten",
    )
    parser.add_argument("--seed", type=whole, help="seed of --distribution (default: 0)")
    parser.add_argument("-o", "--output", metavar="PNG", type=path, help="plot --distribution to this file")
    parser.set_defaults(**_OF_THE_HAND)


def run(options: argparse.Namespace) -> int:
    """Analyse the hand, or deal many."""
    if options.distribution is not None:
        return _distribution(options)
    if not options.tiles:
        raise UsageError("which tiles? (e.g. manue hand 123m456p789s1122z, or --distribution N)")
    if options.output is not None or options.seed is not None:
        raise UsageError(f"{'--seed' if options.output is None else '-o'} goes with --distribution")
    if options.ura and not options.riichi:
        raise UsageError("--ura goes with --riichi")
    with given_as():
        found = _analysis(options)
    if options.json:
        print(json.dumps(as_json(found), ensure_ascii=False))
    else:
        _print(partial(draw, found))
    return 0


def _analysis(options: argparse.Namespace) -> HandAnalysis:
    around = Circumstances(
        seat_wind=options.seat,
        round_wind=options.round,
        riichi=options.riichi,
        tsumo_only=options.tsumo,
        honba=options.honba,
        dora_indicators=_indicators("--dora", options.dora),
        ura_indicators=_indicators("--ura", options.ura),
        rules=RULES[options.rules],
    )
    with given_as("--melds"):
        melds = [parse_meld(text) for text in options.melds]
    if options.riichi and any(meld.is_open for meld in melds):
        raise UsageError("--riichi: riichi is impossible with an open hand")
    drawn = _one_tile(options.draw) if options.draw else None
    return analyse(parse_tiles(" ".join(options.tiles)), melds, around, drawn=drawn)


def _indicators(name: str, text: str) -> tuple[Tile, ...]:
    with given_as(name):
        tiles = parse_tiles(text)
    if len(tiles) > MAX_INDICATORS:
        raise UsageError(f"{name}: {len(tiles)} indicators; there are at most {MAX_INDICATORS}")
    return tuple(tiles)


def _one_tile(text: str) -> Tile:
    with given_as("--draw"):
        tiles = parse_tiles(text)
    if len(tiles) != 1:
        raise UsageError(f"--draw {text}: one tile is drawn at a time")
    return tiles[0]


def _distribution(options: argparse.Namespace) -> int:
    for name, default in _OF_THE_HAND.items():
        if getattr(options, name) != default:
            given = "TILES" if name == "tiles" else f"--{name}"
            raise UsageError(f"--distribution deals its own hands; leave out {given}")
    if options.output is not None:
        check_outputs([options.output], [])
        if options.output.suffix.lower() != ".png":
            raise UsageError(f"-o {options.output}: the picture is a PNG, named so (.png)")
        figure_class()  # report a missing extra before anything is dealt
    with progress("dealing", options.distribution) as advance:
        sample = sample_distribution(options.distribution, options.seed or 0, advance)
    exact = exact_distribution()
    if options.output is not None:
        plot_distribution(options.output, sample, exact)
    if options.json:
        print(
            json.dumps(
                {
                    name: dist._asdict() | {"regular": dist.regular.tolist(), "least": dist.least.tolist()}
                    for name, dist in (("sampled", sample), ("exact", exact))
                }
            )
        )
    else:
        _print(partial(draw_distribution, sample, exact))
    return 0


def _print(drawing: Callable[[Console], None]) -> None:
    """Print what is drawn; into a pipe or a file without a limit of width, and without trailing blanks."""
    if sys.stdout.isatty():
        drawing(Console(highlight=False))
        return
    drawn = io.StringIO()
    drawing(Console(file=drawn, width=_ANY_WIDTH, highlight=False))
    for line in drawn.getvalue().splitlines():
        print(line.rstrip())
