"""What was paid for the wins and draws of a record that gives neither ``deltas`` nor ``scores`` for them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from manue.errors import EventError
from manue.game.events import RoundDrawn, RoundStart, Won
from manue.game.players import PlayerState
from manue.game.state import RoundState
from manue.game.win import deltas_of_win, score_of_event
from manue.hand.points import MANGAN
from manue.hand.score import Score
from manue.records.archive import LogEntry
from manue.records.drawn_rounds import EXHAUSTIVE, REASONS, reason_of, tenpai_of, word_of
from manue.records.open_hands import open_hands
from manue.rules import NOTEN_POINTS, STICK, TENHOU, Rules
from manue.tiles import KIND_OF, TERMINALS_AND_HONORS, Seat, round_index

Deltas = tuple[int, ...]


def says_payments(result: Won | RoundDrawn) -> bool:
    """Return whether a win or a draw says what was paid."""
    return result.deltas is not None or result.scores is not None


def check_payments(result: Won | RoundDrawn) -> None:
    """Raise EventError if nothing is known of what was paid for a win or a draw."""
    if not says_payments(result):
        what = f"the win of seat {result.actor}" if isinstance(result, Won) else "the draw"
        raise EventError(f"what was paid for {what} is not recorded, and does not follow from the hands")


def with_payments(game: list[LogEntry], rules: Rules = TENHOU) -> list[LogEntry]:
    """Return a game whose wins and draws have ``deltas``, where these follow from the record without a guess.

    They follow from the points with which the next round begins, or from the hands by the rules of the game:
    ``rules``, where it does not name them.
    """
    results = [entry.event for entry in game if isinstance(entry.event, Won | RoundDrawn)]
    if all(map(says_payments, results)):
        return game
    try:
        return list(_completed(game, rules))
    except EventError:
        return game  # whoever replays it says what is wrong


def _completed(game: Sequence[LogEntry], rules: Rules) -> Iterator[LogEntry]:
    states = [RoundState(seat, rules) for seat, is_open in enumerate(open_hands(game)) if is_open]
    found: dict[int, Deltas] = {}
    for at, entry in enumerate(game):
        event = entry.event
        if isinstance(event, Won | RoundDrawn) and states and not says_payments(event):
            if at not in found:
                found |= _payments(game, at, states)
            event = replace(event, deltas=found.get(at))
        if event is not None:
            for state in states:
                state.apply(event)
        yield replace(entry, event=event)


def _payments(game: Sequence[LogEntry], at: int, states: Sequence[RoundState]) -> dict[int, Deltas]:
    """Return what was paid for a result, and for further wins on the same tile, by place in the game."""
    event = game[at].event
    wins: dict[int, Won] = {}
    for place in range(at, len(game)):
        win = game[place].event
        if not isinstance(win, Won):
            break
        wins[place] = win
    paid = _by_next_round(game[at + 1 :], states[0]) if len(wins) < 2 and not states[0].winners else None
    if paid is None and isinstance(event, RoundDrawn):
        paid = _of_draw(event, states)
    if paid is not None:
        return {at: paid}
    return _of_wins(wins, {state.seat: state for state in states})


def _by_next_round(rest: Sequence[LogEntry], state: RoundState) -> Deltas | None:
    """Return the difference to the points of the next round, if the record has that one."""
    start = next((entry.event for entry in rest if isinstance(entry.event, RoundStart)), None)
    if start is None or start.scores is None or not _follows(start, state):
        return None
    return tuple(after - before for after, before in zip(start.scores, state.scores, strict=True))


def _follows(start: RoundStart, state: RoundState) -> bool:
    """Return whether a round may be the next one after that of the state, with all its points."""
    rounds = round_index(start.round_wind, start.number) - round_index(state.round_wind, state.number)
    next_in_order = (rounds, start.honba) in {(0, state.honba + 1), (1, 0), (1, state.honba + 1)}
    points = sum(start.scores or ()) + STICK * start.deposits
    return next_in_order and points == sum(state.scores) + STICK * state.deposits


def first_of(wins: Iterable[Won]) -> Won:
    """Return the win that gets honba and sticks: that of the first winner after the discarder."""
    return min(wins, key=lambda win: (win.actor - win.source) % 4)


def _of_wins(wins: dict[int, Won], states: dict[Seat, RoundState]) -> dict[int, Deltas]:
    """Return what was paid for wins on one tile: the first after the discarder gets honba and sticks."""
    first = first_of(wins.values()) if wins else None
    found = {}
    for place, win in wins.items():
        state = states.get(win.actor)
        if state is None or says_payments(win):
            continue
        paid = _of_win(state, win, takes_table=win is first and not state.winners)
        if paid is not None:
            found[place] = paid
    return found


def _of_win(state: RoundState, win: Won, *, takes_table: bool) -> Deltas | None:
    """Return what was paid for a hand; ``None`` if its points are not certain.

    Parameters
    ----------
    state : RoundState
        Of the winner, before the win.
    win : Won
    takes_table : bool
        Whether the winner has honba and riichi sticks.
    """
    alone = state.copied()
    if not takes_table:
        alone.honba = alone.deposits = 0
    found = score_of_event(alone, win)
    if found is None or not _is_certain(state, win, found[1]):
        return None
    paid = deltas_of_win(alone, found[1], win.source)
    paid[win.actor] += STICK * alone.deposits
    return tuple(paid)


def _is_certain(state: RoundState, win: Won, score: Score) -> bool:
    """Return whether a score is what the record says of the win, or nothing about it is left open.

    In riichi the ura indicators are: a record without a word on points may have left them out.
    """
    if win.points is not None:
        return win.points == score.points
    if win.han is not None:
        return win.han == score.han
    return not state.me.riichi or len(win.ura_indicators) == len(state.dora_indicators)


def _of_draw(event: RoundDrawn, states: Sequence[RoundState]) -> Deltas | None:
    """Return what was paid at a draw; ``None`` if hidden hands decide, or a nagashi mangan is in doubt."""
    state = states[0]
    reason = reason_of(event, state)
    if reason not in EXHAUSTIVE:
        return (0,) * 4
    nagashi = [player.seat for player in state.players if _is_nagashi(player)]
    is_said = word_of(event.reason) in REASONS
    if reason == "nagashimangan" or (nagashi and not is_said):
        return _of_nagashi(nagashi, state.dealer) if nagashi else None
    if nagashi or (event.tenpai is None and len(states) < 4):
        return None
    return _of_tenpai(tenpai_of(event, states))


def _is_nagashi(player: PlayerState) -> bool:
    """Return whether a seat has discarded only terminals and honors, and none was called."""
    return all(KIND_OF[one.tile] in TERMINALS_AND_HONORS and one.called_by is None for one in player.river)


def _of_nagashi(winners: Sequence[Seat], dealer: Seat) -> Deltas:
    paid = [0] * 4
    for winner in winners:
        for other in {0, 1, 2, 3} - {winner}:
            points = 2 * MANGAN if dealer in {winner, other} else MANGAN
            paid[other] -= points
            paid[winner] += points
    return tuple(paid)


def _of_tenpai(tenpai: Sequence[bool]) -> Deltas:
    ready = sum(tenpai)
    if ready in {0, 4}:
        return (0,) * 4
    return tuple(NOTEN_POINTS // ready if one else -NOTEN_POINTS // (4 - ready) for one in tenpai)
