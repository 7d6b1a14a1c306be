"""Graph metrics of a network: distances, expansion, cuts, channel loads, resilience."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from planner.core.checking import checked
from planner.core.progress import Progress, silent
from planner.domain.model import Topology
from planner.network.metrics.bisection import Bisection, bisection, cut_links
from planner.network.metrics.distances import Distances, distances, girth
from planner.network.metrics.endpoint_cut import endpoint_cut
from planner.network.metrics.load import ChannelLoad, PathDiversity, channel_load, path_diversity
from planner.network.metrics.moore import min_diameter, min_mean, moore_bound, moore_efficiency
from planner.network.metrics.multiway import MultiwayCut, multiway_cut
from planner.network.metrics.nodes import Interfaces, interfaces, nodes
from planner.network.metrics.planes import largest_plane, plane_of, planes
from planner.network.metrics.resilience import Degradation, Failures, degradation, failures
from planner.network.metrics.spectrum import Spectrum, spectrum

__all__ = [
    "Bisection",
    "Bundles",
    "ChannelLoad",
    "Degradation",
    "Distances",
    "Failures",
    "Interfaces",
    "MultiwayCut",
    "PathDiversity",
    "Spectrum",
    "bisection",
    "bundles",
    "channel_load",
    "cut_links",
    "degradation",
    "distances",
    "endpoint_cut",
    "failures",
    "figures",
    "girth",
    "interfaces",
    "largest_plane",
    "min_diameter",
    "min_mean",
    "moore_bound",
    "moore_efficiency",
    "multiway_cut",
    "nodes",
    "path_diversity",
    "plane_of",
    "planes",
    "spectrum",
]


@dataclass(frozen=True, eq=False)
class Bundles:
    """Links between the groups of one level.

    Attributes
    ----------
    level
        Name of the group level.
    pairs
        Groups at both ends of each bundle, int64 (B, 2), lower group first.
    sizes
        Links of each bundle, int64 (B,).
    inside
        Links that stay inside a group.
    """

    level: str
    pairs: np.ndarray
    sizes: np.ndarray
    inside: int

    @property
    def count(self) -> int:
        return len(self.sizes)

    @property
    def histogram(self) -> dict[int, int]:
        """Number of bundles by number of links."""
        sizes, counts = np.unique(self.sizes, return_counts=True)
        return dict(zip(sizes.tolist(), counts.tolist(), strict=True))


@checked()
def figures(
    topology: Topology, *, effort: Literal["low", "medium", "high"] = "medium", progress: Progress = silent
) -> dict[str, int | float | bool | None]:
    """Return the graph metrics of a network by name; None if undefined.

    Of a network of planes that are not joined, sizes, bundles and the bisection are those of all planes; all else is that of
    the largest one.

    Parameters
    ----------
    effort
        ``low``: sizes, distances, Moore bounds, girth, bundles: seconds even for 80,000 routers.
        ``medium``: also spectrum and bisection from few starts. ``high``: also bisection from more
        starts, link loads, throughput and path diversity, whose time grows with routers times links,
        and the disconnection ratio.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> found = figures(build("slimfly", q=5), effort="low")
    >>> found["routers"], found["diameter"], found["girth"], found["moore_efficiency"]
    (50, 2, 5, 1.0)
    """
    plane = largest_plane(topology)
    found = _sizes(topology) | _hops(plane, progress) | _groups(topology)
    if plane is not topology:
        found |= {"connected": False, "planes": int(planes(topology).max()) + 1}
    if effort != "low":
        found |= _expansion(plane) | _cut(topology, 4 if effort == "medium" else 24, progress)
    if effort == "high":
        found |= _loads(plane, progress)
        if plane.link_count:
            found["disconnection_ratio"] = degradation(plane, progress=progress, points=1).median
    return found


def _sizes(topology: Topology) -> dict[str, int]:
    return {
        "routers": topology.router_count,
        "endpoints": topology.endpoint_count,
        "links": topology.link_count,
        "radix": int(topology.degree.max(initial=0)),
        "radix_min": int(topology.degree.min(initial=topology.link_count)),
        "ports": int((topology.degree + topology.endpoints_of).max(initial=0)),
    }


def _hops(topology: Topology, progress: Progress) -> dict[str, int | float | bool | None]:
    hops = distances(topology, progress=progress)
    routers, degree = topology.router_count, int(topology.degree.max(initial=0))
    return {
        "connected": hops.connected,
        "diameter": hops.diameter,
        "mean_hops": hops.mean,
        **{f"pairs_at_{count}_hops": int(pairs) for count, pairs in enumerate(hops.routers) if count},
        "endpoint_diameter": hops.endpoint_diameter,
        "endpoint_mean_hops": hops.endpoint_mean,
        "girth": girth(topology),
        "moore_min_diameter": min_diameter(routers, degree),
        "moore_min_mean_hops": min_mean(routers, degree),
        "moore_efficiency": moore_efficiency(routers, degree, hops.diameter),
    }


def _groups(topology: Topology) -> dict[str, int]:
    found = {}
    for level in bundles(topology):
        found[f"bundles_{level.level}"] = level.count
        found[f"bundle_links_{level.level}"] = int(level.sizes.sum())
    return found


def _expansion(topology: Topology) -> dict[str, float | bool | None]:
    if topology.router_count < 2:
        return {}
    found = spectrum(topology)
    return {
        "lambda2": found.lambda2,
        "lambda_min": found.lambda_min,
        "lambda_g": found.lambda_g,
        "mu1": found.mu1,
        "mu1_signed": found.mu1_signed,
        "ramanujan": found.ramanujan,
        "algebraic_connectivity": found.connectivity,
    }


def _cut(topology: Topology, starts: int, progress: Progress) -> dict[str, int | float | None]:
    found = bisection(topology, starts=starts, progress=progress)
    # In indirect networks only the links of routers with endpoints count, as in PolarStar's figure 12.
    carries = topology.endpoints_of > 0
    links = int(carries[topology.links].any(axis=1).sum()) if carries.any() else topology.link_count
    share = found.upper / links if links else 0.0
    cuts = {"bisection_lower": found.lower, "bisection_upper": found.upper, "bisection_upper_share": share}
    # Of networks whose routers have equal numbers of endpoints both are the same.
    ends = topology.endpoints_of
    return cuts | {"endpoint_bisection_upper": endpoint_cut(topology, starts=starts) if np.ptp(ends) else found.upper}


def _loads(topology: Topology, progress: Progress) -> dict[str, float]:
    minimal = channel_load(topology, progress=progress)
    valiant = channel_load(topology, routing="valiant", progress=progress)
    return {
        "load_minimal_max": minimal.maximum,
        "load_minimal_mean": minimal.mean,
        "throughput_minimal": minimal.throughput,
        "load_valiant_max": valiant.maximum,
        "throughput_valiant": valiant.throughput,
        "paths_mean": minimal.diversity.mean,
        "paths_max": minimal.diversity.maximum,
    }


def bundles(topology: Topology) -> tuple[Bundles, ...]:
    """Count the bundles of every group level, finest level first.

    References
    ----------
    .. [1] K. Lakhotia et al., "PolarStar: expanding the horizon of diameter-3 networks", SPAA 2024, section 8.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> [(level.level, level.count, level.histogram) for level in bundles(build("polarstar", q=3, supernode_degree=3))]
    [('supernode', 24, {8: 24}), ('cluster', 6, {8: 3, 32: 3})]
    """
    return tuple(_of_level(topology, name, group) for name, group in zip(topology.group_names, topology.group.T, strict=True))


def _of_level(topology: Topology, name: str, group: np.ndarray) -> Bundles:
    ends = np.sort(group[topology.links].astype(np.int64), axis=1)
    between = ends[:, 0] != ends[:, 1]
    pairs, sizes = np.unique(ends[between], axis=0, return_counts=True)
    return Bundles(name, pairs, sizes, int((~between).sum()))
