"""Port and cage of every cable end, and which links may share a cable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.design.cabling.kept_ports import around_kept
from planner.domain.model import Inventory, Kept, Placement


@dataclass(frozen=True)
class Cages:
    """Both ends of every connection.

    Attributes
    ----------
    device
        Devices at both ends, int64 (W, 2).
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


def cages_of(inventory: Inventory, placement: Placement, kept: Kept | None = None) -> Cages:
    """Return ports and cages of every cable, with the maximum number of links that fill a cage at both ends.

    Where a cage carries several ports, links between the same two routers that fill cages share them;
    they come first. All other links follow in the order of the network, then the endpoints, from a new cage if
    there are enough: first those that share. Endpoints of one router share a cage when their boxes are in one cabinet,
    neighbors first, or, where the endpoint box has such cages itself, when they are in one box.

    With one port in each cage, a router's ports follow the order of the network, and a box's that of its endpoints.

    Connections of a kept plan keep their ports; others that the rule gives a port of these take the lowest free one.
    """
    per_cage = np.array([joint.ports_per_cage for joint in inventory.joints], np.int64)[inventory.joint]
    sockets = _Sockets.of(inventory, placement)
    links, endpoints = np.flatnonzero(inventory.is_link), np.flatnonzero(inventory.is_endpoint)
    direct = np.flatnonzero(inventory.is_direct)
    # The study fixes the ports of connections between nodes.
    place = inventory.port.astype(np.int64)
    share = np.full(len(place), -1)
    place[links], share[links] = _links(sockets.owner[links], inventory.rank[links], per_cage[links, 0])
    place[endpoints], share[endpoints] = _endpoints(sockets, inventory, placement, links, endpoints, per_cage[endpoints])
    share[direct] = _direct(sockets.owner[direct], place[direct, 0], per_cage[direct])
    # Links, endpoints and connections between nodes share with their like.
    first = 0
    for rows in (links, endpoints, direct):
        share[rows] += np.where(share[rows] >= 0, first, 0)
        first = share[rows].max(initial=first - 1) + 1
    if kept is not None:
        box = placement.box[inventory.ends.astype(np.int64)] * (int(inventory.port_group.max(initial=0)) + 1)
        held = kept.at_rows(kept.port, len(place), 0) - 1 - sockets.first_port[sockets.owner]
        held[kept.at_rows(kept.port, len(place), 0) == 0] = -1
        piece = kept.at_rows(kept.piece, len(place))
        place, share = around_kept(
            place, share, held, piece, box + inventory.port_group, sockets.ports[sockets.owner], per_cage, inventory.port >= 0
        )
    port = sockets.first_port[sockets.owner] + place + 1
    cage = sockets.first_cage[sockets.owner] + place // per_cage + 1
    device = inventory.ends.astype(np.int64)
    return Cages(device, port, cage, placement.box[device] * (cage.max(initial=0) + 1) + cage, share)


