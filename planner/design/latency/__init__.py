"""Zero-load delay of the embedded network: routers, cables, plugs and forward error correction on the path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge

from planner.core import seeds
from planner.core.progress import Progress, silent
from planner.design.latency.fec import examine as examine
from planner.design.latency.fec import fec_of
from planner.design.latency.sample import mean_and_error
from planner.domain.model import DELAY_PARTS, MEDIA, CablePlan, Inventory, Latency, Topology
from planner.domain.parts import DelayModel
from planner.kernels.graph import latency as kernel

_VISITS = 2_500_000_000
_MIN_SOURCES = 64
_BLOCK, _PARTS = 64, 12
"""Minimum sources of a part, and maximum parts, which are computed side by side."""
_CONNECTORS, _FEC = DELAY_PARTS.index("connectors"), DELAY_PARTS.index("FEC")


def latency(
    topology: Topology,
    inventory: Inventory,
    cables: CablePlan,
    delay_models: Sequence[DelayModel] = (),
    *,
    seed: int,
    progress: Progress = silent,
    side_by_side: Callable[..., Iterable[Any]] = map,
    fec: str = "none",
    sources: Annotated[int, Ge(2)] | None = None,
) -> Latency:
    """Return hops and delays between all routers and all endpoints.

    Between two routers the fastest of the minimal paths counts: the best that minimal routing can
    achieve without load. The delay is that of all routers on the path, both ends included, and of the
    cables over their stock lengths with their plugs. Between endpoints the two endpoint
    cables are added; network interfaces are not counted.

    Parameters
    ----------
    topology, inventory, cables, delay_models, seed, progress
        Supplied by the flow.
    side_by_side
        Applies a function to several parts of the sources and yields the results in their order, as `map` does.
    fec
        Forward error correction on every cable: ``none``, the id of a catalog row, or ``auto``: the
        row that names the cable's rate and medium. The vendor's delay of a router may
        include it already, so ``none`` is the default.
    sources
        Number of routers, sampled at random, from which delays are computed; all routers if there are fewer than this.
        By default all up to a product of routers and ports with links of 2.5 · 10⁹, about 15 seconds
        of one core; beyond, the number within that limit, at least 64.

    Raises
    ------
    InputError
        When no row has the id `fec`, or two rows apply to the same rate and medium.

    Notes
    -----
    Memory: about 100 bytes per router, 8 per port, 100 per cable and 400 per source. Means from a sample of sources have
    errors, those of cluster sampling without replacement; the maximum delay is then a lower bound.
    """
    task = _Task.of(topology, inventory, cables, *fec_of(cables.assemblies, fec, delay_models))
    chosen = _sources(topology, sources, seed)
    found, done = _Sums.of(task, len(chosen)), 0
    parts = np.array_split(chosen, min(_PARTS, -(-len(chosen) // _BLOCK)))
    for part in side_by_side(partial(_Sums.over, task), parts):
        found.include(part, slice(done, done + len(part.ends)))
        done += len(part.ends)
        progress("latency", done, len(chosen))
    return _record(inventory, cables, task, found, chosen, fec)


def worst_ps(
    topology: Topology,
    inventory: Inventory,
    cables: Any,
    delay_models: Sequence[DelayModel],
    sources: np.ndarray,
    *,
    fec: str = "none",
) -> int:
    """Return the maximum delay from some routers to any other, as `latency` counts it.

    Parameters
    ----------
    sources
        Routers, int64.
    """
    task = _Task.of(topology, inventory, cables, *fec_of(cables.assemblies, fec, delay_models))
    found = _Sums.over(task, sources)
    return int(found.sums[:, :, kernel.WORST].max(initial=0))


def _sources(topology: Topology, wanted: int | None, seed: int) -> np.ndarray:
    routers = topology.router_count
    if wanted is None:
        wanted = max(_MIN_SOURCES, _VISITS // max(len(topology.indices), 1))
    if wanted >= routers:
        return np.arange(routers)
    return np.sort(seeds.stream(seed, "latency").choice(routers, wanted, replace=False))


@dataclass(frozen=True, eq=False)
class _Task:
    """The network as kernel arrays.

    `router_ps` int64 (R,) are the delays of the routers, `parts_ps` int64 (W, 6) the components of the delay of every cable
    of the network.
    """

    indptr: np.ndarray
    indices: np.ndarray
    link: np.ndarray
    links: int
    parts_ps: np.ndarray
    router_ps: np.ndarray
    member: np.ndarray
    class_names: tuple[str, ...]
    endpoints: np.ndarray
    end_ps: np.ndarray
    slowest_ps: np.ndarray
    fec_rows: tuple[str, ...]
    fec_ps: np.ndarray

    @classmethod
    def of(
        cls, topology: Topology, inventory: Inventory, cables: CablePlan, fec_rows: tuple[str, ...], fec_ps: np.ndarray
    ) -> _Task:
        routers, links, rows = topology.router_count, topology.link_count, inventory.connections()
        parts = _parts_ps(cables, fec_ps)[rows]
        end = parts[links:].sum(axis=1)
        end_ps, slowest = np.zeros(routers, np.int64), np.zeros(routers, np.int64)
        np.add.at(end_ps, topology.endpoint_router, end)
        np.maximum.at(slowest, topology.endpoint_router, end)
        # A router without cables has no path to any other: its cabinet does not matter.
        cabinet = np.full(routers, -1, np.int32)
        router = cables.device[rows] - inventory.routers().start
        here = (router >= 0) & (router < routers)
        cabinet[router[here]] = cables.cabinet[rows][here]
        names = ("same cabinet", *(f"same {name}" for name in topology.group_names), "others")
        member = np.ascontiguousarray(np.column_stack([cabinet, topology.group]), np.int32)
        return cls(
            topology.indptr, topology.indices, topology.link, links, parts, inventory.of_routers("delay_ps").astype(np.int64),
            member, names, topology.endpoints_of, end_ps, slowest, fec_rows, fec_ps,
        )  # fmt: skip

    @property
    def link_parts_ps(self) -> np.ndarray:
        """The components of the delay of every link, without that of routers, int64 (L, 5)."""
        return self.parts_ps[: self.links, 1:]


def _parts_ps(cables: CablePlan, fec_ps: np.ndarray) -> np.ndarray:
    """Return the delay of every cable by component, int64 (W, 6); the first column, routers, is 0."""
    rows = np.arange(cables.cable_count)
    parts = np.zeros((cables.cable_count, len(DELAY_PARTS)), np.int64)
    if not len(cables.assemblies):
        return parts
    medium = np.array([MEDIA.index(assembly.medium) for assembly in cables.assemblies])[cables.assembly]
    ends = 2 * cables.of_assembly("delay_end_ps").astype(np.int64)
    parts[rows, 1 + medium] = cables.delay_ps - ends
    parts[:, _CONNECTORS] = ends
    parts[:, _FEC] = fec_ps[cables.assembly]
    return parts


@dataclass(frozen=True, eq=False)
class _Sums:
    """Sums accumulated by the kernel; arrays as in `planner.kernels.graph.latency.sources`.

    The delay `arc_ps` of an arc is that of its link and of the router at its end.
    """

    arc_ps: np.ndarray
    histogram: np.ndarray
    sums: np.ndarray
    passed: np.ndarray
    ends: np.ndarray

    @classmethod
    def of(cls, task: _Task, sources: int) -> _Sums:
        classes = len(task.class_names)
        return cls(
            task.link_parts_ps.sum(axis=1)[task.link] + task.router_ps[task.indices],
            np.zeros(len(task.endpoints), np.int64),
            np.zeros((sources, classes, kernel.WORST + 1), np.int64),
            np.zeros((task.links, classes), np.int64),
            np.zeros((sources, 5), np.int64),
        )

    @classmethod
    def over(cls, task: _Task, sources: np.ndarray) -> _Sums:
        """Return the sums over some sources."""
        found = cls.of(task, len(sources))
        kernel.sources(
            task.indptr, task.indices, task.link, found.arc_ps, task.router_ps, task.member, task.endpoints, task.end_ps,
            task.slowest_ps, sources, found.histogram, found.sums, found.passed, found.ends,
        )  # fmt: skip
        return found

    def include(self, part: _Sums, place: slice) -> None:
        """Add the sums over the sources at `place`."""
        self.histogram.__iadd__(part.histogram)
        self.passed.__iadd__(part.passed)
        self.sums[place], self.ends[place] = part.sums, part.ends

    def path(self, task: _Task, a: int, b: int) -> tuple[list[int], list[int]]:
        """Return routers and links of the fastest minimal path."""
        routers = len(task.endpoints)
        hops, before, arc, queue = np.empty((4, routers), np.int32)
        kernel.fastest(task.indptr, task.indices, self.arc_ps, a, hops, np.empty(routers, np.int64), before, arc, queue)
        path, links = [b], []
        while path[-1] != a:
            links.append(int(task.link[arc[path[-1]]]))
            path.append(int(before[path[-1]]))
        return path[::-1], links[::-1]


def _record(inventory: Inventory, cables: CablePlan, task: _Task, found: _Sums, chosen: np.ndarray, fec: str) -> Latency:
    routers = len(task.router_ps)
    whole = found.sums.sum(axis=1)
    pairs = whole[:, kernel.PAIRS]
    mean_hops, mean_hops_error = mean_and_error(whole[:, kernel.HOPS], pairs, routers)
    mean, error = mean_and_error(whole[:, kernel.DELAY], pairs, routers)
    end_mean, end_error = mean_and_error(found.ends[:, kernel.END_DELAY], found.ends[:, kernel.END_PAIRS], routers)
    worst = found.sums[:, :, kernel.WORST].max(axis=1)
    start = int(worst.argmax())
    path, links = found.path(task, int(chosen[start]), int(found.ends[start, kernel.FAR]))
    steps = task.parts_ps[links].copy()
    steps[:, 0] = task.router_ps[path[1:]]
    return Latency(
        hop_histogram=found.histogram[: int(np.flatnonzero(found.histogram).max(initial=0)) + 1],
        mean_hops=mean_hops,
        mean_ps=mean,
        worst_ps=int(worst[start]),
        worst_path=np.array(path),
        worst_links=np.array(links, np.int64),
        worst_parts_ps=steps,
        endpoint_mean_ps=end_mean,
        endpoint_worst_ps=max(0, int(found.ends[:, kernel.END_WORST].max(initial=0))),
        router_delay_ps=int(task.router_ps.max(initial=0)),
        routers=routers,
        sources=len(chosen),
        unreached=len(chosen) * (routers - 1) - int(pairs.sum()),
        mean_hops_error=mean_hops_error,
        mean_error_ps=error,
        endpoint_mean_error_ps=end_error,
        class_names=task.class_names,
        **_classes(task, found, routers),
        cable_class_names=inventory.kind_names,
        **_lines(inventory, cables, task.parts_ps),
        fec=fec,
        fec_rows=task.fec_rows,
        fec_ps=task.fec_ps,
    )


def _classes(task: _Task, found: _Sums, routers: int) -> dict[str, Any]:
    """Return means by class of pair."""
    total = found.sums.sum(axis=0)
    pairs = total[:, kernel.PAIRS]
    each = np.maximum(pairs, 1)[:, None]
    parts = found.passed.T @ task.link_parts_ps
    # What is not the delay of cables is that of the routers on the paths.
    passed = total[:, [kernel.DELAY]] - parts.sum(axis=1, keepdims=True)
    errors = [mean_and_error(sums[:, kernel.DELAY], sums[:, kernel.PAIRS], routers)[1] for sums in found.sums.swapaxes(0, 1)]
    return {
        "class_pairs": pairs,
        "class_hops": total[:, kernel.HOPS] / each[:, 0],
        "class_parts_ps": np.hstack([passed, parts]) / each,
        "class_error_ps": errors,
        "class_worst_ps": found.sums[:, :, kernel.WORST].max(axis=0),
    }


def _lines(inventory: Inventory, cables: CablePlan, parts_ps: np.ndarray) -> dict[str, Any]:
    """Return means by class of cable and medium."""
    rows = inventory.connections()
    kind = inventory.kind[rows].astype(np.int64)
    medium = np.array([MEDIA.index(assembly.medium) for assembly in cables.assemblies], np.int64)[cables.assembly[rows]]
    lines, line, count = np.unique(kind * len(MEDIA) + medium, return_inverse=True, return_counts=True)
    sums = np.zeros((len(lines), len(DELAY_PARTS)), np.int64)
    worst = np.zeros(len(lines), np.int64)
    np.add.at(sums, line, parts_ps)
    np.maximum.at(worst, line, parts_ps.sum(axis=1))
    return {
        "cable_class": lines // len(MEDIA),
        "cable_medium": lines % len(MEDIA),
        "cable_count": count,
        "cable_parts_ps": sums / count[:, None],
        "cable_worst_ps": worst,
    }
