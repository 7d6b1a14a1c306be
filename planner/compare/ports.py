"""How many ports of the router part a network uses, and which smaller part would do."""

from __future__ import annotations

from collections.abc import Iterable

from planner.compare.entries import Entry
from planner.parts import RouterPart


def smaller(entry: Entry, chosen: RouterPart, parts: Iterable[RouterPart]) -> str:
    """Return that a router part with fewer ports would do, and which of the catalog; empty where all ports are used.

    Parameters
    ----------
    chosen
        The router part that all networks share.
    parts
        All router parts of the catalog. One of the same rate and connector serves in its place.
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
    example = f", {found.id} with {found.ports} for one" if found else ""
    return f"uses {needed} of {chosen.ports} ports; a router part with {needed} would do{example}"
