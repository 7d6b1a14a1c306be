"""Bundles: links between two groups that can be routed together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.domain.model import Topology


@dataclass(frozen=True, eq=False)
class Bundles:
    """Links between the groups of one level.

    Attributes
    ----------
    level
        Name of the group level.
    pairs
        Groups at both ends of each bundle, int64 (B, 2), lower group first.
    sizes
        Links of each bundle, int64 (B,).
    inside
        Links that stay inside a group.
    """

    level: str
    pairs: np.ndarray
    sizes: np.ndarray
    inside: int

    @property
    def count(self) -> int:
        return len(self.sizes)

    @property
    def histogram(self) -> dict[int, int]:
        """Number of bundles by number of links."""
        sizes, counts = np.unique(self.sizes, return_counts=True)
        return dict(zip(sizes.tolist(), counts.tolist(), strict=True))


def bundles(topology: Topology) -> tuple[Bundles, ...]:
    """Count the bundles of every group level, finest level first.

    References
    ----------
    .. [1] K. Lakhotia et al., "PolarStar: expanding the horizon of diameter-3 networks", SPAA 2024, section 8.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> [(level.level, level.count, level.histogram) for level in bundles(build("polarstar", q=3, supernode_degree=3))]
    [('supernode', 24, {8: 24}), ('cluster', 6, {8: 3, 32: 3})]
    """
    return tuple(_of_level(topology, name, group) for name, group in zip(topology.group_names, topology.group.T, strict=True))


def _of_level(topology: Topology, name: str, group: np.ndarray) -> Bundles:
    ends = np.sort(group[topology.links].astype(np.int64), axis=1)
    between = ends[:, 0] != ends[:, 1]
    pairs, sizes = np.unique(ends[between], axis=0, return_counts=True)
    return Bundles(name, pairs, sizes, int((~between).sum()))
