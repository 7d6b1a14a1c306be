"""Panels: elevations of the panel frames, the schedule of every port, and the list of trunks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from planner.domain.model import PANEL_KINDS, PanelPlan, Plan
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.canvas import ACCENT, ACCENT_LIGHT, DARK, MUTED, PAPER, Pen
from planner.paper.fonts import BOLD, MIN_PT
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import Column, filled, printed, table
from planner.view.figures import grouped
from planner.view.panels import PanelTexts
from planner.view.tables import PANELS, TRUNKS, Table

_ROW, _EDGE, _NAME, _GAP = 10.0, 3.0, 78.0, 8.0
"""Height of a row of ports, margin of a panel, width of the names, and distance of front and rear, in points."""
_PORTS_ACROSS = 16
"""Maximum number of ports side by side."""
_DRAWING = 480.0
"""Maximum height of a drawing; larger frames have several."""


def panel_sheets(plan: Plan, cabinets: np.ndarray | None = None) -> list[Sheet]:
    """Return the sheets of the panels; with some cabinets, int64 (N,), the ports of their jumpers and the trunks behind.

    An empty list without panels.
    """
    texts = PanelTexts.of(plan)
    if texts is None:
        return []
    panels, data = texts.panels, PANELS.data(plan)
    wanted = np.ones(len(data.row), bool)
    if cabinets is not None:
        wanted = np.isin(panels.cabinet_of_jumper(plan.cables.cabinet), cabinets)[data.jumper]
    if not wanted.any():
        return []
    used = np.unique(panels.trunk[data.row[wanted]])
    trunks = used[used >= 0].tolist() if cabinets is not None else list(range(len(panels.trunk_names)))
    blocks: list[Block] = [heading("Panels", Mark("panels", "Panels")), paragraph(_words(panels))]
    if trunks:
        blocks += [heading("Trunks", Mark("trunks", "Trunks", 1), 11), *table(*_printed(TRUNKS, plan, trunks), TEXT_WIDTH, 5.5)]
    frame_of = panels.frame[data.panel]
    for frame in np.unique(frame_of[wanted]).tolist():
        blocks += [space(14), *_frame(plan, frame, np.flatnonzero(wanted & (frame_of == frame)).tolist())]
    return sheets("Panels", blocks)


def _frame(plan: Plan, frame: int, rows: list[int]) -> list[Block]:
    """Return the elevation of a frame and some rows of its schedule."""
    name = plan.panels.frame_names[frame]
    text = f"{_place(plan, frame)}. Units are counted from the bottom. Ports in use are filled; the rear is seen from the rear."
    blocks = [heading(f"Frame {name}", Mark(f"frame-{frame}", f"Frame {name}", 1), 11), paragraph(text, keep=True)]
    return [*blocks, *_elevation(plan, frame), space(8), *table(*_printed(PANELS, plan, rows), TEXT_WIDTH, 5.5)]


_POSITIONS = {
    "enclosure": "PP-B07-01:2/3 is port 3 of the cassette in bay 2 of panel PP-B07-01; R3 is a socket at its rear.",
    "shuffle box": "SB-B07-01:3 is port 3 of shuffle box SB-B07-01; R3 is a socket at its rear.",
    "fan-out": "FO-B07-001:3 is plug 3 of fan-out FO-B07-001; R1 is its fiber.",
}
_POLARITY = {
    "A": "All trunks are of type A: fibers keep their positions. ",
    "B": "All trunks are of type B: of n fibers in a plug, fiber i at one end is fiber n + 1 - i at the other. ",
    "": "",
}


def _words(panels: PanelPlan) -> str:
    counts = (
        f"{grouped(len(panels.frame_names))} frames with {grouped(panels.panel_count)} panels, "
        f"{grouped(len(panels.trunk_names))} trunks and {grouped(len(panels.jumper_port))} jumpers. "
    )
    kind = PANEL_KINDS[int(panels.kind[0])]
    return f"{counts}{_POSITIONS[kind]} {_POLARITY[panels.polarity]}Pull all trunks of a frame first, then plug in its jumpers."


def _place(plan: Plan, frame: int) -> str:
    panels = plan.panels
    slot = plan.room.slot_names[panels.frame_slot[frame]]
    return (
        f"On cabinet {slot}, at its cable exit"
        if panels.frame_cabinet[frame] >= 0
        else f"In the trays, at the tray node of {slot}"
    )


def _printed(declared: Table, plan: Plan, rows: list[int]) -> tuple[list[Column], list[list[str]]]:
    return filled(*printed(declared, declared.data(plan), rows))


# -- elevations -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Face:
    """One side of a panel: rows of bays, for each bay its sockets in use and their number."""

    bays: list[list[tuple[str, set[int], int]]]

    @property
    def rows(self) -> list[int]:
        """Rows of sockets in each row of bays."""
        return [max(1, *(-(-count // _PORTS_ACROSS) for _, _, count in row)) for row in self.bays]


def _elevation(plan: Plan, frame: int) -> Iterator[Block]:
    """Yield drawings of the panels of a frame from the top down, front and rear next to each other."""
    panels = plan.panels
    own = np.flatnonzero(panels.frame == frame)[::-1].tolist()
    faces = _faces(plan, own)
    height = max(sum(face.rows) for both in faces.values() for face in both) * _ROW + 2 * _EDGE
    count = max(int(_DRAWING / height), 1)
    for start in range(0, len(own), count):
        yield _drawing(panels, own[start : start + count], faces, height)


def _drawing(panels: PanelPlan, chosen: list[int], faces: dict[int, tuple[_Face, _Face]], height: float) -> Block:
    width = (TEXT_WIDTH - _NAME - _GAP) / 2

    def draw(pen: Pen, x: float, top: float) -> None:
        left, unit = x + _NAME, "" if panels.kind[chosen[0]] else "U"
        for text, at in (("front", left), ("rear", left + width + _GAP)):
            pen.text(at, top - 8, text, 6.5, font=BOLD, color=MUTED)
        y = top - 12
        for panel in chosen:
            y -= height
            pen.text(x, y + height / 2 - 2, f"{unit}{panels.unit[panel]}", 6.5, color=MUTED)
            pen.text(x + 20, y + height / 2 - 2, str(panels.names[panel]), 6.5, font=BOLD, width=_NAME - 24)
            for face, at in zip(faces[panel], (left, left + width + _GAP), strict=True):
                _draw_face(pen, face, at, y, width, height)

    return Block(len(chosen) * height + 16, draw)


def _draw_face(pen: Pen, face: _Face, x: float, y: float, width: float, height: float) -> None:
    pen.box(x, y, width, height, PAPER, DARK, weight=0.6)
    top = y + height
    for row, rows in zip(face.bays, face.rows, strict=True):
        deep = height * rows / sum(face.rows)
        top -= deep
        _draw_bays(pen, row, x, top, width, deep)


def _draw_bays(pen: Pen, row: list[tuple[str, set[int], int]], x: float, y: float, width: float, height: float) -> None:
    share = width / len(row)
    for place, (name, used, count) in enumerate(row):
        left, room = x + place * share, share - (9 if name else 2)
        if place:
            pen.line([(left, y), (left, y + height)], MUTED, 0.3)
        if name:
            pen.text(left + 2, y + height / 2 - 2, name, MIN_PT, color=MUTED)
        across = min(count, _PORTS_ACROSS)
        pitch = room / max(across, 1)
        for number in range(1, count + 1):
            line, column = divmod(number - 1, _PORTS_ACROSS)
            at, base = left + share - room - 1 + column * pitch, y + height - _EDGE - (line + 1) * _ROW + 1
            lit = number in used
            pen.box(at + 0.3, base, pitch - 0.6, _ROW - 2, ACCENT_LIGHT if lit else PAPER, ACCENT if lit else MUTED, weight=0.3)
            pen.text(at + pitch / 2, base + 2, str(number), MIN_PT, color=DARK if lit else MUTED, align="center", width=pitch)


def _faces(plan: Plan, own: list[int]) -> dict[int, tuple[_Face, _Face]]:
    """Return front and rear of some panels; bays of the rear from right to left, empty ones without sockets."""
    panels, parts = plan.panels, plan.catalog.bundling
    front = _used(panels.jumper_panel, panels.jumper_cassette, panels.jumper_port)
    rear = _used(panels.plug_panel.ravel(), panels.plug_cassette.ravel(), panels.plug_socket.ravel())
    sizes = {one.id: (one.ports, one.trunk_plugs) for one in parts.cassettes}
    bay = {
        (panel, number): (cassette, *sizes[panels.parts[part]])
        for cassette, (panel, number, part) in enumerate(
            zip(panels.cassette_panel.tolist(), panels.cassette_bay.tolist(), panels.cassette_part.tolist(), strict=True)
        )
    }
    highest = max((max(used) for used in rear.values()), default=1)
    ports = parts.shuffle_box.router_ports if PANEL_KINDS[panels.kind[0]] == "shuffle box" else _cores(plan)
    found = {}
    for panel in own:
        rows = [[("", -1, ports, highest)]]
        if bay:
            rows = [[(str(number), *bay.get((panel, number), (-1, 0, 0))) for number in row] for row in parts.panel.bay_rows]
        faces = [
            [[(name, used.get((panel, one), set()), count[side]) for name, one, *count in row] for row in rows]
            for side, used in enumerate((front, rear))
        ]
        found[panel] = (_Face(faces[0]), _Face([row[::-1] for row in faces[1]]))
    return found


def _cores(plan: Plan) -> int:
    """Return the plugs of a fan-out."""
    return int(plan.cables.bundle_capacity[plan.panels.trunk_bundle].max(initial=1))


def _used(panel: np.ndarray, cassette: np.ndarray, number: np.ndarray) -> dict[tuple[int, int], set[int]]:
    """Return the sockets in use by panel and cassette."""
    rows = sorted(zip(panel.tolist(), cassette.tolist(), number.tolist(), strict=True))
    return {key: {socket for *_, socket in own} for key, own in groupby(rows, key=lambda row: row[:2])}
