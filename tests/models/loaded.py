"""The models of the package, and what they predict for a state."""

from manue.features.scene import scene_of
from manue.models.danger import Explainer
from manue.models.model_set import Models


def shipped():
    """The models of the package, read when a test asks for them."""
    return Models.load()


def dangers(state, *, held_only=False):
    return shipped().dangers.read(scene_of(state), state.seat, held_only=held_only)


def explain(state, seat, kind):
    """Why a kind is as dangerous as it is against the opponent at ``seat``."""
    scene = scene_of(state)
    explainer = Explainer.of(shipped().dangers, scene, state.seat, dangers(state))
    return explainer.explain(seat, kind)
