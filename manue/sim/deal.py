"""Tiles that come from the wall: the shuffle, the deal, dora indicators, draws and replacement tiles."""

from typing import Any

from manue.compiled import compiled
from manue.game.checks import MAX_INDICATORS
from manue.game.view import LIVE_WALL
from manue.sim.codes import DORA_EVENT, DRAW_EVENT
from manue.sim.events import NOBODY, note
from manue.sim.hands import add_tile, find_waits, kind_of
from manue.sim.scoring import DORA_OF_KIND, dealer_of
from manue.sim.wall import DEALT, INDICATORS_AT, STEP_OF_DEALT, WALL_TILES, fill_wall


@compiled
def shuffle(t: Any) -> None:
    """Fill the wall of the round from the seed of the game."""
    fill_wall(t["seed"], int(t["rounds"]), t["wall"])


@compiled
def deal(t: Any, kit: Any) -> None:
    """Clear the table, and deal the wall from the dealer on."""
    _clear(t)
    wall = t["wall"]
    dealer = dealer_of(t)
    for at in range(DEALT):
        add_tile(t, (dealer + int(STEP_OF_DEALT[at])) % 4, int(wall[at]))
    t["next"] = DEALT
    for seat in range(4):
        find_waits(t, seat, kit["tables"])
    _reveal(t)


@compiled
def _clear(t: Any) -> None:
    t["tiles_left"] = LIVE_WALL
    t["kans"] = t["shown"] = t["owed"] = 0
    t["dora"][:] = 0
    t["hand"][:] = 0
    t["reds"][:] = 0
    t["code"][:] = 0
    t["meld_kind"][:] = 0
    t["meld_first"][:] = 0
    t["meld_reds"][:] = 0
    t["meld_len"][:] = 0
    t["open"][:] = 0
    t["river"][:] = 0
    t["river_flag"][:] = 0
    t["river_len"][:] = 0
    t["discarded"][:] = 0
    t["safe"][:] = 0
    t["passed"][:] = 0
    t["waits"][:] = 0
    t["riichi"][:] = 0
    t["riichi_at"][:] = -1
    t["ippatsu"][:] = 0
    t["missed"][:] = 0
    t["missed_riichi"][:] = 0
    t["liable_dragons"][:] = NOBODY
    t["liable_winds"][:] = NOBODY
    t["after_kan"] = t["robbing"] = 0
    t["drawn"] = t["offered"] = t["source"] = -1
    t["undisturbed"] = 1
    t["forbidden"] = 0
    t["public"][:] = 0
    t["ending"] = -1
    t["winners"] = 0
    t["deltas"][:] = 0


@compiled
def _reveal(t: Any) -> int:
    """Turn the next dora indicator over and return its tile."""
    tile = int(t["wall"][INDICATORS_AT - 2 * t["shown"]])
    kind = kind_of(tile)
    t["shown"] += 1
    t["public"][kind] += 1
    t["dora"][DORA_OF_KIND[kind]] += 1
    return tile


@compiled
def reveal_owed(t: Any, kit: Any) -> None:
    """Reveal the indicators of earlier open and added kans."""
    while t["owed"] > 0:
        t["owed"] -= 1
        reveal_next(t, kit)


@compiled
def reveal_next(t: Any, kit: Any) -> None:
    """Reveal the next dora indicator, if there is one left."""
    if t["shown"] < MAX_INDICATORS:
        note(t, kit, DORA_EVENT, NOBODY, NOBODY, _reveal(t), 0)


@compiled
def draw(t: Any, seat: int, replacement: bool, kit: Any) -> None:  # noqa: FBT001
    """Let a seat draw from the wall, or its replacement tile for a kan."""
    if replacement:
        tile = int(t["wall"][WALL_TILES - t["kans"]])
    else:
        tile = int(t["wall"][t["next"]])
        t["next"] += 1
    t["tiles_left"] -= 1
    add_tile(t, seat, tile)
    t["drawn"] = tile
    t["after_kan"] = replacement
    note(t, kit, DRAW_EVENT, seat, NOBODY, tile, 0)
