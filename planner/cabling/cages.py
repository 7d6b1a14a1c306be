"""Port and cage of every cable end, and which links may share a cable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.model import Catalog, Placement, Topology


@dataclass(frozen=True)
class Cages:
    """Both ends of every link and endpoint cable; W rows, links first.

    Attributes
    ----------
    device
        A router's id, or R + an endpoint's id, int64 (W, 2).
    port, cage
        As printed on the box, from 1, int64 (W, 2).
    socket
        Number of the cage among those of all boxes, int64 (W, 2).
    share
        Rows with the same number fill a cage of a router together, and a cage at the other end or neighboring endpoints: they
        can share one twin-port or splitter cable. -1 for the others. int64 (W,).
    """

    device: np.ndarray
    port: np.ndarray
    cage: np.ndarray
    socket: np.ndarray
    share: np.ndarray

    @property
    def together(self) -> np.ndarray:
        """Number of rows that plug into the same cage, int64 (W, 2)."""
        return np.bincount(self.socket.ravel())[self.socket]

    @property
    def first(self) -> np.ndarray:
        """Whether a row is the first in its cage, bool (W, 2)."""
        first = np.zeros(self.socket.size, bool)
        first[np.unique(self.socket.ravel(), return_index=True)[1]] = True
        return first.reshape(self.socket.shape)


def cages_of(topology: Topology, catalog: Catalog, placement: Placement) -> Cages:
    """Return ports and cages of every cable, with the maximum number of links that fill a cage at both ends.

    Where a cage carries several ports, links between the same two routers that fill cages share them;
    they come first. All other links follow in the order of the topology, then the endpoints, from a new cage if
    there are enough: first those that share. Endpoints of one router share a cage when their boxes are in one cabinet,
    neighbors first, or, where the endpoint box has such cages itself, when they are in one box. An endpoint box has the
    router's number of ports per cage if both have the same connector, otherwise one.

    With one port in each cage, a router's ports follow the order of the topology, and a box's that of its endpoints.
    """
    ports = catalog.router.ports_per_cage
    box_ports = ports if catalog.endpoint.connector == catalog.router.connector else 1
    link_port, link_share = _links(topology, ports)
    box = _boxes(placement)
    router_port, box_port, share = _endpoints(topology, placement, catalog.router.ports, ports, box, box_ports)
    routers, endpoints = topology.router_count, topology.endpoint_count
    ends = np.column_stack([topology.endpoint_router.astype(np.int64), routers + np.arange(endpoints)])
    device = np.concatenate([topology.links.astype(np.int64).reshape(-1, 2), ends])
    port = np.concatenate([link_port, np.column_stack([router_port, box_port])])
    per_cage = np.where(device < routers, ports, box_ports)
    cage = (port - 1) // per_cage + 1
    owner = device.copy()
    owner[topology.link_count :, 1] = routers + box
    share = np.concatenate([link_share, np.where(share >= 0, share + link_share.max(initial=-1) + 1, -1)])
    return Cages(device, port, cage, owner * (cage.max(initial=0) + 1) + cage, share)


def _links(topology: Topology, ports: int) -> tuple[np.ndarray, np.ndarray]:
    """Return port at both ends (L, 2) and share (L,) of every link."""
    pair = np.sort(topology.links.astype(np.int64).reshape(-1, 2), axis=1)
    share = _shares(pair[:, 0] * topology.router_count + pair[:, 1], np.arange(len(pair)), ports)
    owner = np.repeat(np.arange(topology.router_count), topology.degree)
    link = topology.link.astype(np.int64)
    number = _places(owner, share[link] < 0, share[link], np.arange(len(owner))) + 1
    # Both ends of a link differ, so the owner identifies the end of a position.
    side = (topology.links[link, 0] != owner).astype(np.int64)
    port = np.zeros((topology.link_count, 2), np.int64)
    port[link, side] = number
    return port, share


def _endpoints(
    topology: Topology, placement: Placement, router_ports: int, ports: int, box: np.ndarray, box_ports: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return port at the router, port at the box and share of every endpoint, int64 (H,) each."""
    router = topology.endpoint_router.astype(np.int64)
    count = np.bincount(router, minlength=topology.router_count)
    fresh = -(-topology.degree.astype(np.int64) // ports) * ports
    begin = np.where(fresh + count <= router_ports, fresh, topology.degree)
    near = np.lexsort((np.arange(len(router)), placement.endpoint_unit, placement.endpoint_cabinet))
    where = box if box_ports > 1 else placement.endpoint_cabinet.astype(np.int64)
    group = router * (where.max(initial=0) + 1) + where
    share = np.full(len(router), -1)
    share[near] = _shares(group[near], np.arange(len(router)), ports)
    open_ports = (-begin % ports)[router]
    share = _less(share, router, open_ports)
    order = np.empty(len(router), np.int64)
    order[near] = np.arange(len(router))
    order = order if ports > 1 else np.arange(len(router))
    # Endpoints that fill the cage of the last link come first, then full cages, then the rest.
    single = share < 0
    kind = np.where(single, np.where(_places(router, ~single, order) < open_ports, 0, 2), 1)
    at_router = begin[router] + _places(router, kind, share, order) + 1
    at_box = _places(box, single, share, np.arange(len(router))) if box_ports > 1 else _places(box, np.arange(len(router)))
    return at_router, at_box + 1, share


def _shares(group: np.ndarray, order: np.ndarray, size: int) -> np.ndarray:
    """Number the runs of `size` rows of each group, in `order`; -1 for remaining rows, and for all with size 1."""
    share = np.full(len(group), -1)
    if size == 1 or not len(group):
        return share
    place = _places(group, order)
    number = np.unique(group, return_inverse=True)[1].ravel()
    full = place < np.bincount(number)[number] // size * size
    key = number[full] * len(group) + place[full] // size
    share[full] = np.unique(key, return_inverse=True)[1].ravel()
    return share


def _less(share: np.ndarray, router: np.ndarray, open_ports: np.ndarray) -> np.ndarray:
    """Drop the last share of each router whose half-filled cage the single endpoints would not fill."""
    if not open_ports.any():
        return share
    single = np.bincount(router[share < 0], minlength=router.max() + 1)[router]
    last = np.full(router.max() + 1, -1)
    np.maximum.at(last, router, share)
    return np.where((single < open_ports) & (share == last[router]), -1, share)


def _boxes(placement: Placement) -> np.ndarray:
    """Return the number of the box of every endpoint, int64 (H,)."""
    place = np.column_stack([placement.endpoint_cabinet, placement.endpoint_unit]).astype(np.int64)
    if not len(place):
        return np.zeros(0, np.int64)
    return np.unique(place, axis=0, return_inverse=True)[1].ravel().astype(np.int64)


def _places(group: np.ndarray, *keys: np.ndarray) -> np.ndarray:
    """Return the position of each row within its group, sorted by `keys` in order of priority; from 0, int64."""
    order = np.lexsort((*keys[::-1], group))
    ordered = group[order]
    new = np.ones(len(group), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    start = np.maximum.accumulate(np.where(new, np.arange(len(group)), 0)) if len(group) else np.zeros(0, np.int64)
    place = np.empty(len(group), np.int64)
    place[order] = np.arange(len(group)) - start
    return place
