"""A game with what Tenhou's formats need and Mjai may leave out: points after changes, and of wins."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from manue.errors import EventError, LogError
from manue.game.events import Event, GameEnd, GameStart, RiichiAccepted, RoundDrawn, RoundStart, Won
from manue.game.state import RoundState
from manue.game.win import liable_payer, score_of_event
from manue.language.rounds import round_text
from manue.protocol.codec import KYOKU_FIRST, Fields, event_to_fields
from manue.records.archive import LogEntry
from manue.records.drawn_rounds import EXHAUSTIVE, reason_of, tenpai_of
from manue.records.payments import check_payments, first_of
from manue.records.possible import named_place
from manue.records.tenhou_yaku import names_every_yaku, numbered_yaku
from manue.rules import HONBA
from manue.tiles import Tile


def completed(game: Sequence[LogEntry], source: str) -> Iterator[Fields]:
    """Yield the Mjai fields of every event, with ``scores``, ``deltas`` and, of a win, what it was worth.

    What the record leaves out of a win (yaku, fu, han) is that of the hand, if it pays as much. A draw has
    one of the reasons of `manue.records.drawn_rounds`, a penalty none. The end of a round has its ``honba``,
    and as ``kyotaku`` the sticks that lay on the table.

    Parameters
    ----------
    game : sequence of LogEntry
        One game with all hands open.
    source : str
        Name for error messages.

    Raises
    ------
    LogError
        If a hand is hidden, an event cannot follow the ones before, or what was paid for one is not known.
    """
    states = [RoundState(seat) for seat in range(4)]
    state = states[0]
    firsts = _first_wins(game)
    on_table = 0
    for entry in game:
        event = entry.event
        if event is None:
            continue
        fields = entry.fields() | event_to_fields(event)
        before, offer, deposits = list(state.scores), state.offer, state.deposits
        winner = states[event.actor].copied() if isinstance(event, Won) else None
        with named_place(entry, source):
            _apply(event, states)
        if isinstance(event, GameStart) and event.last_round is not None:
            fields["kyoku_first"] = KYOKU_FIRST.get(event.last_round)
        if isinstance(event, RoundStart | Won | RoundDrawn | RiichiAccepted | GameEnd):
            fields["scores"] = list(event.scores or state.scores)
        if isinstance(event, Won | RoundDrawn):
            deltas = [after - points for after, points in zip(state.scores, before, strict=True)]
            fields["deltas"] = list(event.deltas or deltas)
            on_table = deposits if len(state.winners) < 2 else on_table
            fields |= {"honba": state.honba, "kyotaku": on_table}
        if isinstance(event, RoundDrawn):
            _complete_draw(fields, event, states)
        if isinstance(event, Won) and winner is not None:
            fields["pai"] = event.tile or (winner.drawn if offer is None else offer.tile)
            if not any(event is win for win in firsts):
                winner.honba = fields["kyotaku"] = 0
            _complete_win(fields, event, winner)
        yield fields


def _first_wins(game: Sequence[LogEntry]) -> list[Won]:
    """Return of every round with wins the one that gets honba and sticks, wherever it is listed."""
    rounds: list[list[Won]] = [[]]
    for entry in game:
        if isinstance(entry.event, RoundStart):
            rounds.append([])
        elif isinstance(entry.event, Won):
            rounds[-1].append(entry.event)
    return [first_of(wins) for wins in rounds if wins]


def _apply(event: Event, states: Sequence[RoundState]) -> None:
    """Apply an event to the states of all seats; raises EventError, also for hidden hands and payments."""
    if isinstance(event, RoundStart) and any(None in hand for hand in event.hands):
        raise EventError("this format shows all hands; one is hidden")
    if isinstance(event, Won | RoundDrawn):
        check_payments(event)
    for state in states:
        state.apply(event)


def _complete_draw(fields: Fields, event: RoundDrawn, states: Sequence[RoundState]) -> None:
    """Add to a draw its reason, ``None`` for a penalty, and who was tenpai if the wall had run out."""
    paid = replace(event, deltas=tuple(fields["deltas"]))
    fields["reason"] = reason_of(paid, states[0])
    if fields["reason"] in EXHAUSTIVE:
        fields["tenpais"] = list(tenpai_of(paid, states))


def _complete_win(fields: Fields, event: Won, state: RoundState) -> None:
    """Add to a win what is known of its worth, by the state of the winner where this comes to what was paid.

    Before the win, with the honba that were paid for it.
    """
    scored = _scored(state, event, fields)
    points = _points(event, fields["deltas"], state.honba)
    fields |= {"hora_points": points, "ura_markers": list(event.ura_indicators)}
    fields |= {"han": event.han, "fu": event.fu}
    if fields.get("pao") not in range(4):
        fields.pop("pao", None)
        if (liable := liable_payer(state, event, fields["deltas"])) is not None:
            fields["pao"] = liable
    fields |= next((one for one in scored if one["hora_points"] == points), {})


def _scored(state: RoundState, event: Won, fields: Fields) -> list[Fields]:
    """Return what a record leaves out of a win, by the state of the winner, with the points this makes.

    A record does not say whether it has double yakuman, so there is one answer without and one with them.
    """
    named = names_every_yaku(fields)
    if named and None not in (event.han, event.fu):
        return []
    ahead = state.copied()
    found: list[Fields] = []
    for double in (False, True):
        ahead.rules = replace(state.rules, double_yakuman_patterns=double)
        if (scored := score_of_event(ahead, event)) is None:
            continue
        score = scored[1]
        worth: Fields = {
            "hora_points": score.points,
            "han": score.han if event.han is None else event.han,
            "fu": score.fu if event.fu is None else event.fu,
        }
        if not named:
            yaku = numbered_yaku(score.yaku, state.seat_wind, state.round_wind)
            numbers, han = [number for number, _ in yaku], [value for _, value in yaku]
            worth |= {"yaku_ids": numbers, "yaku_han": han, "yaku_names": None}
        found.append(worth)
    return found


def _points(event: Won, deltas: Sequence[int], honba: int) -> int:
    """Return the points of a win without honba and deposits: as recorded, else by what was paid."""
    if event.points is not None:
        return event.points
    return -sum(change for change in deltas if change < 0) - HONBA * honba


def has_red_fives(game: Iterable[Fields]) -> bool:
    """Return whether a game has red fives: it says so at its start, or one is seen."""
    return any(fields.get("aka_flag") is True or _shows_red(fields) for fields in game)


def _shows_red(fields: Fields) -> bool:
    return any(tile.endswith("r") for tile in _tiles(fields))


def _tiles(fields: Fields) -> Iterator[Tile]:
    """Yield the tiles that come into play with an event."""
    kind = fields["type"]
    if kind == "start_kyoku":
        yield from chain(*fields["tehais"])
    if kind in {"start_kyoku", "dora"}:
        yield fields["dora_marker"]
    if kind == "tsumo":
        yield fields["pai"]


def _is_result(fields: Fields) -> bool:
    """Return whether an event ends a round otherwise than by a penalty."""
    return fields["type"] == "hora" or (fields["type"] == "ryukyoku" and fields["reason"] is not None)


def rounds_with_results(events: Iterable[Fields], source: str) -> tuple[list[Fields], list[str]]:
    """Return the events without the rounds that have no result, and the names of these rounds.

    Such a round is the last one of a game that was left, or ended with a penalty. Tenhou's formats hold none.
    Errors name the game as ``source`` does.

    Raises
    ------
    LogError
        If no round has a result.
    """
    parts: list[list[Fields]] = [[]]
    for event in events:
        if event["type"] in {"start_kyoku", "end_game"}:
            parts.append([])
        parts[-1].append(event)
    kept: list[Fields] = []
    left_out = []
    for part in parts:
        start = part[0] if part else {}
        if start.get("type") == "start_kyoku" and not any(map(_is_result, part)):
            left_out.append(round_text(start["bakaze"], start["kyoku"], start["honba"]))
        else:
            kept += part
    if not any(event["type"] == "start_kyoku" for event in kept):
        raise LogError(f"{source}: no round of the game has a result")
    return kept, left_out
