"""Mappings by votes: each switch takes the place with the maximum number of votes of its neighbors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

from planner.fabric.verify.identify._evidence import LOOSE
from planner.fabric.verify.identify._tables import Planned, Seen

_ROUNDS = 6
"""Rounds of assignment; facts of networks with 5 % errors need two to four."""
_SWEEPS = 400
"""Limit of sweeps, above the diameter of every network of the size."""
_CELLS = 20_000_000
"""Maximum size of an assignment."""
_COMMON = 2
"""Common neighbors that a switch needs to join without port numbers."""
_RIVAL = 0.4
"""Votes of an image that is tried in exchange, as a share of those of the present one."""
_EXCHANGES = 50
"""Maximum number of exchanges that are tried."""
_KEEP = 1e-3
"""What the present image weighs more than others with as many votes."""


@dataclass(frozen=True)
class Votes:
    """Votes on the images of found switches.

    A mapping is an int64 array (F,): the planned switch of each found one, S for none. `evidence` are rows of found switch,
    planned switch and weight that stay the same whatever the mapping is.
    """

    plan: Planned
    found: Seen
    evidence: tuple[np.ndarray, np.ndarray, np.ndarray]
    numbered: bool = True

    @property
    def none(self) -> int:
        return self.plan.switches

    @cached_property
    def degree(self) -> np.ndarray:
        """Links of each found switch to other switches, and the weight of its evidence."""
        device, _, weight = self.evidence
        links = np.bincount(self.found.ends.device, minlength=self.found.switches)
        return links + np.bincount(device, weight, self.found.switches)[: self.found.switches]

    def fits(self, mapping: np.ndarray) -> np.ndarray:
        """Return which found links, from each end, the plan has under a mapping, bool (E,)."""
        ends, plan = self.found.ends, self.plan
        one, other = mapping[ends.device], mapping[ends.far]
        if not self.numbered:
            return self._adjacent(one, other)
        fit: np.ndarray = (plan.far[other, ends.far_port] == one) & (plan.far_port[other, ends.far_port] == ends.port)
        return fit & (one < self.none)

    def share(self, mapping: np.ndarray) -> float:
        """Return the share of the found links that the plan has; by their devices where a port is not known, 1 without links."""
        ends = self.found.ends
        if not len(ends):
            return 1.0
        unknown = (ends.port == 0) | (ends.far_port == 0)
        fits = np.where(unknown, self._adjacent(mapping[ends.device], mapping[ends.far]), self.fits(mapping))
        return float(fits.mean())

    def near(self, mapping: np.ndarray) -> np.ndarray:
        """Return which found links, from each end, are plugged at their far end as the plan has it, bool (E,)."""
        if not self.numbered:
            return self.fits(mapping)
        ends = self.found.ends
        one = mapping[ends.device]
        near: np.ndarray = (self.plan.far[mapping[ends.far], ends.far_port] == one) & (one < self.none)
        return near

    def _adjacent(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        fit: np.ndarray = np.isin(one * (self.none + 1) + other, self._pairs)
        return fit & (one < self.none) & (other < self.none)

    @cached_property
    def _pairs(self) -> np.ndarray:
        return np.unique(self.plan.ends.device * (self.none + 1) + self.plan.ends.far)

    def score(self, mapping: np.ndarray) -> float:
        """Return the number of links that fit and the weight of evidence that agrees."""
        device, image, weight = self.evidence
        return float(self.fits(mapping).sum()) / 2 + float(weight[mapping[device] == image].sum())

    def cast(self, mapping: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the votes under a mapping: found switch, planned switch, weight; each pair once, ordered."""
        if not self.numbered:
            return self._common(mapping)
        ends, plan, none = self.found.ends, self.plan, self.none
        proposed = plan.far[mapping[ends.far], ends.far_port].astype(np.int64)
        known = proposed < none
        fit = plan.far_port[mapping[ends.far], ends.far_port] == ends.port
        here = mapping < none
        device = np.concatenate([ends.device[known], self.evidence[0], np.flatnonzero(here)])
        image = np.concatenate([proposed[known], self.evidence[1], mapping[here]])
        weight = np.concatenate([np.where(fit[known], 1.0, LOOSE), self.evidence[2], np.full(here.sum(), _KEEP)])
        return self._summed(device, image, weight)

    def _summed(self, device: np.ndarray, image: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        keys, inverse = np.unique(device * (self.none + 1) + image, return_inverse=True)
        return keys // (self.none + 1), keys % (self.none + 1), np.bincount(inverse, weight, len(keys))

    def _common(self, mapping: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return votes without port numbers: the number of neighbors whose images are neighbors."""
        ends, plan = self.found.ends, self.plan
        here = np.flatnonzero(mapping < self.none)
        images = csr_array((np.ones(len(here)), (here, mapping[here])), shape=(len(mapping), self.none))
        near = csr_array((np.ones(len(ends)), (ends.device, ends.far)), shape=(len(mapping),) * 2)
        plan_near = csr_array((np.ones(len(plan.ends)), (plan.ends.device, plan.ends.far)), shape=(self.none,) * 2)
        near.data[:] = plan_near.data[:] = 1
        both = (near @ images @ plan_near).tocoo()
        device = np.concatenate([both.coords[0], self.evidence[0], here])
        image = np.concatenate([both.coords[1], self.evidence[1], mapping[here]])
        weight = np.concatenate([both.data, self.evidence[2], np.full(len(here), _KEEP)])
        return self._summed(device, image, weight)

    def percolated(self, mapping: np.ndarray) -> np.ndarray:
        """Return a mapping that grows from the switches it has: pairs with more common neighbors than all others join.

        References
        ----------
        L. Yartseva and M. Grossglauser, On the performance of percolation graph matching, COSN 2013.
        """
        mapping = mapping.copy()
        while True:
            device, image, weight = self.cast(mapping)
            held = np.isin(image, mapping)
            chosen = (mapping[device] == self.none) & ~held
            device, image, weight = device[chosen], image[chosen], weight[chosen]
            accepted = (weight >= _COMMON) & _ahead(device, weight) & _ahead(image, weight)
            if not accepted.any():
                return mapping
            mapping[device[accepted]] = image[accepted]

    def swept(self, mapping: np.ndarray) -> np.ndarray:
        """Return a mapping after sweeps of votes, until nothing changes."""
        before, best, best_score = mapping, mapping, self.score(mapping)
        stale = 0
        for _ in range(_SWEEPS):
            now = self._sweep(mapping)
            if np.array_equal(now, mapping) or (np.array_equal(now, before) and stale):
                break
            before, mapping = mapping, now
            score = self.score(mapping)
            stale = stale + 1 if score <= best_score else 0
            if score >= best_score:
                best, best_score = mapping, score
            if stale > _ROUNDS:
                break
        return best

    def _sweep(self, mapping: np.ndarray) -> np.ndarray:
        device, image, weight = self.cast(mapping)
        order = np.lexsort((weight, device))
        last = order[np.flatnonzero(np.diff(device[order], append=-1))]
        now = mapping.copy()
        now[device[last]] = image[last]
        return now

    def polished(self, mapping: np.ndarray) -> np.ndarray:
        """Return a one-to-one mapping: switches that share an image or fit badly are assigned to the places left over."""
        best = kept = self._one_to_one(mapping)
        best_score = -1.0
        for _ in range(_ROUNDS):
            score = self.score(best)
            if score <= best_score:
                break
            kept, best_score = best, score
            best = self._one_to_one(self._sweep(best))
        return kept if best_score >= self.score(best) else best

    def rivals(self, mapping: np.ndarray) -> list[tuple[int, int]]:
        """Return found switches with another image that many of their links propose, in the order of the votes for it."""
        device, image, weight = self.cast(mapping)
        own = np.zeros(len(mapping))
        mine = mapping[device] == image
        own[device[mine]] = weight[mine]
        rows = np.flatnonzero(~mine & (weight >= 1) & (weight >= _RIVAL * own[device]))
        rows = rows[np.argsort(own[device[rows]] - weight[rows], kind="stable")]
        return list(zip(device[rows].tolist(), image[rows].tolist(), strict=True))

    def exchanged(self, mapping: np.ndarray) -> np.ndarray:
        """Return a mapping after exchanges of two images that raise the score.

        Two devices that are joined to each other and in each other's places confirm each other's names: no vote separates them.
        """
        best, best_score = mapping, self.score(mapping)
        for one, wanted in self.rivals(mapping)[:_EXCHANGES]:
            tried = best.copy()
            tried[best == wanted] = best[one]
            tried[one] = wanted
            score = self.score(tried)
            if score > best_score + _KEEP:
                best, best_score = tried, score
        return best

    def _one_to_one(self, mapping: np.ndarray) -> np.ndarray:
        device, image, weight = self.cast(mapping)
        own = np.zeros(len(mapping))
        mine = mapping[device] == image
        own[device[mine]] = weight[mine]
        times = np.bincount(mapping, minlength=self.none + 1)
        settled = (mapping < self.none) & (times[mapping] == 1) & (own * 2 >= self.degree)
        now = np.where(settled, mapping, self.none)
        free = np.ones(self.none + 1, bool)
        free[mapping[settled]] = False
        chosen = ~settled[device] & free[image] & (weight > _KEEP)
        rows, row = np.unique(device[chosen], return_inverse=True)
        columns, column = np.unique(image[chosen], return_inverse=True)
        if not len(rows):
            return now
        if len(rows) * len(columns) <= _CELLS:
            table = np.zeros((len(rows), len(columns)))
            table[row, column] = weight[chosen]
            one, other = linear_sum_assignment(table, maximize=True)
            real = table[one, other] > 0
            now[rows[one[real]]] = columns[other[real]]
            return now
        for index in np.argsort(-weight[chosen], kind="stable"):
            u, a = device[chosen][index], image[chosen][index]
            if now[u] == self.none and free[a]:
                now[u], free[a] = a, False
        return now


def _ahead(group: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return which rows weigh at least one more than all others of their group."""
    order = np.lexsort((-weight, group))
    first = np.flatnonzero(np.diff(group[order], prepend=-1))
    second = np.minimum(first + 1, len(order) - 1)
    rival = np.where((group[order[second]] == group[order[first]]) & (second != first), weight[order[second]], 0.0)
    ahead = np.zeros(len(group), bool)
    ahead[order[first]] = weight[order[first]] - rival >= 1
    return ahead


def settled(votes: Votes, mapping: np.ndarray) -> np.ndarray:
    """Return the one-to-one mapping to which votes lead from a first one."""
    if votes.numbered:
        return votes.exchanged(votes.polished(votes.swept(mapping)))
    return votes.polished(votes.percolated(mapping))
