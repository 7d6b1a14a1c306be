"""Random links between free ports, without loops or new parallel links, and links of a growing network by router."""

from __future__ import annotations

from collections import Counter

import numpy as np


class Network:
    """Links and neighbors of a network that grows; `free` is the number of ports of each router without a link."""

    def __init__(self, links: np.ndarray, free: np.ndarray):
        self.links: list[tuple[int, int]] = [(int(a), int(b)) for a, b in links]
        self.free = np.asarray(free, np.int64).tolist()
        self.near: list[set[int]] = [set() for _ in self.free]
        # Links of each pair beyond the first.
        self.parallel: Counter[tuple[int, int]] = Counter()
        for a, b in self.links:
            if b in self.near[a]:
                self.parallel[min(a, b), max(a, b)] += 1
            self.near[a].add(b)
            self.near[b].add(a)

    def may_join(self, a: int, b: int) -> bool:
        return a != b and b not in self.near[a]

    def join(self, a: int, b: int) -> None:
        """Add a link between two free ports."""
        self.links.append((a, b))
        self.near[a].add(b)
        self.near[b].add(a)
        self.free[a] -= 1
        self.free[b] -= 1

    def insert(self, number: int, router: int) -> None:
        """Take a link out and join both of its ends to a router instead; the link's number passes to the first of them."""
        a, b = self.links[number]
        if self.parallel[min(a, b), max(a, b)]:
            self.parallel[min(a, b), max(a, b)] -= 1
        else:
            self.near[a].discard(b)
            self.near[b].discard(a)
        self.links[number] = (a, router)
        self.links.append((b, router))
        for end in (a, b):
            self.near[end].add(router)
            self.near[router].add(end)
        self.free[router] -= 2

    def may_insert(self, number: int, router: int) -> bool:
        a, b = self.links[number]
        return router not in (a, b) and a not in self.near[router] and b not in self.near[router]


def fill(
    network: Network, ends: np.ndarray, draw: np.random.Generator, first_added: int, others: np.ndarray | None = None
) -> None:
    """Join random free ports of `ends`, each once per port, or of `ends` to those of `others`, until no pair is left.

    Where no pair of free ports may be joined, a link from `first_added` on is exchanged for two.
    """
    one = np.repeat(ends, [network.free[end] for end in ends])
    if others is None:
        stubs = draw.permutation(one).tolist()
        pairs = list(zip(stubs[::2], stubs[1::2], strict=False))
    else:
        two = draw.permutation(np.repeat(others, [network.free[end] for end in others])).tolist()
        pairs = list(zip(draw.permutation(one).tolist(), two, strict=False))
    waiting = []
    for a, b in pairs:
        if network.may_join(a, b):
            network.join(a, b)
        else:
            waiting.append((a, b))
    for a, b in waiting:
        _detour(network, a, b, draw, first_added, crossing=others is not None)


def _detour(network: Network, a: int, b: int, draw: np.random.Generator, first_added: int, crossing: bool) -> None:
    """Use two free ports that may not be joined: exchange an added link c-e for a-e and c-b; leave them free if there is none."""
    for _ in range(1000):
        if len(network.links) == first_added:
            return
        number = int(draw.integers(first_added, len(network.links)))
        c, e = network.links[number]
        # Links of a cut are kept with their lower end, a, first, so that both new ones cross it.
        if not crossing and draw.random() < 0.5:
            c, e = e, c
        if len({a, b, c, e}) < 3 or not (network.may_join(a, e) and network.may_join(c, b)):
            continue
        if a == c or b == e:
            continue
        network.near[c].discard(e)
        network.near[e].discard(c)
        network.links[number] = (a, e)
        network.near[a].add(e)
        network.near[e].add(a)
        network.free[a] -= 1
        network.free[c] += 1
        network.join(c, b)
        return
