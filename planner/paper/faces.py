"""Faceplates on paper: the ports of a device as the box has them, those of a task lit."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from reportlab.lib.colors import Color

from planner.domain.parts import Face
from planner.hall.scene.faceplate import Rectangle, ports, sockets
from planner.paper.canvas import ACCENT, DARK, FAINT, MUTED, PAPER, RULE, Pen, color_of
from planner.paper.fonts import BOLD, MIN_PT, width_of

LIT = color_of("chosen")
"""Color of the ports that a task uses."""

_ROW, _COLUMN = 9.6, 21.0
"""Height of a row of sockets and width of a column, at most, in points."""
NUMBERS = 7.0
"""Height above and below a faceplate for the numbers of its sockets."""


def face_height(face: Face) -> float:
    """Return the height of a faceplate with large sockets, without the numbers, in points."""
    return face.rows * _ROW


def face_width(face: Face, width: float) -> float:
    """Return the width of a faceplate with large sockets, in points."""
    return min(width, face.columns * _COLUMN)


def draw_face(pen: Pen, name: str, face: Face, box: Rectangle, used: Collection[int] = ()) -> None:
    """Draw a faceplate; `name` is equal for equal faces, which the file then has once. `used` ports are shaded."""
    if not face.sockets:
        return
    own = Rectangle(0, 0, box.width, box.height)

    def bare() -> None:
        edges = [(place.left, place.bottom, place.width, place.height) for place in sockets(face, own).values()]
        pen.rectangles(edges, MUTED)
        inner = min(0.4, min(edges[0][2:]) * 0.08)
        pen.rectangles([(x + inner, y + inner, wide - 2 * inner, high - 2 * inner) for x, y, wide, high in edges], PAPER)
        for socket in face.sockets:
            place = sockets_of[socket.cage]
            for lane in range(1, socket.ports):
                x = place.left + lane * place.width / socket.ports
                pen.line([(x, place.bottom), (x, place.bottom + place.height)], RULE, 0.25)

    sockets_of = sockets(face, own)
    pen.stamp(f"face-{name}-{box.width:.2f}-{box.height:.2f}", bare, box.left, box.bottom)
    if used:
        places = ports(face, box)
        shaded = [places[port] for port in sorted(used) if port in places]
        pen.rectangles([(x + 0.4, y + 0.4, wide - 0.8, high - 0.8) for x, y, wide, high in shaded], MUTED)


def light(pen: Pen, face: Face, box: Rectangle, lit: Mapping[int, str], *, named: bool = False) -> None:
    """Fill the ports of a task and write their numbers; those of twin sockets are above or below, the names of groups below."""
    places = ports(face, box)
    for port, name in lit.items():
        if port not in places:
            continue
        left, bottom, wide, high = places[port]
        pen.box(left, bottom, wide, high, LIT, DARK, weight=0.3)
        shown = name.rpartition("/")[2]
        if shown.isdigit() and width_of(shown, MIN_PT, BOLD) <= wide - 0.4 and high >= MIN_PT:
            pen.text(left + wide / 2, bottom + high / 2 - MIN_PT * 0.36, shown, MIN_PT, font=BOLD, color=PAPER, align="center")
    _number_sockets(pen, face, box, lit)
    if named:
        _name_groups(pen, places, lit)


def _name_groups(pen: Pen, places: Mapping[int, Rectangle], lit: Mapping[int, str]) -> None:
    """Write the name of each group below its first port of the task."""
    written: set[str] = set()
    for port, name in sorted(lit.items()):
        group = name.partition("/")[0]
        if port in places and not group.isdigit() and group not in written:
            written.add(group)
            place = places[port]
            pen.text(place.left, place.bottom - MIN_PT, group, MIN_PT, color=MUTED)


def _number_sockets(pen: Pen, face: Face, box: Rectangle, lit: Mapping[int, str]) -> None:
    """Write the numbers of sockets with several ports above the uppermost row, or below the lowest."""
    places, bottom_row = sockets(face, box), max(socket.row for socket in face.sockets)
    for socket in face.sockets:
        own = [lit[port] for port in range(socket.first_port, socket.first_port + socket.ports) if port in lit]
        if socket.ports == 1 or not own or (0 < socket.row < bottom_row):
            continue
        number = own[0].split("/")[-2] if "/" in own[0] else ""
        place = places[socket.cage]
        y = place.bottom + place.height + 1.2 if socket.row == 0 else place.bottom - MIN_PT + 0.3
        pen.text(place.left + place.width / 2, y, number, MIN_PT, color=ACCENT, align="center")


def draw_swatch(pen: Pen, x: float, y: float, text: str, fill: Color = FAINT) -> float:
    """Draw an entry of the legend; return where the next begins."""
    pen.box(x, y - 1, 9, 6.5, fill, MUTED, weight=0.25)
    pen.text(x + 12, y, text, MIN_PT, color=MUTED)
    return x + 12 + width_of(text, MIN_PT) + 12
