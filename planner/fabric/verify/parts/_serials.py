"""Serial numbers: which plugs are the ends of one cable."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from planner.fabric.verify.found import Plug
from planner.fabric.verify.parts._plan import Ports
from planner.fabric.verify.result import Plugged
from planner.view.schedule import Connection

_SUFFIX = re.compile(r"^(.{4,}?)(?:-?([AB])|-([12]))$")
_PAIRS = ({"A", "B"}, {"1", "2"})
_NO_SERIAL = re.compile(r"^(?:n/?a|none|unknown|not available|[0\-?.* ]*|f+)$", re.IGNORECASE)

Group = list[Plugged]


def serial_of(plug: Plug) -> str:
    """Return the serial number of a plug, empty where its memory has none.

    >>> [serial_of(Plug(serial=text)) for text in ("MT1926VS05127   ", "N/A", "0000000000")]
    ['MT1926VS05127', '', '']
    """
    text = plug.serial.replace("\0", " ").strip().upper()
    return "" if _NO_SERIAL.match(text) else text


def cables_of(plugs: Mapping[Plugged, Plug], ports: Ports) -> list[Group]:
    """Return the ports of each cable by the serial numbers of its plugs.

    Some makers write A and B, or -1 and -2, after the number of a cable at its two ends: two such plugs belong together where
    neither has a fellow of exactly the same number.
    """
    by_serial: dict[tuple[str, str], Group] = defaultdict(list)
    for port, plug in sorted(plugs.items()):
        if serial := serial_of(plug):
            by_serial[plug.vendor.strip().casefold(), serial].append(port)
    singles = {key for key, group in by_serial.items() if len({ports.cage(port) for port in group}) == 1}
    stems: dict[tuple[str, str], dict[str, tuple[str, str]]] = defaultdict(dict)
    for vendor, serial in sorted(singles):
        if match := _SUFFIX.match(serial):
            stems[vendor, match[1]][match[2] or match[3]] = vendor, serial
    for ends in stems.values():
        if set(ends) in _PAIRS:
            first, second = (ends[name] for name in sorted(ends))
            by_serial[first] += by_serial.pop(second)
    return list(by_serial.values())


def joined(groups: Sequence[Group], schedule: Sequence[Connection], ports: Ports) -> tuple[dict[Plugged, Plugged], list[str]]:
    """Return the port at the other end of each plug's cable, and notes about serial numbers that several cables bear.

    Ports of a group that the plan connects are joined as planned: twin-port and splitter cables have several. What is left of
    two cages is joined in the order of ports. More plugs of one number than any cable has are not joined.
    """
    found: dict[Plugged, Plugged] = {}
    notes = []
    planned: dict[Plugged, tuple[Plugged, int]] = {}
    tails: dict[int, int] = defaultdict(int)
    for row in schedule:
        a, b = (Plugged(end.device, end.port) for end in row.ends)
        planned[a], planned[b] = (b, row.piece), (a, row.piece)
        tails[row.piece] += 1
    max_plugs = 1 + max(tails.values(), default=1)
    for group in groups:
        cages = {ports.cage(port) for port in group}
        if len(cages) > max(2, max_plugs):
            notes.append(f"{len(cages)} plugs bear one serial number, such as at {_words(group[0])}: it identifies no cable")
            continue
        own = set(group)
        for port in group:
            if port in planned and planned[port][0] in own:
                found[port] = planned[port][0]
        left: dict[tuple[str, str], Group] = defaultdict(list)
        for port in group:
            if port not in found:
                left[ports.cage(port)].append(port)
        if len(left) == 2:
            one, two = (sorted(side) for side in left.values())
            if len(one) == len(two):
                found |= dict(zip(one, two, strict=True)) | dict(zip(two, one, strict=True))
    return found, notes


def _words(port: Plugged) -> str:
    return f"{port.device} port {port.port}"
