"""Floor sheets: floor plan to scale, cabinet power, tray fill, and the path of the maximum delay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from planner.model import Plan, Room
from planner.report._cabinets import Cabinet
from planner.report._figures import grouped
from planner.report._pdf.canvas import ACCENT, DARK, MUTED, PAPER, RULE, Pen
from planner.report._pdf.drawing import TILE_EDGE, Drawing, drawable, line_swatch, print_drawing, print_tile, swatch, window_of
from planner.report._pdf.floor_names import name_fits, write_rows, write_slots
from planner.report._pdf.floorplan import (
    AISLES,
    OBSTACLES,
    OVER,
    SCALES,
    Shade,
    Window,
    bounds,
    draw_ground,
    draw_slots,
    draw_trays,
    shade,
)
from planner.report._pdf.fonts import BOLD
from planner.report._pdf.rows import power_share
from planner.report._pdf.sheet import DRAWING_PAPERS, MM, Area, Mark, Sheet, Size
from planner.report._pdf.trays import fill_drawing, worst_drawing

_OVERLAP = 12 * MM
"""Overlap of neighboring tiles, in points."""


def floor_sheets(plan: Plan, cabinets: Sequence[Cabinet], paper: str) -> list[Sheet]:
    """Return the floor plan, tiled over several sheets where its names would be too small, power and trays."""
    if plan.room is None:
        return []
    room = plan.room
    ground = _ground(plan, cabinets)
    size, scale = _paper(room, paper)
    tiles = [] if name_fits(room, scale) else _tiles(room, paper)
    # Names of aisles and obstacles are on the tiles: on the overview, tile numbers would cover them.
    overview = _ground(plan, cabinets, names=not tiles)
    found = [_whole(room, replace(overview, draw=_with_tiles(overview, tiles)), size, scale)]
    found += [_tile_sheet(ground, tile, tiles, DRAWING_PAPERS[paper][-2]) for tile in tiles]
    if plan.catalog is not None and cabinets and room.slot_power_mw.any():
        found.append(_whole(room, _power(plan, cabinets), size, scale))
    if plan.cables is not None and len(room.segments):
        found.append(_whole(room, fill_drawing(plan, cabinets), size, scale))
        if plan.latency is not None and len(plan.latency.worst_path) > 1:
            found.append(_whole(room, worst_drawing(plan, cabinets), size, scale))
    return found


def place_sheets(plan: Plan, cabinets: Sequence[Cabinet], chosen: Sequence[Cabinet], paper: str) -> list[Sheet]:
    """Return the floor with the chosen cabinets highlighted."""
    size, scale = _paper(plan.room, paper)
    dark = {cabinet.slot: (ACCENT, "") for cabinet in chosen}

    def draw(pen: Pen, window: Window) -> None:
        draw_ground(pen, window, plan.room)
        draw_slots(pen, window, plan.room, cabinets, dark)
        write_slots(pen, window, plan.room, dark)
        write_rows(pen, window, plan.room)

    legend = [("printed here", swatch(ACCENT)), ("other cabinet", swatch(PAPER, stroke=DARK)), *_fixed(plan.room)]
    return [_whole(plan.room, Drawing("Location", "floor", draw, legend), size, scale)]


def picture(pen: Pen, plan: Plan, cabinets: Sequence[Cabinet], left: float, bottom: float, width: float, height: float) -> None:
    """Draw the floor without names at the largest scale that fits a rectangle."""
    low, high = bounds(plan.room)
    size = np.maximum(high - low, 1)
    scale = float(max(size * MM / (width, height)))
    across, up = size * MM / scale
    window = Window(tuple(low), tuple(high), (left + (width - across) / 2, bottom + (height - up) / 2), scale)
    draw_ground(pen, window, plan.room, names=False)
    draw_slots(pen, window, plan.room, cabinets, _used(cabinets))


def _paper(room: Room, paper: str) -> tuple[Size, int]:
    """Return the smallest paper for the room at 1:100 or better; otherwise the one with the largest scale."""
    low, high = bounds(room)
    best: tuple[Size, int] | None = None
    for size in DRAWING_PAPERS[paper]:
        wanted = max((high - low) * MM / drawable(size))
        scale = next((scale for scale in SCALES if scale >= wanted), SCALES[-1])
        if scale <= 100:
            return size, scale
        if best is None or scale < best[1]:
            best = size, scale
    return best


def _whole(room: Room, drawing: Drawing, size: Size, scale: int) -> Sheet:
    low, high = bounds(room)

    def draw(pen: Pen, area: Area) -> None:
        pen.mark(drawing.key, area.top + 6)
        print_drawing(pen, area, drawing, window_of(area, low, high, scale), drawing.title)

    return Sheet("Floor", draw, size, (Mark(drawing.key, drawing.title),))


# -- tiles --------------------------------------------------------------------------------------

Tile = tuple[str, np.ndarray, np.ndarray, int]
"""Name, corners in the room, and scale."""


def _tiles(room: Room, paper: str) -> list[Tile]:
    """Return overlapping tiles of the floor, at the smallest scale with readable names; tiles without slots are left out."""
    scale = next((scale for scale in reversed(SCALES) if name_fits(room, scale)), SCALES[0])
    low, high = bounds(room)
    extent = (np.array(drawable(DRAWING_PAPERS[paper][-2])) - 2 * TILE_EDGE) * scale / MM
    step = extent - _OVERLAP * scale / MM
    count = np.maximum(np.ceil((high - low - extent) / step).astype(int) + 1, 1)
    # All tiles are of one size, and none is small.
    extent = (high - low + (count - 1) * (extent - step)) / count
    step = (high - low - extent) / np.maximum(count - 1, 1)
    found = []
    for north in reversed(range(count[1])):
        for east in range(count[0]):
            start = low + step * (east, north)
            inside = ((room.slot_xy >= start - 1) & (room.slot_xy < start + extent + 1)).all(axis=1)
            if inside.any():
                found.append((f"{len(found) + 1}", start, np.minimum(start + extent, high), scale))
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


def _with_tiles(drawing: Drawing, tiles: Sequence[Tile]):
    """Return the drawing with the frames of the tiles over it."""

    def draw(pen: Pen, window: Window) -> None:
        drawing.draw(pen, window)
        for name, start, end, _ in tiles:
            (left, bottom), (right, top) = window.point(start), window.point(end)
            pen.box(left, bottom, right - left, top - bottom, None, ACCENT, weight=0.7, dash=(5, 2))
            pen.box(left + 3, top - 13, 7 + 6 * len(name), 11, PAPER, ACCENT)
            pen.text(left + 6, top - 11, name, 9, font=BOLD, color=ACCENT)
            pen.link(left, bottom, right - left, top - bottom, f"{drawing.key}-{name}")

    return draw


# -- content ------------------------------------------------------------------------------------


def _used(cabinets: Sequence[Cabinet]) -> dict[int, Shade]:
    return {cabinet.slot: shade(cabinet.share) for cabinet in cabinets}


def _ground(plan: Plan, cabinets: Sequence[Cabinet], *, names: bool = True) -> Drawing:
    room = plan.room
    shades, words = _used(cabinets), {cabinet.slot: f"{100 * cabinet.share:.0f}%" for cabinet in cabinets}
    legend: list = [(f"{share} % of units used", swatch(*shade(share / 100), stroke=DARK)) for share in (25, 50, 75, 100)]

    def draw(pen: Pen, window: Window) -> None:
        draw_ground(pen, window, room, names=names)
        draw_slots(pen, window, room, cabinets, shades)
        draw_trays(pen, window, room)
        write_slots(pen, window, room, shades, words)
        write_rows(pen, window, room)
        for cabinet in cabinets:
            (x, y), (width, height) = window.point(room.slot_xy[cabinet.slot]), room.slot_size[cabinet.slot]
            width, height = window.length(width), window.length(height)
            pen.link(x - width / 2, y - height / 2, width, height, f"cabinet-{cabinet.number}")

    note = f"{grouped(len(cabinets))} cabinets in {grouped(room.slot_count)} slots; floor tiles of {grouped(room.tile_mm)} mm"
    legend += [*_fixed(room), ("tray", line_swatch(RULE, 0.8, (3, 1.5)))]
    return Drawing(f"Floor plan: {room.title}", "floor", draw, legend, note)


def _power(plan: Plan, cabinets: Sequence[Cabinet]) -> Drawing:
    room = plan.room
    shares = {cabinet.slot: power_share(cabinet) for cabinet in cabinets}
    shades = {slot: shade(share) for slot, share in shares.items()}
    words = {cabinet.slot: f"{cabinet.power_max_mw / 1e6:.1f}" for cabinet in cabinets}
    legend: list = [(f"{share} % of the limit", swatch(*shade(share / 100), stroke=DARK)) for share in (25, 50, 75, 100)]
    legend += [("over the limit", swatch(*OVER, stroke=DARK)), *_fixed(room)]

    def draw(pen: Pen, window: Window) -> None:
        draw_ground(pen, window, room, names=False)
        draw_slots(pen, window, room, cabinets, shades)
        write_slots(pen, window, room, shades, words)
        write_rows(pen, window, room)

    whole = sum(cabinet.power_max_mw for cabinet in cabinets) / 1e6
    note = f"maximum power of each cabinet in kW, {grouped(whole, 1)} kW in total; shade: share of the slot's supply"
    return Drawing("Power", "power", draw, legend, note)


def _fixed(room: Room) -> list:
    """Return the legend entries of the room itself."""
    legend: list = [("front of a cabinet", line_swatch(ACCENT, 1.6)), ("empty slot", swatch(PAPER, dash=(1.5, 1.5)))]
    legend += [(kind, swatch(color)) for kind, color in AISLES.items() if any(zone.kind == kind for zone in room.aisles)]
    kinds = {zone.kind for zone in room.obstacles}
    return legend + [(kind, swatch(*style, stroke=MUTED)) for kind, style in OBSTACLES.items() if kind in kinds]
