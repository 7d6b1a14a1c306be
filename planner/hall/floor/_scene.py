"""The scene of a floor plan file: that of its room, with what only the file has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from planner.domain.model import Room
from planner.hall.floor._drawing import Drawing
from planner.hall.floor._slots import exits_of
from planner.hall.scene import Layer, Scene, Shape
from planner.hall.scene.room import front, room_scene, tray_names

FACTS: tuple[str, ...] = (
    "title",
    "source",
    "confidence",
    "date",
    "note",
    "estimates",
    "tile_mm",
    "design_fill",
    "max_fill",
    "fill_shape",
)
FACTS += ("tray_reach_mm", "passage_mm")
RISER_FACTS = ("name", "at_mm", "width_mm", "height_mm")
# Limits of a zone per slot are stored at the slots.
ZONE_FACTS = ("total_power_mw", "total_cooling_mw", "total_load_g")
_TRAY_FACTS = ("name", "width_mm", "height_mm", "kind", "carries", "bend_mm", "serves")
_OBSTACLE_FACTS = ("clearance_mm", "opens", "hinge")


def drawing_scene(drawing: Drawing, room: Room) -> Scene:
    """Return the scene of a floor plan file; the walls between halls have a layer of their own."""
    scene = room_scene(room)
    obstacles, trays = scene.layer("obstacles"), scene.layer("trays")
    own = len(drawing.obstacle)
    pairs = zip(obstacles.shapes[:own], drawing.obstacle, strict=True)
    added = {
        "obstacles": Layer("obstacles", [_with(shape, rule, _OBSTACLE_FACTS) for shape, rule in pairs], obstacles.labels),
        "penetrations": Layer("penetrations", list(_penetrations(scene, drawing))),
        "slots": replace(scene.layer("slots"), shapes=list(_slots(scene, drawing))),
        "trays": Layer("trays", [*_trays(drawing), *_risers(trays, drawing)]),
    }
    layers = [added.get(layer.name, layer) for layer in scene.layers]
    walls, zones = Layer("walls", obstacles.shapes[own:]), Layer("zones", list(_zones(drawing)))
    facts = {key: getattr(drawing, key) for key in FACTS}
    fronts = Layer("fronts", [front(shape) for shape in added["slots"].shapes])
    return replace(scene, layers=layers, facts=facts).with_layers(walls, fronts, zones, tray_names(room))


def _with(shape: Shape, rule: Any, keys: tuple[str, ...]) -> Shape:
    given = {key: fact for key in keys if (fact := getattr(rule, key)) not in (None, "")}
    return replace(shape, facts={**shape.facts, **given})


def _penetrations(scene: Scene, drawing: Drawing) -> Iterator[Shape]:
    for shape, rule in zip(scene.layer("penetrations").shapes, drawing.penetration, strict=True):
        yield _with(replace(shape, facts={"name": rule.name}), rule, ("through", "height_mm", "elevation_mm"))


def _slots(scene: Scene, drawing: Drawing) -> Iterator[Shape]:
    for shape, leaving in zip(scene.layer("slots").shapes, exits_of(drawing), strict=True):
        yield replace(shape, facts={**shape.facts, "exit": leaving})


def _trays(drawing: Drawing) -> Iterator[Shape]:
    for rule in drawing.tray:
        under, path = rule.elevation_mm < 0, [(float(x), float(y)) for x, y in rule.path_mm]
        kind = "tray under the floor" if under else "fiber tray" if rule.carries == "fiber" else "tray"
        about = f"{rule.name}: {rule.kind}, {rule.elevation_mm} mm, {'all cables' if rule.carries == 'any' else rule.carries}"
        shape = Shape(kind, path, closed=False, name=rule.name, about=about, width_mm=rule.width_mm, z_mm=rule.elevation_mm)
        yield _with(shape, rule, _TRAY_FACTS)


def _risers(trays: Layer, drawing: Drawing) -> Iterator[Shape]:
    rules = {rule.name: rule for rule in drawing.riser}
    for shape in trays.shapes:
        if shape.kind == "riser":
            rule = rules[shape.name]
            (x, y), half, deep = rule.at_mm, rule.width_mm / 2, rule.height_mm / 2
            corners = [(x - half, y - deep), (x + half, y - deep), (x + half, y + deep), (x - half, y + deep)]
            yield _with(replace(shape, points_mm=corners), rule, RISER_FACTS)


def _zones(drawing: Drawing) -> Iterator[Shape]:
    for rule in drawing.zone:
        if any(getattr(rule, key) is not None for key in ZONE_FACTS):
            corners = [(float(x), float(y)) for x, y in rule.corners or ()]
            yield _with(Shape("zone", corners, name=rule.name, about=rule.name, facts={"name": rule.name}), rule, ZONE_FACTS)
