"""The rows of every sheet of the workbook; columns as `planner.workbook.columns` declares them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from planner.model import MEDIUM_CLASSES, Plan
from planner.quantities import tray_fill
from planner.report._cabinets import cabinets
from planner.report._schedule import device_names, schedule
from planner.report._sources import estimated_figures, sources
from planner.workbook.columns import SHEETS

Row = tuple[Any, ...]

_CARRIES = {1: MEDIUM_CLASSES[0], 2: MEDIUM_CLASSES[1], 3: "both"}
_PANEL = "panel in the trays"

_LARGEST = 1.79769313486231e308
"""Largest number of 15 digits."""


def tables(plan: Plan) -> dict[str, list[Row]]:
    """Return the rows of every sheet by its name, without the columns of the crew.

    Cells are as they are read back: None for empty cells other than text, numbers to 15 digits.
    """
    rows = {name: [*make(plan)] for name, make in _TABLES.items()}
    rows["plan"] = [*_about(plan, rows)]
    return {name: _plain(name, rows[name]) for name in SHEETS}


def _plain(name: str, rows: list[Row]) -> list[Row]:
    """Return cells as they are read back."""
    make = [_CELL[column.content] for column in SHEETS[name].planned]
    return [tuple(cell(value) for cell, value in zip(make, row, strict=True)) for row in rows]


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _whole(value: Any) -> int | None:
    return None if value is None or value == "" else int(value)


def _number(value: Any) -> float | str | None:
    """Return numbers to the 15 digits that spreadsheets keep; NaN and infinity as text."""
    if value is None or value == "":
        return None
    if not np.isfinite(value):
        return str(float(value))
    # The very largest numbers would be rounded up to infinity.
    return min(max(float(f"{float(value):.15g}"), -_LARGEST), _LARGEST)


def _figure(value: Any) -> float | int | str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return _number(value) if isinstance(value, float) and np.isfinite(value) else _text(value)


_CELL: dict[str, Callable] = {"text": _text, "whole": _whole, "number": _number, "figure": _figure}


def _about(plan: Plan, rows: dict[str, list[Row]]) -> Iterator[Row]:
    """Return the identification of the plan, and the number of rows of each sheet."""
    yield "name", plan.name
    yield "title", plan.title
    yield "plan", str(plan.provenance.get("plan", ""))
    yield "planner", str(plan.provenance.get("planner", ""))
    yield from ((f"rows: {name}", len(table)) for name, table in rows.items())


def _cables(plan: Plan) -> Iterable[Row]:
    return schedule(plan) if plan.cables is not None else ()


def _cabinets(plan: Plan) -> Iterator[Row]:
    if plan.placement is None:
        return
    for cabinet in cabinets(plan):
        yield (
            cabinet.name, cabinet.row, cabinet.count("router"), cabinet.count("endpoint"), cabinet.used_units, cabinet.units,
            cabinet.cables, cabinet.power_typical_mw, cabinet.power_max_mw, cabinet.power_limit_mw,
            cabinet.mass_g, cabinet.load_limit_g, cabinet.total_g, cabinet.floor_limit_g,
        )  # fmt: skip


def _routers(plan: Plan) -> Iterator[Row]:
    if plan.placement is None:
        return
    topology, placement, part = plan.topology, plan.placement, plan.catalog.router
    names, slots = device_names(plan), plan.room.slot_names
    plugs = {box.name: box.plugs for cabinet in cabinets(plan) for box in cabinet.boxes if box.kind == "router"}
    links = np.diff(topology.indptr).tolist()
    endpoints = np.bincount(topology.endpoint_router, minlength=topology.router_count).tolist()
    for router, (cabinet, unit) in enumerate(zip(placement.cabinet_of.tolist(), placement.unit_of.tolist(), strict=True)):
        used = links[router] + endpoints[router]
        yield (
            names[router], slots[placement.slot_of[cabinet]], unit, part.units, part.id, part.ports, links[router],
            endpoints[router], part.ports - used, _groups(plan, router), _address(plan, router), plugs[names[router]],
            part.power_typical_mw, part.power_max_mw, part.mass_g,
        )  # fmt: skip


def _groups(plan: Plan, router: int) -> str:
    """Return the groups of a router, innermost first."""
    levels = zip(plan.topology.group_names, plan.topology.group[router].tolist(), strict=True)
    return ", ".join(f"{name} {number}" for name, number in levels)


def _address(plan: Plan, router: int) -> str:
    """Return the coordinates of a router in its topology."""
    return " ".join(str(value) for value in plan.topology.coords[router].tolist())


def _ports(plan: Plan) -> Iterator[Row]:
    """Yield every port in use, and the free ports of routers."""
    if plan.cables is None:
        return
    cables, placement, part = plan.cables, plan.placement, plan.catalog.router
    names, routers = device_names(plan), plan.topology.router_count
    places = [plan.room.slot_names[slot] for slot in placement.slot_of.tolist()]
    device, port, cabinet, unit, cage = (
        column.tolist() for column in (cables.device, cables.port, cables.cabinet, cables.unit, cables.cage)
    )
    labels = list(zip(cables.label_a.tolist(), cables.label_b.tolist(), strict=True))
    used = {}
    for row in range(cables.cable_count):
        for near, far in ((0, 1), (1, 0)):
            used[device[row][near], port[row][near]] = (
                places[cabinet[row][near]], unit[row][near], cage[row][near], row + 1, labels[row][near],
                names[device[row][far]], port[row][far], places[cabinet[row][far]], unit[row][far],
            )  # fmt: skip
    free = {}
    for router, (cabinet, low) in enumerate(zip(placement.cabinet_of.tolist(), placement.unit_of.tolist(), strict=True)):
        for number in range(1, part.ports + 1):
            if (router, number) not in used:
                slot = (number - 1) // part.ports_per_cage + 1
                free[router, number] = (places[cabinet], low, slot, None, "", "", None, "", None)
    for (owner, number), rest in sorted((used | free).items()):
        yield names[owner], number, "router" if owner < routers else "endpoint", *rest


def _bundles(plan: Plan) -> Iterator[Row]:
    if plan.cables is None:
        return
    cables = plan.cables
    places = [*(plan.room.slot_names[slot] for slot in plan.placement.slot_of.tolist()), _PANEL]
    links = np.bincount(cables.bundle[cables.bundle >= 0], minlength=len(cables.bundle_kind)).tolist()
    columns = (
        cables.bundle_kind, cables.bundle_part, cables.bundle_cabinet, cables.bundle_capacity, cables.bundle_diameter_um,
        cables.bundle_bend_mm, cables.bundle_run_mm, cables.bundle_stock_mm,
    )  # fmt: skip
    for number, (kind, part, ends, *rest) in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        bought = cables.bundle_parts[part] if part >= 0 else ""
        yield (number + 1, cables.bundle_kinds[kind], bought, *(places[end] for end in ends), links[number], *rest)


def _trays(plan: Plan) -> Iterator[Row]:
    if plan.cables is None or plan.room is None:
        return
    room, cables = plan.room, plan.cables
    share = 100 * tray_fill(plan)
    own = np.repeat(np.bincount(cables.route[cables.route >= 0], minlength=len(cables.route_indptr) - 1),
                    np.diff(cables.route_indptr))  # fmt: skip
    through = np.bincount(cables.route_segments, weights=own, minlength=len(room.segments)).astype(int).tolist()
    for segment, (ends, tray) in enumerate(zip(room.node_xyz[room.segments].tolist(), room.segment_tray.tolist(), strict=True)):
        limited = bool(room.segment_mm2[segment])
        yield (
            segment + 1, room.tray_names[tray], room.tray_kinds[tray], _CARRIES[int(room.segment_carries[segment])],
            *ends[0], *ends[1], room.segment_mm[segment], room.segment_mm2[segment] if limited else None, through[segment],
            cables.fill_um2[segment], share[segment] if limited else None,
            share[segment] / room.design_fill if limited else None,
        )  # fmt: skip


def _bill(plan: Plan) -> Iterator[Row]:
    if plan.bill is None:
        return
    currency = plan.bill.currency
    for line in plan.bill.lines:
        yield (
            line.category, line.part, line.description, line.quantity, line.unit_cents, line.cents, currency,
            line.power_mw, line.mass_g, line.confidence, line.stock_mm or None,
        )  # fmt: skip
    # Subtotals are in the sheet of quantities: a filtered table must contain every cent once.
    yield ("total", "", "", None, None, plan.bill.cents(), currency, plan.bill.power_mw(), plan.bill.mass_g(), "", None)


def _violations(plan: Plan) -> Iterator[Row]:
    for item in plan.violations.items if plan.violations is not None else ():
        yield (item.severity, item.rule, item.where, item.value, item.limit, item.unit, item.message)


def _link_load(plan: Plan) -> Iterator[Row]:
    """Yield the load of every link at the highest steady load."""
    result = plan.simulation
    steady = np.flatnonzero(~result.saturated & (result.deadlock < 0)) if result is not None else []
    if not len(steady):
        return
    point = steady[np.argmax(result.offered[steady])]
    loads = result.link_load[point].reshape(-1, 2).tolist()
    for link, (forward, backward) in enumerate(loads):
        texts = ("", "", "")
        if plan.cables is not None:
            cables = plan.cables
            part = cables.assemblies[cables.assembly[link]].length_part
            texts = (str(cables.label_a[link]), str(cables.label_b[link]), part)
        # Single precision: seven digits.
        yield (link + 1, *texts, result.offered[point], float(f"{forward:.7g}"), float(f"{backward:.7g}"))


def _quantities(plan: Plan) -> Iterator[Row]:
    return ((name, entry["value"], entry["unit"]) for name, entry in plan.quantities.items())


def _assumptions(plan: Plan) -> Iterator[Row]:
    for row in sources(plan):
        yield (row.id, row.confidence, estimated_figures(row), row.source, row.date, row.note)


_TABLES = {
    "cables": _cables,
    "cabinets": _cabinets,
    "routers": _routers,
    "ports": _ports,
    "bundles": _bundles,
    "trays": _trays,
    "bill": _bill,
    "violations": _violations,
    "link load": _link_load,
    "quantities": _quantities,
    "assumptions": _assumptions,
}
