"""None: each stage as it would be built alone, whatever moves."""

from __future__ import annotations

from planner.growth.methods import inside
from planner.growth.naming import embedding
from planner.model import Topology


def grow(old: Topology, target: Topology) -> Topology:
    """Return the target as it is; only ids of its routers change where coordinates state which ones the old routers are.

    Parameters
    ----------
    old, target
        Both networks.
    """
    return target if embedding(old, target) is None else inside.grow(old, target)
