"""Floor sheets: the plan of the floor to scale, and the same floor with its trays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from planner.model import Plan, Room
from planner.report._cabinets import Cabinet
from planner.report._figures import grouped
from planner.report._pdf.drawing import KEY_HEIGHT, Drawing, drawable, line_swatch, print_drawing, swatch
from planner.report._pdf.floorplan import (
    AISLES,
    OBSTACLES,
    SCALES,
    Window,
    bounds,
    draw_ground,
    draw_slots,
    draw_trays,
    name_fits,
    use_colour,
    write_slots,
)
from planner.report._pdf.ink import ACCENT, INK, MUTED, PAPER, RULE, Pen
from planner.report._pdf.sheet import MM, PAPERS, Area, Mark, Sheet
from planner.report._pdf.trays import fill_drawing, tray_table, worst_drawing

_DETAIL = "A3 landscape"


def floor_sheets(plan: Plan, cabinets: Sequence[Cabinet]) -> list[Sheet]:
    """Return the floor plan, with details where its names would be too small, and the tray sheets."""
    if plan.room is None:
        return []
    room = plan.room
    ground = _ground(plan, cabinets)
    paper, scale = _paper(room)
    found = [_whole(room, ground, paper, scale)]
    if not name_fits(room, scale):
        found += _details(room, ground)
    if plan.cables is not None and len(room.segments):
        found.append(_whole(room, fill_drawing(plan, cabinets), paper, scale))
        if plan.latency is not None and len(plan.latency.worst_path) > 1:
            found.append(_whole(room, worst_drawing(plan, cabinets), paper, scale))
        found += tray_table(plan)
    return found


def picture(pen: Pen, plan: Plan, cabinets: Sequence[Cabinet], left: float, bottom: float, width: float, height: float) -> None:
    """Draw the floor without names as large as fits into a rectangle."""
    low, high = bounds(plan.room)
    size = np.maximum(high - low, 1)
    scale = float(max(size * MM / (width, height)))
    across, up = size * MM / scale
    window = Window(tuple(low), tuple(high), (left + (width - across) / 2, bottom + (height - up) / 2), scale)
    draw_ground(pen, window, plan.room, names=False)
    draw_slots(pen, window, plan.room, cabinets)


def _paper(room: Room) -> tuple[str, int]:
    """The smallest paper that takes the room at 1:100 or better; else the one that shows most."""
    low, high = bounds(room)
    best: tuple[str, int] | None = None
    for name, size in PAPERS.items():
        wanted = max((high - low) * MM / drawable(size))
        scale = next((scale for scale in SCALES if scale >= wanted), SCALES[-1])
        if scale <= 100:
            return name, scale
        if best is None or scale < best[1]:
            best = name, scale
    return best


def _whole(room: Room, drawing: Drawing, paper: str, scale: int) -> Sheet:
    low, high = bounds(room)

    def draw(pen: Pen, area: Area) -> None:
        across, up = (high - low) * MM / scale
        width, height = drawable(PAPERS[paper])
        pen.mark(drawing.key, area.top + 6)
        origin = (area.left + (width - across) / 2, area.bottom + KEY_HEIGHT + (height - up) / 2)
        print_drawing(pen, area, drawing, Window(tuple(low), tuple(high), origin, scale), drawing.title)

    return Sheet("Floor", draw, PAPERS[paper], (Mark(drawing.key, drawing.title),))


def _details(room: Room, drawing: Drawing) -> list[Sheet]:
    """The floor in pieces, at the smallest scale at which names are readable; pieces without slots are left out."""
    scale = next((scale for scale in reversed(SCALES) if name_fits(room, scale)), SCALES[0])
    low, high = bounds(room)
    piece = np.array(drawable(PAPERS[_DETAIL])) * scale / MM
    count = np.ceil((high - low) / piece).astype(int)
    found = []
    for north in reversed(range(count[1])):
        for east in range(count[0]):
            start = low + piece * (east, north)
            end = np.minimum(start + piece, high)
            inside = ((room.slot_xy >= start) & (room.slot_xy < start + piece)).all(axis=1)
            if inside.any():
                names = [room.slot_names[slot] for slot in np.flatnonzero(inside)]
                title = f"{drawing.title}: {names[0]} to {names[-1]}"
                found.append(_detail(drawing, tuple(start), tuple(end), scale, title, f"{drawing.key}-{east}-{north}"))
    return found


def _detail(drawing: Drawing, start: tuple, end: tuple, scale: int, title: str, key: str) -> Sheet:
    def draw(pen: Pen, area: Area) -> None:
        pen.mark(key, area.top + 6)
        window = Window(start, end, (area.left, area.bottom + KEY_HEIGHT), scale)
        print_drawing(pen, area, drawing, window, title)
        pen.shape(window.corners, stroke=MUTED, weight=0.5, dash=(6, 2))

    return Sheet("Floor", draw, PAPERS[_DETAIL], (Mark(key, title, 1),))


def _ground(plan: Plan, cabinets: Sequence[Cabinet]) -> Drawing:
    room = plan.room
    legend: list = [(f"{share} % of units used", swatch(use_colour(share / 100), stroke=INK)) for share in (25, 50, 75, 100)]
    legend += [("front of a cabinet", line_swatch(ACCENT, 1.6)), ("empty slot", swatch(PAPER, dash=(1.5, 1.5)))]
    legend += [(kind, swatch(colour)) for kind, colour in AISLES.items() if any(zone.kind == kind for zone in room.aisles)]
    kinds = {zone.kind for zone in room.obstacles}
    legend += [(kind, swatch(*style)) for kind, style in OBSTACLES.items() if kind in kinds]
    legend.append(("tray", line_swatch(RULE, 0.8, (3, 1.5))))

    def draw(pen: Pen, window: Window) -> None:
        draw_ground(pen, window, room)
        draw_slots(pen, window, room, cabinets)
        draw_trays(pen, window, room)
        write_slots(pen, window, room, cabinets)

    note = f"{grouped(len(cabinets))} cabinets in {grouped(room.slot_count)} slots; tiles of {grouped(room.tile_mm)} mm"
    return Drawing(f"Floor plan: {room.title}", "floor", draw, legend, note)
