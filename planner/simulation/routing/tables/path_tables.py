"""Path tables of source routing: a packet draws one path at its source."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.kernels.routing import paths as kernel
from planner.kernels.routing import steps
from planner.simulation.network import Network, Routing

if TYPE_CHECKING:
    import networkx

_UNUSED = 255
MAX_BYTES = 4_000_000_000
_TRIES = 20_000
_TIES = 10_000


def prepared(network: Network, paths: int, longer: int, complete: bool) -> Routing:
    """Return the routing by the first `paths` loopless paths of each pair, ordered by hops, then by router numbers.

    Parameters
    ----------
    longer
        Maximum hops beyond the distance.
    complete
        Whether pairs with fewer such paths get longer ones, by Yen's algorithm.

    Raises
    ------
    InputError
        When the table would be too large, or a router has too many ports for it.
    """
    topology, distance = network.topology, network.distance
    used = network.used
    longest = min(254, network.diameter + longer)
    _require_size(topology.router_count, int(topology.degree.max(initial=0)), paths, longest)
    found = np.full((topology.router_count, topology.router_count, 1 + paths * longest), _UNUSED, np.uint8)
    found[:, :, 0] = 0
    extra = {}
    graph = _graph(topology) if complete else None
    ascending = np.lexsort((topology.indices, np.repeat(np.arange(topology.router_count), topology.degree)))
    for source in used:
        pairs = np.column_stack([np.full(len(used), source), used])
        rows, short = np.full((len(used), found.shape[2]), _UNUSED, np.uint8), np.zeros(len(used), np.uint8)
        kernel.shortest_paths(
            topology.indptr, topology.indices, ascending, distance, pairs, paths, longer, _TRIES, rows, longest, short
        )
        found[source, used] = rows
        if complete:
            for target in used[np.flatnonzero(short)].tolist():
                extra[int(source), target] = [_ports(topology, path) for path in _yen(graph, int(source), target, paths)]
    return _routing(found, extra, paths, longest)


def _require_size(routers: int, degree: int, paths: int, longest: int) -> None:
    size = routers * routers * (1 + paths * longest)
    if size > MAX_BYTES:
        raise InputError(Problem("routing_parameters", f"{paths} paths per pair take {size / 1e9:.1f} GB", "use fewer paths"))
    if degree >= _UNUSED:
        raise InputError(Problem("routing", f"a router has {degree} links, more than 254", "use minimal"))


def _graph(topology: Topology) -> networkx.Graph:
    # Networkx takes a tenth of the program's start.
    import networkx

    return networkx.Graph(topology.links.tolist())


def _yen(graph: networkx.Graph, source: int, target: int, paths: int) -> list[list[int]]:
    """Return up to `paths` shortest loopless paths, ties broken by router numbers."""
    from networkx import shortest_simple_paths

    taken: list[list[int]] = []
    for path in shortest_simple_paths(graph, source, target):
        if (len(taken) >= paths and len(path) > len(taken[paths - 1])) or len(taken) == _TIES:
            break
        taken.append(path)
    return sorted(taken, key=lambda path: (len(path), path))[:paths]


def _ports(topology, path: list[int]) -> list[int]:
    """Return the first port to each next router of a path."""
    return [int(np.flatnonzero(topology.indices[topology.indptr[a] : topology.indptr[a + 1]] == b)[0]) for a, b in pairwise(path)]


def _routing(found: np.ndarray, extra: dict[tuple[int, int], list[list[int]]], paths: int, longest: int) -> Routing:
    """Return the routing, with rows trimmed to the longest path."""
    routers = len(found)
    count, ports = found[:, :, 0].copy(), found[:, :, 1:].reshape(routers, routers, paths, longest)
    hops = next((n for n in range(longest, 0, -1) if (ports[..., n - 1] != _UNUSED).any()), 1)
    width = max([hops, *(len(path) for many in extra.values() for path in many)])
    table = np.full((routers, routers, paths, width), _UNUSED, np.uint8)
    table[..., :hops] = ports[..., :hops]
    for (source, target), many in extra.items():
        count[source, target] = len(many)
        table[source, target] = _UNUSED
        for row, path in zip(table[source, target], many, strict=False):
            row[: len(path)] = path
    mark = zlib.crc32(table.data, zlib.crc32(count.data)) % 2**22
    return Routing(width, steps.Paths(count, table, mark))


def drawn(network: Network, routing: Routing, source: int, target: int) -> Iterator[list[int]]:
    """Yield the paths of a pair as routers, including source and target."""
    topology, table = network.topology, cast(steps.Paths, routing.tables)
    for row in table.port[source, target, : table.count[source, target]].tolist():
        path = [source]
        for port in row[: row.index(_UNUSED) if _UNUSED in row else len(row)]:
            path.append(int(topology.indices[topology.indptr[path[-1]] + port]))
        yield path
