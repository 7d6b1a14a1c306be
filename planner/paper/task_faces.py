"""The devices of a task on paper: a faceplate for each, with the ports to use lit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from planner.domain.model import Plan
from planner.domain.parts import Face, PortGroup, SocketBlock
from planner.domain.parts.faceplate import face
from planner.domain.parts.ports import Side
from planner.hall.scene.faceplate import Rectangle, ports
from planner.paper.canvas import DARK, MUTED, Pen
from planner.paper.faces import NUMBERS, draw_face, face_height, face_width, light
from planner.paper.fonts import BOLD, MIN_PT
from planner.view.cabinets import devices_by_box
from planner.view.figures import runs
from planner.view.legs import Leg
from planner.view.names import cabinet_names, device_names

_TITLE = 8.5
_NAMED = 4
"""Devices that a title names; more are counted."""
_TALLEST = 110.0
"""Height of the sockets of one faceplate, at most."""


class Item(NamedTuple):
    """A faceplate: its title, its name for the file, its sockets, and the names of the lit ports by their numbers."""

    title: str
    name: str
    face: Face
    lit: dict[int, str]

    @property
    def height(self) -> float:
        """Height on paper, in points."""
        return _TITLE + self._rows + (NUMBERS if self._numbered else 0) + (NUMBERS if self._numbered or self._grouped else 0) + 4

    @property
    def _rows(self) -> float:
        return min(face_height(self.face), _TALLEST)

    @property
    def _numbered(self) -> bool:
        return any(socket.ports > 1 for socket in self.face.sockets)

    @property
    def _grouped(self) -> bool:
        return self.face.rows == 1 and any("/" in name or not name.isdigit() for name in self.lit.values())

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        """Draw the title and the faceplate below it."""
        pen.text(x, top - 6.5, self.title, MIN_PT + 0.5, font=BOLD, color=DARK, width=width)
        box = self.box(x, top, width)
        draw_face(pen, self.name, self.face, box)
        light(pen, self.face, box, self.lit, named=self.face.rows == 1)
        if not self.face.sockets:
            pen.text(x, box.bottom, "no sockets in the catalog", MIN_PT, color=MUTED)

    def box(self, x: float, top: float, width: float) -> Rectangle:
        """Return where the sockets are drawn."""
        bottom = top - self.height + 4 + (NUMBERS if self._numbered or self._grouped else 0)
        return Rectangle(x, bottom, face_width(self.face, width), self._rows)

    def ports(self, x: float, top: float, width: float) -> dict[int, Rectangle]:
        """Return where each port is drawn, by its number."""
        return ports(self.face, self.box(x, top, width))


@dataclass(frozen=True)
class TaskFaces:
    """Faceplates of the devices of a plan."""

    plan: Plan

    def of(self, legs: Sequence[Leg]) -> list[Item]:
        """Return the faceplates of the devices and panels of some legs: cabinets in the order of the legs, top down.

        Devices of one part with the same lit ports share a faceplate.
        """
        lit: dict[int, dict[int, str]] = defaultdict(dict)
        for plug in (plug for leg in legs for plug in leg.plugs):
            lit[self._box[plug.device]][plug.port] = plug.printed
        alike: dict[tuple, list[int]] = defaultdict(list)
        first = list(dict.fromkeys(int(self._cabinet[self._boxes[box][0]]) for box in lit))
        for box in sorted(lit, key=lambda box: self._order(box, first)):
            part = self.plan.inventory.part[self._boxes[box][0]]
            alike[int(part), tuple(sorted(lit[box].items()))].append(box)
        found = [
            self._item(part, boxes, dict(ports), side)
            for (part, ports), boxes in alike.items()
            for side in self._sides(part, ports)
        ]
        return found + self._panels(legs)

    def of_device(self, name: str, lit: dict[int, str]) -> list[Item]:
        """Return the faceplates of a device by its name, with these ports lit: one for each side that has any of them."""
        if name not in self._number:
            return []
        device = self._number[name]
        part = int(self.plan.inventory.part[device])
        return [self._item(part, [self._box[device]], lit, side) for side in self._sides(part, tuple(lit.items()))]

    def _panels(self, legs: Sequence[Leg]) -> list[Item]:
        """Return the faceplates of panels: bays in rows as they are seen, in each the sockets of its cassette."""
        panels = self.plan.panels
        lit: dict[tuple[int, bool], dict[int, str]] = defaultdict(dict)
        for socket in (socket for leg in legs for socket in leg.sockets):
            size = self._bay_size(socket.panel, socket.rear)
            number = (max(socket.bay, 1) - 1) * size + socket.socket
            lit[socket.panel, socket.rear][number] = str(socket.socket)
        found = []
        for (panel, rear), own in sorted(lit.items()):
            side: Side = "rear" if rear else "front"
            size = self._bay_size(panel, rear)
            rows = [[1]] if panels.kind[panel] else self.plan.catalog.bundling.panel.bay_rows
            # The rear is seen from the rear: the first bay of a row is at the right.
            seen = [row[::-1] if rear else row for row in rows]
            blocks = [
                SocketBlock(first=(bay - 1) * size + 1, sockets=size, below=number > 0 and bay == row[0])
                for number, row in enumerate(seen)
                for bay in row
            ]
            bays = len(blocks)
            group = PortGroup(name="sockets", count=bays * size, connector="plug", rate_gbps=1, side=side)
            shown = face((group,), blocks, side)
            mark = "#" if panels.kind[panel] else "U"
            title = f"{panels.frame_names[panels.frame[panel]]} {mark}{panels.unit[panel]}, {panels.names[panel]}, {side}"
            found.append(Item(title, f"panel-{bays}-{size}-{side}", shown, own))
        return found

    def _bay_size(self, panel: int, rear: bool) -> int:
        """Return the number of sockets that are drawn in a bay: of the largest cassette, or of the box."""
        panels, parts = self.plan.panels, self.plan.catalog.bundling
        if panels.kind[panel]:
            used = panels.plug_socket.max(initial=1) if rear else panels.jumper_port.max(initial=1)
            return int(used)
        ids = set(panels.parts)
        own = [(one.trunk_plugs if rear else one.ports) for one in parts.cassettes if one.id in ids]
        return max(own, default=1)

    def _item(self, part: int, boxes: list[int], lit: dict[int, str], side: str) -> Item:
        face = self._faces[part][side]
        own = _numbers(face)
        shown = {port: name for port, name in lit.items() if port in own or not own}
        return Item(f"{self._title(boxes)}, {side}", f"{part}-{side}", face, shown)

    def _sides(self, part: int, ports: tuple[tuple[int, str], ...]) -> list[str]:
        """Return the sides of a device with these ports; its port side where the catalog has no sockets."""
        found = [side for side, face in self._faces[part].items() if _numbers(face) & {port for port, _ in ports}]
        return found or [self.plan.inventory.parts[part].port_side]

    def _title(self, boxes: list[int]) -> str:
        """Return cabinets, units and names of boxes: those of one, or of several as ranges."""
        placement = self.plan.placement
        by_cabinet: dict[int, list[int]] = defaultdict(list)
        for box in boxes:
            by_cabinet[int(placement.cabinet[self._boxes[box][0]])].append(box)
        texts = []
        for cabinet, own in by_cabinet.items():
            units = sorted(int(placement.unit[self._boxes[box][0]]) for box in own)
            where = f"U{runs(units)}" if units[0] > 0 else "upright"
            names = [self._device_names[device] for box in own for device in self._boxes[box]]
            shown = ", ".join(names) if len(names) <= _NAMED else f"{len(names)} devices"
            texts.append(f"{self._cabinet_names[cabinet]} {where}, {shown}")
        return "; ".join(texts)

    def _order(self, box: int, cabinets: list[int]) -> tuple[int, int]:
        device = self._boxes[box][0]
        return cabinets.index(int(self.plan.placement.cabinet[device])), -int(self.plan.placement.unit[device])

    @cached_property
    def _boxes(self) -> list[list[int]]:
        return devices_by_box(self.plan)

    @cached_property
    def _box(self) -> list[int]:
        return self.plan.placement.box.tolist()

    @cached_property
    def _faces(self) -> list[dict[str, Face]]:
        return [{side: part.face(side) for side in ("front", "rear")} for part in self.plan.inventory.parts]

    @cached_property
    def _cabinet(self) -> list[int]:
        return self.plan.placement.cabinet.tolist()

    @cached_property
    def _device_names(self) -> list[str]:
        return device_names(self.plan)

    @cached_property
    def _number(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self._device_names)}

    @cached_property
    def _cabinet_names(self) -> list[str]:
        return cabinet_names(self.plan)


def _numbers(face: Face) -> set[int]:
    """Return the ports of a face."""
    return {port for socket in face.sockets for port in range(socket.first_port, socket.first_port + socket.ports)}
