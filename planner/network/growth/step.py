"""One step of growth: which links stay, which are moved, and which are added."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.domain.model import Topology


@dataclass(frozen=True)
class Step:
    """A network and the one that it becomes.

    Attributes
    ----------
    old, new
        Both networks; router r of the old one is router r of the new one.
    kept
        Links that stay: index in the old and in the new network, int64 (K, 2).
    moved
        Links of the old network that are taken out, int64 (M,); each frees a cable that may be used for an added link.
    added
        Links of the new network that are put in, int64 (A,).
    """

    old: Topology
    new: Topology
    kept: np.ndarray
    moved: np.ndarray
    added: np.ndarray

    @property
    def share_moved(self) -> float:
        """Moved links of those of the old network."""
        return len(self.moved) / max(1, self.old.link_count)


def step(old: Topology, new: Topology) -> Step:
    """Compare two networks, router by router; of parallel links the smaller number of both stays.

    Raises
    ------
    ValueError
        When the new network has fewer routers.
    """
    if new.router_count < old.router_count:
        raise ValueError(f"{new.router_count} routers are fewer than {old.router_count}")
    before, after = (_occurrences(network.links, new.router_count) for network in (old, new))
    _, first, second = np.intersect1d(before, after, assume_unique=True, return_indices=True)
    kept = np.column_stack([first, second])
    kept = kept[np.argsort(kept[:, 0], kind="stable")]
    moved = np.setdiff1d(np.arange(old.link_count), kept[:, 0], assume_unique=True)
    added = np.setdiff1d(np.arange(new.link_count), kept[:, 1], assume_unique=True)
    return Step(old, new, kept, moved, added)


def _occurrences(links: np.ndarray, routers: int) -> np.ndarray:
    """Return a number for each link, int64 (L,): that of its two routers, and which of their parallel links it is."""
    pair = links[:, 0].astype(np.int64) * routers + links[:, 1]
    order = np.argsort(pair, kind="stable")
    rank = np.empty(len(pair), np.int64)
    rank[order] = np.arange(len(pair)) - np.searchsorted(pair[order], pair[order])
    # Both networks count parallel links alike: 2**20 of them are more than a router has ports.
    return pair * 2**20 + rank
