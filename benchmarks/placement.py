"""Quality of placement: mean run length of the links in metres, against cabinets in order and at random.

The range is what 10 million moves have reached so far, give or take; a figure outside it
is worth a look. SpectralFly's Table II prints 10.89 m for Slim Fly 338 and 8.68 m for Slim Fly 162.
Moves per second are those of the whole call on this machine, now.
"""

from __future__ import annotations

import time

from planner import catalog, floor, topology
from planner.floor import Lengths, Slack
from planner.placement import place

INSTANCES = (
    (
        "PolarStar 1,064 in hall-a",
        "polarstar",
        {"q": 11, "supernode_degree": 3, "endpoints_per_router": 5},
        "hall-a",
        "together",
        (9.6, 9.75),
    ),
    ("Slim Fly 338, SpectralFly's room", "slimfly", {"q": 13, "endpoints_per_router": 0}, "spectralfly", "free", (10.4, 10.8)),
    ("Slim Fly 162, SpectralFly's room", "slimfly", {"q": 9, "endpoints_per_router": 0}, "spectralfly", "free", (8.4, 8.7)),
    (
        "torus 16 x 16, SpectralFly's room",
        "torus",
        {"sizes": (16, 16), "endpoints_per_router": 0},
        "spectralfly",
        "free",
        (4.8, 5.1),
    ),
)
MOVES = (100_000, 1_000_000, 10_000_000)


def main() -> None:
    parts = catalog.select("nvidia-sn4700", "server-half-unit-400g", "hpe-10648-g2")
    head = ["in order", "random", *(f"{moves:,} moves" for moves in MOVES), "range", "moves/s"]
    print(f"{'instance':<34}" + "".join(f"{column:>18}" for column in head))
    for name, family, parameters, plan, groups, (low, high) in INSTANCES:
        network = topology.build(family, **parameters)
        lengths = Lengths(floor.room(plan, routers=network.router_count), parts.cabinet, Slack())
        cells = []
        for algorithm, options in [("identity", {}), ("random", {}), *(("anneal", {"moves": moves}) for moves in MOVES)]:
            started = time.perf_counter()
            placed = place(network, parts, lengths, seed=1, algorithm=algorithm, objective="length", groups=groups, **options)
            seconds = time.perf_counter() - started
            cells.append(f"{placed.objective / network.link_count / 1000:.3f}")
        verdict = f"{low}–{high} {'ok' if low <= float(cells[-1]) <= high else 'OUT'}"
        print(f"{name:<34}" + "".join(f"{cell:>18}" for cell in [*cells, verdict, f"{MOVES[-1] / seconds:,.0f}"]), flush=True)


if __name__ == "__main__":
    main()
