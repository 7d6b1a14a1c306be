"""Run lengths of cables and their components: routes over the trays, drops, rises and slack.

A cable between two cabinets runs from its port to the side of the cabinet and up to the outer top, or down to the floor
where its tray is below (*rise*), from there to the tray node, in height, in depth and along the row (*drop*), over
the trays, and so on in reverse. Inside a cabinet it runs to the side, along it, through the cabinet where the two ports
are on different faces, and back. Copper and fiber may have trays of their own: lengths are those of one medium
class (see `planner.domain.model.MEDIUM_CLASSES`). ``docs/method/cabling.md`` has a drawing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le

from planner.core.errors import InputError, Problem
from planner.domain.model import EGRESS, UNIT_UM, Room
from planner.domain.parts import CabinetPart, NonNegative
from planner.hall.floor.distances import TrayDistances, blocks

_LONGEST_MM = 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class Slack:
    """Extra length of a cable beyond its route; the defaults are engineering practice, not sourced.

    Parameters
    ----------
    end_mm
        Slack at each end, for dressing and plugging, in millimeters.
    loop_mm
        Service loop at each end of a cable between cabinets, in millimeters.
    percent
        Slack in per cent of rise, drop and tray.
    end_min_mm
        Minimum slack at each end, in millimeters: a cable may have less than `end_mm` where that saves money.
        By default `end_mm`.
    loop_min_mm
        Minimum of each service loop, under the same condition. By default `loop_mm`.
    """

    __pydantic_config__ = {"extra": "forbid", "allow_inf_nan": False}

    end_mm: NonNegative = 300
    loop_mm: NonNegative = 500
    percent: Annotated[float, Ge(0), Le(100)] = 0.0
    end_min_mm: NonNegative | None = None
    loop_min_mm: NonNegative | None = None

    def spare_mm(self) -> tuple[int, int]:
        """Return how much less a cable may have at both ends together, and in both loops.

        >>> Slack(loop_mm=500, loop_min_mm=300).spare_mm()
        (0, 400)
        """
        end = self.end_mm if self.end_min_mm is None else self.end_min_mm
        loop = self.loop_mm if self.loop_min_mm is None else self.loop_min_mm
        return 2 * (self.end_mm - end), 2 * (self.loop_mm - loop)

    def problems(self) -> Iterator[Problem]:
        """Yield a problem for each minimum above its nominal slack; the place is the key."""
        for key in ("end", "loop"):
            nominal, minimum = getattr(self, f"{key}_mm"), getattr(self, f"{key}_min_mm")
            if minimum is not None and minimum > nominal:
                message = f"{minimum} is more than {key}_mm = {nominal}"
                yield Problem(f"slack.{key}_min_mm", message, f"write {nominal} or less, or leave it out")


@dataclass(frozen=True)
class Lengths:
    """The length rules of one room with one kind of cabinet, for the cables of one medium class.

    Raises
    ------
    InputError
        When a tray over the floor is lower than the cabinet's top.
    """

    room: Room
    cabinet: CabinetPart
    slack: Slack
    medium_class: int = 0

    def __post_init__(self) -> None:
        above = np.where(self._below, 0, self._elevation_mm - self.cabinet.height_mm)
        if self.room.end_mm is None and (above < 0).any():
            slot = int(np.argmin(above))
            raise InputError(
                Problem(
                    "catalog.cabinet",
                    f"{self.cabinet.id} is {self.cabinet.height_mm} mm high, {-above[slot]} mm above the tray over slot "
                    f"{self.room.slot_names[slot]} in {self.room.name}",
                    "choose a lower cabinet or raise elevation_mm of the trays",
                )
            )

    @cached_property
    def by_medium_class(self) -> tuple[Lengths, Lengths]:
        """The rules for copper and those for fiber; the same object where all trays carry both."""
        copper = self if self.medium_class == 0 else replace(self, medium_class=0)
        return (copper, copper if self.room.shared_trays else replace(self, medium_class=1))

    @cached_property
    def distances(self) -> TrayDistances:
        return TrayDistances(self.room, self.medium_class)

    @cached_property
    def _elevation_mm(self) -> np.ndarray:
        """Height of the tray node of each slot above the floor, int64 (S,)."""
        return self.room.node_xyz[self.room.slot_node[:, self.medium_class], 2].astype(np.int64)

    @cached_property
    def _below(self) -> np.ndarray:
        """Which slots are served from under the floor, bool (S,)."""
        return self._elevation_mm < 0

    @cached_property
    def drop_mm(self) -> np.ndarray:
        """Distance between the cabinet's top or bottom, over the port plane, and the tray node at each slot, int64 (S, 2).

        The sum of the distances in height, along the row and in depth, for ports at the front and at the rear. The port
        plane is taken at the face of the cabinet: doors and rails leave slightly less.
        """
        if self.room.end_mm is not None:
            return np.full((self.room.slot_count, 2), self.room.end_mm, np.int64)
        height = np.where(self._below, -self._elevation_mm, self._elevation_mm - self.cabinet.height_mm)
        along, depth = self.room.tray_offset_mm[:, self.medium_class].T
        face = -(-self.cabinet.depth_mm // 2)
        return (height + along)[:, None] + np.column_stack([np.abs(face - depth), np.abs(face + depth)])

    def rise_mm(self, slot: np.ndarray, unit: np.ndarray, units: np.ndarray) -> np.ndarray:
        """Return the distance from the port to the exit of the cabinet, int64.

        To the side of the cabinet, and along that from the middle of the box to the outer top or bottom, the frame
        included. To the nearer side it is at most half the cabinet's width; where all leave by one side, the full width.

        Parameters
        ----------
        slot
            Slot of the cabinet.
        unit, units
            Lowest unit of the box, and its height in units.
        """
        slot, unit = np.asarray(slot), np.asarray(unit, np.int64)
        if self.room.end_mm is not None:
            return np.zeros(np.broadcast_shapes(slot.shape, unit.shape), np.int64)
        nearest = self.room.slot_egress[slot] == EGRESS.index("nearest")
        side = np.where(nearest, self.cabinet.width_mm // 2, self.cabinet.width_mm)
        twice = np.where(self._below[slot], 2 * (unit - 1) + units, 2 * (self.cabinet.units - unit + 1) - units)
        base_um, top_um = self.cabinet.frame_um(UNIT_UM)
        frame_um = np.where(self._below[slot], base_um, top_um)
        return side + -(-(frame_um + twice * UNIT_UM // 2) // 1000)

    def inside_mm(
        self,
        unit: np.ndarray,
        units: np.ndarray,
        other: np.ndarray,
        other_units: np.ndarray,
        across: np.ndarray | bool = False,
    ) -> np.ndarray:
        """Return the distance from port to port inside one cabinet, slack not included, int64.

        `across` marks cables between a port at the front and one at the rear, which pass through the cabinet.
        """
        if self.room.in_cabinet_mm is not None:
            return np.full(np.shape(unit), self.room.in_cabinet_mm, np.int64)
        twice_um = np.abs(2 * (np.asarray(unit, np.int64) - other) + units - other_units) * UNIT_UM
        return self.cabinet.width_mm + -(-twice_um // 2000) + np.where(across, self.cabinet.depth_mm, 0)

    def slack_parts_mm(self, length_mm: np.ndarray, between: np.ndarray | bool, *, nominal: bool = False) -> np.ndarray:
        """Return the slack of cables of a route length: at the ends, service loops, per cent of the length; int64 (…, 3).

        It is the minimum slack, which lengths to buy have to cover, or the nominal one. `between` marks cables between
        cabinets. Where the room fixes lengths there is none.
        """
        length_mm = np.asarray(length_mm, np.int64)
        fixed = np.where(between, self.room.end_mm is not None, self.room.in_cabinet_mm is not None)
        share = np.ceil(length_mm * self.slack.percent / 100).astype(np.int64)
        ends, loops = self._slack_mm(nominal)
        parts = np.stack(np.broadcast_arrays(ends, np.where(between, loops, 0), share), axis=-1)
        return np.where(np.broadcast_to(fixed, share.shape)[..., None], 0, parts)

    def slack_mm(self, length_mm: np.ndarray, between: np.ndarray | bool, *, nominal: bool = False) -> np.ndarray:
        """Return the total slack, int64; see `slack_parts_mm`."""
        length_mm = np.asarray(length_mm, np.int64)
        fixed = np.where(between, self.room.end_mm is not None, self.room.in_cabinet_mm is not None)
        at_ends, loops = self._slack_mm(nominal)
        ends = at_ends + np.where(between, loops, 0)
        share = np.ceil(length_mm * self.slack.percent / 100).astype(np.int64) if self.slack.percent else 0
        return np.broadcast_to(np.where(fixed, 0, ends + share), np.broadcast_shapes(length_mm.shape, fixed.shape))

    def _slack_mm(self, nominal: bool) -> tuple[int, int]:
        """Return the slack at both ends together, and of both loops."""
        less = (0, 0) if nominal else self.slack.spare_mm()
        return 2 * self.slack.end_mm - less[0], 2 * self.slack.loop_mm - less[1]

    def slot_run_mm(self, unit: int, units: int, rear: int) -> np.ndarray:
        """Return the run lengths between boxes at the same unit of two slots, int32 (S, S).

        `rear` is 1 for boxes with ports at the rear, 0 at the front. The diagonal holds the run between adjacent boxes of
        one cabinet.
        """
        count = self.room.slot_count
        run = np.empty((count, count), np.int32)
        for slots in blocks(count):
            run[slots] = self.slot_run_rows(slots, unit, units, rear)
        return run

    def slot_run_rows(self, slots: np.ndarray, unit: int, units: int, rear: int) -> np.ndarray:
        """Return rows of `slot_run_mm`, int32 (given, S)."""
        end = self._end_mm(unit, units, rear)
        run_mm = self.distances.rows_mm(slots) + (end[slots, None] + end)
        run_mm += self.slack_mm(run_mm, True)
        run_mm[np.arange(len(slots)), slots] = self._neighbors_mm(unit, units)
        return _int32(run_mm)

    def slot_run_pairs(self, a: np.ndarray, b: np.ndarray, unit: int, units: int, rear: int) -> np.ndarray:
        """Return entries of `slot_run_mm` for pairs of slots, int32 (pairs,)."""
        end = self._end_mm(unit, units, rear)
        run_mm = self.distances.between_mm(a, b) + (end[a] + end[b])
        run_mm += self.slack_mm(run_mm, True)
        return _int32(np.where(a == b, self._neighbors_mm(unit, units), run_mm))

    def lattice(self, unit: int, units: int, rear: int) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Return `slot_run_mm` in compact form where the trays form a full lattice and all ends are equal, else None.

        Returns
        -------
        x, y
            Column and row of every slot, int32 (S,).
        run_mm
            Run length by difference in columns and rows, int32 (X, Y): that between slots a and b is
            ``run_mm[abs(x[a] - x[b]), abs(y[a] - y[b])]``.
        """
        grid, end = self.distances.lattice, self._end_mm(unit, units, rear)
        if grid is None or np.ptp(end):
            return None
        run_mm = grid.distance_mm + 2 * end[0]
        run_mm += self.slack_mm(run_mm, True)
        run_mm[0, 0] = self._neighbors_mm(unit, units)
        return grid.x, grid.y, _int32(run_mm)

    def _end_mm(self, unit: int, units: int, rear: int) -> np.ndarray:
        """Return the distance between a port at this unit and the tray node at each slot, int64 (S,)."""
        return self.drop_mm[:, rear] + self.rise_mm(np.arange(self.room.slot_count), np.array(unit), np.array(units))

    def _neighbors_mm(self, unit: int, units: int) -> int:
        """Return the run length between neighboring boxes of one cabinet."""
        inside = self.inside_mm(np.array([unit]), np.array([units]), np.array([unit + units]), np.array([units]))
        return int(inside[0] + self.slack_mm(inside, False)[0])


def _int32(length_mm: np.ndarray) -> np.ndarray:
    """Return the lengths as int32.

    Raises
    ------
    InputError
        When one exceeds the int32 range in millimeters, 2,147 km.
    """
    if length_mm.max(initial=0) > _LONGEST_MM:
        raise InputError(Problem("room", f"a run is {length_mm.max() / 1e6:.0f} km long", "lengths are in millimeters"))
    return length_mm.astype(np.int32)
