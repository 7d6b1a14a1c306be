"""Outputs that no reader reads, since a better form of them exists: what they are, and what to run instead."""

from __future__ import annotations

import re
from typing import NamedTuple


class _Unread(NamedTuple):
    """Marks of an output that must all be in it, what it is, and what to run instead."""

    marks: tuple[str, ...]
    what: str
    remedy: str


_EOS = "run: show lldp neighbors detail | json"
_NXOS = "run: show lldp neighbors detail | json (NX-OS; of IOS, write a table of links)"
_JUNOS = "run: show lldp neighbors | display json"
_CX = "collect /rest/v10.04/system/interfaces/*/lldp_neighbors?depth=2 of its REST interface"
_LLDPD = "run: lldpcli -f json0 show neighbors details (of SONiC: sonic-db-dump -n APPL_DB -k 'LLDP_*' -y)"
_TABLE = "write the links as CSV with the columns device1, port1, device2, port2"

_KNOWN = (
    _Unread(
        (r"^Port[ \t]+Neighbor Device ID[ \t]+Neighbor Port ID[ \t]+TTL",), "text of show lldp neighbors of Arista EOS", _EOS
    ),
    _Unread((r"^Interface \S+ detected \d+ LLDP neighbors",), "text of show lldp neighbors detail of Arista EOS", _EOS),
    _Unread(
        (r"^Device[ -]ID[ \t]+Local Intf\S*[ \t]+Hold-?time[ \t]+Capability[ \t]+Port ID",),
        "text of show lldp neighbors of Cisco",
        _NXOS,
    ),
    _Unread((r"^Chassis id:", r"^Local (?:Port id|Intf):"), "text of show lldp neighbors detail of Cisco", _NXOS),
    _Unread(
        (r"^Local Interface[ \t]+Parent Interface[ \t]+Chassis Id[ \t]+Port info",),
        "text of show lldp neighbors of Junos",
        _JUNOS,
    ),
    _Unread(
        (r"^LLDP Neighbor Information", r"^Local Interface[ \t]*:"), "text of show lldp neighbors interface of Junos", _JUNOS
    ),
    _Unread((r"^LOCAL-PORT[ \t]+CHASSIS-ID[ \t]+PORT-ID",), "text of show lldp neighbor-info of Aruba CX", _CX),
    _Unread((r"^Port[ \t]+: \S+", r"^Neighbor Chassis-Name[ \t]*:"), "text of show lldp neighbor-info detail of Aruba CX", _CX),
    _Unread((r"^[ \t]*LocalPort[ \t]+\|?[ \t]*ChassisId[ \t]+PortId",), "text of show lldp info remote-device of Aruba", _TABLE),
    _Unread((r"^LLDP neighbors:", r"^[ \t]*Interface:[ \t]+\S+, via:"), "text of lldpcli or show lldp neighbors", _LLDPD),
    _Unread(
        (r"^LocalPort[ \t]+Speed[ \t]+Mode[ \t]+RemoteHost[ \t]+RemotePort",), "text of net show lldp of Cumulus Linux", _LLDPD
    ),
    _Unread(
        (r"^[ \t]*Interface[ \t]+Speed[ \t]+Type[ \t]+Remote Host[ \t]+Remote Port",),
        "text of nv show interface of NVIDIA NVUE",
        _LLDPD,
    ),
    _Unread((r"^Loc PortID[ \t]+Rem Host Name[ \t]+Rem Port Id",), "text of show lldp neighbors of Dell OS10", _TABLE),
    _Unread((r"^(?:Switch|CA|Router): .*:$", r"\[..\] ==\("), "text of iblinkinfo without --line", "run: iblinkinfo --line"),
)


def instead(text: str) -> tuple[str, str] | None:
    """Return what a text is, and what to run instead; None where it is unknown.

    >>> instead("Port  Neighbor Device ID  Neighbor Port ID  TTL")
    ('text of show lldp neighbors of Arista EOS', 'run: show lldp neighbors detail | json')
    """
    for unread in _KNOWN:
        if all(re.search(mark, text, re.MULTILINE | re.IGNORECASE) for mark in unread.marks):
            return unread.what, unread.remedy
    return None
