"""Hypotheses: one found switch is taken as each planned one; links with port numbers determine all others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from planner.fabric.verify.identify._tables import Ends, Planned

_PARENTS = 3
"""Links by which a switch gets its image: the second and third are used where the first does not fit the plan."""
_SAMPLE = 6_000
"""Links by which hypotheses are compared before votes."""
_ROWS = 512
"""Symmetries that are written out; the others are counted by the sampled links."""
_BLOCK = 4_000_000
"""Images that are held at once."""


def components(ends: Ends, count: int) -> list[np.ndarray]:
    """Return the connected components of switches, the largest first."""
    _, label = connected_components(_matrix(ends, count), directed=False)
    order = np.argsort(label, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(label[order])) + 1)
    return sorted((part for part in parts if len(part)), key=lambda part: (-len(part), int(part[0])))


def _matrix(ends: Ends, count: int) -> csr_array:
    return csr_array((np.ones(len(ends), np.int8), (ends.device, ends.far)), shape=(count, count))


class Spread:
    """Images of one component of found switches, spread from a root over its links."""

    def __init__(self, plan: Planned, ends: Ends, count: int, root: int) -> None:
        self.plan, self.root, self.count = plan, root, count
        order = breadth_first_order(_matrix(ends, count), root, return_predecessors=False)
        rank = np.full(count, count)
        rank[order] = np.arange(len(order))
        # Each link once, from the end that is reached first.
        down = np.flatnonzero((rank[ends.device] < rank[ends.far]) & (rank[ends.device] < count))
        down = down[np.lexsort((rank[ends.device[down]], rank[ends.far[down]]))]
        self.members, self._links, self._ends = order, down, ends
        starts = np.searchsorted(rank[ends.far[down]], np.arange(len(order) + 1))
        self._starts = starts.tolist()

    def scores(self, candidates: np.ndarray) -> np.ndarray:
        """Return, for each candidate for the root, the share of sampled links that the plan has, float64."""
        ends = self._ends
        step = max(1, -(-len(self._links) // _SAMPLE))
        some = self._links[::step]
        shares = np.zeros(len(candidates))
        for block, images in self._blocks(candidates, _PARENTS):
            one, other = images[ends.device[some]], images[ends.far[some]]
            port, far_port = ends.port[some, None], ends.far_port[some, None]
            fit = (self.plan.far[one, port] == other) & (self.plan.far_port[one, port] == far_port)
            shares[block] = (fit & (other < self.plan.switches)).sum(axis=0) / max(1, len(some))
        return shares

    def mapping(self, candidate: int) -> np.ndarray:
        """Return the mapping of one candidate, int64 (F,)."""
        _, images = next(self._blocks(np.array([candidate]), _PARENTS))
        found: np.ndarray = images[:, 0].astype(np.int64)
        return found

    def _blocks(self, candidates: np.ndarray, parents: int) -> Iterator[tuple[slice, np.ndarray]]:
        """Yield slices of the candidates, and images of all found switches under them, int32 (F, slice)."""
        ends, plan, none = self._ends, self.plan, self.plan.switches
        size = max(1, _BLOCK // self.count)
        links = self._links
        device, port = ends.device[links].tolist(), ends.port[links].tolist()
        far_port = ends.far_port[links].tolist()
        members = self.members.tolist()
        for begin in range(0, len(candidates), size):
            chosen = candidates[begin : begin + size]
            images = np.full((self.count, len(chosen)), none, np.int32)
            images[self.root] = chosen
            for rank in range(1, len(members)):
                image: np.ndarray | None = None
                for link in range(self._starts[rank], min(self._starts[rank] + parents, self._starts[rank + 1])):
                    above = images[device[link]]
                    fit = plan.far_port[above, port[link]] == far_port[link]
                    proposed = np.where(fit, plan.far[above, port[link]], none)
                    image = proposed if image is None else np.where(image == none, proposed, image)
                if image is not None:
                    images[members[rank]] = image
            yield slice(begin, begin + len(chosen)), images


def candidates(plan: Planned, ends: Ends, root: int, taken: np.ndarray) -> np.ndarray:
    """Return the planned switches that a found one may be, in the order of the number of equal far ports, descending."""
    free = np.setdiff1d(np.arange(plan.switches), taken)
    mine = ends.device == root
    equal = (plan.far_port[free][:, ends.port[mine]] == ends.far_port[mine]).sum(axis=1)
    order: np.ndarray = free[np.argsort(-equal, kind="stable")]
    return order


def symmetries(plan: Planned) -> tuple[int, np.ndarray]:
    """Return the mappings of the largest connected part of the plan into the plan that keep links and port numbers.

    Returns
    -------
    tuple
        Their number, and one row for each of up to 512, the identity first, int32 (s, S + 1); switches outside of the part, and S
        for none, keep their numbers.
    """
    count = plan.switches
    own = np.arange(count + 1, dtype=np.int32)
    if not count:
        return 1, own[None]
    part = components(plan.ends, count)[0]
    # Equal rows of far ports, links to switches and hosts: all that an image must have before any link is followed.
    rows = np.concatenate([plan.far_port[:-1], plan.far[:-1] < count, plan.host[:-1] >= 0], axis=1)
    kind = np.unique(rows, axis=0, return_inverse=True)[1].ravel()
    root = int(part[np.argmin(np.bincount(kind)[kind[part]])])
    alike = np.flatnonzero(kind == kind[root])
    spread = Spread(plan, plan.ends, count, root)
    fitting = alike[spread.scores(alike) == 1]
    fitting = np.concatenate([[root], fitting[fitting != root]])
    inside, ends, kept = np.isin(plan.ends.device, part), plan.ends, []
    for candidate in fitting[:_ROWS].tolist():
        image = own.copy()
        image[part] = spread.mapping(candidate)[part]
        if candidate not in part:
            # An equal part of the plan: both exchange their places.
            image[image[part]] = part
        one, other = image[ends.device[inside]], image[ends.far[inside]]
        exact = (plan.far[one, ends.port[inside]] == other) & (plan.far_port[one, ends.port[inside]] == ends.far_port[inside])
        if exact.all() and (kind[image[part]] == kind[part]).all():
            kept.append(image)
    return len(kept) + max(0, len(fitting) - _ROWS), np.array(kept, np.int32)
