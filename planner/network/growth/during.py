"""The network while the crew works: what is up in each window of a step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from planner.domain.model import Topology
from planner.network.growth.naming import GROWN
from planner.network.growth.step import Step
from planner.network.growth.windows import Windows
from planner.network.topology import from_links


@dataclass(frozen=True)
class Up:
    """The network of the links that are up in a window.

    Attributes
    ----------
    network
        The network.
    routers
        Number of each of its routers in the new network, int64 (R,).
    old_link, new_link
        Link of the old and of the new network that each of its links is, -1 for none, int64 (L,).
    """

    network: Topology
    routers: np.ndarray
    old_link: np.ndarray
    new_link: np.ndarray


def during(step: Step, windows: Windows, window: int) -> Topology:
    """Return the network of the links that are up while the cables of a window are out, see `up`."""
    return up(step, windows, window).network


def up(step: Step, windows: Windows, window: int, *, endpoints: Literal["all", "installed"] = "all") -> Up:
    """Return the network of the links that are up while the cables of a window are out, and which links these are.

    Links that earlier windows put in are up, those of this window are not yet; in window 0 nothing is out, and its links are
    up. New routers that do not reach the old ones yet are left out, so that the
    network is connected wherever the old routers are, and can be simulated.

    Parameters
    ----------
    step, windows
        A step and its windows.
    window
        Number of the window, from 0.
    endpoints
        Those of all routers, or of the installed ones alone: new ones carry traffic when the work is done.

    Raises
    ------
    ValueError
        When there is no such window.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not 0 <= window <= windows.count:
        raise ValueError(f"there is no window {window}; they are 0 to {windows.count}")
    old, new = step.old, step.new
    stay = np.concatenate([step.kept[:, 0], step.moved[windows.moved > window]])
    put_in = step.added[(windows.added >= 0) & (windows.added < max(window, 1))]
    links = np.concatenate([old.links[stay], new.links[put_in]]).astype(np.int64)
    classes = np.concatenate([old.link_class[stay], _classes(old, new)[put_in]])
    kept = np.full(old.link_count, -1)
    kept[step.kept[:, 0]] = step.kept[:, 1]
    old_link, new_link = np.concatenate([stay, np.full(len(put_in), -1)]), np.concatenate([kept[stay], put_in])
    graph = coo_array((np.ones(len(links), np.int8), (links[:, 0], links[:, 1])), shape=(new.router_count, new.router_count))
    label = connected_components(graph, directed=False)[1]
    # Routers of the new network from the old one's ids on are there when they reach any old router.
    there = np.isin(label, label[: old.router_count])
    number = np.cumsum(there) - 1
    inside = np.flatnonzero(there[links].all(axis=1))
    # Links in the order of the record.
    inside = inside[np.lexsort((links[inside, 1], links[inside, 0]))]
    count = np.where(np.arange(new.router_count) < old.router_count, new.endpoints_of, 0)
    network = from_links(
        GROWN + new.family.removeprefix(GROWN),
        new.params | {"window": window},
        int(there.sum()),
        number[links[inside]],
        endpoints=(new.endpoints_of if endpoints == "all" else count)[there],
        link_class=classes[inside],
        link_class_names=old.link_class_names,
        group=new.group[there],
        group_names=new.group_names,
        coords=new.coords[there],
        coord_names=new.coord_names,
        role=new.role[there],
        role_names=new.role_names,
    )
    return Up(network, np.flatnonzero(there), old_link[inside], new_link[inside])


def _classes(old: Topology, new: Topology) -> np.ndarray:
    """Return the class of each link of the new network, as the old one numbers it; its first one where it has no such class."""
    known = {name: number for number, name in enumerate(old.link_class_names)}
    return np.array([known.get(name, 0) for name in new.link_class_names], np.uint8)[new.link_class]
