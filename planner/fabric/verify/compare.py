"""The plan and the fabric as found, link by link, and what differs as alternating chains and cycles.

Both the planned links and those found pair ports: no port has two. The links that are in one of them only form chains and cycles
in which planned and found links alternate. Each is mended by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from planner.fabric.verify.cages import sockets_of
from planner.fabric.verify.result import Joined, Located, Plugged
from planner.view.schedule import Connection

CYCLE, SHIFTED, OPEN, SURPLUS = "cycle", "planned and found", "planned at both ends", "found at both ends"
"""Shapes of components, by the links at their two ends."""


@dataclass(frozen=True)
class Component:
    """A chain or cycle of ports in which planned and found links alternate.

    Attributes
    ----------
    shape
        `CYCLE` begins with a found link; `SHIFTED` with the planned link of a dark port and ends with a found link at a port that
        should be empty; `OPEN` begins and ends with planned links of dark ports; `SURPLUS` with found links at ports that should
        be empty.
    ports
        Ports of the walk; that of a cycle returns from the last to the first by a planned link.
    """

    shape: str
    ports: tuple[Plugged, ...]

    @property
    def wrong(self) -> list[Joined]:
        """The found links, in the order of the walk, each with its ports in that order."""
        return self._links(int(self.shape in (SHIFTED, OPEN)))

    @property
    def planned(self) -> list[Joined]:
        """The planned links that are not up, in the order of the walk; that of a cycle ends with the link back to its start."""
        links = self._links(int(self.shape in (CYCLE, SURPLUS)))
        return [*links, (self.ports[-1], self.ports[0])] if self.shape == CYCLE else links

    def _links(self, first: int) -> list[Joined]:
        return list(zip(self.ports[first::2], self.ports[first + 1 :: 2], strict=False))


@dataclass(frozen=True)
class Difference:
    """What differs between plan and fabric.

    Attributes
    ----------
    right, wrong, dark, unknown
        Links as planned; found links that the plan lacks; planned links with both ports dark; planned links without a found link
        at either port of which one is on a device about which nothing is known.
    components
        Chains and cycles, by their smallest port; a dark link is one with two ports.
    row
        Row of the schedule and end (0 or 1) of each planned port whose link is not up, or slow.
    exchanged
        Found links that are as planned after ports were exchanged between parallel links.
    lanes
        Cycles between two plugs: links permuted inside one cable.
    sockets
        Cage, and place in it, of each port on devices of the components that have plugs with several links.
    foreign
        Planned ports that hold a cable to a device that the plan lacks, with that device in words.
    doubled
        Found links of a port that has another link already: a contradiction in the files.
    slow
        Links below their planned width or speed, with the reason.
    chosen
        Rows that were selected; None for all.
    """

    right: list[Joined]
    wrong: list[Joined]
    dark: list[Joined]
    unknown: list[Joined]
    components: list[Component]
    row: dict[Plugged, tuple[Connection, int]]
    located: Located
    exchanged: list[Joined] = field(default_factory=list)
    lanes: list[Component] = field(default_factory=list)
    sockets: dict[Plugged, tuple[str, int]] = field(default_factory=dict)
    foreign: dict[Plugged, str] = field(default_factory=dict)
    doubled: list[Joined] = field(default_factory=list)
    slow: dict[Joined, str] = field(default_factory=dict)
    chosen: frozenset[int] | None = None

    def is_chosen(self, port: Plugged) -> bool:
        """Return whether the planned cable of a port is among those that were selected."""
        return port in self.row and (self.chosen is None or self.row[port][0].number in self.chosen)


def sorted_pair(a: Plugged, b: Plugged) -> Joined:
    return (a, b) if a <= b else (b, a)


def compared(
    schedule: Sequence[Connection], located: Located, *, chosen: Collection[int] | None = None, strict: bool = False
) -> Difference:
    """Return what differs between the planned links and those found.

    Parameters
    ----------
    chosen
        Numbers of the rows to compare; None for all. Other rows are neither missing nor wrong by themselves, but explain where a
        plug belongs: a component without any chosen row is left out.
    strict
        Whether the ports of parallel links between two devices must pair as planned.
    """
    selected = None if chosen is None else frozenset(chosen)
    located = replace(located, slow=_below_others(schedule, located))
    right, rows, slow, extra, doubled = _split(schedule, located, selected)
    planned = _pairs(ports for _, ports in rows)
    row = {port: (one, side) for one, ports in rows + slow for side, port in enumerate(ports)}
    exchanged = [] if strict else _exchange_parallel(planned, extra, row, selected)
    relabeled = set(exchanged)
    found = _pairs(link for link in extra if link not in relabeled)
    foreign = {port: text for port, text in located.foreign if port is not None and port in planned}
    unknown = _drop_unknown(planned, found, located)
    sockets = sockets_of(schedule, planned.keys() | found.keys())

    def is_chosen(port: Plugged) -> bool:
        return selected is None or row[port][0].number in selected

    components: list[Component] = []
    lanes: list[Component] = []
    for one in walks(planned, found):
        if selected is None or any(is_chosen(port) for link in one.planned for port in link):
            (lanes if _inside_a_cable(one, sockets, row) else components).append(one)
    exchanged = [link for link in exchanged if is_chosen(link[0])]
    return Difference(
        sorted(right + exchanged),
        sorted(sorted_pair(*link) for one in components + lanes for link in one.wrong),
        sorted(sorted_pair(*one.ports) for one in components if one.shape == OPEN and len(one.ports) == 2),
        sorted(link for link in unknown if is_chosen(link[0])),
        components,
        row,
        located,
        exchanged,
        lanes,
        sockets,
        {port: text for port, text in foreign.items() if is_chosen(port)},
        doubled,
        _of_links(located.slow, right, components, selected),
        selected,
    )


def _below_others(schedule: Sequence[Connection], located: Located) -> dict[Joined, str]:
    """Return the slow links of a part whose other links are faster.

    Files compare a link with what its two ports support. Where more than half of the links of one part and kind are slow for one
    reason, they run as fast as their cables or as planned.
    """
    if not located.slow:
        return {}
    total: Counter[tuple[str, str]] = Counter()
    reasons: Counter[tuple[tuple[str, str], str]] = Counter()
    sort: dict[Joined, tuple[str, str]] = {}
    for row in schedule:
        a, b = Plugged(row.a.device, row.a.port), Plugged(row.b.device, row.b.port)
        link = (a, b) if a <= b else (b, a)
        if link in located.links:
            sort[link] = row.part, row.kind
            total[sort[link]] += 1
            if link in located.slow:
                reasons[sort[link], located.slow[link]] += 1
    usual = {key for key, count in reasons.items() if 2 * count > total[key[0]] and count >= _MANY}
    return {link: why for link, why in located.slow.items() if link not in sort or (sort[link], why) not in usual}


def walks(planned: Mapping[Plugged, Plugged], found: Mapping[Plugged, Plugged]) -> Iterator[Component]:
    """Yield the chains and cycles of two matchings without a common link, by their smallest port."""
    seen: set[Plugged] = set()
    components = []
    ends = sorted(planned.keys() ^ found.keys(), key=lambda port: (port in found, port))
    for start in ends:
        if start not in seen:
            ports = _walk(start, found if start in found else planned, planned if start in found else found)
            seen.update(ports)
            begins, finishes = start in planned, ports[-1] in planned
            shape = (OPEN if finishes else SHIFTED) if begins else SURPLUS
            components.append(Component(shape, tuple(ports)))
    for start in sorted(found.keys() & planned.keys() - seen):
        if start not in seen:
            ports = _walk(start, found, planned)
            seen.update(ports)
            components.append(Component(CYCLE, tuple(ports)))
    yield from sorted(components, key=lambda one: min(one.ports))


def _walk(start: Plugged, first: Mapping[Plugged, Plugged], second: Mapping[Plugged, Plugged]) -> list[Plugged]:
    """Return the ports from a start, along links of two matchings in turn, up to an end or back to the start."""
    ports, now, then = [start], first, second
    while (port := now.get(ports[-1])) is not None and port != start:
        ports.append(port)
        now, then = then, now
    return ports


_MANY = 5
"""Links of one part that are slow for one reason, from which on that is how they are meant to run."""

_Rows = list[tuple[Connection, Joined]]


def _split(
    schedule: Sequence[Connection], located: Located, chosen: frozenset[int] | None
) -> tuple[list[Joined], _Rows, _Rows, list[Joined], list[Joined]]:
    """Return links as planned, rows that are not up and slow ones, other found links, and second links of a port."""
    right: list[Joined] = []
    rows: _Rows = []
    slow: _Rows = []
    realized: set[Joined] = set()
    found: dict[tuple[tuple[str, int], ...], Joined] = {link: link for link in located.links}
    for row in schedule:
        # Plain tuples equal the ports and take a third of the time.
        a, b = (row.a.device, row.a.port), (row.b.device, row.b.port)
        link = found.get((a, b) if a <= b else (b, a))
        if link is None:
            rows.append((row, (Plugged(*a), Plugged(*b))))
            continue
        realized.add(link)
        if chosen is None or row.number in chosen:
            right.append(link)
        if link in located.slow:
            slow.append((row, (Plugged(*a), Plugged(*b))))
    others = sorted(located.links.keys() - realized)
    taken = _ends(realized, {port.device for link in others for port in link}) if others else set()
    extra: list[Joined] = []
    doubled: list[Joined] = []
    for link in others:
        free = link[0] != link[1] and taken.isdisjoint(link)
        (extra if free else doubled).append(link)
        taken.update(link if free else ())
    return right, rows, slow, extra, doubled


def _ends(links: Iterable[Joined], devices: Collection[str]) -> set[Plugged]:
    return {port for link in links for port in link if port.device in devices}


def _pairs(links: Iterable[Joined]) -> dict[Plugged, Plugged]:
    """Return the far port of each port."""
    far: dict[Plugged, Plugged] = {}
    for a, b in links:
        far[a], far[b] = b, a
    return far


def _exchange_parallel(
    planned: dict[Plugged, Plugged],
    extra: Sequence[Joined],
    row: Mapping[Plugged, tuple[Connection, int]],
    chosen: frozenset[int] | None,
) -> list[Joined]:
    """Pair ports of parallel planned links as they were found, in place; return the found links that are right then."""

    def group(port: Plugged) -> tuple[object, ...]:
        one = row[port][0]
        devices = tuple(sorted((port.device, planned[port].device)))
        return (*devices, one.part, one.network, chosen is None or one.number in chosen)

    def parallel(a: Plugged, b: Plugged) -> bool:
        if a not in planned or b not in planned or row[a][0].piece == row[b][0].piece:
            return False
        return planned[a].device == b.device != a.device and group(a) == group(b)

    fitting = []
    for a, b in extra:
        if parallel(a, b):
            far_a, far_b = planned[a], planned[b]
            planned.update({a: b, b: a, far_a: far_b, far_b: far_a})
            del planned[a], planned[b]
            fitting.append((a, b))
    return fitting


def _drop_unknown(planned: dict[Plugged, Plugged], found: Mapping[Plugged, Plugged], located: Located) -> list[Joined]:
    """Take planned links away about which nothing is known; return them."""

    silent = located.lit | located.unheard | located.uncompared

    def unclear(port: Plugged) -> bool:
        return port.device in located.unknown or port in silent

    open_ = [(a, b) for a, b in planned.items() if a < b and a not in found and b not in found]
    links = [(a, b) for a, b in open_ if unclear(a) or unclear(b)]
    for a, b in links:
        del planned[a], planned[b]
    return links


def _inside_a_cable(
    component: Component, sockets: Mapping[Plugged, tuple[str, int]], row: Mapping[Plugged, tuple[Connection, int]]
) -> bool:
    """Return whether all links of a cycle run between the two plugs of one cable."""
    if component.shape != CYCLE or any(port not in sockets for port in component.ports):
        return False
    plugs = {frozenset((port.device, sockets[port][0]) for port in link) for link in component.wrong + component.planned}
    return len(plugs) == 1 and len({row[port][0].piece for port in component.ports}) == 1


def _of_links(
    slow: Mapping[Joined, str], right: Sequence[Joined], components: Sequence[Component], chosen: frozenset[int] | None
) -> dict[Joined, str]:
    """Return the slow links among those that were compared."""
    if chosen is None:
        return dict(slow)
    known = set(right) | {sorted_pair(*link) for one in components for link in one.wrong}
    return {link: reason for link, reason in slow.items() if link in known}
