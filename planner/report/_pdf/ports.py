"""Faceplates of the devices of a cabinet: the cable in every port."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from planner.model import Plan
from planner.parts import MANAGEMENT, Face
from planner.report._cabinets import Box
from planner.report._pdf.blocks import Block
from planner.report._pdf.canvas import ACCENT, ACCENT_LIGHT, DARK, MUTED, Pen
from planner.report._pdf.faces import draw_face
from planner.report._pdf.fonts import BOLD, MIN_PT, width_of
from planner.report._pdf.sheet import TEXT_WIDTH
from planner.scene.faceplate import Rectangle, ports, sockets

_BAR, _LEVEL, _UPRIGHT = 11.0, 14.5, 27.0
"""Height of a title, and of a row of sockets with level and with upright numbers of cables."""
_WIDEST = 34.0


@dataclass(frozen=True)
class PortFaces:
    """The cables of every box by port.

    Attributes
    ----------
    plugged
        Number of the cable in each port of the devices of a box, by the box.
    faces
        The front and the rear of each part.
    digits
        Digits of the largest number of a cable.
    """

    plan: Plan
    plugged: dict[int, dict[int, int]]
    faces: list[dict[str, Face]]
    digits: int

    @classmethod
    def of(cls, plan: Plan) -> PortFaces:
        """Gather the ports in use from the cables."""
        plugged: dict[int, dict[int, int]] = defaultdict(dict)
        count = 0
        if plan.cables is not None:
            count = plan.cables.cable_count
            boxes = plan.placement.box[plan.cables.device]
            for side in (0, 1):
                for row, (box, port) in enumerate(
                    zip(boxes[:, side].tolist(), plan.cables.port[:, side].tolist(), strict=True), 1
                ):
                    plugged[box][port] = row
        faces = [{side: part.face(side) for side in ("front", "rear")} for part in plan.inventory.parts]
        return cls(plan, plugged, faces, len(str(count)))

    def blocks(self, box: Box) -> list[Block]:
        """Return the sides of a box that have cables, each with the number of the cable in every port."""
        number, part = int(self.plan.placement.box[box.device]), int(self.plan.inventory.part[box.device])
        plugged, found = self.plugged.get(number, {}), []
        for side, face in self.faces[part].items():
            own = {port for socket in face.sockets for port in range(socket.first_port, socket.first_port + socket.ports)}
            here = {port: cable for port, cable in plugged.items() if port in own}
            if here:
                place = f"unit {box.unit}" if box.unit > 0 else "upright"
                used = f"{len(here)} of {len(own)} ports in use{self._arrangement(face, part, here)}"
                found.append(self._block(f"{box.name}, {place}, {side}", used, part, side, here))
        return found

    def _arrangement(self, face: Face, part: int, here: dict[int, int]) -> str:
        """Return a remark where the catalog does not state the arrangement of a port in use, or estimates it."""
        row, before = self.plan.inventory.parts[part], 0
        for group in row.groups:
            if (
                group.name != MANAGEMENT
                and group.name in face.derived
                and any(before < port <= before + group.count for port in here)
            ):
                return "; usual arrangement"
            before += group.count
        return "; estimated arrangement" if "faceplate" in row.estimates else ""

    def _names(self, part: int) -> list[str]:
        """Return the names of ports inside their groups: numbers, or the name of a group of one port."""
        groups = self.plan.inventory.parts[part].groups
        return [str(n) if group.count > 1 else group.name for group in groups for n in range(1, group.count + 1)]

    def _block(self, head: str, used: str, part: int, side: str, here: dict[int, int]) -> Block:
        face, names = self.faces[part][side], self._names(part)
        wide = min(TEXT_WIDTH, face.columns * _WIDEST)
        lanes = max(socket.ports for socket in face.sockets)
        upright = wide / face.columns * 0.86 / lanes < width_of("0" * self.digits, MIN_PT) + 1
        high = face.rows * (_UPRIGHT if upright else _LEVEL)

        def draw(pen: Pen, x: float, top: float) -> None:
            pen.box(x, top - _BAR, TEXT_WIDTH, _BAR, ACCENT_LIGHT, ACCENT)
            pen.text(x + 3, top - 8, head, 7, font=BOLD, color=ACCENT, width=TEXT_WIDTH * 0.6)
            pen.text(x + TEXT_WIDTH - 3, top - 8, used, 6, color=MUTED, align="right")
            box = Rectangle(x, top - _BAR - 2 - high, wide, high)
            draw_face(pen, f"{part}-{side}", face, box)
            cages = sockets(face, box)
            for number, socket in enumerate(face.sockets, 1):
                name = names[socket.first_port - 1] if socket.ports == 1 else str(number)
                _write_name(pen, name, cages[socket.cage])
            for port, place in ports(face, box).items():
                if port in here:
                    _write_cable(pen, str(here[port]), place, upright)

        return Block(_BAR + high + 6, draw)


def _write_name(pen: Pen, name: str, place: Rectangle) -> None:
    """Write the number of a socket in its upper left corner, where it fits."""
    if width_of(name, MIN_PT) < place.width - 1:
        pen.text(place.left + 1, place.bottom + place.height - MIN_PT, name, MIN_PT, color=MUTED)


def _write_cable(pen: Pen, cable: str, place: Rectangle, upright: bool) -> None:
    middle = place.left + place.width / 2
    if upright:
        pen.upright(middle, place.bottom + (place.height - MIN_PT) / 2, cable, MIN_PT, font=BOLD, color=DARK)
    else:
        pen.text(middle, place.bottom + 1.2, cable, MIN_PT, font=BOLD, color=DARK, align="center")
