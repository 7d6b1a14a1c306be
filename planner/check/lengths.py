"""Rules of lengths: every run is the sum of its components, and within the required limit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from planner.check.basis.places import cable_name, error
from planner.check.basis.rule import rule
from planner.core import delimited
from planner.domain.model import EGRESS, UNIT_UM, Plan, Violation


@rule(170)
def lengths_explained(plan: Plan) -> Iterator[Violation]:
    """Rise, drop, slack and override follow from room, cabinet and study; the run length is their sum and the tray length."""
    cables, rule = plan.cables, "lengths_explained"
    if not cables.cable_count:
        return
    rise, drop = ends_mm(plan)
    route = cables.rise_mm.sum(axis=1) + cables.drop_mm.sum(axis=1) + cables.tray_mm
    try:
        slack, below, above, by_hand = _slack_used(plan, route)
    except OSError as fault:
        yield error(rule, "overrides", 0, 0, "", f"the file of overrides cannot be read: {fault.strerror}")
        return
    sum_mm = route + slack.sum(axis=1)
    wanted = {"rise": (cables.rise_mm, rise), "drop": (cables.drop_mm, drop), "slack": (cables.slack_mm, slack)}
    for what, (found, right) in wanted.items():
        for number in np.flatnonzero((found != right).any(axis=1)):
            have, need = found[number].sum(), right[number].sum()
            yield error(rule, cable_name(plan, number), have, need, "mm", f"{what} is {found[number]}, not {right[number]}")
    for what, found, right in (
        ("below nominal", cables.slack_below_mm, below),
        ("above its minimum", cables.slack_above_mm, above),
    ):
        for number in np.flatnonzero(found != right):
            yield error(rule, cable_name(plan, number), found[number], right[number], "mm", f"is not how much slack is {what}")
    for number in np.flatnonzero(cables.override_mm != by_hand):
        have, need = cables.override_mm[number], by_hand[number]
        yield error(rule, cable_name(plan, number), have, need, "mm", "is not what the study sets by hand")
    total = sum_mm + cables.override_mm
    for number in np.flatnonzero(total != cables.run_mm):
        yield error(rule, cable_name(plan, number), cables.run_mm[number], total[number], "mm", "is not the sum of its parts")


@rule(400)
def links_as_short_as_required(plan: Plan) -> Iterator[Violation]:
    """No link is longer than the study requires."""
    limit, cables = plan.placement.longest_mm, plan.cables
    run = cables.run_mm
    if limit is None or not (over := np.flatnonzero(plan.inventory.is_link & (run > limit))).size:
        return
    worst = int(over[run[over].argmax()])
    message = f"{over.size} links are longer than required, this one by the largest amount"
    yield Violation(
        "links_as_short_as_required", cable_name(plan, worst), float(run[worst]), float(limit), "mm", "warning", message
    )


def ends_mm(plan: Plan) -> tuple[np.ndarray, np.ndarray]:
    """Return rise and drop at both ends of every cable as the geometry gives them, int64 (W, 2): from heights above the floor."""
    room, cabinet, cables = plan.room, plan.catalog.cabinet, plan.cables
    slot = plan.placement.slot_of[cables.cabinet]
    rear = plan.inventory.of_part("port_side")[cables.device] == "rear"
    units = plan.inventory.of_part("units")[cables.device]
    inside = slot[:, 0] == slot[:, 1]
    # Heights of the middles of the boxes above the lower edge of unit 1, in µm.
    middle = (2 * (cables.unit.astype(np.int64) - 1) + units) * UNIT_UM // 2
    if room.in_cabinet_mm is None:
        within = cabinet.width_mm + _up(np.abs(middle[:, 0] - middle[:, 1]))
        within += np.where(rear[:, 0] != rear[:, 1], cabinet.depth_mm, 0)
    else:
        within = np.full(len(slot), room.in_cabinet_mm)
    if room.end_mm is None:
        node = room.node_xyz[room.slot_node[slot, _medium_class(plan)[:, None]]].astype(np.int64)
        rise = _rises(plan, slot, middle, under=node[..., 2] < 0)
        drop = _drops(plan, slot, node, rear)
    else:
        rise, drop = np.zeros(slot.shape, np.int64), np.full(slot.shape, room.end_mm)
    rise = np.where(inside[:, None], np.column_stack([within, np.zeros(len(slot), np.int64)]), rise)
    return rise, np.where(inside[:, None], 0, drop)


def _rises(plan: Plan, slot: np.ndarray, middle_um: np.ndarray, under: np.ndarray) -> np.ndarray:
    """Return the length from the port to the side of the cabinet, and along it to the outer top or the floor; int64 (W, 2)."""
    cabinet = plan.catalog.cabinet
    frame = max(0, 1000 * cabinet.height_mm - cabinet.units * UNIT_UM)
    below, above = (frame, frame) if cabinet.base_mm is None else (1000 * cabinet.base_mm, frame - 1000 * cabinet.base_mm)
    vertical = np.where(under, below + middle_um, above + cabinet.units * UNIT_UM - middle_um)
    all_one_side = plan.room.slot_egress[slot] != EGRESS.index("nearest")
    return np.where(all_one_side, cabinet.width_mm, cabinet.width_mm // 2) + _up(vertical)


def _drops(plan: Plan, slot: np.ndarray, node: np.ndarray, rear: np.ndarray) -> np.ndarray:
    """Return the length from the outer top or the floor, over the port plane, to the tray node, along all axes; int64 (W, 2)."""
    room, cabinet = plan.room, plan.catalog.cabinet
    angle = np.radians(room.slot_facing[slot])
    front = np.rint(np.stack([np.cos(angle), np.sin(angle)], axis=-1)).astype(np.int64)
    to_face = np.where(rear, -1, 1)[..., None] * front * -(-cabinet.depth_mm // 2)
    level = np.abs(node[..., :2] - (room.slot_xy[slot] + to_face)).sum(axis=-1)
    return level + np.where(node[..., 2] < 0, -node[..., 2], node[..., 2] - cabinet.height_mm)


def _slack_used(plan: Plan, route_mm: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return slack, by how much it is below nominal and above its minimum, and corrections by hand; int64 (W, 3) and (W,).

    A cable has its nominal slack, or as much as the length bought, and the limit of links, leave: first at the ends.
    Carried cables, and those that the study corrects by hand, have it in full.
    """
    cables, limit = plan.cables, plan.placement.longest_mm
    nominal = slack_mm(plan, route_mm, nominal=True)
    by_hand, named = _by_hand(plan, route_mm + nominal.sum(axis=1))
    full = cables.carried | named
    minimum = np.where(named[:, None], nominal, slack_mm(plan, route_mm))
    reach = cables.stock_mm.astype(np.int64)
    reach = np.where(plan.inventory.is_link, np.minimum(reach, limit), reach) if limit is not None else reach
    left = np.where(full, nominal.sum(axis=1), reach - route_mm)
    total = np.clip(left, minimum.sum(axis=1), nominal.sum(axis=1))
    loops = np.clip(total - nominal[:, 0] - nominal[:, 2], minimum[:, 1], nominal[:, 1])
    used = np.column_stack([total - loops - nominal[:, 2], loops, nominal[:, 2]])
    return used, nominal.sum(axis=1) - total, total - minimum.sum(axis=1), by_hand


