"""NetBox' types of interfaces and cables."""

from __future__ import annotations

import numpy as np

from planner.domain.model import Inventory
from planner.domain.parts import Assembly, EndpointPart, PortGroup, RouterPart

_INFINIBAND = ("SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR", "XDR")
_ETHERNET = {
    "RJ45": "1000base-t", "SFP": "1000base-x-sfp", "SFP+": "10gbase-x-sfpp", "SFP28": "25gbase-x-sfp28",
    "QSFP+": "40gbase-x-qsfpp", "QSFP28": "100gbase-x-qsfp28", "QSFP56": "200gbase-x-qsfp56",
    "QSFP112": "400gbase-x-qsfp112", "QSFP-DD": "400gbase-x-qsfpdd", "QSFP-DD-2x200": "200gbase-x-qsfpdd",
    "QSFP-DD800": "800gbase-x-qsfpdd", "OSFP-RHS": "400gbase-x-osfp-rhs", "OSFP-2x400": "400gbase-x-osfp",
    "OSFP-2x800": "800gbase-x-osfp",
}  # fmt: skip
_ETHERNET_ONLY = ("RJ45", "SFP", "SFP+", "SFP28")
"""Connectors of management ports and of Ethernet alone, on InfiniBand switches too."""
_OSFP = {400: "400gbase-x-osfp", 800: "800gbase-x-osfp"}


def families(inventory: Inventory) -> dict[tuple[int, int], str]:
    """Return the family of the routers that each port group of each part belongs to or is attached to."""
    families = [getattr(part, "family", "") for part in inventory.parts]
    found = {
        (number, group): families[number]
        for number, part in enumerate(inventory.parts)
        if isinstance(part, RouterPart)
        for group in range(len(part.groups))
    }
    router, far = inventory.part[inventory.ends].T
    for near, part, group in np.unique(np.column_stack([router, far, inventory.port_group[:, 1]]), axis=0).tolist():
        found[part, group] = families[near]
    return found


def interface_type(port: RouterPart | EndpointPart | PortGroup, family: str) -> str:
    """Return NetBox' type of a port: by generation where the family of the routers is InfiniBand, otherwise by cage and rate."""
    generation = next((word for word in _INFINIBAND if word in family.split()), None)
    if generation is not None and port.connector not in _ETHERNET_ONLY:
        return f"infiniband-{generation.lower()}"
    if port.connector == "OSFP":
        return _OSFP.get(port.rate_gbps, "other")
    if port.connector == "RJ45" and port.rate_gbps > 1:
        return f"{port.rate_gbps}gbase-t"
    return _ETHERNET.get(port.connector, "other")


def cable_type(assembly: Assembly) -> str:
    """Return NetBox' type of a cable; "" where it has none."""
    if assembly.connector_a == "RJ45":
        return ""  # its category is not known
    if assembly.medium != "optical":
        return "dac-passive" if assembly.medium == "copper" else "dac-active"
    if not assembly.glass:
        return "aoc"
    return {"om3": "mmf-om3", "om4": "mmf-om4", "os2": "smf-os2"}.get(assembly.glass, "")
