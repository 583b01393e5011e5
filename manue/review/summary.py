"""The summary of a review, from the decisions of a page: agreement, points lost, costliest choices, luck.

The points lost per decision are how much less the option played is worth than the best one (the gap in
`manue.review.decisions.ROW` without the part of habit): points and places together, in points. They are never
negative, and zero if both are the same option. The result of a round is then exactly::

    result = expected at the first decision + skill + luck

where skill is minus the points lost in the round, and luck is everything that changed between the decisions:
draws, the others' moves, the end of the round.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from manue.game.events import RoundStart
from manue.language.messages import ENGLISH, Messages
from manue.language.rounds import round_text
from manue.records.archive import LogEntry
from manue.review.decisions import ROW
from manue.review.frames import Json, round_facts
from manue.tiles import Seat

DECISION_KINDS = ("discard", "riichi", "call", "kan", "win", "abort")
WEIGHTS = ("blunder", "mistake", "inaccuracy")
"""Weights of mistakes, the heaviest first; from which loss on is in ``strong_players.json``."""
COSTLIEST = 10
MIN_DECISIONS = 20
"""Decisions with fewer losses known are too few to be rated as a game."""
_POINTS, _GAP, _HABIT = (ROW.index(name) for name in ("expPt", "gap", "habit"))
_CALLS = {"chi", "pon", "daiminkan"}
_KANS = {"ankan", "kakan"}


def kind_of(decision: Mapping[str, Any]) -> str:
    """Return what a decision was about: the rarest of `DECISION_KINDS` among its options."""
    kinds = {option["kind"] for option in decision["options"]}
    if "win" in kinds:
        return "win"
    if "nine_terminals" in kinds:
        return "abort"
    if "riichi" in kinds:
        return "riichi"
    if kinds & _CALLS:
        return "call"
    return "kan" if kinds & _KANS else "discard"


def points_of(option: Mapping[str, Any]) -> float | None:
    """Return the expected points of an option, ``None`` if the agent did not estimate them."""
    row = option["row"]
    value = None if row is None else row[_POINTS]
    return None if value is None else float(value)


def agrees(decision: Mapping[str, Any]) -> bool:
    """Return whether the best option was played; either of two copies of a tile will do."""
    if decision["played"] == decision["chosen"]:
        return True
    played, best = (decision["options"][decision[which]] for which in ("played", "chosen"))
    same = played["kind"] == best["kind"] == "discard"
    return bool(same and played["tiles"] == best["tiles"])


def points_lost(decision: Mapping[str, Any]) -> float | None:
    """Return the points given up, 0 on agreement, ``None`` if they are unknown."""
    if agrees(decision):
        return 0.0
    row = decision["options"][decision["played"]]["row"]
    gap = None if row is None else row[_GAP]
    return None if row is None or gap is None else max(0.0, float((row[_HABIT] or 0) - gap))


def judged(decisions: Iterable[Json]) -> list[Json]:
    """Return the decisions of a seat that an agent judged and that had more than one option.

    A riichi, chi or pon is judged together with its discard, which is not judged a second time.
    """
    return [
        decision
        for decision in decisions
        if decision["chosen"] is not None
        and decision["played"] is not None
        and len(decision["options"]) > 1
        and "named" not in decision
    ]


def option_words(option: Mapping[str, Any]) -> str:
    """Describe an option as the data of a summary do: ``discard 5m``, ``pon E E E, then 1m``."""
    then = f", then {option['then']}" if "then" in option else ""
    return " ".join([option["kind"].replace("_", " "), *option["tiles"]]) + then


def translated_option(option: Mapping[str, Any], words: Messages) -> str:
    """Describe an option in a language, tiles by their short names: ``Discard 5m``, ``Chi 7p 8p 6p → 7p``."""
    verb = words.text(f"option.{option['kind']}")
    if option["tiles"]:
        tiles = words.text("list.tiles.short").join(_short_tile(tile, words) for tile in option["tiles"])
        if option["kind"] == "win":
            return words.text("option.full.win", tiles=tiles)
        key = "option.full.set" if len(option["tiles"]) > 1 else "option.full"
        verb = words.text(key, verb=verb, tiles=tiles)
    return f"{verb} → {_short_tile(option['then'], words)}" if "then" in option else verb


def _short_tile(tile: str, words: Messages) -> str:
    if len(tile) == 1:
        return words.text(f"tile.short.{tile}")
    return words.text("tile.short.red", tile=tile[:2]) if len(tile) > 2 else tile


def round_label(entry: Mapping[str, Any], words: Messages = ENGLISH) -> str:
    """Return the name of a round of a page's data: ``East 1``, ``South 3, honba 2``."""
    return round_text(entry["wind"], entry["number"], entry["honba"], words)


