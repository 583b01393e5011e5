"""How wins come about, counted in records: self-draws, ippatsu and ura-dora, who is still there to draw."""

from collections.abc import Iterable

import numpy as np

from manue.arrays import I64, Bool
from manue.draws.win import WinStatistics
from manue.features.scene import declares_riichi
from manue.features.wait_discard_rates import CLASSES, TABLE_SHAPE
from manue.training.dataset import EXHAUSTED, TSUMO, Shard, rounds_of, sequences_of
from manue.training.wait_discard_rates import count_copies, shares


def measure_win_statistics(shards: Iterable[Shard]) -> WinStatistics:
    """Measure how wins come about.

    These are the shares of self-draws, the han on top of riichi, P(the round lasts until a seat's next draw),
    and the discard rates of waits.

    Parameters
    ----------
    shards : iterable of Shard
        Whole rounds, their discards in the order they were made.
    """
    tsumo, wins = np.zeros(2), np.zeros(2)
    ura = np.zeros(5)
    ippatsu = discards = ended = 0
    discarded, copies = np.zeros(CLASSES), np.zeros(CLASSES)
    for shard in shards:
        count_copies(shard, discarded, copies)
        last = last_of_each(sequences_of(shard.truths))
        truths, scenes = shard.truths[last], shard.scenes[last]
        won = truths["winner"][:, 0] > 0
        riichi = (scenes["riichi"][:, 0] > 0).astype(int)
        by_self = truths["ending"] == TSUMO
        wins += np.bincount(riichi[won], minlength=2)
        tsumo += np.bincount(riichi[won & by_self], minlength=2)
        ippatsu += int((won & ippatsu_stands(shard, last)).sum())
        shown = truths["ura_dora"][won & (riichi > 0)]
        ura += np.bincount(shown[shown >= 0], minlength=len(ura))
        discards += int((shard.scenes["tiles_left"] >= 4).sum())
        stopped = ~won & (truths["ending"] < EXHAUSTED) & (scenes["tiles_left"] >= 4)
        ended += int(stopped.sum())
    with_ippatsu = float(ippatsu / max(wins[1], 1))
    ura[0] += not ura.any()
    tsumo_shares = tsumo / np.maximum(wins, 1)
    return WinStatistics(
        (float(tsumo_shares[0]), float(tsumo_shares[1])),
        (1 - with_ippatsu, with_ippatsu),
        tuple((ura / ura.sum()).tolist()),
        1 - ended / max(discards, 1),
        shares(discarded.reshape(TABLE_SHAPE), copies.reshape(TABLE_SHAPE)).ravel(),
    )


def last_of_each(numbers: I64) -> I64:
    """Return where each of the numbers occurs for the last time, in ascending order: int64[k]."""
    _, first_from_behind = np.unique(numbers[::-1], return_index=True)
    return np.sort(len(numbers) - 1 - first_from_behind)


def ippatsu_stands(shard: Shard, last: I64) -> Bool:
    """Return for which seats a win at the end of the round has ippatsu: bool[len(last)].

    Such a seat's last discard declares riichi, and at the last discard of the round nobody has called since.

    Parameters
    ----------
    shard : Shard
        Whole rounds.
    last : int64[k]
        The last discard of each seat and round.
    """
    rounds = rounds_of(shard.truths)
    ends = last_of_each(rounds)
    end = ends[np.searchsorted(rounds[ends], rounds[last])]
    seats = shard.truths["seat"].astype(np.int64)
    seen_from_end = (seats[last] - seats[end]) % 4
    unbroken = (end == last) | (shard.scenes["ippatsu"][end, seen_from_end] > 0)
    return np.asarray(declares_riichi(shard.scenes[last]) & unbroken, np.bool_)
