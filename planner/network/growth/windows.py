"""Order of work: windows in which some cables are out, while every router stays connected."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from planner.network.growth.step import Step


@dataclass(frozen=True)
class Windows:
    """The windows of a step.

    Attributes
    ----------
    moved, added
        Window of each moved and of each added link, int64 (M,) and (A,); 0 is before anything is taken out, -1 where a link could
        not be put in because no port becomes free.
    up
        Links up in each window while its cables are out, int64 (windows + 1,); the first is after window 0.
    connected
        Whether old routers that reach each other before the step do so in every window; planes never reach each other.
    """

    moved: np.ndarray
    added: np.ndarray
    up: np.ndarray
    connected: bool

    @property
    def count(self) -> int:
        return len(self.up) - 1


def windows(
    step: Step,
    *,
    ends_down: int = 1,
    cables_down: int = 40,
    ports: np.ndarray | None = None,
    before: np.ndarray | None = None,
) -> Windows:
    """Return the windows of a step.

    Links that need no port of others are put in first. In each window cables are taken out, those first whose routers lose a
    port in every window that is left, then those for whose ports added links wait; then all added links with two free
    ports are put in. The number of windows is at least the maximum of moved links of a router over `ends_down`, and that of
    all moved links over `cables_down`; the greedy order reaches that or comes close.

    Parameters
    ----------
    step
        What stays, is moved and is added.
    ends_down
        Maximum ports of one router that are out at once.
    cables_down
        Maximum cables that are out at once.
    ports
        Ports for links of each router of the new network, int (R,); by default what both networks use.
    before
        Moved link in the port of each added link at both ends, index into the moved ones, -1 for a port that is free, int64
        (A, 2), where ports are known. By default an added link may use any port.

    Raises
    ------
    ValueError
        When a limit is below 1.

    Notes
    -----
    Links that leave together are a b-matching of the moved ones; windows are the colors of an edge coloring, and routers with
    the largest number of links to take out come first as in Vizing's bound [1]_.

    References
    ----------
    .. [1] V. Vizing, "On an estimate of the chromatic class of a p-graph", Diskret. Analiz 3, 1964.
    .. [2] S. Zhao et al., "Minimal rewiring: efficient live expansion for Clos data center networks", NSDI 2019.
    """
    if ends_down < 1 or cables_down < 1:
        raise ValueError(f"ends_down {ends_down} and cables_down {cables_down} must be at least 1")
    return _Work(step, ends_down, cables_down, ports, before).done()


class _Work:
    """Links that are up, ports that are free, and links that wait, window by window."""

    def __init__(self, step: Step, ends_down: int, cables_down: int, ports: np.ndarray | None, before: np.ndarray | None):
        self.step, self.ends_down, self.cables_down, self.before = step, ends_down, cables_down, before
        self.old, self.new = step.old.links[step.moved].astype(np.int64), step.new.links[step.added].astype(np.int64)
        routers = step.new.router_count
        degree = np.zeros(routers, np.int64)
        degree[: step.old.router_count] = step.old.degree
        limit = np.maximum(degree, step.new.degree) if ports is None else np.asarray(ports, np.int64)
        self.free = limit - degree
        self.moved, self.added = np.full(len(self.old), -1), np.full(len(self.new), -1)
        self.connected = True

    def done(self) -> Windows:
        self._put_in(0)
        up = [self._live()]
        while (self.moved < 0).any():
            window = len(up)
            chosen = self._connected(self._chosen())
            self.moved[chosen] = window
            up.append(self._live())
            np.add.at(self.free, self.old[chosen].ravel(), 1)
            self._put_in(window)
        return Windows(self.moved, self.added, np.array(up), self.connected)

    def _live(self) -> int:
        return len(self.step.kept) + int((self.moved < 0).sum()) + int((self.added >= 0).sum())

    def _put_in(self, window: int) -> None:
        """Put in all links with two free ports; those at routers with the smallest number of free ports first."""
        if self.before is not None:
            self.added[(self.added < 0) & ~self._waits().any(axis=1)] = window
            return
        ready = np.flatnonzero((self.added < 0) & (self.free[self.new] > 0).all(axis=1))
        order = ready[np.lexsort((ready, self.free[self.new[ready]].sum(axis=1)))]
        for number, (one, other) in zip(order.tolist(), self.new[order].tolist(), strict=True):
            if self.free[one] > 0 and self.free[other] > 0:
                self.free[one] -= 1
                self.free[other] -= 1
                self.added[number] = window

    def _waits(self) -> np.ndarray:
        """Return whether a moved link is still in the port of each added one, at both ends, bool (A, 2)."""
        assert self.before is not None  # of ports that are given
        return (self.before >= 0) & (np.append(self.moved, 0)[self.before] < 0)

    def _frees(self, left: np.ndarray) -> np.ndarray:
        """Return how many added links wait for each of the links that are left, and for nothing else, int64."""
        if self.before is None:
            return self._awaited()[self.old[left]].sum(axis=1)
        waits = self._waits()
        one, both = waits.sum(axis=1) == 1, waits.all(axis=1) & (self.before[:, 0] == self.before[:, 1])
        last = self.before[(self.added < 0) & (one | both)][waits[(self.added < 0) & (one | both)]]
        return np.bincount(last, minlength=len(self.old))[left]

    def _chosen(self) -> np.ndarray:
        """Return the links to take out next, int64.

        First those at routers that lose ports in every window that is left, as in an edge coloring; then those for whose ports
        added links wait that have a free port elsewhere; then those at routers with the largest number of links to take out.
        """
        left = np.flatnonzero(self.moved < 0)
        ends = self.old[left]
        load = np.bincount(ends.ravel(), minlength=len(self.free))
        busy = load[ends].max(axis=1)
        windows_left = max(-(-len(left) // self.cables_down), -(-int(busy.max()) // self.ends_down))
        critical = busy > (windows_left - 1) * self.ends_down
        ready = self._frees(left)
        order = np.lexsort((left, -busy, -ready, ~critical))
        spare = self._live() - self.step.old.link_count
        limit = min(self.cables_down, spare) if spare > 0 else 1
        down = np.zeros(len(self.free), np.int64).tolist()
        chosen: list[int] = []
        for link, (one, other) in zip(left[order].tolist(), ends[order].tolist(), strict=True):
            if down[one] < self.ends_down and down[other] < self.ends_down:
                chosen.append(link)
                down[one] += 1
                down[other] += 1
                if len(chosen) >= limit:
                    break
        return np.array(chosen)

    def _awaited(self) -> np.ndarray:
        """Return whether an added link waits for a port of each router that has a free one at its other end, bool (R,)."""
        waiting = self.new[self.added < 0]
        awaited = np.zeros(len(self.free), bool)
        awaited[waiting[:, 0][self.free[waiting[:, 1]] > 0]] = True
        awaited[waiting[:, 1][self.free[waiting[:, 0]] > 0]] = True
        return awaited

    def _connected(self, chosen: np.ndarray) -> np.ndarray:
        """Return those of the chosen links without which old routers still reach each other, at least one."""
        stay = self.moved < 0
        stay[chosen] = False
        live = np.concatenate([self.step.old.links[self.step.kept[:, 0]], self.old[stay], self.new[self.added >= 0]])
        label = _components(self.step.new.router_count, live)
        ends = label[self.old[chosen]]
        if (ends[:, 0] == ends[:, 1]).all():
            return chosen
        joined = {int(part): int(part) for part in set(label.tolist())}

        def root(part: int) -> int:
            while joined[part] != part:
                part = joined[part]
            return part

        out = []
        for link in chosen.tolist():
            one, other = (root(int(label[end])) for end in self.old[link])
            if one == other:
                out.append(link)
            else:
                joined[one] = other
        if not out:
            self.connected = False
            return chosen[:1]
        return np.array(out)


def _components(routers: int, ends: np.ndarray) -> np.ndarray:
    graph = coo_array((np.ones(len(ends), np.int8), (ends[:, 0], ends[:, 1])), shape=(routers, routers))
    return connected_components(graph, directed=False)[1]
