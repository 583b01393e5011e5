"""Dealing in: the probability that each opponent wins on a discard, and why.

For an opponent in riichi, boosted trees over the readable features give P(the kind wins now). For the others

    P(the kind wins now) = P(the hand can win now) x P(the kind wins | it can),

the first factor from the opponent's features, the second from those of both. Kinds that the opponent can no
longer win on by ron (`PlayerState.safe`) have probability 0.

Why a tile is dangerous is read from the same trees: the features that contribute most to their prediction
(`manue.models.contributions`), in the words of players (`manue.features.reasons`).
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from manue.arrays import F32, F64, Bool
from manue.features.danger import danger_features, danger_rows
from manue.features.danger_columns import KIND_SIZE, OPPONENT, ROW_FEATURES
from manue.features.reasons import by_group, word_of
from manue.features.scene import ANKAN_MELD, Scenes
from manue.models.contributions import Paths, contributions, paths_of
from manue.models.files import ModelFile, checked_columns
from manue.models.opponents import Opponents, OpponentsModel
from manue.models.trees import Trees
from manue.tiles import COPIES, Kind, Seat, opponents_of

MAX_REASONS = 3
"""How many reasons are given for a danger."""
_LEAST_REASON = 0.05
"""Log-odds that a reason beside the first one contributes at least."""


@dataclass(frozen=True)
class Danger:
    """What the opponents threaten, by absolute seat; the observer's row is 0.

    Parameters
    ----------
    prob : float64[4, 34]
        P(the seat wins by ron if the kind is discarded now).
    tenpai : float64[4]
        P(tenpai); 1 after riichi.
    can_win : float64[4]
        P(tenpai with a yaku and not furiten); 1 after riichi.
    loss : float64[4, 34]
        Mean points paid if the seat wins on the kind, without honba.
    """

    prob: F64
    tenpai: F64
    can_win: F64
    loss: F64

    def tenpai_of_opponents(self, seat: Seat) -> tuple[float | None, ...]:
        """Return P(tenpai) of each seat, ``None`` for the observer's own."""
        return tuple(None if other == seat else float(self.tenpai[other]) for other in range(4))

    @cached_property
    def any_deal_in(self) -> F64:
        """P(anybody wins on it) for every kind: float64[34]."""
        return any_deal_in(self.prob)

    def deal_in(self, kind: Kind) -> float:
        """Return P(anybody wins on the kind)."""
        return float(self.any_deal_in[kind])

    def cost(self, kind: Kind) -> float:
        """Return the mean points lost by discarding the kind, whether or not anybody wins on it."""
        return float(self.prob[:, kind] @ self.loss[:, kind])