def rounds_read(game: list[LogEntry]) -> str:
    """Return a remark on which rounds there are before a damage."""
    starts = [entry.event for entry in game if isinstance(entry.event, RoundStart)]
    rounds = [round_label(round_facts(event, 0)) for event in starts]
    if len(rounds) == 1:
        return f"shown is the one whole round before it: {rounds[0]}"
    return f"shown are the {len(rounds)} whole rounds before it: {rounds[0]} to {rounds[-1]}"


def turn_label(entry: Mapping[str, Any], turn: int, words: Messages = ENGLISH) -> str:
    """Return a turn of a round in words: ``East 4, honba 2, turn 9``."""
    return words.text("round.turn", round=round_label(entry, words), n=turn)


@cache
def strong_players() -> Json:
    """Return what strong players lose by their decisions (`manue.validation.losses.distribution_of`)."""
    found: Json = json.loads((files("manue.review") / "strong_players.json").read_text("utf-8"))
    return found


def weight_of(lost: float) -> str | None:
    """Return the weight of a mistake that loses ``lost`` points; ``None`` for less than an inaccuracy."""
    weights = strong_players()["weights"]
    return next((weight for weight in WEIGHTS if lost >= weights[weight]), None)


def better_than(per_decision: float) -> float:
    """Return the share of strong players' games in which more was lost per decision."""
    quantiles = strong_players()["lost"]
    return 1.0 - float(np.interp(per_decision, quantiles, np.linspace(0.0, 1.0, len(quantiles))))


def summarize(
    data: Json, seats: Sequence[Seat], agent: str, asked: Seat | None = None, *, rated: bool = True
) -> Json:
    """Return the summary that the page shows and ``--json`` prints.

    Parameters
    ----------
    data : dict
        As returned by `manue.review.page.page_data`.
    seats : sequence of int
        The seats reviewed.
    agent : str
        The agent that judged them.
    asked : int, optional
        The seat that was asked for, which the page opens; by default the one that lost most.
    rated : bool
        Whether the points lost compare with those of `strong_players`: the agent values options as theirs
        were valued.
    """
    strong = strong_players()
    found = [_seat(data, seat, rated=rated) for seat in seats]
    most = max(found, key=lambda seat: seat["lost"] or 0, default=None)
    return {
        "agent": agent,
        "rated": rated,
        "open": asked if asked is not None or most is None else most["seat"],
        "seats": found,
        "strong": {name: strong[name] for name in ("games", "seats", "decisions", "weights")},
        "note": ENGLISH.text("review.note"),
    }


def _seat(data: Json, seat: Seat, *, rated: bool) -> Json:
    decisions = judged(data["decisions"][seat])
    groups = {kind: [d for d in decisions if kind_of(d) == kind] for kind in DECISION_KINDS}
    lost = _lost(decisions)
    known = sum(points_lost(decision) is not None for decision in decisions)
    per_decision = None if lost is None else round(lost / known, 1)
    better = None if per_decision is None else round(better_than(per_decision), 3)
    mistakes = _mistakes(data, decisions)
    return {
        "seat": seat,
        "name": data["names"][seat],
        "decisions": len(decisions),
        "agreement": _agreement(decisions),
        "lost": lost,
        "mortal": _beside_mortal(decisions),
        "perDecision": per_decision,
        "better": better if rated and known >= MIN_DECISIONS else None,
        "weights": {weight: sum(one["weight"] == weight for one in mistakes) for weight in WEIGHTS},
        "kinds": [
            {"kind": kind, "decisions": len(group), "agreement": _agreement(group), "lost": _lost(group)}
            for kind, group in groups.items()
            if group
        ],
        "costliest": _costliest(data, decisions),
        "rollouts": _rollouts(data, decisions),
        "mistakes": mistakes,
        "rounds": [
            _round(entry, data["decisions"][seat], _result(data, entry, seat)) for entry in data["rounds"]
        ],
    }


def _agreement(decisions: Sequence[Json]) -> float | None:
    return sum(map(agrees, decisions)) / len(decisions) if decisions else None


def mortal_choice(decision: Mapping[str, Any]) -> int | None:
    """Return the option that Mortal valued most, ``None`` if the log does not have its values."""
    values = [(value, -at) for at, value in enumerate(decision.get("mortal") or ()) if value is not None]
    return -max(values)[1] if values else None


def _beside_mortal(decisions: Sequence[Json]) -> Json | None:
    """Return how often Mortal's choice is the best one here, where the log has Mortal's values."""
    pairs = [(decision, best) for decision in decisions if (best := mortal_choice(decision)) is not None]
    if not pairs:
        return None
    return {
        "decisions": len(pairs),
        "agreement": sum(agrees({**decision, "played": best}) for decision, best in pairs) / len(pairs),
    }


def _lost(decisions: Sequence[Json]) -> float | None:
    """Sum the known losses; ``None`` without any estimates, or if all losses are unknown."""
    estimated = any(points_of(option) is not None for decision in decisions for option in decision["options"])
    losses = [points_lost(decision) for decision in decisions if not agrees(decision)]
    known = [lost for lost in losses if lost is not None]
    return round(sum(known, 0.0), 1) if estimated and (known or not losses) else None


