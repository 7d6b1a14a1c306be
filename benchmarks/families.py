"""Families by how they grow: links moved from 1,000 to 4,000 endpoints with routers of 36 ports.

``python -m benchmarks families`` prints the table of ``docs/explore.md`` in a few minutes. Times are wall-clock time.
"""

from __future__ import annotations

import time

from planner.core.errors import Infeasible
from planner.studies.explore.growing import Grown, Wish, grown, ranked

FAMILIES = ("threelevel", "hyperx", "kautz", "swapped_dragonfly", "megafly", "dragonfly", "jellyfish", "fattree", "slimfly")
SIZES, PORTS = (1000, 2000, 4000), 36


def main() -> None:
    found, seconds = [], {}
    for reserve in (False, True):
        for family in FAMILIES if not reserve else ("dragonfly", "megafly", "slimfly"):
            start = time.perf_counter()
            name = f"{family}, reserved" if reserve else family
            try:
                each = grown(Wish(SIZES, PORTS, reserve=reserve), family)
            except Infeasible as error:
                print(f"{name}: {error}")
                continue
            found.append(Grown(name, each.parameters, each.method, each.rows))
            seconds[name] = time.perf_counter() - start
    print("family                    routers at the end  links   moved  at least  per endpoint  mean hops of each stage    s")
    for each in ranked(found):
        last = each.rows[-1]
        hops = " ".join(f"{row['mean_hops']:.3f}" for row in each.rows)
        counts = f"{last['routers']:>18,}{last['links']:>7,}{each.moved:>8,}{each.bound:>10,}"
        print(f"{each.family:<26}{counts}{each.moved_per_endpoint:>14.3f}  {hops:>23}{seconds[each.family]:>5.0f}", flush=True)


if __name__ == "__main__":
    main()
