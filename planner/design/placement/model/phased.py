"""Several phases of a machine placed at once: what is installed first never moves for what comes later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.design.placement.model.layout import Layout
from planner.design.placement.model.problem import PlacementProblem
from planner.domain.model import Topology


@dataclass(frozen=True)
class Phasing:
    """The networks of all phases, in each of which the routers of the one before come first, and what is minimized.

    Attributes
    ----------
    networks
        Network of each phase.
    flow
        Network of the routers of the last phase whose links count in the objective: one that counts twice occurs twice.
    """

    networks: Sequence[Topology]
    flow: Topology

    @property
    def arrival(self) -> np.ndarray:
        """Phase in which each router of the last network is installed, int64 (R,)."""
        sizes = [network.router_count for network in self.networks]
        return np.searchsorted(sizes, np.arange(sizes[-1]), side="right")

    def posed(self, pose: Callable[[Topology, Layout | None], PlacementProblem], groups: str) -> PlacementProblem:
        """Return the problem of all phases at once.

        Cabinets are filled phase by phase, so that a phase buys no cabinet for later routers; routers of different phases do
        not change places. Where groups that stay whole gain routers, the cabinets are those of the last phase.

        Parameters
        ----------
        pose
            Returns the problem of one network, with slots for some routers.
        groups
            Rule of the groups.
        """
        last = self.networks[-1]
        if groups != "ignored" and _groups_grow(last, self.arrival):
            return replace(pose(last, None), topology=self.flow)
        slot = np.zeros(0, np.int64)
        for network in self.networks:
            known = np.full(network.router_count, -1)
            known[: len(slot)] = slot
            found = pose(network, Layout(known, np.zeros(len(known), bool)) if len(slot) else None)
            slot = found.start
        classes = np.column_stack([found.swap_class, self.arrival])
        swap_class = np.unique(classes, axis=0, return_inverse=True)[1].ravel()
        return replace(found, topology=self.flow, swap_class=swap_class, missing=None)


def _groups_grow(network: Topology, arrival: np.ndarray) -> bool:
    """Return whether some group of the finest level has routers of several phases."""
    if not network.group.shape[1]:
        return False
    group = network.group[:, 0]
    return len(np.unique(np.column_stack([group, arrival]), axis=0)) > len(np.unique(group))
