"""What was paid for wins and draws of records that do not say it, and who was liable."""

import gzip
import json

import numpy as np
import pytest

from manue.__main__ import main
from manue.decision.endings import Endings
from manue.decision.payoffs import ScoreSituation, payoffs_of
from manue.errors import EventError
from manue.game.events import RoundDrawn, Won
from manue.game.players import RiverTile
from manue.game.state import RoundState
from manue.models.placement import RoundPosition
from manue.protocol.codec import message_to_event
from manue.protocol.parsing import parse_value
from manue.records.archive import entry_of
from manue.records.completed import completed
from manue.records.formats import read_game
from manue.records.games import collect_games
from manue.records.mjlog_writer import write_mjlog
from manue.records.payments import _of_draw, with_payments
from manue.records.results import round_results
from manue.sim.codes import EXHAUSTIVE, NAGASHI
from manue.sim.kit import new_kit
from manue.sim.payments import exhaust
from manue.sim.table import new_tables
from manue.tiles import KIND_OF, parse_tiles
from tests.conftest import game
from tests.messages import start_kyoku
from tests.models.loaded import shipped

OTHERS = [
    parse_tiles(hand)
    for hand in ("258m258p258s1122z", "258m258p258s1122z", "369m369p369s4444z", "147m147p147s1122z")
]
PAID = ("deltas", "scores", "hora_points", "han", "fan", "fu", "tenpais", "yaku_ids", "yaku_han")


def bare_lines(log, *, starts=True, leave_out=PAID):
    """The messages of a record whose results, and without ``starts`` later rounds, say nothing of points."""
    begun = False
    for line in gzip.decompress(log.read_bytes()).splitlines():
        fields = json.loads(line)
        if fields["type"] in {"hora", "ryukyoku"}:
            fields = {name: value for name, value in fields.items() if name not in leave_out}
        elif fields["type"] == "start_kyoku":
            if begun and not starts:
                del fields["scores"]
            begun = True
        yield fields


def written(path, messages):
    path.write_text("".join(json.dumps(fields) + "\n" for fields in messages))
    return path


def paid(log):
    events = [entry.event for entry in log]
    return [event.deltas for event in events if isinstance(event, Won | RoundDrawn)]


@pytest.mark.parametrize("starts", [True, False], ids=["by the next round", "by the hands"])
def test_a_result_without_a_word_on_points_counted_nothing(rare_logs, starts, tmp_path):
    for log in rare_logs:
        bare = written(tmp_path / "bare.mjson", bare_lines(log, starts=starts))
        assert paid(read_game(bare)) == paid(read_game(log)), log


def test_points_without_payments_are_those_of_the_hand_or_of_no_use(tmp_path):
    """Where a riichi lacks its ura indicators, only points that agree say that there was no ura-dora."""
    left_out = ("deltas", "scores", "ura_markers")
    log = game("two-manue")
    lines = list(bare_lines(log, starts=False, leave_out=(*PAID, "ura_markers")))
    unsure = paid(read_game(written(tmp_path / "unsure.mjson", lines)))
    assert None in unsure
    for stated in ({"hora_points": 100}, {"hora_points": None, "han": 12}):
        lines = [
            fields | stated if fields["type"] == "hora" else fields
            for fields in bare_lines(log, starts=False, leave_out=left_out)
        ]
        assert set(paid(read_game(written(tmp_path / "other.mjson", lines)))) == {None}


def test_a_game_with_a_win_of_unknown_points_is_of_no_use(tmp_path, capsys):
    lines = bare_lines(game("two-manue"), starts=False, leave_out=(*PAID, "ura_markers"))
    path = written(tmp_path / "unsure.mjson", lines)
    (line,) = collect_games(path, lambda _: pytest.fail("it was used"))
    assert "is not recorded, and does not follow from the hands" in line
    assert str(path) in line
    with pytest.raises(EventError, match="what was paid for the win of seat"):
        round_results([entry.event for entry in read_game(path) if entry.event is not None])
    assert main(["convert", str(path), "-o", str(tmp_path / "record.json")]) == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert "line " in error
    assert "what was paid for the win of seat" in error


def test_hidden_hands_leave_only_the_next_round():
    """Three players' hands are not seen: the last win of the game is left as it was."""
    messages = list(bare_lines(game("two-manue")))
    for fields in messages:
        if fields["type"] == "start_kyoku":
            fields["tehais"] = [
                hand if seat == 0 else ["?"] * 13 for seat, hand in enumerate(fields["tehais"])
            ]
        if fields["type"] == "tsumo" and fields["actor"] != 0:
            fields["pai"] = "?"
    found = paid(with_payments([entry_of(f"event {at}", fields) for at, fields in enumerate(messages)]))
    want = paid(read_game(game("two-manue")))
    assert found[:-1] == want[:-1]
    assert found[-1] in {None, want[-1]}


