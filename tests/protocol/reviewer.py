"""How mjai-reviewer talks to an engine and reads its lines: the rules of its Mortal mode, rebuilt.

It writes a whole record, a line an event, and reads a line for each; what it cannot read ends the review.
"""

import json
from itertools import dropwhile

from manue.tiles import KIND_OF, KINDS, RED_FIVES

FIELDS = {
    "none": (),
    "start_game": ("names",),
    "start_kyoku": ("bakaze", "dora_marker", "kyoku", "honba", "kyotaku", "oya", "scores", "tehais"),
    "tsumo": ("actor", "pai"),
    "dahai": ("actor", "pai", "tsumogiri"),
    "chi": ("actor", "target", "pai", "consumed"),
    "pon": ("actor", "target", "pai", "consumed"),
    "daiminkan": ("actor", "target", "pai", "consumed"),
    "kakan": ("actor", "pai", "consumed"),
    "ankan": ("actor", "consumed"),
    "dora": ("dora_marker",),
    "reach": ("actor",),
    "reach_accepted": ("actor",),
    "hora": ("actor", "target"),
    "ryukyoku": (),
    "end_kyoku": (),
    "end_game": (),
}
OPTIONAL = ("deltas", "ura_markers", "kyoku_first", "aka_flag")
CONSUMED = {"chi": 2, "pon": 2, "daiminkan": 3, "kakan": 3, "ankan": 4}
BOUNDARIES = {"start_game", "start_kyoku", "end_kyoku", "end_game"}
ACTIONS = [*KINDS, *RED_FIVES, "reach", "low", "middle", "high", "pon", "kan", "hora", "ryukyoku"]
PASS = len(ACTIONS)
KAN = ACTIONS.index("kan")
UNITS = {"ankan": "kan", "kakan": "kan", "daiminkan": "kan"}
RED_IS_PLAIN = {"chi", "pon", "daiminkan", "ankan"}


class ReviewError(Exception):
    """What ends a review, in the tool's own words."""


def review(events, seat, ask, last_line):
    """Review a record; return for each decision its rank among the options, their number, and whether equal.

    Parameters
    ----------
    events : list of dict
    seat : int
    ask : callable
        Writes a line to the engine and returns the line that it answers.
    last_line : callable
        Closes the engine's input and returns the line that it ends with.
    """
    found = []
    for at, event in enumerate(events):
        line = ask(json.dumps(written(event)))
        if event["type"] in BOUNDARIES:
            continue
        reply = event_in(line)
        meta = meta_in(reply.get("meta"))
        if meta is None or meta["mask_bits"].bit_count() <= 1:
            continue
        labels = bits(meta["mask_bits"])
        played = next_action(events[at + 1 :], seat, labels)
        if played is not None:
            found.append(judge(reply, meta, labels, played))
    check_last_line(json.loads(last_line()), events)
    return found


def written(event):
    """Return an event as the tool writes it: with the fields that it knows."""
    known = ("type", *FIELDS[event["type"]], *OPTIONAL)
    return {key: event[key] for key in known if key in event}


def event_in(line):
    """Parse an engine's line."""
    reply = json.loads(line)
    for field in FIELDS[reply["type"]]:
        demand(field in reply, f"missing field `{field}`")
    demand(len(reply.get("consumed", ())) == CONSUMED.get(reply["type"], 0), "invalid length of consumed")
    return reply


def meta_in(meta):
    """Check what a line gives beside its event; ``None`` if nothing."""
    if meta is None:
        return None
    types = {"q_values": list, "mask_bits": int, "is_greedy": bool, "batch_size": int, "eval_time_ns": int}
    types |= {"shanten": int, "at_furiten": bool}
    for key, kind in types.items():
        demand(isinstance(meta.get(key, kind()), kind), f"invalid type of {key}")
    demand(all(isinstance(value, int | float) for value in meta.get("q_values", ())), "a value is no number")
    meta_in(meta.get("kan_select"))
    demand("mask_bits" in meta, "missing mask_bits")
    return meta


