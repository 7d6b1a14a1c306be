"""From discovery files to one fabric: names cleaned, boxes joined, ports numbered as plans do, links settled between files.

What never belongs to a plan is dropped and counted in notes: it must not look like a fault of cabling.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set

from planner.fabric.verify.found import HOST, SWITCH, Contradiction, Device, Fabric, Link, Place, Port, Scan
from planner.fabric.verify.normal._boxes import Boxes, boxes_of
from planner.fabric.verify.normal._claims import Claim, Claims, collected
from planner.fabric.verify.normal._links import Chosen, chosen
from planner.fabric.verify.normal._numbers import Numbers
from planner.fabric.verify.normal._planned import Names, names_of
from planner.fabric.verify.normal._slow import gbps, slow_links
from planner.view.schedule import Connection

__all__ = ["fabric", "gbps"]


def fabric(scans: Sequence[Scan], schedule: Sequence[Connection]) -> Fabric:
    """Return the fabric that all files together show.

    Parameters
    ----------
    scans
        Discovery files in any order.
    schedule
        Rows of the plan. They state which port numbers are in use and how ports are printed; names that coincide with devices of
        the plan are a hint for the kind of a device and for its ports. No device is identified here.

    Returns
    -------
    Fabric
        Devices, links, dark ports, and what was dropped or joined.
    """
    names = names_of(schedule)
    boxes = boxes_of(scans, names)
    numbers = Numbers(scans, boxes, names)
    claims, hosts = collected(scans, boxes, numbers, names)
    answering = _answering(scans, boxes, claims)
    found = chosen(scans, boxes, claims, answering)
    slow = slow_links(found.links, boxes)
    _drop_management(found, claims, boxes, names)
    linked = {place for claim in found.links for place in claim.pair}
    links = [_link(claim, scans, slow) for claim in found.links]
    dark = {place: state for place, state in sorted(claims.down.items()) if place not in linked and place not in claims.lit}
    devices = _kept(boxes, claims, names, linked, answering)
    silent = frozenset(key for key, device in devices.items() if device.kind == SWITCH and key not in answering)
    contradictions = found.contradictions + _flapping(scans, claims, found, boxes)
    undecided = {box: texts for box, texts in numbers.undecided.items() if texts and box in devices}
    return Fabric(
        devices,
        links,
        dark,
        {place: plug for place, plug in sorted(claims.plugs.items()) if place.device in devices},
        {place: errors for place, errors in sorted(claims.errors.items()) if place.device in devices},
        {place: text for place, text in sorted(hosts.adapters().items()) if place.device in devices},
        {key: text for key, text in boxes.described.items() if key in devices and text},
        silent,
        frozenset(key for key in found.partial if key in devices),
        frozenset(place for place in claims.lit if place not in linked),
        frozenset(numbers.uncounted & devices.keys()),
        _numbered(found, boxes, numbers.uncounted),
        {
            name: keys
            for name, every in sorted(boxes.doubled.items())
            if len(keys := tuple(key for key in every if key in devices)) > 1
        },
        sorted(contradictions, key=lambda entry: (entry.kind, entry.text)),
        [*boxes.notes, *_notes(claims, found, boxes, undecided), *_unnamed(hosts.unnamed & devices.keys(), links)],
    )


def _answering(scans: Sequence[Scan], boxes: Boxes, claims: Claims) -> frozenset[str]:
    """Return the boxes that report their own ports; of boxes that only a record knows, the record counts."""
    found: set[str] = set()
    recorded: set[str] = set()
    measured: set[str] = set()
    for scan in scans:
        for key, device in scan.devices.items():
            if (box := boxes.of.get(key)) is None:
                continue
            if scan.claims:
                recorded.add(box)
            else:
                measured.add(box)
                if device.answers:
                    found.add(box)
    return frozenset(found | claims.heard | (recorded - measured))


def _link(claim: Claim, scans: Sequence[Scan], slow: dict[tuple[Place, Place], str]) -> Link:
    a, b = claim.pair
    files = tuple(sorted({scans[number].file for number in claim.scans}))
    return Link(a, b, claim.mutual, claim.texts, claim.width, claim.speed, slow.get(claim.pair, ""), files)


def _numbered(found: Chosen, boxes: Boxes, uncounted: Set[str]) -> bool:
    """Return whether half of the ends of links at switches have a number: a few odd texts do not hide the others."""
    every = (place for claim in found.links for place in claim.pair if place.device not in uncounted)
    ends = [place for place in every if boxes.devices[place.device].kind == SWITCH]
    return 2 * sum(place.port > 0 for place in ends) >= len(ends)


def _drop_management(found: Chosen, claims: Claims, boxes: Boxes, names: Names) -> None:
    """Drop links of switches that the plan lacks, and whose neighbors are mostly at management ports."""
    if not claims.managed:
        return
    linked = Counter(place.device for claim in found.links for place in claim.pair)
    outside = {
        box
        for box, number in claims.managed.items()
        if boxes.devices[box].name.casefold() not in names.devices and number > linked[box]
    }
    found.links[:] = [claim for claim in found.links if not any(place.device in outside for place in claim.pair)]


def _kept(boxes: Boxes, claims: Claims, names: Names, linked: set[Place], answering: frozenset[str]) -> dict[str, Device]:
    """Return devices without those that are known only from what was dropped."""
    alive = (
        {place.device for place in linked} | {place.device for place in claims.down} | {place.device for place in claims.plugs}
    )
    alive |= {place.device for place in claims.lit}
    dropped = {box for box in boxes.devices if box not in alive and boxes.devices[box].name.casefold() not in names.devices}
    gone = {box for box in dropped if box in claims.managed or box not in answering or boxes.devices[box].kind == HOST}
    return {key: device for key, device in sorted(boxes.devices.items()) if key not in gone}


def _flapping(scans: Sequence[Scan], claims: Claims, found: Chosen, boxes: Boxes) -> list[Contradiction]:
    """Return ports with a link in one file that another file lists as dark."""
    flapping = []
    for claim in found.links:
        for place in claim.pair:
            dark_in = claims.down_in.get(place, set()) - claim.scans if place in claims.down_in else ()
            if dark_in and claim.measured:
                device = boxes.devices[place.device]
                name = f"{device.name or place.device} port {place.port}"
                up, down = (sorted({scans[number].file for number in numbers}) for numbers in (claim.scans, dark_in))
                text = f"{name} has a link in {up[0]}, and none in {down[0]}: the link flaps or was changed in between"
                flapping.append(Contradiction("contradiction", text, (*up, *down), (Port(place.device, str(place.port)),)))
    return flapping


def _unnamed(unnamed: Set[str], links: Sequence[Link]) -> Iterator[str]:
    """Yield a note where ports of nodes have no names: they are then those of the plan."""
    count = len({place.device for link in links for place in (link.a, link.b) if place.device in unnamed})
    if count:
        yield (
            f"{count:,} nodes with several ports do not name them: ports exchanged on one node cannot be seen; let their "
            "agents send the name of the interface as the description of the port"
        )


def _notes(claims: Claims, found: Chosen, boxes: Boxes, undecided: dict[str, set[str]]) -> list[str]:
    notes = []

    def name(box: str) -> str:
        return (boxes.devices[box].name or boxes.described.get(box) or box)[:60]

    if claims.internal:
        notes.append(f"{claims.internal:,} readings of links inside of one box are ignored")
    if claims.managed:
        notes.append(f"{sum(claims.managed.values()):,} neighbors at management ports are ignored")
    if found.several:
        notes.append(
            f"{found.several:,} more neighbors at ports with several are ignored: agents in adapters, bonds, sub-interfaces"
        )
    if found.one_sided:
        notes.append(f"{found.one_sided:,} links are reported by one end only")
    if found.overruled:
        notes.append(f"{found.overruled:,} links of records are not used: measurements differ")
    for box, (known, expected) in sorted(found.partial.items(), key=lambda entry: name(entry[0])):
        notes.append(
            f"{name(box)} lists {known:,} of {expected:,} neighbors: its list is not complete, its dark ports are unknown"
        )
    if undecided:
        texts = defaultdict(list)
        for box, found_texts in undecided.items():
            texts[min(found_texts)].append(name(box))
        for text, places in sorted(texts.items())[:5]:
            notes.append(
                f"port {text[:40]!r} of {min(places)} has no number in the plan ({len(places):,} devices have such ports)"
            )
    return notes