@pytest.mark.parametrize(
    ("reason", "deltas"),
    [("kyushukyuhai", (0, 0, 0, 0)), ("suufonrenta", (0, 0, 0, 0)), ("fanpai", None)],
)
def test_an_abortive_draw_pays_nothing_and_an_exhaustive_one_needs_the_hands(reason, deltas):
    """Every seat has discarded a 5p: none has a nagashi mangan."""
    assert paid_of([*one_open_hand(), {"type": "ryukyoku", "reason": reason}]) == [deltas]


def one_open_hand():
    """A round in which every seat discards a 5p; the hand that is shown is not tenpai."""
    hands = [parse_tiles("199m19p199s12345z"), *[["?"] * 13] * 3]
    messages = [start_kyoku(tehais=hands, scores=[25_000] * 4)]
    for seat in range(4):
        messages.append({"type": "tsumo", "actor": seat, "pai": "?" if seat else "5p"})
        messages.append({"type": "dahai", "actor": seat, "pai": "5p", "tsumogiri": True})
    return messages


def paid_of(messages):
    return paid(with_payments([entry_of(f"event {at}", fields) for at, fields in enumerate(messages)]))


@pytest.mark.parametrize(
    ("following", "deltas"),
    [
        ({"kyoku": 2, "honba": 1}, (1_000, 1_000, 1_000, -3_000)),
        ({"kyoku": 1, "honba": 1}, (1_000, 1_000, 1_000, -3_000)),
        ({"bakaze": "S", "kyoku": 1, "honba": 0}, None),
        ({"kyoku": 1, "honba": 0}, None),
        ({"kyoku": 2, "honba": 1, "scores": [26_000, 26_000, 26_000, 21_000]}, None),
    ],
)
def test_a_draw_is_paid_by_the_next_round_if_it_is_the_next_one_with_all_points(following, deltas):
    first = one_open_hand()
    fields = {"scores": [26_000, 26_000, 26_000, 22_000], "tehais": first[0]["tehais"]} | following
    ended = [{"type": "ryukyoku", "reason": "fanpai"}, {"type": "end_kyoku"}]
    assert paid_of([*first, *ended, start_kyoku(oya=fields["kyoku"] - 1, **fields)]) == [deltas]


@pytest.mark.parametrize(
    ("reason", "seats", "deltas"),
    [
        ("", [0], (12_000, -4_000, -4_000, -4_000)),
        ("nagashimangan", [2], (-4_000, -2_000, 8_000, -2_000)),
        ("exhaustive", [0, 2], (8_000, -6_000, 4_000, -6_000)),
        ("exhaustive_draw", [2], None),  # whether it counts at that table is not known
        ("nagashimangan", [], None),
    ],
)
def test_nagashi_mangan_is_paid_for_where_it_counts(reason, seats, deltas):
    state = RoundState(0)
    state.apply(message_to_event(parse_value(start_kyoku(tehais=OTHERS, scores=[25_000] * 4))))
    state.tiles_left = 0
    for seat in range(4):
        tiles = ["9m", "E"] if seat in seats else ["9m", "5s"]
        state.players[seat].river = [RiverTile(tile, from_draw=True) for tile in tiles]
    assert _of_draw(RoundDrawn(reason), [state]) == deltas


def test_tenpai_that_is_said_does_not_tell_whether_a_nagashi_mangan_counts():
    drawn = RoundDrawn("exhaustive_draw", tenpai=(True, False, False, False))
    assert _of_draw(drawn, [state_after(["5p", "5p", "E", "5p"])]) is None
    assert _of_draw(drawn, [state_after(["5p"] * 4)]) == (3_000, -1_000, -1_000, -1_000)


def test_nobody_has_a_nagashi_mangan_with_a_discard_that_was_called():
    state = state_after(["E", "5p", "9m", "5p"])
    state.players[0].river[0].called_by = 3
    assert _of_draw(RoundDrawn("nagashimangan"), [state]) == (-2_000, -4_000, 8_000, -2_000)
    state.players[2].river[0].called_by = 3
    assert _of_draw(RoundDrawn("nagashimangan"), [state]) is None


