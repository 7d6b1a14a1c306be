"""One error of each kind in a built fabric, and what a verification must find of it."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from shared.written_scans import Built, Port

Joined = frozenset[Port]


@dataclass(frozen=True)
class Planted:
    """A fabric with an error: links that the plan lacks, numbers of the rows without a link, and the minimum plug moves."""

    built: Built
    wrong: set[Joined] = field(default_factory=set)
    dark: tuple[int, ...] = ()
    moves: int = 0


Kind = Callable[[Built, random.Random], Planted | None]


def plant(kind: str, built: Built, rng: random.Random) -> Planted | None:
    """Return the fabric with one error of a kind; None where the fabric has no place for it."""
    return KINDS[kind](built, rng)


def _moved(built: Built, targets: dict[Port, Port]) -> Planted:
    """Return the fabric with plugs in other ports."""
    plugged = {row: tuple(targets.get(port, port) for port in link) for row, link in built.plugged.items()}
    changed = {frozenset(link) for row, link in plugged.items() if link != built.plugged[row]}
    return Planted(replace(built, plugged=plugged), changed, (), len(targets))


def _exchanged(built: Built, one: Port, other: Port) -> Planted:
    return _moved(built, {one: other, other: one})


def _plugs(built: Built) -> dict[str, list[tuple[Port, str]]]:
    """Return the plugs in each device: its port, and the device at the other end."""
    found: dict[str, list[tuple[Port, str]]] = defaultdict(list)
    for a, b in built.plugged.values():
        if a[0] != b[0]:
            found[a[0]].append((a, b[0]))
            found[b[0]].append((b, a[0]))
    return found


def _pairs(built: Built, devices: list[str], rng: random.Random) -> Iterator[tuple[Port, Port]]:
    """Yield pairs of plugs in one device whose cables lead to different devices; neither is a management port."""
    plugs = _plugs(built)
    for device in rng.sample(devices, len(devices)):
        own = [(port, far) for port, far in plugs[device] if not built.is_management(port)]
        rng.shuffle(own)
        yield from ((a, b) for number, (a, far) in enumerate(own) for b, other in own[:number] if far != other)


def _routers(built: Built) -> list[str]:
    return sorted(_plugs(built).keys() - built.nodes)


def _single_nodes(built: Built) -> list[tuple[Port, str]]:
    """Return the ports of nodes with one cable, with the router that each is attached to."""
    found = [own[0] for device, own in sorted(_plugs(built).items()) if device in built.nodes and len(own) == 1]
    return [(port, far) for port, far in found if far not in built.nodes]


def two_cables_at_a_router(built: Built, rng: random.Random) -> Planted | None:
    pair = next(_pairs(built, _routers(built), rng), None)
    return _exchanged(built, *pair) if pair else None


def two_cables_at_two_routers(built: Built, rng: random.Random) -> Planted | None:
    plugs = [(port, far) for device in _routers(built) for port, far in _plugs(built)[device] if not built.is_management(port)]
    rng.shuffle(plugs)
    for (a, far), (b, other) in pairwise(plugs):
        if len({a[0], b[0], far, other}) == 4 and _alike(built, a, b):
            return _exchanged(built, a, b)
    return None


def _alike(built: Built, a: Port, b: Port) -> bool:
    """Whether two plugs may be mistaken for each other: their cables are of one network and kind."""
    kind = {(row.network, row.kind) for row in built.seen if {a, b}.intersection(built.plugged[row.number])}
    return len(kind) == 1


def two_nodes_of_a_router(built: Built, rng: random.Random) -> Planted | None:
    nodes = _single_nodes(built)
    rng.shuffle(nodes)
    pair = next(((a, b) for n, (a, far) in enumerate(nodes) for b, other in nodes[:n] if far == other), None)
    return _exchanged(built, *pair) if pair else None


def two_nodes_of_two_routers(built: Built, rng: random.Random) -> Planted | None:
    nodes = _single_nodes(built)
    rng.shuffle(nodes)
    pair = next(((a, b) for n, (a, far) in enumerate(nodes) for b, other in nodes[:n] if far != other), None)
    return _exchanged(built, *pair) if pair else None


def two_ports_of_a_node(built: Built, rng: random.Random) -> Planted | None:
    several = [device for device, own in sorted(_plugs(built).items()) if device in built.nodes and len(own) > 1]
    pair = next(_pairs(built, several, rng), None)
    return _exchanged(built, *pair) if pair else None


def a_free_port(built: Built, rng: random.Random) -> Planted | None:
    for device in rng.sample(_routers(built), len(_routers(built))):
        free, own = built.free_ports(device), [port for port, _ in _plugs(built)[device] if not built.is_management(port)]
        if free and own:
            return _moved(built, {rng.choice(own): (device, free[0])})
    return None


def a_missing_cable(built: Built, rng: random.Random) -> Planted | None:
    row = rng.choice(sorted(built.plugged))
    plugged = {number: link for number, link in built.plugged.items() if number != row}
    return Planted(replace(built, plugged=plugged), dark=(row,))


KINDS: dict[str, Kind] = {
    kind.__name__: kind
    for kind in (
        two_cables_at_a_router,
        two_cables_at_two_routers,
        two_nodes_of_a_router,
        two_nodes_of_two_routers,
        two_ports_of_a_node,
        a_free_port,
        a_missing_cable,
    )
}
