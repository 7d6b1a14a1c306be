"""Both floors of a difference as scenes: devices that leave and come, and the routes of the changed cables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from planner.domain.model import Plan
from planner.hall.scene import Layer, Point, Scene, Shape
from planner.hall.scene.room import slot_labels
from planner.hall.scene.trays import route_path
from planner.studies.diff.result import Comparison
from planner.view.cabinets import cabinets
from planner.view.floor import plan_scene
from planner.view.schedule import ADDED, MOVED, REMOVED, REPLUGGED, SAME, Connection, DeviceChange

LAYERS = {
    REMOVED: "cables removed", REPLUGGED: "cables re-plugged", MOVED: "cables moved", ADDED: "cables added",
}  # fmt: skip
"""Layers and styles of the changed cables."""

MOVES = "device moves"

_APART_MM, _THINNEST_MM, _WIDEST_MM = 60, 20, 160
"""Distance of the routes of two kinds, and the width of lines of one and of many cables."""


class Floor(NamedTuple):
    """A floor: which plan it is, what it shows, and the scene."""

    which: str
    title: str
    scene: Scene


def floors(found: Comparison) -> list[Floor]:
    """Return the floor before and the floor after the change; that of a schedule is unknown."""
    made = []
    for which, given, kinds in (("old", found.old, (REMOVED, REPLUGGED, MOVED)), ("new", found.new, (ADDED, REPLUGGED, MOVED))):
        plan = given.plan
        if plan is not None and plan.room is not None and plan.placement is not None and plan.catalog is not None:
            title = {"old": "Before the change", "new": "After the change"}[which]
            made.append(Floor(which, title, _scene(found, plan, which == "old", kinds)))
    return made


def _scene(found: Comparison, plan: Plan, is_old: bool, kinds: Sequence[str]) -> Scene:
    rows = {
        kind: [row for each in found.found.cables if each.kind == kind and (row := each.old if is_old else each.new) is not None]
        for kind in kinds
    }
    scene = plan_scene(plan, cabinets(plan))
    changed = found.found.changed_devices
    scene = scene.with_layers(without=("cabinets", "fronts", "trays", "rows", "panel frames")).with_layers(
        _cabinets(plan, scene, changed, found, is_old),
        *(scene.layer(name) for name in ("fronts", "trays", "rows")),
        Layer(MOVES, list(_moves(plan, changed))),
        *(Layer(LAYERS[kind], list(_routes(plan, LAYERS[kind], rows[kind], place))) for place, kind in enumerate(kinds)),
    )
    return replace(scene, title=f"{plan.title or plan.name}, {plan.room.title}")


def _cabinets(plan: Plan, scene: Scene, changed: Sequence[DeviceChange], found: Comparison, is_old: bool) -> Layer:
    """Return the cabinets, with the number of devices that leave, or come to, each of them."""
    left = Counter(_cabinet(each.old_place) for each in changed if each.old)
    come = Counter(_cabinet(each.new_place) for each in changed if each.new)
    own, sign = (left, "−") if is_old else (come, "+")
    stay = {_cabinet(each.new_place) for each in found.found.devices if each.kind == SAME}
    only = "cabinet that is emptied" if is_old else "cabinet that is filled"
    shapes, notes = {}, {}
    slot_of = {name: slot for slot, name in enumerate(plan.room.slot_names)}
    for shape in scene.layer("cabinets").shapes:
        count = own[shape.name]
        kind = "cabinet" if not count else "cabinet with changes" if shape.name in stay else only
        about = f"{shape.name}: {left[shape.name]} devices leave or change, {come[shape.name]} come or change"
        shapes[slot_of[shape.name]] = replace(shape, kind=kind, about=about, target="")
        notes[slot_of[shape.name]] = f"{sign}{count}" if count else ""
    return Layer("cabinets", list(shapes.values()), slot_labels(plan.room, shapes, notes))


def _cabinet(place: str) -> str:
    return place.rpartition(" ")[0]


def _moves(plan: Plan, changed: Iterable[DeviceChange]) -> Iterator[Shape]:
    """Yield a line for devices that go from one cabinet to another, where this room has both slots."""
    at = {name: tuple(xy) for name, xy in zip(plan.room.slot_names, plan.room.slot_xy.tolist(), strict=True)}
    moves = Counter((_cabinet(each.old_place), _cabinet(each.new_place)) for each in changed if each.kind == MOVED)
    for (start, end), count in sorted(moves.items()):
        if start != end and start in at and end in at:
            about = f"{count} device{'s' * (count > 1)} from {start} to {end}"
            yield Shape(MOVES, [at[start], at[end]], closed=False, name=f"{start} – {end}", about=about)


def _routes(plan: Plan, kind: str, rows: Iterable[Connection], place: int) -> Iterator[Shape]:
    """Yield the routes of some cables, as wide as their number; those of the other kinds are next to them."""
    count: Counter[tuple[Point, ...]] = Counter()
    ends: dict[tuple[Point, ...], str] = {}
    shift = place * _APART_MM
    for row in rows:
        if row.a.cabinet == row.b.cabinet:
            continue
        slots = plan.placement.slot_of[plan.cables.cabinet[row.number - 1]]
        a, b = plan.room.slot_xy[slots].tolist()
        path = [tuple(a), *route_path(plan, row.number - 1), tuple(b)]
        path = path if path[0] <= path[-1] else path[::-1]
        key = tuple((float(x + shift), float(y + shift)) for x, y in path)
        count[key] += 1
        ends.setdefault(key, " – ".join(sorted((row.a.cabinet, row.b.cabinet))))
    for key, number in sorted(count.items()):
        wide = min(_THINNEST_MM + 5 * number, _WIDEST_MM)
        about = f"{kind}: {number}, {ends[key]}"
        yield Shape(kind, key, closed=False, name=ends[key], about=about, width_mm=wide)
