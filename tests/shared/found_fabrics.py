"""Cable schedules of networks, and fabrics found with known errors, with boxes under random keys."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from planner.domain.model import Topology
from planner.fabric.verify.found import HOST, SWITCH, Device, Fabric, Link, Place
from planner.view.schedule import Connection, End

Port = tuple[str, int]
Pair = tuple[Port, Port]


def schedule_of(pairs: Iterable[Pair], hosted: Iterable[Pair] = ()) -> list[Connection]:
    """Return the schedule of links between switches, and of endpoint links with the switch first."""
    rows = [(pair, "link") for pair in pairs] + [(pair, "endpoint") for pair in hosted]
    return [
        Connection(n, n, "", kind, _end(*a), _end(*b), "dac", ("", ""), "copper", 1000, 900, "", "", "")
        for n, ((a, b), kind) in enumerate(rows, 1)
    ]


def _end(device: str, port: int) -> End:
    return End(device, port, str(port), "A01", 1)


def network(topology: Topology, seed: int = 0) -> list[Connection]:
    """Return the schedule of a network: links take the ports of each switch in their order, endpoints the ports after them."""
    used: dict[int, int] = {}

    def port(router: int) -> Port:
        used[router] = used.get(router, 0) + 1
        return f"R{router}", used[router]

    pairs = [(port(a), port(b)) for a, b in topology.links.tolist()]
    return schedule_of(pairs, [(port(r), (f"E{e}", 1)) for e, r in enumerate(topology.endpoint_router.tolist())])


def palmtree(routers: int, global_ports: int, endpoints: int = 1) -> list[Connection]:
    """Return the schedule of a Dragonfly whose ports are the same in every group: all rotations of the groups keep them."""
    links, groups = routers * global_ports, routers * global_ports + 1
    pairs = [
        ((f"R{g * routers + i}", j), (f"R{g * routers + j}", i + 1))
        for g in range(groups)
        for i in range(routers)
        for j in range(i + 1, routers)
    ]
    for group in range(groups):
        for link in range(links):
            far, far_link = (group + link + 1) % groups, links - 1 - link
            if group < far:
                near, away = divmod(link, global_ports), divmod(far_link, global_ports)
                pairs.append(
                    ((f"R{group * routers + near[0]}", routers + near[1]), (f"R{far * routers + away[0]}", routers + away[1]))
                )
    hosted = [
        ((f"R{r}", routers + global_ports + e), (f"E{r * endpoints + e}", 1))
        for r in range(groups * routers)
        for e in range(endpoints)
    ]
    return schedule_of(pairs, hosted)


def pairs_of(schedule: Sequence[Connection]) -> list[Pair]:
    return [((row.a.device, row.a.port), (row.b.device, row.b.port)) for row in schedule]


def with_errors(schedule: Sequence[Connection], rate: float, rng: random.Random) -> list[Pair]:
    """Return the links with errors in a share of the links between switches.

    The kinds in equal shares: two plugs of one switch exchanged, two plugs of any switches, a missing cable, a plug in a free
    port, the last four plugs of a switch one port too far. A plug that finds its port taken stays out, and its link is missing.
    """
    pairs = [list(pair) for pair in pairs_of(schedule)]
    between = [n for n, row in enumerate(schedule) if row.kind != "endpoint"]
    at: dict[str, list[tuple[int, int]]] = {}
    last: dict[str, int] = {}
    for n, pair in enumerate(pairs):
        for side, (device, port) in enumerate(pair):
            last[device] = max(last.get(device, 0), port)
            if schedule[n].kind != "endpoint":
                at.setdefault(device, []).append((n, side))
    missing = set()
    for _ in range(round(rate * len(between))):
        n, side = rng.choice(between), rng.randrange(2)
        device = pairs[n][side][0]
        kind = rng.choice(["local", "far", "missing", "free", "shift"])
        if kind == "missing":
            missing.add(n)
        elif kind == "free":
            last[device] += 1
            pairs[n][side] = (device, last[device])
        elif kind == "shift":
            for other, end in sorted(at.get(device, []), key=lambda plug: pairs[plug[0]][plug[1]][1])[-4:]:
                pairs[other][end] = (pairs[other][end][0], pairs[other][end][1] + 1)
        else:
            other, end = (
                rng.choice(at[schedule[n].ends[side].device]) if kind == "local" else (rng.choice(between), rng.randrange(2))
            )
            pairs[n][side], pairs[other][end] = pairs[other][end], pairs[n][side]
    taken: set[Port] = set()
    found = []
    for n, (a, b) in enumerate(pairs):
        if n not in missing and a != b and a not in taken and b not in taken:
            taken |= {a, b}
            found.append((a, b))
    return found


def fabric_of(
    schedule: Sequence[Connection], pairs: Iterable[Pair], rng: random.Random, names: Iterable[str] = ()
) -> tuple[Fabric, dict[str, str]]:
    """Return a fabric with these links under random keys, and the key of each device; only `names` answer with their names."""
    devices = sorted({end.device for row in schedule for end in row.ends})
    hosts = {row.b.device for row in schedule if row.kind == "endpoint"}
    numbers = rng.sample(range(10 * len(devices)), len(devices))
    key = {device: f"{number:016x}" for device, number in zip(devices, numbers, strict=True)}
    named = set(names)
    boxes = [Device(key[d], d if d in named else "", HOST if d in hosts else SWITCH) for d in devices]
    links = []
    for pair in pairs:
        a, b = (Place(key[device], port) for device, port in pair)
        links.append(Link(a, b) if rng.random() < 0.5 else Link(b, a))
    rng.shuffle(links)
    rng.shuffle(boxes)
    return Fabric({box.key: box for box in boxes}, links), key
