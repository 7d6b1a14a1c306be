"""The cable schedule as a table: the columns common to all formats."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise

import numpy as np

from planner.model import SIDES, Plan

COLUMNS = (
    "cable", "kind", "label_a", "label_b",
    "a_cabinet", "a_unit", "a_device", "a_port", "b_cabinet", "b_unit", "b_device", "b_port",
    "part", "end_part", "end_part_b", "medium", "stock_mm", "run_mm",
    "rise_a_mm", "drop_a_mm", "tray_mm", "drop_b_mm", "rise_b_mm",
    "slack_ends_mm", "slack_loops_mm", "slack_share_mm", "override_mm", "margin_mm", "a_side", "b_side",
    "a_jumper_mm", "b_jumper_mm", "trays", "bundle", "stage",
)  # fmt: skip
"""`kind` is the link's class or ``endpoint``; `trays` names the trays on the route, first end first; `margin_mm` is the
stock length minus the run. `a_jumper_mm` and `b_jumper_mm` are lengths of the jumpers to patch panels, 0 without.
`end_part` and `end_part_b` are the modules of the first and the second end, empty where they are part of the cable."""


def schedule(plan: Plan) -> Iterator[tuple]:
    """Yield one row per cable with the values of `COLUMNS`."""
    cables, topology = plan.cables, plan.topology
    names = device_names(plan)
    cabinet = np.array(plan.room.slot_names)[plan.placement.slot_of]
    trays = [" > ".join(numbers) for numbers in tray_names(plan)]
    for number in range(cables.cable_count):
        assembly = cables.assemblies[cables.assembly[number]]
        is_link = number < topology.link_count
        a, b = cables.device[number]
        ends = [
            (cabinet[cables.cabinet[number, side]], int(cables.unit[number, side]), names[device], int(cables.port[number, side]))
            for side, device in enumerate((a, b))
        ]
        yield (
            number + 1,
            topology.link_class_names[topology.link_class[number]] if is_link else "endpoint",
            str(cables.label_a[number]),
            str(cables.label_b[number]),
            *ends[0],
            *ends[1],
            assembly.length_part,
            assembly.end_part,
            assembly.end_part_b or assembly.end_part,
            assembly.medium,
            int(cables.stock_mm[number]),
            int(cables.run_mm[number]),
            int(cables.rise_mm[number, 0]),
            int(cables.drop_mm[number, 0]),
            int(cables.tray_mm[number]),
            int(cables.drop_mm[number, 1]),
            int(cables.rise_mm[number, 1]),
            *cables.slack_mm[number].tolist(),
            int(cables.override_mm[number]),
            int(cables.stock_mm[number] - cables.run_mm[number]),
            *(SIDES[side] for side in cables.egress[number]),
            *cables.leg_stock_mm[number].tolist(),
            trays[cables.route[number]] if cables.route[number] >= 0 else "",
            int(cables.bundle[number]) + 1 if cables.bundle[number] >= 0 else "",
            cables.stage_names[cables.stage[number]],
        )


def device_names(plan: Plan) -> list[str]:
    """Return the names of all devices: R0001 … for routers, E0001 … for endpoints, numbered from 0 like the topology."""
    routers, endpoints = plan.topology.router_count, plan.topology.endpoint_count
    width = max(len(str(max(routers, endpoints, 1) - 1)), 3)
    return [f"R{n:0{width}d}" for n in range(routers)] + [f"E{n:0{width}d}" for n in range(endpoints)]


def tray_names(plan: Plan) -> list[list[str]]:
    """Return the names of the trays along each route, first end first, without repeats."""
    cables, room = plan.cables, plan.room
    found = []
    for start, end in pairwise(cables.route_indptr.tolist()):
        numbers = room.segment_tray[cables.route_segments[start:end]].tolist()
        found.append([room.tray_names[number] for number, _ in groupby(numbers)])
    return found
