"""Rules of cable ends: the side by which a cable leaves, what plugs in there, and how far the other end is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check.basis.boxes import firsts, sockets
from planner.check.basis.places import cable_name, unequal, unlike
from planner.check.basis.rule import rule
from planner.domain.model import EGRESS, SIDES, Plan, Room, Violation

STAGES = ("in cabinet", "in row", "in zone", "across the room")
"""Install stages, from the cabinet outwards."""


@rule(140)
def cables_leave_by_their_side(plan: Plan) -> Iterator[Violation]:
    """A cable between cabinets leaves by the side nearer to its cage, or by the one side that its slot has for all."""
    cables, room = plan.cables, plan.room
    cages = plan.inventory.of_part("cages")[cables.device]
    rule = room.slot_egress[plan.placement.slot_of[cables.cabinet]]
    by_cage = np.where(2 * cables.cage <= cages, SIDES.index("left"), SIDES.index("right"))
    one_side = np.array([SIDES.index(name) if name in SIDES else 0 for name in EGRESS])[rule]
    side = np.where(rule == EGRESS.index("nearest"), by_cage, one_side)
    inside = cables.cabinet[:, 0] == cables.cabinet[:, 1]
    side[inside] = SIDES.index("none")
    yield from unequal("cables_leave_by_their_side", cables.egress, side, lambda n: cable_name(plan, n), "leaves by another side")


@rule(150)
def plugs_draw_their_power(plan: Plan) -> Iterator[Violation]:
    """Transceivers are bought once for each cage, on its first row; power is that of the plugs and modules on each row."""
    cables, rule = plan.cables, "plugs_draw_their_power"
    ends = [made_of.ends for made_of in cables.assemblies]
    power = np.array([[end.power_mw for end in both] for both in ends], np.int64).reshape(-1, 2)[cables.assembly]
    module = np.array([[end.part != "" for end in both] for both in ends], bool).reshape(-1, 2)[cables.assembly]
    splits = np.array([made_of.tails > 1 for made_of in cables.assemblies], bool)[cables.assembly]
    leads = firsts(cables.piece)
    here = np.where(module, firsts(sockets(plan)), np.column_stack([leads, leads | splits]))
    yield from unequal(rule, cables.modules, module & here, lambda n: cable_name(plan, n), "transceivers bought with the row")
    yield from unequal(rule, cables.power_mw, power * here, lambda n: cable_name(plan, n), "power of its plugs", "mW")


@rule(160)
def stages_by_distance(plan: Plan) -> Iterator[Violation]:
    """The install stage is the smallest of cabinet, row, hall or zone, and room that holds both ends."""
    cables, room = plan.cables, plan.room
    yield from unlike("stages_by_distance", "install stages", cables.stage_names, STAGES, "are named")
    slot = plan.placement.slot_of[cables.cabinet]
    row, part = room.slot_row[slot], _parts_of_the_floor(room)[slot]
    stage = np.full(cables.cable_count, STAGES.index("across the room"))
    stage[(part[:, 0] == part[:, 1]) & (part[:, 0] >= 0)] = STAGES.index("in zone")
    stage[row[:, 0] == row[:, 1]] = STAGES.index("in row")
    stage[cables.cabinet[:, 0] == cables.cabinet[:, 1]] = STAGES.index("in cabinet")
    yield from unequal("stages_by_distance", cables.stage, stage, lambda n: cable_name(plan, n), "is in another install stage")


def _parts_of_the_floor(room: Room) -> np.ndarray:
    """Return the first hall of each slot, or, without halls, the first zone with limits; -1 for none; int64 (S,)."""
    part = np.full(room.slot_count, -1)
    for slot, (x, y) in enumerate(room.slot_xy.tolist()):
        for number, hall in enumerate(room.halls):
            if within(x, y, hall.corners_mm):
                part[slot] = number
                break
    for number in reversed(range(len(room.zones) if not room.halls else 0)):
        part[list(room.zones[number].slots)] = number
    return part


def within(x: int, y: int, corners: tuple[tuple[int, int], ...]) -> bool:
    """Return whether a point is inside a polygon or on its edge, by the winding number; whole numbers only.

    References
    ----------
    .. [1] K. Hormann, A. Agathos, "The point in polygon problem for arbitrary polygons", Computational Geometry 20, 2001.

    Examples
    --------
    >>> square = ((0, 0), (4, 0), (4, 4), (0, 4))
    >>> [within(2, 2, square), within(4, 2, square), within(5, 2, square)]
    [True, True, False]
    """
    winding = 0
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        side = (bx - ax) * (y - ay) - (x - ax) * (by - ay)
        if side == 0 and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
            return True
        if (ay <= y) != (by <= y):
            winding += (1 if by > y else -1) if (side > 0) == (by > y) else 0
    return winding != 0
