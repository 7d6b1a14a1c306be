"""InfiniBand links as ``ibnetdiscover`` lists them by node.

Collect with ``ibnetdiscover > ibnetdiscover.txt`` on a host of the fabric; ``-g`` adds the panel numbers of directors. Ports
without a link and devices without power are not in it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from planner.fabric.verify.found import Device, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.infiniband import KINDS, joined, speed, width
from planner.fabric.verify.readers.syntax.lines import LONGEST, Problems, shown

_NODE = re.compile(r'(Switch|Ca|Rt)\s*(\d{1,4})\s*"[SHR?]-([0-9a-f]{16})"\s*#\s*"(.*)"[^"]*')
_NUMBER = r"\[(\d{1,4})\](?:\[ext (\d{1,4})\])?\s*(?:\(([0-9a-f]{1,16})\))?\s*"
_PORT = re.compile(rf'{_NUMBER}"([SHR?])-([0-9a-f]{{16}})"{_NUMBER}(?:#(.*))?')
_REMARK = re.compile(r'[^"]*"(.*)"\s*(?:lid\s+\d+\s+)?(\d+x|\?\?)?([A-Z]+\d*|\?\?\?)?.*')
_HEAD = re.compile(r"(vendid|devid|sysimgguid|switchguid|caguid|rtguid)=(?:0x)?([0-9a-f]{1,16})(?:\(([0-9a-f]{1,16})\))?(?!\w)")
_WORDS = {"Switch": "SW", "Ca": "CA", "Rt": ""}


def recognizes(text: str) -> bool:
    """Return whether a line is the head of a node."""
    return bool(re.search(r'^(?:Switch|Ca|Rt)\s*\d+\s*"[SHR]-[0-9a-f]{16}"\s*#', text, re.MULTILINE))


def read(text: str, file: str) -> Scan:
    """Return nodes and links, each link from both ends."""
    found = _Found(file)
    for line, row in enumerate(text.splitlines(), 1):
        # Lines of a port are by far the most frequent.
        if row.startswith("["):
            found.port(line, row)
        elif not row.strip():
            found.node, found.system = "", ""
        elif row.startswith(("Switch", "Ca", "Rt")):
            found.head(line, row)
        elif head := _HEAD.match(row):
            if head[1] == "sysimgguid":
                found.system = head[2].zfill(16)
            found.addresses = tuple(guid.zfill(16) for guid in head.groups()[1:] if guid and head[1].endswith("guid"))
        elif found.node and not row.startswith(("#", "ibwarn", "src/")):
            found.problems.add(line, f"is neither a port nor a node: {shown(row)}")
    return found.scan()


class _Far(NamedTuple):
    kind: str
    name: str


class _Found:
    """What was found up to a line."""

    def __init__(self, file: str):
        self.problems = Problems(file)
        self.node = self.system = ""
        self.addresses: tuple[str, ...] = ()
        self._file = file
        self._devices: dict[str, Device] = {}
        self._readings: list[Reading] = []
        self._far: dict[str, _Far] = {}
        self._guids: dict[str, set[str]] = {}

    def head(self, line: int, row: str) -> None:
        """Take the head of a node."""
        found = _NODE.fullmatch(row.rstrip()) if len(row) < LONGEST else None
        if found is None:
            self.node = ""
            self.problems.add(line, f"is no head of a node: {shown(row)}")
            return
        self.node = key = found[3]
        if key in self._devices:
            # Reports of two runs in one file, or of one run twice.
            self.problems.add(line, f"node {key} is listed twice", "give each report in a file of its own")
        addresses = {key, *self.addresses} - {self.system}
        self._guids.setdefault(key, set()).update(addresses)
        kind = KINDS.get(_WORDS[found[1]], "")
        self._devices[key] = Device(key, found[4].strip(), kind, self.system, (key,), ports=int(found[2]))

    def port(self, line: int, row: str) -> None:
        """Take a port and its link."""
        found = _PORT.fullmatch(row.rstrip()) if len(row) < LONGEST else None
        if found is None or not self.node:
            what = "is no port" if found is None else "is a port without a node before it"
            self.problems.add(line, f"{what}: {shown(row)}")
            return
        number, label, own, far_kind, far, far_port, far_label, far_guid, remark = found.groups()
        words = _REMARK.fullmatch(remark or "")
        name, lanes, rate = words.groups(default="") if words else ("", "", "")
        if own:
            self._guids[self.node].add(own.zfill(16))
        if far_guid:
            self._guids.setdefault(far, set()).add(far_guid.zfill(16))
        if far not in self._far:
            self._far[far] = _Far(far_kind, name)
        here, there = Port(self.node, str(int(number))), Port(far, str(int(far_port)))
        names = (far_label,) if far_label else ()
        self._readings.append(Reading(here, label or "", there, names, "up", width(lanes), speed(rate)))

    def scan(self) -> Scan:
        """Return all of it; a node that only others name did not answer."""
        if not self._devices:
            self.problems.add(0, "lists no node")
        self.problems.check()
        for key, (kind, name) in self._far.items():
            if key not in self._devices:
                self._devices[key] = Device(key, name.strip(), KINDS.get(kind, ""), addresses=(key,), answers=False)
        for key, guids in self._guids.items():
            self._devices[key] = replace(self._devices[key], addresses=(key, *sorted(guids - {key})))
        return joined(Scan(self._file, "ibnetdiscover", self._devices, self._readings, both_ends=True))
