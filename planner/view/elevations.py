"""Elevations of all cabinets as a scene: front and rear of each, with the sockets of every device."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from planner.core.errors import InputError, Problem
from planner.domain.model import Plan
from planner.domain.parts.ports import Side
from planner.hall.scene import Label, Layer, Point, Scene, Shape
from planner.hall.scene.faceplate import Rectangle, shapes
from planner.view.cabinets import Box, Cabinet, cabinets
from planner.view.selection import Selection

_APART_MM, _BETWEEN_MM, _ABOVE_MM = 500.0, 900.0, 400.0
"""Distance of front and rear of a cabinet, of cabinets, and of rows of cabinets; the last above the names."""
_ACROSS = 8
_SIDES: tuple[Side, ...] = ("front", "rear")
_NAME_SHARE = 0.34
"""Share of the width of a box that its name takes."""


def chosen_cabinets(plan: Plan, cabinet: str | None, row: str | None) -> list[Cabinet]:
    """Return the cabinets of a name or row, or all.

    Raises
    ------
    InputError
        When there is no such cabinet or row.
    """
    numbers = set(Selection(cabinet=cabinet, row=row).cabinets(plan).tolist())
    placed = cabinets(plan) if plan.placement is not None and plan.catalog is not None else []
    return [each for each in placed if each.number in numbers]


def elevation_scene(plan: Plan, placed: Sequence[Cabinet]) -> Scene:
    """Return the front and the rear of some cabinets in millimeters, several next to each other; units are counted from below.

    Raises
    ------
    InputError
        When there is no cabinet.
    """
    if not placed:
        raise InputError(Problem("", "the plan places no cabinets", "run the study to its end"))
    part = plan.catalog.cabinet
    wide, unit = float(part.width_mm), part.unit_um / 1000
    high = unit * part.units
    pitch, step = 2 * wide + _APART_MM + _BETWEEN_MM, high + 2 * _ABOVE_MM
    used = _used(plan)
    frames: list[Shape] = []
    boxes: list[Shape] = []
    sockets: list[Shape] = []
    labels: list[Label] = []
    for number, cabinet in enumerate(placed):
        row, column = divmod(number, _ACROSS)
        for place, side in enumerate(_SIDES):
            left, foot = column * pitch + place * (wide + _APART_MM), -row * step - high
            frame = Rectangle(left, foot, wide, high)
            title = f"{cabinet.name}, seen from the {side}"
            frames.append(Shape("elevation", frame.corners, name=title, about=title))
            labels.append(Label("rows", title, (left + wide / 2, foot + high + 60), anchor=(0, -1)))
            for box in (*cabinet.boxes, *cabinet.fixtures, *cabinet.others):
                if 1 <= box.unit <= cabinet.units:
                    tall = max(min(box.units, cabinet.units - box.unit + 1), 0.4) * unit
                    own = Rectangle(left + 20, foot + (box.unit - 1) * unit + 1, wide - 40, tall - 2)
                    shape = Shape(_KINDS.get(box.kind, "fixture"), own.corners, name=box.name, about=_about(cabinet, box))
                    boxes.append(shape)
                    labels.append(_name(box, own, shape))
                    sockets += _sockets(plan, box, own, side, used)
    rows = (len(placed) - 1) // _ACROSS + 1
    low = (-_BETWEEN_MM, -rows * step)
    right: Point = (min(len(placed), _ACROSS) * pitch, _ABOVE_MM)
    layers = (Layer("cabinets", frames), Layer("boxes", boxes, labels), Layer("ports", sockets))
    return Scene(f"{plan.title or plan.name}, elevations", low, right, layers, upright=True)


_KINDS = {"router": "router box", "endpoint": "node box"}


def _about(cabinet: Cabinet, box: Box) -> str:
    return f"{cabinet.name}, unit {box.unit}: {box.name}" + (f", PDU {box.plugs}" if box.plugs else "")


def _name(box: Box, own: Rectangle, shape: Shape) -> Label:
    space = (own.width * _NAME_SHARE - 10, own.height * 0.9)
    return Label("notes", box.name, (own.left + own.width * _NAME_SHARE / 2, own.bottom + own.height / 2), space, on=shape)


def _sockets(plan: Plan, box: Box, own: Rectangle, side: Side, used: dict[int, set[int]]) -> Iterator[Shape]:
    if box.part is None:
        return
    face = box.part.face(side)
    if face.sockets:
        tall = min(own.height - 4, face.rows * 20.0)
        share = own.width * (1 - _NAME_SHARE)
        place = Rectangle(own.left + own.width - share, own.bottom + (own.height - tall) / 2, share - 5, tall)
        yield from shapes(face, place, box.name, used.get(int(plan.placement.box[box.device]), set()))


def _used(plan: Plan) -> dict[int, set[int]]:
    """Return the ports in use of each box."""
    found: dict[int, set[int]] = defaultdict(set)
    if plan.cables is not None:
        boxes = plan.placement.box[plan.cables.device].ravel().tolist()
        for box, port in zip(boxes, plan.cables.port.ravel().tolist(), strict=True):
            found[box].add(port)
    return found
