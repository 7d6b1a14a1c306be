"""Identities of devices: switches of discovered fabrics found in the plan by their links, with and without names.

Two plugs of any switches are exchanged for every hundredth link. Boxes have random keys. All times are wall time.
"""

from __future__ import annotations

import random
import time

from planner.fabric.verify.found import HOST, SWITCH, Device, Fabric, Link, Place
from planner.fabric.verify.identify import identify, located
from planner.network import topology
from planner.view.schedule import Connection, End

CASES = (
    ("PolarStar 1,064", "polarstar", {"q": 11, "supernode_degree": 3}, False),
    ("fat tree k = 16", "fattree", {"k": 16}, False),
    ("Slim Fly 3,698", "slimfly", {"q": 43}, False),
    ("Slim Fly 3,698", "slimfly", {"q": 43}, True),
)
RATE = 0.01


def main() -> None:
    print(f"{'network':<18}{'cables':>9}  {'names':<6}{'switches':>9}{'right':>9}{'identify s':>12}{'located s':>11}")
    for name, family, parameters, named in CASES:
        schedule = _schedule(family, parameters)
        fabric, key = _fabric(schedule, named, random.Random(1))
        started = time.perf_counter()
        identity = identify(fabric, schedule)
        middle = time.perf_counter()
        located(fabric, identity, schedule)
        ended = time.perf_counter()
        switches = [device for device in key if device.startswith("R")]
        right = sum(key[d] in identity.of and identity.of[key[d]].device == d for d in switches)
        print(
            f"{name:<18}{len(schedule):>9,}  {'yes' if named else 'no':<6}{len(switches):>9,}{right:>9,}"
            f"{middle - started:>12.2f}{ended - middle:>11.2f}",
            flush=True,
        )


def _schedule(family: str, parameters: dict[str, int]) -> list[Connection]:
    """Return a schedule whose links take the ports of each switch in their order; large networks have an endpoint each."""
    network = topology.build(family, **parameters)
    used = [0] * network.router_count

    def end(router: int) -> End:
        used[router] += 1
        return End(f"R{router}", used[router], str(used[router]), "", 1)

    ends = [(end(a), end(b), "link") for a, b in network.links.tolist()]
    endpoints = network.endpoint_router.tolist() if network.link_count < 100_000 else range(network.router_count)
    ends += [(end(router), End(f"E{number}", 1, "1", "", 1), "endpoint") for number, router in enumerate(endpoints)]
    return [Connection(n, n, "", kind, a, b, "", ("", ""), "", 0, 0, "", "", "") for n, (a, b, kind) in enumerate(ends, 1)]


def _fabric(schedule: list[Connection], named: bool, rng: random.Random) -> tuple[Fabric, dict[str, str]]:
    devices = list({end.device: None for row in schedule for end in row.ends})
    rng.shuffle(devices)
    key = {device: f"{number:016x}" for number, device in enumerate(devices)}
    pairs = [[Place(key[row.a.device], row.a.port), Place(key[row.b.device], row.b.port)] for row in schedule]
    between = [n for n, row in enumerate(schedule) if row.kind != "endpoint"]
    for _ in range(int(RATE * len(between) / 2)):
        one, other = rng.sample(between, 2)
        side, far = rng.randrange(2), rng.randrange(2)
        pairs[one][side], pairs[other][far] = pairs[other][far], pairs[one][side]
    boxes = {k: Device(k, d if named else "", HOST if d.startswith("E") else SWITCH) for d, k in key.items()}
    return Fabric(boxes, [Link(a, b) for a, b in rng.sample(pairs, len(pairs)) if a != b]), key


if __name__ == "__main__":
    main()
