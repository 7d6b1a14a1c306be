"""SHCD worksheet of HPE Cray: both ends of every cable with rack, unit, slot and port, as CANU validates it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy as np

from planner.domain.model import Plan
from planner.formats.workbook.book import Sheet, write_book
from planner.view.ends import Cable, End, cables, meters
from planner.view.selection import WHOLE, Selection
from planner.view.xnames import racks

ENDING = ".shcd.xlsx"

TABLE = ("Source", "Rack", "Location", "Slot", None, "Port", "Destination", "Rack", "Location", None, "Port")
"""Header that CANU searches for; its corner is the cell with Source."""

LEFT = ("Cable", "Label A", "Label B", "Part", "Length m", "Stage")
"""Columns on the left of the table, which readers ignore."""


def write(
    plan: Plan,
    path: Path,
    *,
    slot: Literal["ocp", "pcie-slot1", "bmc", "mgmt", "onboard", "none"] = "pcie-slot1",
    selection: Selection = WHOLE,
) -> None:
    """Write the sheet HSN with all cables, a link to a row, and a sheet that maps cabinets to racks.

    The upper left corner of the table is G1, its right edge column Q. Endpoints are sources.

    Parameters
    ----------
    slot
        Slot of the endpoints' interfaces.
    selection
        Which cables; of several networks by default the first.

    Raises
    ------
    InputError
        When the plan has no cables, or not the part of the selection.

    References
    ----------
    .. [1] Cray-HPE/canu, canu/validate/shcd/shcd.py.
    .. [2] Cray-HPE/docs-csm, install/shcd_hmn_connections_rules.md.
    """
    found = cables(plan, selection.of_one_network(plan))
    names = racks(plan)
    sheets = [
        Sheet("HSN", (*LEFT, *(name or "" for name in TABLE)), (_row(cable, names, slot, plan) for cable in found)),
        Sheet("Racks", ("Rack", "Cabinet", "Row"), _racks(plan, names)),
    ]
    write_book(path, plan.title or plan.name, sheets)


def _row(cable: Cable, names: list[str], slot: str, plan: Plan) -> tuple:
    a, b = (cable.a, cable.b) if cable.is_link else (cable.b, cable.a)
    return (
        cable.piece, a.label, b.label, cable.assembly.length_part, float(meters(cable.stock_mm)),
        plan.cables.stage_names[cable.stage],
        a.name, names[a.number], _location(a), None if a.is_router else slot, None, _port(a),
        b.name, names[b.number], _location(b), None, _port(b),
    )  # fmt: skip


def _port(end: End) -> str:
    return f"j{end.port if end.is_router else end.group_port}"


def _location(end: End) -> str:
    return f"u{end.unit:02d}"


def _racks(plan: Plan, names: list[str]) -> Iterator[tuple]:
    room, slots = plan.room, plan.placement.slot_of
    for number in np.argsort(slots, kind="stable").tolist():
        slot = int(slots[number])
        yield names[number], room.slot_names[slot], room.row_names[room.slot_row[slot]]