def any_deal_in(prob: F64) -> F64:
    """Return P(anybody wins on each kind): float64[..., 34], from those of seats: float64[..., seats, 34]."""
    return np.asarray(1.0 - np.multiply.reduce(1.0 - prob, axis=-2), np.float64)


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one fact adds to a danger.

    Parameters
    ----------
    word : str
        What players call it: a key below ``reason.`` in `manue.language`.
    number : int or None
        The number that its text names.
    weight : float
        What it adds to the log-odds: above 0 it makes the tile more dangerous than the average one.
    """

    word: str
    number: int | None
    weight: float


@dataclass(frozen=True, slots=True)
class DangerModel:
    """The trees of `danger.npz`."""

    riichi: Trees
    silent: Trees

    @classmethod
    def of(cls, file: ModelFile) -> "DangerModel":
        """Read the model from its file.

        Raises
        ------
        ModelError
            If arrays are missing or it was learned from other features.
        """
        checked_columns(file, ROW_FEATURES)
        return cls(
            riichi=Trees.of(file, "riichi", len(ROW_FEATURES)),
            silent=Trees.of(file, "silent", len(ROW_FEATURES)),
        )


def deal_in_probs(kinds: F32, opponents: F32, wanted: Bool, can_win: F64, model: DangerModel) -> F64:
    """Return P(each opponent wins on each kind now).

    Parameters
    ----------
    kinds, opponents : float32[n, 3, 34, KIND_SIZE], float32[n, 3, OPPONENT_SIZE]
        As computed by `danger_features`.
    wanted : bool[n, 3, 34]
        What to rate; the rest is 0, so safe kinds must be left out.
    can_win : float64[n, 3]
        P(the opponent can win now).

    Returns
    -------
    float64[n, 3, 34]
    """
    prob = np.zeros(wanted.shape)
    riichi = opponents[:, :, OPPONENT.riichi] > 0
    for mask, trees in (
        (wanted & riichi[:, :, None], model.riichi),
        (wanted & ~riichi[:, :, None], model.silent),
    ):
        at = np.nonzero(mask)
        if len(at[0]):
            prob[at] = trees.probabilities(danger_rows(kinds, opponents, at))
    return prob * np.where(riichi, 1.0, can_win)[:, :, None]


@dataclass(frozen=True, slots=True)
class DangerReader:
    """Reads from a scene what the opponents threaten, with the three models that this needs.

    Parameters
    ----------
    weights : float64[12]
        Weights of waiting shapes, from ``shapes.npz`` (``manue.features.danger_columns.SHAPE_WEIGHTS``).
    opponents : OpponentsModel
    kinds : DangerModel
    growth_by_indicator : float
        Factor by which a deal-in to a riichi costs more than the trees say, for each dora indicator beyond
        the first: for the ura-dora that comes with it. The trees see only what lies face up.
    """

    weights: F64
    opponents: OpponentsModel
    kinds: DangerModel
    growth_by_indicator: float = 1.0
    _paths: list[tuple[Paths, Paths, Paths]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    def paths(self) -> tuple[Paths, Paths, Paths]:
        """Return the paths of the trees for riichi, for the others and for whether these can win."""
        if not self._paths:
            trees = (self.kinds.riichi, self.kinds.silent, self.opponents.can_win)
            self._paths.append((paths_of(trees[0]), paths_of(trees[1]), paths_of(trees[2])))
        return self._paths[0]

    def read(self, scene: Scenes, seat: Seat, *, held_only: bool = False) -> Danger:
        """Return what every opponent threatens in one scene.

        Parameters
        ----------
        scene : SCENE[1]
        seat : int
            The observer's absolute seat.
        held_only : bool
            Rate only the kinds in the observer's hand, in a fraction of the time; the others are 0.
        """
        kinds, opponents = danger_features(scene, self.weights)
        wanted = possible_kinds(scene)
        if held_only:
            wanted &= scene["hand"][:, None, :] > 0
        read = self.opponents.read(opponents)
        prob = deal_in_probs(kinds, opponents, wanted, read.can_win, self.kinds)
        loss = self.losses(scene, kinds, opponents, wanted)
        return _by_seat(seat, prob[0], read, loss[0])

    def losses(self, scenes: Scenes, kinds: F32, opponents: F32, wanted: Bool) -> F64:
        """Return the mean points of dealing in, without honba: float64[n, 3, 34]; 0 for kinds not wanted.

        Parameters
        ----------
        scenes : SCENE[n]
        kinds, opponents, wanted
            Their features and the kinds to rate, as for `deal_in_probs`.
        """
        loss = self.opponents.losses(kinds, opponents, wanted)
        further = np.maximum(scenes["dora"].sum(axis=1) - 1.0, 0.0)
        growth = self.growth_by_indicator ** further[:, None]
        return loss * np.where(opponents[:, :, OPPONENT.riichi] > 0, growth, 1.0)[:, :, None]


def possible_kinds(scenes: Scenes) -> Bool:
    """Return which kinds each opponent might ron and the observer might hold: bool[n, 3, 34]."""
    held_or_unseen = (scenes["hand"] > 0) | (scenes["visible"] < COPIES)
    return np.asarray((scenes["safe"][:, 1:] == 0) & held_or_unseen[:, None, :], np.bool_)


def _by_seat(seat: Seat, prob: F64, read: Opponents, loss: F64) -> Danger:
    opponents = opponents_of(seat)
    danger = Danger(np.zeros((4, 34)), np.zeros(4), np.zeros(4), np.zeros((4, 34)))
    danger.prob[opponents] = prob
    danger.tenpai[opponents] = read.tenpai[0]
    danger.can_win[opponents] = read.can_win[0]
    danger.loss[opponents] = loss
    return danger


@dataclass(frozen=True, slots=True)
class Explainer:
    """Explains the dangers of one scene; its features are computed only once.

    Parameters
    ----------
    scene : SCENE[1]
    seat : int
        The observer.
    danger : Danger
        The danger in that scene.
    kinds, opponents : float32[3, 34, KIND_SIZE], float32[3, OPPONENT_SIZE]
        The features of that scene.
    paths : tuple of Paths
        Of the trees for riichi, for the others, and for whether these can win.
    """

    scene: Scenes
    seat: Seat
    danger: Danger
    kinds: F32
    opponents: F32
    paths: tuple[Paths, Paths, Paths]

    @classmethod
    def of(cls, reader: DangerReader, scene: Scenes, seat: Seat, danger: Danger) -> "Explainer":
        """Compute the features of the scene."""
        kinds, opponents = danger_features(scene, reader.weights)
        return cls(scene, seat, danger, kinds[0], opponents[0], reader.paths())

    def explain(self, seat: Seat, kind: Kind) -> tuple[Contribution, ...]:
        """Return what contributes most to the danger of a kind against the opponent at ``seat``.

        For an opponent in riichi these are the contributions to the log-odds that the kind wins; for the
        others to the log-odds that it can win plus those that the kind wins then.
        """
        at = (seat - self.seat) % 4 - 1
        if self.scene["safe"][0, at + 1, kind]:
            return (Contribution("safe", None, 0.0),)
        row = np.concatenate([self.kinds[at, kind], self.opponents[at]])
        if self.opponents[at][OPPONENT.riichi] > 0:
            added = contributions(self.paths[0], row)
        else:
            added = contributions(self.paths[1], row)
            added[KIND_SIZE:] += contributions(self.paths[2], self.opponents[at])
        groups = sorted(by_group(added).items(), key=lambda pair: -abs(pair[1]))
        closed_kans = self._closed_kans(at + 1, kind)
        found: dict[str, Contribution] = {}
        for group, weight in groups:
            if found and abs(weight) < _LEAST_REASON:
                break
            word, number = word_of(group, row, closed_kans)
            if word not in found:
                found[word] = Contribution(word, number, weight)
            if len(found) == MAX_REASONS:
                break
        return tuple(found.values())

    def _closed_kans(self, seat: int, kind: Kind) -> dict[str, int]:
        """Return how many closed kans of a seat, counted from the observer, the columns of a kind include."""
        of_seat = self.scene["meld_kind"][0, seat] == ANKAN_MELD
        suits = self.scene["meld_first"][0, seat][of_seat] // 9  # honors are the last
        in_suit = suits == kind // 9
        in_others = (suits < 3) & ~in_suit
        return {"melds": len(suits), "suit_melds": int(in_suit.sum()), "other_melds": int(in_others.sum())}
