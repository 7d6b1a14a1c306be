"""Port and cage of every cable end, and which links may share a cable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.model import Inventory, Placement


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


def cages_of(inventory: Inventory, placement: Placement) -> Cages:
    """Return ports and cages of every cable, with the maximum number of links that fill a cage at both ends.

    Where a cage carries several ports, links between the same two routers that fill cages share them;
    they come first. All other links follow in the order of the network, then the endpoints, from a new cage if
    there are enough: first those that share. Endpoints of one router share a cage when their boxes are in one cabinet,
    neighbors first, or, where the endpoint box has such cages itself, when they are in one box.

    With one port in each cage, a router's ports follow the order of the network, and a box's that of its endpoints.
    """
    per_cage = np.array([joint.ports_per_cage for joint in inventory.joints], np.int64)[inventory.joint]
    is_link = inventory.is_link
    links, endpoints = np.flatnonzero(is_link), np.flatnonzero(~is_link)
    device = inventory.ends.astype(np.int64)
    box = placement.box
    port = np.empty_like(device)
    share = np.empty(len(device), np.int64)
    port[links], share[links] = _links(device[links], inventory.rank[links], per_cage[links, 0])
    port[endpoints], others = _endpoints(inventory, placement, endpoints, per_cage[endpoints])
    share[endpoints] = np.where(others >= 0, others + share[links].max(initial=-1) + 1, -1)
    cage = (port - 1) // per_cage + 1
    return Cages(device, port, cage, box[device] * (cage.max(initial=0) + 1) + cage, share)


def _links(ends: np.ndarray, rank: np.ndarray, per_cage: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return port at both ends (L, 2) and share (L,) of every link."""
    pair = np.sort(ends, axis=1)
    share = _shares(pair[:, 0] * (ends.max(initial=0) + 1) + pair[:, 1], np.arange(len(pair)), per_cage)
    both = np.repeat(share, 2)
    number = _places(ends.ravel(), both < 0, both, rank.ravel()) + 1
    return number.reshape(-1, 2), share


def _endpoints(
    inventory: Inventory, placement: Placement, rows: np.ndarray, per_cage: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return port at both ends (H, 2) and share (H,) of the endpoint connections `rows`."""
    router, node = inventory.ends[rows].astype(np.int64).T
    box, cabinet = placement.box[node], placement.cabinet[node].astype(np.int64)
    degree = np.bincount(inventory.ends[inventory.is_link].ravel(), minlength=inventory.device_count)
    count = np.bincount(router, minlength=inventory.device_count)
    size = np.ones(inventory.device_count, np.int64)
    size[router] = per_cage[:, 0]
    fresh = -(-degree // size) * size
    begin = np.where(fresh + count <= inventory.of_part("ports"), fresh, degree)
    near = np.lexsort((np.arange(len(router)), placement.unit[node], cabinet))
    caged = per_cage[:, 1] > 1
    group = 2 * (router * (inventory.device_count + 1) + np.where(caged, box, cabinet)) + caged
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
    at_box = _places(box, caged & single, np.where(caged, share, 0), np.arange(len(router)))
    return np.column_stack([at_router, at_box]) + 1, share


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