@dataclass(frozen=True)
class _Sockets:
    """Port groups of devices in use: groups of one device are owners of ports of their own.

    Attributes
    ----------
    owner
        Owner at both ends of each connection, int64 (W, 2).
    ports, first_port, first_cage
        Of each owner: its number of ports, and the ports and cages of the device before its own, int64 (O,).
    """

    owner: np.ndarray
    ports: np.ndarray
    first_port: np.ndarray
    first_cage: np.ndarray

    @classmethod
    def of(cls, inventory: Inventory, placement: Placement) -> _Sockets:
        groups = [part.groups for part in inventory.parts]
        max_groups = max(map(len, groups))
        key = inventory.ends.astype(np.int64) * max_groups + inventory.port_group
        found, owner = np.unique(key.ravel(), return_inverse=True)
        figures = np.zeros((len(groups), max_groups, 3), np.int64)
        for part, own in enumerate(groups):
            for number, group in enumerate(own):
                before = own[:number]
                figures[part, number] = group.count, sum(g.count for g in before), sum(g.cages for g in before)
        return cls(owner.reshape(-1, 2), *figures[inventory.part[found // max_groups], found % max_groups].T)


def _links(ends: np.ndarray, rank: np.ndarray, per_cage: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the port of the group at both ends, from 0, (L, 2) and share (L,) of every link."""
    pair = np.sort(ends, axis=1)
    share = _shares(pair[:, 0] * (ends.max(initial=0) + 1) + pair[:, 1], np.arange(len(pair)), per_cage)
    both = np.repeat(share, 2)
    return _places(ends.ravel(), both < 0, both, rank.ravel()).reshape(-1, 2), share


def _endpoints(
    sockets: _Sockets,
    inventory: Inventory,
    placement: Placement,
    links: np.ndarray,
    rows: np.ndarray,
    per_cage: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the port of the group at both ends, from 0, (H, 2) and share (H,) of the endpoint connections `rows`."""
    count = len(sockets.ports)
    router, far = sockets.owner[rows].T
    node, fixed = inventory.ends[rows, 1].astype(np.int64), inventory.port[rows, 1].astype(np.int64)
    box, cabinet = placement.box[node], placement.cabinet[node].astype(np.int64)
    degree = np.bincount(sockets.owner[links].ravel(), minlength=count)
    attached = np.bincount(router, minlength=count)
    size = np.ones(count, np.int64)
    size[router] = per_cage[:, 0]
    fresh = -(-degree // size) * size
    begin = np.where(fresh + attached <= sockets.ports, fresh, degree)
    near = np.lexsort((np.arange(len(router)), placement.unit[node], cabinet))
    caged, given = per_cage[:, 1] > 1, fixed >= 0
    # Where the port of a node is given, rows share a cage of the node; where it is chosen here, a box or a cabinet.
    there = np.where(caged, np.where(given, far * (int(fixed.max(initial=0)) + 1) + fixed // per_cage[:, 1], box), cabinet)
    group = np.unique(np.column_stack([router, caged, given, there]), axis=0, return_inverse=True)[1].ravel()
    share = np.full(len(router), -1)
    share[near] = _shares(group[near], np.arange(len(router)), per_cage[near, 0])
    open_ports = (-begin % size)[router]
    share = _less(share, router, open_ports)
    order = np.empty(len(router), np.int64)
    order[near] = np.arange(len(router))
    order = np.where(per_cage[:, 0] > 1, order, np.arange(len(router)))
    # Endpoints that fill the cage of the last link come first, then full cages, then the rest.
    single = share < 0
    kind = np.where(single, np.where(_places(router, ~single, order) < open_ports, 0, 2), 1)
    at_router = begin[router] + _places(router, kind, share, order)
    # Chosen ports of a box follow those that its links and its own endpoints use.
    where = np.where(given, -1 - np.arange(len(far)), 64 * box + inventory.port_group[rows, 1])
    at_box = _places(where, caged & single, np.where(caged, share, 0), np.arange(len(far)))
    at_box = at_box + np.where(inventory.is_router[node], (degree + attached)[far], 0)
    return np.column_stack([at_router, np.where(given, fixed, at_box)]), share


def _direct(ends: np.ndarray, port: np.ndarray, per_cage: np.ndarray) -> np.ndarray:
    """Return the share (n,) of connections between two nodes, which have the same port at both ends.

    Those that fill a cage at the first end share it if they fill one at the other end too, or have a cage each there.
    """
    own = np.unique(np.column_stack([ends, port // np.maximum(per_cage[:, 0], 1)]), axis=0, return_inverse=True)[1].ravel()
    fits = (per_cage[:, 1] == per_cage[:, 0]) | (per_cage[:, 1] == 1)
    return _shares(own, port, np.where(fits, per_cage[:, 0], 1))


def _shares(group: np.ndarray, order: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Number the runs of `size` rows of each group, in `order`; -1 for remaining rows, and for all with size 1."""
    share = np.full(len(group), -1)
    place = _places(group, order)
    number = np.unique(group, return_inverse=True)[1].ravel()
    full = (size > 1) & (place < np.bincount(number, minlength=1)[number] // size * size)
    key = number[full] * len(group) + place[full] // size[full]
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
