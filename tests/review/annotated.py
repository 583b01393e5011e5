"""Annotated logs for tests: a record's own events with made-up numbers in the real format."""

import random

from manue.agents.base import Decision
from manue.decision.report import Report
from manue.game.actions import Call, Discard, Riichi
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.protocol.annotation import KEY, decision_table, decision_to_meta
from manue.records.archive import read_log
from manue.records.log_writer import LogWriter
from manue.tiles import KINDS

PATHS = [
    ["suji", "unseen <= 2", "turn in 7..11"],  # as earlier versions wrote it
    ["riichi on the table", "no suji", "middle number", "turn 9 or later"],
    ["two open sets", "outside the called suit"],
    ["nothing open", "early discard beside it"],
]
ROLLOUTS = [(0.0, 0.0), (-1250.4, 90.2), (40.0, 120.0)]
"""What playing on the best options gave beside the first, and half the interval."""
YAKU = [["riichi", "pinfu"], ["tanyao"], ["yakuhai: white"], ["chiitoitsu", "riichi"]]


def made_up_decision(state, actions, rng):
    """A decision whose numbers hang together but mean nothing."""
    reports = []
    for action in actions:
        win, danger = rng.betavariate(2, 6), rng.betavariate(1, 12)
        points, loss = rng.randrange(1000, 12000, 100), -rng.randrange(2000, 8000, 100)
        discards = [a for a in actions if isinstance(a, Discard)]
        follow = rng.choice(discards) if isinstance(action, Riichi) and discards else None
        if isinstance(action, Call) and action.kind in ("chi", "pon"):
            left = [tile for tile in state.hand if tile not in action.consumed]
            follow = Discard(rng.choice(left)) if left else None
        reports.append(
            Report(
                action, follow, expected_points=(1 - danger) * win * points + danger * loss,
                expected_rank=1 + 3 * rng.random(), win_prob=win, win_points=points, deal_in_prob=danger,
                deal_in_points=loss, draw_prob=0.2, draw_points=-200.0, others_win_prob=0.5 - win / 3,
                shanten=rng.randrange(4), ukeire_kinds=rng.randrange(12), ukeire_count=rng.randrange(30),
            )
        )  # fmt: skip
    reports.sort(key=lambda report: -report.expected_points)
    tenpai = tuple(None if seat == state.seat else rng.random() for seat in range(4))
    return Decision(reports[0].action, tuple(reports), tenpai, 1000, rng.randrange(1 << 32), 3.25)


def with_extras(meta, seat, rng):
    """Add what the page may show beside the columns."""
    kinds = [
        {} if other == seat else {kind: round(rng.betavariate(1, 9), 4) for kind in KINDS}
        for other in range(4)
    ]
    meta[KEY]["danger"] = kinds
    played = zip(meta[KEY]["candidates"], ROLLOUTS, strict=False)
    for candidate, (gain, error) in played:
        candidate["rollout"] = {"worlds": 4000, "gain": gain, "error": error, "points": -120.5, "rank": 2.41}
    for candidate in meta[KEY]["candidates"]:
        path = rng.choice(PATHS)
        entry = {"path": path, "prob": round(0.01 * len(path), 3), "samples": 8214}
        candidate["explain"] = [None if other == seat else entry for other in range(4)]
        candidate["useful"] = rng.sample(KINDS, 3)
        hand = ["1m", "2m", "3m", "4p", "5pr", "6p", "7s", "8s", "9s", "E", "E", "E", "5s", "5s"]
        candidate["goals"] = [{"tiles": hand, "prob": 0.05, "points": 3900.0, "yaku": rng.choice(YAKU)}]
        candidate["outcome"] = [
            [-8000, 0.05],
            [-3900, 0.1],
            [-1000, 0.3],
            [0, 0.3],
            [3900, 0.2],
            [8000, 0.05],
        ]
    return meta


def annotate(path, out, *, seats=(0, 1, 2, 3), seed=0, extras=True, limit=None):
    """Copy a log with every decision of some seats annotated; ``limit`` events at most."""
    rng = random.Random(seed)
    states = {seat: RoundState(seat) for seat in range(4)}
    with LogWriter(out) as writer:
        for number, entry in enumerate(read_log(path)):
            if limit is not None and number >= limit:
                return
            logs, meta = [None] * 4, [None] * 4
            for seat, state in states.items():
                state.apply(entry.event)
                actions = legal_actions(state)
                if actions and seat in seats:
                    decision = made_up_decision(state, actions, rng)
                    logs[seat], meta[seat] = decision_table(decision), decision_to_meta(decision, seat)
                    if extras:
                        with_extras(meta[seat], seat, rng)
            writer.write(entry.fields(), logs, meta)
