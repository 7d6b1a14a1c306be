"""Growth: moved links against the proven minimum, windows of work, and searches for members inside larger members.

``python -m benchmarks growth`` prints the tables of ``docs/method/growth.md`` in about a quarter of an hour;
``python -m benchmarks.growth short`` leaves the searches out, and ``searches`` prints nothing else. Times are processor time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from planner.domain.model import Topology
from planner.network.growth import step, windows
from planner.network.growth.methods import block, inside, match, rebalance, swaps
from planner.network.growth.plan import bounds
from planner.network.metrics import bisection, distances, spectrum
from planner.network.topology import build

MEMBERS = (
    ("slimfly", {"q": 4}, {"q": 8}),
    ("slimfly", {"q": 5}, {"q": 7}),
    ("slimfly", {"q": 7}, {"q": 11}),
    ("slimfly", {"q": 11}, {"q": 13}),
    ("slimfly", {"q": 13}, {"q": 17}),
    ("polarfly", {"q": 7}, {"q": 8}),
    ("polarfly", {"q": 7}, {"q": 9}),
    ("polarfly", {"q": 11}, {"q": 13}),
    ("polarfly", {"q": 13}, {"q": 16}),
    ("projective", {"q": 13}, {"q": 16}),
    ("polarstar", {"q": 8, "supernode_degree": 3}, {"q": 9, "supernode_degree": 3}),
    ("polarstar", {"q": 9, "supernode_degree": 3}, {"q": 11, "supernode_degree": 3}),
    ("bundlefly", {"p": 9, "s": 5}, {"p": 9, "s": 7}),
    ("spectralfly", {"p": 11, "q": 7}, {"p": 23, "q": 11}),
    ("spectralfly", {"p": 23, "q": 11}, {"p": 23, "q": 13}),
    ("jellyfish", {"routers": 500, "degree": 16}, {"routers": 700, "degree": 16, "graph_seed": 2}),
    ("mddp", {"routers": 300, "degree": 17}, {"routers": 400, "degree": 17}),
    ("megafly", {"rho": 4, "a": 8}, {"rho": 5, "a": 10}),
    ("torus", {"sizes": [6, 6]}, {"sizes": [8, 8]}),
    ("dragonfly", {"a": 8, "h": 4, "groups": 16}, {"a": 8, "h": 4, "groups": 20}),
    ("dragonfly", {"a": 8, "h": 4, "groups": 17}, {"a": 8, "h": 4, "groups": 33}),
)
"""Families, and members between which `match` searches."""


def main(arguments: Sequence[str] = ()) -> None:
    if "searches" not in arguments:
        _steps()
        _windows()
    if "short" not in arguments:
        _searches()


def _steps() -> None:
    print("step                                   moved  at least  by ports  mean hops  eigenvalue    cut")
    old = _random(500)
    _row("random 500 to 700, swaps", old, swaps.grow(old, routers=700))
    _row("random 500 to 700, block", old, block.grow(old, routers=700))
    first, *_ = inside.stages(_random(700), [500])
    _row("random 500 to 700, inside", first, inside.grow(first, _random(700)))
    _row("random 500 to 700, new", old, _random(700, 2))
    small = _random(300)
    _row("random 300 to 600, block", small, block.grow(small, routers=600))
    slim = build("slimfly", q=11)
    _row("Slim Fly 11 to 338 routers, block", slim, block.grow(slim, routers=338, degree=19))
    for family, q, routers in (("slimfly", 13, 242), ("polarfly", 13, 133)):
        final = build(family, q=q)
        first, *_ = inside.stages(final, [routers])
        _row(f"{family} {q} from {routers} routers, inside", first, inside.grow(first, final))
    for a, h, before, after in ((8, 4, 16, 20), (8, 4, 17, 33), (16, 8, 20, 40)):
        group = build("dragonfly", a=a, h=h, groups=before)
        grown = rebalance.grow(group, build("dragonfly", a=a, h=h, groups=after))
        _row(f"Dragonfly {before} to {after}, a={a} h={h}", group, grown)


def _row(name: str, old: Topology, new: Topology) -> None:
    connectivity = spectrum(new).connectivity
    change = step(old, new)
    by_ports, by_quality = bounds(change, connectivity)
    figures = f"{distances(new).mean:>9.4f}{connectivity:>12.2f}{bisection(new, starts=4).upper:>7,}"
    print(f"{name:<37}{len(change.moved):>7,}{by_quality:>10,}{by_ports:>10,}  {figures}", flush=True)


def _windows() -> None:
    print("\nstep                        ports  cables  windows  at least   min. up  before")
    old = _random(500)
    grown = {"random, swaps": swaps.grow(old, routers=700, choices=1), "random, block": block.grow(old, routers=700)}
    for name, new in grown.items():
        change = step(old, new)
        lost = _max_moved(old, change.moved)
        for ends, cables in ((1, 10**6), (2, 10**6), (1, 40)):
            found = windows(change, ends_down=ends, cables_down=cables)
            minimum = max(-(-lost // ends), -(-len(change.moved) // cables))
            shown = "all" if cables == 10**6 else str(cables)
            counts = f"{found.count:>9}{minimum:>10}{found.up.min():>11,}{old.link_count:>8,}"
            print(f"{name:<28}{ends:>5}{shown:>8}{counts}", flush=True)


def _max_moved(old: Topology, moved: Sequence[int]) -> int:
    """Return the maximum number of moved links of a router."""
    ends = old.links[moved].ravel().tolist()
    return max(map(ends.count, set(ends)), default=0)


def _searches() -> None:
    print("\nmember to member                              routers       links  moved  stays    s")
    for family, first, last in MEMBERS:
        old, target = build(family, **first), build(family, **last)
        start = time.process_time()
        change = step(old, match.grow(old, target))
        seconds = time.process_time() - start
        name = f"{family} {_text(first)} to {_text(last)}"
        sizes = f"{f'{old.router_count}–{target.router_count}':>11}{f'{old.link_count}–{target.link_count}':>12}"
        print(f"{name:<42}{sizes}{len(change.moved):>7,}{1 - change.share_moved:>7.1%}{seconds:>5.0f}", flush=True)


def _text(parameters: dict[str, int]) -> str:
    return ",".join(map(str, parameters.values()))


def _random(routers: int, graph_seed: int = 1) -> Topology:
    return build("jellyfish", routers=routers, degree=16, graph_seed=graph_seed)


if __name__ == "__main__":
    main(sys.argv[1:])
