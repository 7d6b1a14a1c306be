"""The fabric in ports of the plan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from planner.fabric.verify.found import HOST, Fabric, Link, Place
from planner.fabric.verify.identify._hosts import natural
from planner.fabric.verify.identify._tables import planned
from planner.fabric.verify.result import Identity, Joined, Located, Plugged
from planner.view.schedule import Connection

_STATED = 100
"""Weight of a port that a file states as the plan does: above all others."""


def located(fabric: Fabric, identity: Identity, schedule: Sequence[Connection]) -> Located:
    """Return the fabric as found in ports of the plan.

    A host with one planned port has its link there. The adapters of a host with several planned ports are given to them as the
    majority of hosts has them: an adapter name belongs to the port at whose planned place it is found in the majority of cases,
    then in the order of the names; exchanged rails of single hosts remain visible. Ports that are not known, since the file lacks
    or renumbers them, are those of the planned connection between the two devices, then those of planned connections without a
    link.
    """
    ports = planned_ports(fabric, identity, schedule)
    partner, hosts = ports.partner, ports.hosts
    links: dict[Joined, str] = {}
    slow: dict[Joined, str] = {}
    foreign: list[tuple[Plugged | None, str]] = []
    assumed = 0
    near: set[Plugged] = set()
    uncompared: set[Plugged] = set()
    for link, a, b in ports.joined():
        if a is not None and b is not None and partner.get(a) == b and (guessed := ports.guessed(link, a, b)):
            near |= {a, b}
            uncompared |= guessed
            continue
        if a is None or b is None:
            foreign.append((a or b, _words(fabric, link, int(a is not None))))
            continue
        joined = (a, b) if a < b else (b, a)
        links[joined] = " - ".join(link.texts)
        assumed += ports.is_assumed(link)
        if link.slow:
            slow[joined] = link.slow
    up = {end for joined in links for end in joined} | {known for known, _ in foreign if known}
    lit = frozenset(known for place in fabric.unknown if (known := ports.of(place)) is not None and known not in up)
    dark, unknown, unscanned, unheard = _dark(fabric, identity, ports, partner, hosts, up | lit | near)
    return Located(links, dark, unknown, foreign, slow, lit, unscanned, unheard, frozenset(uncompared), assumed)


def planned_ports(fabric: Fabric, identity: Identity, schedule: Sequence[Connection]) -> PlannedPorts:
    """Return the ports of the plan by the places of the fabric."""
    plan = planned(schedule)
    partner: dict[Plugged, Plugged] = {}
    for row in schedule:
        a, b = Plugged(row.a.device, row.a.port), Plugged(row.b.device, row.b.port)
        partner[a], partner[b] = b, a
    printed: dict[str, dict[str, int]] = defaultdict(dict)
    for row in schedule:
        for end in row.ends:
            printed[end.device][end.printed.casefold()] = end.port
    return PlannedPorts(fabric, identity, partner, set(plan.names[plan.switches :]), printed)


def _words(fabric: Fabric, link: Link, side: int) -> str:
    place, text = (link.a, link.b)[side], link.texts[side]
    device = fabric.devices.get(place.device)
    return f"{(device.name if device else '') or place.device} port {text or place.port}"


def _dark(
    fabric: Fabric,
    identity: Identity,
    ports: PlannedPorts,
    partner: dict[Plugged, Plugged],
    hosts: set[str],
    up: set[Plugged],
) -> tuple[dict[Plugged, str], frozenset[str], frozenset[str], frozenset[Plugged]]:
    """Return dark ports with their state, devices about which nothing is known, hosts where the files list no host at all, and
    ports of links between two nodes that nobody could report.

    A host without any link is dark where it has one port: a missing cable looks the same, unless no host was found at all.
    Switches that were not found or do not answer are unknown, and so are hosts with several ports that were not found.
    """
    dark: dict[Plugged, str] = {}
    for place, state in fabric.dark.items():
        known = ports.of(place)
        if known is not None and known not in up:
            dark[known] = state
    answering = {one.device for one in identity.of.values() if one.key not in fabric.silent | fabric.partial}
    planned_ports: dict[str, int] = defaultdict(int)
    for end in partner:
        planned_ports[end.device] += 1
    seen = {one.device for one in identity.of.values()}
    # A scan without any node, such as a table of links between switches, states nothing about nodes.
    blind = seen.isdisjoint(hosts) and not any(device.kind == HOST for device in fabric.devices.values())
    unknown = set()
    for device, count in planned_ports.items():
        if device in hosts:
            if device not in seen and (blind or count > 1):
                unknown.add(device)
        elif device not in answering:
            unknown.add(device)
    unheard: set[Plugged] = set()
    reporting = {key for key, device in fabric.devices.items() if device.answers}
    silent = hosts - {one.device for one in identity.of.values() if one.key in reporting}
    for end, far in partner.items():
        # A link between two nodes of which neither reports its ports: nobody else could list it.
        if end.device in silent and far.device in silent and not unknown & {end.device, far.device}:
            unheard.add(end)
        elif end not in up and end.device not in unknown:
            dark.setdefault(end, "down")
    return dark, frozenset(unknown), frozenset(unknown & hosts if blind else ()), frozenset(unheard)


class PlannedPorts:
    """Ports of the plan of found places."""

    def __init__(
        self,
        fabric: Fabric,
        identity: Identity,
        partner: dict[Plugged, Plugged],
        hosts: set[str],
        printed: dict[str, dict[str, int]],
    ) -> None:
        self.fabric, self.partner, self.hosts, self.printed = fabric, partner, hosts, printed
        self._plugged: dict[tuple[str, int], Plugged] = {end: end for end in partner}
        self.device = {key: one.device for key, one in identity.of.items()}
        self.of_device: dict[str, list[int]] = defaultdict(list)
        for end in partner:
            self.of_device[end.device].append(end.port)
        for listed in self.of_device.values():
            listed.sort()
        self._adapters = self._host_ports()

    def of(self, place: Place) -> Plugged | None:
        """Return the planned port of a place; None for a foreign device or a port that is not known."""
        device = self.device.get(place.device)
        if device is None:
            return None
        if device in self.hosts:
            port = self._adapters.get(place)
            return None if port is None else Plugged(device, port)
        if not self._numbered(place):
            return None
        # Ports of the plan exist already: with 100,000 cables, creating others takes the larger part of the time.
        return self._plugged.get((device, place.port)) or Plugged(device, place.port)

    def _numbered(self, place: Place) -> bool:
        return self.fabric.numbered and place.port > 0

    def joined(self) -> list[tuple[Link, Plugged | None, Plugged | None]]:
        """Return each link with its planned ports; None for a foreign device."""
        rows = [(link, self.of(link.a), self.of(link.b)) for link in self.fabric.links]
        used = {end for _, a, b in rows for end in (a, b) if end is not None}
        open_ = [index for index, (link, a, b) in enumerate(rows) if self._open(link.a, a) or self._open(link.b, b)]
        if not open_:
            return rows
        free: dict[str, list[int]] = {
            device: [port for port in ports if Plugged(device, port) not in used] for device, ports in self.of_device.items()
        }
        planned: dict[tuple[str, str], list[Joined]] = defaultdict(list)
        for one, other in sorted(self.partner.items()):
            planned[one.device, other.device].append((one, other))
        # Planned connections first, so that no other link takes their ports.
        for exact in (True, False):
            for index in open_:
                link, a, b = rows[index]
                if self._open(link.a, a) or self._open(link.b, b):
                    rows[index] = (link, *self._filled(link, a, b, planned, free, exact))
        return rows

    def is_assumed(self, link: Link) -> bool:
        """Return whether the port at a router is the planned one because no file states it."""
        ends = ((place, self.device.get(place.device)) for place in (link.a, link.b))
        return any(device is not None and device not in self.hosts and not self._numbered(place) for place, device in ends)

    def guessed(self, link: Link, a: Plugged | None, b: Plugged | None) -> set[Plugged]:
        """Return the ends of a link at directors whose ports have no numbers."""
        ends = ((link.a, a), (link.b, b))
        return {end for place, end in ends if place.device in self.fabric.uncounted and not place.port and end is not None}

    def _open(self, place: Place, end: Plugged | None) -> bool:
        return end is None and place.device in self.device

    def _filled(
        self,
        link: Link,
        a: Plugged | None,
        b: Plugged | None,
        planned: dict[tuple[str, str], list[Joined]],
        free: dict[str, list[int]],
        exact: bool,
    ) -> tuple[Plugged | None, Plugged | None]:
        one, other = self.device.get(link.a.device), self.device.get(link.b.device)
        if exact:
            for x, y in planned.get((one or "", other or ""), ()):
                if a in (None, x) and b in (None, y) and (a or x.port in free[x.device]) and (b or y.port in free[y.device]):
                    for end, known in ((x, a), (y, b)):
                        if not known:
                            free[end.device].remove(end.port)
                    return x, y
            return a, b
        if self._open(link.a, a) and one:
            a = self._next(one, free)
        if self._open(link.b, b) and other:
            b = self._next(other, free)
        return a, b

    def _next(self, device: str, free: dict[str, list[int]]) -> Plugged:
        """Take the first planned port without a link, or a port after the last."""
        if free[device]:
            return Plugged(device, free[device].pop(0))
        self.of_device[device].append(self.of_device[device][-1] + 1)
        return Plugged(device, self.of_device[device][-1])

    def _host_ports(self) -> dict[Place, int]:
        """Return the planned port of each place of a host."""
        places: dict[str, dict[Place, Plugged | None]] = defaultdict(dict)
        for link in self.fabric.links:
            for own, far in ((link.a, link.b), (link.b, link.a)):
                device = self.device.get(own.device, "")
                if device in self.hosts:
                    end = self.device.get(far.device)
                    port = Plugged(end, far.port) if end and end not in self.hosts and self._numbered(far) else None
                    expected = self.partner.get(port) if port else None
                    places[device][own] = expected if expected and expected.device == device else None
        usual, stated = self._usual(places), self._stated(places)
        found: dict[Place, int] = {}
        for device, at in places.items():
            found.update(self._assigned(self.of_device[device], at, usual, stated))
        for place in self.fabric.dark:
            device = self.device.get(place.device, "")
            if device in self.hosts and place not in found and len(self.of_device[device]) == 1 and not places.get(device):
                found[place] = self.of_device[device][0]
        return found

    def _usual(self, places: dict[str, dict[Place, Plugged | None]]) -> dict[str, dict[int, int]]:
        """Return how often each adapter name is found at the planned place of each port."""
        usual: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for device, own in places.items():
            if len(self.of_device[device]) > 1:
                for place, expected in own.items():
                    # The order of adapters without names means nothing.
                    if expected and place in self.fabric.adapters:
                        usual[self._adapter(place)][self.of_device[device].index(expected.port)] += 1
        return usual

    def _adapter(self, place: Place) -> str:
        return f"{self.fabric.adapters.get(place, '')}/{place.port}"

    def _stated(self, places: dict[str, dict[Place, Plugged | None]]) -> dict[Place, int]:
        """Return the planned port of places whose file states it: as printed, or by its number where this is how it counts.

        Numbers of ports may also be those of an adapter: they count where the majority is in the planned place.
        """
        found: dict[Place, int] = {}
        numbers: dict[Place, int] = {}
        agreeing = expecting = 0
        for device, own in places.items():
            for place, expected in own.items():
                text = self.fabric.adapters.get(place, "").casefold()
                if (port := self.printed[device].get(text)) and not text.isdecimal():
                    found[place] = port
                elif text.isdecimal() and int(text) in self.of_device[device]:
                    numbers[place] = int(text)
                    if expected:
                        expecting += 1
                        agreeing += expected.port == int(text)
        return found | numbers if 2 * agreeing > expecting else found

    def _assigned(
        self,
        ports: list[int],
        own: dict[Place, Plugged | None],
        usual: dict[str, dict[int, int]],
        stated: dict[Place, int],
    ) -> dict[Place, int]:
        """Assign the places of a host to its planned ports: as stated, by what is usual, then by its links, then by order."""
        places = sorted(own, key=lambda place: (natural(self.fabric.adapters.get(place, "")), place.port, place.device))
        if len(places) == len(ports) == 1:
            return {places[0]: ports[0]}
        table = np.zeros((len(places), len(ports)))
        for row, place in enumerate(places):
            counts = usual.get(self._adapter(place), {})
            total = sum(counts.values())
            for column, port in enumerate(ports):
                expected = own[place]
                here = expected is not None and expected.port == port
                table[row, column] = (
                    _STATED * (stated.get(place) == port)
                    + 4 * counts.get(column, 0) / max(1, total)
                    + here
                    + 0.1 * (row == column)
                )
        rows, columns = linear_sum_assignment(table, maximize=True)
        found = {places[row]: ports[column] for row, column in zip(rows.tolist(), columns.tolist(), strict=True)}
        extra = [place for place in places if place not in found]
        return found | {place: ports[-1] + 1 + index for index, place in enumerate(extra)}
