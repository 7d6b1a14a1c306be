"""Floor sheets: floor plan to scale, cabinet power and heat, tray fill, and the path of the maximum delay."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from planner.core.units import span
from planner.domain.model import Plan, Room
from planner.hall.scene import Label, Layer, Point, Scene, Shape
from planner.hall.scene.palette import legend
from planner.hall.scene.room import tray_names
from planner.paper.canvas import Pen
from planner.paper.drawing import TILE_EDGE, Drawing, drawable, print_drawing, print_tile, window_of
from planner.paper.floorplan import SCALES, Window, draw_scene, names_fit
from planner.paper.sheet import DRAWING_PAPERS, MM, Area, Mark, Sheet, Size
from planner.paper.trays import fill_drawing, worst_drawing
from planner.view.cabinets import Cabinet
from planner.view.figures import grouped
from planner.view.floor import plan_scene
from planner.view.names import networks_with
from planner.view.shades import shades

_OVERLAP = 12 * MM
"""Overlap of neighboring tiles, in points."""


def floor_sheets(plan: Plan, cabinets: Sequence[Cabinet], paper: str) -> list[Sheet]:
    """Return the floor plan, tiled over several sheets where its names would be too small, power, heat and trays."""
    if plan.room is None:
        return []
    room = plan.room
    scene = plan_scene(plan, cabinets, "fill").with_layers(tray_names(room))
    size, scale = _paper(scene, paper)
    tiles = [] if names_fit(scene, scale) else _tiles(room, scene, paper)
    # Names of aisles and obstacles are on the tiles: on the overview, tile numbers would cover them.
    whole = scene.unnamed("aisles", "obstacles", "tray names").with_layers(_tile_frames(tiles)) if tiles else scene
    found = [_whole(scene, _ground(plan, cabinets, whole), size, scale)]
    found += [_tile_sheet(_ground(plan, cabinets, scene), tile, tiles, DRAWING_PAPERS[paper][-2]) for tile in tiles]
    if plan.catalog is not None and cabinets and room.slot_power_mw.any():
        found.append(_whole(scene, _shaded(plan, cabinets, "power"), size, scale))
    if plan.cooling is not None and cabinets and plan.cooling.heat_mw.any():
        found.append(_whole(scene, _shaded(plan, cabinets, "heat"), size, scale))
    if plan.cables is not None and len(room.segments):
        found.append(_whole(scene, fill_drawing(plan, cabinets), size, scale))
        for one in networks_with(plan, "latency"):
            if one.latency is not None and len(one.latency.worst_path) > 1:
                found.append(_whole(scene, worst_drawing(one, cabinets), size, scale))
    return found


def place_sheets(plan: Plan, cabinets: Sequence[Cabinet], chosen: Sequence[Cabinet], paper: str) -> list[Sheet]:
    """Return the floor with the chosen cabinets highlighted."""
    scene = plan_scene(plan, cabinets, chosen={cabinet.slot for cabinet in chosen}).with_layers(without=("trays",))
    size, scale = _paper(scene, paper)
    drawing = Drawing("Location", "floor", lambda pen, window: draw_scene(pen, window, scene), legend(scene))
    return [_whole(scene, drawing, size, scale)]


def scene_sheet(scene: Scene, title: str, key: str, note: str, paper: str) -> Sheet:
    """Return the sheet of a scene of a floor, to scale, with its legend."""
    size, scale = _paper(scene, paper)
    return _whole(
        scene, Drawing(title, key, lambda pen, window: draw_scene(pen, window, scene), legend(scene), note), size, scale
    )


def picture(pen: Pen, plan: Plan, cabinets: Sequence[Cabinet], left: float, bottom: float, width: float, height: float) -> None:
    """Draw the floor with the names of its rows at the largest scale that fits a rectangle."""
    scene = plan_scene(plan, cabinets, "fill").unnamed("aisles", "obstacles", "slots", "cabinets")
    size = np.maximum(np.subtract(scene.high_mm, scene.low_mm), 1)
    scale = float(max(size * MM / (width, height)))
    across, up = size * MM / scale
    origin = (left + (width - across) / 2, bottom + (height - up) / 2)
    draw_scene(pen, Window(scene.low_mm, scene.high_mm, origin, scale), scene.with_layers(without=("trays", "tiles")))


def _paper(scene: Scene, paper: str) -> tuple[Size, int]:
    """Return the smallest paper for the room at 1:100 or better; otherwise the one with the largest scale."""
    choices = []
    for size in DRAWING_PAPERS[paper]:
        wanted = max(np.subtract(scene.high_mm, scene.low_mm) * MM / drawable(size))
        scale = next((scale for scale in SCALES if scale >= wanted), SCALES[-1])
        if scale <= 100:
            return size, scale
        choices.append((size, scale))
    return min(choices, key=lambda choice: choice[1])


def _whole(scene: Scene, drawing: Drawing, size: Size, scale: int) -> Sheet:
    def draw(pen: Pen, area: Area) -> None:
        pen.mark(drawing.key, area.top + 6)
        print_drawing(pen, area, drawing, window_of(area, scene.low_mm, scene.high_mm, scale), drawing.title)

    return Sheet("Floor", draw, size, (Mark(drawing.key, drawing.title),))


# -- tiles --------------------------------------------------------------------------------------

Tile = tuple[str, Point, Point, int]
"""Name, corners in the room, and scale."""


def _tiles(room: Room, scene: Scene, paper: str) -> list[Tile]:
    """Return overlapping tiles of the floor, at the smallest scale with readable names; tiles without slots are left out."""
    scale = next((scale for scale in reversed(SCALES) if names_fit(scene, scale)), SCALES[0])
    low, high = np.array(scene.low_mm), np.array(scene.high_mm)
    extent = (np.array(drawable(DRAWING_PAPERS[paper][-2])) - 2 * TILE_EDGE) * scale / MM
    step = extent - _OVERLAP * scale / MM
    count = np.maximum(np.ceil((high - low - extent) / step).astype(int) + 1, 1)
    # All tiles are of one size, and none is small.
    extent = (high - low + (count - 1) * (extent - step)) / count
    step = (high - low - extent) / np.maximum(count - 1, 1)
    found: list[Tile] = []
    for north in reversed(range(count[1])):
        for east in range(count[0]):
            start = low + step * (east, north)
            inside = ((room.slot_xy >= start - 1) & (room.slot_xy < start + extent + 1)).all(axis=1)
            if inside.any():
                end = np.minimum(start + extent, high)
                found.append((f"{len(found) + 1}", tuple(start.tolist()), tuple(end.tolist()), scale))
    return found


def _tile_sheet(drawing: Drawing, tile: Tile, tiles: Sequence[Tile], size: Size) -> Sheet:
    name, start, end, scale = tile
    key, title = f"{drawing.key}-{name}", f"{drawing.title}, tile {name} of {len(tiles)}"

    def draw(pen: Pen, area: Area) -> None:
        pen.mark(key, area.top + 6)
        window = window_of(area, start, end, scale)
        print_drawing(pen, area, drawing, window, title)
        print_tile(pen, window, [(other[0], other[1], other[2]) for other in tiles if other is not tile])

    return Sheet("Floor", draw, size, (Mark(key, title, 1),))


def _tile_frames(tiles: Sequence[Tile]) -> Layer:
    """Return the frames of the tiles, which link to their sheets, and their numbers."""
    shapes, labels = [], []
    for name, (left, bottom), (right, top), _ in tiles:
        corners = [(left, bottom), (right, bottom), (right, top), (left, top)]
        shapes.append(Shape("sheet", corners, name=name, target=f"floor-{name}"))
        labels.append(Label("sheets", name, (left, top), anchor=(-1, 1)))
    return Layer("sheets", shapes, labels)


# -- content ------------------------------------------------------------------------------------


def _ground(plan: Plan, cabinets: Sequence[Cabinet], scene: Scene) -> Drawing:
    room = plan.room
    note = f"{grouped(len(cabinets))} cabinets in {grouped(room.slot_count)} slots; floor tiles of {span(room.tile_mm)}"
    title = f"Floor plan: {room.title}"
    return Drawing(title, "floor", lambda pen, window: draw_scene(pen, window, scene), legend(scene), note)


def _shaded(plan: Plan, cabinets: Sequence[Cabinet], name: str) -> Drawing:
    """Return the cabinets shaded by a figure."""
    shade = shades(plan)[name]
    scene = plan_scene(plan, cabinets, name).unnamed("aisles", "obstacles").with_layers(without=("trays",))
    return Drawing(name.capitalize(), name, lambda pen, window: draw_scene(pen, window, scene), legend(scene), shade.title)