def slack_mm(plan: Plan, route_mm: np.ndarray, *, nominal: bool = False) -> np.ndarray:
    """Return slack at the ends, service loops, and by length, int64 (W, 3): the minimum; none where the room fixes lengths."""
    slack, room, cables = plan.study["cabling"]["slack"], plan.room, plan.cables
    between = cables.cabinet[:, 0] != cables.cabinet[:, 1]
    fixed = np.where(between, room.end_mm is not None, room.in_cabinet_mm is not None)
    share = np.ceil(route_mm * slack["percent"] / 100).astype(np.int64)
    end, loop = (
        slack[f"{key}_mm"] if nominal or slack.get(f"{key}_min_mm") is None else slack[f"{key}_min_mm"] for key in ("end", "loop")
    )
    parts = np.column_stack([np.full(len(route_mm), 2 * end), np.where(between, 2 * loop, 0), share])
    return np.where(fixed[:, None], 0, parts)


def _by_hand(plan: Plan, sum_mm: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the correction of each run by the study's overrides, int64 (W,), and which runs they set or correct, bool (W,).

    Lines for a class come first, then those for a pair of cabinets, then those for one cable; later lines replace earlier ones.
    """
    found, named = np.zeros(len(sum_mm), np.int64), np.zeros(len(sum_mm), bool)
    path = plan.study["cabling"].get("overrides")
    if not path:
        return found, named
    names = np.array(plan.room.slot_names)[plan.placement.slot_of[plan.cables.cabinet]]
    kinds = np.array(plan.inventory.kind_names)[plan.inventory.kind]
    rows = [row for _, row in delimited.read(Path(path)).records()]
    for level in ("class", "a_cabinet", "cable"):
        for row in (row for row in rows if row.get(level)):
            if level == "cable":
                mine = np.arange(len(sum_mm)) == int(row["cable"]) - 1
            elif level == "class":
                mine = kinds == row["class"]
            else:
                mine = (np.sort(names, axis=1) == sorted((row["a_cabinet"], row["b_cabinet"]))).all(axis=1)
            found[mine] = int(row["run_mm"]) - sum_mm[mine] if row.get("run_mm") else int(row["add_mm"])
            named[mine] = bool(row.get("run_mm")) or int(row["add_mm"]) != 0
    return found, named


def _up(length_um: np.ndarray) -> np.ndarray:
    """Return whole millimeters, rounded up."""
    return -(-length_um // 1000)


def _medium_class(plan: Plan) -> np.ndarray:
    """Return the medium class of each row, (W,)."""
    cables = plan.cables
    return np.array([made_of.medium == "optical" for made_of in cables.assemblies], np.int64)[cables.assembly]