@pytest.mark.parametrize("pattern", range(16))
def test_tenpai_is_paid_alike_in_records_in_decisions_and_at_the_simulated_table(pattern):
    """By each of the three: a bit of ``pattern`` for each seat that is tenpai, the dealer is seat 1."""
    tenpai = tuple(bool(pattern >> seat & 1) for seat in range(4))
    t = simulated_draw(tenpai, discarded=["5p"] * 4)
    paid = tuple(t["deltas"].tolist())
    assert t["ending"] == EXHAUSTIVE
    drawn = RoundDrawn("fanpai", tenpai=tenpai)
    assert _of_draw(drawn, [state_after(["5p"] * 4)]) == paid
    situation = ScoreSituation(0, (25_000,) * 4, RoundPosition(1, 1), np.full((2, 3, 3), 8000.0))
    (payoffs,) = payoffs_of([situation], shipped().placement)
    assert tuple(payoffs.deltas[Endings.draw][pattern]) == paid


@pytest.mark.parametrize("seats", [[0], [1], [0, 2], [1, 3], [0, 1, 2, 3]], ids=str)
def test_nagashi_mangan_is_paid_alike_in_records_and_at_the_simulated_table(seats):
    tiles = ["E" if seat in seats else "5p" for seat in range(4)]
    t = simulated_draw((True, False, False, False), discarded=tiles)
    assert t["ending"] == NAGASHI
    assert _of_draw(RoundDrawn("nagashimangan"), [state_after(tiles)]) == tuple(t["deltas"].tolist())


def state_after(discarded):
    """A state of a round that seat 1 deals, with one discard of each seat."""
    state = RoundState(0)
    state.apply(message_to_event(parse_value(start_kyoku(kyoku=2, oya=1, tehais=OTHERS))))
    for player, tile in zip(state.players, discarded, strict=True):
        player.river = [RiverTile(tile, from_draw=True)]
    return state


def simulated_draw(tenpai, discarded):
    """A table at which the wall of a round that seat 1 deals has run out, with one discard of each seat."""
    t = new_tables(1)[0]
    t["index"] = 1
    t["waits"][:] = tenpai
    t["river_len"][:] = 1
    t["discarded"][:] = [1 << KIND_OF[tile] for tile in discarded]
    exhaust(t, new_kit())
    return t


def three_dragons(source, **result):
    """Seat 0 has called all dragons, the last of them from seat 3, and wins on 4m; seat 1 deals."""
    turns = [(1, "P", "1p"), (1, "W", ""), (2, "F", "4p"), (1, "W", ""), (2, "W", ""), (3, "C", "7p")]
    turns += [(seat, "8s", "") for seat in range(1, source or 4)]
    messages = [start_kyoku(kyoku=2, oya=1, tehais=[parse_tiles("PPFFCC23m99s147p"), *OTHERS[1:]])]
    for seat, tile, then in turns:
        messages.append({"type": "tsumo", "actor": seat, "pai": tile})
        messages.append({"type": "dahai", "actor": seat, "pai": tile, "tsumogiri": True})
        if then:
            messages.append({"type": "pon", "actor": 0, "target": seat, "pai": tile, "consumed": [tile] * 2})
            messages.append({"type": "dahai", "actor": 0, "pai": then, "tsumogiri": False})
    messages.append({"type": "tsumo", "actor": source, "pai": "4m"})
    if source:
        messages.append({"type": "dahai", "actor": source, "pai": "4m", "tsumogiri": True})
    messages.append({"type": "hora", "actor": 0, "target": source, **result})
    return with_payments([entry_of(f"event {at}", fields) for at, fields in enumerate(messages)])


@pytest.mark.parametrize(
    ("source", "deltas", "liable"),
    [
        (0, [32_000, 0, 0, -32_000], 3),
        (1, [32_000, -16_000, 0, -16_000], 3),
        (3, [32_000, 0, 0, -32_000], None),
        (0, [32_000, -16_000, -8_000, -8_000], None),  # at a table without liability
    ],
)
def test_who_was_liable_for_a_win_was_not_said(source, deltas, liable):
    """Records of Mjai name nobody: written to a format of Tenhou, only the payments showed it."""
    *_, win = completed(three_dragons(source, deltas=deltas), "game")
    assert win.get("pao") == liable
    assert win["hora_points"] == 32_000
    *_, named = completed(three_dragons(source, deltas=deltas, pao=2), "game")
    assert named["pao"] == 2


@pytest.mark.parametrize(
    ("source", "deltas"), [(0, [32_000, 0, 0, -32_000]), (1, [32_000, -16_000, 0, -16_000])]
)
def test_who_was_liable_pays_where_no_payments_are_said(source, deltas):
    events = list(completed(three_dragons(source), "game"))
    win = events[-1]
    assert (win["deltas"], win["pao"], win["pai"]) == (deltas, 3, "4m")
    assert f'fromWho="{source}" paoWho="3"' in write_mjlog(events)


