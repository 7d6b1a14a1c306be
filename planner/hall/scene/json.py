"""A scene as plain values for a web page: shapes by layer and kind, styles with the names of colors, labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Any

from planner.domain.parts import Face
from planner.hall.scene import Label, Layer, Scene, Shape
from planner.hall.scene.labels import TYPES
from planner.hall.scene.palette import STYLES, Style

Pack = Callable[[list[float]], Any]


def content(scene: Scene, pack: Pack = list, *, named: bool = False) -> dict[str, Any]:
    """Return the scene; `pack` may shorten long lists of numbers.

    Each layer is a list of groups: kind, closed, aside, coordinates of all corners, the start of each shape among these, and
    where they are wanted the names of the shapes.
    """
    kinds = dict.fromkeys(shape.kind for shape in scene.shapes())
    return {
        "low_mm": list(scene.low_mm),
        "high_mm": list(scene.high_mm),
        "layers": [[layer.name, layer.pitch_mm, _groups(layer, pack, named)] for layer in scene.layers if layer.shapes],
        "labels": [_label(label) for label in scene.labels()],
        "styles": {kind: style(STYLES[kind]) for kind in kinds},
        "types": {kind: list(of) for kind, of in TYPES.items()},
    }


def style(of: Style) -> dict[str, Any]:
    """Return a style; its colors are names of colors."""
    return {**of._asdict(), "dash_pt": list(of.dash_pt)}


def face(of: Face) -> dict[str, Any]:
    """Return a faceplate: its size in columns and rows, and number, column, row and width of each port."""
    return {
        "columns": round(of.columns, 2),
        "rows": round(of.rows, 2),
        "ports": [
            [
                socket.first_port + lane,
                round(socket.column + lane / socket.ports, 2),
                round(socket.row, 2),
                round(1 / socket.ports, 2),
            ]
            for socket in of.sockets
            for lane in range(socket.ports)
        ],
    }


def _groups(layer: Layer, pack: Pack, named: bool) -> list[list[Any]]:
    found: dict[tuple[str, bool, bool], list[Shape]] = {}
    for shape in layer.shapes:
        found.setdefault((shape.kind, shape.closed, shape.aside), []).append(shape)
    return [
        [
            *key,
            pack(_numbers(shapes)),
            pack([0, *accumulate(len(s.points_mm) for s in shapes)]),
            *([[s.name for s in shapes]] if named else []),
        ]
        for key, shapes in found.items()
    ]


def _numbers(shapes: Iterable[Shape]) -> list[float]:
    return [round(number) for shape in shapes for point in shape.points_mm for number in point]


def _label(label: Label) -> dict[str, Any]:
    upright = None if label.upright_mm is None else list(label.upright_mm)
    found = {"kind": label.kind, "text": label.text, "at": list(label.at_mm), "space": list(label.space_mm), "upright": upright}
    return found | {"anchor": list(label.anchor), "on": "" if label.on is None else label.on.kind}
