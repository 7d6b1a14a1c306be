"""Quality of placement: mean and longest link against published layouts, lower bounds, plans by hand, and size.

*SpectralFly Table II*: mean run length of a link in meters in the paper's room, two routers to a
cabinet, by seconds of annealing; the paper's figure, the lower bound, the gap to it.
*Longest link*: a limit a third below the paper's longest link, and the resulting mean.
*Rooms*: cabinets in order, at random, and annealed. *Large*: bisection alone and with annealing.
Moves per second are those of the longest run. Environment variable ``BENCH_EFFORT`` (default 0.1,
some minutes; 1 for full effort, half an hour) multiplies all times except the shortest.
"""

from __future__ import annotations

import os
import resource
import time
from dataclasses import dataclass, replace

from planner.design.placement import bound, place, problem
from planner.domain import catalog
from planner.domain.model import Catalog, Placement, Topology
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology

EFFORT = float(os.environ.get("BENCH_EFFORT", "0.1"))
SECONDS = (0.2, *(seconds * EFFORT for seconds in (1, 10, 60)))


@dataclass(frozen=True)
class Published:
    """One row of SpectralFly's Table II, and the limit of the longest link."""

    family: str
    parameters: dict[str, int]
    mean_m: float
    longest_m: float
    asked_m: float


TABLE_II = {
    "LPS(11,7)": Published("spectralfly", {"p": 11, "q": 7}, 8.02, 19.8, 13.8),
    "SF(9)": Published("slimfly", {"q": 9}, 8.68, 21.6, 15.0),
    "LPS(19,7)": Published("spectralfly", {"p": 19, "q": 7}, 10.43, 28.6, 20.0),
    "SF(13)": Published("slimfly", {"q": 13}, 10.89, 27.8, 19.4),
    "LPS(23,11)": Published("spectralfly", {"p": 23, "q": 11}, 14.35, 39.8, 25.8),
    "SF(17)": Published("slimfly", {"q": 17}, 13.05, 36.2, 23.4),
    "LPS(29,13)": Published("spectralfly", {"p": 29, "q": 13}, 17.32, 50.8, 35.4),
    "SF(23)": Published("slimfly", {"q": 23}, 16.00, 47.4, 33.0),
}

ROOMS = (
    ("PolarStar 1,064 in hall-a", "polarstar", {"q": 11, "supernode_degree": 3, "endpoints_per_router": 5}, "hall-a", "required"),
    ("torus 17 x 17 x 17, SpectralFly's room", "torus", {"sizes": (17, 17, 17)}, "spectralfly", "ignored"),
    ("MDDP 256, its room", "mddp", {"routers": 256, "degree": 8}, "mddp", "ignored"),
    ("MDDP 512, its room", "mddp", {"routers": 512, "degree": 8}, "mddp", "ignored"),
    ("random graph 512, MDDP's room", "jellyfish", {"routers": 512, "degree": 8}, "mddp", "ignored"),
)

LARGE = (
    ("PolarStar 79,506, groups required", "polarstar", {"q": 43, "supernode_degree": 20}, "required"),
    ("PolarStar 79,506, groups ignored", "polarstar", {"q": 43, "supernode_degree": 20}, "ignored"),
    ("torus 43 x 43 x 43", "torus", {"sizes": (43, 43, 43)}, "ignored"),
)


def main() -> None:
    parts = catalog.select("nvidia-sn4700", "server-half-unit-400g", "hpe-10648-g2")
    # Some of these networks need more ports than any router of the catalog has; here only lengths count.
    parts = replace(parts, router=replace(parts.router, ports=256))
    _published(parts)
    _longest(parts)
    _rooms(parts)
    _large(parts)


def _published(parts: Catalog) -> None:
    _line("SpectralFly Table II", "paper", *(f"{s:g} s" for s in SECONDS), "bound", "gap %", "M moves/s")
    for name, row in TABLE_II.items():
        network, lengths = _posed(row, "spectralfly")
        placed = [_annealed(network, parts, lengths, seconds=seconds) for seconds in SECONDS]
        speed = placed[-1].evaluations / SECONDS[-1] / 1e6
        bound_cost = bound.best(problem(network, parts, lengths, objective="length", groups="ignored"))[0]
        means = [_mean(network, each.objective) for each in placed]
        gap = 100 * (1 - bound_cost / placed[-1].objective)
        verdict = "" if float(means[0]) < row.mean_m else "  BEHIND THE PAPER"
        _line(name, f"{row.mean_m:.2f}", *means, _mean(network, bound_cost), f"{gap:.1f}", f"{speed:.0f}", verdict)