def judge(reply, meta, labels, played):
    """Find what was played among the options."""
    label = label_of(played)
    demand(label in labels, f"{played} is not a valid reaction")
    for needed in ("shanten", "at_furiten", "q_values"):
        demand(needed in meta, f"missing {needed}")
    options = {("general", one): value for one, value in valued(labels, meta["q_values"]).items()}
    kind = kan_kind_of(played)
    if "kan_select" in meta:
        options |= kan_options(meta["kan_select"], options.pop(("general", KAN), None))
    order = sorted(options, key=options.get, reverse=True)
    chosen = ("general", label) if kind is None else ("kan", kind)
    demand(chosen in order, f"failed to find action ({label}, {kind}) in details {order}")
    return order.index(chosen), len(order), is_equal(reply, played)


def kan_options(select, value):
    demand(value is not None, "in kan_select but no kan found in root")
    kinds = bits(select["mask_bits"])
    demand(kinds and max(kinds) < len(KINDS), f"invalid kan label in {kinds}")
    demand("q_values" in select, "missing q_values")
    values = {kinds[0]: value} if len(kinds) == 1 else valued(kinds, select["q_values"])
    return {("kan", kind): one for kind, one in values.items()}


def valued(labels, values):
    demand(len(values) >= len(labels), "q_values vec underflow")
    return dict(zip(labels, values[len(values) - len(labels) :], strict=True))


def bits(mask):
    return [label for label in range(PASS + 1) if mask >> label & 1]


def label_of(event):
    kind = event["type"]
    if kind == "dahai":
        return ACTIONS.index(event["pai"])
    if kind == "chi":
        own, called = sorted(KIND_OF[tile] for tile in event["consumed"]), KIND_OF[event["pai"]]
        return ACTIONS.index("low") + (called > own[0]) + (called > own[1])
    name = UNITS.get(kind, kind)
    return ACTIONS.index(name) if name in ACTIONS else PASS


def kan_kind_of(event):
    if event["type"] == "ankan":
        return KIND_OF[event["consumed"][0]]
    return KIND_OF[event["pai"]] if event["type"] == "kakan" else None


def is_equal(reply, played):
    kind = reply["type"]
    if kind != played["type"]:
        return False
    if kind in RED_IS_PLAIN:
        return kinds_of(reply) == kinds_of(played)
    return kind not in {"dahai", "kakan"} or reply["pai"] == played["pai"]


def kinds_of(event):
    return sorted(KIND_OF[tile] for tile in event["consumed"])


def next_action(later, seat, labels):
    """Return what the player did, ``none`` if nothing; ``None`` if it could not act because of others."""
    nothing = {"type": "none"}
    later = list(dropwhile(lambda event: event["type"] in {"dora", "reach_accepted"}, later))
    may_win = ACTIONS.index("hora") in labels
    may_call = ACTIONS.index("pon") in labels or KAN in labels
    match later[0]["type"]:
        case "tsumo":
            return nothing
        case "hora":
            won = [event for event in later[:3] if event["type"] == "hora" and event["actor"] == seat]
            return won[0] if won else (nothing if may_win else None)
        case "ryukyoku":
            return later[0] if ACTIONS.index("ryukyoku") in labels else None
    if later[0].get("actor", seat) != seat:
        return nothing if may_win or may_call else None
    return later[0]


def check_last_line(last, events):
    rounds = sum(event["type"] == "end_kyoku" for event in events)
    demand(isinstance(last["model_tag"], str), "invalid type of model_tag")
    demand(len(last["phi_matrix"]) == rounds, "phi_matrix has not a matrix a round")
    for matrix in last["phi_matrix"]:
        demand([len(row) for row in matrix] == [4] * 4, "invalid length of a matrix")


def demand(holds, fault):
    if not holds:
        raise ReviewError(fault)
