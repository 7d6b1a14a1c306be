"""What the files claim about links, by places: readings of both ends of one link come together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from planner.fabric.verify.found import HOST, Errors, Place, Plug, Reading, Scan
from planner.fabric.verify.normal._boxes import Boxes
from planner.fabric.verify.normal._hosts import Hosts, Item
from planner.fabric.verify.normal._numbers import MANAGEMENT, Numbers
from planner.fabric.verify.normal._planned import Names
from planner.fabric.verify.normal._ports import is_management

Pair = tuple[Place, Place]
"""Two places, sorted."""

_Adapter = tuple[str, Item]
"""A port of a host that has no rank yet: box, and adapter with port."""


@dataclass(slots=True)
class Claim:
    """All readings about one link; `sides` has bit 1 if the first place reports it, bit 2 if the second does."""

    pair: Pair
    sides: int = 0
    whole: bool = False
    measured: bool = False
    scans: frozenset[int] = frozenset()
    texts: tuple[str, str] = ("", "")
    width: int = 0
    speed: str = ""
    slow: str = ""
    planes: frozenset[str] = frozenset()
    age_s: int | None = None

    @property
    def mutual(self) -> bool:
        return self.whole or self.sides == 3


@dataclass
class Claims:
    """Claims of links, and what else readings state about places.

    Attributes
    ----------
    links
        Claims by pair of places.
    down, down_in
        State of ports that a file lists without link, and the scans that do; `claimed_down` by people or plans only.
    lit
        Ports that are up, without a known far end.
    heard
        Boxes that report ports of their own.
    managed
        Number of neighbors at management ports that the plan lacks, by box.
    management
        Management ports that the plan has.
    open
        Whether a claim names a device without a port.
    """

    links: dict[Pair, Claim] = field(default_factory=dict)
    down: dict[Place, str] = field(default_factory=dict)
    down_in: dict[Place, set[int]] = field(default_factory=lambda: defaultdict(set))
    down_planes: dict[Place, set[str]] = field(default_factory=lambda: defaultdict(set))
    lit: set[Place] = field(default_factory=set)
    plugs: dict[Place, Plug] = field(default_factory=dict)
    errors: dict[Place, Errors] = field(default_factory=dict)
    heard: set[str] = field(default_factory=set)
    managed: Counter[str] = field(default_factory=Counter)
    management: set[Place] = field(default_factory=set)
    open: bool = False
    internal: int = 0


class _Collector:
    """Turns readings into claims."""

    def __init__(self, scans: Sequence[Scan], boxes: Boxes, numbers: Numbers, names: Names) -> None:
        self.scans, self.boxes, self.numbers = scans, boxes, numbers
        self.hosts = Hosts(boxes, names)
        self.found = Claims()
        self.alone = [frozenset({number}) for number in range(len(scans))]
        self.kind = {box: device.kind for box, device in boxes.devices.items()}

    def collect(self) -> tuple[Claims, Hosts]:
        """Return the claims of all readings, and the adapters of hosts."""
        waiting = []
        for number, scan in enumerate(self.scans):
            for reading in scan.readings:
                entry = self._ends(scan, reading)
                if entry is None:
                    continue
                own, far = entry
                if type(own) is Place and (far is None or type(far) is Place):
                    self._claim(number, scan, reading, own, far)
                else:
                    waiting.append((number, reading, own, far))
        self.hosts.rank()
        for number, reading, own, far in waiting:
            places = self._place(own, far), None if far is None else self._place(far, own)
            self._claim(number, self.scans[number], reading, *places)
        return self.found, self.hosts

    def _place(self, end: Place | _Adapter, other: Place | _Adapter | None) -> Place:
        return end if isinstance(end, Place) else self.hosts.place(*end, other if isinstance(other, Place) else None)

    def _ends(self, scan: Scan, reading: Reading) -> tuple[Place | _Adapter, Place | _Adapter | None] | None:
        """Return both ends as places, or as adapters of hosts that have no rank yet; None for what is not part of a plan."""
        of, kind = self.boxes.of, self.kind
        box = of.get(reading.port.device)
        if box is None:
            return None
        far = reading.far
        far_box = None
        if far is not None:
            far_box = of.get(far.device)
            if far_box is None:
                return None
            if reading.internal or (far_box == box and (box in self.boxes.chips or kind[box] == HOST)):
                self.found.internal += 1
                return None
        elif reading.internal:
            return None
        own: Place | _Adapter
        end: Place | _Adapter
        if kind[box] == HOST:
            own = (box, self.hosts.item(reading.port.device, reading.port.port, (reading.label,), reading.plane))
        else:
            number = self.numbers.own(reading)
            if number == MANAGEMENT:
                self.found.managed.update([far_box] if far_box else [])
                return None
            own = Place(box, number)
        if far is None or far_box is None:
            return own, None
        if kind[far_box] == HOST:
            end = (far_box, self.hosts.item(far.device, far.port, reading.far_names, reading.plane))
            if isinstance(own, Place) and own.port:
                self.hosts.hear(far_box, end[1], own, scan.format, (far.port, *reading.far_names))
        else:
            number = self.numbers.far(far, reading.far_names)
            if number == MANAGEMENT:
                self.found.managed.update([box])
                return None
            end = Place(far_box, number)
            if number and is_management(far.port):
                self.found.management.add(end)
            if number and not isinstance(own, Place):
                self.hosts.hear(box, own[1], end, scan.format, (reading.port.port, reading.label))
        return own, end

    def _claim(self, number: int, scan: Scan, reading: Reading, own: Place, far: Place | None) -> None:
        found = self.found
        if own.device not in found.heard and not scan.claims:
            found.heard.add(own.device)
        if own.port:
            if reading.plug is not None:
                found.plugs[own] = _richer(found.plugs.get(own), reading.plug)
            if reading.errors is not None:
                found.errors[own] = _richer(found.errors.get(own), reading.errors)
        plane = self._plane(reading)
        if far is None:
            if not own.port or scan.claims:
                return
            if reading.state == "up":
                found.lit.add(own)
            elif reading.state or scan.dark_ports:
                state = reading.state or "down"
                state = state if state in _STATES else "down"
                found.down[own] = min(found.down.get(own, state), state, key=_STATES.index)
                found.down_in[own].add(number)
                if plane:
                    found.down_planes[own].add(plane)
            return
        if own == far:
            return
        pair = (own, far) if own <= far else (far, own)
        claim = found.links.get(pair)
        if claim is None:
            claim = found.links[pair] = Claim(pair)
            found.open |= not own.port or not far.port
        side = 0 if pair[0] == own else 1
        claim.sides |= 1 << side
        claim.whole |= not scan.both_ends
        claim.measured |= not scan.claims
        if number not in claim.scans:
            claim.scans |= self.alone[number]
        texts = (reading.port.port, reading.far.port if reading.far else "")
        if side:
            texts = texts[::-1]
        if texts != claim.texts:
            claim.texts = (_first(claim.texts[0], texts[0]), _first(claim.texts[1], texts[1]))
        if reading.width and (not claim.width or reading.width < claim.width):
            claim.width = reading.width
        if reading.speed and (not claim.speed or reading.speed < claim.speed):
            claim.speed = reading.speed
        if reading.slow and (not claim.slow or reading.slow < claim.slow):
            claim.slow = reading.slow
        if plane:
            claim.planes |= {plane}
        if reading.age_s is not None:
            claim.age_s = reading.age_s if claim.age_s is None else min(claim.age_s, reading.age_s)

    def _plane(self, reading: Reading) -> str:
        if reading.plane:
            return str(reading.plane)
        return self.boxes.unit.get(reading.port.device, "") if reading.port.device in self.numbers.chip_of else ""


_Memory = TypeVar("_Memory", Plug, Errors)

_STATES = ["disabled", "polling", "down"]
"""States of dark ports; of two statements the more exact one is kept."""


def _first(a: str, b: str) -> str:
    """Return the smaller text that is not empty."""
    return min(a, b) if a and b else a or b


def _richer(old: _Memory | None, new: _Memory) -> _Memory:
    """Return the statement with more in it; for equal ones the smaller text, whatever the order of files."""
    if old is None:
        return new
    return max(old, new, key=lambda entry: (sum(value not in (None, "", ()) for value in vars(entry).values()), repr(entry)))


def collected(scans: Sequence[Scan], boxes: Boxes, numbers: Numbers, names: Names) -> tuple[Claims, Hosts]:
    """Return the claims of all readings, and the adapters of hosts."""
    return _Collector(scans, boxes, numbers, names).collect()
