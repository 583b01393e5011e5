"""What is seen of each kind, against its definition, on real games, calls included."""

from manue.decision.afterstates import hands_left
from manue.decision.options import DrawSettings, options_of
from manue.draws.win import WinStatistics
from manue.features.afterstate import Hands
from manue.features.kind_planes import PLANES, kind_planes
from manue.features.scene import scene_of
from manue.tiles import KIND_OF, KINDS, dora_of
from tests.conftest import GAMES
from tests.models.test_afterstate import decisions

DRAWS = DrawSettings(seed=1, number=8, extra=0, win_statistics=WinStatistics())


def expected(state, option, kind):
    """Return the columns of a kind, computed in the plainest way."""
    melds = option.branch.melds
    held = int(option.view.counts[kind])
    unseen = max(0, 4 - int(state.visible[kind]))
    others = [state.players[(state.seat + i) % 4] for i in (1, 2, 3)]
    return [
        *(held > copies for copies in range(4)),
        *(unseen > copies for copies in range(4)),
        sum(dora_of(tile) == kind for tile in state.dora_indicators),
        *(bool(player.safe[kind]) for player in others),
        sum(kind in {KIND_OF[tile] for tile in meld.tiles} for meld in melds),
        KINDS[kind] == state.round_wind,
        KINDS[kind] == state.seat_wind,
        any(KIND_OF[entry.tile] == kind for entry in state.me.river),
    ]


def test_every_plane_follows_its_definition():
    after_calls = 0
    for log in GAMES[::4]:
        for state, actions in decisions(log, every=23):
            scene = scene_of(state)
            options = [
                option for option in options_of(state, scene, actions, DRAWS) if option.discard is not None
            ]
            for option in options[:: max(1, len(options) // 3)]:
                hands = Hands._make(column[:1] for column in hands_left([option]))
                planes = kind_planes(scene, hands)
                for kind in range(34):
                    assert planes[kind].tolist() == expected(state, option, kind), (PLANES, kind)
                after_calls += option.branch.action is not None
    assert after_calls > 20
