"""Panels: the place of every enclosure, cassette and box, and the sockets of every trunk and jumper."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.design.cabling.panels._boxes import in_boxes
from planner.design.cabling.panels._carried import Carried, Fitted
from planner.design.cabling.panels._enclosures import in_enclosures
from planner.design.cabling.panels._fan_outs import in_fan_outs
from planner.design.cabling.panels._jumpers import rank_within
from planner.domain.model import CablePlan, Catalog, PanelPlan, Placement, Room

_BY_KIND = {"trunk": in_enclosures, "multicore": in_fan_outs, "shuffle": in_boxes}

_MARKS = ("PP", "SB", "FO")
"""First letters of the names of panels by kind: patch panel, shuffle box, fan-out."""


def panels(
    catalog: Catalog, room: Room, placement: Placement, cables: CablePlan, bundling: str, parameters: dict[str, Any]
) -> PanelPlan:
    """Return the panels of a cable plan: what is mounted where, and what is plugged into it.

    Parameters
    ----------
    bundling, parameters
        Kind of bundling of the study; those that a plug-in defines have no panels.

    Notes
    -----
    Rows of a trunk are plugged in by the box at the trunk's first end, so that neighboring ports belong together; panels are
    filled from the bottom, trunk after trunk.
    """
    rows = np.flatnonzero(cables.carried) if bundling in _BY_KIND else np.zeros(0, np.int64)
    if not len(rows):
        return PanelPlan.none()
    connectors = {trunk.id: trunk.connectors for trunk in catalog.bundling_parts.trunks}
    level: Any = "cabinet" if bundling == "multicore" else parameters.get("level", "row")
    carried = Carried.of(room, placement, cables, connectors, rows, level)
    return _recorded(room, placement, cables, carried, _BY_KIND[bundling](catalog.bundling_parts, cables, carried, parameters))


def _recorded(room: Room, placement: Placement, cables: CablePlan, carried: Carried, fitted: Fitted) -> PanelPlan:
    areas, frame = np.unique(fitted.area, return_inverse=True)
    slot = carried.center[areas]
    names = np.array([room.slot_names[one] for one in slot.tolist()])
    of_area = np.full(len(carried.center), -1, np.int64)
    of_area[areas] = np.arange(len(areas))
    cabinet = np.full(room.slot_count, -1, np.int64)
    cabinet[placement.slot_of] = np.arange(placement.cabinet_count)
    ends = of_area[carried.trunk_area]
    digits = 3 if _MARKS[fitted.kind] == "FO" else 2
    own = [f"{_MARKS[fitted.kind]}-{names[area]}-{n + 1:0{digits}}" for area, n in zip(frame, fitted.place, strict=True)]
    return PanelPlan(
        frame_slot=slot,
        frame_cabinet=cabinet[slot] if carried.at_cabinets else np.full(len(slot), -1),
        frame_names=np.array([f"PF-{name}" for name in names.tolist()], np.str_),
        names=np.array(own, np.str_),
        kind=np.full(len(own), fitted.kind),
        part=fitted.part,
        frame=frame.ravel(),
        unit=1 + fitted.place * fitted.units,
        parts=fitted.parts,
        cassette_panel=fitted.cassette_panel,
        cassette_bay=fitted.cassette_bay,
        cassette_part=fitted.cassette_part,
        trunk_bundle=carried.trunk_bundle,
        trunk_names=_trunk_names(names, ends),
        trunk_frame=ends,
        trunk_route=cables.carrier_route[: len(ends)],
        plug_trunk=carried.plug_trunk,
        plug_number=carried.plug_number,
        plug_panel=fitted.plug_panel,
        plug_cassette=fitted.plug_cassette,
        plug_socket=fitted.plug_socket,
        jumper_panel=fitted.jumper_panel,
        jumper_cassette=fitted.jumper_cassette,
        jumper_port=fitted.jumper_port,
        jumper_part=fitted.jumper_part,
        jumper_parts=fitted.jumper_parts,
        jumper_run_mm=fitted.jumper_run_mm,
        jumper_stock_mm=fitted.jumper_stock_mm,
        jumper_route=fitted.jumper_route,
        row=carried.rows,
        turned=carried.turned,
        jumper=fitted.jumper,
        pair=fitted.pair,
        plug=carried.plug,
        fiber=fitted.fiber,
        polarity=cables.polarity,
    )


def _trunk_names(names: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return a name for each trunk: both slots, and a number among the trunks between them, str (T,)."""
    number = rank_within(*ends.T)
    both = names[ends].tolist()
    return np.array([f"TR-{a}-{b}-{n + 1:02}" for (a, b), n in zip(both, number.tolist(), strict=True)], np.str_)
