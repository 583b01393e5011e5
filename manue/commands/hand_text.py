"""Print the analysis of a hand, and the distribution of starting hands, on a terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from manue.as_text import counted
from manue.hand.analysis import HandAnalysis, Useful, WinningTile
from manue.hand.distribution import LEVELS, PUBLISHED, Distribution
from manue.hand.readings import Block, Reading
from manue.hand.score import Score
from manue.tiles import KIND_OF, KINDS, Tile, format_tiles, is_honor, is_red, number_of, suit_of

_COLOURS = ("red", "blue", "green", "magenta")
_SUITS = ("m", "p", "s", "z")


def draw(found: HandAnalysis, console: Console) -> None:
    """Print the whole analysis."""
    console.print(_hand(found), _shanten(found), sep="\n")
    if found.riichi_kan is not None:
        allowed = "allowed" if found.riichi_kan else "not allowed: a reading or the wait would change"
        console.print(f"Closed kan in riichi, by the strict rule: {allowed}")
    if found.discards:
        console.print("", _discards(found), sep="\n")
        for choice in found.discards:
            if choice.wins:
                heading = Text.assemble("Wins after discarding ", _tile(choice.tile))
                console.print("", heading, _wins(choice.wins), sep="\n")
        return
    if found.useful:
        console.print(Text.assemble("Useful   ", _useful(found.useful)))
    for number, reading in enumerate(found.readings, 1):
        console.print(_reading(number, reading))
    if found.wins:
        console.print("", _wins(found.wins), sep="\n")


def _tile(tile: Tile) -> Text:
    """Return a tile in the colour of its suit, a red five in reverse video."""
    style = f"bold {_COLOURS[suit_of(KIND_OF[tile])]}"
    return Text(tile, style=f"{style} reverse" if is_red(tile) else style)


def _tiles(tiles: Iterable[Tile]) -> Text:
    """Return tiles in compact notation, suit by suit, each suit in its colour."""
    by_suit: dict[int, list[Tile]] = {}
    for tile in tiles:
        by_suit.setdefault(suit_of(KIND_OF[tile]), []).append(tile)
    parts = [
        Text("".join(held) if suit == 3 else format_tiles(held), style=f"bold {_COLOURS[suit]}")
        for suit, held in sorted(by_suit.items())
    ]
    return Text(" ").join(parts)


def _hand(found: HandAnalysis) -> RenderableType:
    """Lay out the concealed tiles, one line for each suit, then the melds."""
    grid = Table.grid(padding=(0, 1))
    for suit in range(4):
        tiles = [tile for tile in found.tiles if suit_of(KIND_OF[tile]) == suit]
        if not tiles:
            continue
        faces = Text(" ").join(Text(_face(tile), style=_tile(tile).style) for tile in tiles)
        grid.add_row(Text(_SUITS[suit], style="dim"), faces)
    for meld in found.melds:
        grid.add_row(Text(meld.kind, style="dim"), _tiles(meld.tiles))
    return Group(grid, "")


def _face(tile: Tile) -> str:
    kind = KIND_OF[tile]
    if is_honor(kind):
        return KINDS[kind]
    return "0" if is_red(tile) else str(number_of(kind))


def _shanten(found: HandAnalysis) -> Text:
    names = {-1: "complete", 0: "tenpai"}
    forms = " · ".join(f"{form} {value}" for form, value in found.forms.items())
    least = names.get(found.shanten, f"{found.shanten}-shanten")
    return Text.assemble("Shanten  ", (least, "bold"), f"  ({forms})")


def _useful(useful: Sequence[Useful]) -> Text:
    parts: list[Text | str] = []
    for item in useful:
        parts += [_tile(item.tile), f"·{item.unseen}  "]
    total = sum(item.unseen for item in useful)
    return Text.assemble(*parts, f"{counted(len(useful), 'kind')}, ", (counted(total, "tile"), "bold"))


def _discards(found: HandAnalysis) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    for heading in ("discard", "shanten"):
        table.add_column(heading, justify="right")
    table.add_column("tiles", justify="right")
    table.add_column("useful", overflow="fold")
    for choice in found.discards:
        row = (_tile(choice.tile), Text(str(choice.shanten)), Text(str(choice.count)))
        style = "" if choice.shanten == found.shanten else "dim"
        useful = Text(" ").join(Text.assemble(_tile(u.tile), f"·{u.unseen}") for u in choice.useful)
        table.add_row(*row, useful, style=style)
    return table


def _reading(number: int, reading: Reading) -> Text:
    groups = Text("  ").join(_block(block) for block in reading.blocks)
    line = Text.assemble(f"Reading {number}  ", groups)
    if reading.form != "regular":
        line.append(f"  ({reading.form})", style="dim")
    if reading.wait:
        line.append_text(Text.assemble("  | ", _tiles(reading.wait.held), f" {reading.wait.kind} → "))
        line.append_text(Text(" ").join(_tile(tile) for tile in reading.wait.tiles))
    return line


def _block(block: Block) -> Text:
    if block.meld is None:
        return _tiles(block.tiles)
    left, right = ("[", "]") if block.meld.is_open else ("(", ")")
    return Text.assemble((left, "dim"), _tiles(block.tiles), (right, "dim"))


def _wins(wins: Sequence[WinningTile]) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    for heading in ("win on", "left", "by"):
        table.add_column(heading)
    table.add_column("points", justify="right")
    table.add_column("han fu")
    table.add_column("yaku", overflow="fold")
    for win in wins:
        row = [_tile(win.tile), Text(str(win.unseen)), Text("tsumo" if win.tsumo else "ron")]
        if win.score is None:
            table.add_row(*row, "", "", "no yaku", style="dim")
            continue
        yaku = ", ".join(f"{name} {han}" for name, han in win.score.yaku)
        table.add_row(*row, Text(_payment(win.score), style="bold"), _worth(win.score), yaku)
    return table


def _payment(score: Score) -> str:
    if score.ron:
        return str(score.ron)
    return f"{score.tsumo_other} all" if score.dealer else f"{score.tsumo_other}/{score.tsumo_dealer}"


def _worth(score: Score) -> str:
    if score.yakuman:
        return score.limit
    return f"{score.han} han {score.fu} fu {score.limit}".rstrip()


def draw_distribution(sample: Distribution, exact: Distribution, console: Console) -> None:
    """Print the shares of sampled starting hands by shanten beside the exact and the published ones."""
    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("shanten", justify="right")
    columns: dict[str, Sequence[float]] = {
        "sampled": (sample.regular / sample.hands).tolist(),
        "exact": (exact.regular / exact.hands).tolist(),
        "published": [number / sum(PUBLISHED) for number in PUBLISHED],
        "three forms, sampled": (sample.least / sample.hands).tolist(),
        "three forms, exact": (exact.least / exact.hands).tolist(),
    }
    for heading in columns:
        table.add_column(heading, justify="right")
    for level in range(LEVELS):
        table.add_row(str(level), *(f"{shares[level]:.6f}" for shares in columns.values()))
    means = [sum(level * share for level, share in enumerate(shares)) for shares in columns.values()]
    table.add_row("mean", *(f"{mean:.4f}" for mean in means), style="bold")
    console.print(
        f"Shanten of {sample.hands:,} random starting hands of 13 tiles (regular form)", "", table, sep="\n"
    )
    console.print(
        "",
        "The published table (100 000 hands) follows no standard definition of shanten;",
        "the closest match is one that counts no pair, other than the head, as part of a set.",
        sep="\n",
    )
