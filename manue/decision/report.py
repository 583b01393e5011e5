"""What is reported about every option of a decision."""

from dataclasses import KW_ONLY, dataclass
from typing import NamedTuple

from manue.game.actions import Action, Discard, Riichi
from manue.tiles import Tile


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a discard is as dangerous as it is against one opponent.

    Parameters
    ----------
    path : tuple of str
        The facts that contribute most, in English.
    prob, samples : float or None, int or None
        Of logs of earlier versions: the share of deal-ins in comparable cases, and their number.
    rated : float or None
        P(the opponent wins on it) as used in the decision.
    words : tuple of (str, int or None, float)
        The same facts as keys of texts, with the number that the text names and what the fact adds to the
        log-odds (`manue.models.danger.Contribution`).
    """

    path: tuple[str, ...]
    prob: float | None = None
    samples: int | None = None
    rated: float | None = None
    words: tuple[tuple[str, int | None, float], ...] = ()


@dataclass(frozen=True, slots=True)
class WinningHand:
    """A hand that an option may win with.

    Parameters
    ----------
    tiles : tuple of str
        Concealed tiles in order, then those of the called sets.
    prob : float or None
        P(winning with exactly this hand): the option's P(win) times the hand's share of the Monte Carlo draws
        that won.
    points : float or None
        Mean points, honba and deposits included.
    yaku : tuple of str
        Names of its yaku if completed by its likeliest last tile.
    """

    tiles: tuple[Tile, ...]
    prob: float | None = None
    points: float | None = None
    yaku: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rollout:
    """What an option gave when it was played on to the end of the round (`manue.rollouts`).

    Parameters
    ----------
    worlds : int
        Hidden hands and walls in which both were played on.
    gain : float
        How much more the option was worth than the chosen one: points and places together, in points.
    error : float
        Half the width of the 95 % interval of that; 0 for the chosen option.
    points, rank : float
        Its mean score change, and its mean expected final place.
    """

    worlds: int
    gain: float
    error: float
    points: float
    rank: float


@dataclass(frozen=True, slots=True)
class Details:
    """What is behind the numbers of an option, computed on request.

    Parameters
    ----------
    explain : tuple
        By absolute seat, ``None`` if the danger is too small to mention; empty if that holds for every seat.
    targets : tuple of WinningHand
        The most frequent winning hands, in that order.
    outcome : tuple of (points, probability)
        Distribution of this seat's score change until the end of the round, points ascending.
    useful : tuple of str or None
        Kinds that bring the hand closer to a win.
    rollout : Rollout or None
        Only of options that were played on.
    """

    explain: tuple[Reason | None, ...] = ()
    targets: tuple[WinningHand, ...] = ()
    outcome: tuple[tuple[float, float], ...] = ()
    useful: tuple[Tile, ...] | None = None
    rollout: Rollout | None = None


class Worth(NamedTuple):
    """What decides between options, in points; only differences between options of a decision mean anything.

    Parameters
    ----------
    value : float
        The value under the policy, the human policy included.
    habit : float
        The part of it that the human policy added or took away (`manue.decision.tie_break`).
    """

    value: float
    habit: float


@dataclass(frozen=True, slots=True)
class Report:
    """The numbers behind one option; ``None`` for those that an agent does not estimate.

    Probabilities are 0..1, points are real points.

    Parameters
    ----------
    action : Action
    discard : Discard, optional
        The discard planned after a riichi or a call.
    expected_points : float, optional
        Expected score change from now to the end of the round. The points policies choose by it.
    expected_rank : float, optional
        Mean final place, 1..4.
    win_prob, draw_prob, others_win_prob : float, optional
        P(winning this round), P(the round is drawn) and P(somebody else wins), provided the discard passes.
    win_points : float, optional
        Mean points of a win, honba and deposits included.
    deal_in_prob, deal_in_points : float, optional
        P(this discard deals in), and the mean points paid if it does, above 0.
    draw_points : float, optional
        Mean score change if the round is drawn.
    shanten : int, optional
        Exchanges to tenpai once the action is taken.
    ukeire_kinds, ukeire_count : int, optional
        Useful tiles then: how many kinds, and how many copies that are not in sight.
    win_prob_error, win_points_error : float, optional
        One standard error of the Monte Carlo draws.
    deal_in_later_prob : float, optional
        The part of ``others_win_prob`` that is off a later tile of this seat.
    played_prob : float, optional
        Share of strong players who do this: for a discard, among those who declare nothing; for riichi, a
        call or a kan, against declining it.
    note : str
        What decided, or what else is to be said of the option; empty if there is nothing.
    details : Details, optional
    """

    action: Action
    discard: Discard | None = None
    _: KW_ONLY
    expected_points: float | None = None
    expected_rank: float | None = None
    win_prob: float | None = None
    win_points: float | None = None
    deal_in_prob: float | None = None
    deal_in_points: float | None = None
    draw_prob: float | None = None
    draw_points: float | None = None
    others_win_prob: float | None = None
    shanten: int | None = None
    ukeire_kinds: int | None = None
    ukeire_count: int | None = None
    win_prob_error: float | None = None
    win_points_error: float | None = None
    deal_in_later_prob: float | None = None
    played_prob: float | None = None
    note: str = ""
    details: Details | None = None

    @property
    def label(self) -> str:
        """The option in short: ``3m drawn``, ``riichi 3m``, ``pon E E + E, 1m``, ``pass``."""
        if self.discard is None:
            return self.action.label
        return f"{self.action.label}{' ' if isinstance(self.action, Riichi) else ', '}{self.discard.label}"

    @property
    def overall_win_prob(self) -> float | None:
        """P(winning this round) before anybody has answered the discard."""
        return None if self.win_prob is None else (1.0 - (self.deal_in_prob or 0.0)) * self.win_prob
