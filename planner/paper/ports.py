"""Faceplates of the devices of a cabinet: the cable in every port."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from planner.domain.model import Plan
from planner.domain.parts import MANAGEMENT, Face
from planner.domain.parts.ports import UNDECLARED, Ported
from planner.hall.scene.faceplate import Rectangle, ports, sockets
from planner.paper.blocks import Block
from planner.paper.canvas import ACCENT, ACCENT_LIGHT, DARK, MUTED, Pen
from planner.paper.faces import draw_face
from planner.paper.fonts import BOLD, MIN_PT, printable, width_of
from planner.paper.sheet import TEXT_WIDTH
from planner.view.cabinets import Box

_BAR, _LEVEL, _UPRIGHT = 11.0, 14.5, 27.0
"""Height of a title, and of a row of sockets with level and with upright numbers of cables."""
_WIDEST, _GAP = 34.0, 8.0
"""Width of a column at most, and distance of small faceplates, in points."""
_HALF = (TEXT_WIDTH - _GAP) / 2


@dataclass(frozen=True)
class PortFaces:
    """The cables of every box by port.

    Attributes
    ----------
    plugged
        Number of the cable in each port of the devices of a box, by the box.
    faces
        The front and the rear of each part.
    names
        Texts to try in each socket of each part, see `_names`.
    digits
        Digits of the largest number of a cable.
    """

    plan: Plan
    plugged: dict[int, dict[int, int]]
    faces: list[dict[str, Face]]
    names: list[dict[int, tuple[str, ...]]]
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
        return cls(plan, plugged, faces, list(map(_names, plan.inventory.parts)), len(str(count)))

    def blocks(self, boxes: Iterable[Box]) -> list[Block]:
        """Return the sides of boxes that have cables, each with the number of the cable in every port; small ones in pairs."""
        shown = [one for box in boxes for one in self._shown(box)]
        found: list[Block] = []
        for small, own in groupby(shown, key=lambda one: one.columns * _WIDEST <= _HALF):
            several = list(own)
            across = 2 if small else 1
            rows = (several[start : start + across] for start in range(0, len(several), across))
            found += [_row(row, _HALF if small else TEXT_WIDTH) for row in rows]
        return found

    def _shown(self, box: Box) -> Iterator[_Shown]:
        """Yield the sides of a box that have cables."""
        number, part = int(self.plan.placement.box[box.device]), int(self.plan.inventory.part[box.device])
        plugged = self.plugged.get(number, {})
        for side, face in self.faces[part].items():
            own = {port for socket in face.sockets for port in range(socket.first_port, socket.first_port + socket.ports)}
            here = {port: cable for port, cable in plugged.items() if port in own}
            if here:
                place = f"unit {box.unit}" if box.unit > 0 else "upright"
                used = f"{len(here)} of {len(own)} ports in use{self._arrangement(face, part, here)}"
                yield _Shown(f"{box.name}, {place}, {side}", used, f"{part}-{side}", face, self.names[part], here, self.digits)

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


def _names(part: Ported) -> dict[int, tuple[str, ...]]:
    """Return the texts to try for each socket, longest first: its number in its group, the first with the group's name."""
    found: dict[int, tuple[str, ...]] = {}
    for group in part.groups:
        for number in range(1, group.cages + 1):
            texts = (str(number),) if group.count > 1 else ()
            named = number == 1 and group.name != UNDECLARED
            found[len(found) + 1] = (f"{group.name} {number}" if texts else group.name, *texts) if named else texts
    return found


class _Shown(NamedTuple):
    """One side of a box: title and remark, its name in the file, its sockets, their texts, and the cables by port."""

    head: str
    used: str
    name: str
    face: Face
    names: dict[int, tuple[str, ...]]
    here: dict[int, int]
    digits: int

    @property
    def columns(self) -> float:
        return self.face.columns

    def is_upright(self, wide: float) -> bool:
        """Return whether the numbers of cables are upright, because sockets are narrow."""
        lanes = max(socket.ports for socket in self.face.sockets)
        return wide / self.columns * 0.86 / lanes < width_of("0" * self.digits, MIN_PT) + 1

    def height(self, width: float) -> float:
        """Return the height of the sockets in a width."""
        return self.face.rows * (_UPRIGHT if self.is_upright(min(width, self.columns * _WIDEST)) else _LEVEL)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        """Draw the title, and below it the sockets with the numbers of their cables."""
        wide, high = min(width, self.columns * _WIDEST), self.height(width)
        pen.box(x, top - _BAR, width, _BAR, ACCENT_LIGHT, ACCENT)
        pen.text(x + 3, top - 8, self.head, 7, font=BOLD, color=ACCENT, width=width * 0.52)
        pen.text(x + width - 3, top - 8, self.used, 6, color=MUTED, align="right", width=width * 0.45)
        box = Rectangle(x, top - _BAR - 2 - high, wide, high)
        draw_face(pen, self.name, self.face, box)
        cages = sockets(self.face, box)
        for cage, place in cages.items():
            _write_name(pen, self.names[cage], place)
        for port, place in ports(self.face, box).items():
            if port in self.here:
                _write_cable(pen, str(self.here[port]), place, self.is_upright(wide))


def _row(shown: Sequence[_Shown], width: float) -> Block:
    def draw(pen: Pen, x: float, top: float) -> None:
        for place, one in enumerate(shown):
            one.draw(pen, x + place * (width + _GAP), top, width)

    return Block(_BAR + max(one.height(width) for one in shown) + 6, draw)


def _write_name(pen: Pen, names: Sequence[str], place: Rectangle) -> None:
    """Write the first name that fits into the upper left corner of a socket."""
    fitting = next((name for name in names if width_of(printable(name), MIN_PT) < place.width - 1), "")
    pen.text(place.left + 1, place.bottom + place.height - MIN_PT, fitting, MIN_PT, color=MUTED)


def _write_cable(pen: Pen, cable: str, place: Rectangle, upright: bool) -> None:
    middle = place.left + place.width / 2
    if upright:
        pen.upright(middle, place.bottom + (place.height - MIN_PT) / 2, cable, MIN_PT, font=BOLD, color=DARK)
    else:
        pen.text(middle, place.bottom + 1.2, cable, MIN_PT, font=BOLD, color=DARK, align="center")