def _longest(parts: Catalog) -> None:
    _line("\nLongest link", "paper", "asked", "longest", "paper mean", "mean")
    for name, row in TABLE_II.items():
        network, lengths = _posed(row, "spectralfly")
        asked_mm = round(1000 * row.asked_m)
        placed = _annealed(network, parts, lengths, seconds=SECONDS[-1], longest_mm=asked_mm)
        slot = placed.slot[: network.router_count]
        run = problem(network, parts, lengths, objective="length", groups="ignored").cost.between(*slot[network.links.T])
        kept = placed.too_long == 0 and placed.objective / network.link_count / 1000 < row.mean_m
        cells = (f"{row.longest_m:.1f}", f"{row.asked_m:.1f}", f"{run.max() / 1000:.1f}", f"{row.mean_m:.2f}")
        _line(name, *cells, _mean(network, placed.objective), "" if kept else "  NOT REACHED")


def _rooms(parts: Catalog) -> None:
    _line("\nRooms", "in order", "random", *(f"{s:g} s" for s in SECONDS[1:]), "bound", "gap %", "by")
    for name, family, parameters, plan, groups in ROOMS:
        network = topology.build(family, **{"endpoints_per_router": 0} | parameters)
        lengths = Lengths(floor.room(plan, routers=network.router_count), parts.cabinet, Slack())
        options = {"seed": 1, "objective": "length", "groups": groups, "bounds": False}
        cells = [
            _mean(network, place(network, parts, lengths, algorithm=algorithm, **options).objective)
            for algorithm in ("identity", "random")
        ]
        for seconds in SECONDS[1:]:
            placed = place(network, parts, lengths, algorithm="auto", seconds=seconds, **options)
            cells.append(_mean(network, placed.objective))
        bound_cost, by, _ = bound.best(problem(network, parts, lengths, objective="length", groups=groups))
        _line(name, *cells, _mean(network, bound_cost), f"{100 * (1 - bound_cost / placed.objective):.1f}", by)


def _large(parts: Catalog) -> None:
    _line("\nLarge, eight routers to a cabinet", "in order", "bisection", "annealed", "bound", "seconds", "peak MB")
    for name, family, parameters, groups in LARGE:
        network = topology.build(family, **parameters, endpoints_per_router=0)
        plan = floor.room("spectralfly", routers=network.router_count, cabinet_routers=8, cabinets=11_500)
        lengths = Lengths(plan, parts.cabinet, Slack())
        options = {"seed": 1, "objective": "length", "groups": groups}
        order = place(network, parts, lengths, algorithm="identity", bounds=False, **options).objective
        coarse = place(network, parts, lengths, algorithm="multilevel", refine=False, bounds=False, **options).objective
        started = time.perf_counter()
        placed = place(network, parts, lengths, algorithm="auto", **options | ({"seconds": 200 * EFFORT} if EFFORT < 1 else {}))
        seconds = time.perf_counter() - started
        peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        cells = [_mean(network, value) for value in (order, coarse, placed.objective, placed.lower_bound)]
        _line(name, *cells, f"{seconds:.0f}", f"{peak_mb}")


def _posed(row: Published, plan: str) -> tuple[Topology, Lengths]:
    network = topology.build(row.family, **row.parameters, endpoints_per_router=0)
    cabinet = catalog.select("nvidia-sn4700", "server-half-unit-400g", "hpe-10648-g2").cabinet
    return network, Lengths(floor.room(plan, routers=network.router_count), cabinet, Slack())


def _annealed(network: Topology, parts: Catalog, lengths: Lengths, **options) -> Placement:
    rules = {"seed": 1, "objective": "length", "groups": "ignored", "bounds": False}
    return place(network, parts, lengths, algorithm="anneal", **rules, **options)


def _mean(network: Topology, objective_mm: int) -> str:
    return f"{objective_mm / network.link_count / 1000:.3f}"


def _line(name: str, *cells: str) -> None:
    print(f"{name:<40}" + "".join(f"{cell:>12}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
