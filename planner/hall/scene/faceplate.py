"""Faceplates as drawings: the rectangles of sockets and ports on a box of any size."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from planner.domain.parts import Face
from planner.hall.scene import Point, Shape

_WIDEST = 2.2
"""Width of a socket in its height, at most."""
_INSET = 0.07
"""Distance of a socket from the edges of its column and row, as a share of these."""


class Rectangle(NamedTuple):
    """A rectangle by its lower left corner, in the unit of the box."""

    left: float
    bottom: float
    width: float
    height: float

    @property
    def corners(self) -> list[Point]:
        """Corners, counterclockwise from the lower left one."""
        left, bottom, right, top = self.left, self.bottom, self.left + self.width, self.bottom + self.height
        return [(left, bottom), (right, bottom), (right, top), (left, top)]


def sockets(face: Face, box: Rectangle) -> dict[int, Rectangle]:
    """Return the rectangle of each socket by its number: as large as the box allows, in its middle."""
    if not face.sockets:
        return {}
    high = box.height / face.rows
    wide = min(box.width / face.columns, _WIDEST * high)
    left, top = box.left + (box.width - wide * face.columns) / 2, box.bottom + box.height
    return {
        socket.cage: Rectangle(
            left + (socket.column + _INSET) * wide,
            top - (socket.row + 1 - _INSET) * high,
            (1 - 2 * _INSET) * wide,
            (1 - 2 * _INSET) * high,
        )
        for socket in face.sockets
    }


def ports(face: Face, box: Rectangle) -> dict[int, Rectangle]:
    """Return the rectangle of each port by its number: ports of one socket are side by side."""
    places = sockets(face, box)
    found = {}
    for socket in face.sockets:
        left, bottom, wide, high = places[socket.cage]
        own = wide / socket.ports
        for lane in range(socket.ports):
            found[socket.first_port + lane] = Rectangle(left + lane * own, bottom, own, high)
    return found


def shapes(face: Face, box: Rectangle, name: str, used: Collection[int] = ()) -> Iterator[Shape]:
    """Yield the ports of a box as shapes; `used` are the ports with a cable."""
    for port, place in ports(face, box).items():
        kind, word = ("port in use", "in use") if port in used else ("free port", "free")
        yield Shape(kind, place.corners, name=f"{name}:{port}", about=f"{name}, port {port}: {word}")
