"""Vertical sections of a room: cabinets in elevation, and trays at their heights above the floor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from planner.core.units import span
from planner.domain.model import Room
from planner.hall.scene import Label, Layer, Point, Scene, Shape
from planner.hall.scene.room import sides, slot_kind, taken_by
from planner.hall.scene.trays import RISER, carried

REACH_MM = 900
"""Distance from the cabinets of a row within which trays belong to its section: half the width of an aisle."""
_MARGIN_MM = 300
_THIN_MM = 100
"""Height of trays whose cross-section is not given."""

X, Y = 0, 1


class Cut(NamedTuple):
    """A slice of the room: the axis along the drawing, and lowest and highest place across it, in millimeters."""

    along: int
    low_mm: float
    high_mm: float


def cuts(room: Room) -> dict[str, Cut]:
    """Return the section of each row by its title, and the one across all rows last."""
    found = {}
    for row, name in enumerate(room.row_names):
        own = np.flatnonzero(room.slot_row == row)
        if len(own):
            along = _along(room, own)
            across, half = room.slot_xy[own, 1 - along], room.slot_size[own, 1 - along] / 2
            found[f"row {name}"] = Cut(along, float((across - half).min()) - REACH_MM, float((across + half).max()) + REACH_MM)
    if found:
        across = 1 - next(iter(found.values())).along
        found["across all rows"] = Cut(across, float("-inf"), float("inf"))
    return found


def section(room: Room, cut: Cut, cabinets: Mapping[int, str], height_mm: int) -> Scene:
    """Return a section: the place along the cut and the height above the floor are the coordinates.

    Parameters
    ----------
    cabinets
        Names of the cabinets by slot.
    height_mm
        Height of a cabinet.
    """
    places = room.slot_xy[:, 1 - cut.along]
    shown = np.flatnonzero((places >= cut.low_mm) & (places <= cut.high_mm)).tolist()
    boxes = [_slot(room, slot, cut, cabinets, height_mm) for slot in shown]
    # Trays behind each other are drawn once.
    trays = {(shape.name, tuple(shape.points_mm)): shape for shape in _trays(room, cut)}
    layers = (Layer("cabinets", boxes), Layer("trays", list(trays.values())))
    corners = [point for layer in layers for shape in layer.shapes for point in shape.points_mm] or [(0.0, 0.0)]
    (left, bottom), (right, top) = np.min(corners, axis=0).tolist(), np.max(corners, axis=0).tolist()
    left, right, bottom = left - _MARGIN_MM, right + _MARGIN_MM, min(bottom, 0.0) - _MARGIN_MM
    ground = Shape("outline", ((left, 0.0), (right, 0.0)), closed=False, name="floor")
    heights = Layer("heights", (), list(_heights(layers, left, height_mm)))
    return Scene(room.title, (left, bottom), (right, top + _MARGIN_MM), (Layer("ground", [ground]), *layers, heights))


def _along(room: Room, slots: np.ndarray) -> int:
    """Return the axis along a row: fronts face across it."""
    return Y if int(room.slot_facing[slots[0]]) % 180 == 0 else X


def _slot(room: Room, slot: int, cut: Cut, cabinets: Mapping[int, str], height_mm: int) -> Shape:
    kind = "cabinet" if slot in cabinets else slot_kind(room, slot)
    name = cabinets.get(slot) or taken_by(room, slot) or room.slot_names[slot]
    place, half = float(room.slot_xy[slot, cut.along]), float(room.slot_size[slot, cut.along]) / 2
    return Shape(kind, _box(place - half, place + half, 0.0, float(height_mm)), name=name, about=name)


def _trays(room: Room, cut: Cut) -> Iterator[Shape]:
    """Yield the segments in the cut: those along it in elevation, those across it in cross-section."""
    ends = room.node_xyz[room.segments]
    across = np.sort(ends[:, :, 1 - cut.along], axis=1)
    for number in np.flatnonzero((across[:, 0] <= cut.high_mm) & (across[:, 1] >= cut.low_mm)).tolist():
        (a, z), (b, other_z) = ends[number][:, [cut.along, 2]].astype(float).tolist()
        tray, area = int(room.segment_tray[number]), int(room.segment_mm2[number])
        width, high = sides(area) if area else (_THIN_MM, _THIN_MM)
        name = room.tray_names[tray]
        about = f"{name}: {span(z)} above the floor"
        kind = "riser" if room.tray_kinds[tray] == RISER else carried(room, number)
        if z != other_z:
            yield Shape(kind, ((a, z), (b, other_z)), closed=False, name=name, about=about)
        elif a != b:
            yield Shape(kind, _box(min(a, b), max(a, b), z, z + high), name=name, about=about)
        else:
            yield Shape(kind, _box(a - width / 2, a + width / 2, z, z + high), name=name, about=about)


def _box(left: float, right: float, bottom: float, top: float) -> tuple[Point, ...]:
    return (left, bottom), (right, bottom), (right, top), (left, top)


def _heights(layers: tuple[Layer, ...], left: float, height_mm: int) -> Iterator[Label]:
    """Yield the height of the cabinets and of each level of trays, at the left."""
    flat = [min(z for _, z in shape.points_mm) for shape in layers[1].shapes if shape.closed]
    for z in dict.fromkeys([float(height_mm), *sorted(flat)]):
        yield Label("figures", span(z), (left, z), anchor=(1, 0))
