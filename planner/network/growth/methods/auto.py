"""Auto: the first method that fits, from those that move nothing to those that move many links."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge

from planner.core.progress import Progress, silent
from planner.domain.model import Topology
from planner.network.growth.methods import block, inside, match, rebalance
from planner.network.growth.naming import embedding
from planner.network.growth.step import step

_THIRD = 1 / 3
"""Maximum share of moved links for a member of the family to be taken."""


def grow(
    old: Topology,
    target: Topology | None = None,
    *,
    routers: Annotated[int, Ge(1)] | None = None,
    ideal: bool = False,
    seed: Annotated[int, Ge(0)] = 1,
    progress: Progress = silent,
) -> Topology:
    """Return the network grown by `inside` if no link moves, by `rebalance` if it applies, and else by `block`.

    A target that contains the old routers, by coordinates or by a rule of its family, is also taken where at most a third of the
    old links moves, such as a torus that gains rows. Others, random networks among them, grow by `block`.

    Parameters
    ----------
    old, target
        Both networks.
    routers
        Routers of the grown network; by default those of the target.
    ideal
        Whether the grown network has to be the target itself, for its diameter; then `match` takes the place of `block`.
    seed
        Seed of random choices.
    progress
        Progress callback.
    """
    placed = None
    if target is not None and embedding(old, target) is not None:
        placed = inside.grow(old, target)
        if not len(step(old, placed).moved):
            return placed
        if not ideal and rebalance.applies(old, target):
            return rebalance.grow(old, target)
    if ideal and target is not None:
        found = match.grow(old, target, seed=seed, progress=progress)
        return found if placed is None or len(step(old, found).moved) < len(step(old, placed).moved) else placed
    # Routers of random networks have no coordinates but their numbers, which mean nothing in a larger one.
    structured = target is not None and target.coord_names != ("router",)
    if placed is not None and structured and step(old, placed).share_moved <= _THIRD:
        return placed
    return block.grow(old, target, routers=routers, seed=seed)
