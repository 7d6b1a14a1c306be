"""The cable schedule row by row: a plain twin of the declared columns."""

from __future__ import annotations

from itertools import groupby, pairwise

from planner.domain.model import SIDES, Plan

COLUMNS = (
    "cable", "kind", "label_a", "label_b",
    "a_cabinet", "a_unit", "a_device", "a_port", "b_cabinet", "b_unit", "b_device", "b_port",
    "part", "end_part", "end_part_b", "medium", "stock_mm", "run_mm",
    "rise_a_mm", "drop_a_mm", "tray_mm", "drop_b_mm", "rise_b_mm",
    "slack_ends_mm", "slack_loops_mm", "slack_share_mm", "slack_below_mm", "override_mm", "margin_mm", "a_side", "b_side",
    "a_jumper_mm", "b_jumper_mm", "trays", "bundle", "stage",
)  # fmt: skip


def schedule(plan: Plan) -> list[tuple]:
    """The cells of every cable, empty ones as empty text."""
    return [_row(plan, number) for number in range(plan.cables.cable_count)]


def _row(plan: Plan, number: int) -> tuple:
    cables, network = plan.cables, plan.topology
    made = cables.assemblies[cables.assembly[number]]
    is_link = number < network.link_count
    return (
        number + 1,
        network.link_class_names[network.link_class[number]] if is_link else "endpoint",
        str(cables.label_a[number]),
        str(cables.label_b[number]),
        *_end(plan, number, 0),
        *_end(plan, number, 1),
        made.length_part,
        made.end_part,
        made.end_part_b or made.end_part,
        made.medium,
        int(cables.stock_mm[number]),
        int(cables.run_mm[number]),
        int(cables.rise_mm[number, 0]),
        int(cables.drop_mm[number, 0]),
        int(cables.tray_mm[number]),
        int(cables.drop_mm[number, 1]),
        int(cables.rise_mm[number, 1]),
        *cables.slack_mm[number].tolist(),
        int(cables.slack_below_mm[number]),
        int(cables.override_mm[number]),
        int(cables.stock_mm[number] - cables.run_mm[number]),
        *(SIDES[side] for side in cables.egress[number]),
        *cables.leg_stock_mm[number].tolist(),
        _trays(plan, number),
        int(cables.bundle[number]) + 1 if cables.bundle[number] >= 0 else "",
        cables.stage_names[cables.stage[number]],
    )


def _end(plan: Plan, number: int, side: int) -> tuple:
    cables, routers, endpoints = plan.cables, plan.topology.router_count, plan.topology.endpoint_count
    device, cabinet = int(cables.device[number, side]), cables.cabinet[number, side]
    width = max(len(str(max(routers, endpoints, 1) - 1)), 3)
    name = f"R{device:0{width}d}" if device < routers else f"E{device - routers:0{width}d}"
    slot = plan.room.slot_names[plan.placement.slot_of[cabinet]]
    return slot, int(cables.unit[number, side]), name, int(cables.port[number, side])


def _trays(plan: Plan, number: int) -> str:
    cables, room = plan.cables, plan.room
    starts = list(pairwise(cables.route_indptr.tolist()))
    start, end = starts[cables.route[number]] if cables.route[number] >= 0 else (0, 0)
    trays = room.segment_tray[cables.route_segments[start:end]].tolist()
    return " > ".join(room.tray_names[tray] for tray, _ in groupby(trays))
