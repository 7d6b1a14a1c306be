"""The floor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.core.record import Record, array, value
from planner.domain.model.existing import Existing
from planner.domain.parts import Row

MEDIUM_CLASSES = ("copper", "fiber")
"""Medium classes: kinds of cable that may have trays of their own."""

EGRESS = ("nearest", "left", "right")
"""Side by which cables leave a cabinet: that nearer to their port, or one side for all."""


@dataclass(frozen=True)
class Zone:
    """A named area of the floor: an obstacle, which must stay free of cabinets, or an aisle."""

    name: str
    kind: str
    corners_mm: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class ZoneLimit:
    """Limits of the sum over all cabinets of an area of the floor; None without a limit."""

    name: str
    slots: tuple[int, ...]
    power_mw: int | None
    cooling_mw: int | None
    load_g: int | None


UNSTATED = 1_000_000_000
"""Limit of power (mW) and floor load (g) of slots for which a floor plan states none: 1,000 kW and 1,000,000 kg."""


def stated(limit: int) -> int:
    """Return a limit of a slot; 0 if the floor plan states none."""
    return 0 if limit >= UNSTATED else limit


@dataclass(frozen=True, eq=False)
class Room(Record, name="room", needs=("topology",)):
    """A floor: slots for cabinets and the trays above them."""

    name: str = value("file name of the room")
    title: str = value("title of the room in reports")
    tile_mm: int = value("pitch of the floor grid", "mm")
    outline: np.ndarray = array("int32", "O,2", "corners of the outline, counterclockwise", "mm")
    obstacles: tuple[Zone, ...] = value("columns, cooling units, keep-outs, doors")
    aisles: tuple[Zone, ...] = value("cold, hot and mixed aisles between rows")
    slot_names: tuple[str, ...] = value("name of each slot: row name and number")
    slot_xy: np.ndarray = array("int32", "S,2", "center of each slot", "mm")
    slot_size: np.ndarray = array("int32", "S,2", "size of each slot along x and y", "mm")
    slot_row: np.ndarray = array("int32", "S", "row of each slot, index into row_names")
    slot_facing: np.ndarray = array("int32", "S", "direction of the fronts, counterclockwise from +x", "degrees")
    slot_power_mw: np.ndarray = array("int64", "S", "power limit of each slot: the smaller of supply and cooling", "mW")
    slot_load_g: np.ndarray = array("int64", "S", "floor load limit of each slot, cabinet included", "g")
    slot_node: np.ndarray = array("int32", "S,2", "tray node that serves each slot, for copper and for fiber")
    slot_egress: np.ndarray = array("uint8", "S", "side by which cables leave each slot's cabinet, index into EGRESS")
    row_names: tuple[str, ...] = value("names of the rows")
    node_xyz: np.ndarray = array("int32", "T,3", "position of each tray node", "mm")
    segments: np.ndarray = array("int32", "K,2", "tray nodes at both ends of each segment")
    segment_mm: np.ndarray = array("int32", "K", "length of each segment", "mm")
    segment_mm2: np.ndarray = array("int64", "K", "cross-section of each segment; 0 for no limit", "mm²")
    segment_tray: np.ndarray = array("int32", "K", "tray of each segment, index into tray_names")
    segment_carries: np.ndarray = array("uint8", "K", "medium classes of each segment: 1 copper, 2 fiber, 3 both")
    tray_names: tuple[str, ...] = value("names of the trays, then of the risers")
    tray_kinds: tuple[str, ...] = value("ladder, basket, trough or riser")
    tray_bend_mm: tuple[int, ...] = value("radius of each tray's corners and joints; 0 if not stated", "mm")
    design_fill: float = value("design limit of the share of a tray's cross-section that cables take")
    max_fill: float = value("hard limit of that share")
    in_cabinet_mm: int | None = value("run length of every cable inside a cabinet, where the room fixes it", "mm", default=None)
    end_mm: int | None = value("length from port to tray node at each end, where the room fixes it", "mm", default=None)
    cabinet_routers: int | None = value("maximum number of routers in a cabinet, where the room fixes it", default=None)
    sources: tuple[Row, ...] = value("sources of the room's figures", default=())
    cooling_mw: tuple[int, ...] = value("cooling limit of each slot; empty if not stated", "mW", default=())
    halls: tuple[Zone, ...] = value("outlines of the halls, where there are several", default=())
    penetrations: tuple[Zone, ...] = value("openings for cables in the walls between halls", default=())
    zones: tuple[ZoneLimit, ...] = value("areas of the floor with limits for the sum of their slots", default=())
    fill_shape: str = value("cross-section counted per cable: its circle (round) or the square around it", default="round")
    existing: Existing = value("what is there already, and the reserve for growth", default=Existing())

    @property
    def shared_trays(self) -> bool:
        """Whether all trays carry both medium classes."""
        return bool((self.segment_carries == 3).all() and (self.slot_node[:, 0] == self.slot_node[:, 1]).all())

    @property
    def slot_count(self) -> int:
        return len(self.slot_names)

    @property
    def free(self) -> np.ndarray:
        """Whether each slot is free of cabinets of others, bool (S,)."""
        return ~np.isin(np.arange(self.slot_count), self.existing.taken)

    @property
    def power_left_mw(self) -> np.ndarray:
        """Power of each slot that is left for the plan, int64 (S,); -1 in slots that are taken, which carry nothing."""
        left = np.maximum(self.slot_power_mw - self.existing.in_slots("power_mw", self.slot_count), 0)
        return np.where(self.free, left, -1)

    @property
    def load_left_g(self) -> np.ndarray:
        """Floor load of each slot that is left for the plan, cabinet included, int64 (S,); -1 in slots that are taken."""
        left = np.maximum(self.slot_load_g - self.existing.in_slots("mass_g", self.slot_count), 0)
        return np.where(self.free, left, -1)

    def left_in(self, zone: int) -> tuple[int | None, int | None]:
        """Return power and load of a zone that are left for the plan; None without a limit."""
        area, existing = self.zones[zone], self.existing
        power = min((limit for limit in (area.power_mw, area.cooling_mw) if limit is not None), default=None)
        used_mw = sum(each.power_mw for each in existing.equipment if each.slot in area.slots)
        used_mw += existing.zone_mw[zone] if existing.zone_mw else 0
        used_g = sum(each.mass_g for each in existing.equipment if each.slot in area.slots)
        return (None if power is None else power - used_mw), (None if area.load_g is None else area.load_g - used_g)

    @property
    def tray_offset_mm(self) -> np.ndarray:
        """Level distances from each slot's center to its tray nodes, int64 (S, 2, 2).

        By medium class; the first is along the row (never negative), the second in depth, positive toward the front.
        """
        offset = self.node_xyz[self.slot_node, :2].astype(np.int64) - self.slot_xy[:, None]
        turned = (self.slot_facing % 180 == 0)[:, None]
        along, depth = np.where(turned, offset[..., 1], offset[..., 0]), np.where(turned, offset[..., 0], offset[..., 1])
        toward = np.where(self.slot_facing < 180, 1, -1)[:, None]
        return np.stack([np.abs(along), depth * toward], axis=-1)
