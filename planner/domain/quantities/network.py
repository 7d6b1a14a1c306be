"""Size of the network and of its room."""

from __future__ import annotations

from planner.domain.quantities._quantity import Quantity

ORDER = 10

QUANTITIES = (
    Quantity("routers", "", "", "routers", "topology", lambda p: p.topology.router_count),
    Quantity("endpoints", "", "", "endpoints", "topology", lambda p: p.topology.endpoint_count),
    Quantity("links", "", "", "links between routers", "topology", lambda p: p.topology.link_count),
    Quantity("radix", "", "lower", "maximum number of links of a router", "topology", lambda p: p.topology.degree.max(initial=0)),
    Quantity(
        "diameter", "hops", "lower", "maximum hops between two routers", "latency", lambda p: len(p.latency.hop_histogram) - 1
    ),
    Quantity("mean_hops", "hops", "lower", "mean hops between different routers", "latency", lambda p: p.latency.mean_hops),
    Quantity("cabinets", "", "lower", "cabinets", "placement", lambda p: p.placement.cabinet_count),
    Quantity("slots", "", "", "slots in the room", "room", lambda p: p.room.slot_count),
)
