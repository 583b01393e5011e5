"""How wins come about, counted in records: self-draws, ippatsu and ura-dora, who is still there to draw."""

from collections.abc import Sequence

import numpy as np

from manue.arrays import F64, I64
from manue.draws.win import WinStatistics
from manue.features.scene import Scenes, declares_riichi
from manue.tiles import KINDS, dora_of
from manue.training.dataset import EXHAUSTED, TSUMO, Extraction, Shard, sequences_of
from manue.training.wait_discard_rates import measure_discard_rates


def measure_win_statistics(shards: Extraction | Sequence[Shard]) -> WinStatistics:
    """Measure how wins come about.

    These are the shares of self-draws, the han added to riichi, P(the round lasts until a seat's next draw),
    and the discard rates of waits.
    """
    tsumo, wins = np.zeros(2), np.zeros(2)
    ura = np.zeros(5)
    at_once = on = ended = 0
    for shard in shards:
        part = shard.part(validation=False)
        last = _last_discards(part.truths)
        truths, scenes = part.truths[last], part.scenes[last]
        won = truths["winner"][:, 0] > 0
        riichi = (scenes["riichi"][:, 0] > 0).astype(int)
        by_self = truths["ending"] == TSUMO
        wins += np.bincount(riichi[won], minlength=2)
        tsumo += np.bincount(riichi[won & by_self], minlength=2)
        declared = won & (riichi > 0)
        at_once += int((won & declares_riichi(scenes)).sum())
        ura += sum((_ura_distribution(scene) for scene in scenes[declared][:200]), np.zeros(5))
        open_wall = part.scenes["tiles_left"] >= 4
        on += int(open_wall.sum())
        stopped = ~won & (truths["ending"] < EXHAUSTED) & (scenes["tiles_left"] >= 4)
        ended += int(stopped.sum())
    ippatsu = at_once / max(wins[1], 1)
    ura /= max(ura.sum(), 1e-9)
    han = np.convolve(ura, [1 - ippatsu, ippatsu])
    shares = tsumo / np.maximum(wins, 1)
    survival = 1 - ended / max(on, 1)
    discard_rates = measure_discard_rates(shards).ravel()
    return WinStatistics(
        (float(shares[0]), float(shares[1])), tuple(map(float, han)), survival, discard_rates
    )


def _last_discards(truths: Scenes) -> I64:
    """Return each seat's last discard of each round."""
    key = sequences_of(truths)
    _, first_from_behind = np.unique(key[::-1], return_index=True)
    return np.sort(len(key) - 1 - first_from_behind)


def _ura_distribution(scene: Scenes) -> F64:
    """Return P(0..4 ura-dora) of one indicator, uniform over the unseen tiles, for the hand of a scene."""
    out = np.zeros(5)
    for kind in range(34):
        out[min(int(scene["hand"][dora_of(KINDS[kind])]), 4)] += 4 - int(scene["visible"][kind])
    shares: F64 = out / max(out.sum(), 1e-9)
    return shares
