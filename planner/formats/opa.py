"""Topology spreadsheet of Omni-Path FastFabric as CSV: one row per link, to be verified in the live fabric."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from planner.domain.model import Plan
from planner.view.ends import Cable, End, cables, meters, plain
from planner.view.selection import WHOLE, Selection

ENDING = ".opa.csv"

HEADER = (
    ("Source", *[""] * 5, "Destination", *[""] * 5, "Cable", "", ""),
    (*("Rack Group", "Rack", "Name", "Name-2", "Port", "Type") * 2, "Label", "Length", "Details"),
)

_NAME = "A-Za-z0-9_-"
"""Racks become folders, and names arguments of a shell script."""

_TEXT = r"A-Za-z0-9_ .:/+()=#@*-"
"""Free text: no comma, semicolon, backslash, quote or XML markup."""

_FIRST = "A-Za-z0-9_"
"""First characters of a cell that spreadsheets do not take for a formula; FastFabric has no mark for text."""

_LABEL, _PART = 57, 36
"""FastFabric keeps 57 characters of a label and 64 of the details, which begin with the part."""


def write(
    plan: Plan,
    path: Path,
    *,
    selection: Selection = WHOLE,
) -> None:
    """Write ``topology.csv`` as ``opaxlattopology`` translates it; ASCII.

    A link is a row, so that a twin-port or splitter cable takes several with the same length and part. Hosts are sources.
    Characters that the format does not allow are replaced; different names stay different.

    Parameters
    ----------
    selection
        Which cables; of several networks by default the first.

    Raises
    ------
    InputError
        When the plan has no cables, or not the part of the selection.

    References
    ----------
    .. [1] cornelisnetworks/opa-ff, IbaTools/opaxlattopology (script and README).
    """
    found = cables(plan, selection.of_one_network(plan))
    room = plan.room
    racks, groups = plain(room.slot_names, _NAME, first=_FIRST), plain(room.row_names, _NAME, first=_FIRST)
    parts = plain((assembly.length_part for assembly in plan.cables.assemblies), _TEXT, _PART, _FIRST)
    labels = plain([*plan.cables.label_a.tolist(), *plan.cables.label_b.tolist()], _TEXT, _LABEL, _FIRST)
    with path.open("w", encoding="ascii", newline="") as file:
        file.writelines(",".join(line) + "\n" for line in HEADER)
        for cable in found:
            file.write(",".join(_row(cable, racks, groups, labels, parts)) + "\n")


def _row(
    cable: Cable, racks: dict[str, str], groups: dict[str, str], labels: dict[str, str], parts: dict[str, str]
) -> Iterator[str]:
    source, target = (cable.a, cable.b) if cable.is_link else (cable.b, cable.a)
    for end in (source, target):
        yield from (groups[end.row], racks[end.cabinet], end.name, "", _port(end), "SW" if end.is_router else "FI")
    yield labels[source.label]
    yield f"{meters(cable.stock_mm)}m"
    yield f"{parts[cable.assembly.length_part]} run {meters(cable.run_mm)}m cable {cable.piece}"


def _port(end: End) -> str:
    """Return the port; empty for hosts, which are identified by their name and use the first port of their adapter."""
    return str(end.port) if end.is_router else ""
