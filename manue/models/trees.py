"""Decision trees and boosted trees as plain arrays, and their predictions.

All trees of a model are stored one after the other in flat arrays. Going left means
``row[feature] <= threshold``; a sweep evaluates all trees at once (``manue.models.sweep``). The arrays come
from scikit-learn (`manue.training.export`) and reproduce its numbers to the last bits; using them neither
needs nor unpickles anything of scikit-learn.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import Self

from manue.arrays import F32, F64, I16, I32
from manue.compiled import compiled
from manue.log_odds import probabilities_of
from manue.models.files import ModelFile
from manue.models.sweep import Sweep, sweep, sweep_of

LEAF = -1


@dataclass(frozen=True, slots=True)
class Trees:
    """One or more binary trees over rows of features; they predict ``base`` plus the leaves reached.

    Parameters
    ----------
    feature : int16[nodes]
        Column that a node tests, `LEAF` for leaves.
    threshold : float64[nodes]
    children : int32[nodes, 2]
        Indices of the left and the right node.
    value : float64[nodes]
        Meaningful in leaves.
    count, error : float64[nodes]
        Rows seen in training, and the standard error of ``value`` with the rows of one round taken as one
        sample; 0 if the training did not record them.
    roots : int32[trees]
        Index of each tree's root.
    base : float
        Added to every prediction.
    """

    feature: I16
    threshold: F64
    children: I32
    value: F64
    count: F64
    error: F64
    roots: I32
    base: float
    _sweeps: list[Sweep | None] = field(default_factory=list, init=False, repr=False, compare=False)

    def sums(self, rows: F32) -> F64:
        """Return the prediction for every row of float32[n, features], no value missing: float64[n]."""
        out = np.empty(len(rows))
        prepared = self._sweeps[0] if self._sweeps else self._prepare()
        if prepared is not None:
            sweep(prepared, rows, self.base, out)
            return out
        out[:] = self.base
        for root in self.roots.tolist():
            out += self.value[self._leaves_of(root, rows)]
        return out

    def _prepare(self) -> Sweep | None:
        """Order the trees for sweeping, at their first use; those too large for it are walked one by one."""
        prepared = sweep_of(self.feature, self.threshold, self.children, self.value, self.roots)
        self._sweeps[:] = [prepared]
        return prepared

    def probabilities(self, rows: F32) -> F64:
        """Return probabilities float64[n] of rows float32[n, columns], for trees whose sum is a log-odds."""
        return probabilities_of(self.sums(rows))

    def leaves(self, rows: F32) -> I32:
        """Return the leaf of the first tree that each row of float32[n, columns] ends in: int32[n]."""
        return self._leaves_of(int(self.roots[0]), rows)

    def _leaves_of(self, root: int, rows: F32) -> I32:
        out = np.empty(len(rows), np.int32)
        _leaves(self.feature, self.threshold, self.children, root, rows, out)
        return out

    def to_arrays(self, prefix: str) -> dict[str, npt.NDArray[np.generic]]:
        """Return the arrays under names that start with ``prefix``, for a model file."""
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        return {f"{prefix}.{name}": array for name, array in arrays.items()} | {
            f"{prefix}.base": np.array(self.base)
        }

    @classmethod
    def of(cls, file: ModelFile, prefix: str, columns: int) -> Self:
        """Read trees from a model file.

        Kernels address memory by these numbers unchecked, so everything is checked here.

        Parameters
        ----------
        file : ModelFile
        prefix : str
            Of the names of their arrays, as for `to_arrays`.
        columns : int
            Number of features in a row.

        Raises
        ------
        ModelError
            If an array is missing or of another type or shape, a node tests a feature that no row has, or the
            nodes do not form trees (a root or child is outside the arrays, a child does not come after its
            parent, a node is reached by no way or by two).
        """
        try:
            parts: dict[str, Any] = {
                name: np.ascontiguousarray(file.arrays[f"{prefix}.{name}"]) for name in _ARRAYS
            }
            base = file.arrays[f"{prefix}.base"]
        except KeyError as error:
            raise file.unfit(f"has no {error.args[0]}") from None
        nodes = parts["feature"].size
        shapes = {"children": (nodes, 2), "roots": (parts["roots"].size,)}
        for name, array in parts.items():
            if array.dtype != _ARRAYS[name] or array.shape != shapes.get(name, (nodes,)):
                found = f"{array.dtype}{list(array.shape)}"
                raise file.unfit(f"has {prefix}.{name} as {found}, which fits no trees")
        if base.dtype.kind != "f" or base.shape:
            raise file.unfit(f"has {prefix}.base, which is not a number")
        wrong = _wrong_nodes(parts["feature"], parts["children"], parts["roots"], columns)
        if wrong is not None:
            raise file.unfit(f"has trees {prefix!r} {wrong}")
        return cls(**parts, base=float(base))


_ARRAYS: dict[str, type[np.generic]] = {
    "feature": np.int16,
    "threshold": np.float64,
    "children": np.int32,
    "value": np.float64,
    "count": np.float64,
    "error": np.float64,
    "roots": np.int32,
}


def _wrong_nodes(feature: I16, children: I32, roots: I32, columns: int) -> str | None:
    """Return what is wrong with the nodes of trees; ``None`` if they are in order."""
    if not roots.size or not feature.size:
        return "without a node"
    if feature.min() < LEAF or feature.max() >= columns:
        return "with features that no row has"
    inner = np.flatnonzero(feature != LEAF)
    below = children[inner]
    known = np.concatenate([below.ravel(), roots])
    outside = np.any(known < 0) or np.any(known >= len(feature))
    if outside or np.any(below <= inner[:, None]) or np.any(np.bincount(known, minlength=len(feature)) != 1):
        return "whose nodes do not form trees"
    return None


@compiled
def _leaves(
    feature: I16,
    threshold: F64,
    children: I32,
    root: int,
    rows: F32,
    out: I32,
) -> None:
    for i in range(len(rows)):
        node = root
        while feature[node] >= 0:
            node = children[node, 1 - (rows[i, feature[node]] <= threshold[node])]
        out[i] = node
