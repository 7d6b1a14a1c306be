"""Items of packing: routers, or sets of routers that stay together, as vertices of a weighted graph."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from scipy.sparse import csr_array

from planner.design.placement.packing.cabinets.capacity import contents
from planner.domain.model import Topology


@dataclass(frozen=True)
class Items:
    """Items to pack into cabinets.

    Attributes
    ----------
    members
        The routers, int64 (n,).
    item
        Item of each router, int64 (n,).
    content
        Content of each item, int64 (U, 3).
    indptr, indices, links
        CSR of the links between items: row starts int64 (U+1,), neighbors int64, parallel links int64.
    foe_indptr, foe_indices
        CSR of the items that may not share a cabinet, int64.
    """

    members: np.ndarray
    item: np.ndarray
    content: np.ndarray
    indptr: np.ndarray
    indices: np.ndarray
    links: np.ndarray
    foe_indptr: np.ndarray
    foe_indices: np.ndarray

    @property
    def count(self) -> int:
        return len(self.content)

    @property
    def graph(self) -> tuple[np.ndarray, ...]:
        """Arguments of the kernels."""
        return self.content, self.indptr, self.indices, self.links, self.foe_indptr, self.foe_indices

    def inside(self, label: np.ndarray) -> int:
        """Return the number of links between items of equal label."""
        owner = np.repeat(np.arange(self.count), np.diff(self.indptr))
        return int(self.links[label[owner] == label[self.indices]].sum()) // 2

    def cabinets(self, label: np.ndarray) -> list[np.ndarray]:
        """Return the routers of each cabinet, ascending; cabinets in order of their first router."""
        of_router = label[self.item]
        order = np.lexsort((self.members, of_router))
        sets = np.split(self.members[order], np.flatnonzero(np.diff(of_router[order])) + 1)
        return sorted(sets, key=lambda members: int(members[0]))


def items_of(topology: Topology, members: np.ndarray, whole: np.ndarray | None = None, apart: tuple = ()) -> Items:
    """Return the items of some routers, joining routers of equal label.

    Parameters
    ----------
    members
        The routers to pack, int64 (n,).
    whole
        Routers of equal label stay together, int64 (R,); by default each router is an item.
    apart
        Sets of routers of which no two may share a cabinet.
    """
    count = len(members)
    item = np.arange(count) if whole is None else np.unique(whole[members], return_inverse=True)[1].ravel()
    size = int(item.max(initial=-1)) + 1
    place = np.full(topology.router_count, -1)
    place[members] = item
    # Use the rows of the members only, so that many small sets of a large network are as fast as one large set.
    degree = topology.indptr[members + 1] - topology.indptr[members]
    behind = np.arange(degree.sum()) + np.repeat(topology.indptr[members] - np.append(0, np.cumsum(degree))[:-1], degree)
    ends = np.column_stack([np.repeat(item, degree), place[topology.indices[behind]]])
    ends = ends[(ends[:, 1] >= 0) & (ends[:, 0] != ends[:, 1])]
    matrix = csr_array((np.ones(len(ends), np.int64), (ends[:, 0], ends[:, 1])), shape=(size, size))
    matrix.sum_duplicates()
    content = np.zeros((size, 3), np.int64)
    np.add.at(content, item, contents(topology, members))
    pairs = sorted({(int(place[a]), int(place[b])) for routers in apart for a, b in permutations(set(routers), 2)})
    foes = np.array([pair for pair in pairs if min(pair) >= 0 and pair[0] != pair[1]], np.int64).reshape(-1, 2)
    return Items(
        members=members,
        item=item,
        content=content,
        indptr=matrix.indptr.astype(np.int64),
        indices=matrix.indices.astype(np.int64),
        links=matrix.data,
        foe_indptr=np.searchsorted(foes[:, 0], np.arange(size + 1)).astype(np.int64),
        foe_indices=np.ascontiguousarray(foes[:, 1]),
    )