def double_ron(first, *, riichi, shown=(0, 1, 2, 3), honba=1):
    """Seats 1 and 2 win on the dealer's 4p, seat 2 without riichi by tanyao and pinfu: 2,000 points."""
    hands = [parse_tiles("19m19p19s1234567z"), parse_tiles("456m23p123678s99m")]
    hands += [parse_tiles("234m56p34567888s"), parse_tiles("19m19p19s1234567z")]
    hands = [hand if seat in shown else ["?"] * 13 for seat, hand in enumerate(hands)]
    messages = [start_kyoku(dora_marker="N", honba=honba, tehais=hands, scores=[25_000] * 4)]
    for seat, tile in ((0, "W"), (1, "W"), (2, "7m"), (3, "7m"), (0, "4p")):
        messages.append({"type": "tsumo", "actor": seat, "pai": tile if seat in shown else "?"})
        declares = riichi and seat == 1
        messages += [{"type": "reach", "actor": seat}] * declares
        messages.append({"type": "dahai", "actor": seat, "pai": tile, "tsumogiri": True})
        messages += [{"type": "reach_accepted", "actor": seat}] * declares
    messages.append({"type": "hora", "actor": 1, "target": 0, **first})
    return [*messages, {"type": "hora", "actor": 2, "target": 0}, {"type": "end_kyoku"}]


@pytest.mark.parametrize("with_next_round", [True, False])
@pytest.mark.parametrize(
    ("first", "riichi", "shown", "want"),
    [
        ({}, True, (0, 1, 2, 3), [None, (-2_000, 0, 2_000, 0)]),
        ({"deltas": [-4_200, 5_200, 0, 0]}, True, (2,), [(-4_200, 5_200, 0, 0), (-2_000, 0, 2_000, 0)]),
        ({}, False, (0, 3), [None, None]),
    ],
    ids=["the first without ura indicators", "the first said", "both hidden"],
)
def test_the_second_of_two_wins_has_its_hand_and_nothing_of_the_table(
    first, riichi, shown, want, with_next_round
):
    """Nor has it what the next round shows of both."""
    messages = double_ron(first, riichi=riichi, shown=shown)
    if with_next_round:
        scores = [18_800, 29_200, 27_000, 25_000]
        messages.append(start_kyoku(kyoku=2, oya=1, tehais=messages[0]["tehais"], scores=scores))
    assert paid_of(messages) == want


def test_of_two_wins_the_nearest_has_honba_and_sticks_wherever_it_is_listed():
    """Regression: the win listed first had them; with 3 honba its points were off and its yaku lost."""
    *start, first, second, end = double_ron({"ura_markers": ["N"]}, riichi=True, honba=3)
    first["deltas"], second["deltas"] = [-8_600, 9_600, 0, 0], [-2_000, 0, 2_000, 0]
    written = []
    for wins in ([first, second], [second, first]):
        entries = [entry_of(f"event {at}", one) for at, one in enumerate([*start, *wins, end])]
        found = [one for one in completed(entries, "game") if one["type"] == "hora"]
        written.append([found[wins.index(win)] for win in (first, second)])
        for win in written[-1]:
            del win["scores"]
    assert written[1] == written[0]
    assert [(win["hora_points"], win["kyotaku"]) for win in written[1]] == [(7_700, 1), (2_000, 0)]
    assert all(win["yaku_ids"] for win in written[1])


def test_rules_given_for_a_record_did_not_count_for_what_it_leaves_out(tmp_path, capsys):
    """A dealer's big four winds and four concealed triplets on a pair wait: two yakuman, or four."""
    hands = ["E E E S S S W W W N N N 1m".split(), *[["?"] * 13] * 3]
    log = written(
        tmp_path / "winds.mjson",
        [
            {"type": "start_game", "names": list("abcd")},
            start_kyoku(dora_marker="6m", tehais=hands),
            {"type": "tsumo", "actor": 0, "pai": "9m"},
            {"type": "dahai", "actor": 0, "pai": "9m", "tsumogiri": True},
            {"type": "tsumo", "actor": 1, "pai": "1m"},
            {"type": "dahai", "actor": 1, "pai": "1m", "tsumogiri": True},
            {"type": "hora", "actor": 0, "target": 1, "pai": "1m"},
            {"type": "end_kyoku"},
            {"type": "end_game"},
        ],
    )
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / log.name).write_bytes(log.read_bytes())
    given = ["--seat", "0", "--agent", "rules", "--hanchan", "--json"]
    for rules, points in (("tenhou", 96_000), ("mjsoul", 192_000)):
        assert main(["review", str(log), *given, "--rules", rules]) == 0
        (seat,) = json.loads(capsys.readouterr().out)["seats"]
        assert [one["result"] for one in seat["rounds"]] == [points]
        assert main(["review", str(log.parent / "folder"), *given, "--rules", rules]) == 0
        (found,) = json.loads(capsys.readouterr().out)
        assert found["score"] == 25_000 + points