def costliest(decisions: Iterable[Json], number: int) -> list[tuple[float, Json]]:
    """Return the decisions that lost most, at most ``number``, with what each lost, the costliest first."""
    costs = [(lost, decision) for decision in decisions if (lost := points_lost(decision))]
    costs.sort(key=lambda pair: -pair[0])
    return costs[:number]


def _costliest(data: Json, decisions: Sequence[Json]) -> list[Json]:
    return [
        {
            "at": decision["at"],
            "where": turn_label(data["rounds"][round_of(data, decision)], decision["turn"]),
            "kind": kind_of(decision),
            "played": option_words(decision["options"][decision["played"]]),
            "best": option_words(decision["options"][decision["chosen"]]),
            **_mortal_words(decision),
            "lost": round(lost, 1),
        }
        for lost, decision in costliest(decisions, COSTLIEST)
    ]


def _rollouts(data: Json, decisions: Sequence[Json]) -> Json | None:
    """Return what playing on said of the decisions, in their order; ``None`` if none was played on."""
    found = [said for decision in decisions if (said := _said_by_playing_on(data, decision)) is not None]
    if not found:
        return None
    says = {word: sum(one["says"] == word for one in found) for word in ("better", "confirmed", "unclear")}
    worlds = next(
        option["rollout"][0] for one in decisions for option in one["options"] if "rollout" in option
    )
    return {"worlds": worlds, **says, "decisions": found}


def _said_by_playing_on(data: Json, decision: Json) -> Json | None:
    """Return how the best other option that was played on did; ``None`` if none was."""
    options, chosen = decision["options"], decision["chosen"]
    others = [at for at, option in enumerate(options) if at != chosen and "rollout" in option]
    if not others:
        return None
    at = max(others, key=lambda at: _least_gain(options[at]))
    _, gain, error = options[at]["rollout"]
    better, confirmed = gain > error, all(sum(options[one]["rollout"][1:]) < 0 for one in others)
    return {
        "at": decision["at"],
        "where": turn_label(data["rounds"][round_of(data, decision)], decision["turn"]),
        "kind": kind_of(decision),
        "best": option_words(options[chosen]),
        "other": option_words(options[at]),
        "option": at,
        "gain": gain,
        "error": error,
        "says": "better" if better else "confirmed" if confirmed else "unclear",
    }


def _least_gain(option: Json) -> int:
    """Return the lower end of the interval of what an option gained when it was played on."""
    _, gain, error = option["rollout"]
    return int(gain - error)


def _mortal_words(decision: Json) -> Json:
    best = mortal_choice(decision)
    return {} if best is None else {"mortal": option_words(decision["options"][best])}


def _mistakes(data: Json, decisions: Sequence[Json]) -> list[Json]:
    """Return the mistakes in the order of the game; ``played`` and ``best`` are numbers of options."""
    found = []
    for decision in decisions:
        lost = points_lost(decision)
        weight = None if lost is None else weight_of(lost)
        if lost is not None and weight is not None:
            found.append(
                {
                    "at": decision["at"],
                    "round": round_of(data, decision),
                    "turn": decision["turn"],
                    "kind": kind_of(decision),
                    "riichi": _riichi_on_table(data, decision),
                    "played": decision["played"],
                    "best": decision["chosen"],
                    "lost": round(lost, 1),
                    "weight": weight,
                }
            )
    return found


def _riichi_on_table(data: Json, decision: Json) -> bool:
    """Return whether a riichi has been declared in the round by then."""
    start = data["rounds"][round_of(data, decision)]["start"]
    return any(event["type"] == "riichi" for event in data["events"][start : decision["at"] + 1])


def round_of(data: Json, decision: Json) -> int:
    """Return the number of the round of a decision among those of the page, from 0."""
    return max(number for number, entry in enumerate(data["rounds"]) if entry["start"] <= decision["at"])


def _result(data: Json, entry: Json, seat: Seat) -> int | None:
    """Return what a round brought a seat; ``None`` if the record breaks off before its end."""
    events = data["events"][entry["start"] : entry["end"] + 1]
    ended = any(event["type"] in {"win", "exhausted"} for event in events)
    return int(entry["result"][seat]) if ended else None


def _round(entry: Json, decisions: Sequence[Json], result: int | None) -> Json:
    here = [decision for decision in judged(decisions) if entry["start"] <= decision["at"] <= entry["end"]]
    facts = {"label": round_label(entry), "at": entry["start"], "result": result}
    first = points_of(here[0]["options"][here[0]["chosen"]]) if here else None
    lost = _lost(here)
    if first is None or lost is None:
        return facts | {"expected": None, "skill": None, "luck": None}
    skill = 0.0 - lost  # not -0.0
    return facts | {
        "expected": round(first, 1),
        "skill": round(skill, 1),
        "luck": None if result is None else round(result - first - skill, 1),
    }
