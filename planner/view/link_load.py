"""Link load on the floor, by pair of cabinets and by tray segment: data of the map on paper and on the web page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.domain.model import Plan


@dataclass(frozen=True)
class Load:
    """Load of groups of cables, the busiest first.

    Attributes
    ----------
    key
        The cabinets of each pair, int64 (N, 2), or the tray segment, int64 (N,).
    cables
        Number of cables of each.
    total
        Sum of the loads of its cables in both directions, in phits per cycle, float64.
    peak
        Load of its busiest cable in the busier direction, in phits per cycle, float64.
    """

    key: np.ndarray
    cables: np.ndarray
    total: np.ndarray
    peak: np.ndarray

    @property
    def mean(self) -> np.ndarray:
        """Mean load of a cable in one direction: the share of the capacity that is used, float64 (N,)."""
        return self.total / (2 * np.maximum(self.cables, 1))


@dataclass(frozen=True)
class LinkTraffic:
    """The load of all links of the simulated network at one point.

    Attributes
    ----------
    pairs
        Pairs of different cabinets, by number of the cabinets, the smaller first.
    segments
        Tray segments with at least one of the cables.
    within
        Number of links inside cabinets.
    """

    pairs: Load
    segments: Load
    within: int


def link_traffic(plan: Plan, point: int) -> LinkTraffic:
    """Return the load at a simulated point; the plan has cables and a simulation of the network whose records it has."""
    cables = plan.cables
    assert cables is not None
    assert plan.simulation is not None
    assert plan.inventory is not None
    links = plan.inventory.links(plan.network)
    load = plan.simulation.link_load[point].reshape(-1, 2).astype(np.float64)
    total, peak = load.sum(axis=1), load.max(axis=1, initial=0)
    ends = np.sort(cables.cabinet[links].astype(np.int64), axis=1)
    apart = ends[:, 0] != ends[:, 1]
    keys, pair = np.unique(ends[apart], axis=0, return_inverse=True)
    pairs = _ranked(keys, pair.ravel(), total[apart], peak[apart])

    route = cables.route[links].astype(np.int64)
    routed = np.flatnonzero(route >= 0)
    starts, lengths = cables.route_indptr[route[routed]], np.diff(cables.route_indptr)[route[routed]]
    # Position of each segment of each link in the list of segments of all routes.
    before = np.repeat(np.cumsum(lengths) - lengths, lengths)
    at = np.arange(int(lengths.sum())) - before + np.repeat(starts, lengths)
    numbers, segment = np.unique(cables.route_segments[at], return_inverse=True)
    link = np.repeat(routed, lengths)
    segments = _ranked(numbers.astype(np.int64), segment.ravel(), total[link], peak[link])
    return LinkTraffic(pairs, segments, int((~apart).sum()))


def _ranked(keys: np.ndarray, group: np.ndarray, total: np.ndarray, peak: np.ndarray) -> Load:
    """Return the load of each group of rows, the largest total first; ties in the order of the keys."""
    count = len(keys)
    sums = np.bincount(group, weights=total, minlength=count)
    peaks = np.zeros(count)
    np.maximum.at(peaks, group, peak)
    order = np.argsort(-np.round(sums, 9), kind="stable")
    return Load(keys[order], np.bincount(group, minlength=count)[order], sums[order], peaks[order])
