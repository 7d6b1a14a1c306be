"""What later phases need in the room: slots, rack units and tray space, as equipment with the name of the phase."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from planner.domain.model import RESERVED, Plan
from planner.network.growth import Growth


def reservations(growth: Growth, phase: int, later: Sequence[Plan], taken: dict[str, Any]) -> dict[str, Any]:
    """Return the table ``[room.existing]`` of a phase with what later phases need.

    Parameters
    ----------
    phase
        Number of the phase.
    later
        Plans of later phases, the next one first.
    taken
        The table as the study has it.
    """
    last, following = later[-1], later[0]
    entries = [*(taken.get("taken") or ()), *_places(growth, phase, last, _arrivals(growth, last))]
    found = {key: value for key, value in taken.items() if value is not None} | {"taken": entries}
    # Cables of other plans count in addition to what is stated for a segment, so that a sum would count them twice.
    if not taken.get("taken_from"):
        before = last.room.existing.fill_um2(len(last.room.segments))
        areas = _trays(growth, phase, following, before)
        own = {f"segment {number + 1}": int(areas[number]) for number in np.flatnonzero(areas > -(-before // 1_000_000)).tolist()}
        found["trays_mm2"] = (taken.get("trays_mm2") or {}) | own
    return found


def _arrivals(growth: Growth, last: Plan) -> np.ndarray:
    """Return the phase in which each device of the last plan is installed, int64 (D,); nodes come with their routers."""
    routers = growth.phase_of_router
    return np.concatenate([routers, routers[growth.networks[-1].endpoint_router]])


def _places(growth: Growth, phase: int, last: Plan, arrival: np.ndarray) -> Iterator[dict[str, Any]]:
    """Yield the cabinets that later phases bring, and the rack units that they need in cabinets of this phase."""
    slot, unit = last.placement.slot, last.placement.unit.astype(np.int64)
    height = last.inventory.of_part("units")
    whole: dict[int, list[int]] = defaultdict(list)
    for device in np.flatnonzero(arrival > phase).tolist():
        whole[int(slot[device])].append(device)
    here: dict[int, list[int]] = defaultdict(list)
    for device in np.flatnonzero(arrival <= phase).tolist():
        here[int(slot[device])].append(device)
    cabinets: dict[int, list[str]] = defaultdict(list)
    for place, devices in sorted(whole.items()):
        name = last.room.slot_names[place]
        if place not in here:
            cabinets[int(arrival[devices].min())].append(name)
            continue
        # A box with nodes of several phases is there from the first of them.
        used = {n for device in here[place] for n in range(unit[device], unit[device] + height[device])}
        needs: dict[int, int] = {}
        for device in sorted(devices, key=lambda device: arrival[device], reverse=True):
            needs |= {n: int(arrival[device]) for n in range(unit[device], unit[device] + height[device]) if n > 0}
        for low, high, when in _spans({n: when for n, when in needs.items() if n not in used}):
            yield {"cabinet": name, "units": f"{low}-{high}", "name": _text(growth, when)}
    for when, names in sorted(cabinets.items()):
        yield {"cabinet": names, "name": _text(growth, when)}


def _text(growth: Growth, phase: int) -> str:
    return f"{RESERVED}{growth.names[phase]}"


def _spans(phase_of: dict[int, int]) -> Iterator[tuple[int, int, int]]:
    """Yield first and last unit and phase of each run of units of one phase."""
    units = sorted(phase_of)
    start = 0
    for place in range(1, len(units) + 1):
        if place == len(units) or units[place] != units[place - 1] + 1 or phase_of[units[place]] != phase_of[units[start]]:
            yield units[start], units[place - 1], phase_of[units[start]]
            start = place


def _trays(growth: Growth, phase: int, following: Plan, before: np.ndarray) -> np.ndarray:
    """Return the cross-section in use before and needed by later phases besides cables of this one, mm², int64 (K,).

    The plan of the next phase has its own cables and what it reserves for the phases after it. No segment is reserved beyond
    its design limit.

    Parameters
    ----------
    before
        Cross-section that others use, µm², int64 (K,).
    """
    cables, room, step = following.cables, following.room, growth.steps[phase]
    stays = np.zeros(cables.cable_count, bool)
    stays[step.kept[:, 1]] = True
    first = step.new.link_count
    stays[first : first + step.old.endpoint_count] = True
    shape = 1.0 if room.fill_shape == "square" else np.pi / 4
    area = np.array([round(shape * each.diameter_um**2) for each in cables.assemblies], np.int64)[cables.assembly]
    kept_um2 = np.zeros(len(room.segments), np.int64)
    for row in cables.first_of_piece.tolist():
        if stays[row] and not cables.carried[row]:
            kept_um2[cables.route_of(row)] += area[row]
    needed = cables.fill_um2 + room.existing.fill_um2(len(room.segments)) - kept_um2
    limit = (room.design_fill * room.segment_mm2 * 1e6).astype(np.int64) - kept_um2
    return np.maximum(np.minimum(needed, limit), before) // 1_000_000
