"""Interfaces of NetBox' device types as ports of a row: sockets, rates, and ports that share a cage."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

from planner.core.errors import InputError, Problem

_INFINIBAND = {
    "sdr": ("CX4", 10), "ddr": ("CX4", 20), "qdr": ("QSFP+", 40), "fdr10": ("QSFP+", 40), "fdr": ("QSFP+", 56),
    "edr": ("QSFP28", 100), "hdr": ("QSFP56", 200), "ndr": ("OSFP", 400), "xdr": ("OSFP", 800),
}  # fmt: skip
"""Usual sockets of a generation, with four lanes."""

_SOCKETS = {
    "sfp": "SFP", "sfpp": "SFP+", "qsfpp": "QSFP+", "qsfpdd": "QSFP-DD", "qsfpdd1600": "QSFP-DD1600", "sfpdd": "SFP-DD",
}  # fmt: skip
"""Sockets that the library and the catalog name differently; others are the same in capitals."""

_ONE_PORT = re.compile(r"RJ45|SFP.*|XFP|X2|XENPAK|GBIC")
"""Sockets that carry one port."""

_PER_CAGE = (2, 4, 8)
"""Ports of a cage that has several."""


def add_ports(interfaces: list[dict[str, Any]], kind: str, row: dict[str, Any], estimates: set[str], bays: int) -> str:
    """Add the ports to a row: the group with the highest bandwidth are its ports; return the interfaces that are left out.

    Raises
    ------
    InputError
        When no interface has a known socket.
    """
    groups: dict[tuple[str, int], list[str]] = {}
    unknown: dict[str, int] = {}
    for interface in interfaces:
        type_ = str(interface.get("type", ""))
        found = socket(type_)
        if interface.get("mgmt_only") is True:
            row["mgmt_connector"] = (found or ("RJ45", 1))[0]
        elif found is None:
            unknown[type_] = unknown.get(type_, 0) + 1
        else:
            groups.setdefault(found, []).append(interface["name"])
            if type_.startswith("infiniband"):
                estimates.add("connector")
    if not groups:
        if unknown:
            message = "none has a socket and a rate in whole Gb/s: " + ", ".join(f"{n} {type_}" for type_, n in unknown.items())
        else:
            message = "are missing" + (f": ports are in modules of its {bays} bays" if bays else "")
        raise InputError(Problem("interfaces", message, "give a device type with ports, such as 100gbase-x-qsfp28"))
    ports = [_group(kind, socket_, rate_gbps, names, estimates) for (socket_, rate_gbps), names in groups.items()]
    main = max(ports, key=lambda each: each["rate_gbps"] * each["count"])
    row |= {"ports" if kind == "router" else "endpoints": main["count"]}
    row |= {key: main[key] for key in ("connector", "rate_gbps")}
    if main["ports_per_cage"] > 1 and kind == "router":
        row["ports_per_cage"] = main["ports_per_cage"]
    if len(ports) > 1:
        names = {id(each): slug_of(f"{each['connector'].strip('+')}-{each['rate_gbps']}g") for each in ports} | {
            id(main): "ports"
        }
        row["port"] = [{"name": names[id(each)]} | each for each in ports]
    return ", ".join(f"{count} of type {type_ or 'unknown'}" for type_, count in unknown.items())


def _group(kind: str, connector: str, rate_gbps: int, names: list[str], estimates: set[str]) -> dict[str, Any]:
    """Return the keys of a port group."""
    cage = 1 if _ONE_PORT.fullmatch(connector) else per_cage(names)
    if cage > 1 and kind == "router":
        # As the catalog names sockets of several ports.
        connector = f"{connector}-{cage}x{rate_gbps}"
        estimates.update(("connector", "ports_per_cage"))
    return {"count": len(names), "ports_per_cage": cage, "connector": connector, "rate_gbps": rate_gbps}


def socket(type_: str) -> tuple[str, int] | None:
    """Return socket and rate in Gb/s of a type of interface; None without a socket, or for a rate that is not whole.

    >>> socket("200gbase-x-qsfp56"), socket("infiniband-hdr"), socket("1000base-t"), socket("virtual")
    (('QSFP56', 200), ('QSFP56', 200), ('RJ45', 1), None)
    >>> socket("1.6tbase-x-osfp1600"), socket("100gbase-x-dsfp"), socket("2.5gbase-t"), socket("infiniband-xdr")
    (('OSFP1600', 1600), ('DSFP', 100), None, ('OSFP', 800))
    """
    if found := re.fullmatch(r"infiniband-(\w+)", type_):
        return _INFINIBAND.get(found[1])
    found = re.fullmatch(r"(1000|[\d.]+[gt])base-(?:t|x-([\w-]+))", type_)
    if not found or (rate := _rate_gbps(found[1])) is None:
        return None
    connector = _SOCKETS.get(found[2], found[2].upper()) if found[2] else "RJ45"
    return ("QSFP-DD800" if (connector, rate) == ("QSFP-DD", 800) else connector), rate


def _rate_gbps(word: str) -> int | None:
    """Return a rate such as ``1000``, ``25g`` or ``1.6t`` in Gb/s; None if it is not whole."""
    if word == "1000":
        return 1
    try:
        rate = round(float(word[:-1]) * (1 if word[-1] == "g" else 1000), 6)
    except ValueError:
        return None
    return int(rate) if rate >= 1 and rate == int(rate) else None


def per_cage(names: list[str]) -> int:
    """Return the ports of a cage where names end with ``cage/port`` or ``cage.port`` and every cage has the same number.

    >>> per_cage(["IB1/1", "IB1/2", "IB2/1", "IB2/2", "IB3/1", "IB3/2"])
    2
    >>> per_cage(["P0.0", "P0.1", "P1.0", "P1.1", "P2.0", "P2.1"])
    2

    The first number of ``slot/port`` is no cage:

    >>> per_cage([f"{slot}/{port}" for slot in (1, 2) for port in range(24)]), per_cage(["Ethernet1/1", "Ethernet2/1"])
    (1, 1)
    """
    parts = [re.fullmatch(r"(.*\d)[/.](\d+)", name) for name in names]
    if not all(parts):
        return 1
    cages = sorted((part[1], int(part[2])) for part in parts if part)
    inside = [tuple(port for _, port in own) for _, own in groupby(cages, key=lambda one: one[0])]
    ports = len(inside[0])
    fits = len(set(inside)) == 1 and ports in _PER_CAGE and inside[0] in (tuple(range(ports)), tuple(range(1, ports + 1)))
    return ports if fits and len(inside) > ports else 1


def slug_of(name: str) -> str:
    """Return a name in lower case with hyphens between its words.

    >>> slug_of("24G 4SFP+ (J9775A)"), slug_of("24G 4SFP")
    ('24g-4sfp-plus-j9775a', '24g-4sfp')
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("+", " plus ")).strip("-")
