"""Names of devices in a study that keeps a plan: kept names win, and new ones are written like them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from planner.domain.model import Inventory


@dataclass(frozen=True, eq=False)
class Addresses:
    """Names, roles, coordinates and links of devices of several networks, as in `planner.domain.model.Inventory`.

    `links` holds the routers at both ends of the links of each network, int64 (L, 2).
    """

    names: np.ndarray
    network_names: tuple[str, ...]
    first_router: np.ndarray
    role: np.ndarray
    role_names: tuple[str, ...]
    coords: np.ndarray
    coord_names: tuple[str, ...]
    links: Sequence[np.ndarray]

    @property
    def router_count(self) -> int:
        return int(self.first_router[-1])


def kept_names(found: Inventory | Addresses, old: Iterable[str], records: Inventory | None) -> np.ndarray:
    """Return the names of devices with those of a kept plan.

    A router is the one with its role and coordinates in its network, or the one of its number, whichever keeps more links; a node
    of a plan of one network is that at the same place of its router. Other devices have the names that both plans give them,
    up to leading zeros. New devices take the names that are left, with the number of digits of the kept ones.

    Parameters
    ----------
    found
        The inventory with the names of its topology and tables.
    old
        Names of the kept plan.
    records
        Inventory of the kept plan; None where only its schedule is at hand.
    """
    kept = set(old)
    names = _as_kept([str(name) for name in found.names], kept)
    built = {} if records is None else _built(found, records)
    taken = set(built.values())
    mapped = {_kind(found, number) for number in built}
    left: dict[tuple[int, int], list[str]] = defaultdict(list)
    for number, name in enumerate(names):
        if name not in taken:
            left[_kind(found, number)].append(name)
    rest = {kind: iter(own) for kind, own in left.items()}
    for number in range(len(names)):
        if number in built:
            names[number] = built[number]
        elif (kind := _kind(found, number)) in mapped:
            names[number] = next(rest[kind])
    return np.array(_alike(names, kept), np.str_)


def _split(name: str) -> tuple[str, int, int]:
    """Return a name without its last number, the number, and its digits; -1 and 0 for none.

    >>> _split("leaf007"), _split("spine")
    (('leaf', 7, 3), ('spine', -1, 0))
    """
    digits = _DIGITS.search(name)
    assert digits is not None
    text = digits.group()
    return (name[: digits.start()], int(text), len(text)) if text else (name, -1, 0)


_DIGITS = re.compile(r"[0-9]{0,18}$")


def _by_number(names: Iterable[str]) -> dict[tuple[str, int], str]:
    """Return names by stem and number; without numbers that several names have, such as leaf1 and leaf01."""
    own: dict[tuple[str, int], list[str]] = defaultdict(list)
    for name in names:
        own[_split(name)[:2]].append(name)
    return {key: some[0] for key, some in own.items() if len(some) == 1}


def _as_kept(names: Sequence[str], kept: Collection[str]) -> list[str]:
    """Return names as a kept plan writes them: R0012 is R012 there."""
    here, there = _by_number(names), _by_number(kept)
    return [name if name in kept or (key := _split(name)[:2]) not in here else there.get(key, name) for name in names]


def _alike(names: Sequence[str], kept: Collection[str]) -> list[str]:
    """Return names, new ones with the number of digits of the kept ones of their stem: R999 next to R998, not R0999."""
    digits: dict[str, int] = {}
    for name in kept:
        stem, _, count = _split(name)
        digits[stem] = min(digits.get(stem, count), count)
    used, own = {name for name in names if name in kept}, _by_number(names)
    found = []
    for name in names:
        stem, number, _ = _split(name)
        if name not in kept and number >= 0 and stem in digits and (stem, number) in own:
            written = f"{stem}{number:0{digits[stem]}d}"
            name = name if written in used else written
        found.append(name)
    return found


def _kind(found: Inventory | Addresses, number: int) -> tuple[int, int]:
    """Return what the names of a device count: routers of a network and role, or nodes; in a plan of one network all routers."""
    if number >= found.router_count:
        return -1, 0
    network = int(np.searchsorted(found.first_router, number, "right")) - 1
    return network, 0 if found.network_names == ("",) else int(found.role[number])


def _built(found: Inventory | Addresses, old: Inventory) -> dict[int, str]:
    """Return the kept names of devices by number, of networks whose routers are those of the kept plan."""
    built: dict[int, str] = {}
    for network, name in enumerate(found.network_names):
        if name not in old.network_names:
            continue
        other = old.network_names.index(name)
        # Of rules that keep as many links, coordinates come first.
        rules = [own for rule in (_by_coordinates, _in_order) if (own := rule(found, network, old, other))]
        if not rules:
            continue
        own = max(rules, key=lambda rule: _links_kept(rule, found, network, old, other))
        built |= {here: str(old.names[there]) for there, here in own.items()}
        if isinstance(found, Inventory) and found.network_names == ("",):
            built |= _nodes(found, old, own)
    return built


def _by_coordinates(found: Inventory | Addresses, network: int, old: Inventory, other: int) -> dict[int, int]:
    """Return the router of each kept one by role and coordinates; {} where these do not identify the routers of both plans."""
    here, there = _keys(found, network), _keys(old, other)
    return {number: here[key] for key, number in there.items()} if there.keys() <= here.keys() else {}


def _in_order(found: Inventory | Addresses, network: int, old: Inventory, other: int) -> dict[int, int]:
    """Return the router of each kept one by its number in the network; {} where their roles differ."""
    mine, theirs = _routers(found, network), _routers(old, other)
    if len(mine) < len(theirs):
        return {}
    pairs = dict(zip(theirs, mine, strict=False))
    same = all(found.role_names[found.role[here]] == old.role_names[old.role[there]] for there, here in pairs.items())
    return pairs if same else {}


def _links_kept(rule: Mapping[int, int], found: Inventory | Addresses, network: int, old: Inventory, other: int) -> int:
    """Return how many links of the kept network a network has, for the router of each kept one."""
    own = found.ends[found.links(network)] if isinstance(found, Inventory) else found.links[network]
    here = Counter(map(tuple, np.sort(own, axis=1).tolist()))
    there = Counter(tuple(sorted((rule[a], rule[b]))) for a, b in old.ends[old.links(other)].tolist())
    return (here & there).total()


def _routers(inventory: Inventory | Addresses, network: int) -> range:
    return range(*inventory.first_router[network : network + 2].tolist())


def _keys(inventory: Inventory | Addresses, network: int) -> dict[tuple, int]:
    """Return the routers of a network by role and coordinates; {} where these are not unique."""
    routers = _routers(inventory, network)
    roles = [inventory.role_names[role] for role in inventory.role[routers].tolist()]
    table = inventory.coords[routers]
    used = [(column, name) for column, name in enumerate(inventory.coord_names) if (table[:, column] >= 0).any()]
    rows = [[(name, row[column]) for column, name in used] for row in table.tolist()]
    found = {(role, *row): number for role, row, number in zip(roles, rows, routers, strict=True)}
    return found if used and len(found) == len(routers) else {}


def _nodes(found: Inventory, old: Inventory, router_of: Mapping[int, int]) -> dict[int, str]:
    """Return the kept names of the nodes of a plan of one network: those at the same place of the same router."""
    here: dict[int, list[int]] = defaultdict(list)
    for router, node in found.ends[found.endpoints(0)].tolist():
        here[router].append(node)
    place: Counter[int] = Counter()
    built = {}
    for router, node in old.ends[old.endpoints(0)].tolist():
        own = here[router_of[router]] if router in router_of else []
        if place[router] < len(own):
            built[own[place[router]]] = str(old.names[node])
        place[router] += 1
    return built
