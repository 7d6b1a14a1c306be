"""Estimated figures of all configurations of one network."""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np

from planner.core.errors import Infeasible, InputError
from planner.domain.model import Topology
from planner.network.metrics import distances
from planner.network.metrics.distances import Distances
from planner.network.topology import build
from planner.studies.explore.candidate import parameter_text
from planner.studies.explore.hall.floor import Floor, Hall, hall_of
from planner.studies.explore.hall.load import Load, loads
from planner.studies.explore.hall.networks import Network, Space

FITS, TOO_LARGE, TOO_LONG = "fits", "room is too small", "cables are too long"
"""Status of a configuration."""

COLUMNS = {
    "family": "topology family",
    "parameters": "its parameters, without endpoints",
    "router": "part of the routers",
    "endpoint": "part of the endpoints",
    "endpoints_per_router": "endpoints of each router that has some",
    "routers": "routers",
    "endpoints": "endpoints",
    "radix": "maximum number of links of a router",
    "links": "links between routers",
    "diameter": "maximum hops between routers with endpoints",
    "mean_hops": "mean hops between endpoints of different routers",
    "oversubscription": "injection rate of all endpoints over what the links carry on minimal paths",
    "status": f"{FITS}, {TOO_LARGE}, or {TOO_LONG}",
    "cabinets": "cabinets",
    "run_m": "total run length of all cables in meters",
    "cost_cents": "routers, cabinets, cables, labor, spares",
    "cost_per_endpoint_cents": "the same for each endpoint",
    "power_mw": "typical power of routers and both ends of all cables, in milliwatts",
    "power_per_endpoint_mw": "the same for each endpoint",
    "latency_ps": "mean zero-load delay between endpoints of different routers",
    "model_throughput": "saturation throughput of uniform traffic on minimal paths by the flow-level model, share of injection",
    "model_throughput_low": "lowest value by the errors measured for the model",
    "model_throughput_high": "highest value",
    "model_advice": "why packets must be simulated; empty where the model may be used by itself",
}
"""Columns of the table, with their meaning."""


def rows(space: Space, network: Network) -> list[dict[str, Any]]:
    """Return the estimates of all configurations of a network; [] if it cannot be built or is not connected.

    The network is built once, and its throughput estimated for a few numbers of endpoints.
    """
    every = sorted({each for own in network.endpoints for each in own})
    try:
        topology = build(network.family, **(network.parameters | {network.key: every[-1]}))
    except (Infeasible, InputError):
        # Not every number of routers has a network.
        return []
    hops = distances(topology)
    if not hops.connected:
        return []
    leaves = np.flatnonzero(topology.endpoints_of)
    carried = 2 * topology.link_count / (len(leaves) * hops.endpoint_mean) if hops.endpoint_mean else np.inf
    minimum, maximum = space.oversubscription
    every = [each for each in every if minimum <= each / carried <= maximum and each * len(leaves) <= space.endpoints[1]]
    floors: dict[tuple[int, int], Floor | int] = {}
    for number, wanted in enumerate(network.endpoints):
        hall = hall_of(space.room, space.catalogs[number])
        floors |= {(each, number): hall.floor(topology, each) for each in wanted if each in every}
    # Throughput takes most of the time: only where one of the parts fits.
    fitting = sorted({each for (each, _), floor in floors.items() if isinstance(floor, Floor)})
    known = loads(topology, leaves, fitting, space.seed)
    fixed = {
        "family": network.family,
        "parameters": parameter_text(network.parameters),
        "routers": topology.router_count,
        "radix": int(topology.degree.max()),
        "links": topology.link_count,
        "diameter": hops.endpoint_diameter,
        "mean_hops": round(hops.endpoint_mean, 6),
    }
    found = []
    for (each, number), floor in sorted(floors.items(), key=lambda item: item[0]):
        hall = hall_of(space.room, space.catalogs[number])
        own = {
            "router": hall.router.id,
            "endpoint": hall.endpoint.id,
            "endpoints_per_router": each,
            "endpoints": each * len(leaves),
            "oversubscription": round(each / carried, 4),
        }
        row = fixed | own | _figures(topology, hops, hall, floor, each * len(leaves), known.get(each))
        found.append({name: row.get(name) for name in COLUMNS})
    return found


def _figures(
    topology: Topology, hops: Distances, hall: Hall, floor: Floor | int, endpoints: int, load: Load | None
) -> dict[str, Any]:
    """Return the figures of a configuration on the floor, or why there are none."""
    if not isinstance(floor, Floor):
        return {"status": TOO_LARGE, "cabinets": floor}
    if not (floor.links.reached and floor.ends.reached):
        return {"status": TOO_LONG, "cabinets": floor.cabinets}
    mean = hops.endpoint_mean
    link_ps, end_ps = floor.links.delay_ps / max(1, floor.links.cables), floor.ends.delay_ps / floor.ends.cables
    figures: dict[str, Any] = {
        "status": FITS,
        "cabinets": floor.cabinets,
        "run_m": round((floor.links.run_mm + floor.ends.run_mm) / 1000),
        "cost_cents": floor.cost_cents,
        "cost_per_endpoint_cents": round(floor.cost_cents / endpoints),
        "power_mw": floor.power_mw,
        "power_per_endpoint_mw": round(floor.power_mw / endpoints),
        "latency_ps": round((mean + 1) * hall.router.delay_ps + mean * link_ps + 2 * end_ps),
    }
    if load is None:
        return figures
    values = {"model_throughput": load.saturation, "model_throughput_low": load.low, "model_throughput_high": load.high}
    figures |= {name: None if isnan(value) else round(value, 4) for name, value in values.items()}
    return figures | {"model_advice": load.advice}
