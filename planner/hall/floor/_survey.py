"""Summary of a room in numbers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import shapely

from planner.domain.model import UNSTATED, Room
from planner.hall.floor.distances import TrayDistances

_BLOCK = 256

_NO_LIMIT = "no limit stated"


def survey(room: Room) -> dict[str, Any]:
    """Return a summary of a room.

    The reach is the largest of the shortest tray lengths between two slots, without drops; where copper and
    fiber have trays of their own, the larger of the two.

    Examples
    --------
    >>> from planner.hall import floor
    >>> found = survey(floor.room("lab", routers=1))
    >>> found["slots"], found["power_mw"], found["rows"]
    (16, 480000000, {'A': 8, 'B': 8})
    """
    both = [TrayDistances(room, medium) for medium in ((0,) if room.shared_trays else (0, 1))]
    under = [tray for tray in range(len(room.tray_names)) if _level(room, tray) < 0]
    blocks = [np.arange(first, min(first + _BLOCK, room.slot_count)) for first in range(0, room.slot_count, _BLOCK)]
    outlines = [np.array(zone.corners_mm) for zone in room.halls] or [room.outline]
    return {
        "title": room.title,
        "area_mm2": round(sum(shapely.Polygon(corners).area for corners in outlines)),
        "halls": len(outlines),
        "slots": room.slot_count,
        "rows": dict(Counter(room.row_names[row] for row in room.slot_row.tolist())),
        "power_mw": int(room.slot_power_mw.sum()),
        "slot_power_mw": _range(room.slot_power_mw),
        "slot_load_g": _range(room.slot_load_g),
        "slot_cooling_mw": _range(np.array(room.cooling_mw)) if room.cooling_mw else None,
        "obstacles": dict(Counter(zone.kind for zone in room.obstacles)),
        "aisles": dict(Counter(zone.kind for zone in room.aisles)),
        "penetrations": len(room.penetrations),
        "trays": len(room.tray_names),
        "tray_mm": int(room.segment_mm.sum(dtype=np.int64)),
        "trays_under_floor": len(under),
        "shared_trays": room.shared_trays,
        "zones": len(room.zones),
        "reach_mm": max(int(distances.rows_mm(block).max()) for distances in both for block in blocks),
    }


def _level(room: Room, tray: int) -> int:
    """Return the highest elevation of a tray, mm; 0 without a segment of its own."""
    nodes = room.segments[room.segment_tray == tray]
    return int(room.node_xyz[nodes, 2].max()) if nodes.size else 0


def _trays(found: dict[str, Any]) -> str:
    text = f"{found['trays']}, {found['tray_mm'] / 1e3:,.1f} m"
    text += f"; {found['trays_under_floor']} under the floor" if found["trays_under_floor"] else ""
    return text if found["shared_trays"] else f"{text}; separate for copper and fiber"


def survey_text(found: dict[str, Any]) -> str:
    """Return a summary as text."""
    halls, openings = _count(found["halls"], "hall"), _count(found["penetrations"], "penetration")
    lines = {
        "floor": f"{found['area_mm2'] / 1e6:,.1f} m² in {halls}, {openings}",
        "slots": f"{found['slots']} in {_count(len(found['rows']), 'row')}: {_counts(found['rows'])}",
        "power": _power(found),
        "cooling": f"{_between(found['slot_cooling_mw'], 1e6)} kW a slot" if found["slot_cooling_mw"] else _NO_LIMIT,
        "load": _limit(found["slot_load_g"], 1e3, "kg a slot, cabinet included"),
        "obstacles": _counts(found["obstacles"]) or "none",
        "aisles": _counts(found["aisles"]) or "none",
        "trays": _trays(found),
        "reach": f"{found['reach_mm'] / 1e3:,.1f} m over the trays between the two slots farthest apart",
    }
    return "\n".join([found["title"], *(f"  {name:<10} {text}" for name, text in lines.items())])


def _power(found: dict[str, Any]) -> str:
    per_slot = _limit(found["slot_power_mw"], 1e6, "kW a slot")
    return per_slot if found["slot_power_mw"][1] >= UNSTATED else f"{found['power_mw'] / 1e6:,.0f} kW in all, {per_slot}"


def _limit(limits: tuple[int, int], unit: float, words: str) -> str:
    """Return the range of a limit; in words where the floor plan states none, or none for some slots."""
    low, high = limits
    if high < UNSTATED:
        return f"{_between(limits, unit)} {words}"
    return _NO_LIMIT if low >= UNSTATED else f"{low / unit:,.10g} {words} at least, {_NO_LIMIT} for some"


def _range(values: np.ndarray) -> tuple[int, int]:
    return int(values.min()), int(values.max())


def _between(limits: tuple[int, int], unit: float) -> str:
    low, high = (f"{limit / unit:,.10g}" for limit in limits)
    return low if low == high else f"{low} to {high}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())
