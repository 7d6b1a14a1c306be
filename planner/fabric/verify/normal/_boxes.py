"""Which keys of the files are one box: by address, by system, by name; without aggregation nodes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from planner.fabric.verify.found import HOST, SWITCH, Device, Scan
from planner.fabric.verify.normal._affix import affix_of
from planner.fabric.verify.normal._names import Described, is_address, parts_of, plain, tokens_of
from planner.fabric.verify.normal._planned import Names


@dataclass
class Boxes:
    """Devices by the key of their box, and how the keys of the files lead to it.

    Attributes
    ----------
    of
        Key of the box of each key of the files; aggregation nodes are missing.
    devices, described
        Merged devices and their names as found.
    unit, adapter
        Chip in its box and adapter in its host, by key of the files.
    chips
        Keys of the switch chips of each box with several of them.
    notes
        What was dropped or joined.
    doubled
        Boxes of each name that several of them have, as found.
    """

    of: dict[str, str]
    devices: dict[str, Device]
    described: dict[str, str]
    unit: dict[str, str]
    adapter: dict[str, str]
    chips: dict[str, list[str]]
    notes: list[str]
    doubled: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


@dataclass
class _Seen:
    """All that the files state about one key."""

    key: str
    names: list[str] = field(default_factory=list)
    parts: list[Described] = field(default_factory=list)
    kind: str = ""
    systems: set[str] = field(default_factory=set)
    addresses: set[str] = field(default_factory=set)
    serials: set[str] = field(default_factory=set)
    models: set[str] = field(default_factory=set)
    ports: int = 0
    answers: bool = False
    scans: set[int] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)


class _Union:
    """Sets of keys; the smallest key of each is not special."""

    def __init__(self, keys: Iterable[str]) -> None:
        self.up = {key: key for key in keys}

    def find(self, key: str) -> str:
        up = self.up
        while up[key] != key:
            up[key] = key = up[up[key]]
        return key

    def join(self, a: str, b: str) -> None:
        a, b = self.find(a), self.find(b)
        if a != b:
            self.up[max(a, b)] = min(a, b)


def boxes_of(scans: Sequence[Scan], names: Names) -> Boxes:
    """Return the boxes of all files."""
    called = (parts_of(device.name).name for scan in scans for device in scan.devices.values())
    names = replace(names, affix=affix_of(called, names.devices.keys()))
    seen, dropped = _seen(scans, names)
    notes = [f"{len(dropped):,} aggregation nodes of switches are ignored"] if dropped else []
    if any(names.affix):
        notes.append(f"names are read without {' and '.join(repr(text) for text in names.affix if text)}, which the plan lacks")
    union = _Union(seen)
    _join_addresses(seen, union)
    _join_systems(seen, union)
    doubled = _join_names(seen, union, names)
    if doubled:
        shown = ", ".join(sorted(doubled)[:5]) + (" …" if len(doubled) > 5 else "")
        notes.append(f"{len(doubled):,} names are given to several devices and are not used: {shown}")
    groups: dict[str, list[_Seen]] = defaultdict(list)
    for key in sorted(seen):
        groups[union.find(key)].append(seen[key])
    boxes = Boxes({}, {}, {}, {}, {}, {}, notes)
    joined = 0
    for group in groups.values():
        box = min((entry.key for entry in group), key=lambda key: (-len(key) if is_address(key) else 0, key))
        device, described = _merged(box, group, names, doubled)
        boxes.devices[box], boxes.described[box] = device, described
        names_here = {parts.name.casefold(): parts.name for entry in group for parts in entry.parts if parts.name}
        for low in names_here.keys() & doubled:
            boxes.doubled[names_here[low]].append(box)
        for entry in group:
            boxes.of[entry.key] = box
            boxes.unit[entry.key] = next((parts.unit for parts in entry.parts if parts.unit), "")
            boxes.adapter[entry.key] = next((parts.adapter for parts in entry.parts if parts.adapter), "")
        chips = [entry.key for entry in group if entry.kind == SWITCH and len(plain(entry.key)) == 16 and is_address(entry.key)]
        if len(chips) > 1 and any(len(seen[a].scans & seen[chips[0]].scans) for a in chips[1:]):
            boxes.chips[box] = chips
            joined += 1
    if joined:
        notes.append(f"{joined:,} boxes have several switch chips, which are joined")
    return boxes


def _seen(scans: Sequence[Scan], names: Names) -> tuple[dict[str, _Seen], set[str]]:
    """Return what is stated by key, and the keys of aggregation nodes."""
    seen: dict[str, _Seen] = {}
    dropped: set[str] = set()
    for number, scan in enumerate(scans):
        for key, device in scan.devices.items():
            parts = _parts(device.name, names)
            if parts.aggregation:
                dropped.add(key)
                continue
            entry = seen.get(key) or seen.setdefault(key, _Seen(key))
            if device.name and device.name not in entry.names:
                entry.names.append(device.name)
            entry.kind = max(entry.kind, device.kind)
            if device.system:
                entry.systems.add(device.system)
            entry.addresses.update(device.addresses)
            if device.serial.strip():
                entry.serials.add(device.serial.strip())
            if device.model.strip():
                entry.models.add(device.model.strip())
            entry.ports = max(entry.ports, device.ports)
            entry.answers |= device.answers and not scan.claims
            entry.scans.add(number)
    claimed: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for number, scan in enumerate(scans):
        for reading in scan.readings:
            for port in (reading.port, reading.far):
                if port is None:
                    continue
                if port.device not in seen:
                    if port.device in dropped:
                        continue
                    name = "" if is_address(port.device) else port.device
                    seen[port.device] = _Seen(port.device, [name] if name else [])
                entry = seen[port.device]
                if port.device not in scan.devices:
                    entry.scans.add(number)
                # Hosts call their ports by their addresses, switches by names.
                if entry.kind != SWITCH and port.port and not is_address(port.port):
                    entry.texts.add(port.port.casefold())
            far = reading.far
            if far is None or seen.get(far.device, _NONE).kind != HOST:
                continue
            if seen.get(reading.port.device, _NONE).kind == SWITCH:
                claimed[far.device].add((reading.port.device, reading.port.port))
    dropped |= {key for key in dropped if seen.pop(key, None)}
    for key, ports in claimed.items():
        if key in seen and _is_aggregation(seen, key, ports, names):
            del seen[key]
            dropped.add(key)
    for entry in seen.values():
        entry.names.sort()
        entry.parts = [_parts(name, names) for name in entry.names]
        if not entry.kind:
            entry.kind = _guessed(entry, names)
    return seen, dropped


_NONE = _Seen("")


def _parts(name: str, names: Names) -> Described:
    """Return the parts of a description; a name of the plan counts whole, even if it looks like a default."""
    if name.strip().casefold() in names.devices:
        return Described(name.strip())
    parts = parts_of(name)
    own = names.affix.without(parts.name)
    return parts._replace(name=own) if own != parts.name and own.casefold() in names.devices else parts


def _is_aggregation(seen: dict[str, _Seen], key: str, ports: set[tuple[str, str]], names: Names) -> bool:
    """Return whether a nameless adapter is at the port after the last of an InfiniBand switch, and of the same system."""
    entry = seen[key]
    if len(ports) != 1:
        return False
    switch, port = next(iter(ports))
    last = seen[switch].ports if switch in seen else 0
    if port != str(last) or last not in (37, 41, 65, 73, 81, 129, 145) or last in names.used:
        return False
    return not any(_parts(name, names).name for name in entry.names) or bool(entry.systems & seen[switch].systems)


def _guessed(entry: _Seen, names: Names) -> str:
    """Return the kind of a device that no file states: by the plan, by its description, by its number of ports."""
    for parts in entry.parts:
        if planned := names.devices.get(parts.name.casefold()):
            return HOST if planned.host else SWITCH
    if any(parts.adapter for parts in entry.parts):
        return HOST
    return SWITCH if len(entry.texts) > 2 or any(parts.unit for parts in entry.parts) else HOST


def _join_addresses(seen: dict[str, _Seen], union: _Union) -> None:
    """Join keys with an address in common; adapters whose port GUID follows the node GUID."""
    owner: dict[str, str] = {}
    for key in sorted(seen):
        for address in (key, *sorted(seen[key].addresses)):
            for token in tokens_of(address):
                other = owner.setdefault(token, key)
                if other != key and _fits(seen[other], seen[key]):
                    union.join(other, key)
    for key, entry in seen.items():
        if entry.kind == HOST and len(key) == 16 and is_address(key):
            for before in (1, 2):
                node = f"{int(key, 16) - before:016x}"
                first = seen.get(node)
                if first and first.kind == HOST and not first.scans & entry.scans and _same_name(first, entry):
                    union.join(node, key)


def _fits(a: _Seen, b: _Seen) -> bool:
    return not a.kind or not b.kind or a.kind == b.kind


def _same_name(a: _Seen, b: _Seen) -> bool:
    one, two = ({(parts.name.casefold(), parts.adapter) for parts in entry.parts if parts.name} for entry in (a, b))
    return not one or not two or bool(one & two)


def _join_systems(seen: dict[str, _Seen], union: _Union) -> None:
    owner: dict[tuple[str, str], str] = {}
    for key, entry in seen.items():
        for system in entry.systems:
            if tokens_of(system):
                union.join(owner.setdefault((plain(system), entry.kind), key), key)


def _join_names(seen: dict[str, _Seen], union: _Union, names: Names) -> set[str]:
    """Join keys with one name; return the names, case-blind, that several boxes have."""
    by_name: dict[str, dict[str, list[_Seen]]] = defaultdict(lambda: defaultdict(list))
    for key in sorted(seen):
        for name in {parts.name.casefold() for parts in seen[key].parts if parts.name}:
            by_name[name][union.find(key)].append(seen[key])
    doubled = set()
    for name, roots in by_name.items():
        if len(roots) == 1:
            continue
        groups = [roots[root] for root in sorted(roots)]
        if _one_box(name, groups, names):
            for root in roots:
                union.join(min(roots), root)
        else:
            doubled.add(name)
    return doubled


def _one_box(name: str, groups: list[list[_Seen]], names: Names) -> bool:
    """Return whether groups of keys with one name are one box: no two of them are alike in one file."""
    planned = names.devices.get(name)
    for number, a in enumerate(groups):
        for b in groups[number + 1 :]:
            if not _alike(name, a, b, planned is not None, len(planned.used) if planned else 1):
                return False
    return True


def _alike(name: str, a: list[_Seen], b: list[_Seen], planned: bool, planned_ports: int) -> bool:
    kinds = {entry.kind for entry in (*a, *b)}
    if len(kinds) > 1:
        return False
    together = set().union(*(entry.scans for entry in a)) & set().union(*(entry.scans for entry in b))
    if not together:
        serials = [set().union(*(entry.serials for entry in group)) for group in (a, b)]
        if all(serials):
            return bool(serials[0] & serials[1])
        both_guids = all(any(len(entry.key) == 16 and is_address(entry.key) for entry in group) for group in (a, b))
        return planned or not both_guids or kinds == {HOST}
    if kinds == {SWITCH}:
        units = [{parts.unit.casefold() for entry in group for parts in entry.parts if parts.unit} for group in (a, b)]
        systems = [set().union(*(entry.systems for entry in group)) for group in (a, b)]
        return all(units) and not units[0] & units[1] and not all(systems)
    adapters = [{parts.adapter.casefold() for entry in group for parts in entry.parts if parts.adapter} for group in (a, b)]
    if all(adapters):
        return not adapters[0] & adapters[1]
    texts = [{text for entry in group for text in entry.texts if not text.isdigit()} for group in (a, b)]
    if all(texts):
        return not texts[0] & texts[1]
    return planned_ports > 1


def _merged(box: str, group: list[_Seen], names: Names, doubled: set[str]) -> tuple[Device, str]:
    counted = Counter(
        parts.name for entry in group for parts in entry.parts if parts.name and parts.name.casefold() not in doubled
    )
    name = min(counted, key=lambda text: (text.casefold() not in names.devices, -counted[text], text), default="")
    if planned := names.devices.get(name.casefold()):
        name = planned.name
    found = sorted({text for entry in group for text in entry.names})
    own = [text for text in found if _parts(text, names).name.casefold() == name.casefold()] if name else found
    addresses = {token for entry in group for address in (entry.key, *entry.addresses) for token in tokens_of(address)[:1]}
    device = Device(
        box,
        name,
        max((entry.kind for entry in group), default=""),
        min((system for entry in group for system in entry.systems), default=""),
        tuple(sorted(addresses)),
        min((text for entry in group for text in entry.serials), default=""),
        min((text for entry in group for text in entry.models), default=""),
        max(entry.ports for entry in group),
        any(entry.answers for entry in group),
    )
    return device, (own or found or [""])[0]
