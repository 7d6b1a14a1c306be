"""Ports of the router part that a network uses, and smaller suitable parts."""

from __future__ import annotations

from collections.abc import Iterable

from planner.compare.entries import Entry
from planner.parts import RouterPart


def smaller(entry: Entry, chosen: RouterPart, parts: Iterable[RouterPart]) -> str:
    """Return a hint if a router part with fewer ports suffices, with an example from the catalog; "" if all ports are used.

    Parameters
    ----------
    chosen
        Router part shared by all networks.
    parts
        All router parts of the catalog; those with the same rate and connector are considered.
    """
    needed = entry.figures["ports_used"]
    if needed >= chosen.ports:
        return ""
    fits = [
        part
        for part in parts
        if needed <= part.ports < chosen.ports and (part.rate_gbps, part.connector) == (chosen.rate_gbps, chosen.connector)
    ]
    found = min(fits, key=lambda part: (part.ports, part.id), default=None)
    example = f", such as {found.id} with {found.ports}" if found else ""
    return f"uses {needed} of {chosen.ports} ports; a router part with {needed} ports suffices{example}"
