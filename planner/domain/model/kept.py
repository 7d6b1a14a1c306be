"""What of an older plan is built and stays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from planner.core.record import Record, array, value
from planner.domain.model.existing import FixedDevice
from planner.domain.model.room import Room


@dataclass(frozen=True, eq=False)
class Kept(Record, name="kept", needs=("topology", "catalog", "room", "inventory")):
    """Devices and connections of the plan that a study keeps, and where this plan has them."""

    source: str = value("name of the folder or file of the kept plan")
    names: np.ndarray = array("str", "K", "name of each device of the kept plan")
    slot: np.ndarray = array("int32", "K", "slot of each device in the kept plan")
    unit: np.ndarray = array("int32", "K", "lowest rack unit of each device in the kept plan")
    part: np.ndarray = array("str", "K", "part of each device in the kept plan; empty where only its schedule is at hand")
    device: np.ndarray = array("int32", "K", "device of this plan; -1 for removed devices")
    stays: np.ndarray = array("bool", "K", "whether the device must not move")
    ends: np.ndarray = array("int32", "V,2", "devices of the kept plan at both ends of each of its connections")
    port: np.ndarray = array(
        "int32", "V,2", "ports at both ends, from 1, of replaced devices their new ones; 0 where a node changes its box"
    )
    piece: np.ndarray = array(
        "int32", "V", "number of the cable in the kept plan; twin-port and splitter cables have several rows"
    )
    row: np.ndarray = array("int32", "V", "connection of this plan that keeps its ports; -1 for removed connections")
    turned: np.ndarray = array("bool", "V", "whether this plan names the ends of that connection in the other order")
    installed: np.ndarray = array("bool", "V", "whether the cable stays: part, length and label, and its route where known")
    choice: np.ndarray = array(
        "int32", "V", "part of that cable, index into the assemblies of all joints; -1 where it may change"
    )
    stock_mm: np.ndarray = array("int32", "V", "stock length in the kept plan", "mm")
    label: np.ndarray = array("str", "V,2", "label texts at both ends; empty where labels are made again")
    route: np.ndarray = array("int32", "V", "route over the trays, row of route_indptr; -1 where unknown or inside a cabinet")
    route_indptr: np.ndarray = array("int32", "Q+1", "start of each route in route_segments")
    route_segments: np.ndarray = array("int32", "X", "tray segments of the routes, from the first end to the second")

    @cached_property
    def fixed(self) -> tuple[FixedDevice, ...]:
        """Devices of the kept plan that must not move, with their places."""
        rows = np.flatnonzero(self.stays & (self.device >= 0)).tolist()
        columns = (each[rows].tolist() for each in (self.names, self.slot, self.unit, self.device))
        return tuple(
            FixedDevice(name, slot, unit, self.source, number) for name, slot, unit, number in zip(*columns, strict=True)
        )

    def added_to(self, room: Room) -> Room:
        """Return a room in which the devices that must not move are like others that must not."""
        own = {each.name for each in self.fixed}
        fixed = (*self.fixed, *(each for each in room.existing.fixed if each.name not in own))
        return replace(room, existing=replace(room.existing, fixed=fixed))

    @property
    def kept_rows(self) -> np.ndarray:
        """Connections of the kept plan that this plan has, ascending, int64."""
        return np.flatnonzero(self.row >= 0)

    def at_rows(self, figure: np.ndarray, count: int, missing: int | str = -1) -> np.ndarray:
        """Return a figure of both ends (V, 2), or of each connection (V,), by connection of this plan, (W, 2) or (W,).

        Ends are in the order of this plan; connections that are not of the kept plan have the value `missing`.
        """
        rows = self.kept_rows
        own = figure[rows]
        if own.ndim == 2:
            own = np.where(self.turned[rows, None], own[:, ::-1], own)
        found = np.full((count, *own.shape[1:]), missing, own.dtype if own.dtype.kind == "U" else np.int64)
        found[self.row[rows]] = own
        return found
