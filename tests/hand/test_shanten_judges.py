"""Shanten and useful tiles against published libraries, the cut-out search and brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manue.errors import ModelError
from manue.hand import tables
from manue.hand.shanten import TABLES, shanten_batch, shanten_forms, ukeire_batch, ukeire_by_discard
from tests.conftest import FULL
from tests.oracles import shanten as oracle
from tests.oracles.hands import HAND_KINDS, random_hands

HANDS = 40_000 if FULL else 2_000
SEARCHED = 1_500 if FULL else 25
GROUPS = 5_000 if FULL else 300


@pytest.fixture(scope="module", params=HAND_KINDS)
def hands(request):
    return random_hands(request.param, HANDS, seed=20)


def ids_of(counts):
    return [4 * kind + copy for kind in range(34) for copy in range(counts[kind])]


def test_riichienv_agrees(hands):
    riichienv = pytest.importorskip("riichienv")
    theirs = [riichienv.calculate_shanten(ids_of(counts)) for counts in hands[0]]
    assert shanten_batch(*hands).tolist() == theirs


def test_xiangting_agrees_on_shanten_and_useful_tiles(hands):
    xiangting = pytest.importorskip("xiangting")
    ours, useful = shanten_batch(*hands), ukeire_batch(*hands)
    for counts, shanten, mask in zip(hands[0].tolist(), ours, useful, strict=True):
        missing, flags = xiangting.calculate_necessary_tiles(counts, xiangting.PlayerCount.FOUR)
        assert shanten == missing - 1, counts
        assert mask.tolist() == xiangting.to_array(flags), counts


def test_the_mahjong_library_agrees_on_each_form(hands):
    judge = pytest.importorskip("mahjong.shanten").Shanten
    ours = shanten_batch(*hands, forms=True)
    for counts, melds, forms in zip(hands[0].tolist(), hands[1], ours.tolist(), strict=True):
        assert forms[0] == judge.calculate_shanten_for_regular_hand(counts), counts
        if melds == 0:
            assert forms[1] == judge.calculate_shanten_for_chiitoitsu_hand(counts), counts
            assert forms[2] == judge.calculate_shanten_for_kokushi_hand(counts), counts


def test_the_cut_out_search_agrees(hands):
    chosen = np.random.default_rng(3).permutation(HANDS)[:SEARCHED]
    for counts, melds in zip(hands[0][chosen], hands[1][chosen].tolist(), strict=True):
        assert shanten_forms(counts, melds) == oracle.forms(counts, melds), counts


def test_one_function_says_what_the_others_say(hands):
    forms = shanten_batch(*hands, forms=True)
    assert (shanten_batch(*hands) == forms.min(1)).all()
    assert (shanten_batch(*hands, forms="regular") == forms[:, 0]).all()
    for counts, melds, row in zip(hands[0][:300], hands[1][:300].tolist(), forms, strict=False):
        assert shanten_forms(counts, melds) == tuple(row)


def test_useful_tiles_are_those_that_lower_the_shanten(hands):
    counts, melds = (part[hands[0].sum(1) + 3 * hands[1] == 13] for part in hands)
    before, useful = shanten_batch(counts, melds), ukeire_batch(counts, melds)
    for kind in range(34):
        drawn = counts.copy()
        drawn[:, kind] += 1
        possible = drawn[:, kind] <= 4
        lower = np.zeros(len(counts), bool)
        lower[possible] = shanten_batch(drawn[possible], melds[possible]) < before[possible]
        assert (useful[:, kind] == lower).all()


def test_each_discard_leaves_what_the_other_functions_say(hands):
    counts, melds = (part[hands[0].sum(1) + 3 * hands[1] == 14][:100] for part in hands)
    for hand, called in zip(counts, melds.tolist(), strict=True):
        after, useful = ukeire_by_discard(hand, called)
        kinds = np.flatnonzero(hand)
        left = hand - np.eye(34, dtype=np.int8)[kinds]
        assert (after[kinds] == shanten_batch(left, called)).all()
        assert (useful[kinds] == ukeire_batch(left, called)).all()
        assert (after[hand == 0] == 127).all()
        shanten = min(shanten_forms(hand, called))
        if shanten >= 0:  # a complete hand needs nothing, whatever it discards
            best = kinds[after[kinds] == shanten]
            assert (useful[best].any(0) == ukeire_batch(hand[None], called)[0]).all()


@given(st.sampled_from(HAND_KINDS), st.integers(0, 10**6), st.permutations(range(3)), st.booleans())
@settings(max_examples=60, deadline=None)
def test_suits_may_change_places_and_run_backwards(kind, seed, suits, backwards):
    counts, melds = random_hands(kind, 20, seed)
    groups = [counts[:, 9 * suit : 9 * suit + 9] for suit in suits]
    if backwards:
        groups[0] = groups[0][:, ::-1]
    turned = np.concatenate([*groups, np.roll(counts[:, 27:], 3, axis=1)], axis=1)
    assert (shanten_batch(turned, melds, forms=True) == shanten_batch(counts, melds, forms=True)).all()


def test_the_rows_of_random_suits_are_those_of_brute_force():
    rng = np.random.default_rng(8)
    targets = oracle.group_targets(9, sequences=True)
    for kind in range(GROUPS):
        suit = random_hands(HAND_KINDS[kind % 7], 1, kind)[0][0, :27].reshape(3, 9)[rng.integers(3)]
        code = int((suit * 5 ** np.arange(9)).sum())
        assert TABLES.suit_rows[TABLES.suit_ids[code]].tolist() == oracle.group_row(suit, targets), suit


def test_the_rows_of_all_honors_are_those_of_brute_force():
    targets = oracle.group_targets(7, sequences=False)
    step = 1 if FULL else 97
    for code in range(0, 5**7, step):
        held = code // 5 ** np.arange(7) % 5
        assert TABLES.honor_rows[TABLES.honor_ids[code]].tolist() == oracle.group_row(held, targets), held


def test_the_stored_tables_are_what_the_code_builds():
    assert tables.build_tables().packed.tobytes() == TABLES.packed.tobytes()


def test_damaged_tables_are_refused(tmp_path):
    whole = tables.PATH.read_bytes()
    other = tables.zlib.compress(b"something else")
    for name, data in {"cut": whole[:-9], "changed": other, "empty": b""}.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ModelError, match=f"{name}: the shanten tables are damaged"):
            tables.load_tables(tmp_path / name)
    with pytest.raises(ModelError, match="missing: cannot read the shanten tables"):
        tables.load_tables(tmp_path / "missing")


def test_the_command_rebuilds_the_tables(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(tables, "PATH", tmp_path / "shanten.bin")
    monkeypatch.setattr(tables, "build_tables", lambda: TABLES)  # that it builds these is tested above
    assert tables.main() == 0
    assert tables.SHA256 in capsys.readouterr().out
    assert (tables.load_tables(tables.PATH).packed == TABLES.packed).all()
    monkeypatch.setattr(tables, "SHA256", "another")
    assert tables.main() == 1
