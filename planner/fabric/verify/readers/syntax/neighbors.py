"""Neighbors that a box reports, in whatever format, as one scan: local device, ports, and the far ends in words of LLDP."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from planner.core.errors import InputError, Problem
from planner.fabric.verify.found import HOST, SWITCH, Device, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.documents import clean

DEFAULT_NAMES = {"localhost", "localhost.localdomain", "(none)", "none", "unknown", "ubuntu", "sonic", "cumulus", "switch"}
"""Names that a box has before anyone names it: many boxes share them."""

_NOTHING = {"", "n/a", "n\\a", "not advertised", "not-advertised", "null", "none", "-", "--", "not received", "no-info"}
_MAC = re.compile(r"([0-9a-f]{2}[:-]?){5}[0-9a-f]{2}|([0-9a-f]{4}\.){2}[0-9a-f]{4}", re.IGNORECASE)
_ENDINGS = re.compile(r"\.(json0?|txt|xml|log|out|kv|keyvalue|lldp|gz|cables)$", re.IGNORECASE)
_COMMAND = re.compile(
    r"^((show|lldp|neighbou?rs?|ptm(ctl)?|details?)[-_. ])+|([-_. ](lldp|neighbou?rs?|ptm(ctl)?|details?))+$", re.I
)
_GENERIC = {"lldp", "neighbors", "neighbours", "neighbor", "ptm", "ptmctl", "show", "stdin", "output", "details", "detail", ""}
_SWITCHING = {"bridge", "router", "b", "r"}
_STATION = {"station", "station-only", "stationonly", "s"}

_LARGEST, _DIGITS = 256, 9
"""No box of Ethernet calls a port by a larger number alone: such numbers are indices of SNMP. Digits that are compared."""


@dataclass(frozen=True)
class Neighbor:
    """One neighbor of one local port, in the words of the file; empty texts and None are unknown.

    Attributes
    ----------
    local
        Local port as the box calls it.
    name, chassis
        System name and chassis id.
    port, description
        Port id and port description.
    capabilities
        Enabled capabilities, by name or letter.
    by_mac
        Whether the port id is a MAC address, as hosts have it.
    is_local
        Whether the port id is assigned locally: a number is then an index of SNMP, and not that of a port.
    """

    local: str
    name: str = ""
    chassis: str = ""
    port: str = ""
    description: str = ""
    capabilities: tuple[str, ...] = ()
    by_mac: bool = False
    is_local: bool = False
    age_s: int | None = None
    ttl_s: int | None = None
    serial: str = ""
    model: str = ""


def scan(
    file: str,
    reader: str,
    device: Device,
    neighbors: Iterable[Neighbor],
) -> Scan:
    """Return the scan of a box from what it hears at its ports; several neighbors at one port stay several readings."""
    devices = {device.key: device}
    readings = []
    for neighbor in neighbors:
        if not (local := clean(neighbor.local)):
            raise InputError(Problem("", "has a neighbor without a local port", "save the output of the command as it is", file))
        far = _far_device(neighbor)
        if not far.key:
            # A frame without name and id shows only that something is there.
            readings.append(Reading(Port(device.key, local), state="up"))
            continue
        devices[far.key] = joined(devices[far.key], far) if far.key in devices else far
        port = mac(neighbor.port) or known(neighbor.port)
        if port.isdecimal() and (neighbor.is_local or int(port[:_DIGITS]) > _LARGEST):
            port = ""
        names = [known(neighbor.description), mac(neighbor.chassis) or known(neighbor.chassis)]
        if not port:
            port, names = names[0], names[1:]
        readings.append(
            Reading(
                Port(device.key, local),
                far=Port(far.key, port),
                far_names=tuple(dict.fromkeys(name for name in names if name and name != port)),
                state="up",
                age_s=neighbor.age_s,
                ttl_s=neighbor.ttl_s,
            )
        )
    return Scan(file, reader, devices, readings, both_ends=True)


def local_device(file: str, name: str = "", addresses: Iterable[str] = (), *, kind: str = SWITCH) -> Device:
    """Return the box that a file is about: the one that it names, else the one that the file is named after."""
    macs = tuple(dict.fromkeys(found for found in map(mac, addresses) if found))
    name = known(name) or clean(named_after(file))
    return Device(name, name, kind, addresses=macs)


def kind_by_ports(ports: Iterable[str]) -> str:
    """Return whether a box that runs Linux is a switch or a host by the names of its ports; empty where they leave it open.

    >>> kind_by_ports(["eth0", "swp1"]), kind_by_ports(["enp1s0f0np0"]), kind_by_ports(["eth0"])
    ('switch', 'host', '')
    """
    names = list(ports)
    if any(re.match(r"swp\d|Ethernet\d", name) for name in names):
        return SWITCH
    return HOST if any(re.match(r"en[opsx]\w|ib[ops\d]|hsn\d|mlx\d", name) for name in names) else ""


def named_after(file: str) -> str:
    """Return the device that a file name refers to: its stem, or its folder where the stem is a word such as ``lldp``.

    >>> named_after("all.tar.gz:lldp/R033.json"), named_after("leaf01.example.com-lldp.json"), named_after("R033/lldp.json")
    ('R033', 'leaf01.example.com', 'R033')
    """
    path = PurePosixPath(member(file))
    for part in reversed(path.parts):
        stem = part
        while _ENDINGS.search(stem):
            stem = _ENDINGS.sub("", stem)
        stem = _COMMAND.sub("", stem)
        if stem.lower() not in _GENERIC:
            return stem
    return path.name


def member(file: str) -> str:
    """Return the path of a file, inside of its archive if it is a member of one."""
    path = file.replace("\\", "/")
    return path if re.fullmatch(r"[A-Za-z]:/[^:]*", path) else path.rpartition(":")[2]


def known(text: str) -> str:
    """Return a text without blanks and quotes around it; empty where it is a word for nothing."""
    text = clean(text).strip('"').strip()
    return "" if text.lower() in _NOTHING else text


@lru_cache(maxsize=2**16)
def mac(text: str) -> str:
    """Return a MAC address as 12 lower-case hex digits; empty if the text is none.

    >>> mac("001c.73a0.FC18"), mac("00:1c:73:a0:fc:18"), mac("Ethernet1")
    ('001c73a0fc18', '001c73a0fc18', '')
    """
    text = text.strip()
    return re.sub(r"[^0-9a-f]", "", text.lower()) if _MAC.fullmatch(text) else ""


@lru_cache(maxsize=2**16)
def seconds(text: str) -> int | None:
    """Return a number of seconds or a time such as ``2 days, 03:11:40``; None if it is neither.

    >>> seconds("2 days, 03:11:40"), seconds("120"), seconds("too much")
    (184300, 120, None)
    """
    if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text.strip()):
        return int(float(text))
    found = re.fullmatch(r"\s*(?:(\d{1,6}) days?,? *)?(\d{1,4}):(\d\d):(\d\d)\s*", text)
    return sum(int(part or 0) * unit for part, unit in zip(found.groups(), (86400, 3600, 60, 1), strict=True)) if found else None


def joined(one: Device, other: Device) -> Device:
    """Return a device that two rows describe."""
    return Device(
        one.key,
        one.name or other.name,
        one.kind or other.kind,
        one.system,
        tuple(dict.fromkeys(one.addresses + other.addresses)),
        one.serial or other.serial,
        one.model or other.model,
        max(one.ports, other.ports),
        one.answers or other.answers,
    )


def _far_device(neighbor: Neighbor) -> Device:
    name, chassis = known(neighbor.name), mac(neighbor.chassis) or known(neighbor.chassis)
    key = chassis if chassis and (not name or name.lower() in DEFAULT_NAMES) else name or mac(neighbor.port)
    addresses = tuple(dict.fromkeys(found for found in (mac(neighbor.chassis), mac(neighbor.port)) if found))
    return Device(
        key, name, _kind(neighbor), addresses=addresses, serial=known(neighbor.serial), model=known(neighbor.model), answers=False
    )


def _kind(neighbor: Neighbor) -> str:
    enabled = {word.strip().lower() for word in neighbor.capabilities}
    if enabled & _SWITCHING:
        # A host with bridges or routes for containers claims to be a switch; its port ids are MAC addresses all the same.
        return "" if neighbor.by_mac else SWITCH
    return HOST if enabled & _STATION else ""
