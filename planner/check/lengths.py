"""Rules of lengths: every run is explained and no longer than asked."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from planner.check._places import cable_name, error
from planner.model import UNIT_UM, CablePlan, Plan, Violation


def lengths_explained(plan: Plan) -> Iterator[Violation]:
    """A run length is the sum of its parts; without slack it is at least the straight way between the two boxes."""
    cables, room = plan.cables, plan.room
    total = (
        cables.rise_mm.sum(axis=1)
        + cables.drop_mm.sum(axis=1)
        + cables.tray_mm
        + cables.slack_mm.sum(axis=1)
        + cables.override_mm
    )
    for number in np.flatnonzero(total != cables.run_mm):
        yield error(
            "lengths_explained",
            cable_name(plan, number),
            cables.run_mm[number],
            total[number],
            "mm",
            "is not the sum of its parts",
        )
    if room.end_mm is not None or not cables.cable_count:
        return
    slot = plan.placement.slot_of[cables.cabinet]
    units = np.where(cables.device < plan.topology.router_count, plan.catalog.router.units, plan.catalog.endpoint.units)
    height = (cables.unit - 1 + units / 2) * UNIT_UM / 1000
    level = np.abs(np.diff(room.slot_xy[slot].astype(float), axis=1)[:, 0]).max(axis=1)
    tray = room.node_xyz[room.slot_node[slot, _way(cables)[:, None]], 2]
    up = np.abs(tray - height).sum(axis=1)
    least = np.where(slot[:, 0] == slot[:, 1], np.abs(np.diff(height, axis=1)[:, 0]), np.hypot(level, up))
    way = cables.run_mm - cables.slack_mm.sum(axis=1) - cables.override_mm
    for number in np.flatnonzero(way < np.floor(least)):
        yield error(
            "lengths_explained", cable_name(plan, number), way[number], math.ceil(least[number]), "mm", "shorter than straight"
        )


def links_as_short_as_asked(plan: Plan) -> Iterator[Violation]:
    """No link runs farther than the study asks for."""
    limit, cables = plan.placement.longest_mm, plan.cables
    run = cables.run_mm[: plan.topology.link_count]
    if limit is None or not (over := np.flatnonzero(run > limit)).size:
        return
    worst = int(over[run[over].argmax()])
    message = f"{over.size} links are longer than asked, this one most"
    yield Violation("links_as_short_as_asked", cable_name(plan, worst), float(run[worst]), float(limit), "mm", "warning", message)


def _way(cables: CablePlan) -> np.ndarray:
    """0 for copper, 1 for fibre, (W,)."""
    return np.array([made_of.medium == "optical" for made_of in cables.assemblies], np.int64)[cables.assembly]
